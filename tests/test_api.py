"""The HTTP interface: every route, its refusals, whole games by picking from `legal`, streams."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from flask import Flask
from werkzeug.test import TestResponse

from referee import live
from referee.games import GAMES
from referee.games.winchester.model import SECRET_OBJECTIVES
from tests.table import NAMES, Sitting, bearer, client_of, streaming, tables_of


def refusal(answer: TestResponse) -> tuple[int, str]:
    """Give a problem document's status and code, checking its shape."""
    assert answer.mimetype == "application/problem+json"
    assert answer.json["status"] == answer.status_code
    assert answer.json["type"] == "about:blank"
    assert answer.json["title"]
    return answer.status_code, answer.json["code"]


# Whole games


AUCTIONS = next(o.values for o in GAMES["winchester"].META.options if o.key == "auction")


@pytest.mark.long
@pytest.mark.parametrize(
    ("seats", "auction"), [(3 + number % 3, auction) for number, auction in enumerate(AUCTIONS)]
)
def test_a_whole_game_by_picking_from_legal(app: Flask, seats: int, auction: str) -> None:
    """Whatever `legal` lists at a version is accepted at that version, until the game is over."""
    sitting = Sitting(app, auction=auction).start(seats)
    sitting.play(random.Random(seats))
    shown = sitting.body()

    assert shown["status"] == "over"
    assert shown["to_act"] == []
    assert all(sitting.body(seat)["legal"] == [] for seat in range(seats))
    result = sitting.get("/result").json
    assert len(result["scores"]) == seats
    assert [line["amount"] for line in result["scores"][0]["lines"]]


@pytest.mark.long
def test_every_legal_action_is_accepted_not_only_one(app: Flask) -> None:
    """A bid of each size, and passing, all from the same position."""
    sitting = Sitting(app).start()
    sitting.act(0, {"type": "draw_plot"})
    legal = sitting.body(0)["legal"]

    assert {"type": "pass"} in legal
    for action in legal:
        assert sitting.act(0, action).status_code == 200
        assert sitting.post("/undo", token=sitting.tokens[0]).json["outcome"] == "done"
        assert sitting.body(0)["legal"] == legal


@pytest.mark.long
def test_same_seed_and_actions_are_the_same_game(app: Flask) -> None:
    """Nothing but the seed decides what is drawn."""
    sittings = [Sitting(app, seed="again").start() for _ in range(2)]
    for sitting in sittings:
        sitting.play(random.Random(4))

    first, second = (sitting.get("/result").json for sitting in sittings)
    assert first.pop("table") != second.pop("table")
    assert first == second
    assert all(sitting.body()["seeded"] for sitting in sittings)


def test_a_seed_may_be_a_number(app: Flask) -> None:
    """17 and "17" are the same seed."""
    drawn = []
    for seed in (17, "17"):
        client = client_of(app)
        opened = client.post("/api/v1/tables", json={"game": "winchester", "seed": seed}).json
        drawn.append(tables_of(app).find(opened["table"]).seed)

    assert drawn == ["17", "17"]


# Before the game


def test_games_are_listed(app: Flask) -> None:
    """Key, titles, seats, options and their values."""
    games = client_of(app).get("/api/v1/games").json
    game, other, third = games

    assert [g["key"] for g in games] == ["winchester", "desperados", "moon_river"]
    assert third["seats"] == [2, 4]
    assert other["seats"] == [3, 6]
    assert game["seats"] == [3, 5]
    options = {option["key"]: option for option in game["options"]}
    assert {"open", "sealed"} <= {*options["auction"]["values"]}
    assert options["auction"]["default"] == "open"


def test_opening_a_table(app: Flask) -> None:
    """The answer holds a code, the host's token, and an address for phones."""
    answer = client_of(app).post("/api/v1/tables", json={"game": "winchester"})

    assert answer.status_code == 201
    assert {*answer.json} == {"table", "host_token", "url"}
    assert answer.json["url"] == f"http://192.168.1.50:8000/j/{answer.json['table']}"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"game": "chess"}, "no_such_game"),
        ({"game": "winchester", "options": {"auction": "dutch"}}, "bad_option"),
        ({"game": "winchester", "options": {"speed": "fast"}}, "bad_option"),
        ({"game": "winchester", "options": {"star": "9" * 5000}}, "bad_option"),
        ({"game": "winchester", "options": {"auction": 1}}, "malformed"),
        ({"game": "winchester", "more": 1}, "malformed"),
        ({"game": 7}, "malformed"),
        ({}, "malformed"),
        ([], "malformed"),
    ],
)
def test_opening_a_table_wrongly(own_app: Flask, body: object, code: str) -> None:
    """What cannot be read, or is unknown, opens nothing."""
    answer = client_of(own_app).post("/api/v1/tables", json=body)

    assert refusal(answer) == (400, code)
    assert tables_of(own_app).store.recent_tables() == []


@pytest.mark.parametrize(
    "raw", [b"{", b"\xff\xfe", b'{"game": "\xff"}', b"[" * 50_000, b'{"game": ' + b"[" * 50_000]
)
def test_a_body_that_is_no_json(app: Flask, raw: bytes) -> None:
    """Broken, not UTF-8 or bottomless: refused, not a crash."""
    answer = client_of(app).post("/api/v1/tables", data=raw)

    assert refusal(answer) == (400, "malformed")


def test_an_action_without_bottom(app: Flask) -> None:
    """An action may be anything, so its depth is bounded all the same."""
    sitting = Sitting(app).start()
    raw = b'{"version": 8, "id": "a", "action": ' + b"[" * 50_000

    answer = sitting.client.post(
        f"/api/v1/tables/{sitting.code}/actions", data=raw, headers=bearer(sitting.tokens[0])
    )
    assert refusal(answer) == (400, "malformed")


def test_a_body_that_is_too_large(app: Flask) -> None:
    """64 KiB are plenty."""
    answer = client_of(app).post("/api/v1/tables", data=b" " * 70_000)

    assert refusal(answer) == (413, "http_413")


def test_seats_are_taken_until_the_table_is_full(app: Flask) -> None:
    """Five sit down, with different colours and letters; the sixth cannot."""
    sitting = Sitting(app).join(*NAMES[:5])
    seats = sitting.body()["seats"]

    assert [seat["name"] for seat in seats] == [*NAMES[:5]]
    assert [seat["index"] for seat in seats] == [0, 1, 2, 3, 4]
    for mark in ("color", "shape", "letter"):
        assert len({seat[mark] for seat in seats}) == 5
    assert refusal(sitting.post("/seats", {"name": "Finn"})) == (409, "table_full")


def test_a_colour_of_ones_own(app: Flask) -> None:
    """A free one can be chosen, a taken or unknown one not."""
    sitting = Sitting(app)

    assert sitting.post("/seats", {"name": "Ann", "color": "teal"}).json["color"] == "teal"
    taken = sitting.post("/seats", {"name": "Ben", "color": "teal"})
    assert refusal(taken) == (409, "colour_taken")
    unknown = sitting.post("/seats", {"name": "Ben", "color": "#f00"})
    assert refusal(unknown) == (400, "no_such_colour")


@pytest.mark.parametrize("name", ["", "   ", "\u200b\u200d", "\u202e", "\u3164"])
def test_a_name_that_nobody_can_see(app: Flask, name: str) -> None:
    """Something visible must be left of a name."""
    assert refusal(Sitting(app).post("/seats", {"name": name})) == (400, "no_name")


def test_starting(app: Flask) -> None:
    """By the host, with enough people, once."""
    sitting = Sitting(app).join("Ann", "Ben")

    assert refusal(sitting.post("/start", token=sitting.host)) == (409, "wrong_number_of_seats")
    sitting.join("Cleo")
    assert refusal(sitting.post("/start")) == (403, "not_host")
    assert refusal(sitting.post("/start", token=sitting.tokens[0])) == (403, "not_host")
    assert sitting.post("/start", token=sitting.host).status_code == 200
    assert refusal(sitting.post("/start", token=sitting.host)) == (409, "already_started")
    assert refusal(sitting.post("/seats", {"name": "Dan"})) == (409, "already_started")


def test_options_in_the_lobby(app: Flask) -> None:
    """The host sets them until the start."""
    sitting = Sitting(app)
    token = sitting.host

    assert sitting.post("/options", {"auction": "sealed"}, token).status_code == 200
    assert sitting.body()["options"]["auction"] == "sealed"
    assert refusal(sitting.post("/options", {"auction": "dutch"}, token)) == (400, "bad_option")
    assert refusal(sitting.post("/options", {"auction": "open"})) == (403, "not_host")
    sitting.start()
    assert refusal(sitting.post("/options", {"auction": "open"}, token)) == (409, "already_started")


def test_the_seat_that_begins(app: Flask) -> None:
    """The option `star` names a seat, whatever the order at the table."""
    sitting = Sitting(app).join(*NAMES[:3])
    sitting.post("/options", {"star": "2"}, sitting.host)
    sitting.post("/start", token=sitting.host)

    assert sitting.body()["to_act"] == [2]


# Who asks


def test_a_seat_sees_its_own_and_the_display_does_not(app: Flask) -> None:
    """Own secrets with the seat's token only; the host sees what the display sees."""
    sitting = Sitting(app).start()
    shown = sitting.body()

    assert shown["you"] == {"seat": None, "index": None, "host": False}
    assert shown["view"]["own"] is None
    assert shown["legal"] == []
    as_host = sitting.get(token=sitting.host).json
    assert as_host["you"]["host"] is True
    assert as_host["view"] == shown["view"]
    mine = sitting.body(1)
    assert mine["you"] == {"seat": 1, "index": 1, "host": False}
    assert mine["view"]["own"]["cash"] == 8000
    assert {*mine["view"]["own"]["secrets"]} <= {*SECRET_OBJECTIVES}


def test_tokens_that_open_nothing(app: Flask) -> None:
    """A wrong token is refused rather than shown the display; so is another table's."""
    sitting, other = Sitting(app).start(), Sitting(app).start()

    for path in ("", "/stream", "/journal", "/result"):
        assert refusal(sitting.get(path, "guess")) == (403, "bad_token")
        assert refusal(sitting.get(path, other.tokens[0])) == (403, "bad_token")
    basic = sitting.client.get(
        f"/api/v1/tables/{sitting.code}", headers={"Authorization": f"Basic {sitting.tokens[0]}"}
    )
    assert refusal(basic) == (403, "bad_token")


def test_a_table_that_is_not_there(app: Flask) -> None:
    """Every route of a table says so."""
    client = client_of(app)
    action = {"version": 1, "id": "a", "action": {"type": "pass"}}
    bodies: dict[str, Any] = {
        "/seats": {"name": "Ann"},
        "/start": None,
        "/options": {},
        "/actions": action,
        "/act-for": action | {"seat": 0},
        "/undo": None,
        "/corrections": {"correction": {}},
        "/ask": {"agree": True},
        "/answers": {"version": 1, "id": "a", "facts": []},
        "/release": {"seat": 0},
        "/give-back": {"seat": 0},
    }

    for path in ("", "/stream", "/journal", "/result"):
        assert refusal(client.get(f"/api/v1/tables/ZZZZZ{path}")) == (404, "no_such_table")
    for path, body in bodies.items():
        answer = client.post(f"/api/v1/tables/ZZZZZ{path}", json=body)
        assert refusal(answer) == (404, "no_such_table")


def test_codes_may_be_written_small(app: Flask) -> None:
    """People type them."""
    sitting = Sitting(app)

    answer = sitting.client.get(f"/api/v1/tables/{sitting.code.lower()}")
    assert answer.json["table"] == sitting.code


def test_nobody_can_try_all_codes(own_app: Flask) -> None:
    """After thirty misses in a minute an address has to wait, whatever table it asks for then."""
    sitting = Sitting(own_app)
    client = client_of(own_app)
    for number in range(30):
        path = ("/api/v1/tables/", "/t/", "/j/")[number % 3]
        assert client.get(f"{path}AAA{number:02}").status_code == 404

    assert refusal(client.get(f"/api/v1/tables/{sitting.code}")) == (429, "too_many")
    assert client.get(f"/j/{sitting.code}").status_code == 429
    assert client.get("/healthz").status_code == 200
    assert client_of(own_app).get(f"/j/{sitting.code}").status_code == 200


def test_nobody_can_try_all_codes_by_streams(own_app: Flask) -> None:
    """A page's stream of no table is an event, and a miss all the same."""
    code, client = Sitting(own_app).code, client_of(own_app)
    for number in range(30):
        answer = client.get(f"/t/AAA{number:02}/stream")
        assert "event: gone" in answer.text

    assert client.get(f"/t/{code}").status_code == 429


def test_what_is_not_there(app: Flask) -> None:
    """Unknown paths and methods are problems too."""
    client = client_of(app)

    assert refusal(client.get("/api/v1/nothing")) == (404, "http_404")
    assert refusal(client.delete("/api/v1/games")) == (405, "http_405")


# Playing


def test_an_action_answers_with_the_version_after_it(app: Flask) -> None:
    """And that is the version one then sees."""
    sitting = Sitting(app).start()
    done = sitting.act(0, {"type": "draw_plot"})

    assert done.json == {"version": sitting.body(0)["version"]}


def test_the_same_id_again_is_done_once(app: Flask) -> None:
    """Same answer, nothing more happens; even on a version that is old by now."""
    sitting = Sitting(app).start()
    wanted = {"version": sitting.body(0)["version"], "id": "x", "action": {"type": "draw_plot"}}
    first = sitting.post("/actions", wanted, sitting.tokens[0])
    sitting.act(0, {"type": "pass"})
    before = sitting.body()

    again = sitting.post("/actions", wanted, sitting.tokens[0])
    assert (again.status_code, again.json) == (200, first.json)
    assert sitting.body() == before


@pytest.mark.parametrize("off", [-1, 1, -(10**30), 10**30])
def test_another_version_is_refused(app: Flask, off: int) -> None:
    """What was decided on another picture is not done, and the answer names the present one."""
    sitting = Sitting(app).start()
    version = sitting.body(0)["version"]

    stale = sitting.act(0, {"type": "draw_plot"}, version=version + off)
    assert refusal(stale) == (409, "stale")
    assert stale.json["facts"] == {"version": version}
    assert sitting.body(0)["version"] == version


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ({"type": "bid", "amount": 500}, (422, "whole_notes")),
        ({"type": "bid", "amount": 9000}, (422, "bid_over_cash")),
        ({"type": "bid", "amount": 0}, (422, "bid_too_low")),
        ({"type": "bid", "amount": -1000}, (422, "bid_too_low")),
        ({"type": "bid", "amount": 10**30}, (400, "malformed")),
        ({"type": "bid", "amount": "1000"}, (400, "malformed")),
        ({"type": "bid"}, (400, "malformed")),
        ({"type": "fly"}, (400, "malformed")),
        ({"type": "submit_bid", "amount": 0}, (422, "not_your_turn")),
        ({"type": "call_duel"}, (422, "no_duel_now")),
        ({"type": "draw_plot"}, (422, "not_your_turn")),
        ({"type": "claim", "objective": "five_plots"}, (422, "no_claim_now")),
        ({}, (400, "malformed")),
        (None, (400, "malformed")),
        ("pass", (400, "malformed")),
        (0, (400, "malformed")),
    ],
)
def test_actions_that_are_refused(app: Flask, action: object, expected: tuple[int, str]) -> None:
    """Unreadable is 400, against the rules 422; nothing is done."""
    sitting = Sitting(app).start()
    sitting.act(0, {"type": "draw_plot"})
    before = sitting.body(0)

    answer = sitting.act(0, action)
    if expected[1] == "malformed":
        assert answer.status_code in {400, 422}
    else:
        assert refusal(answer) == expected
    assert sitting.body(0) == before


def test_out_of_turn(app: Flask) -> None:
    """Another seat cannot bid, the display and the host cannot play at all."""
    sitting = Sitting(app).start()
    sitting.act(0, {"type": "draw_plot"})
    wanted = {"version": sitting.body()["version"], "id": "x", "action": {"type": "pass"}}

    answer = sitting.act(1, {"type": "pass"})
    assert refusal(answer) == (422, "not_your_turn")
    assert answer.json["section"] == "auction"
    assert refusal(sitting.post("/actions", wanted)) == (403, "not_seated")
    assert refusal(sitting.post("/actions", wanted, sitting.host)) == (403, "not_seated")


@pytest.mark.parametrize("action_id", ["", "x" * 65])
def test_an_id_has_a_length(app: Flask, action_id: str) -> None:
    """1 to 64 signs."""
    sitting = Sitting(app).start()

    answer = sitting.act(0, {"type": "draw_plot"}, id=action_id)
    assert refusal(answer) == (400, "bad_id")


@pytest.mark.long
def test_not_yet_and_no_longer(app: Flask) -> None:
    """Nothing can be played before the start nor after the end; set right it can be even then."""
    sitting = Sitting(app).join(*NAMES[:3])

    assert refusal(sitting.act(0, {"type": "draw_plot"})) == (409, "not_started")
    assert refusal(sitting.get("/result")) == (409, "not_over")
    correction = {"correction": {"star": 1}}
    assert refusal(sitting.post("/corrections", correction, sitting.host)) == (409, "not_playing")
    sitting.post("/start", token=sitting.host)
    sitting.play(random.Random(1))
    assert refusal(sitting.act(0, {"type": "draw_plot"})) == (422, "game_over")
    assert refusal(sitting.post("/undo", token=sitting.tokens[0])) == (409, "game_over")
    assert sitting.post("/corrections", correction, sitting.host).json["outcome"] == "done"
    assert sitting.body()["status"] == "over"


def test_a_finished_game_is_opened_again(app: Flask) -> None:
    """By the table's consent, as it was before what ended it; then it ends anew."""
    sitting = Sitting(app).join(*NAMES[:3])
    assert refusal(sitting.post("/reopen", token=sitting.host)) == (409, "not_over")
    sitting.post("/start", token=sitting.host)
    sitting.play(random.Random(1))

    assert refusal(sitting.post("/reopen")) == (403, "not_seated")
    assert sitting.post("/reopen", token=sitting.tokens[0]).json["outcome"] == "asked"
    assert sitting.body()["status"] == "over"
    for token in sitting.tokens[1:]:
        sitting.post("/ask", {"agree": True}, token)
    assert sitting.body()["status"] == "playing"
    assert refusal(sitting.get("/result")) == (409, "not_over")
    sitting.play(random.Random(1))
    assert sitting.get("/result").json["winners"]


# For the table


def test_acting_for_an_absent_seat(app: Flask) -> None:
    """The host does it in the open, once; only what needs none of the seat's secrets."""
    sitting = Sitting(app).start()
    sitting.act(0, {"type": "draw_plot"})
    wanted = {
        "version": sitting.body()["version"],
        "id": "h",
        "seat": 0,
        "action": {"type": "bid", "amount": 1000},
    }

    assert refusal(sitting.post("/act-for", wanted, sitting.host)) == (422, "not_for_others")
    wanted |= {"action": {"type": "pass"}}
    assert refusal(sitting.post("/act-for", wanted, sitting.tokens[1])) == (403, "not_host")
    assert refusal(sitting.post("/act-for", wanted)) == (403, "not_host")
    stale = sitting.post("/act-for", wanted | {"version": 1}, sitting.host)
    assert refusal(stale) == (409, "stale")
    assert refusal(sitting.post("/act-for", wanted, sitting.host)) == (422, "not_absent")
    sitting.post("/release", {"seat": 0}, sitting.host)
    wanted |= {"version": sitting.body()["version"]}
    stranger = sitting.post("/act-for", wanted | {"seat": 9}, sitting.host)
    assert refusal(stranger) == (403, "not_seated")

    done = sitting.post("/act-for", wanted, sitting.host)
    assert done.json == {"version": sitting.body()["version"]}
    sitting.act(1, {"type": "pass"})
    again = sitting.post("/act-for", wanted, sitting.host)
    assert (again.status_code, again.json) == (200, done.json)
    assert sitting.table.ledger.log.lines[-2].note == {"what": "by_host"}


def test_taking_back(app: Flask) -> None:
    """One's own last action at once; what was seen only by consent."""
    sitting = Sitting(app).start()
    token = sitting.tokens[0]
    assert refusal(sitting.post("/undo", token=token)) == (409, "nothing_to_undo")
    assert refusal(sitting.post("/undo", token=sitting.host)) == (403, "not_seated")
    sitting.act(0, {"type": "draw_plot"})
    plot = sitting.body()["view"]["public"]["plot"]

    last = {"to": sitting.body(0)["undo"]}
    assert sitting.body()["undo"] is None
    assert refusal(sitting.post("/undo", {"to": last["to"] - 1}, token)) == (409, "stale")
    asked = sitting.post("/undo", last, token)
    assert asked.json == {"outcome": "asked", "version": sitting.body(0)["version"]}
    assert sitting.body()["ask"]["what"] == "undo"
    assert refusal(sitting.post("/undo", token=token)) == (409, "already_asked")
    number = sitting.body()["ask"]["number"]
    other = {"agree": True, "number": number + 1}
    assert refusal(sitting.post("/ask", other, sitting.host)) == (409, "stale")
    agreed = sitting.post("/ask", {"agree": True, "number": number}, sitting.host)
    assert agreed.json == {"version": sitting.body()["version"]}
    assert sitting.body()["view"]["public"]["plot"] is None
    sitting.act(0, {"type": "draw_plot"})
    assert sitting.body()["view"]["public"]["plot"] == plot


def test_a_question_to_the_table(app: Flask) -> None:
    """It needs somebody's answer; nobody else's, and not when there is none."""
    sitting = Sitting(app).start()

    assert refusal(sitting.post("/ask", {"agree": True}, sitting.host)) == (409, "nothing_asked")
    sitting.act(0, {"type": "draw_plot"})
    sitting.post("/undo", token=sitting.tokens[0])
    assert refusal(sitting.post("/ask", {"agree": True})) == (403, "not_seated")
    assert refusal(sitting.post("/ask", {"agree": "yes"}, sitting.host)) == (400, "malformed")
    assert sitting.post("/ask", {"agree": False}, sitting.tokens[2]).status_code == 200
    assert sitting.body()["ask"] is None
    assert sitting.body()["view"]["public"]["plot"] is not None


def test_setting_right(app: Flask) -> None:
    """A seat asks, the host does it at once; what is on no table is refused."""
    sitting = Sitting(app).start()
    transfer = {"transfers": [{"source": "saloon", "target": 0, "amount": 1000}]}
    wanted = {"correction": transfer, "reason": "  a note\nunder the table "}

    asked = sitting.post("/corrections", wanted, sitting.tokens[1])
    assert asked.json["outcome"] == "asked"
    assert sitting.body()["ask"]["payload"]["reason"] == "a note under the table"
    assert sitting.body(0)["view"]["own"]["cash"] == 8000
    sitting.post("/ask", {"agree": True}, sitting.tokens[0])
    assert sitting.body(0)["view"]["own"]["cash"] == 9000
    assert sitting.body()["view"]["public"]["saloon"] == 0
    for _ in range(2):
        tip = {"transfers": [{"source": "bank", "target": 0, "amount": 1000}]}
        once = {"correction": tip, "id": "the note"}
        assert sitting.post("/corrections", once, sitting.host).json["outcome"] == "done"
    assert sitting.body(0)["view"]["own"]["cash"] == 10_000
    assert refusal(sitting.post("/corrections", wanted)) == (403, "not_seated")
    for wrong, expected in [
        ({"owners": [{"plot": 20, "seat": 0}]}, (422, "no_such_plot")),
        ({"star": 7}, (422, "no_such_seat")),
        ({"star": "x"}, (400, "malformed")),
        ({"boat": "moon"}, (422, "no_such_space")),
    ]:
        answer = sitting.post("/corrections", {"correction": wrong}, sitting.host)
        assert refusal(answer) == expected


def test_a_board_question_that_nobody_asked(app: Flask) -> None:
    """A complete board asks nothing."""
    sitting = Sitting(app).start()
    body = {"version": sitting.body(0)["version"], "id": "a", "facts": [["touch:1-2", "yes"]]}

    assert refusal(sitting.post("/answers", body, sitting.tokens[0])) == (422, "no_question")
    assert refusal(sitting.post("/answers", body, sitting.host)) == (422, "no_question")
    assert refusal(sitting.post("/answers", {}, sitting.tokens[0])) == (400, "malformed")


def test_freeing_a_seat(app: Flask) -> None:
    """Its token opens nothing from then on."""
    sitting = Sitting(app).start()
    refused = sitting.post("/release", {"seat": 1}, sitting.tokens[0])

    assert refusal(refused) == (403, "not_host")
    assert refusal(sitting.post("/release", {"seat": 8}, sitting.host)) == (403, "not_seated")
    assert refusal(sitting.post("/release", {"seat": "b"}, sitting.host)) == (400, "malformed")
    assert sitting.post("/release", {"seat": 1}, sitting.host).status_code == 200
    assert refusal(sitting.get(token=sitting.tokens[1])) == (403, "bad_token")
    assert sitting.body(0)["status"] == "playing"


def test_giving_a_freed_seat_back(app: Flask) -> None:
    """By the host alone, and once: its token opens the seat again, and all who look are told."""
    sitting = Sitting(app).start()
    wanted = {"seat": 1}
    assert refusal(sitting.post("/give-back", wanted, sitting.host)) == (409, "seat_taken")
    freed = sitting.post("/release", wanted, sitting.host).json["version"]

    refused = sitting.post("/give-back", wanted, sitting.tokens[0])
    answer = sitting.post("/give-back", wanted, sitting.host)

    assert refusal(refused) == (403, "not_host")
    assert answer.json["version"] > freed
    assert sitting.body(1)["you"]["seat"] == 1
    assert refusal(sitting.post("/give-back", wanted, sitting.host)) == (409, "seat_taken")
    assert refusal(sitting.post("/give-back", {"seat": 8}, sitting.host)) == (403, "not_seated")
    assert refusal(sitting.post("/give-back", {}, sitting.host)) == (400, "malformed")


# Streams


def test_a_stream_begins_with_the_present(app: Flask) -> None:
    """First bytes, then an event with version and the body of GET; the same for a seat."""
    sitting = Sitting(app).start()

    for token in (None, sitting.tokens[1], sitting.host):
        path = f"/api/v1/tables/{sitting.code}/stream"
        with streaming(sitting.client, path, bearer(token)) as stream:
            assert stream.answer.mimetype == "text/event-stream"
            assert stream.answer.headers["Cache-Control"] == "no-cache, no-transform"
            stream.read()
            ((name, version, data),) = stream.read()
        seen = sitting.get(token=token).json
        assert (name, version) == ("table", str(seen["version"]))
        assert msgspec.json.decode(data) == seen


def test_a_stream_tells_every_change(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an action comes an event with the new version, in between heartbeats."""
    monkeypatch.setattr(live, "HEARTBEAT_S", 0.02)
    sitting = Sitting(app).start()

    with streaming(sitting.client, f"/api/v1/tables/{sitting.code}/stream") as stream:
        stream.read()
        stream.read()
        assert stream.read() == [("hb", "", "")]
        version = sitting.act(0, {"type": "draw_plot"}).json["version"]
        ((name, number, data),) = stream.read()
        assert (name, number) == ("table", str(version))
        assert msgspec.json.decode(data)["view"]["public"]["plot"]


def test_a_stream_ends_with_its_token(app: Flask) -> None:
    """Who loses the seat is told so, and shown nothing more."""
    sitting = Sitting(app).start()
    path = f"/api/v1/tables/{sitting.code}/stream"

    with streaming(sitting.client, path, bearer(sitting.tokens[0])) as stream:
        stream.read()
        stream.read()
        sitting.post("/release", {"seat": 0}, sitting.host)
        assert stream.read() == [("gone", "", "gone")]
        with pytest.raises(StopIteration):
            stream.read()
    assert stream.answer.headers["X-Accel-Buffering"] == "no"


def test_streams_are_bounded(own_app: Flask) -> None:
    """When there is no room for another page, a program is told to wait."""
    sitting = Sitting(own_app)
    tables_of(own_app).live.most = 1
    path = f"/api/v1/tables/{sitting.code}/stream"

    with streaming(sitting.client, path):
        assert refusal(sitting.get("/stream")) == (429, "no_room")
    with streaming(sitting.client, path) as stream:
        assert stream.answer.status_code == 200


# The journal


def test_the_journal_while_playing(app: Flask) -> None:
    """A header without the seed, then entries; sealed ones without payload, none with a salt."""
    sitting = Sitting(app, seed=None, auction="sealed").start()
    sitting.act(0, {"type": "draw_plot"})
    sitting.act(1, {"type": "submit_bid", "amount": 3000})
    answer = sitting.get("/journal")
    header, *lines = [msgspec.json.decode(line) for line in answer.data.splitlines()]

    assert answer.mimetype == "application/jsonl"
    assert header["seed"] is None
    assert header["commitment"] == sitting.body()["commitment"]
    assert [line["seq"] for line in lines] == [*range(1, len(lines) + 1)]
    assert all("salt" not in line for line in lines)
    bid = lines[-1]
    assert (bid["kind"], bid["seat"], bid["sealed"]) == ("action", 1, True)
    assert "payload" not in bid
    deal = next(line for line in lines if line["kind"] == "chance")
    assert "payload" not in deal
    drawn = lines[-2]
    assert drawn["payload"]["drawn"] == {"plot": [sitting.body()["view"]["public"]["plot"]]}
    assert b"3000" not in answer.data.splitlines()[-1]


@pytest.mark.long
def test_the_journal_when_it_is_over(app: Flask) -> None:
    """Everything opens: payloads, salts, the seed."""
    sitting = Sitting(app, seed=None, auction="sealed").start()
    sitting.play(random.Random(3))
    header, *lines = [
        msgspec.json.decode(line) for line in sitting.get("/journal").data.splitlines()
    ]

    assert header["seed"] == sitting.table.seed
    assert all(line["salt"] and line["payload"] for line in lines)
    assert len(lines) == sitting.table.ledger.length


def test_a_changed_bid_is_in_ones_own_journal_only(app: Flask) -> None:
    """Others' lines are numbered as if there were no change."""
    sitting = Sitting(app, auction="sealed").start()
    sitting.act(0, {"type": "draw_plot"})
    sitting.act(1, {"type": "submit_bid", "amount": 3000})
    before = [sitting.get("/journal", token).data for token in (None, sitting.tokens[0])]
    length = len(sitting.get("/journal", sitting.tokens[1]).data.splitlines())
    sitting.act(1, {"type": "submit_bid", "amount": 5000})

    assert [sitting.get("/journal", token).data for token in (None, sitting.tokens[0])] == before
    assert len(sitting.get("/journal", sitting.tokens[1]).data.splitlines()) == length + 1
    sitting.act(2, {"type": "submit_bid", "amount": 0})
    last = msgspec.json.decode(sitting.get("/journal").data.splitlines()[-1])
    assert last["seq"] == sitting.body()["version"]

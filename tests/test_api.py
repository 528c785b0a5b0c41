"""The HTTP interface: playing by picking from `legal`, its refusals, what a table agrees on."""

from __future__ import annotations

import random

import pytest
from flask import Flask

from referee.games import GAMES
from referee.games.winchester.model import SECRET_OBJECTIVES
from tests.problems import refusal
from tests.table import NAMES, Sitting, client_of, tables_of

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
    sitting.finish(random.Random(1))
    assert refusal(sitting.act(0, {"type": "draw_plot"})) == (422, "game_over")
    assert refusal(sitting.post("/undo", token=sitting.tokens[0])) == (409, "game_over")
    assert sitting.post("/corrections", correction, sitting.host).json["outcome"] == "done"
    assert sitting.body()["status"] == "over"


def test_a_finished_game_is_opened_again(app: Flask) -> None:
    """By the table's consent, as it was before what ended it; then it ends anew."""
    sitting = Sitting(app).join(*NAMES[:3])
    assert refusal(sitting.post("/reopen", token=sitting.host)) == (409, "not_over")
    sitting.post("/start", token=sitting.host)
    sitting.finish(random.Random(1))

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

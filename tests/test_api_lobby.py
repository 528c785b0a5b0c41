"""The HTTP interface before the start: opening, sitting down, options, and what is not there."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from tests.problems import refusal
from tests.table import NAMES, Sitting, bearer, client_of, tables_of

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
def test_opening_a_table_wrongly(app: Flask, body: object, code: str) -> None:
    """What cannot be read, or is unknown, opens nothing."""
    before = tables_of(app).store.recent_tables()
    answer = client_of(app).post("/api/v1/tables", json=body)

    assert refusal(answer) == (400, code)
    assert tables_of(app).store.recent_tables() == before


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

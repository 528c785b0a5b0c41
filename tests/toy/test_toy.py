"""A game that is registered by the tests alone is played to its end, with nothing else changed."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from referee import demo, export
from referee.games import GAMES
from referee.simulate import simulate
from tests.table import Browser, Sitting, app_at, tables_of


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    """Serve with one more game."""
    GAMES.add("tests.toy")
    try:
        with app_at(tmp_path) as app:
            yield app
    finally:
        GAMES.remove("pebbles")


@pytest.fixture
def sitting(app: Flask) -> Sitting:
    """Seat two people who play it."""
    return Sitting(app, game="pebbles", usual={}).start(2)


def test_it_is_played_to_its_end_over_http(sitting: Sitting) -> None:
    """By picking from `legal`, as any client would."""
    sitting.play(random.Random(1))

    shown = sitting.body()
    assert shown["status"] == "over"
    assert sum(shown["view"]["public"]["taken"]) == 12
    assert sitting.get("/result").json["winners"]


def test_whoever_begins_is_drawn_and_nobody_is_asked_for_it(sitting: Sitting) -> None:
    """The draw is an entry of the journal, and no option names a seat."""
    kinds = [e.kind for e in tables_of(sitting.app).store.entries(sitting.code)]

    assert kinds[-2:] == ["setup", "chance"]
    assert "o-" not in Browser(sitting.app).get(f"/t/{sitting.code}").text


def test_a_setting_changes_in_mid_game_by_consent(sitting: Sitting) -> None:
    """A correction with the table's consent; what was played stays."""
    rng = random.Random(2)
    sitting.play(rng, most=3)
    before = sitting.body()["view"]["public"]
    wanted = {"correction": {"type": "set_goal", "goal": "last"}, "reason": "house rule"}

    assert sitting.post("/corrections", wanted, sitting.tokens[0]).json["outcome"] == "asked"
    assert sitting.post("/ask", {"agree": True}, sitting.tokens[1]).status_code == 200
    after = sitting.body()["view"]["public"]
    assert (after["goal"], after["rows"]) == ("last", before["rows"])
    sitting.play(rng)
    last = sitting.table.ledger.state.last
    assert sitting.get("/result").json["winners"] == [last]


def test_it_is_simulated_and_shown_without_any_option_of_other_games(app: Flask) -> None:
    """No preset, no board: what a game has no option for is not asked of it."""
    report = simulate("pebbles", games=5, seats=None, seed="a", options={})
    assert (report.games, report.violations) == (5, 0)

    path = demo.begin(tables_of(app), "pebbles", pace=60.0, lang="en")
    assert Browser(app).get(f"/{path}").status_code == 200


def test_it_keeps_no_secret(sitting: Sitting) -> None:
    """What a seat sees beyond the others is nothing."""
    for seat in range(2):
        assert sitting.body(seat)["view"]["own"] == {}
        assert sitting.body(seat)["view"]["public"] == sitting.body()["view"]["public"]


@pytest.mark.parametrize("lang", ["en", "de", "fr"])
def test_every_page_is_drawn(app: Flask, lang: str) -> None:
    """Lobby, display, phones, menu, rulings, host, refusals, ceremony: by forms, to the end."""
    laptop = Browser(app, lang=lang)
    code = laptop.post("/tables", {"game": "pebbles"}).location.rpartition("/")[2]
    assert "Pebbles" in laptop.get("/").text
    phones = [Browser(app, lang=lang) for _ in range(2)]
    for number, phone in enumerate(phones):
        assert phone.get(f"/j/{code}").status_code == 200
        assert phone.post(f"/j/{code}", {"name": f"P{number}"}).status_code == 303
        assert phone.get(f"/s/{code}/{number}").status_code == 200
    assert "/pebbles/display.css" in laptop.get(f"/t/{code}").text
    assert laptop.post(f"/t/{code}/start").status_code == 303
    refused = phones[0].post(
        f"/s/{code}/0/act", {"type": "take", "take": "0:9", "version": "99"}, **{"HX-Request": "1"}
    )
    assert refused.status_code in {409, 422}
    for _ in range(20):
        table = tables_of(app).find(code)
        if table.ledger.status == "over":
            break
        seat = table.ledger.state.turn
        for path in ("", "/menu", "/rules"):
            assert phones[seat].get(f"/s/{code}/{seat}{path}").status_code == 200
        for path in ("", "/host"):
            assert laptop.get(f"/t/{code}{path}").status_code == 200
        page = phones[seat].get(f"/s/{code}/{seat}").text
        form = {
            "type": "take",
            "take": re.findall(r'name="take" value="(\d:\d)"', page)[-1],
            "version": re.findall(r'name="version" value="(\d+)"', page)[0],
        }
        assert phones[seat].post(f"/s/{code}/{seat}/act", form).status_code == 303
    assert tables_of(app).find(code).ledger.status == "over"
    assert "winner" in laptop.get(f"/t/{code}").text
    for seat, phone in enumerate(phones):
        assert phone.get(f"/s/{code}/{seat}").status_code == 200


def test_its_own_refusal_is_said(sitting: Sitting) -> None:
    """The core asks a game for its sentences first."""
    seat = sitting.table.ledger.state.turn
    phone = Browser(sitting.app)
    tables = tables_of(sitting.app)
    token = tables.desk.new_key(sitting.table, sitting.table.ledger.seating.order[seat])
    phone.client.set_cookie(f"referee_8000_{sitting.code}_{seat}", token)
    form = {"type": "take", "take": "0:9", "version": str(sitting.body(seat)["version"])}

    refused = phone.post(f"/s/{sitting.code}/{seat}/act", form, **{"HX-Request": "true"})
    assert refused.status_code == 422
    assert "There are not so many pebbles." in refused.text


def test_its_journal_is_verified_like_any_other(sitting: Sitting) -> None:
    """Chain, seed, draws and score."""
    sitting.play(random.Random(3))
    found = export.verify(sitting.get("/journal").text)

    assert found.entries == sitting.table.ledger.length
    assert found.draws == 1

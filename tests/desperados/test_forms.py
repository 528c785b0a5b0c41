"""The forms of Desperados: corrections, lines told anew, banks, the owner's board."""

from __future__ import annotations

import random
import re
from typing import Any, Final

import msgspec
import pytest
from flask import Flask
from werkzeug.test import TestResponse

from referee.games.desperados import rules as desperados
from referee.tables import Who
from referee.telling import told_lines
from tests.desperados.paging import BOXED, GAME, begun, do, page
from tests.desperados.taps import forms_on, tap
from tests.forms import forms_of
from tests.table import Browser, Evening, phase_of, play, tables_of

BANKS: Final = {"bank:El Paso": "yes", "bank:Flagstaff": "yes", "bank:Santa Fe": "yes"}


# Corrections and the host


CORRECTIONS: Final[tuple[tuple[dict[str, str], Any], ...]] = (
    ({"what": "pawn", "seat": "1", "city": "Aztec"}, lambda s: s.pawns[1] == "Aztec"),
    ({"what": "sheriff", "sheriff": "2", "city": "Globe"}, lambda s: s.sheriffs[2] == "Globe"),
    ({"what": "coach", "coach": "brown", "city": "Salem"}, lambda s: s.coaches[0] == "Salem"),
    ({"what": "coach", "coach": "blue", "city": ""}, lambda s: s.coaches[1] is None),
    (
        {"what": "disc", "seat": "2", "venue": "poker", "city": "Salem", "move": "1"},
        lambda s: s.disc(2).city == "Salem",
    ),
    ({"what": "disc", "seat": "2", "venue": "", "city": "Salem"}, lambda s: s.disc(2) is None),
    ({"what": "more", "tile": "coach", "city": "Globe"}, lambda s: s.loot[-1].kind == "coach"),
    ({"what": "loot", "number": "0", "value": ""}, lambda s: s.taken == 0),
    ({"what": "card", "seat": "3", "city": "Salem", "lost": "yes"}, lambda s: "Salem" in s.lost[3]),
    ({"what": "card", "seat": "3", "city": "Salem", "lost": "no"}, lambda s: not s.lost[3]),
    (
        {"what": "road", "city": "Tucson", "other": "Aztec", "value": "yes"},
        lambda s: ("Aztec", "Tucson") in s.board.roads,
    ),
    (
        {"what": "bank", "other": "Socorro", "city": "Aztec"},
        lambda s: "Aztec" in s.board.banks and "Socorro" not in s.board.banks,
    ),
)


def test_the_host_corrects_by_form(app: Flask) -> None:
    """Each form says one thing that the real table shows, and the log says it in words."""
    table = begun(app)
    for seat in range(4):
        do(table, seat, type="lay_any")
    for form, is_done in CORRECTIONS:
        # A tile that the app dealt is turned over only with the Marshal's word.
        is_owned = form["what"] == "more"
        assert table.correct(form | {"reason": "look"}).status_code == (409 if is_owned else 303)
        if is_owned:
            marshal = table.table.ledger.state.marshal
            assert table.correct(form | {"reason": "look"}, marshal).status_code == 303
            who = Who(is_host=True)
            tables_of(app).consent.answer(table.table, who, agree=True)
        assert is_done(table.table.ledger.state), form
        assert "The host corrected:" in page(table.laptop, f"/t/{table.code}")


def test_every_kind_of_line_is_told_anew_on_the_pages(app: Flask) -> None:
    """It is asked for in a form of its own, and what would be different is shown."""
    tables_of(app).taught.forget(GAME, "box")
    table = Evening(app, game=GAME, seats=3, **(BOXED | {"board": "practice"})).start()
    play(tables_of(app), table.table, random.Random(8), most=420)
    kinds: dict[str, str] = {}
    lines = told_lines(table.table.ledger, 1)
    assert f"/told/{lines[0]['to']}/0" in page(table.phones[1], table.seat(1, "/told"))
    for line in lines:
        path = table.seat(1, f"/told/{line['to']}/{line['part']}")
        kinds.setdefault(msgspec.to_builtins(line["told"])["type"], path)
    assert kinds.keys() >= {"set_first_schedule", "place_sheriff", "sheriffs_rode", "discs_laid"}
    assert "report_tile" in kinds
    for kind, path in kinds.items():
        answered = fill_in(table.phones[1], path, kind)
        # What is offered can be; only of random discs there may be too few.
        said = "would be different|something else to tell"
        may_be_refused = kind == "discs_laid"
        assert re.search(said, answered.text) or (may_be_refused and answered.status_code == 422)


def test_the_rules_page_says_how_mistakes_are_set_right(app: Flask) -> None:
    """With every ruling that is in force."""
    table = begun(app)
    words = page(table.phones[1], table.seat(1, "/rules"))
    for ruling in (
        "everything after it is worked out anew",
        "A tile that the referee dealt is never turned over by this",
        "The phones replace the movement cards",
        "Any desperado may say for the gang that it is done",
        "the move is over for them all the same",
    ):
        assert ruling in words


def fill_in(browser: Browser, path: str, kind: str) -> TestResponse:
    """Fill the form of a line in at random, and send it."""
    found = [one for one in forms_of(page(browser, path)) if ("type", kind) in one.fixed]
    return browser.post(found[0].action, found[0].filled(random.Random(kind)))


@pytest.mark.parametrize(
    "form",
    [
        {"what": "pawn", "seat": "9", "city": "Aztec"},
        {"what": "pawn", "seat": "x", "city": "Aztec"},
        {"what": "loot", "number": "9", "value": ""},
        {"what": "road", "city": "Aztec", "other": "Nowhere", "value": "yes"},
        {"what": "moon"},
    ],
)
def test_nonsense_corrects_nothing(app: Flask, form: dict[str, str]) -> None:
    """It is refused in words, and nothing changes."""
    table = begun(app)
    before = table.table.ledger.state
    answer = table.correct(form)
    assert answer.status_code in {400, 422}
    assert table.table.ledger.state == before


def test_the_host_goes_on_and_stands_in(app: Flask) -> None:
    """Sheriffs and cards of an absent Marshal, the gang's end of a move, and the next step."""
    table = begun(app)
    host = f"/t/{table.code}"

    def post(path: str, seat: int, **form: str) -> None:
        version = str(table.table.ledger.version(None))
        answer = table.laptop.post(f"{host}/{path}", {"seat": str(seat), "version": version} | form)
        assert answer.status_code == 303, answer.text

    post("act-for", 0, type="move_sheriff", sheriff="1", city="Shiprock")
    assert table.table.ledger.state.sheriffs[1] == "Shiprock"
    for _ in range(5):
        for seat in range(4):
            post("act-for", seat, type="lay_any")
        post("act-for", 1, type="place_discs")
    assert phase_of(table.table) == "examining"
    assert 'value="next"' in page(table.laptop, host)
    post("for/0", 0, type="next", step="0")
    assert desperados.public(table.table.ledger.state).examined == 1


def test_two_who_tap_next_at_once_go_one_step(app: Flask) -> None:
    """The Marshal's phone and the display show the same step: the second tap is told so, in words.

    Looking again shows the step that the first one made, and a tap there makes the next.
    """
    table = begun(app)
    table.play(random.Random(2), until="examining")
    display = f"/t/{table.code}"
    screens_of = ((table.phones[0], table.seat(0)), (table.laptop, display))
    forms = [
        next(form for form in forms_on(page(who, path)) if form.fits({"type": "next"}))
        for who, path in screens_of
    ]
    before = desperados.public(table.table.ledger.state).examined

    first, second = (
        who.post(form.action, form.fields) for (who, _), form in zip(screens_of, forms, strict=True)
    )

    assert first.status_code == 303
    assert second.status_code == 409
    assert "The table moved on. Look again." in second.text
    assert desperados.public(table.table.ledger.state).examined == before + 1
    assert tap(table.laptop, display, type="next").status_code == 303
    assert desperados.public(table.table.ledger.state).examined == before + 2


# The owner's board


def test_banks_are_told_by_anybody(app: Flask) -> None:
    """From a phone by ticking; too few are refused in words; the display has the same form."""
    tables_of(app).taught.forget(GAME, "box")
    table = Evening(app, game=GAME, seats=3, **BOXED).start()
    asked = [part.fact for part in desperados.question(table.table.ledger.state).parts]  # type: ignore[union-attr]
    version = table.table.ledger.version(1)
    form = {"asked": asked, "version": version}
    few = table.phones[1].post(table.seat(1, "/answer"), form | {"bank:Aztec": "yes"})
    assert few.status_code == 422
    assert "Exactly five cities have a bank" in few.text
    assert 'class="card stack boardq"' in page(table.laptop, f"/t/{table.code}")
    told = table.phones[1].post(table.seat(1, "/answer"), form | BANKS)
    assert told.status_code == 303
    assert phase_of(table.table) == "first_schedule"
    again = Evening(app, game=GAME, seats=3, **BOXED).start()
    assert phase_of(again.table) == "first_schedule"


def test_a_city_is_taught(app: Flask) -> None:
    """Its roads and whether it has a bank; what is not ticked is not there."""
    tables_of(app).taught.forget(GAME, "box")
    laptop = Browser(app)
    laptop.client.environ_base["REMOTE_ADDR"] = "127.0.0.1"
    board = f"/board/{GAME}/box"
    assert "2 / 5" in page(laptop, board)
    shown = page(laptop, f"{board}?at=Sweet+Water")
    asked = [f"road:{a}" for a in ("Sweet Water-Tucson", "Aztec-Sweet Water")]
    for fact in asked:
        assert f'value="{fact}"' in shown
    answer = laptop.post(
        f"{board}/teach",
        {"asked": [*asked, "bank:Sweet Water"], asked[0]: "yes", "next": "Tombstone"},
    )
    assert answer.status_code == 303
    assert "at=Tombstone" in answer.location
    facts = tables_of(app).store.facts(GAME, "box")
    assert facts == {asked[0]: "yes", asked[1]: "no", "bank:Sweet Water": "no"}
    laptop.post(f"{board}/teach", {"asked": "map", "map": "complete"})
    stops = ["Gallup", "Tuba City", "Shiprock", "Aztec", "Santa Fe", "Los Lunas"]
    laptop.post(f"{board}/teach", {"schedule:blue:S1": stops})
    facts = tables_of(app).store.facts(GAME, "box")
    assert facts["map"] == "complete"
    assert facts["schedule:blue:S1"] == ">".join(stops)
    assert "only known roads" in page(laptop, board)
    saved = page(laptop, f"{board}/profile.toml")
    assert '"road:Sweet Water-Tucson" = "yes"' in saved


def test_a_running_game_learns_what_is_taught(app: Flask) -> None:
    """And it can no longer be taught otherwise, only corrected."""
    tables_of(app).taught.forget(GAME, "box")
    table = Evening(app, game=GAME, seats=3, **BOXED).start()
    phone = table.phones[0]
    form = {"table": table.code, "asked": ["bank:El Paso"], "bank:El Paso": "yes"}
    assert phone.post(f"/board/{GAME}/box/teach", form).status_code == 303
    assert "El Paso" in table.table.ledger.state.board.banks
    shown = page(phone, f"/board/{GAME}/box?table={table.code}&at=El+Paso")
    assert 'name="bank:El Paso"' not in shown


def test_that_the_map_is_complete_takes_the_table(app: Flask) -> None:
    """The page says whom it hurts, and nothing is so before all have agreed."""
    tables_of(app).taught.forget(GAME, "box")
    table = Evening(app, game=GAME, seats=3, **BOXED).start()
    assert "It hurts whoever has laid" in page(
        table.phones[0], f"/board/{GAME}/box?table={table.code}"
    )
    form = {"table": table.code, "asked": "map", "map": "complete"}
    assert table.phones[0].post(f"/board/{GAME}/box/teach", form).status_code == 303

    assert table.table.ledger.proposal is not None
    assert not table.table.ledger.state.board.complete
    tables_of(app).consent.answer(table.table, Who(is_host=True), agree=True)
    assert table.table.ledger.state.board.complete

"""What Marshal, gang and display get of Desperados depends on nothing they may not know.

The bytes are compared as for the other games: pages, streams, the HTTP interface, refusals.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from flask import Flask

from referee.games.desperados.actions import LayCard
from tests.desperados.taps import tap
from tests.secrets_of import SHUFFLE
from tests.sight import copy_of, other_state, sight
from tests.table import Evening, act, app_at, bearer, phase_of, play, streaming, tables_of

# What two tables are drawn with, the tests of one table count.
pytestmark = [pytest.mark.long, pytest.mark.no_cover]

MARSHAL: Final = 0
GAME: Final = "desperados"


def do(evening: Evening, seat: int, *, action_id: str = "", **action: Any) -> None:
    """Play an action."""
    act(tables_of(evening.app), evening.table, seat, action, action_id=action_id)


def begin(app: Flask, *, seats: int = 4, **options: str) -> Evening:
    """Start a game with everybody on the board: the Marshal in Tuba City, the gang in the south."""
    evening = Evening(app, game=GAME, seats=seats, first_schedule="box", **options).start()
    do(evening, MARSHAL, type="set_first_schedule", schedule="S5")
    do(evening, MARSHAL, type="place_marshal", city="Tuba City")
    for city in ("Salem", "Aztec", "Aztec", "Aztec")[: seats - 1]:
        do(evening, MARSHAL, type="place_sheriff", city=city)
    for seat, city in enumerate(("Socorro", "La Luz", "Salem", "Globe")[: seats - 1], 1):
        do(evening, seat, type="place_pawn", city=city)
    return evening


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_same_bytes_whatever_is_hidden(app: Flask, seats: int) -> None:
    """With everything shuffled that a viewer may not know, the viewer gets the same bytes."""
    rng = random.Random(f"blind {seats}")
    evening = begin(app, seats=seats)
    differ, phases = 0, set()
    for _ in range(14):
        play(tables_of(app), evening.table, rng, most=rng.randrange(3, 16))
        if evening.table.ledger.status != "playing":
            break
        state = evening.table.ledger.state
        phases.add(phase_of(evening.table))
        for viewer in (None, MARSHAL, rng.randrange(1, seats)):
            other = SHUFFLE[GAME](state, viewer, rng)
            expected = sight(evening, viewer)
            with other_state(evening, other):
                differ += other != state
                assert expected == sight(evening, viewer)

    assert differ > 12
    assert {"laying", "acting"} & phases


@contextmanager
def two_evenings(folder: Path) -> Iterator[tuple[Evening, Evening]]:
    """Give one evening twice: the same up to now, keys included, and free from here on."""
    with ExitStack() as stack:
        first = stack.enter_context(app_at(folder / "first"))
        evening = begin(first)
        (folder / "second").mkdir()
        tables_of(first).store.backup(folder / "second" / "referee.db")
        second = stack.enter_context(app_at(folder / "second"))
        yield evening, copy_of(evening, second)


def lay(evening: Evening, seat: int, *cards: str) -> None:
    """Lay a card, and change it as often as more are named."""
    for card in cards:
        do(evening, seat, type="lay_card", card=card)


def test_cards_and_their_changes_are_nobodys_business(tmp_path: Path) -> None:
    """Other cards, changed or not: the display and the Marshal cannot tell."""
    with two_evenings(tmp_path) as (one, two):
        for evening in (one, two):
            lay(evening, MARSHAL, "Gallup")
        lay(one, 1, "Salem")
        lay(two, 1, "La Luz", "saloon", "St. Johns")
        for viewer in (None, MARSHAL):
            assert sight(one, viewer) == sight(two, viewer)
        lay(one, 2, "Salem")
        lay(two, 2, "El Paso", "saloon")
        lay(one, MARSHAL, "Shiprock")
        lay(two, MARSHAL, "Flagstaff", "saloon")
        assert sight(one, None) == sight(two, None)


def test_the_gangs_talk_reaches_nobody_else(tmp_path: Path) -> None:
    """Plans hidden and shown, choices declared and changed: the others see nothing of it."""
    with two_evenings(tmp_path) as (one, two):
        for evening in (one, two):
            lay(evening, MARSHAL, "Gallup")
            for seat, card in ((1, "Salem"), (2, "Salem"), (3, "saloon")):
                lay(evening, seat, card)
        do(one, 1, type="declare", choice="poker")
        do(two, 1, type="hide_plan")
        do(two, 2, type="declare", choice="poker")
        do(two, 2, type="declare", choice="nothing")
        do(two, 1, type="show_plan")
        for viewer in (None, MARSHAL):
            assert sight(one, viewer) == sight(two, viewer)
        for evening in (one, two):
            do(evening, 3, action_id="done", type="place_discs")
        for viewer in (None, MARSHAL):
            assert sight(one, viewer) == sight(two, viewer)


def tapped(evening: Evening, seat: int, **wanted: str) -> None:
    """Send a form that stands on a seat's own page."""
    answer = tap(evening.phones[seat], evening.seat(seat, "?open=1"), **wanted)
    assert answer.status_code == 303, answer.text


def laid_by_form(evening: Evening, *cards: str) -> None:
    """Let each seat lay a card of its own, from its page."""
    for seat, card in enumerate(cards):
        tapped(evening, seat, type="lay_card", card=card)


def look_alike(one: Evening, two: Evening, *viewers: int | None) -> None:
    """Compare every byte that these viewers get."""
    for viewer in viewers:
        seen, other = sight(one, viewer), sight(two, viewer)
        assert seen.keys() == other.keys()
        for name, content in seen.items():
            assert content == other[name], (viewer, name)


def test_how_many_wanted_to_take_part_stays_with_the_gang(tmp_path: Path) -> None:
    """Too few discs, or none: what the form at the end of the gang's part sends tells nobody."""
    with two_evenings(tmp_path) as (one, two):
        for evening in (one, two):
            laid_by_form(evening, "Gallup", "Salem", "saloon", "saloon")
        tapped(one, 1, type="declare", choice="poker")
        for evening in (one, two):
            tapped(evening, 2, type="place_discs")
        assert one.table.ledger.state.returned
        assert not two.table.ledger.state.returned
        look_alike(one, two, None, MARSHAL)


def test_that_a_card_was_drawn_only_its_plan_tells(tmp_path: Path) -> None:
    """The referee's card, or the same one chosen: neither display nor Marshal can tell."""
    with two_evenings(tmp_path) as (one, two):
        for evening in (one, two):
            tapped(evening, MARSHAL, type="lay_card", card="Gallup")
        do(one, 1, action_id="first", type="lay_any")
        card = one.table.ledger.state.routes[1][0].card
        do(two, 1, action_id="first", type="lay_card", card=card)
        look_alike(one, two, None, MARSHAL)
        for evening in (one, two):
            tapped(evening, 2, type="lay_card", card="saloon")
            tapped(evening, 3, type="lay_card", card="saloon")
            tapped(evening, 3, type="place_discs")
        look_alike(one, two, None, MARSHAL)


def test_open_streams_do_not_stir_when_the_gang_confers(tmp_path: Path) -> None:
    """Nothing is sent to the display or the Marshal when a plan changes."""
    with two_evenings(tmp_path) as (one, _), ExitStack() as stack:
        lay(one, MARSHAL, "Gallup")
        lay(one, 1, "Salem")
        watchers = tables_of(one.app).live._watchers  # noqa: SLF001  # no one else may
        paths = ((one.laptop, f"/t/{one.code}/stream"), (one.phones[0], one.seat(0, "/stream")))
        streams = [stack.enter_context(streaming(who.client, path)) for who, path in paths]
        for stream in streams:
            stream.read()
            stream.read()
        lay(one, 1, "La Luz")
        do(one, 1, type="hide_plan")

        assert not any(watcher.is_woken for watcher in watchers[one.code])


def test_refusals_tell_nothing(app: Flask) -> None:
    """What the rules say no to, they say no to in the same words whatever others planned."""
    rng = random.Random("refusals")
    evening = begin(app)
    guesses: list[dict[str, Any]] = [
        {"type": "lay_card", "card": "Gallup"},
        {"type": "lay_card", "card": "Salem", "confirmed": True},
        {"type": "declare", "choice": "brown"},
        {"type": "declare", "choice": "spy"},
        {"type": "place_discs"},
        {"type": "next", "step": 0},
        {"type": "hide_plan"},
        {"type": "refill_bank", "city": "Socorro"},
    ]

    def refusals(seat: int) -> list[bytes]:
        phone = evening.phones[seat]
        key, found = bearer(phone.key(evening.code, seat)), []
        legal = [msgspec.to_builtins(a) for a in evening.table.ledger.legal_for(seat)]
        for guess in guesses:
            if {"confirmed": False} | guess not in [{"confirmed": False} | a for a in legal]:
                body = {"version": evening.table.ledger.version(seat), "id": "x", "action": guess}
                path = f"/api/v1/tables/{evening.code}/actions"
                answer = phone.client.post(path, json=body, headers=key)
                assert answer.status_code == 422
                found.append(answer.data)
        return found

    for _ in range(6):
        play(tables_of(app), evening.table, rng, most=rng.randrange(3, 12))
        state = evening.table.ledger.state
        expected = refusals(MARSHAL)
        with other_state(evening, SHUFFLE[GAME](state, MARSHAL, rng)):
            assert expected == refusals(MARSHAL)


def test_a_choice_on_a_phone_survives_the_others(app: Flask) -> None:
    """While one chooses a card, mates lay, change, hide and show theirs: the form stays."""
    evening = begin(app)
    lay(evening, MARSHAL, "Gallup")
    parts = evening.app.extensions["referee"].parts

    def asked() -> str:
        table = evening.table
        return str(parts.draw(table, parts.frame(table, 1, "en"))["ask"])

    before = asked()
    lay(evening, 2, "Salem", "El Paso")
    do(evening, 2, type="hide_plan")
    do(evening, 2, type="show_plan")
    lay(evening, MARSHAL, "Shiprock")

    assert 'name="card" value="Salem"' in before
    assert asked() == before


def test_the_marshals_page_names_no_card_of_the_gang(app: Flask) -> None:
    """Not in any part of it, and the display's neither."""
    evening = begin(app)
    lay(evening, MARSHAL, "Gallup")
    for seat in (1, 2):
        cards = [a for a in evening.table.ledger.legal_for(seat) if isinstance(a, LayCard)]
        act(tables_of(app), evening.table, seat, cards[0])
    for viewer in (None, MARSHAL):
        for name, seen in sight(evening, viewer).items():
            assert b"keeps the plan" not in seen, name
            assert b'id="gang"' not in seen or b'class="card stack gang"' not in seen, name

"""Examination against a naive one that was written from the rulebook alone."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.desperados import rules as desperados
from referee.games.desperados.model import (
    CITIES,
    DECK,
    Activity,
    Laid,
    State,
    replace,
)
from tests.desperados import naive_examination as naive
from tests.desperados.positions import (
    BOARD,
    SURVEYED,
    evening,
    examine,
)

# A second opinion


@st.composite
def evenings(draw: st.DrawFn) -> State:
    """Draw five moves of everybody: mostly possible ones, with discs where they say they are."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    seats = rng.randint(3, 6)
    board = rng.choice((BOARD, SURVEYED))
    pawns = tuple(rng.choice(CITIES[:8]) for _ in range(seats))
    lost = {seat: tuple(rng.sample(CITIES, rng.choice((0, 0, 2)))) for seat in range(1, seats)}
    routes = {seat: _route(pawns[seat], board, rng) for seat in range(seats)}
    state = evening(
        {},
        pawns=pawns,
        lost=lost,
        board=board,
        sheriffs=[rng.choice(CITIES) for _ in range(seats - 1)],
    )
    state = replace(state, routes=tuple(routes[seat] for seat in range(seats)))
    return replace(state, activities=_discs(state, rng))


def _route(at: Any, board: Any, rng: random.Random) -> tuple[Laid, ...]:
    route: list[Laid] = []
    for _ in range(5):
        ways = board.links[at]
        card: Any = rng.choice((*ways.near, *ways.near, "saloon"))
        confirmed = False
        if ways.unknown and rng.random() < 0.1:
            card, confirmed = rng.choice(ways.unknown), True
        if rng.random() < 0.05:
            card = rng.choice(DECK)
            confirmed = card in ways.unknown
        route.append(Laid(card, confirmed))
        at = at if card == "saloon" else card
    return tuple(route)


def _discs(state: State, rng: random.Random) -> tuple[Activity, ...]:
    found: dict[tuple[Any, ...], list[int]] = {}
    for seat in state.gang:
        move, venue = rng.randint(1, 5), rng.choice(("poker", "brown", "blue"))
        cities = [laid.card for laid in state.routes[seat][:move] if laid.card != "saloon"]
        city = cities[-1] if cities else state.pawn(seat)
        if venue == "poker" and city in state.board.banks:
            continue
        key = (venue, city) if venue == "poker" else (venue,)
        begun = [other for other in found if other[: len(key)] == key]
        if not begun:
            found[*(key if venue == "poker" else (venue, city)), move] = [seat]
        elif (begun[0][1], begun[0][2]) == (city, move):
            found[begun[0]].append(seat)
    return tuple(
        Activity(venue, city, move, rng.choice((0, 0, 1)), tuple(seats))
        for (venue, city, move), seats in found.items()
    )


@pytest.mark.long
@given(evenings())
@settings(max_examples=300, deadline=None)
def test_the_examination_agrees_with_a_naive_one(state: State) -> None:
    """Pawns, arrests, lost cards, loot and new roads, whatever everybody played."""
    board = state.board
    expected = naive.examine(
        [state.pawn(seat) for seat in range(state.seats)],
        [[(laid.card, laid.confirmed) for laid in route] for route in state.routes],
        lost=state.lost,
        roads={frozenset(road) for road in board.roads},
        unknown={frozenset((c, o)) for c in CITIES for o in board.links[c].unknown},
        discs=[naive.Disc(a.venue, a.city, a.move, a.sheriffs, a.seats) for a in state.activities],
        sheriffs=state.sheriffs,
        poker={city: state.tile(city) or 0 for city in board.poker},
        coaches=state.coach_stack,
        banks={city: state.tile(city) or 0 for city in board.banks},
    )
    steps = examine(state, 6)
    after = steps[-1].state

    assert [*after.pawns] == expected.pawns
    assert [out and (out.why, out.step) for out in after.phase.out] == expected.out
    assert [[*lost] for lost in after.lost] == expected.lost
    assert [(loot.kind, loot.city, loot.value) for loot in after.loot] == expected.loot
    assert {frozenset(r) for r in {*after.board.roads} - {*board.roads}} == expected.shown
    assert not [wrong for wrong in desperados.violations(after) if "tiles" in wrong]

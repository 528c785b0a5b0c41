"""What Desperados hide, as canaries: cards on the table, plans of the gang, tiles face down."""

from __future__ import annotations

from typing import Final

from referee.games.desperados.model import (
    CITIES,
    EXAMINATION,
    MOVES,
    UNSEEN,
    Acting,
    Dealing,
    Ended,
    State,
    Surveying,
    replace,
)
from tests.canaries import Cage

SECRET: Final = frozenset({"lay_card", "lay_any", "declare"})
"""What is done in secret."""


def cage(state: State) -> tuple[State, Cage]:
    """Make every secret a canary: plans are the gang's where they are shared, a tile a spy's."""
    made = Cage()
    if isinstance(state.phase, Dealing | Ended):
        return state, made
    return _with_plans(_with_tiles(state, made), made), made


def _with_tiles(state: State, made: Cage) -> State:
    def face_down(values: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(made.money((), note=1) if value != UNSEEN else value for value in values)

    tiles = []
    for city, value in zip(CITIES, state.tiles, strict=True):
        is_bank = city in state.board.banks
        spies = [seat for seat in state.gang if city in state.spied[seat]]
        keepers = (state.marshal, *spies) if is_bank else ()
        tiles.append(made.money(keepers, note=1) if value not in {None, UNSEEN} else value)
    phase = state.phase
    if isinstance(phase, Surveying):
        phase = replace(phase, banks=face_down(phase.banks), poker=face_down(phase.poker))
    return replace(
        state,
        phase=phase,
        tiles=tuple(tiles),
        bank_stack=face_down(state.bank_stack),
        coach_stack=face_down(state.coach_stack),
    )


def _with_plans(state: State, made: Cage) -> State:
    phase, gang = state.phase, state.gang
    choices = phase.choices if isinstance(phase, Acting) else (None,) * state.seats
    routes = []
    for seat, route in enumerate(state.routes):
        # What a mate wants to do somewhere shows where its cards lead, hidden or not.
        is_shared = not state.hidden[seat] or choices[seat] not in {None, "nothing"}
        keepers = gang if seat in gang and is_shared else (seat,)
        shown = _turned(state, seat)
        routes.append(
            (
                *route[:shown],
                *(replace(laid, card=made.word(laid.card, keepers)) for laid in route[shown:]),
            )
        )
    if isinstance(phase, Acting):
        told = tuple(None if choice is None else made.word(choice, gang) for choice in choices)
        phase = replace(phase, choices=told)
    returned = tuple(replace(one, city=made.word(one.city, gang)) for one in state.returned)
    return replace(state, phase=phase, routes=tuple(routes), returned=returned)


def _turned(state: State, seat: int) -> int:
    """Count a seat's cards that have come to light."""
    phase = state.phase
    if not isinstance(phase, EXAMINATION):
        return 0
    out = phase.out[seat]
    step = getattr(phase, "step", MOVES)
    return min(step if out is None else out.step, MOVES)

"""Banks: robbed at the end of a turn, refilled by the Marshal, who must not see the tile first."""

from __future__ import annotations

from referee.errors import IllegalAction, NotYourTurn
from referee.games.base import Step

from . import tiles
from .actions import Action, RefillBank
from .events import BankHeldUp, BankRefilled, Event
from .model import (
    MOVES,
    TURNS,
    City,
    Examining,
    Judged,
    Out,
    Refilling,
    State,
    put_tile,
    replace,
)


def rob(state: State, out: tuple[Out | None, ...]) -> tiles.Haul:
    """Take the tile of every bank with more free desperadoes than Sheriffs there now."""
    haul = tiles.Haul(replace(state, judged=()))
    for city in state.board.banks:
        there = tuple(s for s in state.gang if out[s] is None and state.pawns[s] == city)
        # Judged by the state of before: what one bank brings changes nothing at another.
        if not there or state.tile(city) is None:
            continue
        found = Judged("bank", city, there, state.sheriffs_in(city) + 1)
        event = BankHeldUp(city, there, found.needed, found.success)
        haul = tiles.judge(haul, found, event)
        if found.success:
            haul = tiles.take_from_city(haul, "bank", city)
    return haul


def refill(state: State, out: tuple[Out | None, ...], events: tuple[Event, ...]) -> Step:
    """Let the Marshal refill the robbed banks, or do it where there is nothing to decide.

    With one robbed bank the next tile goes there. Ruling: an empty stack refills nothing, and
    after the last turn nothing is refilled. Ruling: tiles on the real table need no report while
    there are enough for all robbed banks; which goes where is the Marshal's affair.
    """
    empty = tuple(city for city in state.board.banks if state.tile(city) is None)
    if state.turn == TURNS or not state.bank_stack:
        empty = ()
    is_boxed = state.rules.origin("bank") == "box"
    if len(empty) == 1 or (is_boxed and len(state.bank_stack) >= len(empty)):
        for city in empty:
            state = _put(state, city)
            events = (*events, BankRefilled(city))
        empty = ()
    if empty:
        return Step(replace(state, phase=Refilling(out, empty)), events)
    return Step(replace(state, phase=Examining(MOVES + 1, out)), events)


def refill_legal(phase: Refilling) -> tuple[Action, ...]:
    """Give every robbed bank that is still empty."""
    return tuple(map(RefillBank, phase.robbed))


def refill_one(state: State, seat: int, city: City) -> Step:
    """Lay the top tile of the stack on a robbed bank; the Marshal may look at it afterwards."""
    phase = state.phase
    if not isinstance(phase, Refilling) or seat != state.marshal:
        raise NotYourTurn(section="banks")
    if city not in phase.robbed:
        raise IllegalAction("not_robbed", section="banks", city=city)
    # With one bank left to fill the rest follows of itself.
    step = refill(_put(state, city), phase.out, (BankRefilled(city),))
    return replace(step, reveals=True)


def _put(state: State, city: City) -> State:
    top, *rest = state.bank_stack
    return replace(put_tile(state, city, top), bank_stack=tuple(rest))

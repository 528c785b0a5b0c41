"""Everybody's pawns on the board: the law first, then each desperado."""

from __future__ import annotations

from itertools import chain

from referee.errors import IllegalAction, NotYourTurn
from referee.games.base import Step

from . import schedules
from .actions import Action, PlaceMarshal, PlacePawn, PlaceSheriff
from .events import Event, MarshalPlaced, PawnPlaced, SheriffPlaced
from .model import CITIES, City, Placing, State, replace, swap


def is_law_placed(state: State) -> bool:
    """Say whether Marshal and Sheriffs all stand on the board."""
    return state.pawns[state.marshal] is not None and len(state.sheriffs) == len(state.gang)


def placers(state: State) -> frozenset[int]:
    """Name who still has to place something."""
    if not is_law_placed(state):
        return frozenset((state.marshal,))
    return frozenset(seat for seat in state.gang if state.pawns[seat] is None)


def legal(state: State, seat: int) -> tuple[Action, ...]:
    """Give every city for what this seat has to place next."""
    if seat not in placers(state):
        return ()
    if seat != state.marshal:
        return tuple(map(PlacePawn, CITIES))
    # In any order; a phone asks for the Marshal first.
    kinds: tuple[type[PlaceMarshal | PlaceSheriff], ...] = (
        *((PlaceMarshal,) if state.pawns[seat] is None else ()),
        *((PlaceSheriff,) if len(state.sheriffs) < len(state.gang) else ()),
    )
    return tuple(chain.from_iterable(map(kind, CITIES) for kind in kinds))


def place_marshal(state: State, seat: int, city: City) -> Step:
    """Put the Marshal's pawn in any city."""
    _check_placer(state, seat, is_law=True)
    if state.pawns[seat] is not None:
        raise IllegalAction("already_placed", section="setup")
    return Step(_put_pawn(state, seat, city), (MarshalPlaced(seat, city),))


def place_sheriff(state: State, seat: int, city: City) -> Step:
    """Put the next Sheriff in any city; there are as many as desperadoes."""
    _check_placer(state, seat, is_law=True)
    number = len(state.sheriffs)
    if number == len(state.gang):
        raise IllegalAction("already_placed", section="setup")
    return Step(replace(state, sheriffs=(*state.sheriffs, city)), (SheriffPlaced(number, city),))


def place_pawn(state: State, seat: int, city: City) -> Step:
    """Put one's own desperado in any city, whoever is there; the last one starts the game."""
    _check_placer(state, seat, is_law=False)
    state = _put_pawn(state, seat, city)
    events: tuple[Event, ...] = (PawnPlaced(seat, city),)
    if placers(state):
        return Step(state, events)
    return schedules.begin_turn(state, events)


def _check_placer(state: State, seat: int, *, is_law: bool) -> None:
    if not isinstance(state.phase, Placing) or seat not in placers(state):
        raise NotYourTurn(section="setup")
    if is_law != (seat == state.marshal):
        raise IllegalAction("not_your_pawn", section="setup")


def _put_pawn(state: State, seat: int, city: City) -> State:
    return replace(state, pawns=swap(state.pawns, seat, city))

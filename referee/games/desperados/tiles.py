"""Tiles that the gang takes: known ones become loot, unseen ones are due."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from .actions import Action, ReportTile
from .events import Event, TileTaken
from .model import TILES, UNSEEN, City, Coach, Due, Judged, Kind, Loot, State, put_tile, replace


class Haul(Struct, frozen=True):
    """What taking tiles led to. `due` are those whose value the table has to tell."""

    state: State
    events: tuple[Event, ...] = ()
    due: tuple[Due, ...] = ()


def judge(haul: Haul, found: Judged, event: Event) -> Haul:
    """Note what was decided, so that it is shown as it was, whatever is set right afterwards."""
    state = replace(haul.state, judged=(*haul.state.judged, found))
    return replace(haul, state=state, events=(*haul.events, event))


def take_from_city(haul: Haul, kind: Kind, city: City) -> Haul:
    """Give a city's poker or bank tile to the gang; what spies knew of it is worth nothing now."""
    state = haul.state
    value = state.tile(city)
    # Else a spy would seem to know the tile that comes there next.
    spied = tuple(tuple(c for c in cities if c != city) for cities in state.spied)
    state = replace(put_tile(state, city, None), spied=spied)
    return _keep(replace(haul, state=state), Due(kind, city), value)


def take_from_stack(haul: Haul, coach: Coach, city: City) -> Haul:
    """Give the top coach tile to the gang."""
    stack = haul.state.coach_stack
    state = replace(haul.state, coach_stack=stack[1:])
    return _keep(replace(haul, state=state), Due("coach", city, coach), stack[0] if stack else None)


def _keep(haul: Haul, due: Due, value: int | None) -> Haul:
    # The stack was empty: the discs are settled, and bring nothing.
    if value is None:
        return haul
    # It lies on the real table: what it shows is told by whoever turns it over.
    if value == UNSEEN:
        return replace(haul, due=(*haul.due, due))
    taken = TileTaken(due.kind, due.city, value)
    return replace(haul, state=add_loot(haul.state, due, value), events=(*haul.events, taken))


def add_loot(state: State, due: Due, value: int) -> State:
    """Add a tile to the loot."""
    return replace(state, loot=(*state.loot, Loot(due.kind, value, due.city, state.turn)))


def values_left(loot: tuple[Loot, ...], kind: Kind) -> tuple[int, ...]:
    """Give the values that a tile of a kind can still show: those printed and not yet taken."""
    taken = [tile.value for tile in loot if tile.kind == kind]
    left = Counter(TILES[kind]) - Counter(taken)
    # By corrections all may seem to be taken; the table must still be able to go on.
    return tuple(sorted(left or {*TILES[kind]}))


def report_legal(state: State, due: Due) -> tuple[Action, ...]:
    """Give every value that the tile can show; anybody may say which it is."""
    return tuple(ReportTile(due.place, value) for value in values_left(state.loot, due.kind))

"""Taking stock: what a table tells that begins to track more in mid-game."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from referee.errors import IllegalAction

from . import effects, painting, supply
from .actions import NEXT, Action, GoOn, TellPartner, TellTile
from .box import is_possible, may_be_told, tellable
from .events import Event, PartnerTold, StockTaken, TileTold
from .model import (
    SPECIALISTS,
    Phase,
    Resolving,
    Specialist,
    Spot,
    Tile,
    replace,
    swap,
)
from .state import State, with_ranch


class Unknown(Struct, frozen=True):
    """Something that lies open and was not told: a tile in a row or a reserve, or a partner."""

    where: Literal["current", "next", "reserve", "tables"]
    place: int
    seat: int | None = None


def unknown(state: State) -> Unknown | None:
    """Give the first thing to be told, None if all is known that `full` needs."""
    if state.tracking != "full":
        return None
    for place, spot in enumerate(state.current):
        if spot.tile is None and not spot.is_gone:
            return Unknown("current", place)
    for place, spot in enumerate(state.next):
        if spot.tile is None and not spot.is_gone:
            return Unknown("next", place)
    for seat, ranch in enumerate(state.ranches):
        if None in ranch.reserve:
            return Unknown("reserve", ranch.reserve.index(None), seat)
    if None in state.tables:
        return Unknown("tables", state.tables.index(None))
    return None


def legal(state: State) -> tuple[Action, ...]:
    """Give all that can be told next; anybody may tell, and paint what lies in any ranch."""
    open_thing = unknown(state)
    strokes = [s for number in range(state.seats) for s in painting.example_strokes(number)]
    if open_thing is None:
        return (*strokes, GoOn())
    if open_thing.where == "tables":
        return (*strokes, *partner_legal(state))
    return (*strokes, *tile_legal(state))


def tile_legal(state: State) -> tuple[Action, ...]:
    """Give the tiles that may be told next."""
    seen = supply.seen(state)
    # How many were told by then: a tile that two people tell at once is taken once.
    after = seen.total()
    return tuple([TellTile(tile, after) for tile in tellable(state.box, seen)])


def partner_legal(state: State) -> tuple[Action, ...]:
    """Give the partners that may lie on a table: those of which not all are accounted for."""
    after = supply.known_partners(state)
    left = zip(SPECIALISTS, supply.partners_left(state), strict=True)
    return tuple([TellPartner(kind, after) for kind, count in left if count != 0])


def check_tile(state: State, tile: Tile, after: int) -> None:
    """Refuse a tile that cannot be there, or was told by somebody else. Raises IllegalAction."""
    if after not in (NEXT, supply.known_tiles(state)):
        raise IllegalAction("already_told", section="rows")
    if not is_possible(tile) and tile not in state.box.tiles:
        raise IllegalAction("no_such_tile", section="rows")
    if not may_be_told(state.box, supply.seen(state), tile):
        raise IllegalAction("no_such_tile_left", section="rows", number=tile.number)


def tell_tile(state: State, tile: Tile, after: int, events: list[Event]) -> State:
    """Take in the tile that lies at the first place where one is unknown."""
    check_tile(state, tile, after)
    at = unknown(state)
    events.append(TileTold(tile))
    if at is None:
        return state
    if at.where == "reserve" and at.seat is not None:
        ranch = state.ranches[at.seat]
        reserve = swap(ranch.reserve, at.place, tile)
        return with_ranch(state, at.seat, replace(ranch, reserve=reserve))
    row = state.current if at.where == "current" else state.next
    spot: Spot = replace(row[at.place], tile=tile)
    row = swap(row, at.place, spot)
    return replace(state, current=row) if at.where == "current" else replace(state, next=row)


def tell_partner(state: State, partner: Specialist, events: list[Event]) -> State:
    """Take in the partner that lies on the first table where one is unknown."""
    events.append(PartnerTold(partner))
    place = state.tables.index(None)
    return replace(state, tables=swap(state.tables, place, partner))


def go_on(state: State, events: list[Event]) -> State:
    """Go on where the table was before it tracked less, or at the beginning."""
    events.append(StockTaken())
    phase: Phase = state.resume or Resolving()
    ranches = tuple(
        replace(ranch, past=(), future=(), is_done=False, signed_by=None) for ranch in state.ranches
    )
    state = replace(state, phase=phase, resume=None, ranches=ranches)
    return supply.balanced(effects.anew(state))

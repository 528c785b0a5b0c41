"""What hands have to do on the real table: the newest turn's happenings, as things to do."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from .events import (
    BonusLaid,
    CattleCame,
    CattleDriven,
    CattleRemoved,
    CattleRustled,
    CattleTooMany,
    DominoLaid,
    Event,
    PartnerHired,
    RancherPlaced,
    TablesFilled,
    TileLeft,
    TilesDiscarded,
    TilesSwapped,
    TileTaken,
)
from .model import Landscape, Partner
from .view import Public

MOST: Final = 7
"""Things to do that are shown at a time: the newest."""

DeedKind: TypeAlias = Literal[
    "take",
    "domino",
    "cattle_on",
    "cattle_off",
    "hire",
    "drive",
    "swap",
    "rustle",
    "bonus",
    "discard",
    "rancher",
    "tile_away",
    "tables",
    "cattle_back",
]
ADDS_UP: Final = frozenset({"cattle_off", "drive"})
"""What is one thing to do if it comes several times in a row."""


class Deed(Struct, frozen=True):
    """One thing to do: who, with what, how many, where from and where to.

    `other` is the other seat of a swap or a theft, `place` counts from the box, `is_beside`: the
    tile finds no space on the board. `second` is a domino's other landscape.
    """

    kind: DeedKind
    seat: int | None = None
    other: int | None = None
    landscape: Landscape | None = None
    second: Landscape | None = None
    partner: Partner | None = None
    count: int = 0
    place: int = 0
    is_beside: bool = False


class ByHand(Struct, frozen=True):
    """What there is to do, oldest first."""

    deeds: tuple[Deed, ...]


def by_hand(public: Public) -> ByHand:
    """Say what hands have to do since the newest turn began."""
    if public.rules.tracking == "score":
        return ByHand(())
    deeds: list[Deed] = []
    for deed in filter(None, map(_deed, public.deeds)):
        last = deeds[-1] if deeds else None
        if last and deed.kind in ADDS_UP and replace(last, count=deed.count) == deed:
            deeds[-1] = replace(deed, count=last.count + deed.count)
        else:
            deeds.append(deed)
    return ByHand(tuple(deeds[-MOST:]))


def _deed(event: Event) -> Deed | None:  # one case a happening
    match event:
        case TileTaken(seat, place, tile, is_beside):
            land = tile.landscape if tile else None
            return Deed("take", seat, landscape=land, place=place, is_beside=is_beside)
        case DominoLaid(seat, tiles):
            return Deed("domino", seat, landscape=tiles[0].landscape, second=tiles[1].landscape)
        case CattleCame(seat, _, landscape, count) if count:
            return Deed("cattle_on", seat, landscape=landscape, count=count)
        case CattleRemoved(seat, _, landscape):
            return Deed("cattle_off", seat, landscape=landscape, count=1)
        case PartnerHired(seat, _, partner, shown):
            return Deed("hire", seat, partner=shown, count=int(shown != partner))
        case CattleDriven(seat):
            return Deed("drive", seat, count=1)
        case TilesSwapped(seat, other, gave):
            return Deed("swap", seat, other, landscape=gave.landscape if gave else None)
        case CattleRustled(seat, victim):
            return Deed("rustle", seat, victim, count=1)
        case BonusLaid(seat, landscape):
            return Deed("bonus", seat, landscape=landscape)
        case TilesDiscarded(seat, tiles):
            return Deed("discard", seat, count=len(tiles))
        case RancherPlaced(seat, place):
            return Deed("rancher", seat, place=place)
        case TileLeft(place):
            return Deed("tile_away", place=place)
        case TablesFilled(count) if count:
            return Deed("tables", count=count)
        case CattleTooMany(seat, count):
            return Deed("cattle_back", seat, count=count)
        case _:
            return None

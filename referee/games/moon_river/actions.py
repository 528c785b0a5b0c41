"""What a seat can do, as imperatives. The tags are the stable names of the HTTP API."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import force_setattr

from referee.games.base import Answer, Facts

from .model import (
    Cell,
    Character,
    Landscape,
    Partner,
    Resource,
    Scenario,
    Specialist,
    Tile,
    Tracking,
)


class TakeBoard(Struct, frozen=True, tag="take_board"):
    """Say whose board lies before one."""

    character: Character


NEXT: Final = -1
"""Whichever is told next."""


class TellPartner(Struct, frozen=True, tag="tell_partner", omit_defaults=True):
    """Say which partner was turned up for the saloon.

    `after` is how many were known before: what two people tell at once is told once.
    """

    partner: Specialist
    after: int = NEXT


class TellTile(Struct, frozen=True, tag="tell_tile", omit_defaults=True):
    """Say what a tile of the new row shows, its number first.

    `after` is how many were known before: what two people tell at once is told once.
    """

    tile: Tile
    after: int = NEXT


class PlaceRancher(Struct, frozen=True, tag="place_rancher"):
    """Put one's rancher on a free tile; places count from the box, from 0."""

    place: int


class _Pair(Struct, frozen=True):
    """Two tiles of one's reserve, named by their places; in either order it is the same action."""

    first: int
    second: int

    def __post_init__(self) -> None:
        """Keep one order only: the same two tiles must not be two different actions."""
        if self.first > self.second:
            low, high = self.second, self.first
            force_setattr(self, "first", low)
            force_setattr(self, "second", high)


# Apart from laying it: pairs times places would be thousands of actions, in two steps it is some
# hundred.
class FormDomino(_Pair, frozen=True, tag="form_domino"):
    """Join two tiles, named by their places in one's reserve.

    In whichever order they are named, the domino's first tile is that of the smaller place.
    """


class SplitDomino(Struct, frozen=True, tag="split_domino"):
    """Take the domino apart again that was formed and not laid."""


class LayDomino(Struct, frozen=True, tag="lay_domino"):
    """Lay the formed domino: its first tile at a cell, its second beside it.

    `turn` says where: 0 is to the right, 1 away from the river, 2 to the left, 3 towards the river.
    """

    at: int
    turn: int


class ReportDomino(_Pair, frozen=True, tag="report_domino"):
    """Say that two tiles were joined and laid, and which partners were hired for them.

    For a table that tracks no ranches. None is a partner that nobody told.
    """

    hired: tuple[Specialist | None, ...] = ()

    def __post_init__(self) -> None:
        """Keep one order only, of the tiles and of who was hired."""
        super().__post_init__()
        force_setattr(self, "hired", tuple(sorted(self.hired, key=str)))


class Pass(Struct, frozen=True, tag="pass"):
    """Lay no domino, or no other one."""


class Discard(_Pair, frozen=True, tag="discard"):
    """Let two tiles leave the game, named by their places in one's reserve."""


class RemoveCattle(Struct, frozen=True, tag="remove_cattle"):
    """Let a skull take one of the cattle from this cell."""

    at: int


class Hire(Struct, frozen=True, tag="hire"):
    """Take a partner from the saloon onto the circle of a cell, as specialist or as cowboy."""

    at: int
    partner: Specialist
    side: Literal["specialist", "cowboy"] = "specialist"


class DriveCattle(Struct, frozen=True, tag="drive_cattle"):
    """Move one of the cattle to a neighbouring cell."""

    source: int
    target: int


class SwapTiles(Struct, frozen=True, tag="swap_tiles"):
    """Swap a tile of one's reserve with one of another seat's."""

    mine: int
    seat: int
    theirs: int


class Rustle(Struct, frozen=True, tag="rustle"):
    """Take unguarded cattle from a cell of another seat's ranch."""

    seat: int
    at: int


class Decline(Struct, frozen=True, tag="decline"):
    """Leave the rest of a partner's effect."""


class LayBonus(Struct, frozen=True, tag="lay_bonus"):
    """Take a bonus tile (0 or 1), turn it to a landscape and lay it."""

    tile: int
    landscape: Landscape
    at: int


class DropBonus(Struct, frozen=True, tag="drop_bonus"):
    """Let a bonus tile leave the game that cannot be laid."""

    tile: int


# Any cells at once, so these cannot be listed: see `Meta.free`.
class Paint(Struct, frozen=True, tag="paint"):
    """Set the landscape of cells in a seat's ranch; None empties them."""

    ranch: int
    cells: tuple[int, ...]
    landscape: Landscape | None


class Mark(Struct, frozen=True, tag="mark"):
    """Set how many symbols of a resource cells show, or how many cattle stand there."""

    ranch: int
    cells: tuple[int, ...]
    what: Resource | Literal["cattle"]
    count: int


class Station(Struct, frozen=True, tag="station"):
    """Set which partner lies on cells; None is none."""

    ranch: int
    cells: tuple[int, ...]
    partner: Partner | None


# Actions of their own beside the table's undo: a stroke is taken back by whoever paints, not by who
# made it.
class Unpaint(Struct, frozen=True, tag="unpaint"):
    """Take back the newest stroke in a ranch."""

    ranch: int


class Repaint(Struct, frozen=True, tag="repaint"):
    """Do the stroke again that was taken back last."""

    ranch: int


class HandIn(Struct, frozen=True, tag="hand_in"):
    """Say that a ranch is painted as it lies there.

    `confirmed` says so although something about it looks impossible.
    """

    ranch: int
    confirmed: bool = False


class Countersign(Struct, frozen=True, tag="countersign"):
    """Say as another player that one has looked, and a ranch is as it was handed in."""

    ranch: int


class CountUp(Struct, frozen=True, tag="count_up"):
    """Count all ranches, and end the game."""


class GoOn(Struct, frozen=True, tag="go_on"):
    """Say that stock is taken, and go on where the table was."""


Action: TypeAlias = (
    TakeBoard
    | TellPartner
    | TellTile
    | PlaceRancher
    | FormDomino
    | SplitDomino
    | LayDomino
    | ReportDomino
    | Pass
    | Discard
    | RemoveCattle
    | Hire
    | DriveCattle
    | SwapTiles
    | Rustle
    | Decline
    | LayBonus
    | DropBonus
    | Paint
    | Mark
    | Station
    | Unpaint
    | Repaint
    | HandIn
    | Countersign
    | CountUp
    | GoOn
    | Answer
)


class SetTracking(Struct, frozen=True, tag="set_tracking"):
    """Let the referee keep track of more, or of less, from now on."""

    tracking: Tracking


class CellAt(Struct, frozen=True):
    """What lies at a cell: a tile with its cattle and its partner, or nothing."""

    at: int
    cell: Cell | None


# `was` in these: an older form must not write over what somebody set right meanwhile.
class SetCells(Struct, frozen=True, tag="set_cells", omit_defaults=True):
    """Set what lies in a seat's ranch.

    `was` is what was read to lie at these cells; without it nothing was read.
    """

    seat: int
    cells: tuple[CellAt, ...]
    was: tuple[CellAt, ...] | None = None


class SetReserve(Struct, frozen=True, tag="set_reserve", omit_defaults=True):
    """Set the tiles on a seat's board; None is one that nobody told.

    `was` are those of which it was read that they lie there; without it nothing was read.
    """

    seat: int
    tiles: tuple[Tile | None, ...]
    was: tuple[Tile | None, ...] | None = None


class SpotAt(Struct, frozen=True):
    """What lies and stands at a place of a row; no tile and no rancher is an empty place."""

    tile: Tile | None = None
    rancher: int | None = None
    is_gone: bool = False


class SetRow(Struct, frozen=True, tag="set_row", omit_defaults=True):
    """Set what lies in the row being played, or in the one that ranchers move to.

    `was` is what was read to be in it; without it nothing was read.
    """

    row: Literal["current", "next"]
    spots: tuple[SpotAt, ...]
    was: tuple[SpotAt, ...] | None = None


class SetTables(Struct, frozen=True, tag="set_tables", omit_defaults=True):
    """Set which partners lie on the saloon's tables; None is one that nobody told.

    `was` are those who were read to lie there; without it nothing was read.
    """

    tables: tuple[Specialist | None, ...]
    was: tuple[Specialist | None, ...] | None = None


class SetBoard(Struct, frozen=True, tag="set_board"):
    """Set what the box shows: bridges, bonus tiles, how many partners of a kind there are."""

    facts: Facts


class SetRound(Struct, frozen=True, tag="set_round"):
    """Set how many rows have been laid, for a table that begins to track in mid-game."""

    rows: int


class SetScenario(Struct, frozen=True, tag="set_scenario"):
    """Set which scenario card lies on the table."""

    scenario: Scenario


Correction: TypeAlias = (
    SetTracking | SetCells | SetReserve | SetRow | SetTables | SetBoard | SetRound | SetScenario
)

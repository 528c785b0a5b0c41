"""What a phone is asked, each question a value of its own with just what it shows.

`fresh` is the version from which on an answer counts. A cell's `row` counts from the river, its
`column` from the left, both from 1, as people point at them.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from referee.games.base import BoardQuestion

from .art import TileArt
from .model import Character, Landscape, Partner, Specialist
from .panels import Place
from .stock import Unknown


class TakeBoard(Struct, frozen=True, tag="take_board"):
    """Whose board lies before one; each with its bridges and spaces."""

    fresh: int
    boards: tuple[tuple[Character, int, int], ...]


class TellPartner(Struct, frozen=True, tag="tell_partner"):
    """Who was turned up for the saloon."""

    fresh: int
    partners: tuple[Specialist, ...]
    tables: tuple[Specialist | None, ...]


class KnownArt(Struct, frozen=True):
    """A known tile that may be turned up: what its button sends, and how many are left."""

    key: str
    number: int
    art: TileArt
    count: int


class TellTile(Struct, frozen=True, tag="tell_tile"):
    """What a tile shows: the next of a new row, or one that lies open and was never told.

    `place` counts from the box or in a reserve, `told` are the tiles of the row before it; `after`
    is how many tiles of the game were known before.
    """

    fresh: int
    unknown: Unknown | None
    place: int
    after: int
    told: tuple[TileArt, ...]
    numbers: tuple[int, ...]
    landscapes: tuple[Landscape, ...]
    known: tuple[KnownArt, ...]
    are_all_known: bool


class PlaceRancher(Struct, frozen=True, tag="place_rancher"):
    """On which free tile one's rancher goes."""

    fresh: int
    row: tuple[Place, ...]
    free: tuple[int, ...]


class Pair(Struct, frozen=True):
    """Two tiles of one's reserve."""

    first: int
    second: int
    one: TileArt
    other: TileArt


class FormDomino(Struct, frozen=True, tag="form_domino"):
    """Which two tiles are joined; `may_pass`: none need be."""

    fresh: int
    pairs: tuple[Pair, ...]
    may_pass: bool


class ReportDomino(Struct, frozen=True, tag="report_domino"):
    """Which two tiles were joined and laid, at a table that tracks no ranches.

    `tables` are the partners who may have been hired, `unknown` how many more whom nobody told.
    """

    fresh: int
    pairs: tuple[Pair, ...]
    may_pass: bool
    tables: tuple[Specialist, ...]
    unknown: int


class Way(Struct, frozen=True):
    """A way to lay something over one or two cells, and what comes of it.

    `pick` is what its button sends; `gain` is in points as they stand before skulls and circles;
    `cattle`, `skulls`, `circles` count what is triggered.
    """

    pick: str
    cells: str
    turn: int
    row: int
    column: int
    gain: int = 0
    cattle: int = 0
    skulls: int = 0
    circles: int = 0
    landscape: Landscape | None = None


class LayDomino(Struct, frozen=True, tag="lay_domino"):
    """Where the formed domino goes."""

    fresh: int
    one: TileArt
    other: TileArt
    ways: tuple[Way, ...]


class Discard(Struct, frozen=True, tag="discard"):
    """Which two tiles leave the game."""

    fresh: int
    pairs: tuple[Pair, ...]


class Spot(Struct, frozen=True):
    """A cell that can be tapped: its target's id, whose ranch it is in, and what stands there."""

    id: str
    seat: int
    at: int
    row: int
    column: int
    landscape: Landscape
    cattle: int


class RemoveCattle(Struct, frozen=True, tag="remove_cattle"):
    """Which cattle a skull takes."""

    fresh: int
    spots: tuple[Spot, ...]


class Circle(Struct, frozen=True):
    """A circle that is still owed its partner."""

    at: int
    row: int
    column: int
    landscape: Landscape


class Hire(Struct, frozen=True, tag="hire"):
    """Who is hired, for which circle, and with which side up."""

    fresh: int
    circles: tuple[Circle, ...]
    partners: tuple[tuple[Specialist, int], ...]


class DriveCattle(Struct, frozen=True, tag="drive_cattle"):
    """Which of one's cattle go one step, and where to."""

    fresh: int
    steps: int
    ways: tuple[Way, ...]


class Swap(Struct, frozen=True):
    """A tile of somebody's reserve that can be swapped for."""

    pick: str
    seat: int
    art: TileArt


class SwapTiles(Struct, frozen=True, tag="swap_tiles"):
    """Which tile of one's own goes for which tile of somebody else's."""

    fresh: int
    mine: tuple[tuple[int, TileArt], ...]
    theirs: tuple[Swap, ...]


class Rustle(Struct, frozen=True, tag="rustle"):
    """Whose cattle the rustler takes."""

    fresh: int
    spots: tuple[Spot, ...]


class LayBonus(Struct, frozen=True, tag="lay_bonus"):
    """Which side of which bonus tile goes where; `drops` are those that can only leave the game."""

    fresh: int
    landscapes: tuple[Landscape, ...]
    ways: tuple[Way, ...]
    drops: tuple[int, ...]


class TakeStock(Struct, frozen=True, tag="take_stock"):
    """Whether all is told that the referee shall know from now on."""

    fresh: int


class Paint(Struct, frozen=True, tag="paint"):
    """With which tool one paints; `may_count`: every ranch is handed in.

    `cells` are a cell's number, its row and its column.
    """

    fresh: int
    landscapes: tuple[Landscape, ...]
    partners: tuple[Partner, ...]
    most_corn: int
    cells: tuple[tuple[int, int, int], ...]
    may_count: bool
    left: tuple[int, ...]


class BoardFacts(Struct, frozen=True, tag="board_facts"):
    """Something about the box."""

    fresh: int
    question: BoardQuestion


class Idle(Struct, frozen=True, tag="idle"):
    """What goes on while one is asked nothing."""

    kind: str
    seat: int | None
    count: int


Question: TypeAlias = (
    TakeBoard
    | TellPartner
    | TellTile
    | PlaceRancher
    | FormDomino
    | ReportDomino
    | LayDomino
    | Discard
    | RemoveCattle
    | Hire
    | DriveCattle
    | SwapTiles
    | Rustle
    | LayBonus
    | TakeStock
    | Paint
    | BoardFacts
    | Idle
)

"""What everybody's screens show: rows with ranchers, ranches, the saloon, whose turn it is."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from referee.games.base import BoardQuestion, InPieces, Piece
from referee.games.once import kept, once

from . import hands
from .art import TileArt, tile_art
from .ground import Lying, lying
from .model import Cells, Partner, Ranch, Row, Scenario, Side, Specialist, Tracking, TurningUp
from .view import Public, Stall

PAINTED: Final = frozenset({"painting", "taking_stock"})
"""Phases in which ranches are painted."""

RowName: TypeAlias = Literal["current", "next"]


class Standing(Struct, frozen=True):
    """Whose rancher stands at a place, None is nobody's, and whether its turn goes on."""

    row: RowName
    number: int
    rancher: int | None
    is_now: bool


class Lot(Struct, frozen=True):
    """What lies at a place in a row."""

    row: RowName
    number: int
    tile: TileArt
    is_gone: bool


class Place(InPieces, frozen=True, cache_hash=True):
    """A place in a row. `is_gone`: nothing lies there any more; `is_now`: its turn goes on."""

    row: RowName
    number: int
    tile: TileArt
    rancher: int | None
    is_gone: bool
    is_now: bool

    @property
    def around(self) -> Lot:
        """Give what lies there."""
        return Lot(self.row, self.number, self.tile, self.is_gone)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Give what changes there while its tile stays."""
        if self.is_gone:
            return ()
        return (Piece("standing", Standing(self.row, self.number, self.rancher, self.is_now)),)


class Trail(Struct, frozen=True):
    """A row with tiles, its place nearest to the box first."""

    row: RowName
    places: tuple[Place, ...]


class Title(Struct, frozen=True):
    """Whether it is their turn, and the points of their ranch where they are known."""

    seat: int
    is_turn: bool
    is_done: bool
    total: int | None


class Spaces(Struct, frozen=True):
    """The tiles on a seat's board, and how many spaces that has."""

    seat: int
    spaces: int
    reserve: tuple[TileArt, ...]


class Size(Struct, frozen=True):
    """How large a ranch is drawn."""

    seat: int
    width: int
    height: int


class Drawn(InPieces, frozen=True, cache_hash=True):
    """A ranch as it was built."""

    lying: Lying

    @property
    def around(self) -> Size:
        """Give how large it is."""
        return Size(self.lying.seat, self.lying.width, self.lying.height)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Give what lies there."""
        return (Piece("lying", self.lying, alike=True),)


class Figure(Struct, frozen=True):
    """Whose ranch it is, and what of it is shown."""

    seat: int
    is_drawn: bool
    has_spaces: bool


class Panel(InPieces, frozen=True):
    """One seat's ranch as everybody sees it.

    `lying` is None where nobody tracks ranches; `reserve` are the tiles on its board, the last of
    them beside it if there are more than `spaces`.
    """

    seat: int
    lying: Lying | None
    total: int
    side: Side
    spaces: int
    reserve: tuple[TileArt, ...]
    is_turn: bool
    is_done: bool
    signed_by: int | None

    @property
    def around(self) -> Figure:
        """Give whose it is, which stays while turns and points change."""
        return Figure(self.seat, self.lying is not None, self.spaces > 0)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Give its heading on the display, the ranch, and what lies below it."""
        total = None if self.lying is None else self.total
        found = [Piece("titled", Title(self.seat, self.is_turn, self.is_done, total))]
        if self.lying is not None:
            found.append(Piece("drawn", Drawn(self.lying)))
        if self.spaces:
            found.append(Piece("spaces", Spaces(self.seat, self.spaces, self.reserve)))
        return tuple(found)


class Saloon(Struct, frozen=True):
    """The tables (None: a partner that nobody told), how many lie in the piles, and the supply."""

    is_tracked: bool
    tables: tuple[Specialist | None, ...]
    pile: int
    cattle_left: int
    knows_cattle: bool


class Places(Struct, frozen=True):
    """The rows that lie there; `told` are the tiles of one that is being turned up."""

    is_tracked: bool
    trails: tuple[Trail, ...]
    told: tuple[TileArt, ...]
    is_turning_up: bool
    tiles_left: int


class Board(Struct, frozen=True):
    """How many ranches there are, how large, and how much of them is known."""

    tracking: Tracking
    ranches: int
    is_big: bool


class Table(InPieces, frozen=True):
    """The display's stage: the rows, and all ranches."""

    tracking: Tracking
    places: Places
    panels: tuple[Panel, ...]
    is_big: bool

    @property
    def around(self) -> Board:
        """Give how all of it is laid out."""
        return Board(self.tracking, len(self.panels), self.is_big)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Give the rows, and each ranch."""
        return (Piece("places", self.places), *[Piece("panel", panel) for panel in self.panels])


class Asked(Struct, frozen=True):
    """What the table waits for: the kind of it, and whose it is (None: anybody's).

    `question` is one about the box, `scenario` what is counted besides at the end.
    """

    kind: str
    seat: int | None
    seats: tuple[int, ...]
    count: int
    ranches: int
    round: int
    is_last: bool
    scenario: Scenario
    question: BoardQuestion | None


class Player(Struct, frozen=True):
    """One row of the list of players; `partners` are (who, how many of them)."""

    seat: int
    is_awaited: bool
    total: int | None
    tiles: int
    spaces: int
    partners: tuple[tuple[Partner, int], ...]


class Players(Struct, frozen=True):
    """The list of players."""

    rows: tuple[Player, ...]


def display_parts(public: Public) -> dict[str, Any]:
    """Show the table from public facts: all there is."""
    return {
        "table": table(public),
        "question": asked(public),
        "hands": hands.by_hand(public),
        "saloon": saloon(public),
        "players": Players(tuple([_player(public, seat) for seat in range(len(public.ranches))])),
    }


def table(public: Public) -> Table:
    """Show the rows and the ranches."""
    return Table(
        tracking=public.rules.tracking,
        places=Places(
            is_tracked=public.rules.tracking != "score",
            trails=trails(public),
            told=told(public),
            is_turning_up=public.phase == "turning_up",
            tiles_left=public.tiles_left,
        ),
        panels=panels(public),
        is_big=is_big(public),
    )


def told(public: Public) -> tuple[TileArt, ...]:
    """Show the tiles of a new row that have been told so far, as they were turned up."""
    tiles = public.now.told if isinstance(public.now, TurningUp) else ()
    return tuple(map(tile_art, tiles))


def is_big(public: Public) -> bool:
    """Say whether the ranches are those of two players, ten rows high."""
    return len(public.ranches[0].cells) > 25  # noqa: PLR2004  # the small grid


@once
def trails(public: Public) -> tuple[Trail, ...]:
    """Show the rows that lie there: of the present round, and of the next one."""
    both = Trail("current", row(public, "current")), Trail("next", row(public, "next"))
    return tuple([trail for trail in both if trail.places])


def row(public: Public, name: RowName) -> tuple[Place, ...]:
    """Show one of the two rows."""
    spots: Row = public.current if name == "current" else public.next
    now = public.at if name == "current" and public.seat is not None else None
    return tuple(
        [
            Place(name, number, tile_art(spot.tile), spot.rancher, spot.is_gone, number == now)
            for number, spot in enumerate(spots)
        ]
    )


def shows_ranches(public: Public) -> bool:
    """Say whether the referee knows what lies in the ranches, or is being told."""
    return public.rules.tracking != "draft" or public.phase == "painting"


@once
def panels(public: Public) -> tuple[Panel, ...]:
    """Show every ranch."""
    is_painted = public.phase in PAINTED
    is_shown = shows_ranches(public)
    return tuple(
        [
            _panel(
                public,
                ranch,
                stall,
                is_turn=stall.seat == public.seat,
                is_painted=is_painted,
                is_shown=is_shown,
            )
            for ranch, stall in zip(public.ranches, public.stalls, strict=True)
        ]
    )


@kept("rules", "covered")  # whose turn it is changes two of them, and a turn one
def _panel(
    public: Public, ranch: Ranch, stall: Stall, *, is_turn: bool, is_painted: bool, is_shown: bool
) -> Panel:
    # What is painted shows every cell, and no bridge need be told for it.
    bridges = stall.bridges if public.rules.tracking == "full" else ()
    drawn = {"covered": public.covered, "is_whole": is_painted}
    return Panel(
        seat=stall.seat,
        lying=lying(stall.seat, ranch.cells, bridges or (), **drawn) if is_shown else None,
        total=stall.count.total,
        side=stall.side,
        spaces=stall.spaces if public.rules.tracking != "score" else 0,
        reserve=tuple([tile_art(tile) for tile in ranch.reserve]),
        is_turn=is_turn,
        is_done=ranch.is_done,
        signed_by=ranch.signed_by,
    )


def saloon(public: Public) -> Saloon:
    """Show who sits in the saloon."""
    return Saloon(
        is_tracked=public.rules.tracking != "score",
        tables=public.tables,
        pile=public.pile,
        cattle_left=public.cattle_left,
        knows_cattle=public.rules.tracking == "full",
    )


def asked(public: Public) -> Asked:
    """Say what the table waits for."""
    return Asked(
        kind=public.phase if public.question is None else "question",
        seat=whose(public),
        seats=public.waiting_for,
        count=_counted(public),
        ranches=len(public.ranches),
        round=public.round,
        is_last=public.is_last_round,
        scenario=public.scenario,
        question=public.question,
    )


def whose(public: Public) -> int | None:
    """Name whose turn it is, to place a rancher before the first one too; None is anybody's."""
    if public.phase == "placing":
        return public.waiting_for[0]
    return public.seat


def _counted(public: Public) -> int:
    """Give the number that goes with what is asked: tiles told so far, steps left, ranches done."""
    match public.phase:
        case "turning_up":
            return len(told(public)) + 1
        case "driving":
            return int(public.now.steps)  # type: ignore[union-attr]  # the tag says which
        case "painting":
            return sum(ranch.is_done for ranch in public.ranches)
        case _:
            return 0


def _player(public: Public, seat: int) -> Player:
    ranch, stall = public.ranches[seat], public.stalls[seat]
    return Player(
        seat=seat,
        is_awaited=seat in public.waiting_for and len(public.waiting_for) < len(public.ranches),
        total=stall.count.total if shows_ranches(public) else None,
        tiles=len(ranch.reserve),
        spaces=stall.spaces if public.rules.tracking != "score" else 0,
        partners=_partners(ranch.cells),
    )


@lru_cache(maxsize=512)
def _partners(cells: Cells) -> tuple[tuple[Partner, int], ...]:
    return tuple(Counter(cell.partner for cell in cells if cell and cell.partner).items())

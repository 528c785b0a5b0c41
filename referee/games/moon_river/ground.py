"""A ranch in pieces: what lies at each cell, and how it is read and tapped.

Each piece is made from a value of its own, so that of a turn a page is sent the two cells of a
domino, and all pages, the display included, are sent the same.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from referee.games.base import InPieces, Piece

from . import art, model
from .art import (
    ACROSS,
    RIVER,
    Box,
    bridges_at,
    corner,
    dominoes_of,
    piece_of,
    rows_of,
    shore_of,
)
from .model import WIDTH, Cell


class Lot(Struct, frozen=True, cache_hash=True):
    """A cell: where it is drawn, what lies there, and all of that as the tools that paint name it.

    `has` is such as "land:forest gold:1", and empty where nobody paints; rows and columns count
    from 1.
    """

    seat: int
    at: int
    x: int
    y: int
    row: int
    column: int
    piece: art.Piece | None
    has: str


class River(Struct, frozen=True):
    """The river below a ranch, and the left edges of the bridges over it."""

    seat: int
    width: int
    shore: int
    bridges: tuple[int, ...]


class Dominoes(Struct, frozen=True):
    """Which tiles came together."""

    seat: int
    edges: tuple[Box, ...]


class Lots(Struct, frozen=True):
    """Whose ranch it is, and of how many cells."""

    seat: int
    count: int


class Lying(InPieces, frozen=True, cache_hash=True):
    """A ranch for eyes."""

    seat: int
    rows: int
    width: int
    height: int
    river: River
    lots: tuple[Lot, ...]
    dominoes: Dominoes

    @property
    def around(self) -> Lots:
        """Give what stands around all that lies there."""
        return Lots(self.seat, len(self.lots))

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Give the river, the cells, and what holds dominoes together over them."""
        lots = [Piece("lot", lot, alike=True) for lot in self.lots]
        river = Piece("river", self.river, alike=True)
        return (river, *lots, Piece("dominoes", self.dominoes, alike=True))


class Cells(InPieces, frozen=True, cache_hash=True):
    """The cells of a ranch as they are read out, and tapped while the ranch is open."""

    seat: int
    lots: tuple[Lot, ...]

    @property
    def around(self) -> Lots:
        """Give what stands around the cells."""
        return Lots(self.seat, len(self.lots))

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Give the cells."""
        return tuple([Piece("spot", lot, alike=True) for lot in self.lots])


# Every page shows every ranch, and a turn changes one of them; by its grid alone, for tiles come to
# the board beside it more often.
@lru_cache(maxsize=512)
def lying(
    seat: int,
    grid: model.Cells,
    bridges: tuple[int, ...],
    *,
    covered: tuple[int, ...] = (),
    is_whole: bool = False,
) -> Lying:
    """Draw a ranch, its river and the bridges over it."""
    rows = rows_of(grid, is_whole=is_whole)
    cells = [*enumerate(grid[: rows * WIDTH])]
    return Lying(
        seat=seat,
        rows=rows,
        width=ACROSS,
        height=shore_of(rows) + RIVER,
        river=River(seat, ACROSS, shore_of(rows), bridges_at(bridges)),
        lots=tuple(
            [
                _lot(seat, at, cell, rows, is_painted=is_whole)
                for at, cell in cells
                if at not in covered
            ]
        ),
        dominoes=Dominoes(seat, dominoes_of(cells, rows)),
    )


# A domino changes two of a ranch's cells.
@lru_cache(maxsize=4096)
def _lot(seat: int, at: int, cell: Cell | None, rows: int, *, is_painted: bool) -> Lot:
    return Lot(
        seat,
        at,
        *corner(at, rows),
        row=at // WIDTH + 1,
        column=at % WIDTH + 1,
        piece=None if cell is None else piece_of(at, cell, rows),
        has=_held(cell) if is_painted else "",
    )


def _held(cell: Cell | None) -> str:
    """Name what lies at a cell, as the tools that would paint it do."""
    if cell is None:
        return ""
    tile = cell.tile
    counted = {"gold": tile.gold, "beaver": tile.beaver, "corn": tile.corn, "cattle": cell.cattle}
    held = [f"land:{tile.landscape}", *(f"{name}:{n}" for name, n in counted.items() if n)]
    if cell.partner:
        held.append(f"partner:{cell.partner}")
    return " ".join(held)

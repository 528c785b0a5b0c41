"""A ranch in pieces: what lies at each cell, and how it is read and tapped.

Each piece is made from a value of its own, so that of a turn a page is sent the two cells of a
domino, and all pages, the display included, are sent the same.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from .art import Box, Piece, RanchArt, corner, piece_of, ranch_art
from .model import WIDTH, Cell, Ranch


class Lot(Struct, frozen=True, cache_hash=True):
    """A cell: where it is drawn, what lies there, and all of that as the tools that paint name it.

    `has` is such as "land:forest gold:1"; rows and columns count from 1.
    """

    seat: int
    at: int
    x: int
    y: int
    row: int
    column: int
    piece: Piece | None
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


class Lying(Struct, frozen=True, cache_hash=True):
    """A ranch for eyes."""

    seat: int
    rows: int
    width: int
    height: int
    river: River
    lots: tuple[Lot, ...]
    dominoes: Dominoes


class Cells(Struct, frozen=True, cache_hash=True):
    """The cells of a ranch as they are read out; with `is_open` each can be tapped."""

    seat: int
    is_open: bool
    lots: tuple[Lot, ...]


@lru_cache(maxsize=64)
def lying(
    seat: int,
    ranch: Ranch,
    bridges: tuple[int, ...],
    *,
    covered: tuple[int, ...] = (),
    is_whole: bool = False,
) -> Lying:
    """Draw a ranch, its river and the bridges over it."""
    art = ranch_art(ranch, bridges, covered=covered, is_whole=is_whole)
    return Lying(
        seat=seat,
        rows=art.rows,
        width=art.width,
        height=art.height,
        river=River(seat, art.width, art.shore, art.bridges),
        lots=_lots(seat, ranch, art, covered),
        dominoes=Dominoes(seat, art.dominoes),
    )


def _lots(seat: int, ranch: Ranch, art: RanchArt, covered: tuple[int, ...]) -> tuple[Lot, ...]:
    return tuple(
        Lot(
            seat,
            at,
            *corner(at, art.rows),
            row=at // WIDTH + 1,
            column=at % WIDTH + 1,
            piece=None if cell is None else piece_of(at, cell, art.rows),
            has=_held(cell),
        )
        for at, cell in enumerate(ranch.cells[: art.rows * WIDTH])
        if at not in covered
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

"""What tiles and ranches look like: places and pieces, counted out so that a template only draws.

Everything is in units of a drawing in which a tile is `CELL` wide; the river runs below row 0.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache, lru_cache
from typing import Final

from msgspec import Struct

from .model import WIDTH, Cell, Cells, Resource, Tile

CELL: Final = 64
RIVER: Final = 30
EDGE: Final = 4
ACROSS: Final = WIDTH * CELL + 2 * EDGE
"""How wide a ranch is drawn."""
FEWEST_ROWS: Final = 5
SPARE_ROWS: Final = 2
"""Rows above the highest tile that are drawn: a domino reaches no further."""

IMAGES: Final[dict[Resource, str]] = {"gold": "gold", "beaver": "beaver", "corn": "maize"}


class TileArt(Struct, frozen=True):
    """A tile by itself; one that nobody told has no landscape. `image` is its resource's."""

    landscape: str = ""
    image: str = ""
    count: int = 0
    cattle: int = 0
    skull: bool = False
    circle: bool = False


class Piece(Struct, frozen=True):
    """A cell with a tile: where it is drawn, the tile, and what stands and lies on it.

    `row` counts from the river, `column` from the left, both from 1.
    """

    at: int
    x: int
    y: int
    row: int
    column: int
    tile: TileArt
    cattle: int
    partner: str


class Free(Struct, frozen=True):
    """An empty cell."""

    at: int
    x: int
    y: int


class Box(Struct, frozen=True):
    """A rectangle, such as a domino's edge."""

    x: int
    y: int
    width: int
    height: int


class RanchArt(Struct, frozen=True):
    """A whole ranch. `bridges` are their left edges, None if nobody told where they are."""

    rows: int
    width: int
    height: int
    shore: int
    pieces: tuple[Piece, ...]
    free: tuple[Free, ...]
    dominoes: tuple[Box, ...]
    bridges: tuple[int, ...]
    are_bridges_known: bool


class Loop(Struct, frozen=True):
    """The edge of some cells as a path, and the middle of one of them for a label."""

    path: str
    x: int
    y: int


@lru_cache(maxsize=256)
def tile_art(tile: Tile | None) -> TileArt:
    """Draw a tile."""
    if tile is None:
        return TileArt()
    image, count = resource_of(tile)
    return TileArt(tile.landscape, image, count, tile.cattle, tile.skull, tile.circle)


def resource_of(tile: Tile) -> tuple[str, int]:
    """Give the picture of what a tile shows of a resource, and how many; ("", 0) is nothing."""
    for resource, image in IMAGES.items():
        if tile.shows(resource):
            return image, tile.shows(resource)
    return "", 0


def rows_of(grid: Cells, *, is_whole: bool = False) -> int:
    """Count the rows to draw: of a grid of ten those in use, with room for a domino above."""
    rows = len(grid) // WIDTH
    if is_whole or rows == FEWEST_ROWS:
        return rows
    used = max((at // WIDTH + 1 for at, cell in enumerate(grid) if cell), default=0)
    return min(rows, max(FEWEST_ROWS, used + SPARE_ROWS))


@cache  # of a few hundred
def corner(at: int, rows: int) -> tuple[int, int]:
    """Give a cell's upper left corner."""
    return EDGE + at % WIDTH * CELL, EDGE + (rows - 1 - at // WIDTH) * CELL


def middle(at: int, rows: int) -> tuple[int, int]:
    """Give a cell's middle."""
    x, y = corner(at, rows)
    return x + CELL // 2, y + CELL // 2


@lru_cache(maxsize=64)
def ranch_art(
    grid: Cells,
    bridges: tuple[int, ...] | None,
    *,
    covered: tuple[int, ...] = (),
    is_whole: bool = False,
) -> RanchArt:
    """Draw a ranch, its river and the bridges over it."""
    rows = rows_of(grid, is_whole=is_whole)
    cells = tuple(enumerate(grid[: rows * WIDTH]))
    return RanchArt(
        rows=rows,
        width=ACROSS,
        height=shore_of(rows) + RIVER,
        shore=shore_of(rows),
        pieces=tuple(piece_of(at, cell, rows) for at, cell in cells if cell is not None),
        free=tuple(
            Free(at, *corner(at, rows)) for at, cell in cells if cell is None and at not in covered
        ),
        dominoes=dominoes_of(cells, rows),
        bridges=bridges_at(bridges or ()),
        are_bridges_known=bridges is not None,
    )


def piece_of(at: int, cell: Cell, rows: int) -> Piece:
    """Draw what lies at a cell."""
    return Piece(
        at,
        *corner(at, rows),
        row=at // WIDTH + 1,
        column=at % WIDTH + 1,
        tile=tile_art(cell.tile),
        cattle=cell.cattle,
        partner=cell.partner or "",
    )


def shore_of(rows: int) -> int:
    """Give where the river begins, below so many rows."""
    return EDGE + rows * CELL


def bridges_at(columns: Iterable[int]) -> tuple[int, ...]:
    """Give the left edges of bridges."""
    return tuple([EDGE + column * CELL for column in columns])


def dominoes_of(cells: Iterable[tuple[int, Cell | None]], rows: int) -> tuple[Box, ...]:
    """Draw the edge of each domino: which tiles came together decides where others may go."""
    by_number: dict[int, list[tuple[int, int]]] = {}
    for at, cell in cells:
        if cell is not None and cell.domino:
            by_number.setdefault(cell.domino, []).append(corner(at, rows))
    found = []
    for corners in by_number.values():
        across, down = zip(*corners, strict=True)
        x, y = min(across), min(down)
        found.append(Box(x, y, max(across) - x + CELL, max(down) - y + CELL))
    return tuple(found)


def loop(cells: Collection[int], rows: int) -> Loop:
    """Draw the edge around cells; a label goes on the one in the middle of them."""
    sides = []
    for at in sorted(cells):
        x, y = corner(at, rows)
        column = at % WIDTH
        if at + WIDTH not in cells:
            sides.append(f"M{x} {y}h{CELL}")
        if at - WIDTH not in cells:
            sides.append(f"M{x} {y + CELL}h{CELL}")
        if column == 0 or at - 1 not in cells:
            sides.append(f"M{x} {y}v{CELL}")
        if column == WIDTH - 1 or at + 1 not in cells:
            sides.append(f"M{x + CELL} {y}v{CELL}")
    spots = [middle(at, rows) for at in cells]
    mean = [sum(values) / len(spots) for values in zip(*spots, strict=True)]
    x, y = min(spots, key=lambda spot: (spot[0] - mean[0]) ** 2 + (spot[1] - mean[1]) ** 2)
    return Loop("".join(sides), x, y)

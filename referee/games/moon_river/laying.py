"""Where a domino may lie: inside the grid, at a bridge, or beside its own landscape.

A set of cells is an int here, a bit a cell: placements are tried by the thousand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from referee.games.once import once

from .actions import Action, LayDomino
from .grid import directions, neighbours
from .model import (
    FOR_TWO,
    LANDSCAPES,
    WIDTH,
    Cell,
    Cells,
    Landscape,
    Ranch,
    Tile,
    replace,
)
from .state import State

TURNS: Final = (0, 1, 2, 3)
"""Where a domino's second tile lies: right, away from the river, left, towards the river."""
_NUMBER: Final[Mapping[Landscape, int]] = {name: place for place, name in enumerate(LANDSCAPES)}


class Field(NamedTuple):
    """The free cells of a ranch, and by landscape those where a tile of it may join the rest."""

    size: int
    free: int
    joins: tuple[int, ...]


@lru_cache(maxsize=4)
def _beside(size: int) -> tuple[int, ...]:
    return tuple(sum(1 << near for near in nears) for nears in neighbours(size))


@lru_cache(maxsize=4)
def _edges(size: int) -> tuple[int, int, int]:
    """Give all cells, those that have one to their right, and those that have one to their left."""
    full = (1 << size) - 1
    first = sum(1 << at for at in range(0, size, WIDTH))
    return full, full & ~(first << WIDTH - 1), full & ~first


@once  # whoever forms a domino, lays it or looks where it fits asks of the same ranch
def field(cells: Cells, bridges: tuple[int, ...], covered: tuple[int, ...] = ()) -> Field:
    """Look at a ranch: at a bridge any tile may lie, elsewhere one beside its own landscape."""
    size = len(cells)
    beside = _beside(size)
    taken = 0
    near = [0] * len(LANDSCAPES)
    for at, cell in enumerate(cells):
        if cell is not None:
            taken |= 1 << at
            near[_NUMBER[cell.tile.landscape]] |= beside[at]
    # Taken, but nothing joins them: they have no landscape.
    for at in covered:
        taken |= 1 << at
    free = (1 << size) - 1 & ~taken
    at_bridge = 0
    for column in bridges:
        at_bridge |= 1 << column
    return Field(size, free, tuple([(joined | at_bridge) & free for joined in near]))


def _by_turn(here: Field, first: Landscape, second: Landscape) -> tuple[int, int, int, int]:
    """Give by turn the cells at which the first tile may lie.

    Both cells are free, and at least one of the tiles joins the rest.
    """
    # Bit n is cell n: a shift asks the same of the neighbour on one side, for all cells at once.
    full, has_right, has_left = _edges(here.size)
    free = here.free
    one, other = here.joins[_NUMBER[first]], here.joins[_NUMBER[second]]
    return (
        free & (free >> 1) & has_right & (one | other >> 1),
        free & (free >> WIDTH) & (one | other >> WIDTH),
        free & (free << 1) & has_left & (one | other << 1),
        free & (free << WIDTH) & full & (one | other << WIDTH),
    )


def can_lie(here: Field, first: Landscape, second: Landscape) -> bool:
    """Say whether a domino can be laid anywhere."""
    return any(_by_turn(here, first, second))


def may_lie(here: Field, first: Landscape, second: Landscape, at: int, turn: int) -> bool:
    """Say whether a domino may lie there."""
    return (
        turn in TURNS
        and 0 <= at < here.size
        and bool(_by_turn(here, first, second)[turn] >> at & 1)
    )


def placements(here: Field, first: Landscape, second: Landscape) -> tuple[LayDomino, ...]:
    """Give every way to lay a domino."""
    found = _by_turn(here, first, second)
    return tuple([LayDomino(at, turn) for turn in TURNS for at in _bits(found[turn])])


def single_cells(here: Field, landscape: Landscape) -> tuple[int, ...]:
    """Give the cells at which a single tile may lie."""
    return tuple(_bits(here.joins[_NUMBER[landscape]]))


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@once  # asked when a turn goes on, of what is legal, and of what is done
def pairs(here: Field, reserve: tuple[Tile | None, ...]) -> tuple[tuple[int, int], ...]:
    """Give the pairs of places in a reserve whose tiles make a domino that can be laid."""
    tried: dict[tuple[Landscape, Landscape], bool] = {}
    found = []
    for second, other in enumerate(reserve):
        for first, one in enumerate(reserve[:second]):
            if one is None or other is None:
                continue
            kinds = (one.landscape, other.landscape)
            if kinds not in tried:
                tried[kinds] = can_lie(here, *kinds)
            if tried[kinds]:
                found.append((first, second))
    return tuple(found)


def field_of(state: State, seat: int) -> Field:
    """Look at a seat's ranch; bridges that nobody told are none."""
    cells = state.ranches[seat].cells
    return field(cells, state.bridges(seat) or (), covered_cells(state))


def covered_cells(state: State) -> tuple[int, ...]:
    """Give the cells of the big grid that the board covers."""
    return state.box.covered or () if state.seats == FOR_TWO else ()


def cells_of(size: int, at: int, turn: int) -> tuple[int, int]:
    """Give the cells of both tiles. Raises LookupError where there is none."""
    other = directions(size)[at][turn]
    if other is None:
        raise LookupError(at, turn)
    return at, other


def laid(ranch: Ranch, first: int, second: int, at: int, turn: int) -> Ranch:
    """Give the ranch with two tiles of its reserve laid there, before any effect.

    Whether they may lie there is the caller's to look after.
    """
    one, other = ranch.reserve[first], ranch.reserve[second]
    if one is None or other is None:
        raise LookupError(first, second)
    here, there = cells_of(len(ranch.cells), at, turn)
    number = ranch.dominoes + 1
    cells: list[Cell | None] = list(ranch.cells)
    cells[here] = Cell(one, domino=number)
    cells[there] = Cell(other, domino=number)
    rest = tuple([tile for n, tile in enumerate(ranch.reserve) if n not in (first, second)])
    return replace(ranch, cells=tuple(cells), reserve=rest, dominoes=number)


def folded(legal: Iterable[Action], size: int) -> tuple[tuple[int, ...], ...]:
    """Fold all ways to lay the domino into a small table: by cell the turns that fit there."""
    table: list[list[int]] = [[] for _ in range(size)]
    for action in legal:
        if isinstance(action, LayDomino):
            table[action.at].append(action.turn)
    return tuple(tuple(sorted(turns)) for turns in table)

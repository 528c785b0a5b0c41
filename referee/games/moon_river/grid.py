"""The grid of a ranch: which cells are neighbours, and what hangs together.

A small ranch is five rows of five, the big one for two players ten rows of five.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final

from .model import FOR_TWO, WIDTH, Cells, Landscape

SMALL: Final = WIDTH * 5
BIG: Final = WIDTH * 10


def size_for(seats: int) -> int:
    """Count the cells of a ranch for so many players."""
    return BIG if seats == FOR_TWO else SMALL


# Two sizes there are, asked at each of some thousand placements.
@lru_cache(maxsize=4)
def directions(size: int) -> tuple[tuple[int | None, ...], ...]:
    """Give by cell its neighbours to the right, away from the river, left, towards the river."""
    return tuple(
        (
            at + 1 if at % WIDTH < WIDTH - 1 else None,
            at + WIDTH if at + WIDTH < size else None,
            at - 1 if at % WIDTH else None,
            at - WIDTH if at >= WIDTH else None,
        )
        for at in range(size)
    )


@lru_cache(maxsize=4)
def neighbours(size: int) -> tuple[tuple[int, ...], ...]:
    """Give by cell the cells that share a side with it."""
    return tuple(tuple(n for n in beside if n is not None) for beside in directions(size))


def area_of(cells: Cells, at: int) -> tuple[int, ...]:
    """Give the area a cell belongs to: cells of its landscape that hang together by their sides."""
    return _area(_landscapes(cells), at, neighbours(len(cells)))


def _landscapes(cells: Cells) -> list[Landscape | None]:
    return [None if cell is None else cell.tile.landscape for cell in cells]


def _area(
    landscapes: list[Landscape | None], at: int, beside: tuple[tuple[int, ...], ...]
) -> tuple[int, ...]:
    landscape = landscapes[at]
    seen, found = {at}, [at]
    for here in found:  # which grows on the way
        for near in beside[here]:
            if landscapes[near] == landscape and near not in seen:
                seen.add(near)
                found.append(near)
    found.sort()
    return tuple(found)


def areas(cells: Cells) -> list[tuple[int, ...]]:
    """Give every area of a ranch, in the order of their smallest cells."""
    seen: set[int] = set()
    found = []
    landscapes, beside = _landscapes(cells), neighbours(len(cells))
    for at, landscape in enumerate(landscapes):
        if landscape is not None and at not in seen:
            area = _area(landscapes, at, beside)
            seen |= {*area}
            found.append(area)
    return found


def groups(members: Iterable[int], size: int) -> list[tuple[int, ...]]:
    """Give what hangs together by its sides among some cells of a grid."""
    left = {*members}
    found = []
    for at in sorted(left):
        if at in left:
            group = _spread(at, left.__contains__, neighbours(size))
            left.difference_update(group)
            found.append(group)
    return found


def _spread(
    at: int, is_in: Callable[[int], bool], beside: tuple[tuple[int, ...], ...]
) -> tuple[int, ...]:
    seen, found = {at}, [at]
    for here in found:  # which grows on the way
        for near in beside[here]:
            if near not in seen and is_in(near):
                seen.add(near)
                found.append(near)
    return tuple(sorted(found))


def landscape_at(cells: Cells, at: int) -> Landscape | None:
    """Give the landscape of a cell, None where nothing lies."""
    cell = cells[at]
    return None if cell is None else cell.tile.landscape


def row_of(at: int) -> int:
    """Give the row of a cell; 0 lies on the river."""
    return at // WIDTH


def is_on_river(at: int) -> bool:
    """Say whether a cell lies on the river, which runs along the board's edge."""
    return at < WIDTH

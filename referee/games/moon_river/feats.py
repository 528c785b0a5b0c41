"""What a domino brings that the table looks up for: an area that grew by much, a full ranch."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from .events import AreaGrew, Event, RanchFull
from .grid import BIG, area_of, areas
from .model import Cells
from .scoring import breakdown
from .state import State

MUCH: Final = 8
"""Points that a single domino has to bring an area for the table to look up."""


def feats(before: Cells, state: State, seat: int, laid: tuple[int, int]) -> list[Event]:
    """Name what a domino brought, once its cattle stand there.

    An area in which a skull is still owed has not grown yet.
    """
    ranch = state.ranches[seat]
    skulls = () if state.turn is None else state.turn.skulls
    found: list[Event] = [
        grown
        for area in dict.fromkeys(area_of(ranch.cells, at) for at in laid)
        if not {*skulls} & {*area} and (grown := _growth(before, ranch.cells, seat, area))
    ]
    if ranch.dominoes == most_dominoes(ranch.cells):
        found.append(RanchFull(seat, breakdown(ranch.cells, state.scenario).total))
    return found


def most_dominoes(cells: Cells) -> int:
    """Count the dominoes that a ranch can have: twelve, or twenty-four in a big one."""
    return len(cells) // 2 - (len(cells) == BIG)


def _growth(before: Cells, after: Cells, seat: int, area: tuple[int, ...]) -> AreaGrew | None:
    """Tell of an area if what became of its parts is worth much more than they were."""
    was = sum(_worth(before, part) for part in areas(_only(before, area)))
    first = after[area[0]]
    points = _worth(after, area)
    if first is None or points - was < MUCH:
        return None
    return AreaGrew(seat, first.tile.landscape, len(area), _herd(after, area), points)


def _only(cells: Cells, area: Iterable[int]) -> Cells:
    """Give a grid with nothing on it but some cells."""
    kept = {*area}
    return tuple(cell if at in kept else None for at, cell in enumerate(cells))


def _worth(cells: Cells, area: tuple[int, ...]) -> int:
    return len(area) * _herd(cells, area)


def _herd(cells: Cells, area: tuple[int, ...]) -> int:
    """Count the cattle of an area that bring points: one a tile."""
    return sum(1 for at in area if (cell := cells[at]) and cell.cattle)

"""A ranch's points as they are drawn: a sum in each area, and in each group of the scenario."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec import Struct

from .art import CELL, EDGE, loop
from .model import WIDTH, Landscape, Resource, Scenario, Specialist
from .scoring import Area, Breakdown, Group

LETTER: Final = 11
"""How wide a sign of a label is, nearly."""
ROOMY: Final = 3
"""Tiles of an area that has room for a whole sum."""


class AreaSum(Struct, frozen=True):
    """An area's edge, its label and where that goes, and what it brings."""

    landscape: Landscape
    path: str
    x: int
    y: int
    label: str
    tiles: int
    cattle: int
    points: int


class GroupSum(Struct, frozen=True):
    """A group that the scenario counts."""

    path: str
    x: int
    y: int
    size: int
    points: int


class Sum(Struct, frozen=True, cache_hash=True):
    """All points of a ranch.

    `symbols` are (resource, how many), `collected` (partner, how many of them, points); `surplus`
    are cattle that share a tile and do not count.
    """

    total: int
    areas: tuple[AreaSum, ...]
    symbols: tuple[tuple[Resource, int], ...]
    collected: tuple[tuple[Specialist, int, int], ...]
    scenario: Scenario
    groups: tuple[GroupSum, ...]
    group_points: int
    surplus: int


@lru_cache(maxsize=512)
def sum_of(count: Breakdown, rows: int) -> Sum:
    """Draw a count over a ranch of so many drawn rows."""
    return Sum(
        total=count.total,
        areas=tuple([_area(area, rows) for area in count.areas]),
        symbols=tuple([(entry.resource, entry.count) for entry in count.symbols if entry.count]),
        collected=tuple(
            [
                (entry.partner, len(entry.cells), entry.points)
                for entry in count.collected
                if entry.cells
            ]
        ),
        scenario=count.scenario,
        groups=tuple([_group(group, rows) for group in count.groups if group.points]),
        group_points=count.group_points,
        surplus=count.surplus,
    )


@lru_cache(maxsize=1024)  # a turn changes one or two of a ranch
def _area(area: Area, rows: int) -> AreaSum:
    edge = loop(area.cells, rows)
    label = _label(area)
    half = len(label) * LETTER // 2
    return AreaSum(
        landscape=area.landscape,
        path=edge.path,
        # Moved in where the area lies at the edge: a label stays within the drawing.
        x=min(max(edge.x, EDGE + half), EDGE + WIDTH * CELL - half),
        y=edge.y,
        label=label,
        tiles=len(area.cells),
        cattle=area.cattle,
        points=area.points,
    )


def _label(area: Area) -> str:
    """Write what an area brings; a small one has room for its points alone."""
    if not area.points:
        return ""
    sum_ = f"{len(area.cells)}×{area.cattle}={area.points}"
    return str(area.points) if len(area.cells) < ROOMY else sum_


def _group(group: Group, rows: int) -> GroupSum:
    edge = loop(group.cells, rows)
    return GroupSum(edge.path, edge.x, edge.y, len(group.cells), group.points)

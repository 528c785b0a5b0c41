"""A ranch's points as they are drawn: a sum in each area, and in each group of the scenario."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from .art import loop
from .model import Landscape, Resource, Scenario, Specialist
from .scoring import Area, Breakdown, Group


class AreaSum(Struct, frozen=True):
    """An area's edge, where its label goes, and what it brings."""

    landscape: Landscape
    path: str
    x: int
    y: int
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


class Sum(Struct, frozen=True):
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


@lru_cache(maxsize=64)
def sum_of(count: Breakdown, rows: int) -> Sum:
    """Draw a count over a ranch of so many drawn rows."""
    return Sum(
        total=count.total,
        areas=tuple(_area(area, rows) for area in count.areas),
        symbols=tuple((entry.resource, entry.count) for entry in count.symbols if entry.count),
        collected=tuple(
            (entry.partner, len(entry.cells), entry.points)
            for entry in count.collected
            if entry.cells
        ),
        scenario=count.scenario,
        groups=tuple(_group(group, rows) for group in count.groups if group.points),
        group_points=count.group_points,
        surplus=count.surplus,
    )


def _area(area: Area, rows: int) -> AreaSum:
    edge = loop(area.cells, rows)
    return AreaSum(
        landscape=area.landscape,
        path=edge.path,
        x=edge.x,
        y=edge.y,
        tiles=len(area.cells),
        cattle=area.cattle,
        points=area.points,
    )


def _group(group: Group, rows: int) -> GroupSum:
    edge = loop(group.cells, rows)
    return GroupSum(edge.path, edge.x, edge.y, len(group.cells), group.points)

"""The count: areas, resources, partners and the scenario, each with what it is made of.

`breakdown` explains one ranch cell by cell and works at any time, so that the running total is the
same sum as the last one.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from msgspec import Struct

from referee.games.base import Result, Score, ScoreLine

from .grid import areas, groups, is_on_river
from .model import (
    COLLECTORS,
    LANDSCAPES,
    OUTLAWS,
    RESOURCES,
    Cell,
    Cells,
    Landscape,
    Resource,
    Scenario,
    Specialist,
)
from .state import State

SMALLEST_GROUP: Final = 3
PER_GROUP: Final = 10
PER_MEMBER: Final = 10


class Area(Struct, frozen=True):
    """An area, the cattle of it that count (one a tile), and its points."""

    landscape: Landscape
    cells: tuple[int, ...]
    cattle: int
    points: int


class Symbols(Struct, frozen=True):
    """How many symbols of a resource a ranch shows, and where; each is a point."""

    resource: Resource
    count: int
    cells: tuple[int, ...]


class Collected(Struct, frozen=True):
    """What the partners of a kind bring: so many of them, each the symbols of their resource."""

    partner: Specialist
    cells: tuple[int, ...]
    points: int


class Group(Struct, frozen=True):
    """A group that the scenario counts. `points` is 0 where it is too small, or lacks something."""

    cells: tuple[int, ...]
    points: int


class Breakdown(Struct, frozen=True, cache_hash=True):
    """All points of a ranch. `surplus` are cattle that share a tile and do not count."""

    areas: tuple[Area, ...]
    symbols: tuple[Symbols, ...]
    collected: tuple[Collected, ...]
    scenario: Scenario
    groups: tuple[Group, ...]
    surplus: int
    cattle: int
    largest: int
    total: int

    def points_of(self, landscape: Landscape) -> int:
        """Give the points of all areas of a landscape."""
        return sum(area.points for area in self.areas if area.landscape == landscape)

    @property
    def group_points(self) -> int:
        """Give what the scenario brings."""
        return sum(group.points for group in self.groups)


@lru_cache(maxsize=512)
def breakdown(cells: Cells, scenario: Scenario) -> Breakdown:
    """Count a ranch: tiles times cattle for each area, symbols, partners, the scenario's groups."""
    there = [(at, cell) for at, cell in enumerate(cells) if cell]
    lands = areas(cells)
    counted = tuple([_area(cells, area) for area in lands])
    symbols = _symbols(there)
    shown = {entry.resource: entry.count for entry in symbols}
    partners = [(at, cell.partner) for at, cell in there if cell.partner]
    collected = tuple(
        [
            Collected(partner, at, len(at) * shown[resource])
            for partner, resource in COLLECTORS.items()
            for at in (tuple([n for n, kind in partners if kind == partner]) if partners else (),)
        ]
    )
    found = tuple(_groups(cells, scenario, counted))
    surplus = sum([cell.cattle - 1 for _, cell in there if cell.cattle > 1])
    total = (
        sum([area.points for area in counted])
        + sum(shown.values())
        + sum([entry.points for entry in collected])
        + sum([group.points for group in found])
    )
    return Breakdown(
        areas=counted,
        symbols=symbols,
        collected=collected,
        scenario=scenario,
        groups=found,
        surplus=surplus,
        cattle=sum([area.cattle for area in counted]),
        largest=max(map(len, lands), default=0),
        total=total,
    )


def _area(cells: Cells, area: tuple[int, ...]) -> Area:
    """Count an area. Overpopulation: at most one of the cattle of a tile stays for the count.

    A cornfield brings nothing, whatever somebody says stands there.
    """
    first = cells[area[0]]
    assert first is not None  # noqa: S101  # an area is made of tiles
    # By tile and not by head: a preview in mid-game counts as the end will.
    cattle = len([at for at in area if (cell := cells[at]) and cell.cattle])
    landscape = first.tile.landscape
    points = 0 if landscape == "corn" else len(area) * cattle
    return Area(landscape, area, cattle, points)


def _symbols(there: Iterable[tuple[int, Cell]]) -> tuple[Symbols, ...]:
    # Once through the tiles: they are counted for each place where a domino may go.
    shown: dict[Resource, list[tuple[int, int]]] = {resource: [] for resource in RESOURCES}
    for at, cell in there:
        tile = cell.tile
        if tile.gold:
            shown["gold"].append((at, tile.gold))
        if tile.beaver:
            shown["beaver"].append((at, tile.beaver))
        if tile.corn:
            shown["corn"].append((at, tile.corn))
    return tuple(
        [
            Symbols(resource, sum([count for _, count in found]), tuple([at for at, _ in found]))
            for resource, found in shown.items()
        ]
    )


def _groups(cells: Cells, scenario: Scenario, counted: tuple[Area, ...]) -> list[Group]:
    """Give the groups of the scenario, those that bring nothing as well."""
    match scenario:
        case "none":
            return []
        case "rafting":
            # A forest away from the river is listed as well, so that people see why it brings
            # nothing.
            forests = [area.cells for area in counted if area.landscape == "forest"]
            return [_group(area, is_whole=any(map(is_on_river, area))) for area in forests]
        case "moon_river_city":
            return [_group(a.cells) for a in counted if a.landscape == "buildings"]
        case "gold_rush":
            gold = [at for at, cell in enumerate(cells) if cell and cell.tile.gold]
            return [_group(vein) for vein in groups(gold, len(cells))]
        case "wild_bunch":
            partners = [at for at, cell in enumerate(cells) if cell and cell.partner]
            return [_group(b, is_whole=_has_outlaw(cells, b)) for b in groups(partners, len(cells))]


def _group(cells: tuple[int, ...], *, is_whole: bool = True) -> Group:
    """Count a group: ten for three members, ten more for each one beyond."""
    beyond = len(cells) - SMALLEST_GROUP
    return Group(cells, PER_GROUP + PER_MEMBER * beyond if is_whole and beyond >= 0 else 0)


def _has_outlaw(cells: Cells, bunch: tuple[int, ...]) -> bool:
    """Say whether a desperado or a rustler is in it, specialist side up."""
    return any((cell := cells[at]) is not None and cell.partner in OUTLAWS for at in bunch)


def lines(count: Breakdown) -> tuple[ScoreLine, ...]:
    """Give a ranch's points as the lines of the score pad.

    Details: of a landscape for each area its tiles and cattle in turn; of a resource how many
    symbols; of a partner how many of them; of the scenario the sizes of the groups that count.
    """
    rows = [
        ScoreLine(
            landscape,
            count.points_of(landscape),
            tuple(
                number
                for area in count.areas
                if area.landscape == landscape and area.points
                for number in (len(area.cells), area.cattle)
            ),
        )
        for landscape in LANDSCAPES
        if landscape != "corn"
    ]
    rows += [ScoreLine(f"{s.resource}_symbols", s.count, (s.count,)) for s in count.symbols]
    rows += [ScoreLine(c.partner, c.points, (len(c.cells),)) for c in count.collected]
    if count.scenario != "none":
        sizes = tuple(len(group.cells) for group in count.groups if group.points)
        rows.append(ScoreLine(count.scenario, count.group_points, sizes))
    return tuple(rows)


def final(state: State) -> Result:
    """Give the result. A tie goes to the largest area, then to the most cattle, then is shared.

    Ruling: cattle that shared a tile and went back count no more, in a tie as well.
    """
    counts = [breakdown(ranch.cells, state.scenario) for ranch in state.ranches]
    scores = tuple(Score(seat, c.total, lines(c)) for seat, c in enumerate(counts))
    best = _best([c.total for c in counts], range(len(counts)))
    if len(best) == 1:
        return Result(scores, best, None)
    widest = _best([c.largest for c in counts], best)
    if len(widest) == 1:
        return Result(scores, widest, "largest_area")
    richest = _best([c.cattle for c in counts], widest)
    return Result(scores, richest, "cattle" if len(richest) == 1 else "shared")


def _best(values: list[int], among: range | tuple[int, ...]) -> tuple[int, ...]:
    most = max(values[seat] for seat in among)
    return tuple(seat for seat in among if values[seat] == most)

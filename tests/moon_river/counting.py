"""A count of finished ranches that shares nothing with the rules: plain JSON and a library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import networkx as nx

RawCells: TypeAlias = Sequence[dict[str, Any] | None]
ACROSS = 5
COLLECTORS = {"gold_digger": "gold", "trapper": "beaver", "farmer": "corn"}


def total_of(cells: RawCells, scenario: str) -> int:
    """Count a ranch as the rulebook does: areas, symbols, collectors, the scenario's groups."""
    there = {at: cell for at, cell in enumerate(cells) if cell}
    land = {at: cell["tile"]["landscape"] for at, cell in there.items()}
    points = 0
    for area in _groups(cells, lambda a, b: land[a] == land[b]):
        if land[next(iter(area))] != "corn":
            points += len(area) * sum(bool(there[at].get("cattle")) for at in area)
    shown = {
        symbol: sum(cell["tile"].get(symbol, 0) for cell in there.values())
        for symbol in COLLECTORS.values()
    }
    points += sum(shown.values())
    points += sum(shown.get(COLLECTORS.get(c.get("partner") or "", ""), 0) for c in there.values())
    return points + sum(10 * (size - 2) for size in _members(cells, scenario) if size > 2)


def _members(cells: RawCells, scenario: str) -> list[int]:
    """Give how large the groups are that a scenario rewards."""
    land = {at: cell["tile"]["landscape"] for at, cell in enumerate(cells) if cell}
    partner = {at: cell.get("partner") for at, cell in enumerate(cells) if cell}
    match scenario:
        case "rafting" | "moon_river_city":
            wanted = "forest" if scenario == "rafting" else "buildings"
            areas = _groups(cells, lambda a, b: land[a] == land[b] == wanted)
            there = [area for area in areas if land[next(iter(area))] == wanted]
            return [len(a) for a in there if scenario != "rafting" or min(a) < ACROSS]
        case "gold_rush":
            gold = {at for at, cell in enumerate(cells) if cell and cell["tile"].get("gold")}
            veins = _groups(cells, lambda a, b: {a, b} <= gold)
            return [len(vein) for vein in veins if vein <= gold]
        case "wild_bunch":
            bunches = _groups(cells, lambda a, b: bool(partner[a] and partner[b]))
            outlaws = {"desperado", "rustler"}
            return [len(bunch) for bunch in bunches if outlaws & {partner[at] for at in bunch}]
        case _:
            return []


def _groups(cells: RawCells, is_joined: Callable[[int, int], bool]) -> list[set[int]]:
    graph = nx.Graph()
    graph.add_nodes_from(at for at, cell in enumerate(cells) if cell)
    for at in list(graph):
        right = at + 1 if at % ACROSS < ACROSS - 1 else None
        for other in (right, at + ACROSS):
            if other in graph and is_joined(at, other):
                graph.add_edge(at, other)
    return list(nx.connected_components(graph))

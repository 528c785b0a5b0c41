"""What the benchmarks shall reach, and whether they do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

Row = Mapping[str, Any]


class Goal(Struct, frozen=True):
    """A figure to reach.

    `at` are the fields that its row has, `field` is where the figure stands there. `reach` is the
    least of it, or the most where `is_less` is better; `dream` lies beyond.
    """

    name: str
    at: dict[str, Any]
    field: str
    reach: float
    dream: float
    unit: str = ""
    is_less: bool = False

    def figure(self, rows: Sequence[Row]) -> float | None:
        """Find the figure; None where it was not measured."""
        for row in rows:
            if all(row.get(name) == value for name, value in self.at.items()):
                found = row.get(self.field)
                return None if found is None else float(found)
        return None

    def verdict(self, figure: float | None) -> str:
        """Say how far it came."""
        if figure is None:
            return "not measured"
        if self._is_met(figure, self.dream):
            return "dream"
        return "reached" if self._is_met(figure, self.reach) else "open"

    def _is_met(self, figure: float, wanted: float) -> bool:
        return figure <= wanted if self.is_less else figure >= wanted


def _peer(name: str, tables: int, load: str, store: str, field: str, *ends: float) -> Goal:
    at = {"measure": "tables", "tables": tables, "load": load, "ratio": f"referee / {store} store"}
    return Goal(name, at, field, *ends, is_less=field != "actions_per_s")


def _table(name: str, bench: str, at: Row, field: str, *ends: float, unit: str = "ms") -> Goal:
    return Goal(name, {"bench": bench, **at}, field, *ends, unit=unit, is_less=True)


_LIGHT = {"game": "winchester", "load": "light"}
_SLOW = {"machine": "quarter of a core"}

GOALS: Final = (
    _peer("saturated, 1 table / file store", 1, "saturated", "file", "actions_per_s", 1.2, 2.5),
    _peer("saturated, 50 tables / file store", 50, "saturated", "file", "actions_per_s", 1.8, 2.5),
    _peer("saturated, 50 tables / memory", 50, "saturated", "memory", "actions_per_s", 0.6, 1.0),
    _peer("light p99, 1 table / memory store", 1, "light", "memory", "p99_ms", 1.0, 0.8),
    _peer("light p99, 50 tables / memory store", 50, "light", "memory", "p99_ms", 1.0, 0.8),
    Goal(
        "rules / the peer's reducer",
        {"measure": "rules", "ratio": "referee / reducer"},
        "actions_per_s",
        9,
        12,
    ),
    _table("memory, 1 table", "tables", _LIGHT | {"tables": 1}, "server_pss_mb", 45, 32, unit="MB"),
    _table(
        "memory, 50 tables", "tables", _LIGHT | {"tables": 50}, "server_pss_mb", 60, 48, unit="MB"
    ),
    *(
        _table(
            f"processor an action, {tables} tables saturated",
            "tables",
            {"game": "winchester", "load": "saturated", "tables": tables},
            "cpu_ms",
            *ends,
        )
        for tables, ends in ((1, (1.5, 1.0)), (50, (0.9, 0.6)))
    ),
    _table(
        "a quarter of a core: p99",
        "small_machine",
        _SLOW | {"tables": 1},
        "p99_ms",
        30,
        20,
    ),
    _table("... with 10 tables: p99", "small_machine", _SLOW | {"tables": 10}, "p99_ms", 80, 50),
    _table("a café of 400 tables: p99", "cafe", {"tables": 400}, "p99_ms", 30, 20),
    _table("... its memory", "cafe", {"tables": 400}, "server_pss_mb", 200, 150, unit="MB"),
    _table("10 ms a commit, 50 tables: p99", "slow_disk", {}, "p99_ms", 25, 20),
    _table("start to first answer, warm", "start", {"what": "start"}, "warm_s", 0.4, 0.3, unit="s"),
    _table("first visit", "start", {"what": "first visit"}, "first_visit_kb", 33, 25, unit="kB"),
    *(
        _table(f"{game}: late / early action", "late", {"game": game}, "ratio", 1.2, 1.0, unit="x")
        for game in ("winchester", "desperados", "moon_river")
    ),
    *(
        Goal(
            f"{game}: saturated, {tables} tables / winchester",
            {"bench": "beside", "game": game, "tables": tables},
            "actions_per_s",
            1.0,
            1.5,
            unit="x",
        )
        for game in ("desperados", "moon_river")
        for tables in (1, 50)
    ),
)


def beside(rows: Sequence[Row]) -> list[Row]:
    """Give the other games' actions a second as shares of Winchester's in the same run."""
    found = [r for r in rows if r["bench"] == "tables" and r["load"] == "saturated"]
    base = {r["tables"]: r["actions_per_s"] for r in found if r["game"] == "winchester"}
    return [
        {
            "bench": "beside",
            "game": r["game"],
            "tables": r["tables"],
            "actions_per_s": round(r["actions_per_s"] / base[r["tables"]], 2),
        }
        for r in found
        if r["game"] != "winchester" and base.get(r["tables"])
    ]


def table(rows: Sequence[Row]) -> str:
    """Write all goals with figure and verdict, as a table of Markdown."""
    rows = [*rows, *beside(rows)]
    lines = ["| measure | figure | reach | dream | verdict |", "|---|---|---|---|---|"]
    for goal in GOALS:
        figure = goal.figure(rows)
        shown = "" if figure is None else f"{figure:g} {goal.unit}".rstrip()
        than = "≤" if goal.is_less else "≥"
        lines.append(
            f"| {goal.name} | {shown} | {than} {goal.reach:g} | {than} {goal.dream:g} "
            f"| {goal.verdict(figure)} |"
        )
    return "\n".join(lines)

"""What an action costs late in a long game against early: the journal must not slow it down."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import msgspec

from benchmarks.harness import APP, script
from referee.db import Store
from referee.live import Live
from referee.tables import Tables

GAMES_PLAYED = 6


def main() -> None:
    """Print the median cost of the first and of the last fifty actions, and their ratio."""
    early: list[float] = []
    late: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "referee.db")
        tables = Tables(store, Live())
        for game in range(GAMES_PLAYED):
            costs = _play(tables, f"late {game}")
            early += costs[:50]
            late += costs[-50:]
        store.close()
    row = {
        "early_ms": round(1000 * _median(early), 3),
        "late_ms": round(1000 * _median(late), 3),
        "ratio": round(_median(late) / _median(early), 2),
    }
    print(msgspec.json.encode(row).decode())


def _play(tables: Tables, seed: str) -> list[float]:
    table, _ = tables.open("winchester", options=APP, seed=seed)
    for number in range(5):
        tables.join(table, f"P{number}")
    tables.start(table)
    costs = []
    for number, (seat, action) in enumerate(script(seed)):
        version = table.ledger.version(seat)
        began = time.perf_counter()
        tables.act(table, seat, action, version=version, action_id=str(number))
        costs.append(time.perf_counter() - began)
    return costs


def _median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


if __name__ == "__main__":
    main()

"""What an action costs late in a long game against early, and what it costs to come back to one.

The journal must not slow a game down; and after a restart a table's first page waits for its
whole journal.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import msgspec

from benchmarks.scripts import APP, SEATS, script
from referee.db import Store
from referee.games import GAMES
from referee.journal import replay
from referee.live import Live
from referee.tables import Tables

GAMES_PLAYED = 6
ENDS = 50
"""Actions that count as early, and as late; of a short game a third."""


def main() -> None:
    """Print a line of JSON a game: both costs, their ratio, and its longest journal's replay."""
    for game in SEATS:
        early: list[float] = []
        late: list[float] = []
        longest: tuple[int, float] = (0, 0.0)
        with tempfile.TemporaryDirectory() as folder:
            store = Store(Path(folder) / "referee.db")
            tables = Tables(store, Live())
            for number in range(GAMES_PLAYED):
                costs, replayed = _play(tables, game, f"late {number}")
                few = min(ENDS, len(costs) // 3)
                early += costs[:few]
                late += costs[-few:]
                longest = max(longest, replayed)
            store.close()
        row = {
            "game": game,
            "early_ms": round(1000 * _median(early), 3),
            "late_ms": round(1000 * _median(late), 3),
            "ratio": round(_median(late) / _median(early), 2),
            "longest_journal": longest[0],
            "replay_ms": round(1000 * longest[1], 1),
        }
        print(msgspec.json.encode(row).decode(), flush=True)


def _play(tables: Tables, game: str, seed: str) -> tuple[list[float], tuple[int, float]]:
    """Give what each action cost in seconds, and the journal's length with its replay's seconds."""
    table, _ = tables.open(game, options=APP, seed=seed)
    for number in range(SEATS[game]):
        tables.lobby.join(table, f"P{number}")
    tables.lobby.start(table)
    costs = []
    for number, move in enumerate(script(game, seed).moves):
        seat = table.ledger.seating.order[move.seat]
        began = time.perf_counter()
        tables.play.act(table, seat, move.action, version=move.before, action_id=str(number))
        costs.append(time.perf_counter() - began)
    entries = tables.store.entries(table.code)
    began = time.perf_counter()
    replay(GAMES[game], entries)
    return costs, (len(entries), time.perf_counter() - began)


def _median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


if __name__ == "__main__":
    main()

"""From a tap to all screens of a table: latency, actions a second, memory; 1, 10 and 50 tables."""

from __future__ import annotations

import argparse

import msgspec

from benchmarks.harness import memory_mb, server
from benchmarks.lanes import drive
from benchmarks.scripts import SEATS


def main() -> None:
    """Print one line of JSON a measurement."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--game", choices=SEATS, default="winchester")
    options.add_argument("--tables", type=int, nargs="*", default=[1, 10, 50])
    options.add_argument("--seconds", type=float, default=6)
    options.add_argument("--pace", type=float, help="light load: seconds between")
    chosen = options.parse_args()
    for count in chosen.tables:
        # Few tables are asked more often: the slowest of a hundred needs a good many.
        light = chosen.pace or min(1.0, max(0.1, count / 50))
        for name, pace in (("light", light), ("saturated", 0.0)):
            with server() as (port, pid):
                figures = drive(
                    port, pid=pid, tables=count, seconds=chosen.seconds, pace=pace, game=chosen.game
                )
                memory = round(memory_mb(pid), 1)
            row = {"game": chosen.game, "tables": count, "load": name, **figures}
            print(msgspec.json.encode({**row, "server_pss_mb": memory}).decode(), flush=True)


if __name__ == "__main__":
    main()

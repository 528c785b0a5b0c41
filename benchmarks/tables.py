"""From a tap to all screens of a table: latency, actions a second, memory; 1, 10 and 50 tables."""

from __future__ import annotations

import argparse

import msgspec

from benchmarks.harness import drive, memory_mb, server
from benchmarks.scripts import SEATS


def main() -> None:
    """Print one line of JSON a measurement."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--game", choices=SEATS, default="winchester")
    options.add_argument("--tables", type=int, nargs="*", default=[1, 10, 50])
    options.add_argument("--seconds", type=float, default=6)
    options.add_argument("--pace", type=float, default=1.0, help="light load: seconds between")
    chosen = options.parse_args()
    for count in chosen.tables:
        for name, pace in (("light", chosen.pace), ("saturated", 0.0)):
            with server() as (port, pid):
                figures = drive(
                    port, tables=count, seconds=chosen.seconds, pace=pace, game=chosen.game
                )
                memory = round(memory_mb(pid), 1)
            row = {"game": chosen.game, "tables": count, "load": name, **figures}
            print(msgspec.json.encode({**row, "server_pss_mb": memory}).decode(), flush=True)


if __name__ == "__main__":
    main()

"""A café: hundreds of tables at human pace, one action in three seconds each, on one core."""

from __future__ import annotations

import argparse

import msgspec

from benchmarks.harness import memory_mb, server
from benchmarks.lanes import drive

PACE_S = 3.0


def main() -> None:
    """Print one line of JSON."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--tables", type=int, default=400)
    options.add_argument("--seconds", type=float, default=12)
    chosen = options.parse_args()
    with server() as (port, pid):
        figures = drive(port, pid=pid, tables=chosen.tables, seconds=chosen.seconds, pace=PACE_S)
        memory = round(memory_mb(pid), 1)
    row = {"tables": chosen.tables, "pace_s": PACE_S, **figures, "server_pss_mb": memory}
    print(msgspec.json.encode(row).decode(), flush=True)


if __name__ == "__main__":
    main()

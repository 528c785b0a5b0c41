"""A slow card: every commit takes 10 ms more, 50 tables together want 100 actions a second.

The server runs in this process with a store whose commits sleep, so group commit is what counts.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import msgspec

from benchmarks import harness, lanes

DELAY_S = 0.010


def slow_serve() -> None:
    """Serve as `referee serve` does, with a pause in every commit."""
    from gevent import monkey  # noqa: PLC0415

    from referee import cli, server  # noqa: PLC0415

    fast = server.offload
    # The pause stands for a disk: it must block its own native thread, not the others.
    sleep = monkey.get_original("time", "sleep")

    def slow(call: Callable[[], None]) -> None:
        def late() -> None:
            sleep(DELAY_S)
            call()

        fast(late)

    server.offload = slow
    cli.main(sys.argv[2:])


def main() -> None:
    """Print one line of JSON."""
    with harness.server(module="benchmarks.slow_disk", first="--slow") as (port, pid):
        figures = lanes.drive(port, pid=pid, tables=50, seconds=8, pace=0.5)
    row = {"commit_delay_ms": 1000 * DELAY_S, "tables": 50, **figures, "cores": os.cpu_count()}
    print(msgspec.json.encode(row).decode())


if __name__ == "__main__":
    if "--slow" in sys.argv:
        slow_serve()
    else:
        main()

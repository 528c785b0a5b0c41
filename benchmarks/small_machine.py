"""A small machine: the server gets a quarter of one core, tables play at human pace.

Uses `cpulimit`-like pausing by SIGSTOP and SIGCONT, so it needs no rights; POSIX only.
"""

from __future__ import annotations

import os
import signal
import threading
import time

import msgspec

from benchmarks.harness import server
from benchmarks.lanes import drive

SHARE = 0.25
SLICE_S = 0.01
SECONDS = 12
WHOLE, QUARTER = "whole core", "quarter of a core"
LOADS = ((WHOLE, False, 1, 0.4), (QUARTER, True, 1, 0.4), (QUARTER, True, 10, 3.0))
"""Machine, whether it is slow, tables, and seconds between two actions of each."""


def throttle(pid: int, stop: threading.Event) -> None:
    """Let a process run a quarter of the time, in slices of ten milliseconds."""
    while not stop.is_set():
        os.kill(pid, signal.SIGCONT)
        time.sleep(SLICE_S * SHARE)
        os.kill(pid, signal.SIGSTOP)
        time.sleep(SLICE_S * (1 - SHARE))
    os.kill(pid, signal.SIGCONT)


def main() -> None:
    """Print the figures of one table with and without the quota, and of ten with it."""
    for name, is_slow, tables, pace in LOADS:
        with server() as (port, pid):
            stop = threading.Event()
            thread = threading.Thread(target=throttle, args=(pid, stop))
            if is_slow:
                thread.start()
            try:
                figures = drive(port, pid=pid, tables=tables, seconds=SECONDS, pace=pace)
            finally:
                stop.set()
                if is_slow:
                    thread.join()
        print(
            msgspec.json.encode({"machine": name, "tables": tables, **figures}).decode(), flush=True
        )


if __name__ == "__main__":
    main()

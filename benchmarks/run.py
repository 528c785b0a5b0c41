"""Run every benchmark, one after the other, and say which goals are reached."""

from __future__ import annotations

import argparse
import subprocess
import sys
from typing import Any, Final

import msgspec

from benchmarks import goals
from benchmarks.harness import TOP

ALL: Final[tuple[tuple[str, ...], ...]] = (
    ("rules",),
    ("start",),
    ("late",),
    ("pages",),
    ("waiting",),
    ("tables",),
    ("tables", "--game", "desperados", "--tables", "1", "50", "--seconds", "4"),
    ("tables", "--game", "moon_river", "--tables", "1", "50", "--seconds", "4"),
    ("slow_disk",),
    ("small_machine",),
    ("cafe",),
)
PEER: Final = ("peer", "--tables", "1", "50", "--rounds", "3")


def main() -> None:
    """Run those named, or all, and with `--peer` the peer beside them; then print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("names", nargs="*", help="benchmarks to run instead of all")
    options.add_argument("--peer", action="store_true", help="boardgame.io as well (needs Node)")
    chosen = options.parse_args()
    wanted = [words for words in ALL if not chosen.names or words[0] in chosen.names]
    rows = [row for words in [*wanted, *([PEER] if chosen.peer else [])] for row in measured(words)]
    print("\n" + goals.table(rows))


def measured(words: tuple[str, ...]) -> list[dict[str, Any]]:
    """Run one benchmark, show its lines as they come, and give them."""
    print(f"== {' '.join(words)}", flush=True)
    command = [sys.executable, "-m", f"benchmarks.{words[0]}", *words[1:]]
    rows = []
    with subprocess.Popen(command, cwd=TOP, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None  # it was asked for
        for line in process.stdout:
            print(line, end="", flush=True)
            if line.startswith("{"):
                rows.append({"bench": words[0], **msgspec.json.decode(line)})
    if process.returncode:
        sys.exit(f"{words[0]} failed")
    return rows


if __name__ == "__main__":
    main()

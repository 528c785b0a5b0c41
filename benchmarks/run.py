"""Run every benchmark, one after the other."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.harness import TOP

ALL = ("rules", "start", "late", "tables", "slow_disk", "small_machine")


def main() -> None:
    """Run those named on the command line, or all."""
    for name in sys.argv[1:] or ALL:
        print(f"== {name}", flush=True)
        subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], cwd=TOP, check=True)


if __name__ == "__main__":
    main()

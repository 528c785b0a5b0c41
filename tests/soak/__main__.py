"""`python -m tests.soak kills|disk|all`: the long form; see `make soak`. Or `renewed COMMIT`."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from .evening import Evening, Report, filled, killed, renewed


def with_kills(kills: int, folder: Path) -> Report:
    """Play while the server is killed, a tenth of the times before it has written anything."""
    evening = Evening(folder, f"kills {time.time()}")
    try:
        evening.kill_at_the_first_write(kills // 10)
        evening.play(killed(evening, kills - kills // 10))
    finally:
        evening.close()
    return evening.report


def with_a_full_disk(fills: int, folder: Path, *, to_the_end: bool = True) -> Report:
    """Play while the disk fills up and empties: a small one of our own, in a namespace of ours."""
    disk = ["mount", "-t", "tmpfs", "-o", "size=12m", "referee-soak", str(folder)]
    subprocess.run(disk, check=True)
    evening = Evening(folder, f"disk {fills}", () if to_the_end else ("winchester",))
    try:
        evening.start()
        evening.play(filled(evening, fills), to_the_end=to_the_end)
    finally:
        evening.close()
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
    return evening.report


def with_a_renewal(commit: str, moves: int, folder: Path) -> Report:
    """Play with the code of an earlier commit, and then go on with what is here."""
    code = folder / "code"
    code.mkdir()
    packed = subprocess.run(["git", "archive", commit], check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", str(code)], check=True, input=packed)
    evening = Evening(folder / "data", f"renewed {commit}", code=code)
    try:
        evening.start()
        evening.play(renewed(evening, moves))
    finally:
        evening.close()
    return evening.report


def in_a_namespace(words: list[str]) -> subprocess.CompletedProcess[str]:
    """Run this module where its mounts are nobody else's; needs root and `unshare`."""
    command = ["unshare", "--mount", "--propagation", "private", sys.executable, "-m", "tests.soak"]
    return subprocess.run([*command, *words], check=False, capture_output=True, text=True)


def may_mount() -> bool:
    """Say whether a disk of our own can be made here."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or shutil.which("unshare") is None:
        return False
    # Root in a container may not: it is tried.
    with tempfile.TemporaryDirectory() as folder:
        tried = ["unshare", "--mount", "--propagation", "private"]
        tried += ["mount", "-t", "tmpfs", "referee-try", folder]
        return subprocess.run(tried, check=False, capture_output=True).returncode == 0


def main() -> int:
    """Run one form or both; 1 if anything was lost, doubled or different."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument(
        "what", choices=("kills", "disk", "all", "renewed"), nargs="?", default="all"
    )
    parser.add_argument("commits", nargs="*", help="earlier ones, for `renewed`")
    parser.add_argument("--moves", type=int, default=400, help="four times so many before that")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--fills", type=int, default=60)
    parser.add_argument("--short", action="store_true", help="no game to its end")
    options = parser.parse_args()
    reports: list[Report] = []
    with tempfile.TemporaryDirectory() as folder:
        if options.what in {"kills", "all"}:
            reports.append(with_kills(options.kills, Path(folder)))
        for number, commit in enumerate(options.commits if options.what == "renewed" else ()):
            home = Path(folder) / str(number)
            home.mkdir()
            reports.append(with_a_renewal(commit, options.moves, home))
        if options.what == "disk":
            is_whole = not options.short
            reports.append(with_a_full_disk(options.fills, Path(folder), to_the_end=is_whole))
    code = 0
    if options.what == "all" and may_mount():
        ran = in_a_namespace(["disk", "--fills", str(options.fills)])
        sys.stdout.write(ran.stdout + ran.stderr)
        code = ran.returncode
    elif options.what == "all":
        sys.stdout.write("The disk was not filled: that needs root and unshare.\n")
    for report in reports:
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(report)).decode() + "\n")
        code = code or bool(report.faults)
    return int(code)


if __name__ == "__main__":
    sys.exit(main())

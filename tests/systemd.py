"""A real manager of a user's units, and the referee as its service: `python -m tests.systemd DIR`.

Runs in namespaces of its own, which end with it. Prints what it saw, as JSON.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from referee import doctor
from referee.folder import announced
from referee.service import plan

MANAGER: Final = "/lib/systemd/systemd"
TREES: Final = Path("/sys/fs/cgroup")
NONE_RUNS: Final = "no manager runs here"
PATIENCE_S: Final = 60.0
LOGINCTL: Final = """#!/bin/sh
case "$1" in show-user) echo no;; *) echo "$@" >> "$HOME/linger";; esac
"""
"""No one is logged in here, so nobody can linger; what is asked for is noted."""


def group() -> list[Path]:
    """Name the control groups of this try, in either layout of them."""
    trees = [TREES / name for name in ("systemd", "unified")]
    found = [tree for tree in trees if tree.is_dir()] or [TREES]
    return [tree / f"referee-try-{os.environ['REFEREE_TRY']}" for tree in found]


def begin(home: Path) -> subprocess.Popen[bytes]:
    """Start a manager as a login would."""
    with (home / "manager.log").open("ab") as log:
        manager = subprocess.Popen([MANAGER, "--user"], stdout=log, stderr=log)
    until(lambda: said("is-system-running") in {"running", "degraded"}, NONE_RUNS)
    return manager


def until(question: Callable[[], object], otherwise: str) -> None:
    """Ask until the answer is yes."""
    last = time.monotonic() + PATIENCE_S
    while not question():
        if time.monotonic() > last:
            raise SystemExit(otherwise)
        time.sleep(0.1)


def said(*words: str) -> str:
    """Give what systemctl says."""
    done = subprocess.run(
        ["systemctl", "--user", *words], capture_output=True, text=True, check=False
    )
    return done.stdout.strip()


def referee(*words: str) -> tuple[int, str]:
    """Run a command of ours, and give how it ended and what it said."""
    command = [sys.executable, "-m", "referee", "service", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def main(folder: Path) -> None:
    """Install, kill, start anew, remove; and say what was seen."""
    home, run, tools = (folder / name for name in ("home", "run", "tools"))
    for each in (home, run, tools):
        each.mkdir(mode=0o700)
    (tools / "loginctl").write_text(LOGINCTL)
    (tools / "loginctl").chmod(0o755)
    path = f"{tools}:{os.environ['PATH']}"
    os.environ.update(HOME=str(home), XDG_RUNTIME_DIR=str(run), PATH=path)
    os.environ.pop("XDG_CONFIG_HOME", None)
    for each in group():
        each.mkdir()
        (each / "cgroup.procs").write_text(str(os.getpid()))
    data, port = home / "data", os.environ["REFEREE_TRY"]

    def answers() -> bool:
        return doctor.is_answered(announced(data)[0])

    def process() -> int:
        return int(said("show", "-p", "MainPID", "--value", plan.UNIT) or 0)

    seen: dict[str, Any] = {}
    manager = begin(home)
    seen["install"] = referee("install", "--no-kiosk", "--port", port, "--data", str(data))
    seen["status"] = referee("status", "--data", str(data))
    first = process()
    os.kill(first, signal.SIGKILL)
    until(lambda: process() not in {0, first} and answers(), "it did not come back")
    said("exit")
    manager.wait(PATIENCE_S)
    seen["ended with its manager"] = not answers()
    manager = begin(home)
    until(answers, "it did not start with its manager")
    seen["started anew"] = referee("status", "--data", str(data))
    seen["remove"] = referee("remove", "--data", str(data))
    seen["answers after that"] = answers()
    seen["units left"] = [str(path) for path in home.rglob("*.service")]
    seen["evenings left"] = (data / "referee.db").is_file()
    seen["linger"] = (home / "linger").read_text().split("\n")
    said("exit")
    manager.wait(PATIENCE_S)
    sys.stdout.write(json.dumps(seen))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""A server process to measure, and what it and the machine take: time, memory, a commit."""

from __future__ import annotations

import contextlib
import operator
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.scripts import SEATS
from referee.connecting import connect
from referee.lan import free_port
from referee.web import create_app

TOP = Path(__file__).resolve().parent.parent


def pin(core: int, pid: int = 0) -> None:
    """Keep a process on one core, where the platform can."""
    if hasattr(os, "sched_setaffinity") and (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(pid, {core})


@cache
def compile_templates() -> None:
    """Have templates compiled before anything is measured, as at every start but a version's first.

    What compiling leaves behind is several megabytes of a process that does it.
    """
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"DATA": folder})
        renderer = app.extensions["referee"].renderer
        renderer.ahead = operator.call
        for game in SEATS:
            renderer.look_ahead(game, "en")
        app.extensions["referee"].tables.store.close()


@contextlib.contextmanager
def server(
    *, core: int | None = 0, module: str = "referee", first: str = "serve", port: int = 0
) -> Iterator[tuple[int, int]]:
    """Run the real server on a fresh data folder; give its port and process id.

    `module` and `first` start a variant of it, which takes the same options. `core` is the one it
    keeps to; None leaves it free. Whoever runs several at once gives each a `port`: two that look
    for a free one at the same moment find the same.
    """
    compile_templates()
    port = port or free_port("127.0.0.1", 8300)
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", module, first, "--port", str(port)]
        command += ["--no-browser", "--host", "127.0.0.1", "--data", folder]
        process = subprocess.Popen(command, cwd=TOP, stdout=subprocess.DEVNULL)
        if core is not None:
            pin(core, process.pid)
        try:
            wait_for(port)
            yield port, process.pid
        finally:
            process.terminate()
            process.wait(10)


def wait_for(port: int) -> float:
    """Wait for the first answer and give the seconds it took."""
    began = time.perf_counter()
    while time.perf_counter() - began < 20:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1) as s:
            s.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            if b"200" in s.recv(200):
                return time.perf_counter() - began
        time.sleep(0.005)
    raise TimeoutError(port)


def memory_mb(pid: int) -> float:
    """Give a process's proportional memory (PSS) in MB; NaN where /proc has none."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return float("nan")
    found = re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)
    return int(found.group(1)) / 1024 if found else float("nan")


def cpu_s(pid: int) -> float:
    """Give the seconds of processor that a process took so far; NaN where /proc has none.

    What it was given, not how long it took: others on the same machine change little of it.
    """
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return float("nan")
    user, system = text.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def call(port: int, path: str, body: object = None, token: str = "") -> Any:
    """Call the HTTP interface."""
    data = None if body is None else msgspec.json.encode(body)
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data)
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    with urllib.request.urlopen(request) as answer:
        return msgspec.json.decode(answer.read())


def bare_commits(seconds: float, pace: float) -> dict[str, float]:
    """Measure what a small durable commit alone takes here, with the same pauses as a table's.

    To a database of the same kind as the server's, with nobody else there: no server that stores an
    action before anybody sees it is quicker than that.
    """
    taken: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        db = connect(Path(folder) / "bare.db").conn
        db.execute("CREATE TABLE entries (seq INTEGER PRIMARY KEY, payload TEXT)")
        until = time.perf_counter() + seconds
        while (began := time.perf_counter()) < until:
            db.execute("BEGIN IMMEDIATE")
            db.execute("INSERT INTO entries (payload) VALUES (?)", ("x" * 400,))
            db.execute("COMMIT")
            taken.append(time.perf_counter() - began)
            time.sleep(pace)
        db.close()
    taken.sort()
    return {"p50_ms": at(taken, 0.5), "p95_ms": at(taken, 0.95), "p99_ms": at(taken, 0.99)}


def at(values: list[float], share: float) -> float:
    """Give which of these sorted seconds a share of them does not exceed, in milliseconds."""
    if not values:
        return float("nan")
    return round(1000 * values[min(len(values) - 1, int(share * len(values)))], 2)

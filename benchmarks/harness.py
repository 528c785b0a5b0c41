"""A server process to measure, and a load client on raw sockets that costs as little as it can."""

from __future__ import annotations

import contextlib
import os
import random
import re
import selectors
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from referee import chance, profiles
from referee.games import GAMES
from referee.lan import free_port

TOP = Path(__file__).resolve().parent.parent
APP = {"preset": "app", "board": "practice"}
"""What is measured: a game without a box, in which nothing is asked."""
SEATS = 5
WARM_ACTIONS = 20


def pin(core: int, pid: int = 0) -> None:
    """Keep a process on one core, where the platform can."""
    if hasattr(os, "sched_setaffinity") and (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(pid, {core})


@contextlib.contextmanager
def server(
    *, core: int | None = 0, module: str = "referee", first: str = "serve"
) -> Iterator[tuple[int, int]]:
    """Run the real server on a fresh data folder; give its port and process id.

    `module` and `first` start a variant of it, which takes the same options. `core` is the one it
    keeps to; None leaves it free.
    """
    port = free_port("127.0.0.1", 8300)
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


def call(port: int, path: str, body: object = None, token: str = "") -> Any:
    """Call the HTTP interface."""
    data = None if body is None else msgspec.json.encode(body)
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data)
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    with urllib.request.urlopen(request) as answer:
        return msgspec.json.decode(answer.read())


@cache
def script(seed: str) -> list[tuple[int, dict[str, Any]]]:
    """Give a whole game's actions for a seeded table: (seat, action) in order.

    Bids are small steps, so that a game is long and most actions are bids, as at a table.
    """
    rng = random.Random(seed)
    game = GAMES["winchester"]
    step = game.setup(APP | {"star": "0"}, SEATS, profiles.load("winchester", "practice"))
    actions: list[tuple[int, dict[str, Any]]] = []
    while True:
        for need in step.needs:
            step = game.chance(step.state, chance.draw(seed, need))
        asked = sorted(game.to_act(step.state))
        if not asked:
            return actions
        seat = game.public(step.state).waiting_for[0]
        legal = game.legal_actions(step.state, seat)
        action = legal[0] if rng.random() < 0.8 else legal[int(rng.random() * min(len(legal), 3))]
        if len(legal) > 1 and rng.random() < 0.2:
            action = next((a for a in legal if type(a).__name__ == "Pass"), action)
        actions.append((seat, msgspec.to_builtins(action)))
        step = game.apply(step.state, seat, action)


ENDS = re.compile(rb"id: (\d+)\nevent: reload|event: version\ndata: (\d+)\n")
"""How what a page is sent of one version ends."""


@dataclass
class Lane:
    """One table with five phones and a display on live connections, and its next action."""

    port: int
    selector: selectors.BaseSelector
    name: str
    cookies: list[str] = field(default_factory=list)
    versions: list[int] = field(default_factory=list)
    streams: list[socket.socket] = field(default_factory=list)
    poster: socket.socket | None = None
    actions: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    at: int = 0
    wanted: int = 0
    sent_at: float = 0.0
    delays: list[float] = field(default_factory=list)
    done: int = 0
    busy: bool = False
    code: str = ""
    received: int = 0

    def open(self, game: int) -> None:
        """Open a seeded table, seat everybody, start, and connect all pages."""
        seed = f"{self.name} {game}"
        made = call(
            self.port, "/api/v1/tables", {"game": "winchester", "seed": seed, "options": APP}
        )
        self.code = made["table"]
        self.cookies = []
        for number in range(SEATS):
            seat = call(self.port, f"/api/v1/tables/{self.code}/seats", {"name": f"P{number}"})
            self.cookies.append(f"referee_{self.port}_{self.code}_{number}={seat['token']}")
        start = f"/api/v1/tables/{self.code}/start"
        self.wanted = call(self.port, start, {}, made["host_token"])["version"]
        self.actions = script(seed)
        self.at = 0
        self.versions = [0] * (SEATS + 1)
        for index in range(SEATS + 1):
            path = f"/t/{self.code}" if index == SEATS else f"/s/{self.code}/{index}"
            cookie = "" if index == SEATS else f"Cookie: {self.cookies[index]}\r\n"
            self.streams.append(self._stream(f"{path}/stream?status=playing", cookie, index))

    def _connect(self) -> socket.socket:
        """Give the connection for actions; the server hangs up on one that idled."""
        if self.poster is None:
            self.poster = socket.create_connection(("127.0.0.1", self.port))
            self.poster.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.selector.register(self.poster, selectors.EVENT_READ, (self, -1))
        return self.poster

    def _stream(self, path: str, cookie: str, index: int) -> socket.socket:
        stream = socket.create_connection(("127.0.0.1", self.port))
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{cookie}\r\n"
        stream.sendall(request.encode())
        self.selector.register(stream, selectors.EVENT_READ, (self, index))
        return stream

    def close(self) -> None:
        """Leave the table."""
        for each in (*self.streams, self.poster):
            if each is not None:
                self.selector.unregister(each)
                each.close()
        self.streams = []
        self.poster = None

    def act(self) -> bool:
        """Send the next action; False at the end of the game."""
        if self.at >= len(self.actions):
            return False
        seat, action = self.actions[self.at]
        self.at += 1
        fields = {k: str(v) for k, v in action.items() if v is not None}
        fields |= {"version": str(self.wanted), "id": f"{self.at}"}
        body = urllib.parse.urlencode(fields).encode()
        head = (
            f"POST /s/{self.code}/{seat}/act HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            f"Cookie: {self.cookies[seat]}\r\nHX-Request: true\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        ).encode()
        self.busy = True
        self.wanted = -1
        self.sent_at = time.perf_counter()
        self._connect().sendall(head + body)
        return True

    def read(self, source: socket.socket, index: int) -> None:
        """Take what arrived: the answer's version, or the one with which a page's parts end."""
        data = source.recv(1 << 18)
        self.received += len(data)
        if index < 0 and not data:
            assert not self.busy, "the server hung up on an action"
            self.selector.unregister(source)
            source.close()
            self.poster = None
            return
        if index < 0:
            found = re.search(rb"X-Version: (\d+)", data)
            assert found, data[:300]
            self.wanted = int(found.group(1))
            return
        # At the end of the game a page is told to load anew instead.
        for ended, shown in ENDS.findall(data):
            self.versions[index] = int(ended or shown)

    def has_arrived(self) -> bool:
        """Say whether all six pages show the action."""
        if not self.busy or self.wanted < 0 or min(self.versions) < self.wanted:
            return False
        self.busy = False
        self.done += 1
        self.delays.append(time.perf_counter() - self.sent_at)
        return True


def drive(port: int, *, tables: int, seconds: float, pace: float) -> dict[str, float]:
    """Play on many tables at once and give the figures.

    `pace` is the pause between two actions of a table in seconds; 0 is saturated: the next action
    goes out as soon as all six pages showed the last.
    """
    pin((os.cpu_count() or 1) - 1)
    selector = selectors.DefaultSelector()
    lanes = [Lane(port, selector, f"lane {number}") for number in range(tables)]
    games = dict.fromkeys(range(tables), 0)
    for lane in lanes:
        for game in range(1 + 12 // tables):
            script(f"{lane.name} {game}")
    for lane in lanes:
        lane.open(0)
    _settle(selector, lanes)
    due = {id(lane): time.perf_counter() + random.random() * pace for lane in lanes}
    paused = 0.0
    began = time.perf_counter()
    while time.perf_counter() - began - paused < seconds:
        now = time.perf_counter()
        for number, lane in enumerate(lanes):
            if lane.busy or now < due[id(lane)]:
                continue
            if not lane.act():
                stopped = time.perf_counter()
                games[number] += 1
                lane.close()
                lane.open(games[number])
                _settle(selector, [lane])
                paused += time.perf_counter() - stopped if tables == 1 else 0.0
        for key, _ in selector.select(0.001 if pace else 0.2):
            lane, index = key.data
            lane.read(key.fileobj, index)
            if lane.has_arrived():
                due[id(lane)] = time.perf_counter() + pace
    elapsed = time.perf_counter() - began - paused
    delays = sorted(d for lane in lanes for d in lane.delays[WARM_ACTIONS if pace == 0 else 0 :])
    for lane in lanes:
        lane.close()
    count = sum(lane.done for lane in lanes)
    return {
        "actions_per_s": round(count / elapsed, 1),
        "p50_ms": _at(delays, 0.5),
        "p95_ms": _at(delays, 0.95),
        "p99_ms": _at(delays, 0.99),
        "bytes_per_page": round(sum(lane.received for lane in lanes) / max(count, 1) / 6),
    }


def _settle(selector: selectors.BaseSelector, lanes: list[Lane]) -> None:
    """Wait until every page shows the start."""
    until = time.perf_counter() + 20
    while any(min(lane.versions) < lane.wanted for lane in lanes):
        if time.perf_counter() > until:
            raise TimeoutError([lane.versions for lane in lanes])
        for key, _ in selector.select(0.5):
            lane, index = key.data
            lane.read(key.fileobj, index)


def _at(values: list[float], share: float) -> float:
    return (
        round(1000 * values[min(len(values) - 1, int(share * len(values)))], 2) if values else 0.0
    )

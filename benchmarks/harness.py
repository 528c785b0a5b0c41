"""A server process to measure, and a load client on raw sockets that costs as little as it can."""

from __future__ import annotations

import contextlib
import operator
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
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.scripts import APP, SEATS, Move, script
from referee.lan import free_port

TOP = Path(__file__).resolve().parent.parent
WARM_ACTIONS = 20


def pin(core: int, pid: int = 0) -> None:
    """Keep a process on one core, where the platform can."""
    if hasattr(os, "sched_setaffinity") and (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(pid, {core})


@contextlib.contextmanager
def server(
    *, core: int | None = 0, module: str = "referee", first: str = "serve", port: int = 0
) -> Iterator[tuple[int, int]]:
    """Run the real server on a fresh data folder; give its port and process id.

    `module` and `first` start a variant of it, which takes the same options. `core` is the one it
    keeps to; None leaves it free. Whoever runs several at once gives each a `port`: two that look
    for a free one at the same moment find the same.
    """
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


def call(port: int, path: str, body: object = None, token: str = "") -> Any:
    """Call the HTTP interface."""
    data = None if body is None else msgspec.json.encode(body)
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data)
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    with urllib.request.urlopen(request) as answer:
        return msgspec.json.decode(answer.read())


ENDS = re.compile(rb"id: (\d+)\nevent: reload|event: version\ndata: (\d+)\n")
"""How what a page is sent of one version ends."""
LONGEST = 64
"""Bytes that no status and no end of a version exceeds."""


STATUS = re.compile(rb"HTTP/1\.1 (\d{3})")


@dataclass
class Lane:
    """One table with a phone a seat and a display on live connections, and its next action.

    Attributes:
        versions: what each page shows; the display is the last.
        wanted: what each shall show.
        is_answered: whether the server has answered the action.
    """

    port: int
    selector: selectors.BaseSelector
    name: str
    game: str = "winchester"
    keys: list[str] = field(default_factory=list)
    versions: list[int] = field(default_factory=list)
    streams: list[socket.socket] = field(default_factory=list)
    poster: socket.socket | None = None
    moves: tuple[Move, ...] = ()
    at: int = 0
    wanted: tuple[int, ...] = ()
    sent_at: float = 0.0
    delays: list[float] = field(default_factory=list)
    done: int = 0
    busy: bool = False
    is_answered: bool = False
    code: str = ""
    received: int = 0
    tails: dict[int, bytes] = field(default_factory=dict)
    """By page, and -1 for answers: the end of what was read, for what two reads split."""

    def open(self, game: int) -> None:
        """Open a seeded table, seat everybody, start, and connect all pages."""
        seed = f"{self.name} {game}"
        made = call(self.port, "/api/v1/tables", {"game": self.game, "seed": seed, "options": APP})
        self.code = made["table"]
        seats = range(SEATS[self.game])
        where = f"/api/v1/tables/{self.code}"
        self.keys = [call(self.port, f"{where}/seats", {"name": f"P{n}"})["token"] for n in seats]
        call(self.port, f"{where}/start", {}, made["host_token"])
        written = script(self.game, seed)
        self.moves, self.wanted, self.at = written.moves, written.start, 0
        self.versions = [0] * len(self.wanted)
        for index in (*seats, None):
            path = f"/t/{self.code}" if index is None else f"/s/{self.code}/{index}"
            cookie = "" if index is None else f"Cookie: {self._cookie(index)}\r\n"
            self.streams.append(
                self._stream(f"{path}/stream?status=playing&pieces=1", cookie, len(self.streams))
            )

    def plan(self, games: int) -> None:
        """Play the games that are to come beforehand, so that none is played meanwhile."""
        for number in range(games):
            script(self.game, f"{self.name} {number}")

    def _cookie(self, seat: int) -> str:
        return f"referee_{self.port}_{self.code}_{seat}={self.keys[seat]}"

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
        self.tails.clear()

    def act(self) -> bool:
        """Send the next action; False at the end of the game.

        An auction's is sent as a phone's page does; others have forms of many shapes, so theirs
        go to the interface for programs.
        """
        if self.at >= len(self.moves):
            return False
        move = self.moves[self.at]
        self.at += 1
        self.busy, self.is_answered, self.wanted = True, False, move.shown
        sent = self._form(move) if self.game == "winchester" else self._call(move)
        self.sent_at = time.perf_counter()
        self._connect().sendall(sent)
        return True

    def _form(self, move: Move) -> bytes:
        fields = {k: str(v) for k, v in move.action.items() if v is not None}
        fields |= {"version": str(move.before), "id": f"{self.at}"}
        head = f"Cookie: {self._cookie(move.seat)}\r\nHX-Request: true\r\n"
        kind = "application/x-www-form-urlencoded"
        path = f"/s/{self.code}/{move.seat}/act"
        return self._post(path, head, kind, urllib.parse.urlencode(fields).encode())

    def _call(self, move: Move) -> bytes:
        wanted = {"version": move.before, "id": f"{self.at}", "action": move.action}
        head = f"Authorization: Bearer {self.keys[move.seat]}\r\n"
        path = f"/api/v1/tables/{self.code}/actions"
        return self._post(path, head, "application/json", msgspec.json.encode(wanted))

    def _post(self, path: str, head: str, kind: str, body: bytes) -> bytes:
        return (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{head}"
            f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
        ).encode() + body

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
        data = self.tails.get(index, b"") + data
        pattern = STATUS if index < 0 else ENDS
        last = 0
        for match in pattern.finditer(data):
            last = match.end()
            if index < 0:
                assert match[1] in {b"200", b"204"}, data[:300]
                self.is_answered = True
            else:
                # At the end of the game a page is told to load anew instead.
                self.versions[index] = int(match[1] or match[2])
        self.tails[index] = data[max(last, len(data) - LONGEST) :]

    def shows_all(self) -> bool:
        """Say whether every page shows what it shall."""
        return all(map(operator.ge, self.versions, self.wanted))

    def has_arrived(self) -> bool:
        """Say whether an action was answered and all pages that shall know of it show it."""
        if not (self.busy and self.is_answered and self.shows_all()):
            return False
        self.busy = False
        self.done += 1
        self.delays.append(time.perf_counter() - self.sent_at)
        return True


def drive(
    port: int, *, tables: int, seconds: float, pace: float, game: str = "winchester"
) -> dict[str, float]:
    """Play on many tables at once and give the figures.

    `pace` is the pause between two actions of a table in seconds; 0 is saturated: the next action
    goes out as soon as all pages showed the last.
    """
    pin((os.cpu_count() or 1) - 1)
    selector = selectors.DefaultSelector()
    lanes = [Lane(port, selector, f"lane {number}", game) for number in range(tables)]
    games = dict.fromkeys(range(tables), 0)
    for lane in lanes:
        lane.plan(1 + (0 if pace else 12 // tables))
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
    pages = sum(len(lane.versions) for lane in lanes) / tables
    delays = sorted(d for lane in lanes for d in lane.delays[WARM_ACTIONS if pace == 0 else 0 :])
    for lane in lanes:
        lane.close()
    count = sum(lane.done for lane in lanes)
    return {
        "actions_per_s": round(count / elapsed, 1),
        "p50_ms": _at(delays, 0.5),
        "p95_ms": _at(delays, 0.95),
        "p99_ms": _at(delays, 0.99),
        "bytes_per_page": round(sum(lane.received for lane in lanes) / max(count, 1) / pages),
    }


def _settle(selector: selectors.BaseSelector, lanes: list[Lane]) -> None:
    """Wait until every page shows the start."""
    until = time.perf_counter() + 20
    while not all(lane.shows_all() for lane in lanes):
        if time.perf_counter() > until:
            raise TimeoutError([lane.versions for lane in lanes if not lane.shows_all()])
        for key, _ in selector.select(0.5):
            lane, index = key.data
            lane.read(key.fileobj, index)


def _at(values: list[float], share: float) -> float:
    return (
        round(1000 * values[min(len(values) - 1, int(share * len(values)))], 2) if values else 0.0
    )

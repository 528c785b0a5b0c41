"""A load client on raw sockets that costs as little as it can: tables that are played at once."""

from __future__ import annotations

import heapq
import operator
import os
import random
import re
import selectors
import socket
import time
import urllib.parse
from dataclasses import dataclass, field

from benchmarks.harness import at, call, cpu_s, pin
from benchmarks.scripts import APP, SEATS, Move, script

WARM_S = 1.5
"""Played before anything is counted but the first action: what a process does once is no figure."""
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
    sent: bytes = b""
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
                self._stream(
                    f"{path}/stream?status=playing&pieces=1&icons=1", cookie, len(self.streams)
                )
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
        """Send the next action as a phone's page does; False at the end of the game."""
        if self.at >= len(self.moves):
            return False
        move = self.moves[self.at]
        self.at += 1
        self.busy, self.is_answered, self.wanted = True, False, move.shown
        self.sent = self._form(move)
        self.sent_at = time.perf_counter()
        self._send()
        return True

    def _send(self) -> None:
        """Send an action; again, if the server hung up on the idle connection that very moment."""
        try:
            self._connect().sendall(self.sent)
        except OSError:
            self._hang_up()
            self._connect().sendall(self.sent)

    def _hang_up(self) -> None:
        if self.poster is not None:
            self.selector.unregister(self.poster)
            self.poster.close()
            self.poster = None

    def _form(self, move: Move) -> bytes:
        fields = move.form | {"version": str(move.before), "id": f"{self.at}"}
        body = urllib.parse.urlencode(fields).encode()
        head = (
            f"POST /s/{self.code}/{move.seat}/act HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            f"Cookie: {self._cookie(move.seat)}\r\nHX-Request: true\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        return head.encode() + body

    def read(self, source: socket.socket, index: int) -> None:
        """Take what arrived: the answer's version, or the one with which a page's parts end."""
        try:
            data = source.recv(1 << 18)
        except ConnectionError:
            data = b""
        self.received += len(data)
        if index < 0 and not data:
            self._hang_up()
            if self.busy and not self.is_answered:
                # As browsers do with a connection that had idled: its id keeps it one action.
                self._send()
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


class Load:
    """Tables that are played at once; `pace` is the pause between two actions of each, in seconds.

    Without a pause the next action goes out as soon as all pages showed the last: saturated.
    """

    def __init__(self, lanes: list[Lane], selector: selectors.BaseSelector, pace: float) -> None:
        self.lanes = lanes
        self.pace = pace
        self._selector = selector
        self._games = [0] * len(lanes)
        self._due: list[tuple[float, int]] = []
        self._numbers = {id(lane): number for number, lane in enumerate(lanes)}
        self.paused = 0.0

    def open(self) -> None:
        """Open all tables and wait until every page shows the start."""
        for lane in self.lanes:
            lane.plan(1 + (0 if self.pace else 12 // len(self.lanes)))
        for lane in self.lanes:
            lane.open(0)
        self._settle(self.lanes)
        now = time.perf_counter()
        self._due = [(now + random.random() * self.pace, at) for at in range(len(self.lanes))]
        heapq.heapify(self._due)

    def play(self, seconds: float) -> float:
        """Play for a while and give how long it was, without what one table alone paused."""
        self.paused = 0.0
        began = time.perf_counter()
        while (now := time.perf_counter()) - began - self.paused < seconds:
            while self._due and self._due[0][0] <= now:
                _, number = heapq.heappop(self._due)
                if not self.lanes[number].act():
                    self._begin_anew(number)
            until = self._due[0][0] - time.perf_counter() if self._due else 0.2
            self._hear(min(0.2, max(0.0, until)))
        return time.perf_counter() - began - self.paused

    def _begin_anew(self, number: int) -> None:
        """Play another game at a table whose last is over."""
        stopped = time.perf_counter()
        lane = self.lanes[number]
        self._games[number] += 1
        lane.close()
        lane.open(self._games[number])
        self._settle([lane])
        heapq.heappush(self._due, (time.perf_counter(), number))
        self.paused += time.perf_counter() - stopped if len(self.lanes) == 1 else 0.0

    def _settle(self, lanes: list[Lane]) -> None:
        """Wait until every page shows the start."""
        until = time.perf_counter() + 20
        while not all(lane.shows_all() for lane in lanes):
            if time.perf_counter() > until:
                raise TimeoutError([lane.versions for lane in lanes if not lane.shows_all()])
            self._hear(0.5)

    def _hear(self, timeout: float) -> None:
        """Read what came, and note which actions all pages show."""
        for key, _ in self._selector.select(timeout):
            lane, index = key.data
            lane.read(key.fileobj, index)
            if lane.has_arrived():
                due = time.perf_counter() + self.pace
                heapq.heappush(self._due, (due, self._numbers[id(lane)]))


def drive(
    port: int, *, pid: int, tables: int, seconds: float, pace: float, game: str = "winchester"
) -> dict[str, float]:
    """Play on many tables at once and give the figures; `pid` is the server's."""
    pin((os.cpu_count() or 1) - 1)
    with selectors.DefaultSelector() as selector:
        lanes = [Lane(port, selector, f"lane {number}", game) for number in range(tables)]
        load = Load(lanes, selector, pace)
        load.open()
        load.play(WARM_S + pace)
        first = max((lane.delays[0] for lane in lanes if lane.delays), default=float("nan"))
        for lane in lanes:
            lane.delays.clear()
            lane.done = lane.received = 0
        spent, own = cpu_s(pid), time.process_time()
        elapsed = load.play(seconds)
        spent, own = cpu_s(pid) - spent, time.process_time() - own
        pages = sum(len(lane.versions) for lane in lanes) / tables
        for lane in lanes:
            lane.close()
    delays = sorted(delay for lane in lanes for delay in lane.delays)
    count = max(1, sum(lane.done for lane in lanes))
    return {
        "actions_per_s": round(count / elapsed, 1),
        "p50_ms": at(delays, 0.5),
        "p95_ms": at(delays, 0.95),
        "p99_ms": at(delays, 0.99),
        "first_ms": round(1000 * first, 1),
        "cpu_ms": round(1000 * spent / count, 2),
        "client_busy": round(own / elapsed, 2),
        "bytes_per_page": round(sum(lane.received for lane in lanes) / count / pages),
    }

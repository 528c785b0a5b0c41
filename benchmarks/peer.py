"""The peer: the same workload on boardgame.io (Node), measured in turns with ours in one run.

Its server runs in its best case: production mode, websocket only, undo off, the client's next
action waits for nothing but the six screens. Its memory store keeps nothing over a restart; its
file store writes without a sync and after it has told everybody. Ours commits with a sync first.
The game on its side (`peer/auction.js`) is an auction of the same rhythm and size as Winchester.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import selectors
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar
from unittest import mock

import msgspec

from benchmarks import harness, lanes, scripts
from referee.lan import free_port
from referee.simulate import simulate

FOLDER = Path(__file__).resolve().parent / "peer"
PINS = {"boardgame.io": "0.50.2", "koa-compose": "4.1.0", "node-persist": "3.1.0"}
SCRIPTS = 20
SEATS = scripts.SEATS["winchester"]
RULES_SEATS = 4
STUCK_S = 5.0
MOST_LIGHT_PER_S = 100
QUICKEST_PACE_S = 0.1
SHORT, LONG = 126, 127

Figures = dict[str, float]


def version(package: str) -> str:
    """Give the version of an installed package; empty when there is none."""
    with contextlib.suppress(OSError):
        text = (FOLDER / "node_modules" / package / "package.json").read_text("utf-8")
        return str(msgspec.json.decode(text)["version"])
    return ""


def install(npm: str) -> None:
    """Install the pinned packages into an ignored folder, once."""
    if all(version(package) == pinned for package, pinned in PINS.items()):
        return
    command = [npm, "install", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts"]
    subprocess.run(command, cwd=FOLDER, stdout=subprocess.DEVNULL, check=True)


@contextlib.contextmanager
def pinned(core: int) -> Iterator[None]:
    """Run what is started inside, all its threads included, on this core; then take the other."""
    harness.pin(core)
    try:
        yield
    finally:
        harness.pin((os.cpu_count() or 1) - 1)


def play(node: str, *words: object) -> str:
    """Let Node play whole games without a server, and give what it prints."""
    with pinned(0):
        command = [node, str(FOLDER / "play.js"), *map(str, words)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@contextlib.contextmanager
def server(node: str, *, file_store: bool) -> Iterator[tuple[int, int]]:
    """Run the peer's server; give its port and process id."""
    port = free_port("127.0.0.1", 8700)
    with tempfile.TemporaryDirectory() as folder:
        command = [node, str(FOLDER / "server.js"), str(port)]
        environment = {k: v for k, v in os.environ.items() if k != "FLATFILE_DIR"}
        with pinned(0):
            process = subprocess.Popen(
                [*command, folder] if file_store else command, env=environment
            )
        try:
            harness.wait_for(port)
            yield port, process.pid
        finally:
            process.terminate()
            process.wait(10)


def post(port: int, path: str, body: object) -> Any:
    """Call the peer's lobby."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", msgspec.json.encode(body))
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request) as answer:
        return msgspec.json.decode(answer.read())


def frame(text: bytes) -> bytes:
    """Wrap a message into a client's websocket frame; the mask of zeros changes nothing."""
    size = bytes([0x80 | len(text)])
    if len(text) >= SHORT:
        size = bytes([0x80 | SHORT]) + len(text).to_bytes(2, "big")
    return b"\x81" + size + bytes(4) + text


def unframe(data: bytes) -> tuple[list[bytes], bytes]:
    """Give the messages of all whole frames, and the bytes left over."""
    messages = []
    at = 0
    while len(data) >= at + 2:
        size, begin = data[at + 1], at + 2
        if size >= SHORT:
            begin += 2 if size < LONG else 8
            if len(data) < begin:
                break
            size = int.from_bytes(data[at + 2 : begin], "big")
        if len(data) < begin + size:
            break
        messages.append(data[begin : begin + size])
        at = begin + size
    return messages, data[at:]


@dataclass
class PeerLane(lanes.Lane):
    """One table of the peer: five players and a spectator, each on a websocket."""

    scripts: ClassVar[list[dict[str, Any]]] = []
    actions: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    rest: list[bytes] = field(default_factory=list)

    def plan(self, games: int) -> None:
        """Its games were played beforehand by itself."""

    def open(self, game: int) -> None:
        """Open a match dealt as scripted, seat everybody, and connect all six."""
        number = int(self.name.split()[-1])
        script = self.scripts[(number + 7 * game) % len(self.scripts)]
        made = {"numPlayers": SEATS, "setupData": script["deal"]}
        self.code = post(self.port, "/games/auction/create", made)["matchID"]
        self.keys = []
        for seat in range(SEATS):
            body = {"playerID": str(seat), "playerName": f"P{seat}"}
            joined = post(self.port, f"/games/auction/{self.code}/join", body)
            self.keys.append(joined["playerCredentials"])
        self.actions = [
            (seat, {"name": name, "args": args}) for seat, name, *args in script["moves"]
        ]
        self.at = 0
        self.wanted = (0,) * (SEATS + 1)
        self.versions = [-1] * (SEATS + 1)
        self.rest = [b""] * (SEATS + 1)
        for index in range(SEATS + 1):
            self.streams.append(self._connect(index))
            self.selector.register(self.streams[index], selectors.EVENT_READ, (self, index))

    def _connect(self, index: int) -> socket.socket:
        """Shake hands for a websocket, then for engine.io and socket.io, then ask for the state."""
        stream = socket.create_connection(("127.0.0.1", self.port))
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        stream.sendall(
            b"GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            b"Sec-WebSocket-Key: cmVmZXJlZSBiZW5jaG1hcg==\r\n\r\n"
        )
        head = b""
        while b"\r\n\r\n" not in head:
            head += _received(stream)
        assert b" 101 " in head, head
        rest = head.partition(b"\r\n\r\n")[2]
        stream.sendall(frame(b"40/auction,"))
        while True:
            messages, rest = unframe(rest)
            if any(message.startswith(b"40/auction,") for message in messages):
                break
            rest += _received(stream)
        self.rest[index] = rest
        is_player = index < SEATS
        who = [str(index), self.keys[index]] if is_player else [None, None]
        stream.sendall(_event("sync", self.code, *who, SEATS))
        return stream

    def close(self) -> None:
        """Leave the table, its last action shown: a refusal must not pass for slowness."""
        until = time.perf_counter() + STUCK_S
        while self.busy and not self.shows_all():
            if time.perf_counter() > until:
                raise TimeoutError(f"the peer never showed {self.actions[self.at - 1]}")
            for key, _ in self.selector.select(0.1):
                lane, index = key.data
                lane.read(key.fileobj, index)
        super().close()

    def act(self) -> bool:
        """Send the next action; False at the end of the game."""
        if self.at >= len(self.actions):
            return False
        seat, action = self.actions[self.at]
        payload = {
            "type": action["name"],
            "args": action["args"],
            "playerID": str(seat),
            "credentials": self.keys[seat],
        }
        made = {"type": "MAKE_MOVE", "payload": payload}
        sent = _event("update", made, self.at, self.code, str(seat))
        self.at += 1
        self.wanted = (self.at,) * (SEATS + 1)
        self.is_answered = True  # with its screens: it has no other answer
        self.busy = True
        self.sent_at = time.perf_counter()
        self.streams[seat].sendall(sent)
        return True

    def read(self, source: socket.socket, index: int) -> None:
        """Take what arrived: the newest state's number, or a ping to answer."""
        data = _received(source)
        self.received += len(data)
        messages, self.rest[index] = unframe(self.rest[index] + data)
        for message in messages:
            if message == b"2":
                source.sendall(frame(b"3"))
                continue
            at = message.find(b'"_stateID":')
            if at >= 0:
                end = message.find(b",", at)
                self.versions[index] = int(message[at + 11 : end].rstrip(b"}"))


def _received(stream: socket.socket) -> bytes:
    data = stream.recv(1 << 18)
    if not data:
        raise ConnectionError("the peer closed a connection")
    return data


def _event(*values: object) -> bytes:
    return frame(b"42/auction," + msgspec.json.encode(values))


def ours(tables: int, seconds: float, pace: float) -> Figures:
    """Measure our own server."""
    with harness.server() as (port, pid):
        figures = lanes.drive(port, pid=pid, tables=tables, seconds=seconds, pace=pace)
        return {**figures, "pss_mb": round(harness.memory_mb(pid), 1)}


def theirs(node: str, tables: int, seconds: float, pace: float, *, file_store: bool) -> Figures:
    """Measure the peer's server, by the very same loop."""
    with server(node, file_store=file_store) as (port, pid), _peer_lanes():
        figures = lanes.drive(port, pid=pid, tables=tables, seconds=seconds, pace=pace)
        return {**figures, "pss_mb": round(harness.memory_mb(pid), 1)}


def _peer_lanes() -> contextlib.AbstractContextManager[object]:
    return mock.patch.object(lanes, "Lane", PeerLane)


def rules(node: str, seconds: float, rounds: int) -> None:
    """Measure random whole games without any server, theirs and ours in turns."""

    def our_rules() -> Figures:
        with pinned(0):
            report = simulate(
                "winchester",
                games=round(300 * seconds),
                seats=RULES_SEATS,
                seed="peer",
                options={"auction": "open", "board": "practice"},
            )
        return {"actions_per_s": report.actions_per_s, "games_per_s": report.games_per_s}

    def their_rules() -> Figures:
        figures: Figures = msgspec.json.decode(play(node, "rules", seconds, RULES_SEATS))
        return figures

    compare({"measure": "rules"}, {"referee": our_rules, "reducer": their_rules}, rounds)


def tables_played(node: str, tables: int, load: str, seconds: float, rounds: int) -> None:
    """Measure from a tap to all six screens, ours and their two stores in turns.

    Light is one action in flight a table, ten a second or fewer, a hundred for all tables.
    """
    pace = max(QUICKEST_PACE_S, tables / MOST_LIGHT_PER_S) if load == "light" else 0.0
    sides = {
        "referee": lambda: ours(tables, seconds, pace),
        "memory store": lambda: theirs(node, tables, seconds, pace, file_store=False),
        "file store": lambda: theirs(node, tables, seconds, pace, file_store=True),
    }
    if load == "light":
        # As often as all tables together: the part of ours that no server can leave out which
        # stores before it tells. The peer's stores do without.
        sides["bare commit"] = lambda: harness.bare_commits(seconds, pace / tables)
    compare({"measure": "tables", "tables": tables, "load": load}, sides, rounds)


def compare(about: dict[str, Any], sides: dict[str, Callable[[], Figures]], rounds: int) -> None:
    """Measure all sides in turns, and print every figure and the ratios of ours to theirs.

    A ratio is the median of the rounds' own ratios: what slows a whole round cancels out.
    """
    taken: dict[str, list[Figures]] = {side: [] for side in sides}
    for number in range(rounds):
        for side in list(sides)[:: -1 if number % 2 else 1]:
            taken[side].append(sides[side]())
            _print({**about, "side": side, "round": number + 1, **taken[side][-1]})
    for side in list(sides)[1:]:
        pairs = list(zip(taken["referee"], taken[side], strict=True))
        ratios = {
            key: round(statistics.median(us[key] / them[key] for us, them in pairs), 3)
            for key in taken[side][0]
            if all(us[key] and them[key] for us, them in pairs)
        }
        _print({**about, "ratio": f"referee / {side}", **ratios})


def _print(row: dict[str, Any]) -> None:
    print(msgspec.json.encode(row).decode(), flush=True)


def main() -> None:
    """Print one line of JSON a measurement and one a ratio."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--tables", type=int, nargs="*", default=[1, 10, 50])
    options.add_argument("--seconds", type=float, default=4, help="of each measurement")
    options.add_argument("--rounds", type=int, default=3, help="how often each side's turn comes")
    chosen = options.parse_args()
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        print("The peer needs Node 16 or later with npm on the path; nothing was measured.")
        return
    try:
        install(npm)
    except subprocess.CalledProcessError:
        sys.exit("npm could not install the peer's packages; nothing was measured.")
    made = subprocess.run([node, "--version"], check=True, capture_output=True, text=True)
    versions = {package: version(package) for package in (*PINS, "socket.io", "ws")}
    _print({"measure": "versions", "node": made.stdout.strip(), **versions})
    rules(node, chosen.seconds, chosen.rounds)
    lines = play(node, "scripts", SCRIPTS, SEATS).splitlines()
    PeerLane.scripts = [msgspec.json.decode(line) for line in lines]
    for tables in chosen.tables:
        for load in ("light", "saturated"):
            tables_played(node, tables, load, chosen.seconds, chosen.rounds)


if __name__ == "__main__":
    main()

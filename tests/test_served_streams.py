"""Open pages at the real server: slow phones, and phones that are gone in the middle of a word."""

from __future__ import annotations

import contextlib
import re
import secrets
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tests.test_server import OPTIONS, PATIENCE, Server, serving

pytestmark = pytest.mark.server

TURNS = 60
SMALL_LINES = """
import socket, referee.server as server
server.make_cooperative()
import referee.handling as handling
handling.SILENCE_S = 600.0
listen = server._listen
def small(*where):
    found = listen(*where)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
    return found
server._listen = small
from referee.cli import main
main()
"""
"""A server whose lines hold little: systems keep megabytes for a phone that takes nothing. It waits
for one as long as a busy machine takes for all the turns of a test."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Run a server of one's own."""
    with serving(tmp_path, start=SMALL_LINES) as server:
        yield server


def seated(server: Server) -> tuple[str, list[str]]:
    """Open a table of which each update is some kilobytes, and start."""
    wanted = {"game": "moon_river", "seed": "slow", "options": OPTIONS}
    opened = server.post("/api/v1/tables", wanted)
    where = f"/api/v1/tables/{opened['table']}"
    tokens = [server.post(f"{where}/seats", {"name": name})["token"] for name in "AB"]
    server.post(f"{where}/start", {}, opened["host_token"])
    return opened["table"], tokens


def play(server: Server, code: str, tokens: list[str], turns: int) -> list[int]:
    """Let everybody do something that they may, and give the versions that this led to."""
    where = f"/api/v1/tables/{code}"
    versions = []
    for turn in range(turns):
        seat = server.ask(where, tokens[0])["to_act"][0]
        mine = server.ask(where, tokens[seat])
        action = mine["legal"][turn % len(mine["legal"])]
        wanted = {"version": mine["version"], "id": secrets.token_hex(8), "action": action}
        # Nothing is hidden in this game: a seat counts as the display does.
        versions.append(server.post(f"{where}/actions", wanted, tokens[seat])["version"])
    return versions


def version_of(server: Server, code: str) -> int:
    """Give the version that the display shows."""
    return int(msgspec.json.decode(server.get(f"/api/v1/tables/{code}"))["version"])


def watch(server: Server, code: str, page: str, *, room: int = 0) -> socket.socket:
    """Open a display, with little room for what arrives if that is wanted."""
    client = socket.socket()
    if room:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    client.settimeout(PATIENCE)
    client.connect((server.host, server.port))
    client.sendall(f"GET /t/{code}/stream?page={page} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return client


def told(client: socket.socket, until: int) -> list[int]:
    """Read whole chunks until a version; give the versions on the way."""
    raw = b""
    while b"event: version\ndata: %d\n\n\r\n" % until not in raw:
        part = client.recv(65536)
        assert part, raw[-300:]
        raw += part
    body, rest = b"", raw.partition(b"\r\n\r\n")[2] if raw.startswith(b"HTTP/") else raw
    while rest:
        size, _, rest = rest.partition(b"\r\n")
        length = int(size, 16)
        assert rest[length : length + 2] == b"\r\n"
        body, rest = body + rest[:length], rest[length + 2 :]
    return [int(each) for each in re.findall(rb"event: version\ndata: (\d+)\n", body)]


def test_a_phone_that_takes_nothing_holds_up_nobody(server: Server) -> None:
    """Others see each action; it skips what it missed, and no chunk is cut or mixed up."""
    code, tokens = seated(server)
    with watch(server, code, "slow", room=2048) as slow, watch(server, code, "quick") as quick:
        told(quick, version_of(server, code))
        for _ in range(TURNS):
            (version,) = play(server, code, tokens, 1)
            # Nothing else is on its way to it: one update for one action.
            assert told(quick, version)[-1] == version
        skipped = told(slow, version)
        assert skipped == sorted(set(skipped))
        assert len(skipped) < TURNS / 2


def test_a_page_that_is_cut_off_in_mid_word_is_forgotten(server: Server) -> None:
    """Its line is full when it is gone; everybody else goes on, and nothing is said of it."""
    code, tokens = seated(server)
    with watch(server, code, "quick") as quick, contextlib.ExitStack() as stack:
        for number in range(5):
            gone = stack.enter_context(watch(server, code, f"gone {number}", room=2048))
            # Closed without a word, as by a router that forgot the connection.
            gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        play(server, code, tokens, TURNS // 2)
        stack.close()
        last = play(server, code, tokens, 10)[-1]
        assert told(quick, last)[-1] == last
        assert server.get("/healthz") == b'{"status":"ok"}\n'
    assert b"Traceback" not in server.printed

"""What an open page costs at which nothing happens: memory, and processor for its heartbeats."""

from __future__ import annotations

import contextlib
import re
import socket
import time

import msgspec

from benchmarks.harness import call, cpu_s, memory_mb, server
from benchmarks.scripts import APP, SEATS
from referee.server import raise_file_limit

PAGES = 500
AHEAD_S = 3.0
BEATS_S = 20.0
"""Two heartbeats of every page."""


def main() -> None:
    """Print one line of JSON: beside a page, a connection that was kept after an answer."""
    raise_file_limit()
    with server() as (port, pid), contextlib.ExitStack() as stack:
        code = _table(port)
        # Whatever is made once is no page's: also what is loaded ahead once the game has begun.
        stack.enter_context(_asked(port, f"/t/{code}/stream?page=first"))
        time.sleep(AHEAD_S)
        before = memory_mb(pid)
        for number in range(PAGES):
            stack.enter_context(_asked(port, f"/t/{code}/stream?page={number}", str(number)))
        page_kb = (memory_mb(pid) - before) * 1024 / PAGES
        began = cpu_s(pid)
        time.sleep(BEATS_S)
        beat_ms = (cpu_s(pid) - began) * 1000 / PAGES / 2
        before = memory_mb(pid)
        for _ in range(PAGES):
            stack.enter_context(_asked(port, "/healthz"))
        kept_kb = (memory_mb(pid) - before) * 1024 / PAGES
        row = {
            "what": "waiting",
            "pages": PAGES,
            "page_kb": round(page_kb, 1),
            "heartbeat_ms": round(beat_ms, 3),
            "kept_connection_kb": round(kept_kb, 1),
            "ratio": round(page_kb / kept_kb, 2),
        }
        print(msgspec.json.encode(row).decode(), flush=True)


def _table(port: int) -> str:
    """Begin a game, and give its code."""
    opened = call(port, "/api/v1/tables", {"game": "winchester", "options": APP})
    code: str = opened["table"]
    for number in range(SEATS["winchester"]):
        call(port, f"/api/v1/tables/{code}/seats", {"name": f"P{number}"})
    call(port, f"/api/v1/tables/{code}/start", {}, opened["host_token"])
    return code


def _asked(port: int, path: str, agent: str = "") -> socket.socket:
    """Ask for something and leave the connection open; each agent counts as a browser."""
    client = socket.create_connection(("127.0.0.1", port), 10)
    client.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nUser-Agent: a{agent}\r\n\r\n".encode())
    read = b""
    # A page is whole once it has been sent its version.
    while not re.search(rb"event: version\ndata: \d+\n\n|\"ok\"", read):
        read += client.recv(65536)
    return client


if __name__ == "__main__":
    main()

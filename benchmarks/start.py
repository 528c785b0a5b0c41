"""From starting the process to the first answer, and what a new phone loads until it plays."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
import tempfile
import time
import urllib.request

import msgspec

from benchmarks.harness import TOP, call, memory_mb, wait_for
from referee.lan import free_port


def main() -> None:
    """Print one line of JSON a measurement."""
    with tempfile.TemporaryDirectory() as folder:
        times = [_start(folder) for _ in range(4)]
        row = _row(what="start", cold_s=times[0], warm_s=min(times[1:]), bare_python_s=_bare())
        print(row, flush=True)
        print(_first_visit(folder), flush=True)


def _start(folder: str) -> float:
    port = free_port("127.0.0.1", 8500)
    process, began = _serve(port, folder)
    wait_for(port)
    taken = time.perf_counter() - began
    process.terminate()
    process.wait(10)
    return round(taken, 3)


def _serve(port: int, folder: str) -> tuple[subprocess.Popen[bytes], float]:
    command = [sys.executable, "-m", "referee", "serve", "--port", str(port), "--no-browser"]
    began = time.perf_counter()
    process = subprocess.Popen([*command, "--data", folder], cwd=TOP, stdout=subprocess.DEVNULL)
    return process, began


def _bare() -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import flask"], check=True)
    return round(time.perf_counter() - began, 3)


def _first_visit(folder: str) -> str:
    """Go to the table as a phone does, and count what is sent: bodies as they are packed.

    `first_visit_kb` is the join page with all that it needs until it is alive, `until_playing_kb`
    also what follows until the seat's page of the running game is: that of the lobby, its own and
    what only they need. What a page loads once it is alive is in `late`, and in neither.
    """
    port = free_port("127.0.0.1", 8500)
    process, _ = _serve(port, folder)
    try:
        wait_for(port)
        idle = memory_mb(process.pid)
        made = call(port, "/api/v1/tables", {"game": "winchester"})
        place = f"/api/v1/tables/{made['table']}"
        keys = [call(port, f"{place}/seats", {"name": f"P{n}"})["token"] for n in range(3)]
        visit = _Visit(port)
        join = visit.open(f"/j/{made['table']}")
        first = join + sum(visit.needed.values())
        visit.cookie = f"referee_{port}_{made['table']}_0={keys[0]}"
        lobby = visit.open(f"/s/{made['table']}/0")
        call(port, f"{place}/start", {}, made["host_token"])
        seat = visit.open(f"/s/{made['table']}/0")
        return _row(
            what="first visit",
            first_visit_kb=round(first / 1000, 1),
            until_playing_kb=round((join + lobby + seat + sum(visit.needed.values())) / 1000, 1),
            late_kb=round(sum(visit.late.values()) / 1000, 1),
            pages={"join": join, "lobby": lobby, "seat": seat},
            assets=visit.needed,
            late=visit.late,
            idle_pss_mb=round(idle, 1),
        )
    finally:
        process.terminate()
        process.wait(10)


class _Visit:
    """A phone that keeps what it has loaded."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.cookie = ""
        self.needed: dict[str, int] = {}
        self.late: dict[str, int] = {}

    def open(self, path: str) -> int:
        """Load a page with all it names, and give its own bytes."""
        page, sent = _load(self._port, path, self.cookie)
        for tag in re.findall(r"<(?:link|script|use)[^>]+>", page):
            found = re.search(r'(?:href|src)="(/static/[^"#]+)', tag)
            # A browser asks for the icon of its tab once the page is there.
            if found and 'rel="icon"' in tag:
                self._fetch(found[1], self.late)
            elif found:
                self._fetch(found[1], self.needed)
        return sent

    def _fetch(self, path: str, kept: dict[str, int]) -> None:
        name = path.split("/", 3)[3]
        if name not in kept:
            text, kept[name] = _load(self._port, path)
            later = re.search(r'\bimport\("\./([^"]+)"', text)
            if later:
                self._fetch(f"{path.rpartition('/')[0]}/{later[1]}", self.late)


def _load(port: int, path: str, cookie: str = "") -> tuple[str, int]:
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}")
    request.add_header("Accept-Encoding", "gzip")
    request.add_header("Cookie", cookie)
    with urllib.request.urlopen(request) as answer:
        body = answer.read()
        packed = answer.headers.get("Content-Encoding") == "gzip"
    return (gzip.decompress(body) if packed else body).decode("utf-8", "replace"), len(body)


def _row(**values: object) -> str:
    return msgspec.json.encode(values).decode()


if __name__ == "__main__":
    main()

"""From starting the process to the first answer, and the bytes of a phone's first visit."""

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
    """Load the join page and the seat page as a phone does, and count what is sent."""
    port = free_port("127.0.0.1", 8500)
    process, _ = _serve(port, folder)
    try:
        wait_for(port)
        idle = memory_mb(process.pid)
        table = call(port, "/api/v1/tables", {"game": "winchester"})["table"]
        page, sent = _load(port, f"/j/{table}")
        assets = sorted(set(re.findall(r'(?:href|src)="(/static/[^"#]+)', page)))
        sizes = {path.rsplit("/", 1)[1]: _load(port, path)[1] for path in assets}
        total = sent + sum(sizes.values())
        return _row(
            what="first visit",
            first_visit_kb=round(total / 1000, 1),
            page_bytes=sent,
            assets=sizes,
            idle_pss_mb=round(idle, 1),
        )
    finally:
        process.terminate()
        process.wait(10)


def _load(port: int, path: str) -> tuple[str, int]:
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}")
    request.add_header("Accept-Encoding", "gzip")
    with urllib.request.urlopen(request) as answer:
        body = answer.read()
        packed = answer.headers.get("Content-Encoding") == "gzip"
    return (gzip.decompress(body) if packed else body).decode("utf-8", "replace"), len(body)


def _row(**values: object) -> str:
    return msgspec.json.encode(values).decode()


if __name__ == "__main__":
    main()

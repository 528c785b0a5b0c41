"""The real server as a process of its own: starting, stopping, many pages, broken clients."""

from __future__ import annotations

import contextlib
import io
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee import doctor
from tests.browser.serving import until
from tests.ports import free_port

pytestmark = pytest.mark.server

OPTIONS = {"preset": "app", "board": "practice"}
ROOT = Path(__file__).parent.parent
PATIENCE = 60.0
"""A bound against hanging, not a measure of speed: test machines are busy."""

SHORT_BEATS = "import referee.live as l; l.HEARTBEAT_S = 0.3; from referee.cli import main; main()"


CHUNKED = b"Transfer-Encoding: chunked\r\n"


class Server:
    """A running server, what it printed, and its port."""

    def __init__(
        self,
        folder: Path,
        *words: str,
        beats: bool = False,
        start: str = "",
        host: str = "127.0.0.1",
        **environ: str,
    ) -> None:
        begin = ["-c", start or SHORT_BEATS] if beats or start else ["-m", "referee"]
        command = [sys.executable, *begin, *(words or ("serve",)), "--no-browser"]
        command += ["--data", str(folder), "--host", host]
        self.host = host
        if "--port" not in words:
            command += ["--port", str(free_port())]
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=os.environ | {"PYTHONPATH": str(ROOT)} | environ,
        )
        self.printed = b""
        self.port = int(command[command.index("--port") + 1])
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.printed += line
            taken = re.search(rb"using (\d+)", line)
            self.port = int(taken[1]) if taken else self.port

    def wait(self) -> Server:
        """Wait until it answers."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            assert self.process.poll() is None, self.printed.decode(errors="replace")
            with contextlib.suppress(OSError):
                if self.get("/healthz") == b'{"status":"ok"}\n' and b"http" in self.printed:
                    return self
            time.sleep(0.05)
        raise AssertionError(self.printed)

    def get(self, path: str) -> bytes:
        """Ask for something."""
        with urllib.request.urlopen(self.url(path), timeout=PATIENCE) as answer:  # noqa: S310  # ours
            return bytes(answer.read())

    def ask(self, path: str, token: str) -> Any:
        """Ask the HTTP interface for what the holder of a token sees."""
        request = urllib.request.Request(self.url(path))  # noqa: S310  # ours
        request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310  # ours
            return msgspec.json.decode(answer.read())

    def post(self, path: str, body: object, token: str = "") -> Any:
        """Do something over the HTTP interface."""
        request = urllib.request.Request(self.url(path), msgspec.json.encode(body))  # noqa: S310
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310  # ours
            return msgspec.json.decode(answer.read())

    def url(self, path: str) -> str:
        """Give an address."""
        return f"http://{self.host}:{self.port}{path}"

    def connect(self, path: str = "") -> socket.socket:
        """Open a connection, and ask for a stream if a path is given."""
        client = socket.create_connection((self.host, self.port), timeout=PATIENCE)
        if path:
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        return client

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Ask it to stop, and give its exit code."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        """End it whatever it does."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextlib.contextmanager
def serving(
    folder: Path,
    *words: str,
    beats: bool = False,
    start: str = "",
    host: str = "127.0.0.1",
    **environ: str,
) -> Iterator[Server]:
    """Run a server for a while."""
    server = Server(folder, *words, beats=beats, start=start, host=host, **environ)
    try:
        yield server.wait()
    finally:
        server.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Share one server, with short heartbeats, among tests that leave it as it is."""
    with serving(tmp_path_factory.mktemp("server"), beats=True) as server:
        yield server


def open_table(server: Server) -> tuple[str, str]:
    """Open a table."""
    opened = server.post("/api/v1/tables", {"game": "winchester", "seed": "x", "options": OPTIONS})
    return opened["table"], opened["host_token"]


def heard(client: socket.socket, word: bytes) -> bytes:
    """Read until a word comes."""
    found = b""
    while word not in found:
        part = client.recv(65536)
        assert part, found
        found += part
    return found


def test_it_says_where_to_join_and_answers(server: Server) -> None:
    """The address first, in plain text; pages and data are served."""
    assert b"<title>" in server.get("/")
    assert server.printed.splitlines()[0].startswith(b"http://")
    assert b"Traceback" not in server.printed


def test_forty_pages_and_still_quick(server: Server) -> None:
    """Forty open streams all hear of a change, and the server answers others meanwhile."""
    code, _ = open_table(server)
    with contextlib.ExitStack() as stack:
        clients = [
            stack.enter_context(server.connect(f"/t/{code}/stream?page=p{n}")) for n in range(40)
        ]
        for client in clients:
            heard(client, b"event: seats")
        assert server.get("/healthz") == b'{"status":"ok"}\n'
        server.post(f"/api/v1/tables/{code}/seats", {"name": "Unmistakable"})
        for client in clients:
            heard(client, b"Unmistakable")


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts open files by /proc")
def test_closed_connections_are_forgotten(server: Server) -> None:
    """A phone that went away costs nothing once a heartbeat found that out."""
    code, _ = open_table(server)
    folder = Path(f"/proc/{server.process.pid}/fd")
    before = len([*folder.iterdir()])
    with contextlib.ExitStack() as stack:
        clients = [
            stack.enter_context(server.connect(f"/t/{code}/stream?page=q{n}")) for n in range(40)
        ]
        for client in clients:
            heard(client, b"event: seats")
        assert len([*folder.iterdir()]) >= 40

    # Asked once in all: between two looks something else may be opened for a moment.
    until(lambda: len([*folder.iterdir()]) <= max(before, 20), within_s=PATIENCE)


def test_a_slow_phone_is_sent_the_whole_of_it(server: Server) -> None:
    """More than the system takes at once waits, and nothing is lost or sent twice."""
    whole, times = server.get("/static/x/winchester/phone.css"), 100
    with server.connect() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 32768)
        asked = b"GET /static/x/winchester/phone.css HTTP/1.1\r\nHost: localhost\r\n%b\r\n"
        client.sendall(asked % b"" * (times - 1) + asked % b"Connection: close\r\n")
        time.sleep(0.2)
        found = b"".join(iter(lambda: client.recv(65536), b""))

    assert found.count(whole) == times
    assert (
        len(re.sub(rb"HTTP/1.1 200 OK.*?\r\n\r\n", b"", found, flags=re.DOTALL))
        == len(whole) * times
    )


@pytest.mark.parametrize(
    "raw",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)) * 2,
        b"",
        b"GET",
        b"NONSENSE\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
        b"POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
        b"\x00" * 5000,
    ],
)
def test_broken_clients_hold_up_nobody(server: Server, raw: bytes) -> None:
    """A TLS hello, half a request, noise: the next page is served while they hang."""
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(server.connect()) for _ in range(5)]
        for client in clients:
            with contextlib.suppress(OSError):
                client.sendall(raw)
        assert server.get("/healthz") == b'{"status":"ok"}\n'
    assert server.process.poll() is None


def test_a_taken_port_gives_way_to_the_next(server: Server, tmp_path: Path) -> None:
    """And it is said aloud."""
    with serving(tmp_path, "serve", "--port", str(server.port)) as other:
        assert other.port != server.port
        assert f"Port {server.port} is taken, using {other.port}.".encode() in other.printed
        assert other.get("/healthz") == b'{"status":"ok"}\n'


def test_a_second_start_opens_the_first(server: Server, tmp_path: Path) -> None:
    """One folder, one server: the second says where the first answers, and touches nothing."""
    with serving(tmp_path, "serve") as first:
        code, _ = open_table(first)
        second = Server(tmp_path, "serve")
        assert second.process.wait(PATIENCE) == 0
        second.close()
        assert f"already running at http://127.0.0.1:{first.port}/".encode() in second.printed
        first.post(f"/api/v1/tables/{code}/seats", {"name": "Unmistakable"})
        # A pulled plug lets go of the folder as well.
        first.process.kill()
        first.process.wait()
        with serving(tmp_path, "serve") as again:
            assert b"Unmistakable" in again.get(f"/api/v1/tables/{code}")


@pytest.mark.skipif(sys.platform != "linux", reason="Linux answers at all of 127.0.0.0/8")
def test_one_that_listens_at_one_address_is_found_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second start, the host's link and the doctor name the address at which it answers."""
    monkeypatch.setattr(doctor, "PATIENCE_S", PATIENCE)
    with serving(tmp_path, "serve", host="127.0.0.2") as first:
        second = Server(tmp_path, "serve")
        assert second.process.wait(PATIENCE) == 0
        second.close()
        assert f"already running at http://127.0.0.2:{first.port}/".encode() in second.printed
        assert f"http://127.0.0.2:{first.port}/host/".encode() in first.printed
        out = io.StringIO()
        doctor.examine(tmp_path, first.port, out)
        assert f"Running    http://127.0.0.2:{first.port}/" in out.getvalue()


def test_it_stops_with_pages_open(tmp_path: Path) -> None:
    """Ten open streams are told, and it ends; what was stored is there at the next start."""
    codes = [stopped(tmp_path, number) for number in (signal.SIGTERM, signal.SIGINT)]
    with serving(tmp_path, "serve") as server:
        start = server.get("/").decode()
        assert [code for code in codes if code in start] == codes


def stopped(folder: Path, number: int) -> str:
    """Open a table and pages of it, ask the server to stop, and give the table's code."""
    with serving(folder, "serve") as server, contextlib.ExitStack() as stack:
        code, _ = open_table(server)
        clients = [
            stack.enter_context(server.connect(f"/t/{code}/stream?page=r{n}")) for n in range(10)
        ]
        for client in clients:
            heard(client, b"event: seats")
        assert server.stop(number) == 0, number
        for client in clients:
            heard(client, b"event: restart")
    return code


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a signal that cannot be caught")
def test_a_killed_server_forgets_nothing_it_confirmed(tmp_path: Path) -> None:
    """Every seat that was told "you sit" sits after kill -9."""
    with serving(tmp_path, "serve") as server:
        code, host = open_table(server)
        tokens = [
            server.post(f"/api/v1/tables/{code}/seats", {"name": name})["token"] for name in "ABC"
        ]
        server.post(f"/api/v1/tables/{code}/start", {}, host)
        action = {"version": 6, "id": "x", "action": {"type": "draw_plot"}}
        first = server.post(f"/api/v1/tables/{code}/actions", action, tokens[0])
        server.stop(signal.SIGKILL)

    with serving(tmp_path, "serve") as server:
        again = server.post(f"/api/v1/tables/{code}/actions", action, tokens[0])
        assert again == first
        shown = msgspec.json.decode(server.get(f"/api/v1/tables/{code}"))
        assert (shown["status"], shown["version"]) == ("playing", first["version"])


def test_piped_on_an_old_code_page(tmp_path: Path) -> None:
    """What the console cannot show becomes a question mark, and it serves all the same."""
    with serving(tmp_path, "serve", "--lang", "de", PYTHONIOENCODING="cp1252") as server:
        assert b"http://" in server.printed
        server.stop()
        assert b"Traceback" not in server.printed


def test_the_demo_is_served(tmp_path: Path) -> None:
    """A table that plays itself."""
    with serving(tmp_path, "demo", "--pace", "0.01") as server:
        assert b"Cleo" in server.get("/")
        shown = re.search(rb"http://\S+(/t/\w+)", server.printed)
        assert shown is not None
        assert b"Cleo" in server.get(shown[1].decode())


def test_commands_beside_a_running_server(server: Server, tmp_path: Path) -> None:
    """A backup while it runs is whole, and the server goes on."""
    code, _ = open_table(server)
    arguments = server.process.args
    assert isinstance(arguments, list)
    folder = str(arguments[arguments.index("--data") + 1])
    target = tmp_path / "copy.db"
    command = [sys.executable, "-m", "referee", "backup", str(target), "--data", folder]
    subprocess.run(
        command, check=True, cwd=ROOT, timeout=PATIENCE, env=os.environ | {"PYTHONPATH": str(ROOT)}
    )

    assert target.stat().st_mode & 0o077 == 0
    server.post(f"/api/v1/tables/{code}/seats", {"name": "Ann"})


def test_a_request_that_never_ends_is_let_go(server: Server, tmp_path: Path) -> None:
    """Headers and bodies have a deadline; two ideas of a body's length are refused at once."""
    short = "import referee.server as s; s.make_cooperative(); import referee.handling as h; "
    short += "h.HEADERS_S = h.SILENCE_S = 0.5; " + SHORT_BEATS
    endless = (
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: 1\r\n",
        b"POST /tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\ngame=",
    )
    with serving(tmp_path, "serve", start=short) as hasty, contextlib.ExitStack() as stack:
        clients = [stack.enter_context(hasty.connect()) for _ in endless]
        for client, raw in zip(clients, endless, strict=True):
            client.sendall(raw)
        for client in clients:
            assert b" 200 " not in b"".join(iter(lambda c=client: c.recv(65536), b""))
            hasty.wait()  # it is as hasty with whoever asks how it is, on a busy machine
    for lengths in (b"Content-Length: 4\r\nContent-Length: 5", CHUNKED + b"Content-Length: 5"):
        with server.connect() as client:
            client.sendall(b"POST /tables HTTP/1.1\r\nHost: x\r\n" + lengths + b"\r\n\r\n")
            assert client.recv(65536).startswith(b"HTTP/1.1 400")
    with server.connect() as client:
        client.sendall(b"POST /api/v1/tables HTTP/1.1\r\nHost: x\r\n" + CHUNKED + b"\r\n")
        with contextlib.suppress(OSError):
            for _ in range(200):
                client.sendall(b"400\r\n" + b"a" * 1024 + b"\r\n")
            client.sendall(b"0\r\n\r\n")
        assert client.recv(65536).startswith(b"HTTP/1.1 4")

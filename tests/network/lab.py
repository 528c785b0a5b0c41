"""A small network in namespaces: a computer, a phone, and the access point between them.

All traffic stays inside. Sockets are opened in a namespace by this very process, so that tests read
as if they sat at the phone.
"""

from __future__ import annotations

import contextlib
import ctypes
import http.client
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

import msgspec

from tests.table import APP

ROOT: Final = Path(__file__).parent.parent.parent
WIFI: Final = "192.168.77.1"
PORT: Final = 8000
CUT_S: Final = 2.5
HANGS_S: Final = 60.0
"""A bound against hanging, not a measure."""
START: Final = """
import sys
import referee.lan, referee.live, referee.serving as serving
referee.lan.REREAD_SECONDS = 0.1
referee.live.HEARTBEAT_S = {beat}
go_on = serving._serve
def serve(*words):
    import referee.web.place
    referee.web.place.LONELY_S = {lonely}
    go_on(*words)
serving._serve = serve
from referee.cli import main
main()
"""
"""A referee whose waits are short; nothing else of it differs."""


def may_be_made() -> bool:
    """Say whether namespaces can be made here."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("ip") is None:
        return False
    name = f"try{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", name], check=False, capture_output=True)
    if made.returncode == 0:
        subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)
    return made.returncode == 0


@contextlib.contextmanager
def inside(name: str) -> Iterator[None]:
    """Open what this thread opens in a namespace; what is open stays where it was opened."""
    libc = ctypes.CDLL(None, use_errno=True)
    with (
        Path("/proc/thread-self/ns/net").open("rb") as home,
        Path(f"/run/netns/{name}").open("rb") as there,
    ):
        assert libc.setns(there.fileno(), 0) == 0, os.strerror(ctypes.get_errno())
        try:
            yield
        finally:
            assert libc.setns(home.fileno(), 0) == 0, os.strerror(ctypes.get_errno())


class Lab:
    """Three namespaces: `srv`, the computer; `ph`, the phone; `ap`, the access point."""

    def __init__(self) -> None:
        self.srv, self.ph, self.ap = (f"{name}{os.getpid()}" for name in ("srv", "ph", "ap"))
        self.programs: list[subprocess.Popen[bytes]] = []
        for name in (self.srv, self.ph, self.ap):
            ip(f"netns add {name}")
            ip(f"-n {name} link set lo up")
        ip(f"-n {self.ap} link add b0 type bridge")
        ip(f"-n {self.ap} link set b0 up")
        self.link(self.srv, "wlan0", "s1")
        self.link(self.ph, "wlan0", "p1")
        ip(f"-n {self.srv} addr add {WIFI}/24 dev wlan0")
        ip(f"-n {self.ph} addr add 192.168.77.2/24 dev wlan0")

    def link(self, name: str, nic: str, port: str) -> None:
        """Put an interface into a namespace, with its other end at the access point."""
        ip(f"-n {name} link add {nic} type veth peer name {port} netns {self.ap}")
        ip(f"-n {self.ap} link set {port} master b0 up")
        ip(f"-n {name} link set {nic} up")

    def fake(self, nic: str, address: str) -> None:
        """Give the computer an interface that leads nowhere, named as programs name theirs."""
        ip(f"-n {self.srv} link add {nic} type veth peer name x{nic}")
        ip(f"-n {self.srv} link set x{nic} up")
        ip(f"-n {self.srv} link set {nic} up")
        ip(f"-n {self.srv} addr add {address} dev {nic}")

    @contextlib.contextmanager
    def cut(self) -> Iterator[None]:
        """Cut the cable between access point and computer; both ends think they are connected."""
        ip(f"-n {self.ap} link set s1 nomaster")
        try:
            yield
        finally:
            ip(f"-n {self.ap} link set s1 master b0")

    @contextlib.contextmanager
    def isolated(self) -> Iterator[None]:
        """Keep clients apart, as guest networks do."""
        for port in ("s1", "p1"):
            run("bridge", "-n", self.ap, "link", "set", "dev", port, "isolated", "on")
        try:
            yield
        finally:
            for port in ("s1", "p1"):
                run("bridge", "-n", self.ap, "link", "set", "dev", port, "isolated", "off")

    def serve(
        self, folder: Path, *words: str, port: int = PORT, beat: float = 0.3, lonely: float = 60.0
    ) -> None:
        """Start a referee on the computer and wait until it answers there."""
        start = START.format(beat=beat, lonely=lonely)
        command = ["ip", "netns", "exec", self.srv, sys.executable, "-c", start, "serve"]
        command += ["--no-browser", "--lang", "en", "--data", str(folder), "--port", str(port)]
        log = (folder / "server.log").open("wb")
        self.programs.append(
            subprocess.Popen(
                [*command, *words],
                cwd=ROOT,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=os.environ | {"PYTHONPATH": str(ROOT)},
            )
        )
        log.close()
        end = time.monotonic() + HANGS_S
        while True:
            with contextlib.suppress(OSError):
                if self.get("/healthz", port=port)[0] == 200:
                    return
            assert self.programs[-1].poll() is None, (folder / "server.log").read_text()
            assert time.monotonic() < end, "the server did not answer"
            time.sleep(0.05)

    def ask(
        self,
        path: str,
        body: object = None,
        *,
        token: str = "",
        at: str = "127.0.0.1",
        of: str = "",
        port: int = PORT,
        patience: float = HANGS_S,
    ) -> tuple[int, str]:
        """Ask from a namespace, the computer's own where none is named. Raises OSError."""
        with inside(of or self.srv):
            line = http.client.HTTPConnection(at, port, timeout=patience)
            line.connect()
        with contextlib.closing(line):
            data = None if body is None else msgspec.json.encode(body)
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            line.request("GET" if body is None else "POST", path, data, headers)
            answer = line.getresponse()
            return answer.status, answer.read().decode()

    def get(self, path: str, **named: Any) -> tuple[int, str]:
        """Open a page."""
        return self.ask(path, **named)

    def api(self, path: str, body: object = None, **named: Any) -> Any:
        """Use the interface, which must not refuse."""
        status, text = self.ask(f"/api/v1{path}", body, **named)
        assert status in {200, 201}, text
        return msgspec.json.decode(text)

    def close(self) -> None:
        """End everything and take the network down."""
        for program in self.programs:
            program.terminate()
        for program in self.programs:
            program.wait(HANGS_S)
        for name in (self.srv, self.ph, self.ap):
            ip(f"netns del {name}")


class Table:
    """A started table with three seats, played over the interface."""

    def __init__(self, lab: Lab, *, is_started: bool = True) -> None:
        self.lab = lab
        opened = lab.api("/tables", {"game": "winchester", "options": APP | {"auction": "sealed"}})
        self.code, self.url = opened["table"], opened["url"]
        self.path = f"/tables/{self.code}"
        self.tokens = [
            lab.api(f"{self.path}/seats", {"name": name})["token"]
            for name in ("Ann", "Ben", "Cleo")
        ]
        if is_started:
            lab.api(f"{self.path}/start", {}, token=opened["host_token"])

    def see(self, seat: int) -> dict[str, object]:
        """Give what a seat sees."""
        seen: dict[str, object] = self.lab.api(self.path, token=self.tokens[seat])
        return seen

    def wanted(self, seat: int, action: dict[str, object]) -> dict[str, object]:
        """Give what a phone would post now."""
        return {"version": self.see(seat)["version"], "id": f"{action}", "action": action}

    def act(self, seat: int, **action: object) -> None:
        """Play at the computer itself."""
        self.lab.api(f"{self.path}/actions", self.wanted(seat, action), token=self.tokens[seat])

    def line(self, *, patience: float = HANGS_S) -> http.client.HTTPConnection:
        """Open a phone's connection to the computer, while there is one."""
        with inside(self.lab.ph):
            line = http.client.HTTPConnection(WIFI, PORT, timeout=patience)
            line.connect()
        return line

    def tap(self, line: http.client.HTTPConnection, form: dict[str, object]) -> None:
        """Send a form of the first seat's page."""
        cookie = f"referee_{PORT}_{self.code}_0={self.tokens[0]}"
        kind = "application/x-www-form-urlencoded"
        headers = {"Cookie": cookie, "Content-Type": kind}
        line.request("POST", f"/s/{self.code}/0/act", urlencode(form), headers)

    def draw(self) -> None:
        """Turn a plot over, which begins an auction."""
        seat = next(s for s in range(3) if self.see(s)["legal"])
        self.act(seat, type="draw_plot")


def ip(words: str) -> None:
    """Run iproute2's `ip`."""
    run("ip", *words.split())


def run(*command: str) -> str:
    """Run a command that must not fail, and give what it says."""
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stderr}"
    return done.stdout


class Stream:
    """An open stream of a table, read as far as it has come."""

    def __init__(self, lab: Lab, path: str, token: str = "") -> None:
        with inside(lab.ph):
            self._socket = socket.create_connection((WIFI, PORT), HANGS_S)
        who = f"Authorization: Bearer {token}\r\n" if token else ""
        self._socket.sendall(f"GET {path} HTTP/1.1\r\nHost: {WIFI}\r\n{who}\r\n".encode())
        self._text = b""

    def wait_for(self, word: str) -> None:
        """Read until a word has come."""
        end = time.monotonic() + HANGS_S
        while word.encode() not in self._text:
            assert time.monotonic() < end, f"{word} never came"
            part = self._socket.recv(65536)
            assert part, "the stream ended"
            self._text += part

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

"""The real server as a process of its own, and a table at it through the HTTP interface."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, Final

from tests.ports import free_port

HOST: Final = "table.test"
TOP: Final = Path(__file__).resolve().parent.parent.parent
SLOW_MS: Final = 30_000
"""What comes in the end is waited for so long: no test measures how fast a shared machine is."""


def until(question: Callable[[], object], *, within_s: float) -> None:
    """Ask again and again until the answer is yes."""
    end = time.monotonic() + within_s
    while not question():
        assert time.monotonic() < end, "the answer stayed no"
        time.sleep(0.02)


def ask(
    port: int | None, method: str, path: str, body: object = None, *, token: str = ""
) -> tuple[int, Any]:
    """Ask a server over HTTP; give the status and the decoded body."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    connection = HTTPConnection("127.0.0.1", port, timeout=SLOW_MS / 1000)
    try:
        payload = None if body is None else json.dumps(body)
        connection.request(method, path, body=payload, headers=headers)
        answer = connection.getresponse()
        text = answer.read().decode()
    finally:
        connection.close()
    kind = answer.headers.get_content_type()
    is_json = kind in {"application/json", "application/problem+json"}
    return answer.status, json.loads(text) if is_json else text


class Server:
    """`referee serve` as a process of its own; `module` is what Python runs."""

    def __init__(self, data: Path, *, module: str = "referee", host: str = HOST) -> None:
        self._module = module
        self.data = data
        self.port = free_port()
        self.base = f"http://{host}:{self.port}"
        self._log = (data / "server.log").open("ab")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start, or start again on the same port and data, and wait until it answers."""
        command = (
            *(sys.executable, "-m", self._module, "serve", "--no-browser", "--lang", "en"),
            *("--port", str(self.port), "--url", self.base, "--data", str(self.data)),
        )
        quiet = {k: v for k, v in os.environ.items() if k != "FLASK_DEBUG"}
        self._process = subprocess.Popen(
            command, cwd=TOP, env=quiet, stdout=self._log, stderr=subprocess.STDOUT
        )
        until(lambda: self._answers() or self._has_ended(), within_s=2 * SLOW_MS / 1000)
        assert not self._has_ended(), self.log()

    def _answers(self) -> bool:
        try:
            return self.call("GET", "/healthz")[0] == 200
        except (OSError, HTTPException):
            return False

    def _has_ended(self) -> bool:
        return self._process is None or self._process.poll() is not None

    def log(self) -> str:
        """Give the end of what the server printed."""
        return (self.data / "server.log").read_text(errors="replace")[-2000:]

    def logged(self) -> int:
        """Say how much the server has printed so far."""
        return (self.data / "server.log").stat().st_size

    def faults(self, since: int) -> str:
        """Give what the server printed since then, if a fault of ours is in it."""
        said = (self.data / "server.log").read_bytes()[since:].decode(errors="replace")
        return said if "Traceback" in said else ""

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End the process and give its exit code; SIGKILL is the pulled plug."""
        assert self._process is not None
        self._process.send_signal(how)
        code = self._process.wait(SLOW_MS / 1000)
        self._process = None
        return code

    def close(self) -> None:
        """End the process if it still runs."""
        if self._process is not None:
            self.end(signal.SIGKILL)
        self._log.close()

    def call(
        self, method: str, path: str, body: object = None, *, token: str = ""
    ) -> tuple[int, Any]:
        """Ask over HTTP, past any browser; give the status and the decoded body."""
        return ask(self.port, method, path, body, token=token)


class Api:
    """One table through the HTTP interface: what the pages must agree with."""

    def __init__(self, server: Server, code: str) -> None:
        self.server = server
        self.code = code
        self.host_token = ""
        self.tokens: list[str] = []

    def see(self, token: str = "") -> dict[str, Any]:
        """Give the table as the holder of a token sees it, without one as the display does."""
        return self._ok("GET", "", token=token)

    def act(self, token: str, action: dict[str, Any], *, version: int | None = None) -> int:
        """Play an action on the version of now, if no other is named, and give the next."""
        at = self.see(token)["version"] if version is None else version
        wanted = {"version": at, "id": os.urandom(8).hex()}
        version: int = self._ok("POST", "/actions", wanted | {"action": action}, token)["version"]
        return version

    def join(self, name: str) -> str:
        """Take a seat and give its token."""
        token: str = self._ok("POST", "/seats", {"name": name})["token"]
        return token

    def show_how(self, seat: int, wish: str) -> None:
        """Let whoever sits there be shown how, "on", or not, "off", for good: as the page does."""
        key = f"referee_{self.server.port}_{self.code}_{seat}={self.tokens[seat]}"
        kind = "application/x-www-form-urlencoded"
        with closing(HTTPConnection("127.0.0.1", self.server.port, timeout=SLOW_MS / 1000)) as line:
            headers = {"Cookie": key, "Content-Type": kind}
            line.request("POST", f"/s/{self.code}/{seat}/hints", f"hints={wish}", headers)
            assert line.getresponse().status < 400

    @contextmanager
    def shown_how(self, seat: int) -> Iterator[None]:
        """Show somebody how for a while; people are known by name, at the tables of others too."""
        self.show_how(seat, "on")
        yield
        self.show_how(seat, "off")

    def start(self) -> None:
        """Begin the game."""
        self._ok("POST", "/start", token=self.host_token)

    def public(self) -> dict[str, Any]:
        """Give what everybody may see of the game."""
        found: dict[str, Any] = self.see()["view"]["public"]
        return found

    def own(self, seat: int) -> dict[str, Any]:
        """Give what only a seat may see of the game."""
        found: dict[str, Any] = self.see(self.tokens[seat])["view"]["own"]
        return found

    def draw_plot(self) -> None:
        """Let the star's holder turn over the next plot."""
        self.act(self.tokens[self.public()["star"]], {"type": "draw_plot"})

    def submit(self, seat: int, amount: int) -> None:
        """Hand in a sealed bid, or change it."""
        self.act(self.tokens[seat], {"type": "submit_bid", "amount": amount})

    def ask_for_star(self, seat: int) -> None:
        """Ask the table to set right who holds the star."""
        wanted = {"correction": {"star": seat}, "reason": "it lies here"}
        self._ok("POST", "/corrections", wanted, self.tokens[seat])

    def never_mind(self, seat: int) -> None:
        """Take back what a seat asked of the table."""
        self._ok("POST", "/ask", {"agree": False}, self.tokens[seat])

    def result(self) -> dict[str, Any]:
        """Give the final result."""
        return self._ok("GET", "/result")

    def journal(self) -> list[dict[str, Any]]:
        """Give the journal's entries, public ones while the game goes on."""
        status, text = self.server.call("GET", f"/api/v1/tables/{self.code}/journal")
        assert status == 200, text
        return [json.loads(line) for line in text.splitlines()[1:]]

    def actions(self) -> list[int]:
        """Give the seats whose actions the journal holds, in order."""
        return [entry["seat"] for entry in self.journal() if entry["kind"] == "action"]

    def _ok(self, method: str, path: str, body: object = None, token: str = "") -> dict[str, Any]:
        status, found = self.server.call(
            method, f"/api/v1/tables/{self.code}{path}", body, token=token
        )
        assert status in {200, 201}, found
        answer: dict[str, Any] = found
        return answer

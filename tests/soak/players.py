"""Players at tables of a server that may die at any moment, and what they were promised.

Each seat is a thread with a connection of its own. What was answered is written down; what was not
is sent again, the very same, until it is. A player now and then takes back, agrees, or taps twice.
"""

from __future__ import annotations

import http.client
import random
import secrets
import threading
from collections.abc import Iterable
from typing import Any, Final

import msgspec

from referee.entries import Entry
from tests.table import APP

PATIENCE_S: Final = 60.0
"""A bound against hanging; how often somebody asks again is no matter."""
PAUSE_S: Final = 0.03
UNDOS: Final = 0.02
DOUBLE_TAPS: Final = 0.1
OK: Final = 200
CREATED: Final = 201
STALE: Final = 409
ENDED: Final = frozenset({"game_over", "not_playing", "nothing_asked", "nothing_to_undo"})


class Line:
    """A connection to the server that is made anew whenever it breaks."""

    def __init__(self, port: int, stop: threading.Event) -> None:
        self._port = port
        self._stop = stop
        self._open: http.client.HTTPConnection | None = None

    def once(self, path: str, body: object = None, token: str = "") -> tuple[int, Any]:
        """Ask once. Raises OSError or HTTPException when no whole answer comes."""
        method = "GET" if body is None else "POST"
        data = None if body is None else msgspec.json.encode(body)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        try:
            if self._open is None:
                self._open = http.client.HTTPConnection("127.0.0.1", self._port, timeout=20)
            self._open.request(method, f"/api/v1{path}", data, headers)
            answer = self._open.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException):
            self.close()
            raise
        is_json = (
            "json" in answer.headers.get("Content-Type", "")
            and "jsonl" not in (answer.headers["Content-Type"])
        )
        return answer.status, msgspec.json.decode(text) if is_json else text.decode()

    def ask(self, path: str, body: object = None, token: str = "") -> tuple[int, Any]:
        """Ask until there is an answer; a disk that refuses is asked again too.

        Raises TimeoutError once all is over.
        """
        while not self._stop.is_set():
            try:
                status, answer = self.once(path, body, token)
            except (OSError, http.client.HTTPException):
                pass
            else:
                if status != http.client.SERVICE_UNAVAILABLE:
                    return status, answer
            self._stop.wait(PAUSE_S)
        raise TimeoutError(path)

    def close(self) -> None:
        """Hang up."""
        if self._open is not None:
            self._open.close()
            self._open = None


class Promises:
    """What the server said at one table: actions it accepted, and how the table looked when.

    Attributes:
        accepted: which seat's action of which id was answered with which version.
        faults: what should not have been, in words.
    """

    def __init__(self) -> None:
        self.accepted: dict[tuple[int, str], int] = {}
        self.sent: set[tuple[int, str]] = set()
        self.faults: list[str] = []
        self._seen: dict[tuple[int | None, int], Any] = {}
        self._lock = threading.Lock()

    def see(self, seat: int | None, body: Any) -> None:
        """Compare what somebody sees with what they saw at the same version before."""
        with self._lock:
            key = (seat, body["version"])
            before = self._seen.setdefault(key, body)
            if before != body:
                named = [name for name in body if before.get(name) != body[name]]
                self.faults.append(f"seat {seat} at version {key[1]}: {', '.join(named)} differ")

    def forget_views(self) -> None:
        """Ask of what is seen from now on no likeness with before."""
        with self._lock:
            self._seen.clear()

    def take(self, seat: int, action_id: str, status: int, answer: Any) -> None:
        """Note what became of an action."""
        with self._lock:
            if status == OK:
                before = self.accepted.setdefault((seat, action_id), answer["version"])
                if before != answer["version"]:
                    self.faults.append(f"seat {seat}, {action_id}: two answers to one action")
            elif status != STALE and answer.get("code") not in ENDED:
                self.faults.append(f"seat {seat}, {action_id}: {status} {answer}")

    def check(self, entries: Iterable[Entry]) -> None:
        """Compare what is stored with what was promised."""
        stored = [(e.seat, e.payload["id"]) for e in entries if e.kind == "action"]
        missing = self.accepted.keys() - set(stored)
        unknown = set(stored) - self.sent
        doubled = len(stored) - len(set(stored))
        for what, found in (("missing", missing), ("unknown", unknown), ("doubled", doubled)):
            if found:
                self.faults.append(f"{what}: {found}")


class Seat(threading.Thread):
    """One player, from the first deal to the end of the game."""

    def __init__(
        self, line: Line, table: str, token: str, promises: Promises, rng: random.Random
    ) -> None:
        super().__init__(daemon=True)
        self._line = line
        self._path = f"/tables/{table}"
        self._token = token
        self._promises = promises
        self._rng = rng
        self.is_done = False

    def run(self) -> None:
        """Play until the game is over or everything ends."""
        try:
            while self._turn():
                pass
        except TimeoutError:
            return
        finally:
            self._line.close()

    def _turn(self) -> bool:
        status, body = self._line.ask(self._path, token=self._token)
        if status != OK:
            self._promises.faults.append(f"{self._path}: {status} {body}")
            return False
        mine = body["you"]["seat"]
        self._promises.see(mine, body)
        if body["status"] == "over":
            self.is_done = True
            return False
        ask = body["ask"]
        if ask is not None and mine not in ask["agreed"]:
            wanted = {"agree": self._rng.random() < 0.7, "number": ask["number"]}
            self._line.ask(f"{self._path}/ask", wanted, self._token)
        elif body["undo"] is not None and self._rng.random() < UNDOS:
            self._line.ask(f"{self._path}/undo", {"to": body["undo"]}, self._token)
        elif body["legal"]:
            self._act(mine, body)
        else:
            threading.Event().wait(PAUSE_S)
        return True

    def _act(self, seat: int, body: Any) -> None:
        wanted = {
            "version": body["version"],
            "id": secrets.token_hex(8),
            "action": self._rng.choice(body["legal"]),
        }
        action_id = str(wanted["id"])
        self._promises.sent.add((seat, action_id))
        for _ in range(2 if self._rng.random() < DOUBLE_TAPS else 1):
            status, answer = self._line.ask(f"{self._path}/actions", wanted, self._token)
            self._promises.take(seat, action_id, status, answer)


class Game:
    """A table that is opened, filled and played at, with a display that looks on."""

    def __init__(self, port: int, key: str, rng: random.Random, stop: threading.Event) -> None:
        self.key = key
        self.promises = Promises()
        self._line = Line(port, stop)
        body = {"game": key, "options": APP}
        try:
            self._open(body)
        finally:
            self._line.close()
        self.seats = [
            Seat(Line(port, stop), self.table, token, self.promises, random.Random(rng.random()))
            for token in self._tokens
        ]

    def _open(self, body: object) -> None:
        status, opened = self._line.ask("/tables", body)
        assert status == CREATED, opened
        self.table, self._host = opened["table"], opened["host_token"]
        self._tokens = [self._sit(name) for name in ("Ann", "Ben", "Cleo")]
        self._line.ask(f"/tables/{self.table}/start", {}, self._host)

    def _sit(self, name: str) -> str:
        status, seated = self._line.ask(f"/tables/{self.table}/seats", {"name": name})
        assert status == CREATED, seated
        return str(seated["token"])

    def play(self) -> None:
        """Let everybody begin."""
        for seat in self.seats:
            seat.start()

    def is_over(self) -> bool:
        """Say whether everybody saw the end."""
        return all(seat.is_done for seat in self.seats)

    def look(self) -> None:
        """Look at it as the display does."""
        status, body = self._line.ask(f"/tables/{self.table}")
        if status == OK:
            self.promises.see(None, body)
        else:
            self.promises.faults.append(f"to the display: {status} {body}")

    def result(self) -> Any:
        """Give the result of a game that is over, with its reasons."""
        status, result = self._line.ask(f"/tables/{self.table}/result")
        self._line.close()
        return result if status == OK else status

    def journal(self) -> str:
        """Give the journal as it is shown now."""
        status, text = self._line.ask(f"/tables/{self.table}/journal")
        assert status == OK, text
        self._line.close()
        return str(text)

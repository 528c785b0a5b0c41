"""Evenings with a server that is killed, or whose disk is full: what becomes of them."""

from __future__ import annotations

import contextlib
import random
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from referee.errors import CorruptJournal
from referee.export import verify
from referee.games import GAMES
from tests.ports import free_port
from tests.table import tables_at
from tests.test_server import Server

from .players import Game

BUSY: Final = (
    "import referee.db as d; d.BACKUP_EVERY_S = {every}; from referee.cli import main; main()"
)
"""A referee that makes backups all the time, so that many of its ends come in the middle of one."""

GAME_S: Final = 600.0
"""A bound against hanging."""


class Report(msgspec.Struct):
    """What was seen. `faults` should be empty."""

    kills: int = 0
    fills: int = 0
    games: int = 0
    actions: int = 0
    backups: int = 0
    seconds: float = 0.0
    faults: list[str] = []


class Evening:
    """A data folder, a port, and a server on them that comes back after every end.

    Args:
        folder: where the data lies.
        seed: says who plays what, and when it is killed.
        keys: the games that are played at the same time.
        code: where the code of the server lies, until it is renewed; this checkout's if not said.
    """

    def __init__(
        self, folder: Path, seed: str, keys: tuple[str, ...] = (), *, code: Path | None = None
    ) -> None:
        self.folder = folder
        # Safe: else Python would look into the folder that it is started in before.
        self._environ = {} if code is None else {"PYTHONPATH": str(code), "PYTHONSAFEPATH": "1"}
        self.port = free_port()
        self.report = Report()
        self._rng = random.Random(seed)
        self._keys = keys or tuple(GAMES)
        self._server: Server | None = None
        self._stop = threading.Event()
        self._openers: list[threading.Thread] = []
        self._games: list[Game] = []
        self._all: list[Game] = []

    def _begin(self) -> Server:
        start = BUSY.format(every=0.2)
        words = ("serve", "--port", str(self.port))
        return Server(self.folder, *words, start=start, **self._environ)

    def start(self) -> None:
        """Start the server, which finds everything as it was."""
        # What the one before left behind; this one's own backups are on their way all the time.
        before = {*self.folder.rglob("*.partial")}
        self._server = self._begin().wait()
        left = [path.name for path in before if path.exists()]
        if left:
            self.report.faults.append(f"left over: {left}")

    def kill(self) -> None:
        """End it as a pulled plug would."""
        self._end()
        self.report.kills += 1

    def renew(self) -> None:
        """Kill it and start the code of this checkout, which has to come to the same results."""
        over = [(game, game.result()) for game in self._all if game.is_over()]
        self.kill()
        self._environ = {}
        for game in self._all:
            # It may be shown otherwise by now, or more of it.
            game.promises.forget_views()
        self.start()
        for game, result in over:
            if game.result() != result:
                self.report.faults.append(f"{game.key}: another result")

    def _end(self) -> None:
        if self._server is None:
            return
        self._server.close()
        printed = self._server.printed.decode(errors="replace")
        if "Traceback" in printed:
            self.report.faults.append(printed[-3000:])
        self._server = None

    def kill_at_the_first_write(self, times: int) -> None:
        """Start on an empty folder and kill it at once: before, in and after its first writes."""
        for _ in range(times):
            server = self._begin()
            time.sleep(self._rng.uniform(0.2, 1.2))
            server.close()
            self.report.kills += 1
        self.start()

    def play(self, trouble: Callable[[], bool], *, to_the_end: bool = True) -> None:
        """Play all games at once; make `trouble` again and again until it says that it is enough.

        Whoever finishes a game begins another; when there was enough trouble, all finish, or stop.
        """
        began = time.monotonic()
        for key in self._keys:
            self._open(key)
        while trouble():
            for game in [game for game in self._games if game.is_over()]:
                self._games.remove(game)
                self._finish(game)
                self._open(game.key)
        if not to_the_end:
            self._stop.set()
        for opener in self._openers:
            opener.join(GAME_S)
        for game in self._games:
            for seat in game.seats:
                seat.join(GAME_S)
            if to_the_end:
                self._finish(game)
        self.report.seconds += round(time.monotonic() - began, 1)

    def _open(self, key: str) -> None:
        opener = threading.Thread(target=self._sit_down, args=(key,), daemon=True)
        self._openers.append(opener)
        opener.start()

    def _sit_down(self, key: str) -> None:
        with contextlib.suppress(TimeoutError):
            game = Game(self.port, key, random.Random(self._rng.random()), self._stop)
            self._games.append(game)
            self._all.append(game)
            game.play()

    def _finish(self, game: Game) -> None:
        """Check a finished game over HTTP: that it looks as it did, and that its chain verifies."""
        if not game.is_over():
            self.report.faults.append(f"{game.key} was not played to its end")
            return
        game.look()
        try:
            verify(game.journal())
        except CorruptJournal as error:
            game.promises.faults.append(f"{error.code} {error.facts}")
        self.report.games += 1

    def check(self) -> None:
        """Compare what is stored with all that was promised; the server has ended by now."""
        with tables_at(self.folder) as tables:
            if tables.store.restored is not None:
                self.report.faults.append(f"brought back: {tables.store.restored.why}")
            for game in self._all:
                # Finding it replays it: links and steps.
                tables.find(game.table)
                game.promises.check(tables.store.entries(game.table))
                self.report.actions += len(game.promises.accepted)
                self.report.faults += [f"{game.key}: {fault}" for fault in game.promises.faults]

    def close(self) -> None:
        """End the server whatever happened, and look at what it leaves."""
        self._stop.set()
        self._end()
        self.check()
        self.report.backups = len([*(self.folder / "backups").glob("referee-*")])

    def accepted(self) -> int:
        """Count the actions that were accepted so far."""
        return sum(len(game.promises.accepted) for game in self._all)

    def _is_idle(self) -> bool:
        return bool(self._games) and all(game.is_over() for game in self._games)

    def wait_for(self, more: int) -> None:
        """Wait until so many more actions were accepted, however long that takes here."""
        wanted = self.accepted() + more
        end = time.monotonic() + GAME_S
        while self.accepted() < wanted and not self._is_idle():
            assert time.monotonic() < end, "nothing was accepted"
            time.sleep(0.01)


def killed(evening: Evening, times: int) -> Callable[[], bool]:
    """Kill the server so many times, at random moments of play, and start it again."""
    rng = random.Random(times)
    last = evening.report.kills + times

    def trouble() -> bool:
        evening.wait_for(rng.randint(1, 12))
        time.sleep(rng.uniform(0.0, 0.05))
        evening.kill()
        evening.start()
        return evening.report.kills < last

    return trouble


def filled(evening: Evening, times: int) -> Callable[[], bool]:
    """Fill the disk under the server so many times, and empty it again."""
    rng = random.Random(times)
    stone = evening.folder / "stone"

    def trouble() -> bool:
        evening.wait_for(rng.randint(1, 12))
        try:
            with stone.open("wb", buffering=0) as file:
                while True:
                    file.write(bytes(4096))
        except OSError:
            time.sleep(rng.uniform(0.05, 0.5))
        stone.unlink()
        evening.report.fills += 1
        return evening.report.fills < times

    return trouble


def renewed(evening: Evening, moves: int, *, times: int = 4) -> Callable[[], bool]:
    """Let so many moves be played that many times, and then renew the server."""
    left = iter(reversed(range(times)))

    def trouble() -> bool:
        evening.wait_for(moves)
        is_enough = next(left) == 0
        if is_enough:
            evening.renew()
        return not is_enough

    return trouble

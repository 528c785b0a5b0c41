"""The two worlds that twin tables stand in: they share one clock, and what either draws at random.

Both draw keys, salts and codes from streams of the same start, so nothing is random of itself.
"""

from __future__ import annotations

import random
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import msgspec
import pytest
from werkzeug.test import TestResponse

from referee.live import Live, Watcher
from tests.secrets_of import SHUFFLE
from tests.table import Browser, Evening, app_at, bearer, tables_of

CLOCKED: Final = ("desk", "live", "seats", "web.display", "web.security", "web.place")
"""Modules that look at the clock."""
SYLLABLES: Final = rb"[bdfghjklmnprstvz][aiou][bdfghjklmnprstvz][aiou][bdfghjklmnprstvz]"
HASHED: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rb"[0-9a-f]{64}",
        rb"foot-[0-9a-f]{12}",
        SYLLABLES + rb"(?: " + SYLLABLES + rb"){3}",
    )
)
"""What is hashed over salts: another one at each table, but changed and equal at the same times.

Three searches take two thirds of the time of one that tries all three at every byte."""


class Twin:
    """A game whose deal hides something else from one viewer; the rest is the game's own."""

    def __init__(self, game: Any, viewer: int | None, seed: str) -> None:
        self._game, self._viewer, self._seed = game, viewer, seed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def setup(self, options: Mapping[str, str], seats: int, board: Mapping[str, Any]) -> Any:
        """Begin; where nothing is dealt, what is hidden differs from here on."""
        step = self._game.setup(options, seats, board)
        return step if step.needs else self._other(step)

    def chance(self, state: Any, outcome: Any) -> Any:
        """Deal otherwise what the viewer may not know."""
        step = self._game.chance(state, outcome)
        return self._other(step) if outcome.label == "deal" else step

    def _other(self, step: Any) -> Any:
        shuffle = SHUFFLE[self._game.META.key]
        state = shuffle(step.state, self._viewer, random.Random(self._seed))
        return msgspec.structs.replace(step, state=state)


class Clock:
    """The time of both twins, which only a test moves; and their streams of random signs."""

    def __init__(self) -> None:
        self.at = 1000.0
        self.streams: dict[str, random.Random] = {}

    def monotonic(self) -> float:
        """Give the time."""
        return self.at

    def now(self) -> str:
        """Give the time for people to read."""
        return f"2026-01-01T00:00:00+00:00 {self.at:.0f}"

    @contextmanager
    def world(self, world: World) -> Iterator[None]:
        """Draw from a world's own streams for a while."""
        self.streams, before = world.streams, self.streams
        yield
        self.streams = before

    def _stream(self, name: str) -> random.Random:
        return self.streams.setdefault(name, random.Random(name))

    def token_hex(self, size: int) -> str:
        """Give a key."""
        return self._stream(f"hex {size}").randbytes(size).hex()

    def token_urlsafe(self, size: int) -> str:
        """Give a key that may stand in an address."""
        return "u" + self._stream(f"url {size}").randbytes(size).hex()

    def choice(self, among: Sequence[Any]) -> Any:
        """Choose a sign of a code."""
        return self._stream("choice").choice(among)

    def install(self, patch: pytest.MonkeyPatch) -> None:
        """Let the referee draw from here, and look at this clock."""
        clock = SimpleNamespace(monotonic=self.monotonic)
        for module in CLOCKED:
            patch.setattr(f"referee.{module}.time", clock)
        for module in ("desk", "tables"):
            patch.setattr(f"referee.{module}.now", self.now)
        for name in ("token_hex", "token_urlsafe", "choice"):
            patch.setattr(secrets, name, getattr(self, name))


class World:
    """One of the two tables."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.streams: dict[str, random.Random] = {}
        self.names: dict[bytes, bytes] = {}
        self.evening: Evening
        self.watchers: dict[int | None, Watcher] = {}

    def begin(self, folder: Path, stack: Any, game: str, seats: int, **options: str) -> None:
        """Seat people, and begin to watch with an open page each."""
        with self.clock.world(self):
            app = stack.enter_context(app_at(folder))
            self.evening = Evening(app, game=game, seats=seats, **options)

    def start(self) -> None:
        """Start the game."""
        with self.clock.world(self):
            self.evening.start()
            for viewer in (None, *range(len(self.evening.phones))):
                watcher = Watcher(self.evening.code, viewer, f"w{viewer}", "")
                tables_of(self.evening.app).live.open(watcher)
                self.watchers[viewer] = watcher

    @property
    def ledger(self) -> Any:
        """Give what the table's journal says."""
        return self.evening.table.ledger

    def browser(self, viewer: int | None) -> Browser:
        """Give a viewer's browser; the display's is the host's."""
        return self.evening.laptop if viewer is None else self.evening.phones[viewer]

    def get(self, viewer: int | None, path: str, *, api: bool = False) -> TestResponse:
        """Ask for something."""
        with self.clock.world(self):
            who = self.browser(viewer)
            return who.client.get(path, headers=self._key(viewer) if api else who.headers)

    def post(self, viewer: int | None, path: str, form: Mapping[str, list[str]]) -> TestResponse:
        """Send a form."""
        with self.clock.world(self):
            return self.browser(viewer).client.post(path, data=dict(form))

    def say(self, viewer: int | None, path: str, body: object) -> TestResponse:
        """Send JSON to the interface."""
        with self.clock.world(self):
            return self.browser(viewer).client.post(
                f"/api/v1/tables/{self.evening.code}{path}", json=body, headers=self._key(viewer)
            )

    def _key(self, viewer: int | None) -> dict[str, str]:
        return bearer(
            self.browser(viewer).key(self.evening.code, "host" if viewer is None else viewer)
        )

    def masked(self, raw: bytes) -> bytes:
        """Name each hash by when it was first seen: what changes, changes in both."""
        for pattern in HASHED:
            raw = pattern.sub(self._name, raw)
        return raw

    def _name(self, found: re.Match[bytes]) -> bytes:
        return self.names.setdefault(found[0], b"#%d" % len(self.names))

    def woken(self, viewer: int | None) -> bool:
        """Say whether a viewer's open page was woken since the last time."""
        watcher = self.watchers[viewer]
        was_woken, watcher.is_woken = watcher.is_woken, False
        return was_woken


def live_of(world: World) -> Live:
    """Give who is looking at a world's tables."""
    return tables_of(world.evening.app).live


def seen(world: World, answer: TestResponse) -> tuple[int, bytes, bytes]:
    """Give all of an answer that can be compared."""
    lines = b"\n".join(f"{k}: {v}".encode() for k, v in answer.headers)
    return answer.status_code, world.masked(answer.data), world.masked(lines)

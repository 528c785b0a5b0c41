"""One publisher for all tables: who acts writes to every page of the table that takes it at once.

A page whose line is full or broken, and any page of a server without lines, is woken instead and
looks for itself. So nobody waits for a slow phone, and no more is kept for it than the one update
that it has not taken: what comes meanwhile it finds in the state of then.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final, NoReturn, Protocol

from referee.errors import NotSeated
from referee.line import Line
from referee.live import HEARTBEAT_S, Watcher
from referee.tables import Table

from .events import HEARTBEAT
from .faults import ALL_OF_IT
from .parts import Now, Parts

TICK_S: Final = 0.05


class Reader(Protocol):
    """An open page.

    Attributes:
        unsent: what was made for it and could not be sent; its own thread sends that first.
    """

    table: Table
    watcher: Watcher
    line: Line | None
    unsent: bytes

    def changes(self, now: Now) -> bytes:
        """Write what differs from what it shows."""


class Publisher:
    """Knows which pages wait with a free line."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._waiting: dict[str, dict[Watcher, Reader]] = {}
        self._beats_at: dict[str, float] = {}

    def reach(self, page: Reader) -> None:
        """Write to a page with a line from now on, for as long as it waits."""
        code, watcher = page.table.code, page.watcher
        self._waiting.setdefault(code, {})[watcher] = page
        self._beats_at.setdefault(code, time.monotonic() + HEARTBEAT_S)

    def forget(self, watcher: Watcher) -> None:
        """Write no more to a page: it goes on by itself."""
        here = self._waiting.get(watcher.table, {})
        here.pop(watcher, None)
        if not here:
            self._waiting.pop(watcher.table, None)

    def publish(self, watchers: Sequence[Watcher]) -> Sequence[Watcher]:
        """Write to pages of one table what changed for them; give those who are to be woken."""
        here = self._waiting.get(watchers[0].table, {}) if watchers else {}
        pages = [page for watcher in watchers if (page := here.get(watcher))]
        if not pages:
            return watchers
        reached = self._write(pages)
        return [watcher for watcher in watchers if watcher not in reached]

    def _write(self, pages: Sequence[Reader], *, and_then: bytes = b"") -> set[Watcher]:
        """Write to pages of one table; give whom that reached."""
        reached: set[Watcher] = set()
        table = pages[0].table
        with table.lock:
            try:
                now = self._parts.now(table)
            # What led here is stored, and no fault in a drawing undoes it.
            except Exception as fault:  # noqa: BLE001  # each page that is left meets it as well
                self._parts.faults.note(table, None, ALL_OF_IT, fault)
                return reached
            reached.update(page.watcher for page in pages if self._reaches(page, now, and_then))
        return reached

    def _reaches(self, page: Reader, now: Now, and_then: bytes) -> bool:
        """Say whether a page has all that changed for it."""
        here = self._waiting.get(page.table.code, {})
        if page.watcher not in here:
            return False
        try:
            data = page.changes(now) + and_then
        except NotSeated:
            return False  # its own thread says goodbye
        except Exception as fault:  # noqa: BLE001  # likewise: it begins anew, and no other waits
            self._parts.faults.note(page.table, page.watcher.viewer, ALL_OF_IT, fault)
            page.watcher.close()
            return False
        if page.watcher not in here:
            # Its own thread went on meanwhile, and is the only one that writes.
            page.unsent += data
            return False
        if not data or (page.line is not None and page.line.push(data)):
            return True
        self.forget(page.watcher)
        return False

    def keep_beating(self) -> NoReturn:
        """Beat for ever, a few tables at a time: who taps meanwhile waits for no round of all."""
        while True:
            time.sleep(TICK_S)
            self.beat(time.monotonic())

    def beat(self, now: float) -> None:
        """Tell the waiting pages of the tables that are due that their lines are alive.

        With what time alone has changed: who fell asleep, or an address that is another by now.
        """
        # Whoever came first is due first, since all wait for the same time.
        while self._beats_at and next(iter(self._beats_at.values())) <= now:
            code = next(iter(self._beats_at))
            del self._beats_at[code]
            if pages := [*self._waiting.get(code, {}).values()]:
                self._beats_at[code] = now + HEARTBEAT_S
                reached = self._write(pages, and_then=HEARTBEAT)
                for page in pages:
                    if page.watcher not in reached:
                        page.watcher.wake()

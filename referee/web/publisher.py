"""One publisher for all tables: who acts writes to every page of the table that takes it at once.

A page whose line is full or broken, and any page of a server without lines, is woken instead and
looks for itself. So nobody waits for a slow phone, and no more is kept for it than the one update
that it has not taken: what comes meanwhile it finds in the state of then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Protocol

from referee.line import Line
from referee.live import Watcher
from referee.tables import Table

from .parts import Now, Parts


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
        self._waiting: dict[Watcher, Reader] = {}

    @contextmanager
    def reaching(self, page: Reader) -> Iterator[None]:
        """Let a page be written to while its own thread waits inside."""
        if page.line is not None:
            self._waiting[page.watcher] = page
        try:
            yield
        finally:
            self._waiting.pop(page.watcher, None)

    def publish(self, watchers: Sequence[Watcher]) -> Sequence[Watcher]:
        """Write to pages of one table what changed for them; give those who are to be woken."""
        pages = [page for watcher in watchers if (page := self._waiting.get(watcher))]
        if not pages:
            return watchers
        reached: set[Watcher] = set()
        table = pages[0].table
        # What led here is stored, and no fault in a drawing undoes it: each page that is left meets
        # the fault on its own, and its stream ends with it.
        with suppress(Exception), table.lock:
            now = self._parts.now(table)
            reached.update(page.watcher for page in pages if self._reaches(page, now))
        return [watcher for watcher in watchers if watcher not in reached]

    def _reaches(self, page: Reader, now: Now) -> bool:
        """Say whether a page has all that changed for it."""
        if page.watcher not in self._waiting:
            return False
        data = page.changes(now)
        if page.watcher not in self._waiting:
            # Its own thread went on meanwhile, and may be in the middle of a heartbeat.
            page.unsent += data
            return False
        if not data or (page.line is not None and page.line.push(data)):
            return True
        # From here on its own thread writes, and is the only one that does.
        del self._waiting[page.watcher]
        return False

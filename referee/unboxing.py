"""Setting up the box together: the game's steps, and which of them hands have done.

No part of the journal: play hangs on none of it, and no undo or correction concerns it.
"""

from __future__ import annotations

import hashlib
import sqlite3
from typing import Any

from msgspec import Struct, json

from referee.db import Store
from referee.live import Live
from referee.tables import Table


class SetUpStep(Struct, frozen=True):
    """A step, whether it is done, and what a tick names it by: a step that changes has another."""

    what: Any
    mark: str
    is_done: bool


class SetUp(Struct, frozen=True):
    """All steps of a table, how many of them are done, and the place of the first that is not."""

    steps: tuple[SetUpStep, ...] = ()

    @property
    def done(self) -> int:
        """Count the steps that are done."""
        return sum(step.is_done for step in self.steps)

    @property
    def next(self) -> int | None:
        """Give the place of the first step that is not done."""
        return next((at for at, step in enumerate(self.steps) if not step.is_done), None)


class Unboxing:
    """Who ticks what, at all tables. `store` keeps it, `live` tells those who look."""

    def __init__(self, store: Store, live: Live) -> None:
        self._store = store
        self._live = live
        self._ticked: dict[str, frozenset[str]] = {}

    def of(self, table: Table) -> SetUp:
        """Give a table's steps, for the seats taken so far, or as many as it needs."""
        ledger, meta = table.ledger, table.game.META
        if ledger.status == "over":
            return SetUp()
        seats = max(len(ledger.seating.order), meta.seats[0])
        ticked = self._of(table.code)
        marked = ((step, _mark(step)) for step in table.game.unboxing(ledger.chosen(), seats))
        return SetUp(tuple(SetUpStep(step, mark, mark in ticked) for step, mark in marked))

    def tick(self, table: Table, mark: str, *, is_done: bool) -> None:
        """Say that a step is done, or is not. One that is none any more is passed over."""
        with table.lock:
            if mark not in {step.mark for step in self.of(table).steps}:
                return
            was = self._of(table.code)
            now = was | {mark} if is_done else was - {mark}
            if now == was:
                return
            # Stored before anybody is shown it, like all that outlives the server.
            self._store.write(lambda db: _keep(db, table.code, mark, is_done=is_done))
            self._ticked[table.code] = now
        self._live.wake(table.code)

    def _of(self, code: str) -> frozenset[str]:
        found = self._ticked.get(code)
        if found is None:
            with self._store.reading() as db:
                rows = db.table("ticks").rows_where("code = ?", [code])
                found = self._ticked[code] = frozenset(row["mark"] for row in rows)
        return found


def _mark(step: Any) -> str:
    return hashlib.blake2s(json.encode(step), digest_size=6).hexdigest()


def _keep(db: sqlite3.Connection, code: str, mark: str, *, is_done: bool) -> None:
    if is_done:
        db.execute("INSERT INTO ticks VALUES (?, ?)", (code, mark))
    else:
        db.execute("DELETE FROM ticks WHERE code = ? AND mark = ?", (code, mark))

"""Show me how: what somebody who plays a game for the first time is told about its questions.

It is a person's own: no journal, no entry and no other viewer's page knows anything of it. People
are known by their names, over evenings as well, so it stays switched off on their next phone too.
"""

from __future__ import annotations

import contextlib
import sqlite3
from typing import Any

from referee.db import Store
from referee.entries import SeatId
from referee.evenings import Evenings
from referee.games.base import IDLE, SeatIndex
from referee.live import Live
from referee.tables import Table


class Hints:
    """Who is shown how, at all tables. `store` keeps it, `live` tells whoever is meant."""

    def __init__(self, store: Store, live: Live) -> None:
        self._store = store
        self._live = live
        self._people = Evenings(store)
        self._wanted: dict[tuple[str, str], bool] = {}
        self._answered: dict[tuple[str, SeatId], frozenset[str]] = {}

    def shown(self, table: Table, seat: SeatId, kinds: tuple[str, ...]) -> tuple[str, ...]:
        """Give those of some kinds of questions that a seat is told about now."""
        known = table.game.screens.HINTS
        asked = [kind for kind in kinds if kind in known]
        if not asked or not self.is_on(table, seat):
            return ()
        done = self._done(table, seat)
        return tuple(kind for kind in dict.fromkeys(asked) if kind not in done)

    def is_on(self, table: Table, seat: SeatId) -> bool:
        """Say whether a seat is shown how: it wishes so, or has never played and did not refuse.

        Ruling: somebody has played a game if they sat at an earlier table of it when play began.
        """
        name = table.ledger.seating.seats[seat].name
        key = (table.code, name)
        found = self._wanted.get(key)
        if found is None:
            found = self._wanted[key] = self._wants(table, name)
        return found

    def asked(self, table: Table, seat: SeatId, action: str) -> frozenset[str]:
        """Name the kinds that a seat is told about now, and that this kind of action answers."""
        ledger, screens = table.ledger, table.game.screens
        if ledger.status != "playing" or not self.is_on(table, seat):
            return frozenset()
        answers = frozenset(kind for kind, by in screens.HINTS.items() if action in by)
        # Most of the time: what is asked now costs as much to find out as all that a phone shows.
        if answers <= self._done(table, seat):
            return frozenset()
        index: SeatIndex = ledger.seating.index(seat)
        # Together: a state and what it allows belong to one moment.
        with table.lock:
            public, own = ledger.public(), table.game.own(ledger.state, index)
            parts = screens.seat_parts(public, own, ledger.legal_for(seat), index, fresh=0)
        return answers.intersection(self.shown(table, seat, kinds_of(parts["ask"])))

    def answered(self, table: Table, seat: SeatId, asked: frozenset[str]) -> None:
        """Note that a seat answered what it was told about; it is not told again at this table."""
        new = asked - self._done(table, seat)
        if not new:
            return

        def keep(db: sqlite3.Connection) -> None:
            rows = [(table.code, seat, kind) for kind in sorted(new)]
            db.executemany("INSERT OR IGNORE INTO hinted VALUES (?, ?, ?)", rows)

        # The answer itself is stored by now, and nobody waits for the note of it as well. It holds
        # as long as the server runs.
        self._store.write_along(keep)
        self._answered[table.code, seat] = self._done(table, seat) | new
        self._wake(table, seat)

    def wish(self, table: Table, seat: SeatId, *, is_on: bool) -> None:
        """Switch it on or off for good, for the person who sits there; on begins anew."""
        name = table.ledger.seating.seats[seat].name
        same = self._people.names_of(name)

        def keep(db: sqlite3.Connection) -> None:
            for typed in same:
                db.execute("DELETE FROM wishes WHERE typed = ?", (typed,))
                db.execute("INSERT INTO wishes VALUES (?, ?)", (typed, int(is_on)))
            if is_on:
                db.execute("DELETE FROM hinted WHERE code = ? AND seat = ?", (table.code, seat))

        self._store.write(keep)
        # All of them: the same person may sit at another table under another spelling.
        self._wanted.clear()
        if is_on:
            self._answered.pop((table.code, seat), None)
        self._wake(table, seat)

    def renamed(self, table: Table, seat: SeatId, before: str) -> None:
        """Begin anew for whoever took a seat over by another name, not for a name spelt anew."""
        if table.ledger.seating.seats[seat].name.casefold() in self._people.names_of(before):
            return

        def forget(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM hinted WHERE code = ? AND seat = ?", (table.code, seat))

        # The new name is stored by now: a disk that is full must not say otherwise.
        with contextlib.suppress(sqlite3.Error):
            self._store.write(forget)
        self._answered[table.code, seat] = frozenset()
        self._wake(table, seat)

    def met(self) -> None:
        """Look anew who is whom, for names were made one person: what they wished counts now."""
        self._wanted.clear()

    def _wake(self, table: Table, seat: SeatId) -> None:
        """Wake this seat's pages, and nobody else's."""
        self._live.wake(table.code, but={None, *table.ledger.seating.order} - {seat})

    def _done(self, table: Table, seat: SeatId) -> frozenset[str]:
        found = self._answered.get((table.code, seat))
        if found is None:
            with self._store.reading() as db:
                rows = db.table("hinted").rows_where("code = ? AND seat = ?", [table.code, seat])
                found = frozenset(row["kind"] for row in rows)
            self._answered[table.code, seat] = found
        return found

    def _wants(self, table: Table, name: str) -> bool:
        same = self._people.names_of(name)
        game = table.game.META.key
        with self._store.reading() as db:
            wishes = [row["hints"] for row in db.table("wishes").rows if row["typed"] in same]
            # What a person said counts for good, and before anything that is guessed from evenings.
            if wishes:
                return bool(wishes[0])
        return same.isdisjoint(self._people.played(game, before=table.code))


def kinds_of(asked: tuple[Any, ...]) -> tuple[str, ...]:
    """Name the kinds of some questions; what says that nothing is asked is none."""
    tags = (str(question.__struct_config__.tag) for question in asked)
    return tuple(tag for tag in tags if tag != IDLE)

"""Every table of this machine: opened, found, forgotten, and opened again for the same people.

Joins the pure parts (games, journal) with storage and waiting pages; what is done at a table is in
`lobby`, `play`, `consent` and `seats`. Each table is guarded by a lock of its own; everything is
stored before anyone hears of it.
"""

from __future__ import annotations

import contextlib
import secrets
import sqlite3
import threading
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from referee import chance
from referee.consent import Consent
from referee.db import Store, TableRow, delete_table, insert_entries, insert_table
from referee.desk import DISPLAY, Desk, SeatRequest, Table, Who, hash_key, now, sealed
from referee.entries import Draft
from referee.errors import CorruptJournal, MalformedAction, NoSuchTable, TableError
from referee.games import GAMES
from referee.games.base import LANGUAGES
from referee.journal import Ledger, replay
from referee.live import Live
from referee.lobby import Lobby
from referee.options import check_options, without_starter
from referee.play import Play
from referee.seats import CODE_SIGNS, Seats
from referee.taught import Taught

__all__ = ["DISPLAY", "SeatRequest", "Table", "Tables", "Who", "hash_key"]

CODE_LENGTH: Final = 5
_REVEALED: Final = "INSERT OR REPLACE INTO reveals VALUES (?, ?, ?)"


class Tables:
    """Every table of this machine, and what is done there.

    Attributes:
        desk: stores what happens at a table before it tells anybody.
        lobby: sitting down, and what is settled before the start.
        play: actions, answers and what is told of the board.
        consent: taking back and setting right.
        seats: moving a seat from phone to phone.
        taught: what this machine's owner taught of boards.
        woken: called with each table that somebody comes back to.
    """

    def __init__(self, store: Store, live: Live) -> None:
        self.store = store
        self.live = live
        self.desk = Desk(store, live)
        self.seats = Seats(self.desk, self.find)
        self.lobby = Lobby(self.desk)
        self.play = Play(self.desk, self.seats)
        self.consent = Consent(self.desk)
        self.taught = Taught(store)
        self.woken: Callable[[Table], None] = lambda _table: None
        self._tables: dict[str, Table] = {}
        self._lock = threading.Lock()

    def open(
        self,
        game: str,
        *,
        options: Mapping[str, str] | None = None,
        seed: str | None = None,
        lang: str = "en",
    ) -> tuple[Table, str]:
        """Open a table and give it with the host's token. Raises MalformedAction."""
        if game not in GAMES:
            raise MalformedAction("no_such_game", game=game)
        if lang not in LANGUAGES:
            raise MalformedAction("no_such_language", lang=lang)
        chosen = check_options(GAMES.meta(game), options or {})
        row = TableRow(self.free_code(), game, lang, seed or chance.new_seed(), now(), now())
        token = secrets.token_urlsafe(16)
        opened = {
            "what": "opened",
            "game": game,
            "options": chosen,
            # A chosen seed may be a word: whoever guesses could try it against a commitment.
            "commitment": "" if seed else chance.commitment(row.seed),
            "seeded": bool(seed),
        }
        table = Table(row, Ledger(GAMES[game]), {hash_key(token): None})
        drafts = [Draft("note", None, opened)]
        entries = sealed(table.ledger, drafts)

        def insert(connection: Any) -> None:
            insert_table(connection, row)
            connection.execute("INSERT INTO keys VALUES (?, ?, NULL)", (hash_key(token), row.code))
            insert_entries(connection, row.code, entries)

        # Row, host's key and first entry in one transaction: no table without a host, and none that
        # a start page lists before its journal can be replayed.
        self.store.write(insert)
        table.ledger.take(entries[0])
        self._tables[row.code] = table
        return table, token

    def free_code(self) -> str:
        """Make up a code that no table has."""
        while True:
            code = "".join(secrets.choice(CODE_SIGNS) for _ in range(CODE_LENGTH))
            if code not in self._tables and self.store.table_row(code) is None:
                return code

    def find(self, code: str) -> Table:
        """Give a table whose bots play on, replayed the first time. Raises NoSuchTable."""
        table = self.look(code)
        if table.is_asleep:
            with self._lock:
                was_asleep, table.is_asleep = table.is_asleep, False
            if was_asleep:
                # Their pages come back within seconds; until then nobody is away, nor acted for.
                self.live.expect(table.code, {s for s in table.keys.values() if s is not None})
                self.woken(table)
        return table

    def look(self, code: str) -> Table:
        """Give a table as it lies: nobody came back to it who is only shown that it is there."""
        code = code.upper()
        # Without the lock first, since every request comes here; a second look under it keeps two
        # phones that wake a table at once from replaying it into two ledgers.
        if table := self._tables.get(code):
            return table
        with self._lock:
            if code in self._tables:
                return self._tables[code]
            row = self.store.table_row(code)
            if row is None or row.game not in GAMES:
                raise NoSuchTable(table=code)
            try:
                ledger = replay(GAMES[row.game], self.store.entries(code))
            except CorruptJournal as error:
                error.facts["table"] = code
                raise
            table = self._tables[code] = Table(row, ledger, self.store.keys(code))
            table.rematch = table.rematch or self.store.rematch(code)
            if revealed := self.store.revealed(code):
                self.live.tell(code, *revealed)
            table.is_asleep = True
        return table

    def forget(self, code: str) -> None:
        """Delete a table for good; whoever still looks at it is told that it is gone."""
        code = code.upper()
        self.store.write(lambda connection: delete_table(connection, code))
        self.store.sittings += 1
        with self._lock:
            if gone := self._tables.pop(code, None):
                gone.is_gone = True
        self.live.wake(code)

    def tell_the_end(self, table: Table, step: int) -> None:
        """Let the closing ceremony go on to a step, on all screens."""
        if table.ledger.status != "over":
            raise TableError("not_over")
        outcome = table.ledger.moved
        if step <= self.live.told(table.code, outcome):
            return
        row = (table.code, outcome, step)
        # Stored first, like all that outlives the server; a disk that is full holds up no end.
        with contextlib.suppress(sqlite3.Error):
            self.store.write(lambda db: db.execute(_REVEALED, row))
        self.live.tell(table.code, outcome, step)

    def play_again(self, table: Table) -> Table:
        """Give the table of the rematch: same game, options, seats; made by whoever asks first."""
        with table.lock:
            if table.ledger.status != "over":
                raise TableError("not_over")
            if table.rematch is not None and self.store.table_row(table.rematch) is not None:
                return self.find(table.rematch)
            meta = table.game.META
            chosen = without_starter(meta, table.ledger.options)
            again, _ = self.open(meta.key, options=chosen, lang=table.lang)
            # No keys yet: each seat waits for its phone to come over.
            with again.lock:
                for seat in table.ledger.seating.order:
                    was = table.ledger.seating.seats[seat]
                    info = msgspec.structs.replace(was, mix=secrets.token_hex(8))
                    kept = {"what": "kept", "seat": info.seat}
                    drafts = [Draft("join", info.seat, msgspec.to_builtins(info))]
                    self.desk.append(again, [*drafts, Draft("note", None, kept)])
            # Not in the journal, which everybody may read: it is theirs who played.
            pair = (table.code, again.code)
            self.store.write(lambda db: db.execute("INSERT INTO rematches VALUES (?, ?)", pair))
            table.rematch = again.code
            self.desk.append(table, [Draft("note", None, {"what": "rematch"})])
            return again

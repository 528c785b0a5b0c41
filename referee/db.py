"""Storage: one SQLite file, one writer, migrations, and the few queries there are.

Every write is one `BEGIN IMMEDIATE` transaction, made by one thread. Jobs that wait at the same
moment, from different tables, share a commit: each is durable before anyone hears of it, and a
slow SD card is asked to sync once for all of them.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from sqlite_utils import Database

from referee import backups
from referee.connecting import Offload, Readers, be_impatient, begin, connect, elsewhere
from referee.entries import Entry, SeatId
from referee.errors import CorruptJournal, NewerData
from referee.games.base import Facts
from referee.jobs import Job
from referee.schema import migrations, unknown

T = TypeVar("T")

log = logging.getLogger("referee")

BACKUP_EVERY_S: Final = 180.0


class TableRow(msgspec.Struct, frozen=True):
    """What is stored of a table beside its journal. `seed` is secret until the game is over.

    The times are for people to read; what was last is told by a number that only grows.
    """

    code: str
    game: str
    lang: str
    seed: str
    opened_at: str
    played_at: str


_COLUMNS: Final = ", ".join(TableRow.__struct_fields__)
_COUNT: Final = "(SELECT count + 1 FROM moves)"


class Store:
    """The database of one data folder.

    Args:
        path: the file, made if missing; readable by its owner alone.
        offload: how the server at hand runs a blocking commit.

    Raises NewerData for a file of a version of the referee that is newer than this one.

    Attributes:
        sittings: grows with whatever changes who sits at which table, and where play began.
    """

    def __init__(self, path: Path, *, offload: Offload | None = None) -> None:
        self.path = path
        self._offload: Offload = offload or (lambda call: call())
        path.parent.mkdir(parents=True, exist_ok=True)
        self.restored = backups.restore(path)
        # Before SQLite makes it, for all to read; its log takes over these rights.
        path.touch(mode=0o600)
        self._db = connect(path)
        self._readers = Readers(path)
        self._bring_up_to_date()
        be_impatient(self._db.conn)
        self._backed_up_at = time.monotonic()
        self._jobs: queue.SimpleQueue[Job[Any] | None] = queue.SimpleQueue()
        self._along: list[Job[Any]] = []
        self.sittings = 0
        # Daemons: a start that fails further on, such as at a port, must end and not wait for them.
        self._thread = threading.Thread(target=self._work, name="writer", daemon=True)
        self._thread.start()
        self._bell = threading.Event()
        self._is_backup_wanted = self._is_closing = False
        self._keeper = threading.Thread(target=self._keep, name="keeper", daemon=True)
        self._keeper.start()

    def _bring_up_to_date(self) -> None:
        """Give the file what this version needs; what an older one wrote is copied before."""
        if unknown(self._db):
            self._readers.close()
            self._db.close()
            raise NewerData(path=str(self.path))
        is_older = migrations.applied(self._db) and migrations.pending(self._db)
        if is_older:
            self._keep_one()
        migrations.apply(self._db)

    def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run work in a durable transaction and give its result. Raises sqlite3.Error."""
        job = Job(work)
        self._jobs.put(job)
        job.done.wait()
        if job.error:
            raise job.error
        return job.result  # type: ignore[return-value]  # set whenever there is no error

    def write_along(self, work: Callable[[sqlite3.Connection], object]) -> None:
        """Have something written with the next that is, or at the end; nobody waits for it.

        For what no table would miss after a crash: a card that is slow syncs once less.
        """
        self._along.append(Job(work))

    def close(self) -> None:
        """Finish what is queued and close the file."""
        # The end waits in line like a job: what was queued before it is still written.
        self._jobs.put(None)
        self._thread.join()
        if self._along:
            self._commit([])
        self._is_closing = True
        self._bell.set()
        self._keeper.join()
        if self._is_backup_wanted:
            self._keep_one()
        self._readers.close()
        self._db.close()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            batch = [job]
            is_last = False
            with contextlib.suppress(queue.Empty):
                while not is_last:
                    more = self._jobs.get_nowait()
                    is_last = more is None
                    if more is not None:
                        batch.append(more)
            self._commit(batch)
            self._keep_backup_when_due()
            if is_last:
                return

    def _keep_backup_when_due(self) -> None:
        """Save the evening's newest turns against a damaged card, every few minutes of play."""
        if time.monotonic() - self._backed_up_at > BACKUP_EVERY_S:
            self._backed_up_at = time.monotonic()
            self.want_backup()

    def _keep(self) -> None:
        """Make backups when they are wanted; copying many megabytes holds up no move."""
        while self._bell.wait():
            # In this order, and in the other one where it is rung: so neither misses the other.
            self._bell.clear()
            if self._is_closing:
                return
            if self._is_backup_wanted:
                self._is_backup_wanted = False
                self._offload(self._keep_one)

    def _keep_one(self) -> None:
        """Make a backup; a full disk must not stop the game."""
        try:
            self.keep_backup()
        except (sqlite3.Error, OSError) as error:
            log.warning("no backup could be made: %s", error)

    def _commit(self, batch: list[Job[Any]]) -> None:
        # First, since it was said before: what comes now may take it back.
        along, self._along = self._along, []
        batch = [*along, *batch]
        connection = self._db.conn
        try:
            begin(connection, self._offload)
            for job in batch:
                job.run(connection)
            # This alone waits for the disk. Were the rest done in another thread as well, it would
            # ask for the interpreter at each step, and wait for whoever draws pages meanwhile.
            elsewhere(self._offload, lambda: connection.execute("COMMIT"))
        except sqlite3.Error as error:
            # Nothing of the batch is stored, nor of the jobs that went well: all are told.
            for job in batch:
                job.error = error
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        # Only now, after the sync: whoever waits here tells phones that their action counts.
        for job in batch:
            job.done.set()

    def reading(self) -> AbstractContextManager[Database]:
        """Give a connection of one's own for reading."""
        return self._readers.reading()

    def backup(self, target: Path) -> Path:
        """Copy the whole database, while it is in use, to a file or into a folder."""
        if target.is_dir():
            partial, target = backups.claim(target)
        else:
            partial = target.with_name(f"{secrets.token_hex(4)}.partial")
            partial.touch(mode=0o600)
        try:
            with self.reading() as db:
                backups.copy(db.conn, partial)
            # A rename is whole or not at all: a plug pulled before it leaves the older one alone.
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)
        return target

    def keep_backup(self) -> Path:
        """Make a backup beside the database and keep the newest few."""
        folder = self.path.parent / "backups"
        folder.mkdir(exist_ok=True)
        made = self.backup(folder)
        backups.thin_out(folder)
        return made

    def want_backup(self) -> None:
        """Have a backup made soon, by a thread that nobody waits for."""
        self._is_backup_wanted = True
        self._bell.set()

    # Queries

    def table_row(self, code: str) -> TableRow | None:
        """Find a table by its code."""
        with self.reading() as db:
            rows = list(db.table("tables").rows_where("code = ?", [code]))
        return msgspec.convert(rows[0], TableRow) if rows else None

    def recent_tables(self, limit: int = 12) -> list[TableRow]:
        """List the tables last played at, newest first.

        Those where nobody has begun are half as many at most: whoever opens a dozen pushes no game
        off the list.
        """
        begun = "EXISTS (SELECT 1 FROM entries e WHERE e.code = tables.code AND kind = 'setup')"
        with self.reading() as db:
            rows = [
                row
                for where, most in ((begun, limit), (f"NOT {begun}", limit // 2))
                for row in db.table("tables").rows_where(where, order_by="moved desc", limit=most)
            ]
        rows.sort(key=lambda row: -row["moved"])
        return msgspec.convert(rows, list[TableRow])

    def entries(self, code: str) -> list[Entry]:
        """Read a table's whole journal in order. Raises CorruptJournal, naming the entry."""
        found, damaged = self.readable(code)
        if damaged is not None:
            raise CorruptJournal("unreadable", table=code, seq=damaged)
        return found

    def readable(self, code: str) -> tuple[list[Entry], int | None]:
        """Read a table's journal up to the first entry that cannot be read, and name that one."""
        with self.reading() as db:
            rows = list(db.table("entries").rows_where("code = ?", [code], order_by="seq"))
        entries: list[Entry] = []
        for row in rows:
            try:
                payload = msgspec.json.decode(row["payload"])
                entries.append(msgspec.convert({**row, "payload": payload}, Entry))
            except (msgspec.MsgspecError, ValueError, RecursionError):
                return entries, row["seq"]
        return entries, None

    def facts(self, game: str, board: str) -> dict[str, str]:
        """Give what an owner taught about a board, in the order it was taught."""
        with self.reading() as db:
            where = "game = ? AND board = ? AND gone = 0"
            rows = list(db.table("facts").rows_where(where, [game, board], order_by="number, fact"))
        return {row["fact"]: row["value"] for row in rows}

    def set_facts(self, game: str, board: str, facts: Mapping[str, str], at: str) -> None:
        """Let a board be known as this, and nothing else."""

        def change(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM facts WHERE game = ? AND board = ?", (game, board))
            keep_facts(connection, game, board, tuple(facts.items()), at)

        self.write(change)

    def rematch(self, code: str) -> str | None:
        """Name the table where the people of this one play again."""
        with self.reading() as db:
            rows = list(db.table("rematches").rows_where("code = ?", [code]))
        return rows[0]["again"] if rows else None

    def before(self, code: str) -> str | None:
        """Name the table of which this one is the rematch."""
        with self.reading() as db:
            rows = list(db.table("rematches").rows_where("again = ?", [code]))
        return rows[0]["code"] if rows else None

    def revealed(self, code: str) -> tuple[int, int] | None:
        """Give of which end a table's closing ceremony is, and how many steps were told."""
        with self.reading() as db:
            rows = list(db.table("reveals").rows_where("code = ?", [code]))
        return (rows[0]["outcome"], rows[0]["step"]) if rows else None

    def freed(self, code: str) -> frozenset[SeatId]:
        """Name a table's seats whose phones had them until the host freed them."""
        with self.reading() as db:
            return frozenset(
                row["seat"] for row in db.table("freed").rows_where("code = ?", [code])
            )

    def keys(self, code: str) -> dict[str, SeatId | None]:
        """Give a table's hashed keys: each opens a seat, or None the host's rights."""
        with self.reading() as db:
            rows = list(db.table("keys").rows_where("code = ?", [code]))
        return {row["hash"]: row["seat"] for row in rows}


def keep_facts(
    connection: sqlite3.Connection, game: str, board: str, facts: Facts, at: str, source: str = ""
) -> None:
    """Add facts to what an owner's board is known to be; what was said before is replaced.

    `source` is the table that taught them, "" for the board's own page.
    """
    for fact, value in facts:
        key = (game, board, fact)
        # Not changed in place: what was said last gets the newest number, and is listed last.
        connection.execute("DELETE FROM facts WHERE game = ? AND board = ? AND fact = ?", key)
        connection.execute(
            "INSERT INTO facts (game, board, fact, value, at, source, number) "
            "VALUES (?, ?, ?, ?, ?, ?, (SELECT coalesce(max(number), 0) + 1 FROM facts))",
            (*key, value, at, source),
        )


def insert_table(connection: sqlite3.Connection, row: TableRow) -> None:
    """Add a table, the last that was played at."""
    fields = ", ".join("?" * len(TableRow.__struct_fields__))
    connection.execute(
        f"INSERT INTO tables ({_COLUMNS}, moved) VALUES ({fields}, {_COUNT})",  # noqa: S608  # ours
        msgspec.structs.astuple(row),
    )


def note_played(connection: sqlite3.Connection, code: str, at: str) -> None:
    """Note that this table is the last that was played at; `at` is for people to read."""
    connection.execute(
        f"UPDATE tables SET played_at = ?, moved = {_COUNT} WHERE code = ?",  # noqa: S608  # ours
        (at, code),
    )


def insert_entries(connection: sqlite3.Connection, code: str, entries: list[Entry]) -> None:
    """Append links to a table's journal. The primary key decides races."""
    # In the same transaction: a backup tells by this number, not by a clock, how much it holds.
    connection.execute("UPDATE moves SET count = count + 1")
    connection.executemany(
        "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                code,
                e.seq,
                e.at,
                e.seat,
                e.kind,
                msgspec.json.encode(e.payload).decode(),
                e.salt,
                e.chain,
                e.payload.get("id") if e.kind in {"action", "answer"} else None,
            )
            for e in entries
        ],
    )


def delete_table(connection: sqlite3.Connection, code: str) -> None:
    """Forget a table and all that was played at it. What it taught about a board stays."""
    connection.execute("DELETE FROM rematches WHERE ? IN (code, again)", (code,))
    for table in ("entries", "keys", "freed", "ticks", "hinted", "reveals"):
        connection.execute(f"DELETE FROM {table} WHERE code = ?", (code,))  # noqa: S608  # ours
    connection.execute("DELETE FROM tables WHERE code = ?", (code,))
    # Else a backup in which the table still is would count as the fuller one.
    connection.execute("UPDATE moves SET count = count + 1")

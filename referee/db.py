"""Storage: one SQLite file, one writer, migrations, and the few queries there are.

Every write is one `BEGIN IMMEDIATE` transaction, made by one thread. Jobs that wait at the same
moment, from different tables, share a commit: each is durable before anyone hears of it, and a
slow SD card is asked to sync once for all of them.
"""

from __future__ import annotations

import contextlib
import queue
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import msgspec
from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from referee.entries import Entry, SeatId
from referee.games.base import Facts

T = TypeVar("T")

Offload = Callable[[Callable[[], None]], None]
"""Runs a blocking call where it holds up nobody else."""

BUSY_MS: Final = 5000
KEPT_BACKUPS: Final = 20
BACKUP_EVERY_S: Final = 180.0

migrations: Final = Migrations("referee")


@migrations(name="0001_tables")
def _tables(db: Database) -> None:
    db.executescript(
        """
        CREATE TABLE tables (
            code TEXT PRIMARY KEY,
            game TEXT NOT NULL,
            lang TEXT NOT NULL,
            seed TEXT NOT NULL,
            status TEXT NOT NULL CHECK (status IN ('lobby', 'playing', 'over')),
            opened_at TEXT NOT NULL,
            played_at TEXT NOT NULL
        ) STRICT;
        CREATE TABLE keys (
            hash TEXT PRIMARY KEY,
            code TEXT NOT NULL REFERENCES tables (code),
            seat INTEGER
        ) STRICT;
        CREATE INDEX keys_code ON keys (code);
        CREATE TABLE entries (
            code TEXT NOT NULL REFERENCES tables (code),
            seq INTEGER NOT NULL CHECK (seq > 0),
            at TEXT NOT NULL,
            seat INTEGER,
            kind TEXT NOT NULL,
            payload TEXT NOT NULL,
            salt TEXT NOT NULL,
            chain TEXT NOT NULL,
            action_id TEXT,
            PRIMARY KEY (code, seq),
            UNIQUE (code, seat, action_id)
        ) STRICT, WITHOUT ROWID;
        """
    )


@migrations(name="0002_facts")
def _facts(db: Database) -> None:
    db.executescript(
        """
        CREATE TABLE facts (
            game TEXT NOT NULL,
            board TEXT NOT NULL,
            fact TEXT NOT NULL,
            value TEXT NOT NULL,
            at TEXT NOT NULL,
            PRIMARY KEY (game, board, fact)
        ) STRICT, WITHOUT ROWID;
        """
    )


class TableRow(msgspec.Struct, frozen=True):
    """What is stored of a table beside its journal. `seed` is secret until the game is over."""

    code: str
    game: str
    lang: str
    seed: str
    status: str
    opened_at: str
    played_at: str


def connect(path: Path) -> Database:
    """Open the database the one way it is opened: WAL, every commit synced, keys enforced."""
    connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA journal_size_limit = 4194304")
    return Database(connection)


class _Job(Generic[T]):
    """A piece of work for the writer, and the place where its maker waits."""

    def __init__(self, work: Callable[[sqlite3.Connection], T]) -> None:
        self.work = work
        self.done = threading.Event()
        self.result: T | None = None
        self.error: BaseException | None = None

    def run(self, connection: sqlite3.Connection) -> None:
        """Do the work inside a savepoint, so that a refusal here spares the others."""
        connection.execute("SAVEPOINT job")
        with self:
            self.result = self.work(connection)
        if self.error and not connection.in_transaction:
            raise self.error  # a full disk has undone the whole batch
        if self.error:
            connection.execute("ROLLBACK TO job")
        connection.execute("RELEASE job")

    def __enter__(self) -> None:
        """Begin what may fail."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        """Keep whatever went wrong for the job's maker; the writer must go on for the others."""
        self.error = error
        return True


class Store:
    """The database of one data folder.

    Args:
        path: the file, made if missing; readable by its owner alone.
        offload: how the server at hand runs a blocking commit.
    """

    def __init__(self, path: Path, *, offload: Offload | None = None) -> None:
        self.path = path
        self._offload: Offload = offload or (lambda call: call())
        path.parent.mkdir(parents=True, exist_ok=True)
        self.recovered = _recover(path)
        path.touch(mode=0o600)
        self._db = connect(path)
        migrations.apply(self._db)
        self._backed_up_at = time.monotonic()
        self._jobs: queue.SimpleQueue[_Job[Any] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="writer", daemon=True)
        self._thread.start()

    def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run work in a durable transaction and give its result. Raises sqlite3.Error."""
        job = _Job(work)
        self._jobs.put(job)
        job.done.wait()
        if job.error:
            raise job.error
        return job.result  # type: ignore[return-value]  # set whenever there is no error

    def close(self) -> None:
        """Finish what is queued and close the file."""
        self._jobs.put(None)
        self._thread.join()
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
            self._offload(self._keep_one)

    def _keep_one(self) -> None:
        """Make a backup; a full disk must not stop the game."""
        with contextlib.suppress(sqlite3.Error, OSError):
            self.keep_backup()

    def _commit(self, batch: list[_Job[Any]]) -> None:
        def commit() -> None:
            connection = self._db.conn
            try:
                connection.execute("BEGIN IMMEDIATE")
                for job in batch:
                    job.run(connection)
                connection.execute("COMMIT")
            except sqlite3.Error as error:
                for job in batch:
                    job.error = error
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

        self._offload(commit)
        for job in batch:
            job.done.set()

    @contextlib.contextmanager
    def reading(self) -> Iterator[Database]:
        """Give a connection of one's own for reading."""
        db = connect(self.path)
        try:
            yield db
        finally:
            db.close()

    def backup(self, target: Path) -> Path:
        """Copy the whole database, while it is in use, to a file or into a folder."""
        if target.is_dir():
            target /= f"referee-{time.strftime('%Y%m%d-%H%M%S')}.db"
        partial = target.with_name(f"{secrets.token_hex(4)}.partial")
        partial.touch(mode=0o600)
        with self.reading() as db, contextlib.closing(sqlite3.connect(partial)) as copy:
            db.conn.backup(copy)
        partial.replace(target)
        return target

    def keep_backup(self) -> Path:
        """Make a backup beside the database and keep the newest few."""
        folder = self.path.parent / "backups"
        folder.mkdir(exist_ok=True)
        made = self.backup(folder)
        for old in sorted(folder.glob("referee-*.db"))[:-KEPT_BACKUPS]:
            old.unlink(missing_ok=True)
        return made

    # Queries

    def table_row(self, code: str) -> TableRow | None:
        """Find a table by its code."""
        with self.reading() as db:
            rows = list(db.table("tables").rows_where("code = ?", [code]))
        return msgspec.convert(rows[0], TableRow) if rows else None

    def recent_tables(self, limit: int = 12) -> list[TableRow]:
        """List the tables last played at, newest first."""
        with self.reading() as db:
            rows = list(db.table("tables").rows_where(order_by="played_at desc", limit=limit))
        return msgspec.convert(rows, list[TableRow])

    def entries(self, code: str) -> list[Entry]:
        """Read a table's whole journal in order."""
        with self.reading() as db:
            rows = list(db.table("entries").rows_where("code = ?", [code], order_by="seq"))
        return [
            Entry(
                row["seq"],
                row["at"],
                row["seat"],
                row["kind"],
                msgspec.json.decode(row["payload"]),
                row["salt"],
                row["chain"],
            )
            for row in rows
        ]

    def facts(self, game: str, board: str) -> dict[str, str]:
        """Give what an owner taught about a board, in the order it was taught."""
        with self.reading() as db:
            where = "game = ? AND board = ?"
            rows = list(db.table("facts").rows_where(where, [game, board], order_by="at, fact"))
        return {row["fact"]: row["value"] for row in rows}

    def set_facts(self, game: str, board: str, facts: Mapping[str, str], at: str) -> None:
        """Let a board be known as this, and nothing else."""

        def change(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM facts WHERE game = ? AND board = ?", (game, board))
            keep_facts(connection, game, board, tuple(facts.items()), at)

        self.write(change)

    def keys(self, code: str) -> dict[str, SeatId | None]:
        """Give a table's hashed keys: each opens a seat, or None the host's rights."""
        with self.reading() as db:
            rows = list(db.table("keys").rows_where("code = ?", [code]))
        return {row["hash"]: row["seat"] for row in rows}


def keep_facts(
    connection: sqlite3.Connection, game: str, board: str, facts: Facts, at: str
) -> None:
    """Add facts to what an owner's board is known to be; what was said before is replaced."""
    for fact, value in facts:
        key = (game, board, fact)
        connection.execute("DELETE FROM facts WHERE game = ? AND board = ? AND fact = ?", key)
        connection.execute("INSERT INTO facts VALUES (?, ?, ?, ?, ?)", (*key, value, at))


def insert_entries(connection: sqlite3.Connection, code: str, entries: list[Entry]) -> None:
    """Append links to a table's journal. The primary key decides races."""
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


def _recover(path: Path) -> str | None:
    """Put a damaged file aside and bring the newest sound backup; say which, or "" for none."""
    if not path.exists() or _is_sound(path):
        return None
    aside = path.with_name(f"{path.stem}-damaged-{time.strftime('%Y%m%d-%H%M%S')}.db")
    path.replace(aside)
    for suffix in ("-wal", "-shm"):
        beside = path.with_name(path.name + suffix)
        if beside.exists():
            beside.replace(aside.with_name(aside.name + suffix))
    for backup in sorted((path.parent / "backups").glob("referee-*.db"), reverse=True):
        if _is_sound(backup):
            partial = path.with_suffix(".partial")
            partial.touch(mode=0o600)
            partial.write_bytes(backup.read_bytes())
            partial.replace(path)
            return backup.name
    return ""


def _is_sound(path: Path) -> bool:
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=BUSY_MS / 1000)) as connection:
            return bool(connection.execute("PRAGMA quick_check").fetchone()[0] == "ok")
    except sqlite3.OperationalError:
        return True  # locked, or not to be opened: opening it for use will say so
    except sqlite3.DatabaseError:
        return False

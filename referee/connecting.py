"""How the database is opened and written to, and connections kept for the next who reads."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

from sqlite_utils import Database

Offload: TypeAlias = Callable[[Callable[[], None]], None]
"""Runs a blocking call where it holds up nobody else."""

BUSY_MS: Final = 5000
KEPT: Final = 2
"""Connections for reading that stay open."""
CACHE_KIB: Final = 384
"""What a connection keeps of the file; the system keeps it as well, and SQLite would take 2 MB."""


def connect(path: Path) -> Database:
    """Open the database the one way it is opened: WAL, every commit synced, keys enforced."""
    # The writer's is opened by one thread and used by another. No level: sqlite3 would begin
    # transactions of its own accord, and deferred ones.
    connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    connection.execute("PRAGMA journal_mode = WAL")
    # FULL: in WAL mode less would let a power cut take back what phones were already shown.
    connection.execute("PRAGMA synchronous = FULL")
    # Minded only where each connection asks for it.
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
    # A backup that reads for long lets the log grow; without a limit it would stay that large.
    connection.execute("PRAGMA journal_size_limit = 4194304")
    return Database(connection)


def elsewhere(offload: Offload, call: Callable[[], object]) -> None:
    """Run what waits, for a disk or a lock, where it holds up nobody. Raises sqlite3.Error."""
    errors: list[sqlite3.Error] = []

    def run() -> None:
        # Raised here again: of what a thread itself raises servers tell in the terminal.
        try:
            call()
        except sqlite3.Error as error:
            errors.append(error)

    offload(run)
    if errors:
        raise errors[0]


def be_impatient(connection: sqlite3.Connection) -> None:
    """Let it wait for no lock: `begin` asks once, and waits elsewhere where it has to."""
    connection.execute("PRAGMA busy_timeout = 0")


def begin(connection: sqlite3.Connection, offload: Offload) -> None:
    """Begin to write, by a connection that is impatient. Raises sqlite3.Error."""
    # Not deferred: a transaction that meets another writer at its first write cannot wait for it,
    # and fails with "database is locked" at once, whatever the timeout.
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError:
        elsewhere(offload, lambda: _begin_patiently(connection))


def _begin_patiently(connection: sqlite3.Connection) -> None:
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    try:
        connection.execute("BEGIN IMMEDIATE")
    finally:
        be_impatient(connection)


class Readers:
    """Connections to one file for reading: each in one pair of hands at a time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._idle: list[Database] = []
        self._is_closed = False

    @contextlib.contextmanager
    def reading(self) -> Iterator[Database]:
        """Give a connection of one's own for reading."""
        # Opening one costs more than most of what is read; one that failed is not used again.
        db = self._idle.pop() if self._idle else self._open()
        is_kept = False
        try:
            yield db
            is_kept = len(self._idle) < KEPT and not self._is_closed
        finally:
            if is_kept:
                self._idle.append(db)
            else:
                db.close()

    def _open(self) -> Database:
        db = connect(self._path)
        # A letter that is none spoils its own row; the chain tells that it is not what was stored.
        db.conn.text_factory = lambda raw: raw.decode(errors="replace")
        return db

    def close(self) -> None:
        """Close those that nobody reads by, and keep no more."""
        self._is_closed = True
        while self._idle:
            self._idle.pop().close()

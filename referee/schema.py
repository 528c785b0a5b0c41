"""The schema, as numbered migrations: none is ever edited once it was released."""

from __future__ import annotations

from contextlib import closing
from typing import Final

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

migrations: Final = Migrations("referee")


def unknown(db: Database) -> set[str]:
    """Name the migrations of a database that a newer version of the referee must have made."""
    with closing(Database(memory=True)) as empty:
        known = {migration.name for migration in migrations.pending(empty)}
    return {migration.name for migration in migrations.applied(db)} - known


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


@migrations(name="0003_no_status")
def _no_status(db: Database) -> None:
    # A table's journal says it; the column cost a second sync, and nobody read it.
    db.execute("ALTER TABLE tables DROP COLUMN status")


@migrations(name="0004_moves")
def _moves(db: Database) -> None:
    # A board computer without a clock starts in the past: what was last is told by a number.
    db.executescript(
        """
        CREATE TABLE moves (
            count INTEGER NOT NULL
        ) STRICT;
        ALTER TABLE tables ADD COLUMN moved INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE facts ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
        UPDATE tables SET moved = (
            SELECT count(*) FROM tables AS other WHERE other.played_at <= tables.played_at
        );
        UPDATE facts SET number = (SELECT count(*) FROM facts AS other WHERE other.at <= facts.at);
        INSERT INTO moves SELECT coalesce(max(moved), 0) FROM tables;
        """
    )


@migrations(name="0005_lessons")
def _lessons(db: Database) -> None:
    db.executescript(
        """
        ALTER TABLE facts ADD COLUMN source TEXT NOT NULL DEFAULT '';
        ALTER TABLE facts ADD COLUMN gone INTEGER NOT NULL DEFAULT 0 CHECK (gone IN (0, 1));
        """
    )


@migrations(name="0006_rematches")
def _rematches(db: Database) -> None:
    # A journal is for everybody to read; where the same people play again is for them alone.
    db.executescript(
        """
        CREATE TABLE rematches (
            code TEXT PRIMARY KEY REFERENCES tables (code),
            again TEXT NOT NULL UNIQUE REFERENCES tables (code)
        ) STRICT, WITHOUT ROWID;
        """
    )


@migrations(name="0007_people")
def _people(db: Database) -> None:
    # The name that somebody typed, folded, and the one by which they are known over evenings.
    db.executescript(
        """
        CREATE TABLE people (
            typed TEXT PRIMARY KEY,
            person TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
    )


@migrations(name="0008_ticks")
def _ticks(db: Database) -> None:
    # What of a table's set-up hands have done. Play hangs on none of it, so no journal has it.
    db.executescript(
        """
        CREATE TABLE ticks (
            code TEXT NOT NULL REFERENCES tables (code),
            mark TEXT NOT NULL,
            PRIMARY KEY (code, mark)
        ) STRICT, WITHOUT ROWID;
        """
    )


@migrations(name="0009_hints")
def _hints(db: Database) -> None:
    # What a newcomer was shown how to do, and who wishes for it or not: by the name typed, folded.
    db.executescript(
        """
        CREATE TABLE hinted (
            code TEXT NOT NULL REFERENCES tables (code),
            seat INTEGER NOT NULL,
            kind TEXT NOT NULL,
            PRIMARY KEY (code, seat, kind)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE wishes (
            typed TEXT PRIMARY KEY,
            hints INTEGER NOT NULL CHECK (hints IN (0, 1))
        ) STRICT, WITHOUT ROWID;
        """
    )


@migrations(name="0010_freed")
def _freed(db: Database) -> None:
    # The keys of seats that the host freed: they open nothing, until the seat is given back.
    db.executescript(
        """
        CREATE TABLE freed (
            hash TEXT PRIMARY KEY,
            code TEXT NOT NULL REFERENCES tables (code),
            seat INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX freed_code ON freed (code);
        """
    )


@migrations(name="0011_told")
def _told(db: Database) -> None:
    # Who sits where is asked of all tables at once, and hundreds of moves lie between two such
    # entries. Moves are not in it, so it costs them nothing.
    db.execute("CREATE INDEX entries_told ON entries (code, seq) WHERE kind IN ('join', 'note')")


@migrations(name="0012_reveals")
def _reveals(db: Database) -> None:
    # How far a table's closing ceremony is, and of which end: whoever starts anew goes on there.
    db.executescript(
        """
        CREATE TABLE reveals (
            code TEXT PRIMARY KEY REFERENCES tables (code),
            outcome INTEGER NOT NULL,
            step INTEGER NOT NULL CHECK (step > 0)
        ) STRICT, WITHOUT ROWID;
        """
    )

"""Backups: numbered copies of the database, and finding the newest one that is worth having."""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
import time
from pathlib import Path
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from referee.folder import read_small, write_small

KEPT: Final = 20
BUSY_S: Final = 5.0
PIECE: Final = 256
"""Pages that a backup copies before it lets the disk rest: a megabyte."""
NAME: Final = re.compile(r"referee-(?:(\d{6,})-)?(\d{8}-\d{6})\.db")
GROWING: Final = re.compile(r"referee-(\d{6,})\.partial")
RESTORED: Final = "restored.txt"
NOTHING: Final = "nothing"
OURS: Final = frozenset({"tables", "entries", "keys"})
"""What every database of ours has had since the first."""

Why: TypeAlias = Literal["missing", "damaged", "emptier"]


class Restored(Struct, frozen=True):
    """What was brought back, and why: `backup` is "" where there was none; `day` is for people."""

    why: Why
    backup: str
    day: str


def ordered(folder: Path) -> list[Path]:
    """List a folder's backups, oldest first: by their number, for clocks may be wrong.

    Those of an older referee have none and come first.
    """
    found = [(match, path) for path in folder.glob("referee-*.db")
             if (match := NAME.fullmatch(path.name))]  # fmt: skip
    return [path for _, path in sorted(found, key=lambda one: (int(one[0][1] or 0), one[0][2]))]


def claim(folder: Path) -> tuple[Path, Path]:
    """Make the file in which a folder's next backup grows, and give its name once it is whole.

    It has a number after all there are, and the time for people to read. Two at once, of which one
    may be another program's, have two numbers: the later would else take the earlier one's place.
    """
    while True:
        number = max((_number(path) for path in folder.glob("referee-*")), default=0) + 1
        partial = folder / f"referee-{number:06}.partial"
        with contextlib.suppress(FileExistsError):
            # Shut before anything is in it: a copy holds every table's secrets.
            partial.touch(mode=0o600, exist_ok=False)
            # Looked again: who had this number may have been done with it since the first look.
            if number not in map(_number, folder.glob("referee-*.db")):
                named = f"referee-{number:06}-{time.strftime('%Y%m%d-%H%M%S')}.db"
                return partial, folder / named
            partial.unlink(missing_ok=True)


def _number(path: Path) -> int:
    match = NAME.fullmatch(path.name) or GROWING.fullmatch(path.name)
    return int(match[1] or 0) if match else 0


def thin_out(folder: Path) -> None:
    """Keep the newest few."""
    for old in ordered(folder)[:-KEPT]:
        old.unlink(missing_ok=True)


def copy(source: sqlite3.Connection, partial: Path) -> None:
    """Copy a database as it is now, in pieces that are each on the disk before the next.

    A hundred megabytes given to the disk at once would hold up the next move for as long as it
    takes them.
    """
    with contextlib.closing(sqlite3.connect(partial)) as copy, partial.open("rb+") as file:
        # Nothing of it counts before it is whole; and what is copied must not wait in memory.
        copy.execute("PRAGMA journal_mode = OFF")
        copy.execute("PRAGMA synchronous = OFF")
        copy.execute("PRAGMA cache_size = 64")
        # A snapshot: what is written meanwhile would have it begin again with each piece.
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()
        source.backup(copy, pages=PIECE, progress=lambda *_: os.fsync(file.fileno()))
        source.execute("ROLLBACK")
    with partial.open("rb+") as file:
        os.fsync(file.fileno())


def moves(path: Path, *, thorough: bool) -> int | None:
    """Count the moves of a sound database of ours; None is damaged, empty, or something else.

    `thorough` reads all of it. Raises sqlite3.OperationalError where it cannot be told, such as for
    a file that another program holds.
    """
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=BUSY_S)) as connection:
            if thorough and connection.execute("PRAGMA quick_check").fetchone()[0] != "ok":
                return None
            names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
            if not names >= OURS:
                return None
            if "moves" not in names:
                return 0  # an older referee's
            (count,) = connection.execute("SELECT count FROM moves").fetchone() or (0,)
            return int(count)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        return None


def restore(path: Path) -> Restored | None:
    """Bring back the newest sound backup where the database is damaged, missing or emptier.

    What lies there is put aside and never deleted. None: nothing had to be done. Raises
    sqlite3.OperationalError for a file that another program holds.
    """
    is_there = path.exists() and path.stat().st_size > 0
    found = moves(path, thorough=True) if is_there else None
    backup = _best(path.parent / "backups", more_than=-1 if found is None else found)
    if backup is None and (found is not None or not is_there):
        return None  # it is as it was; or this is the first start
    why: Why = "missing" if not is_there else "damaged" if found is None else "emptier"
    _put_aside(path)
    if backup is not None:
        partial = path.with_suffix(".partial")
        partial.touch(mode=0o600)
        # Copied, so that it stays a backup: a card that spoilt one database may spoil the next.
        partial.write_bytes(backup.read_bytes())
        partial.replace(path)
    restored = Restored(why, "" if backup is None else backup.name, _day(backup))
    write_small(path.with_name(RESTORED), f"{why} {restored.backup or NOTHING}")
    return restored


def _best(folder: Path, *, more_than: int) -> Path | None:
    """Give the newest sound backup, if it has more moves than the database that lies there."""
    for path in reversed(ordered(folder)):
        with contextlib.suppress(sqlite3.OperationalError):
            # A healthy start asks the newest for its count alone; reading all of it takes seconds
            # on a card, and is worth it only for what would be brought back.
            count = moves(path, thorough=False) if path.stat().st_size else None
            if count is None:
                continue
            # None before it has more: the number that orders them and this one grow together.
            if count <= more_than:
                return None
            if moves(path, thorough=True) is not None:
                return path
    return None


def _put_aside(path: Path) -> None:
    aside = path.with_name(f"{path.stem}-damaged-{time.strftime('%Y%m%d-%H%M%S')}.db")
    # The log goes with its database: beside a restored one it would be played into it.
    for suffix in ("", "-wal", "-shm"):
        beside = path.with_name(path.name + suffix)
        if beside.exists():
            beside.replace(aside.with_name(aside.name + suffix))


def unseen(folder: Path) -> Restored | None:
    """Give what was restored and nobody has taken note of yet."""
    why, _, name = (read_small(folder / RESTORED) or "").partition(" ")
    if why not in {"missing", "damaged", "emptier"}:
        return None
    backup = "" if name == NOTHING else name
    return Restored(why, backup, _day(Path(name)))  # type: ignore[arg-type]  # checked above


def seen(folder: Path) -> None:
    """Take note of what was restored."""
    (folder / RESTORED).unlink(missing_ok=True)


def _day(backup: Path | None) -> str:
    """Give the day a backup was made, as ISO, from its name; "" if it does not say."""
    match = NAME.fullmatch(backup.name) if backup else None
    return f"{match[2][:4]}-{match[2][4:6]}-{match[2][6:8]}" if match else ""

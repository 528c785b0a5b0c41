"""The data folder: one server at a time, and small files that are whole or not there."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from referee.errors import AlreadyRunning

ADDRESS: Final = "running.txt"
LONGEST_ADDRESS: Final = 300


class Folder:
    """A data folder that one server holds for as long as it runs.

    The operating system lets go of the lock however the process ends, a pulled plug included.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        # The process holds it, whichever of its threads asks.
        self._lock = FileLock(path / "referee.lock", timeout=0, thread_local=False)

    def claim(self) -> None:
        """Hold the folder. Raises AlreadyRunning, with the other server's address if known."""
        try:
            self._lock.acquire()
        except Timeout as held:
            raise AlreadyRunning(address=announced(self.path)[0]) from held
        # Whoever holds the folder is alone in it: what was half written belongs to nobody.
        for left in (*self.path.glob("*.partial"), *self.path.glob("backups/*.partial")):
            left.unlink(missing_ok=True)
        (self.path / ADDRESS).unlink(missing_ok=True)

    @property
    def is_held(self) -> bool:
        """Say whether this very process holds the folder."""
        return bool(self._lock.is_locked)

    def announce(self, address: str, *, shown: str = "") -> None:
        """Say where this server answers, for whoever starts a second one or looks for a fault.

        `shown` is the address that it was told to show.
        """
        write_small(self.path / ADDRESS, f"{address} {shown}".rstrip())

    def release(self) -> None:
        """Let go of the folder."""
        # While it is held: a moment later the file may be the next server's.
        (self.path / ADDRESS).unlink(missing_ok=True)
        self._lock.release()


def announced(folder: Path) -> tuple[str, str]:
    """Give where the server on a folder said that it answers, and what it was told to show.

    Both are "" where nothing is said. A server that was killed has not taken it back.
    """
    address, _, shown = (read_small(folder / ADDRESS) or "").partition(" ")
    return address, shown


def write_small(path: Path, text: str) -> None:
    """Write a small file aside, sync it, and rename it: it is whole or as it was before.

    Its owner alone may read it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # A name of its own: two that write at once must not write into one another.
    partial = path.with_name(f"{secrets.token_hex(4)}.partial")
    partial.touch(mode=0o600)
    with partial.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        # Before the rename: else a power cut may leave the new name, and nothing in it.
        os.fsync(file.fileno())
    partial.replace(path)


def read_small(path: Path) -> str | None:
    """Read a small file; None if it is not there, or is not what we write."""
    try:
        text = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return text if text.isprintable() and 0 < len(text) <= LONGEST_ADDRESS else None

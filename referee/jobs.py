"""A piece of work for the one who writes to the database."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Job(Generic[T]):
    """Some work, what came of it, and the place where its maker waits."""

    def __init__(self, work: Callable[[sqlite3.Connection], T]) -> None:
        self.work = work
        self.done = threading.Event()
        self.result: T | None = None
        self.error: BaseException | None = None

    def run(self, connection: sqlite3.Connection) -> None:
        """Do the work inside a savepoint, so that a refusal here spares the others."""
        connection.execute("SAVEPOINT job")
        try:
            self.result = self.work(connection)
        except BaseException as error:  # noqa: BLE001  # its maker raises it; the writer must go on
            self.error = error
        if self.error and not connection.in_transaction:
            raise self.error  # a full disk has undone the whole batch
        if self.error:
            connection.execute("ROLLBACK TO job")
        connection.execute("RELEASE job")

"""Many at once: threads that do the same at the same moment, and a lobby for them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from referee.errors import RefereeError
from referee.tables import Table, Tables, Who
from tests.table import APP

HOST = Who(is_host=True)


def at_once(work: Callable[[int], Any], threads: int) -> list[Any]:
    """Do something in many threads at the same moment; give results or refusals in order."""
    gate = threading.Barrier(threads)
    found: list[Any] = [None] * threads

    def body(number: int) -> None:
        gate.wait()
        try:
            found[number] = work(number)
        except RefereeError as error:
            found[number] = error

    crowd = [threading.Thread(target=body, args=(number,)) for number in range(threads)]
    for thread in crowd:
        thread.start()
    for thread in crowd:
        thread.join()
    return found


def lobby(tables: Tables, *names: str) -> Table:
    """Open a table and seat people."""
    table, _ = tables.open("winchester", options=APP)
    for name in names:
        tables.lobby.join(table, name)
    return table

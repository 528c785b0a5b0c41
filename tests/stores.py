"""A store with one table in it, for what is written there by many."""

from __future__ import annotations

import threading
from typing import Any

from referee.db import Store, TableRow, insert_entries, insert_table
from referee.entries import Draft, Entry
from referee.seal import ROOT, seal


def add_table(store: Store, code: str) -> None:
    """Add a row for a table."""
    row = TableRow(code, "winchester", "en", "seed", "now", "now")
    store.write(lambda connection: insert_table(connection, row))


def entry(seq: int, seat: int | None = 0, **payload: Any) -> Entry:
    """Make an entry."""
    draft = Draft("note", seat, payload)
    return seal(draft, seq=seq, at="now", salt="salt", previous=ROOT)


def append(store: Store, made: Entry) -> None:
    """Append an entry."""
    store.write(lambda connection: insert_entries(connection, "TABLE", [made]))


def run(work: Any, threads: int) -> None:
    """Run in several threads at once; an error in one is an error here."""
    failed: list[BaseException] = []
    gate = threading.Barrier(threads)

    def body(number: int) -> None:
        gate.wait()
        try:
            work(number)
        except BaseException as error:  # noqa: BLE001  # told below
            failed.append(error)

    crowd = [threading.Thread(target=body, args=(number,)) for number in range(threads)]
    for thread in crowd:
        thread.start()
    for thread in crowd:
        thread.join()
    assert failed == []

"""A table whose journal is damaged: what can be read of it, and going on from there.

Nothing of a damaged journal is ever changed or deleted. Whoever goes on does so at a table of its
own, whose journal begins with all that could be read.
"""

from __future__ import annotations

import secrets
from typing import Any

import msgspec
from msgspec import Struct

from referee.db import TableRow, insert_entries, insert_table
from referee.desk import Table, hash_key
from referee.entries import Entry
from referee.errors import CorruptJournal, NoSuchTable
from referee.games import GAMES
from referee.journal import Ledger, replay
from referee.tables import Tables


class Remains(Struct, frozen=True):
    """What can be read of a damaged table: its entries up to the one that is `damaged`."""

    row: TableRow
    ledger: Ledger
    entries: list[Entry]
    damaged: int


def remains(tables: Tables, code: str) -> Remains:
    """Read a damaged table as far as it goes. Raises NoSuchTable, also for one that is whole."""
    row = tables.store.table_row(code.upper())
    if row is None or row.game not in GAMES:
        raise NoSuchTable(table=code)
    found, damaged = tables.store.readable(row.code)
    ledger, good = Ledger(GAMES[row.game]), len(found)
    for entry in found:
        try:
            ledger.take(entry)
        except CorruptJournal:
            damaged, good = entry.seq, entry.seq - 1
            break
    if damaged is None:
        raise NoSuchTable(table=code)
    # Once more: a ledger that refused an entry half way is not what the entries before it say.
    whole = replay(GAMES[row.game], found[:good])
    return Remains(row, whole, found[:good], damaged)


def go_on(tables: Tables, code: str) -> tuple[Table, str]:
    """Open a table that goes on from what can be read; give it with its host's token.

    Its seats are free: whoever had one takes it again. Raises NoSuchTable, or CorruptJournal if
    nothing is left to go on from.
    """
    left = remains(tables, code)
    if not left.entries:
        raise CorruptJournal("nothing_left", table=code, seq=left.damaged)
    token = secrets.token_urlsafe(16)
    # Beside the damaged one, which stays as it is: nothing is ever written over a journal.
    row = msgspec.structs.replace(left.row, code=tables.free_code())

    # As when a table is opened: in one go, or a crash would leave a table without its host.
    def insert(connection: Any) -> None:
        insert_table(connection, row)
        connection.execute("INSERT INTO keys VALUES (?, ?, NULL)", (hash_key(token), row.code))
        insert_entries(connection, row.code, left.entries)

    tables.store.write(insert)
    return tables.find(row.code), token

"""What owners taught of their boards: in which game, forgotten in one step, and brought back."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from referee import profiles
from referee.db import Store, keep_facts
from referee.desk import now
from referee.errors import MalformedAction
from referee.games import GAMES
from referee.games.base import Facts

EVERYWHERE: Final = "*"
"""Stands for every game, and the board's own page, in which something was taught."""


class Lesson(Struct, frozen=True):
    """What one game taught. `source` is its table, "" for the board's own page; `at` is its day."""

    source: str
    at: str
    facts: Facts


class Taught:
    """What is known of the boards of this machine's owner.

    Args:
        store: keeps it.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def teach(self, game: str, board: str, facts: Mapping[str, str]) -> None:
        """Add to what a board is known to be; later games begin with it.

        Raises IllegalAction for what no board can have.
        """
        boards = GAMES[game].boards
        if boards is None:
            raise MalformedAction("no_such_game", game=game)
        pairs = tuple(facts.items())
        profile = profiles.load(game, board) | {"facts": self._store.facts(game, board)}
        # Only tried, for what it refuses: a fact that cannot be would else stop a later game from
        # starting.
        boards.corrected(boards.read_board(profile), pairs)
        self._store.write(lambda connection: keep_facts(connection, game, board, pairs, now()))

    def lessons(self, game: str, board: str) -> tuple[Lesson, ...]:
        """List what each game taught, in the order in which they began to."""
        with self._store.reading() as db:
            where = "game = ? AND board = ? AND gone = 0"
            rows = list(db.table("facts").rows_where(where, [game, board], order_by="number, fact"))
        found: dict[str, list[dict[str, str]]] = {}
        for row in rows:
            found.setdefault(row["source"], []).append(row)
        return tuple(
            Lesson(source, taught[0]["at"], tuple((row["fact"], row["value"]) for row in taught))
            for source, taught in found.items()
        )

    def forget(self, game: str, board: str, source: str = EVERYWHERE) -> None:
        """Forget what one game taught, or all; games under way keep what they know.

        It can be brought back until something else is forgotten.
        """

        def change(connection: sqlite3.Connection) -> None:
            key = (game, board)
            # Only what was forgotten last can be brought back; what was before is gone for good
            # now.
            connection.execute("DELETE FROM facts WHERE game = ? AND board = ? AND gone = 1", key)
            connection.execute(
                "UPDATE facts SET gone = 1 WHERE game = ? AND board = ? AND ? IN (source, ?)",
                (*key, source, EVERYWHERE),
            )

        self._store.write(change)

    def gone(self, game: str, board: str) -> int:
        """Count what was forgotten last and can be brought back."""
        with self._store.reading() as db:
            where = "game = ? AND board = ? AND gone = 1"
            return int(db.table("facts").count_where(where, [game, board]))

    def recall(self, game: str, board: str) -> None:
        """Bring back what was forgotten last; what was taught anew since stays as it was taught."""
        self._store.write(
            lambda connection: connection.execute(
                "UPDATE facts SET gone = 0 WHERE game = ? AND board = ?", (game, board)
            )
        )

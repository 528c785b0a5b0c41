"""A table that plays itself at human pace, to look at and to show."""

from __future__ import annotations

from referee import bots
from referee.games import GAMES
from referee.options import known_options
from referee.profiles import PRACTICE
from referee.tables import Tables


def begin(tables: Tables, game: str, *, pace: float, lang: str) -> str:
    """Open a table of bots, start it, and give the path of its display."""
    meta = GAMES.meta(game)
    options = known_options(meta, {"preset": "app", "board": PRACTICE})
    table, _ = tables.open(game, options=options, lang=lang)
    bots.seat(tables, table, min(4, meta.seats[1]))
    tables.lobby.start(table)
    bots.wake(tables, table, pace=pace)
    return f"t/{table.code}"

"""A table that plays itself at human pace, to look at and to show."""

from __future__ import annotations

import random
import secrets
import threading
import time
from typing import Any, Final

import msgspec

from referee.errors import RefereeError
from referee.games import GAMES
from referee.tables import Table, Tables

PLAYERS: Final = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")


def begin(tables: Tables, game: str, *, pace: float, lang: str) -> str:
    """Open a table of bots, start it, and give the path of its display."""
    meta = GAMES[game].META
    table, _ = tables.open(game, options={"preset": "app", "board": "practice"}, lang=lang)
    for name in PLAYERS[: min(4, meta.seats[1])]:
        tables.join(table, name, mix=secrets.token_hex(8))
    tables.start(table)
    threading.Thread(target=_play, args=(tables, table, pace), daemon=True).start()
    return f"t/{table.code}"


def _play(tables: Tables, table: Table, pace: float) -> None:
    rng = random.Random()  # noqa: S311  # bots need no secrets
    while table.ledger.status == "playing":
        time.sleep(pace)
        for seat in table.ledger.to_act():
            legal = table.ledger.legal_for(seat)
            if not legal:
                continue
            action = legal[min(int(rng.expovariate(0.7)), len(legal) - 1)]
            _act(tables, table, seat, action)
            break


def _act(tables: Tables, table: Table, seat: int, action: Any) -> None:
    raw = msgspec.to_builtins(action)
    version = table.ledger.version(seat)
    try:
        tables.act(table, seat, raw, version=version, action_id=secrets.token_hex(8))
    except RefereeError:
        return

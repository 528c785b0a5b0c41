"""A table that plays itself at human pace, to look at and to show."""

from __future__ import annotations

import random
import secrets
import threading
import time
from typing import Any, Final

import msgspec

from referee.entries import SeatId
from referee.errors import RefereeError
from referee.games import GAMES
from referee.games.base import SeatIndex
from referee.journal import Ledger
from referee.options import known_options
from referee.profiles import PRACTICE
from referee.tables import Table, Tables

PLAYERS: Final = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")


def begin(tables: Tables, game: str, *, pace: float, lang: str) -> str:
    """Open a table of bots, start it, and give the path of its display."""
    meta = GAMES.meta(game)
    options = known_options(meta, {"preset": "app", "board": PRACTICE})
    table, _ = tables.open(game, options=options, lang=lang)
    for name in PLAYERS[: min(4, meta.seats[1])]:
        tables.join(table, name, mix=secrets.token_hex(8))
    tables.start(table)
    threading.Thread(target=_play, args=(tables, table, pace), daemon=True).start()
    return f"t/{table.code}"


def _play(tables: Tables, table: Table, pace: float) -> None:
    rng = random.Random()  # noqa: S311  # bots need no secrets
    while table.ledger.status == "playing":
        time.sleep(pace)
        _act(tables, table, *choose(table.ledger, rng))


def choose(ledger: Ledger, rng: random.Random) -> tuple[SeatId, Any]:
    """Choose somebody who holds up the table, a kind of move, and mostly a low one of its kind."""
    able = [seat for seat in ledger.to_act() if ledger.legal_for(seat)]
    waited_for = {
        ledger.seat_at(SeatIndex(index)) for index in ledger.game.public(ledger.state).waiting_for
    }
    seat = rng.choice([seat for seat in able if seat in waited_for] or able)
    kinds: dict[type, list[Any]] = {}
    for action in ledger.legal_for(seat):
        kinds.setdefault(type(action), []).append(action)
    like = rng.choice(list(kinds.values()))
    return seat, like[min(int(rng.expovariate(0.7)), len(like) - 1)]


def _act(tables: Tables, table: Table, seat: SeatId, action: Any) -> None:
    raw = msgspec.to_builtins(action)
    version = table.ledger.version(seat)
    try:
        tables.act(table, seat, raw, version=version, action_id=secrets.token_hex(8))
    except RefereeError:
        return

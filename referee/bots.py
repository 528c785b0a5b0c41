"""Bots: they sit where nobody does, act at human pace, and get up for whoever takes their seat."""

from __future__ import annotations

import random
import secrets
import threading
import time
from typing import Any, Final

import msgspec

from referee.desk import Table, Who
from referee.entries import Draft, SeatId
from referee.errors import NoSuchTable, RefereeError
from referee.games.base import SeatIndex
from referee.journal import Ledger
from referee.tables import Tables

NAMES: Final = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")
PACE_S: Final = 1.5


def seat(tables: Tables, table: Table, count: int) -> None:
    """Let bots sit down until so many seats are taken."""
    with table.lock:
        taken = {info.name for info in table.ledger.seating.seats.values()}
        names = [name for name in NAMES if name not in taken]
        missing = count - len(table.ledger.seating.order)
        bots = [tables.lobby.hold(table, name).seat for name in names[:missing]]
        note = {"what": "bots", "seats": [*table.ledger.seating.bots, *bots]}
        tables.desk.append(table, [Draft("note", None, note)])


def wake(tables: Tables, table: Table, *, pace: float = PACE_S) -> None:
    """Let the bots of a table play, each in its turn, until the game is over."""
    if table.bots and table.ledger.status == "playing":
        threading.Thread(
            target=_play, args=(tables, table, pace), name=f"bots at {table.code}", daemon=True
        ).start()


def _play(tables: Tables, table: Table, pace: float) -> None:
    rng = random.Random()  # noqa: S311  # bots need no secrets
    while table.ledger.status == "playing" and table.bots and not table.is_gone:
        time.sleep(pace)
        try:
            _agree(tables, table)
            with table.lock:
                chosen = choose(table.ledger, rng, among=table.bots)
            if chosen is not None:
                _act(tables, table, *chosen)
        except NoSuchTable:  # deleted while they thought
            return
        except RefereeError:  # somebody was quicker
            continue


def choose(
    ledger: Ledger, rng: random.Random, *, among: frozenset[SeatId] | None = None
) -> tuple[SeatId, Any] | None:
    """Choose somebody who holds up the table, a kind of move, and mostly a low one of its kind.

    `among` are those who choose so. They act where one of them is waited for, or nobody else is.
    """
    asked = ledger.public().waiting_for if ledger.status == "playing" else ()
    waited_for = {ledger.seating.at(SeatIndex(index)) for index in asked}
    able = [s for s in ledger.to_act() if ledger.legal_for(s) and (among is None or s in among)]
    wanted = [seat for seat in able if seat in waited_for]
    if not able or (not wanted and among is not None and not waited_for <= among):
        return None
    seat = rng.choice(wanted or able)
    kinds: dict[type, list[Any]] = {}
    for action in ledger.legal_for(seat):
        kinds.setdefault(type(action), []).append(action)
    like = rng.choice(list(kinds.values()))
    return seat, like[min(int(rng.expovariate(0.7)), len(like) - 1)]


def _agree(tables: Tables, table: Table) -> None:
    """Agree to what people ask of the table: bots are here to try it out."""
    proposal = table.ledger.proposal
    for bot in sorted(table.bots) if proposal is not None else ():
        if table.ledger.proposal is proposal and proposal and bot not in proposal.agreed:
            tables.consent.answer(table, Who(seat=bot), agree=True)
            proposal = table.ledger.proposal


def _act(tables: Tables, table: Table, seat: SeatId, action: Any) -> None:
    raw = msgspec.to_builtins(action)
    version = table.ledger.version(seat)
    tables.play.act(table, seat, raw, version=version, action_id=secrets.token_hex(8))

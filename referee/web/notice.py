"""What the table decides beside the game: what was just agreed, asked for, or told of a seat."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from referee.entries import SeatId
from referee.games.base import SeatIndex
from referee.journal import LogLine, Proposal
from referee.tables import SeatRequest, Table

from .frame import Frame, open_requests


class Notice(Struct, frozen=True):
    """What one viewer's notice says.

    `news` is what the table just agreed on, or what happened to a seat. `number` is the proposal's,
    as this viewer counts; `effects` are what a proposed correction would change, `struck` the lines
    that a proposed undo would strike out. `awaited` are seats that hold up the table.
    """

    news: LogLine | None
    requests: tuple[SeatRequest, ...]
    proposal: Proposal | None
    number: int
    effects: tuple[Any, ...]
    struck: tuple[LogLine, ...]
    awaited: frozenset[SeatId]


def notice(table: Table, frame: Frame, waiting_for: tuple[int, ...]) -> Notice | None:
    """Say what a viewer's notice shows; None is nothing, most of the time."""
    ledger = table.ledger
    line = news(table)
    others = frame.here if frame.me is None else frame.here[1:]
    if not (ledger.proposal or others or table.requests or line):
        return None
    viewer = frame.me.seat if frame.me else None
    return Notice(
        news=line,
        requests=open_requests(table),
        proposal=ledger.proposal,
        number=0 if ledger.proposal is None else ledger.number(ledger.proposal.number, viewer),
        effects=_effects(table),
        struck=_struck(table),
        awaited=frozenset(ledger.seat_at(SeatIndex(index)) for index in waiting_for),
    )


def news(table: Table) -> LogLine | None:
    """Give the newest line of the log if it is about the table and not the game.

    Every screen shows it until play goes on: a seat that moved, something taken back or set right.
    """
    line = table.ledger.lines[-1] if table.ledger.lines else None
    is_asked = line is not None and line.note is not None and line.note.get("what") == "ask"
    return line if line and line.kind in {"note", "undo", "correction"} and not is_asked else None


def _effects(table: Table) -> tuple[Any, ...]:
    proposal = table.ledger.proposal
    if proposal is None or proposal.what != "correction":
        return ()
    effects = proposal.payload.get("effects", [])
    return tuple(msgspec.convert(event, table.game.Event) for event in effects)


def _struck(table: Table) -> tuple[LogLine, ...]:
    proposal = table.ledger.proposal
    if proposal is None or proposal.what != "undo":
        return ()
    return tuple(
        line
        for line in table.ledger.lines
        if line.seq >= proposal.payload["to"] and line.events and not line.is_undone
    )

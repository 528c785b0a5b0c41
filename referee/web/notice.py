"""What the table decides beside the game: what was just agreed, asked for, or told of a seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from referee import deciding
from referee.entries import SeatId
from referee.errors import RuleViolation, UndoRefused
from referee.games.base import SeatIndex
from referee.games.protocol import PublicView
from referee.loglines import LogLine
from referee.proposals import Proposal
from referee.tables import SeatRequest, Table

from .frame import Frame, open_requests


class Foreseen(Struct, frozen=True):
    """What would be different, if something had been told otherwise.

    `events` are for everybody, `own` for one viewer alone; `gone` are lines that no longer count.
    """

    events: tuple[Any, ...] = ()
    own: tuple[Any, ...] = ()
    gone: tuple[LogLine, ...] = ()


class Mine(Struct, frozen=True):
    """What a seat did last, as the log tells it, and its number as the seat counts."""

    line: LogLine
    to: int


class Notice(Struct, frozen=True):
    """What one viewer's notice says.

    `news` is what the table just agreed on, or what happened to a seat. `number` is the proposal's,
    as this viewer counts; `effects` are what a proposed correction would change, `struck` the lines
    that a proposed undo would strike out, `was_seen` says that everybody has learnt something since
    what it takes back; `foreseen` is what would be, if something had been told
    otherwise. `awaited` are seats that hold up the table, `asleep` those of them whose phone is
    silent, and `free` those that nobody holds, both empty where anybody may do it for them. `mine`
    is what this seat did last, while one tap takes it back.
    """

    news: LogLine | None
    requests: tuple[SeatRequest, ...]
    proposal: Proposal | None
    number: int
    effects: tuple[Any, ...]
    struck: tuple[LogLine, ...]
    was_seen: bool
    foreseen: Foreseen
    awaited: frozenset[SeatId]
    asleep: tuple[SeatId, ...]
    free: tuple[SeatId, ...]
    mine: Mine | None


class Shared(Struct, frozen=True):
    """What all notices at a table are made of: what it tells, and for whom it waits."""

    news: LogLine | None
    requests: tuple[SeatRequest, ...]
    awaited: tuple[SeatId, ...]
    asleep: tuple[SeatId, ...]
    free: tuple[SeatId, ...]


def shared(
    table: Table, public: PublicView | None, here: frozenset[SeatId], unheld: frozenset[SeatId]
) -> Shared:
    """Give what no notice finds out for itself.

    `public` is of a game that goes on; `here` are the seats whose phone was heard of lately,
    `unheld` those that no phone holds.
    """
    waiting_for = public.waiting_for if public else ()
    awaited = tuple([table.ledger.seating.at(SeatIndex(index)) for index in waiting_for])
    # What anybody may do waits for no phone; what some may, for all of them if none is there.
    is_some = 1 < len(awaited) < len(table.ledger.seating.order)
    is_any = public is not None and public.is_anybodys
    is_one = (is_any and is_some) or (public is not None and public.is_shared)
    is_done = (is_any and not is_some) or (is_one and any(s in here for s in awaited))
    alone = () if is_done else awaited
    return Shared(
        news(table),
        open_requests(table),
        awaited,
        # Without a phone nobody can be asleep: it is said of them that the seat is free.
        asleep=tuple([s for s in alone if s not in here and s not in unheld]),
        free=tuple([s for s in alone if s in unheld]),
    )


def notice(table: Table, frame: Frame, common: Shared) -> Notice | None:
    """Say what a viewer's notice shows; None is nothing, most of the time."""
    ledger = table.ledger
    viewer = frame.me.seat if frame.me else None
    # The display tells of phones that sleep beside each player's name.
    asleep = () if viewer is None else tuple([s for s in common.asleep if s != viewer])
    others = frame.here if viewer is None else frame.here[1:]
    mine = None if viewer is None else _mine(table, viewer)
    is_said = ledger.proposal or others or table.requests or common.news or mine
    if not (is_said or asleep or common.free):
        return None
    return Notice(
        news=common.news,
        requests=common.requests,
        proposal=ledger.proposal,
        number=0
        if ledger.proposal is None
        else ledger.noticed.number(ledger.proposal.number, viewer),
        effects=_effects(table),
        struck=_struck(table),
        was_seen=_was_seen(table),
        foreseen=_foreseen(table, viewer),
        awaited=frozenset(common.awaited),
        asleep=asleep,
        free=common.free,
        mine=mine,
    )


def is_asked_of(table: Table, seat: SeatId) -> bool:
    """Say whether the table waits for a seat to agree to something, or not, or to know a phone."""
    proposal = table.ledger.proposal
    is_open = proposal is not None and seat not in proposal.agreed
    return is_open or any(request.seat == seat for request in open_requests(table))


def is_waited_for(table: Table, public: PublicView | None, seat: SeatId) -> bool:
    """Say whether a game that goes on waits for this seat, and not for everybody alike."""
    order = table.ledger.seating.order
    if public is None or (public.is_anybodys and len(public.waiting_for) == len(order)):
        return False
    return table.ledger.seating.index(seat) in public.waiting_for


def _mine(table: Table, seat: SeatId) -> Mine | None:
    """Give what this seat did last if nothing happened since and one tap takes it back."""
    ledger = table.ledger
    line = ledger.log.lines[-1] if ledger.log.lines else None
    if line is None or line.seat != seat or line.kind != "action" or ledger.proposal:
        return None
    try:
        mark = ledger.undoing.own_last(seat)
    except UndoRefused:
        return None
    # Only while it is the newest line: an offer that asks the whole table stands in the menu.
    if mark.seq != line.seq or not ledger.undoing.may_alone(mark):
        return None
    return Mine(line, ledger.noticed.number(mark.seq, seat))


def last_line(table: Table, seat: SeatId) -> LogLine | None:
    """Give the log's line of a seat's last action that still counts, if it has one."""
    try:
        seq = table.ledger.undoing.own_last(seat).seq
    except UndoRefused:
        return None
    lines = (line for line in reversed(table.ledger.log.lines) if line.seq == seq)
    return next((line for line in lines if line.events), None)


def news(table: Table) -> LogLine | None:
    """Give the newest line of the log if it is about the table and not the game.

    Every screen shows it until play goes on: a seat that moved, something taken back or set right.
    """
    line = table.ledger.log.lines[-1] if table.ledger.log.lines else None
    is_asked = line is not None and line.note is not None and line.note.get("what") == "ask"
    return line if line and line.kind in {"note", "undo", "correction"} and not is_asked else None


def foreseen(table: Table, payload: Mapping[str, Any], viewer: SeatId | None) -> Foreseen:
    """Work out what a viewer would find different. Raises what is refused of it."""
    ledger = table.ledger
    true = deciding.foresee(ledger, payload, draw=table.draw)
    gone = {stage.seq for stage in true.gone}
    own: tuple[Any, ...] = ()
    if viewer is not None and table.game.telling is not None:
        index = ledger.seating.index(viewer)
        # Only this viewer's: what it would find in its purse is in no event.
        own = table.game.telling.own_changes(ledger.state, true.step.state, index)
    lines = tuple(line for line in ledger.log.lines if line.seq in gone and line.events)
    return Foreseen(true.step.events, own, lines)


def _foreseen(table: Table, viewer: SeatId | None) -> Foreseen:
    proposal = table.ledger.proposal
    if proposal is None or proposal.what != "retelling":
        return Foreseen()
    try:
        return foreseen(table, proposal.payload, viewer)
    except RuleViolation:
        # Play has gone on; it will be said when it is agreed on.
        return Foreseen()


def _effects(table: Table) -> tuple[Any, ...]:
    proposal = table.ledger.proposal
    if proposal is None or proposal.what != "correction":
        return ()
    effects = proposal.payload.get("effects", [])
    return tuple(msgspec.convert(event, table.game.Event) for event in effects)


def _was_seen(table: Table) -> bool:
    """Say whether anything hidden was seen by all since what a proposed undo takes back.

    Only what everybody may notice counts: that a few learnt something is theirs to know. What the
    table set right lay open: nothing of it was hidden before.
    """
    proposal = table.ledger.proposal
    if proposal is None or proposal.what != "undo":
        return False
    return any(
        stage.step.reveals and not stage.is_quiet and stage.entry.kind != "correction"
        for stage in table.ledger.undoing.stages
        if stage.seq >= proposal.payload["to"]
    )


def _struck(table: Table) -> tuple[LogLine, ...]:
    proposal = table.ledger.proposal
    if proposal is None or proposal.what != "undo":
        return ()
    return tuple(
        line
        for line in table.ledger.log.lines
        if line.seq >= proposal.payload["to"] and line.events and not line.is_undone
    )

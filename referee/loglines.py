"""The public log: what happened in the game, and what the table agreed on, line by line."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from referee.entries import Entry, Kind, SeatId


class LogLine(Struct, frozen=True):
    """One line of the public log: game events, or what the table agreed on."""

    number: int
    seq: int
    at: str
    seat: SeatId | None
    kind: Kind
    events: tuple[Any, ...] = ()
    note: dict[str, Any] | None = None
    is_undone: bool = False


def line_of(
    number: int,
    entry: Entry,
    events: tuple[Any, ...] = (),
    note: dict[str, Any] | None = None,
) -> LogLine:
    """Write an entry as a line."""
    return LogLine(number, entry.seq, entry.at, entry.seat, entry.kind, events, note)


def struck_out(lines: list[LogLine], to: int) -> list[LogLine]:
    """Strike out what the game did from an entry on. Nothing that was seen disappears."""
    return [
        msgspec.structs.replace(line, is_undone=True)
        if line.seq >= to and not _outlives_undo(line)
        else line
        for line in lines
    ]


def _outlives_undo(line: LogLine) -> bool:
    """Say whether a line is no game action; an answer that led to more than knowing is one."""
    is_bare_answer = line.kind == "answer" and len(line.events) == 1
    return is_bare_answer or line.kind in {"note", "join", "undo"}

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


def struck_out(lines: list[LogLine], counted: set[int]) -> list[LogLine]:
    """Strike out what the game did that no longer counts. Nothing that was seen disappears.

    `counted` are the entries that do.
    """
    return [
        msgspec.structs.replace(line, is_undone=is_undone)
        if (is_undone := line.seq not in counted and not _outlives(line)) is not line.is_undone
        else line
        for line in lines
    ]


def _outlives(line: LogLine) -> bool:
    """Say whether a line is no game action; an answer that led to more than knowing is one."""
    # What is known of a board outlives an undo, so the line that told it does.
    is_bare_answer = line.kind == "answer" and len(line.events) == 1
    return is_bare_answer or line.kind in {"note", "join", "undo"}

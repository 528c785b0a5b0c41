"""The public log: what happened in the game, and what the table agreed on, line by line."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Struct

from referee.entries import Entry, Kind, SeatId

IN_THE_LOG: Final = frozenset(
    {"ask", "refuse", "lapsed", "released", "given_back", "moved", "seat_given", "renamed"}
)
"""Notes that everybody at the table reads once the game has begun."""


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


class Log(Struct):
    """The lines so far. Nothing that was seen disappears: what no longer counts is struck out."""

    lines: list[LogLine] = []

    def write(
        self, entry: Entry, events: tuple[Any, ...] = (), note: dict[str, Any] | None = None
    ) -> None:
        """Add an entry as a line."""
        number = len(self.lines) + 1
        line = LogLine(number, entry.seq, entry.at, entry.seat, entry.kind, events, note)
        self.lines.append(line)

    def strike_out(self, counted: set[int]) -> None:
        """Strike out what the game did in entries that no longer count; `counted` are those left.

        What counts again, since it was taken back that it does not, is struck out no longer.
        """
        # Other lines stay the same objects: a page keeps what it drew of them.
        self.lines = [
            msgspec.structs.replace(line, is_undone=is_undone)
            if (is_undone := line.seq not in counted and not _outlives(line)) is not line.is_undone
            else line
            for line in self.lines
        ]


def _outlives(line: LogLine) -> bool:
    """Say whether a line is no game action; an answer that led to more than knowing is one."""
    # What is known of a board outlives an undo, so the line that told it does.
    is_bare_answer = line.kind == "answer" and len(line.events) == 1
    return is_bare_answer or line.kind in {"note", "join", "undo"}

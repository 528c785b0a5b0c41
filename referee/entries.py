"""What a journal is made of: drafts, which are decided, and entries, which are stored."""

from __future__ import annotations

from typing import Any, Literal, NewType, TypeAlias

from msgspec import Struct

from referee.games.base import Step

SeatId = NewType("SeatId", int)
"""A seat's number for as long as the table lives; places at the table may change in the lobby.

Its place in the game is a `SeatIndex`. The two are often the same number, which is why they are two
types: a mix-up would show one player what is another's, and at most tables nobody would notice.
"""

Kind: TypeAlias = Literal[
    "setup", "join", "action", "chance", "answer", "undo", "correction", "note"
]


class Draft(Struct, frozen=True):
    """An entry that is decided but not yet stored; `step` is what it leads to, if known."""

    kind: Kind
    seat: SeatId | None
    payload: dict[str, Any]
    step: Step | None = None


class Entry(Struct, frozen=True):
    """One link of the journal. `at` is for people; order is by `seq` alone."""

    seq: int
    at: str
    seat: SeatId | None
    kind: Kind
    payload: dict[str, Any]
    salt: str
    chain: str

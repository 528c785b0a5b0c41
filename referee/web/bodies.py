"""What people's own clients send: the bodies of the HTTP interface, as they are decoded."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

from referee.entries import SeatId


class NewTable(Struct, forbid_unknown_fields=True):
    """Opens a table."""

    game: str
    options: dict[str, str] = {}
    seed: str | int | None = None
    lang: str = "en"


class NewSeat(Struct, forbid_unknown_fields=True):
    """Takes a seat."""

    name: str
    color: str | None = None
    mix: str = ""


class NewAction(Struct, forbid_unknown_fields=True):
    """Plays an action on the version the client saw."""

    version: int
    id: str
    action: Any


class ActFor(Struct, forbid_unknown_fields=True):
    """Plays an action for an absent seat, as the host."""

    version: int
    id: str
    seat: SeatId
    action: Any


class Undo(Struct, forbid_unknown_fields=True):
    """Takes back one's last action: the table's `undo` names it. The same one twice is once."""

    to: int | None = None


class NewCorrection(Struct, forbid_unknown_fields=True):
    """Says what the real board shows, or what was told wrongly; one of the two.

    With an id, the same one sent twice counts once.
    """

    correction: dict[str, Any] | None = None
    retelling: NewRetelling | None = None
    reason: str = ""
    id: str = ""


class NewRetelling(Struct, forbid_unknown_fields=True):
    """Says what an entry should have told; `to` is its number in the journal as its reader sees it.

    `also` are actions that have then to be told as well: a refusal with the code "more_to_tell"
    lists the next of them in its `choices`. `part` is above 0 for one that was told that way.
    """

    to: int
    told: dict[str, Any]
    also: list[dict[str, Any]] = []
    part: int = 0


class AskAnswer(Struct, forbid_unknown_fields=True):
    """Agrees to what is asked of the table, or not; its `number` says to what."""

    agree: bool
    number: int | None = None


class BoardAnswer(Struct, forbid_unknown_fields=True):
    """Settles the open question about the board, or some of its facts: pairs (fact, value)."""

    version: int
    id: str
    facts: tuple[tuple[str, str], ...]


class ReleasedSeat(Struct, forbid_unknown_fields=True):
    """Names a seat to be freed."""

    seat: SeatId


BODIES: Final = (
    NewTable,
    NewSeat,
    NewAction,
    ActFor,
    Undo,
    NewCorrection,
    NewRetelling,
    AskAnswer,
    BoardAnswer,
    ReleasedSeat,
)
"""All of them, to be described."""

"""What people's own clients send: the bodies of the HTTP interface, as they are decoded."""

from __future__ import annotations

from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from referee.desk import ID_LENGTH
from referee.entries import SeatId
from referee.games import GAMES
from referee.games.base import LANGUAGES
from referee.seating import COLOURS

# What is refused further in, each with a code of its own, is described here all the same.
ActionId = Annotated[str, Meta(extra_json_schema={"minLength": 1, "maxLength": ID_LENGTH})]
Version = Annotated[int, Meta(extra_json_schema={"minimum": 0})]
GameKey = Annotated[str, Meta(extra_json_schema={"enum": [*GAMES]})]
Language = Annotated[str, Meta(extra_json_schema={"enum": [*LANGUAGES]})]
Colour = Annotated[str, Meta(extra_json_schema={"enum": [*COLOURS]})]
Name = Annotated[str, Meta(extra_json_schema={"minLength": 1})]
Seat = Annotated[SeatId, Meta(extra_json_schema={"minimum": 0})]
Object = Annotated[dict[str, Any], Meta(extra_json_schema={"required": ["type"]})]


class NewTable(Struct, forbid_unknown_fields=True):
    """Opens a table."""

    game: GameKey
    options: dict[str, str] = {}
    seed: str | int | None = None
    lang: Language = "en"


class NewSeat(Struct, forbid_unknown_fields=True):
    """Takes a seat."""

    name: Name
    color: Colour | None = None
    mix: str = ""


class NewAction(Struct, forbid_unknown_fields=True):
    """Plays an action on the version the client saw."""

    version: Version
    id: ActionId
    action: Object


class ActFor(Struct, forbid_unknown_fields=True):
    """Plays an action for an absent seat, as the host."""

    version: Version
    id: ActionId
    seat: Seat
    action: Object


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

    version: Version
    id: ActionId
    facts: tuple[tuple[str, str], ...]


class ReleasedSeat(Struct, forbid_unknown_fields=True):
    """Names a seat to be freed, or to be given back to the phone that had it."""

    seat: Seat


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

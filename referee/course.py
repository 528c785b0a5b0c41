"""The course of a game: what was played and still counts, each with the state before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from referee.entries import Entry, SeatId
from referee.games.base import Facts, Played, Step
from referee.games.protocol import Game
from referee.steps import decode_action, index_of, outcome_of, read


class Stage(Struct, frozen=True):
    """One thing that was played.

    Attributes:
        entry: where the journal has it.
        before: the state before it.
        step: what it led to.
        is_common: it gave something away, or all agreed on it, so no one seat takes it back.
        part: which of the things that one entry told.
        deed: what it is taken to be, where that is not what the entry says.
        replaced: the course before it, if this is what told something anew.
    """

    entry: Entry
    before: Any
    step: Step
    is_common: bool = False
    part: int = 0
    deed: Deed | None = None
    replaced: tuple[Stage, ...] | None = None

    @property
    def seq(self) -> int:
        """Give the number of its entry."""
        return self.entry.seq

    @property
    def seat(self) -> SeatId | None:
        """Give whose it is."""
        return self.entry.seat

    @property
    def is_quiet(self) -> bool:
        """Say whether only some may notice it at all."""
        return self.step.audience is not None

    @property
    def is_retelling(self) -> bool:
        """Say whether it is what told something anew, and not something told along with it."""
        return tells_anew(self.entry) and not self.part

    @property
    def is_mark(self) -> bool:
        """Say whether it can be taken back.

        Neither chance nor an answer is by itself: chance, once seen, comes again, and what is known
        of the board is only ever corrected.
        """
        if self.is_quiet or self.part:
            return False
        if self.is_retelling:
            return self.replaced is not None
        return self.entry.kind in {"action", "correction"}


class Deed(Struct, frozen=True):
    """What a stage is taken to be; `draw` names what was owed to it, where chance or its like is.

    What chance gave can be told otherwise as well: then it still comes where it is owed.
    """

    kind: Any
    seat: int | None
    what: Any
    draw: tuple[str, int] | None = None


def tells_anew(entry: Entry) -> bool:
    """Say whether an entry tells anew what another one told."""
    return entry.kind == "correction" and "told" in entry.payload


def still(stage: Stage, before: Any, after: Any) -> Stage:
    """Keep what told something anew, as what can no longer be taken back by itself."""
    return msgspec.structs.replace(stage, before=before, step=Step(after), replaced=None)


def deed_of(stage: Stage, game: Game, order: Sequence[SeatId]) -> Deed:
    """Read what a stage was."""
    if stage.deed is not None:
        return stage.deed
    entry = stage.entry
    payload = entry.payload
    # By its place: rules know no ids, and seats do not move once the game has begun.
    seat = None if entry.seat is None else index_of(entry.seat, order)
    match entry.kind:
        case "action":
            return Deed("action", seat, decode_action(game, payload["action"]))
        case "chance":
            draw = payload["label"], payload["number"]
            return Deed("chance", None, outcome_of(entry), draw)
        case "answer":
            return Deed("answer", seat, read(payload["facts"], Facts))
        case _:
            what = read(payload["correction"], game.Correction)
            return Deed("correction", seat, what)


def played(stage: Stage, deed: Deed) -> Played:
    """Give a stage as its game is told of it."""
    return Played(deed.kind, deed.seat, deed.what, stage.before, stage.step)

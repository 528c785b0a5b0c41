"""What a stored entry means to its game: the step it leads to, and how an action is read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec

from referee.entries import Entry, SeatId
from referee.errors import CorruptJournal, MalformedAction, NotSeated
from referee.games.base import Facts, Outcome, SeatIndex, Step
from referee.games.protocol import Game


def index_of(seat: SeatId, order: Sequence[SeatId]) -> SeatIndex:
    """Give a seat's place in the game. Raises NotSeated for a seat that left."""
    if seat not in order:
        raise NotSeated
    return SeatIndex(order.index(seat))


def read(raw: object, kind: Any) -> Any:
    """Read one of a game's values from JSON-able data. Raises msgspec.ValidationError.

    msgspec works out at each call what a union consists of, which takes a hundred times as long as
    to read one of its thirty actions; of a struct's field it does so once.
    """
    try:
        return msgspec.convert((raw,), _frame(kind)).value
    except msgspec.ValidationError:
        return msgspec.convert(raw, kind)  # whose refusal names the place without a frame around


@cache
def _frame(kind: Any) -> Any:
    """Give a struct around nothing but a value of this kind."""
    return msgspec.defstruct("Frame", [("value", kind)], array_like=True)


def decode_action(game: Game, raw: object) -> Any:
    """Read an action from JSON-able data. Raises MalformedAction."""
    try:
        return read(raw, game.Action)
    except msgspec.ValidationError as error:
        raise MalformedAction(detail=str(error)) from error


def outcome_of(entry: Entry) -> Outcome:
    """Read what chance gave."""
    drawn = {name: tuple(items) for name, items in entry.payload["drawn"].items()}
    return Outcome(entry.payload["label"], drawn)


def step_of(game: Game, state: Any, order: Sequence[SeatId], entry: Entry) -> Step:
    """Give what an entry leads to in a state. Raises whatever the game refuses.

    An answer is played by what it told alone: who gave it, and whether it was asked for then, makes
    no difference to the board.
    """
    payload = entry.payload
    match entry.kind:
        case "setup":
            return game.setup(payload["options"], len(payload["order"]), payload["board"])
        case "action":
            # No action is without a seat; 0 is as false as none, and is what both give below.
            action = decode_action(game, payload["action"])
            return game.apply(state, index_of(entry.seat or SeatId(0), order), action)
        case "chance":
            return game.chance(state, outcome_of(entry))
        case "answer":
            return game.answer(state, read(payload["facts"], Facts))
        case "correction":
            return game.correct(state, read(payload["correction"], game.Correction))
        case _:
            raise CorruptJournal("unknown_kind", seq=entry.seq)

"""Playing something again: what most games need of their `Telling`."""

from __future__ import annotations

from typing import Any

from .base import Played, SeatIndex, Step
from .protocol import Game


def strictly(game: Game, state: Any, played: Played) -> Step:
    """Play something again as the rules have it; what is told anew is an action of the same seat.

    Raises what the game refuses.
    """
    seat = SeatIndex(0 if played.seat is None else played.seat)
    match played.kind:
        case "action" | "told":
            return game.apply(state, seat, played.what)
        case "chance":
            return game.chance(state, played.what)
        case "answer":
            return game.answer(state, played.what)
        case "correction":
            return game.correct(state, played.what)

"""What a seat may do: one list, chapter by chapter."""

from __future__ import annotations

from referee.games import answering

from . import asking, effects, extending, flow, painting, stock
from .actions import Action, PlaceRancher, TakeBoard
from .model import (
    CHARACTERS,
    Boarding,
    Character,
    Choosing,
    Dealing,
    Discarding,
    Driving,
    Ended,
    Extending,
    Hiring,
    Laying,
    LayingBonus,
    Painting,
    Placing,
    Refilling,
    Removing,
    Resolving,
    Rustling,
    Swapping,
    TakingStock,
    Turn,
    TurningUp,
)
from .state import State


def legal(state: State, seat: int) -> tuple[Action, ...]:
    """Give every complete action this seat may take now."""
    if seat not in flow.to_act(state):
        return ()
    asked = asking.question(state)
    if asked is not None:
        return answering.answers(asked)
    phase, turn = state.phase, state.turn
    match phase:
        case Boarding():
            return tuple(map(TakeBoard, _free_boards(state)))
        case Refilling():
            return stock.partner_legal(state)
        case TurningUp():
            return stock.tile_legal(state)
        case TakingStock():
            return stock.legal(state)
        case Painting():
            return painting.legal(state, seat)
        case Placing() | Choosing():
            return tuple([PlaceRancher(place) for place in flow.free_places(state)])
        case Dealing() | Resolving() | Ended():
            return ()
        case _:
            assert turn is not None  # noqa: S101  # all other phases belong to a turn
            return _turn_legal(state, turn)


def _turn_legal(state: State, turn: Turn) -> tuple[Action, ...]:
    phase, seat = state.phase, turn.seat
    match phase:
        case Extending():
            return extending.legal(state, seat)
        case Laying():
            return extending.laying_legal(state, phase, seat)
        case Discarding():
            return extending.discard_legal(state, seat)
        case Removing():
            return effects.removing_legal(state, phase, seat)
        case Hiring():
            return effects.hiring_legal(state, turn)
        case Driving() | Swapping() | Rustling():
            return effects.effect_legal(state, phase, seat)
        case LayingBonus():
            return extending.bonus_legal(state, seat)
        case _:
            return ()


def _free_boards(state: State) -> tuple[Character, ...]:
    taken = {ranch.character for ranch in state.ranches}
    return tuple(character for character in CHARACTERS if character not in taken)

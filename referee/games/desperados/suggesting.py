"""Silent suggestions: a desperado names a city and a move, and mates agree with a tap.

Said aloud, the Marshal would hear it. It binds nobody, and no rule asks for it.
"""

from __future__ import annotations

from referee.errors import IllegalAction, NotYourTurn
from referee.games.base import Step
from referee.games.once import once

from .model import MOVES, Acting, City, Idea, Laying, Riding, State, replace


@once  # each of the gang sees them
def open_moves(state: State) -> tuple[int, ...]:
    """Give the moves of this turn for which a meeting can still be agreed on."""
    if not isinstance(state.phase, Riding | Laying | Acting):
        return ()
    # A move that is closed is over; of the one under way cards can still be changed.
    first = state.move + isinstance(state.phase, Acting)
    return tuple(range(first, MOVES + 1))


@once
def open_ideas(state: State) -> tuple[Idea, ...]:
    """Give the suggestions whose move is still to come."""
    moves = open_moves(state)
    return tuple(idea for idea in state.ideas if idea.move in moves)


def suggest(state: State, seat: int, city: City, move: int, *, turn: int = 0) -> Step:
    """Suggest to meet in a city after a move; it takes the place of one's own earlier one."""
    _check_gang(state, seat)
    _check_turn(state, turn)
    if move not in open_moves(state):
        raise IllegalAction("went_on", section="moving")
    if any((i.seat, i.city, i.move) == (seat, city, move) for i in state.ideas):
        raise IllegalAction("already_so", section="moving")
    others = tuple(idea for idea in state.ideas if idea.seat != seat)
    return _told(state, (*others, Idea(seat, city, move)))


def agree(state: State, seat: int, seen: Idea, *, turn: int = 0) -> Step:
    """Agree to what a mate suggested, as it was when one saw it."""
    _check_gang(state, seat)
    _check_turn(state, turn)
    found = next((i for i in open_ideas(state) if i.seat == seen.seat), None)
    if found is None or (found.city, found.move) != (seen.city, seen.move) or seen.seat == seat:
        raise IllegalAction("went_on", section="moving")
    if seat in found.agreed:
        raise IllegalAction("already_so", section="moving")
    now = replace(found, agreed=tuple(sorted((*found.agreed, seat))))
    return _told(state, tuple(now if idea is found else idea for idea in state.ideas))


def drop(state: State, seat: int, *, turn: int = 0) -> Step:
    """Take one's own suggestion back."""
    _check_gang(state, seat)
    _check_turn(state, turn)
    left = tuple(idea for idea in state.ideas if idea.seat != seat)
    if left == state.ideas:
        raise IllegalAction("already_so", section="moving")
    return _told(state, left)


def _check_gang(state: State, seat: int) -> None:
    if seat == state.marshal or not isinstance(state.phase, Riding | Laying | Acting):
        raise NotYourTurn(section="moving")


def _check_turn(state: State, turn: int) -> None:
    """Refuse what was said in another turn: an undo that leads back there leaves no word of it."""
    if turn not in {0, state.turn}:
        raise IllegalAction("went_on", section="moving")


def _told(state: State, ideas: tuple[Idea, ...]) -> Step:
    """Tell the gang and nobody else; what was said stays said, whatever is taken back."""
    gang = frozenset(state.gang)
    state = replace(state, ideas=ideas)
    return Step(state, reveals=True, secret=True, audience=gang, keeps=True)

"""The end: after five turns the gang has its target, or the Marshal wins."""

from __future__ import annotations

from referee.games.base import Result, Score, ScoreLine, Step

from .events import Counted, Event
from .model import KINDS, Ended, Kind, State, replace


def count_up(state: State, events: tuple[Event, ...]) -> Step:
    """End the game."""
    state = replace(state, phase=Ended())
    counted = Counted(final(state).winners, state.taken, state.goal)
    return Step(state, (*events, counted), reveals=True)


def final(state: State) -> Result:
    """Give the result: the whole gang wins with its loot, or the Marshal with what it lacks.

    Ruling: every desperado's total is the loot of the gang; the Marshal's is what the gang is
    short of its goal.
    """
    winners = state.gang if state.taken >= state.goal else (state.marshal,)
    return Result(tuple(_score(state, seat) for seat in range(state.seats)), winners, None)


def _score(state: State, seat: int) -> Score:
    if seat == state.marshal:
        short = max(0, state.goal - state.taken)
        return Score(seat, short, (ScoreLine("short_of_goal", short, (state.goal,)),))
    lines = tuple(_line(state, kind) for kind in KINDS)
    return Score(seat, sum(line.amount for line in lines), lines)


def _line(state: State, kind: Kind) -> ScoreLine:
    values = [loot.value for loot in state.loot if loot.kind == kind]
    return ScoreLine(kind, sum(values), (len(values),))

"""Coaches and their schedules: one cycle, brown ahead, blue a turn behind."""

from __future__ import annotations

from referee.errors import IllegalAction
from referee.games.base import Step
from referee.games.once import kept

from .events import Event, MoveBegun, TurnBegun
from .model import COACHES, City, Coach, Riding, State, replace


def index(state: State, name: str) -> int:
    """Give a schedule's place in the cycle. Raises IllegalAction for an unknown one."""
    names = [schedule.name for schedule in state.board.schedules]
    if name not in names:
        raise IllegalAction("no_such_schedule", section="setup", schedule=name)
    return names.index(name)


@kept("first", "board")
def order(state: State) -> tuple[str, ...]:
    """Name the schedules in the order in which brown follows them."""
    if state.first is None:
        return ()
    cycle = state.board.schedules
    return tuple(schedule.name for schedule in cycle[state.first :] + cycle[: state.first])


def stops(state: State, coach: Coach) -> tuple[City, ...]:
    """Give a coach's stops in this turn, its start included; none for blue in the first turn.

    Ruling: the blue side shows the stops of the brown side in the same order, unless the table
    says otherwise.
    """
    cycle = state.board.schedules
    if state.first is None or not state.turn:
        return ()
    if coach == "brown":
        return cycle[(state.first + state.turn - 1) % len(cycle)].brown
    return cycle[(state.first + state.turn - 2) % len(cycle)].blue if state.turn > 1 else ()


def begin_turn(state: State, events: tuple[Event, ...]) -> Step:
    """Begin a turn: both coaches at the start of their schedules, robbed or not."""
    state = replace(state, turn=state.turn + 1, move=0)
    brown, blue = (stops(state, coach) for coach in COACHES)
    coaches = (brown[0], blue[0] if blue else None)
    state = replace(
        state,
        coaches=coaches,
        starts=state.pawns,
        routes=((),) * state.seats,
        activities=(),
        returned=(),
        looks=(),
        spyings=(),
        ideas=(),
        is_shaken=False,
        posts=(),
        judged=(),
    )
    return begin_move(state, (*events, TurnBegun(state.turn, *coaches)))


def begin_move(state: State, events: tuple[Event, ...]) -> Step:
    """Move the coaches one stop; one with discs on it stays. Then the Marshal rides."""
    move = state.move + 1
    stayed = tuple(c for c in COACHES if any(a.venue == c for a in state.activities))
    brown, blue = (
        city if coach in stayed or city is None else _next_stop(state, coach, city)
        for coach, city in zip(COACHES, state.coaches, strict=True)
    )
    state = replace(state, move=move, coaches=(brown, blue), phase=Riding(state.sheriffs))
    return Step(state, (*events, MoveBegun(move, brown, blue, stayed)))


def _next_stop(state: State, coach: Coach, city: City) -> City:
    """Give where a coach goes now; one that follows no schedule yet stays where it was put."""
    # `state` still counts the moves before this one; the first stop is where the coach began.
    found = stops(state, coach)
    return found[state.move + 1] if found else city

"""What goes on by itself, and who is asked for what does not."""

from __future__ import annotations

from typing import assert_never

from referee.games.base import Facts, Need, Step
from referee.games.once import once

from . import effects, extending, rounds
from .asking import question
from .events import Event, TileTaken
from .model import (
    PER_ROW,
    Boarding,
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
    TurningUp,
    replace,
)
from .state import State


def go_on(state: State, events: list[Event], *, reveals: bool = False, learnt: Facts = ()) -> Step:
    """Let everything follow that asks nobody: effects, turns, rounds, the end."""
    while isinstance(state.phase, Resolving):
        turn = state.turn
        if turn is None and state.at < 0:
            state = rounds.proceed(state, events)
        elif turn is None:
            is_over = all(spot.rancher is None for spot in state.current[state.at :])
            # Not before the row is played: until then a slip in telling it leaves no trace.
            if is_over:
                learnt += rounds.learnt_of_row(state)
            state = rounds.next_turn(state, events)
        # Before the circles: cattle that a skull takes are gone when a partner could drive them.
        elif turn.skulls:
            state = effects.skull(state, turn, events)
        elif turn.circles:
            state = effects.circle(state, turn, events)
        elif turn.is_bonus_due:
            state = extending.bonus_owed(state, turn, events)
        else:
            state = extending.settle(state, turn, events)
    if isinstance(state.phase, Ended):
        learnt += rounds.learnt_at_the_end(state)
    needs: tuple[Need, ...] = ()
    if isinstance(state.phase, Dealing):
        # One at a time: what comes next can hang on what this one gives.
        needs = (rounds.need_of(state),)
    if events:
        state = replace(state, deeds=_newest_turns((*state.deeds, *events)))
    return Step(state, tuple(events), reveals=reveals, needs=needs, learnt=learnt)


def _newest_turns(deeds: tuple[Event, ...]) -> tuple[Event, ...]:
    """Give what happened since the turn before this one began: hands may be behind by so much."""
    turns = [place for place, deed in enumerate(deeds) if type(deed) is TileTaken]
    return deeds[turns[-2] :] if len(turns) > 1 else deeds


@once  # asked of each state, of what may be done in it, and of what is done
def to_act(state: State) -> frozenset[int]:
    """Name the seats that may act: whose turn it is, or everybody where anybody may tell."""
    if question(state) is not None:
        return frozenset(range(state.seats))
    phase = state.phase
    match phase:
        case Dealing() | Resolving() | Ended():
            return frozenset()
        case Refilling() | TurningUp() | TakingStock() | Painting():
            return frozenset(range(state.seats))
        case Boarding():
            return frozenset(_without_board(state))
        case Placing(queue):
            return frozenset(queue[:1])
        case (
            Extending()
            | Laying()
            | Discarding()
            | Removing()
            | Hiring()
            | Driving()
            | Swapping()
            | Rustling()
            | LayingBonus()
            | Choosing()
        ):
            return frozenset() if state.turn is None else frozenset((state.turn.seat,))
        case _:
            assert_never(phase)


def _without_board(state: State) -> tuple[int, ...]:
    return tuple(seat for seat, r in enumerate(state.ranches) if r.character is None)


def waiting_for(state: State) -> tuple[int, ...]:
    """Name the seats that hold up the table; where anybody may tell, whoever is next."""
    turn = state.turn
    if turn is not None:
        # Whoever else may tell something holds up nobody.
        return (turn.seat,)
    match state.phase:
        case Refilling() | TurningUp():
            row = [spot.rancher for spot in state.current if spot.rancher is not None]
            return tuple(row[:1]) or state.order[:1]
        case Painting():
            open_ones = [seat for seat, r in enumerate(state.ranches) if not r.is_done]
            return tuple(open_ones) or tuple(range(state.seats))
        case _:
            return tuple(sorted(to_act(state)))


def is_anybodys(state: State) -> bool:
    """Say whether anybody may tell what is asked: then nobody alone holds it up."""
    # Everybody paints, and takes a board, for themselves.
    return question(state) is not None or isinstance(
        state.phase, Refilling | TurningUp | TakingStock
    )


def place_rancher(state: State, place: int) -> State:
    """Step 3 of a turn, or the set-up: the rancher goes onto a free tile of the row."""
    turn, phase = state.turn, state.phase
    if isinstance(phase, Placing):
        seat, *queue = phase.queue
        spot = replace(state.current[place], rancher=seat)
        row = (*state.current[:place], spot, *state.current[place + 1 :])
        after = Placing(tuple(queue)) if queue else Resolving()
        return replace(state, current=row, phase=after)
    if turn is None:
        raise LookupError(place)
    spot = replace(state.next[place], rancher=turn.seat)
    row = (*state.next[:place], spot, *state.next[place + 1 :])
    return rounds.end_turn(replace(state, next=row))


def free_places(state: State) -> tuple[int, ...]:
    """Give the places of the row onto which a rancher may go."""
    row = state.current if isinstance(state.phase, Placing) else state.next
    return tuple(
        [place for place in range(PER_ROW) if row[place].rancher is None and not row[place].is_gone]
    )


__all__ = ["free_places", "go_on", "is_anybodys", "place_rancher", "to_act", "waiting_for"]

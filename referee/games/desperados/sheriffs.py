"""Sheriffs: moved by the Marshal in the open, before his own card."""

from __future__ import annotations

from referee.errors import IllegalAction, NotYourTurn
from referee.games.base import Step
from referee.games.once import once

from .actions import Action, MoveSheriff
from .events import SheriffMoved
from .facts import learn
from .model import Riding, State, replace, swap
from .roads import road_fact


@once  # asked of what is legal, and of the ride that follows
def legal(state: State, phase: Riding) -> tuple[Action, ...]:
    """Give each Sheriff the cities next to where the move found it, and that city itself."""
    found = []
    for sheriff, (stable, now) in enumerate(zip(phase.stables, state.sheriffs, strict=True)):
        # From where the move found it: until the Marshal's card lies, a ride may be changed.
        ways = state.board.links[stable]
        sure = [city for city in (stable, *ways.near) if city != now]
        unsure = [city for city in ways.unknown if city != now]
        found += [MoveSheriff(sheriff, city) for city in sure]
        found += [MoveSheriff(sheriff, city, confirmed=True) for city in unsure]
    return tuple(found)


def move(state: State, seat: int, action: MoveSheriff) -> Step:
    """Move a Sheriff along one road, in the open. A road that is new to the referee is learnt."""
    phase = state.phase
    if not isinstance(phase, Riding) or seat != state.marshal:
        raise NotYourTurn(section="sheriffs")
    if action not in legal(state, phase):
        raise IllegalAction("no_road", section="sheriffs", city=action.city)
    source = state.sheriffs[action.sheriff]
    state = replace(state, sheriffs=swap(state.sheriffs, action.sheriff, action.city))
    events = (SheriffMoved(action.sheriff, source, action.city),)
    if not action.confirmed:
        return Step(state, events)
    # From there too: the road that was ridden, not one between two second thoughts.
    facts = ((road_fact(phase.stables[action.sheriff], action.city), "yes"),)
    return Step(replace(state, board=learn(state.board, facts)), events, learnt=facts)

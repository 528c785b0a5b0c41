"""Answers about the board, and how play goes on where it waited for them."""

from __future__ import annotations

from referee.games.base import Facts, Step

from . import ending, objectives, purchase
from .events import Event, FactsLearnt
from .facts import learn
from .model import Between, Claiming, Counting, State, Turning, replace
from .questions import question


def answer(state: State, facts: Facts) -> Step:
    """Take in facts about the board, asked for or not, and go on where they were waited for."""
    board = learn(state.board, facts)
    state = replace(state, board=board)
    return go_on(state, (FactsLearnt(facts),), facts)


def go_on(state: State, events: tuple[Event, ...], facts: Facts) -> Step:
    """Go on with what waited for the board, if nothing has to be asked any more."""
    step = Step(state, events)
    if question(state) is None:
        match state.phase:
            case Turning(plot, buyer):
                step = purchase.turn_card(state, buyer, plot, events)
            case Claiming(seat, objective):
                step = objectives.settle_claim(state, seat, objective, events)
            # What the buyer is owed for its purchase waited for this answer.
            case Between() if state.rules.claims == "automatic":
                state, claimed = objectives.claim_all(state, state.star)
                step = Step(state, (*events, *claimed))
            case Counting():
                step = ending.finish(state, events)
            case _:
                pass
    return replace(step, learnt=facts)

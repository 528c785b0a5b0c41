"""Answers about the board, and how play goes on where it waited for them."""

from __future__ import annotations

from referee.errors import IllegalAction
from referee.games.base import Answer, Facts, Step

from . import ending, objectives, purchase
from .actions import Action
from .events import Event, FactsLearnt
from .facts import learn
from .model import Between, Claiming, Counting, State, Turning, replace
from .questions import question


def legal(state: State) -> tuple[Action, ...]:
    """Give an answer for each value of each part of the open question; anybody may give it."""
    asked = question(state)
    if asked is None:
        return ()
    parts = (*asked.parts, *asked.more)
    return tuple(Answer(((part.fact, value),)) for part in parts for value in part.values)


def check(state: State, answer: Answer) -> None:
    """Refuse what the open question does not ask. Raises IllegalAction."""
    asked = question(state)
    if asked is None:
        raise IllegalAction("no_question", section="board")
    values = {part.fact: part.values for part in (*asked.parts, *asked.more)}
    if not answer.facts or any(value not in values.get(fact, ()) for fact, value in answer.facts):
        raise IllegalAction("not_asked", section="board")


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

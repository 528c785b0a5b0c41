"""The end: what is real is told, all is opened, and what the count needs of the board is asked."""

from __future__ import annotations

from referee.errors import IllegalAction, NotYourTurn
from referee.games.base import Step

from . import scoring
from .events import Counted, EnteredTwice, Event, Miscounted
from .model import Between, Counting, Ended, HandingIn, State, replace
from .questions import question


def owing(state: State) -> tuple[int, ...]:
    """Name the seats that have not told all that is theirs to tell, once all plots are sold."""
    phase = state.phase
    if not isinstance(phase, HandingIn):
        return ()
    owes_cash = state.rules.from_box("money")
    owes_cards = state.rules.from_box("secret_objectives")
    return tuple(
        seat
        for seat in range(state.seats)
        if (owes_cards and not state.secrets[seat]) or (owes_cash and phase.counts[seat] is None)
    )


def is_all_told(state: State) -> bool:
    """Say whether all that is real is told, and only the star's holder has to open it."""
    return isinstance(state.phase, HandingIn) and not owing(state)


def count_up(state: State, seat: int) -> Step:
    """End the game after the 19th purchase and its claims; what is real is told first.

    Whoever tells last ends nothing by it: everybody can look once more, then it is opened.
    """
    if seat != state.star or not (isinstance(state.phase, Between) or is_all_told(state)):
        raise NotYourTurn(section="end")
    if is_all_told(state):
        return all_told(state, ())
    if state.plots_left:
        raise IllegalAction("plots_left", section="end", left=state.owners.count(None))
    if question(state) is not None:
        raise IllegalAction("question_open", section="end")
    # A phase of its own even if nobody owes anything, for `all_told` counts by it.
    state = replace(state, phase=HandingIn((None,) * state.seats))
    if owing(state):
        return Step(state, reveals=True)
    return all_told(state, ())


def all_told(state: State, events: tuple[Event, ...]) -> Step:
    """Open all; there is only one card of each objective, so two who name it tell theirs anew.

    Ruling: the second time it is taken as told, for all to see. The table has the cards.
    """
    phase = state.phase
    told = [objective for pair in state.secrets for objective in pair]
    twice = tuple(
        seat
        for seat, pair in enumerate(state.secrets)
        if any(told.count(objective) > 1 for objective in pair)
    )
    if twice and state.rules.from_box("secret_objectives"):
        events = (*events, EnteredTwice(twice))
        if isinstance(phase, HandingIn) and not phase.is_second:
            # All who named it: which of them was wrong only the cards on the table say.
            kept = tuple(() if s in twice else pair for s, pair in enumerate(state.secrets))
            state = replace(state, secrets=kept, phase=replace(phase, is_second=True))
            return Step(state, events, reveals=True)
    return reveal(*_with_counts(state, events))


def _with_counts(state: State, events: tuple[Event, ...]) -> tuple[State, tuple[Event, ...]]:
    """Let what was counted stand for what was recorded, and name the difference."""
    phase = state.phase
    if not isinstance(phase, HandingIn) or not state.rules.from_box("money"):
        return state, events
    # Notes in hand are the truth: the ledger of a table that plays with real ones has gaps.
    counted = tuple(amount or 0 for amount in phase.counts)
    # The bank makes up the difference, so that notes are neither made nor lost.
    expected = sum(state.cash)
    state = replace(state, cash=counted, bank=state.bank + expected - sum(counted))
    if sum(counted) != expected:
        events = (*events, Miscounted(sum(counted), expected))
    return state, events


def reveal(state: State, events: tuple[Event, ...]) -> Step:
    """Open everything; count, unless the board has to be asked for something first."""
    state = replace(state, phase=Counting())
    if question(state) is not None:
        return Step(state, events, reveals=True)
    return finish(state, events)


def finish(state: State, events: tuple[Event, ...]) -> Step:
    """End the game."""
    state = replace(state, phase=Ended())
    return Step(state, (*events, Counted(scoring.final(state).winners)), reveals=True)

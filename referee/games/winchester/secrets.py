"""What is told in secret when the box holds it: one's objectives, and at the end one's notes."""

from __future__ import annotations

from functools import cache
from itertools import combinations

from referee.errors import IllegalAction, NotYourTurn
from referee.games.base import Step

from .actions import COUNTS, Action, CountUp, EnterSecrets, ForgetSecrets
from .ending import is_all_told
from .events import Event, HandedBack, HandedIn
from .model import (
    NOTE,
    NOTES,
    SECRET_OBJECTIVES,
    Between,
    Counting,
    Dealing,
    Drawing,
    Duel,
    Ended,
    HandingIn,
    SecretObjective,
    State,
    replace,
    swap,
)


@cache
def _entries() -> tuple[EnterSecrets, ...]:
    return tuple(EnterSecrets(pair) for pair in combinations(SECRET_OBJECTIVES, 2))


def may_enter(state: State) -> bool:
    """Say whether real objectives may be told now: any time until all is open."""
    # First: where the phones hold them this is never so, and it is asked at every state.
    if "secret_objectives" not in state.rules.box:
        return False
    phase = state.phase
    is_shut = isinstance(phase, Dealing | Drawing | Counting | Ended)
    is_chance_owed = isinstance(phase, Duel) and None not in phase.picks
    return not is_shut and not is_chance_owed


def legal(state: State, seat: int) -> tuple[Action, ...]:
    """Give the pairs of objectives, or a second thought; at the end amounts of notes too."""
    is_handing_in = type(state.phase) is HandingIn
    may_tell = may_enter(state)
    if not (is_handing_in or may_tell):
        return ()
    if is_all_told(state):
        last = (CountUp(),) if seat == state.star else ()
        return (*last, ForgetSecrets()) if _is_real(state) else last
    actions: tuple[Action, ...] = ()
    if may_tell:
        # At the end one changes it by telling it anew, and has nothing to forget first.
        if not state.secrets[seat] or is_handing_in:
            actions = _entries()
        elif isinstance(state.phase, Between):
            actions = (ForgetSecrets(),)
    if is_handing_in and state.rules.from_box("money"):
        actions = (*actions, *COUNTS)
    return actions


def stand_in(state: State, seat: int) -> tuple[Action, ...]:
    """Give what the host may tell for somebody who left, by a look at the cards and notes."""
    if is_all_told(state):
        return (CountUp(),) if seat == state.star else ()
    owes_cards = state.rules.from_box("secret_objectives") and not state.secrets[seat]
    # Cards and notes of who left lie on the table: the host looks, and tells what is there.
    return _entries() if owes_cards else COUNTS


def enter(state: State, seat: int, pair: tuple[SecretObjective, SecretObjective]) -> Step:
    """Tell which two objectives one holds. Nobody can notice it before the end."""
    has_told = state.secrets[seat] and not isinstance(state.phase, HandingIn)
    if not may_enter(state) or has_told or is_all_told(state):
        raise NotYourTurn("objectives_entered", section="secrets")
    if pair[0] == pair[1]:
        raise IllegalAction("two_objectives", section="secrets")
    return _told(state, replace(state, secrets=swap(state.secrets, seat, pair)), seat)


def forget(state: State, seat: int) -> Step:
    """Take back what one told, to tell it anew.

    In the end it is changed by telling it anew, until all have told: then it has to be asked back.
    """
    if is_all_told(state) and _is_real(state):
        return _asked_back(state, seat)
    is_time = isinstance(state.phase, Between) and may_enter(state)
    if not is_time or not state.secrets[seat]:
        raise NotYourTurn("nothing_entered", section="secrets")
    state = replace(state, secrets=swap(state.secrets, seat, ()))
    return Step(state, secret=True, audience=frozenset((seat,)))


def _is_real(state: State) -> bool:
    return state.rules.from_box("money") or state.rules.from_box("secret_objectives")


def _asked_back(state: State, seat: int) -> Step:
    """Have somebody owe again what is theirs to tell; all others wait for it."""
    phase = state.phase
    assert isinstance(phase, HandingIn)  # noqa: S101  # all is told
    if state.rules.from_box("secret_objectives"):
        state = replace(state, secrets=swap(state.secrets, seat, ()))
    phase = replace(phase, counts=swap(phase.counts, seat, None))
    return Step(replace(state, phase=phase), (HandedBack(seat),))


def count(state: State, seat: int, amount: int) -> Step:
    """Tell what one's real notes come to; may be changed until everybody has told all."""
    phase = state.phase
    is_time = isinstance(phase, HandingIn) and not is_all_told(state)
    if not isinstance(phase, HandingIn) or not is_time or not state.rules.from_box("money"):
        raise NotYourTurn(section="secrets")
    if amount % NOTE:
        raise IllegalAction("whole_notes", section="secrets", amount=amount)
    if not 0 <= amount <= NOTES * NOTE:
        raise IllegalAction("price_too_high", section="secrets", most=NOTES * NOTE)
    phase = replace(phase, counts=swap(phase.counts, seat, amount))
    return _told(state, replace(state, phase=phase), seat)


def _told(before: State, state: State, seat: int) -> Step:
    """Before the end only the seat itself notices; then that it told, and no change of it."""
    phase, was = state.phase, before.phase
    is_first = not before.secrets[seat] and bool(state.secrets[seat])
    if isinstance(phase, HandingIn) and isinstance(was, HandingIn):
        is_first |= was.counts[seat] is None and phase.counts[seat] is not None
    # In mid-game telling is between a seat and the referee, and so is a second thought at the end:
    # either would tell the others something that nobody at the table could see.
    if not isinstance(phase, HandingIn) or not is_first:
        return Step(state, secret=True, audience=frozenset((seat,)))
    events: tuple[Event, ...] = (HandedIn(seat),)
    return Step(state, events, secret=True)

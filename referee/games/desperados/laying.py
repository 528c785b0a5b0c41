"""A move: everybody's card face down, the Marshal's first, and plans that the gang shares."""

from __future__ import annotations

from typing import Final

from referee.errors import IllegalAction, NotYourTurn
from referee.games.base import Need, Outcome, Pool, Step

from . import sheriffs
from .actions import Action, HidePlan, LayAny, LayCard, ShowPlan
from .events import CardLaid, MoveClosed
from .model import (
    DECK,
    MOVES,
    Acting,
    Card,
    Laid,
    Laying,
    Post,
    Riding,
    State,
    replace,
    swap,
)
from .trails import earlier, hand, has_laid, playable

CARD: Final = "card"
"""The name of the draw that lays a card."""


def legal(state: State, seat: int) -> tuple[Action, ...]:
    """Give the cards to lay or to change to, and whether the gang may see them."""
    riding: tuple[Action, ...] = ()
    if isinstance(state.phase, Riding):
        if seat != state.marshal:
            return ()
        riding = sheriffs.legal(state, state.phase)
    # Laying the card that lies there again would be a step that changes nothing.
    now = state.routes[seat][-1] if has_laid(state, seat) else None
    cards = [LayCard(laid.card, laid.confirmed) for laid in playable(state, seat) if laid != now]
    drawn = (LayAny(),) if now is None else ()
    return (*cards, *riding, *plan_legal(state, seat), *drawn)


def plan_legal(state: State, seat: int) -> tuple[Action, ...]:
    """Give the one of hiding and showing that changes something."""
    if seat == state.marshal:
        return ()
    return (ShowPlan(),) if state.hidden[seat] else (HidePlan(),)


def lay(state: State, seat: int, card: Card, *, confirmed: bool) -> Step:
    """Lay a card face down, or change the one that lies there. The last one closes the move."""
    _check_turn(state, seat)
    laid = Laid(card, confirmed)
    if laid not in playable(state, seat):
        raise IllegalAction(_why_not(state, seat, laid), section="moving", card=card)
    if has_laid(state, seat) and laid == state.routes[seat][-1]:
        raise IllegalAction("already_there", section="moving", card=card)
    return _lay(state, seat, laid)


def _why_not(state: State, seat: int, laid: Laid) -> str:
    if laid.card in state.lost[seat]:
        return "card_lost"
    if laid.card not in hand(state, seat):
        return "card_on_table"
    return "no_road"


def lay_any(state: State, seat: int) -> Step:
    """Lay a card that is drawn, each that can surely be played as likely as any other.

    Ruling: so the card of somebody who is absent is laid; no unknown road is used.
    """
    _check_turn(state, seat)
    if has_laid(state, seat):
        raise IllegalAction("already_there", section="moving")
    sure = tuple([laid.card for laid in playable(state, seat) if not laid.confirmed])
    need = Need(CARD, number_of(state, seat), (Pool(CARD, sure, 1),))
    # It lies there like any other, before it is known which: whoever counts notices no difference.
    step = _lay(state, seat, Laid(sure[0]))
    return replace(step, state=replace(step.state, drawing=seat), needs=(need,))


def number_of(state: State, seat: int) -> int:
    """Give the number of the draw for a seat's card of this move."""
    # One number a seat and move: taken back and drawn again, it is the same card, and no other's.
    return (state.turn * (MOVES + 1) + state.move) * state.seats + seat


def put(state: State, seat: int, laid: Laid) -> Step:
    """Lay a card that lay there, whether or not it can be played from where its owner is now."""
    _check_turn(state, seat)
    return _lay(state, seat, laid)


def drawn(state: State, outcome: Outcome) -> Step:
    """Take in which card was drawn; only who sees the plan may notice that one was."""
    seat, card = state.drawing, outcome.drawn[CARD][0]
    found = next((one for one in DECK if one == card), None)
    if seat is None or found is None:
        raise IllegalAction("not_owed", label=outcome.label)
    # In place of the card that lay there for it since the draw was owed.
    route = (*state.routes[seat][:-1], Laid(found))
    state = replace(state, routes=swap(state.routes, seat, route), drawing=None)
    return Step(state, secret=True, audience=sharers(state, seat))


def _check_turn(state: State, seat: int) -> None:
    is_marshals = isinstance(state.phase, Riding) and seat == state.marshal
    if not is_marshals and not isinstance(state.phase, Laying):
        raise NotYourTurn(section="moving")


def _lay(state: State, seat: int, laid: Laid) -> Step:
    is_change = has_laid(state, seat)
    route = (*earlier(state, seat), laid)
    state = replace(state, routes=swap(state.routes, seat, route))
    if is_change:
        # Only who sees the plan may notice: that a card was changed tells of second thoughts.
        return Step(state, secret=True, audience=sharers(state, seat))
    # The Marshal's card opens the move to the gang; with later ones it is open already.
    state = replace(state, phase=Laying())
    events = (CardLaid(seat),)
    if not all(has_laid(state, other) for other in range(state.seats)):
        return Step(state, events, secret=True)
    # From here on taking a card back needs consent: the gang acts on where everybody is.
    post = Post(state.sheriffs, state.coaches)
    state = replace(state, phase=Acting((None,) * state.seats), posts=(*state.posts, post))
    return Step(state, (*events, MoveClosed(state.move)), reveals=True, secret=True)


def sharers(state: State, seat: int) -> frozenset[int]:
    """Name who sees a seat's plan: the whole gang, unless its owner hides it."""
    if seat == state.marshal or state.hidden[seat]:
        return frozenset((seat,))
    return frozenset(state.gang)


def set_hidden(state: State, seat: int, *, hide: bool) -> Step:
    """Hide one's plan from the gang, or share it again; the gang alone notices.

    Offered while plans are made, but valid at any time: an undo never shows a plan again.
    """
    if seat == state.marshal:
        raise NotYourTurn(section="moving")
    if state.hidden[seat] == hide:
        raise IllegalAction("already_so", section="moving")
    state = replace(state, hidden=swap(state.hidden, seat, hide))
    # `reveals`: mates have then seen a plan that was shown; of one that was hidden they have not.
    gang = frozenset(state.gang)
    return Step(state, reveals=not hide, secret=True, audience=gang, keeps=True)

"""Bidding: the open auction of the rulebook, and the sealed one for phones."""

from __future__ import annotations

from referee.errors import IllegalAction, NotYourTurn
from referee.games.base import Step

from . import duel, purchase
from .actions import BIDS, CALL_DUEL, PASS, SEALED_BIDS, Action
from .events import BidMade, BidsRevealed, BidsTied, BidSubmitted, Event, Passed
from .model import (
    NOTE,
    NOTES,
    OpenAuction,
    ProxyAuction,
    SealedAuction,
    SpokenAuction,
    State,
    replace,
    swap,
)


def begin(state: State, plot: int) -> OpenAuction | SealedAuction | ProxyAuction | SpokenAuction:
    """Put a plot up, the star's holder first."""
    seats = state.clockwise_from(state.star)
    match state.rules.auction:
        case "open":
            return OpenAuction(plot, seats)
        case "sealed":
            return SealedAuction(plot, seats, (None,) * state.seats)
        case "proxy":
            return ProxyAuction(plot, seats, (None,) * state.seats)
        case "spoken":
            return SpokenAuction(plot)


def highest_price(state: State) -> int:
    """Give what all players together hold: no bid can be higher, and everybody can work it out.

    Where real notes are used, what the referee takes the bank to hold may be off.
    """
    if state.rules.from_box("money"):
        return NOTES * NOTE
    return NOTES * NOTE - state.bank - state.saloon - sum(pile.amount for pile in state.piles)


def most(state: State, seat: int) -> int:
    """Give the highest bid a seat may make: its cash, or of real notes what it says.

    A purse in debt, because a purchase was set right, bids nothing.
    """
    if "money" in state.rules.box:
        return highest_price(state)
    cash = state.cash[seat]
    return cash if cash > 0 else 0  # noqa: FURB136  # `max` is slow, and every bid asks this


def check_amount(state: State, seat: int, amount: int, *, least: int) -> None:
    """Refuse a part of a note, a bid that is too low, and one beyond the seat's cash."""
    if amount % NOTE:
        raise IllegalAction("whole_notes", section="auction", amount=amount)
    if amount < least:
        raise IllegalAction("bid_too_low", section="auction", least=least)
    if amount > most(state, seat):
        raise IllegalAction("bid_over_cash", section="auction", most=most(state, seat))


# Open: clockwise from the star, each bids or passes until one is left.


def open_legal(state: State, phase: OpenAuction, seat: int) -> tuple[Action, ...]:
    """Give a seat's bids, cheapest first, its pass, and a duel where one may be called."""
    # A duel may be called out of turn: the standing bidder need not wait for the other.
    call = (CALL_DUEL,) if duel.may_call(state, phase, seat) else ()
    if seat != phase.inside[0]:
        return call
    return (*BIDS[phase.standing // NOTE : most(state, seat) // NOTE], PASS, *call)


def bid(state: State, seat: int, amount: int) -> Step:
    """Outbid by at least $1000, never beyond one's own cash."""
    phase = _my_turn(state, seat)
    check_amount(state, seat, amount, least=phase.standing + NOTE)
    # To the end of the line: whoever is first in it is next, and no turn is kept apart from it.
    phase = OpenAuction(phase.plot, (*phase.inside[1:], seat), standing=amount, leader=seat)
    return _settle_open(state, phase, (BidMade(seat, amount),))


def pass_(state: State, seat: int) -> Step:
    """Leave this auction for good."""
    phase = _my_turn(state, seat)
    phase = OpenAuction(phase.plot, phase.inside[1:], phase.standing, phase.leader)
    return _settle_open(state, phase, (Passed(seat),))


def _my_turn(state: State, seat: int) -> OpenAuction:
    phase = state.phase
    if not isinstance(phase, OpenAuction) or phase.inside[0] != seat:
        raise NotYourTurn(section="auction")
    return phase


def _settle_open(state: State, phase: OpenAuction, events: tuple[Event, ...]) -> Step:
    """Sell when one bidder is left with the standing bid, or all have passed.

    Ruling: the last one left without any standing bid may still bid or pass.
    """
    if not phase.inside:
        return purchase.nobody_bid(state, phase.plot, events)
    if len(phase.inside) == 1 and phase.leader is not None:
        return purchase.buy(state, phase.leader, phase.plot, phase.standing, "auction", events)
    return Step(replace(state, phase=phase), events)


# Sealed: a house variant; everyone submits, all are revealed at once.


def sealed_legal(state: State, phase: SealedAuction, seat: int) -> tuple[Action, ...]:
    """Give every bid a seat can afford; with a tie to break, none below it."""
    if seat not in phase.bidders:
        return ()
    call = (CALL_DUEL,) if duel.may_call(state, phase, seat) else ()
    return (*SEALED_BIDS[phase.floor // NOTE : most(state, seat) // NOTE + 1], *call)


def submit(state: State, seat: int, amount: int) -> Step:
    """Hand in a bid or change it; the last one in reveals them all."""
    phase = state.phase
    if not isinstance(phase, SealedAuction) or seat not in phase.bidders:
        raise NotYourTurn(section="auction")
    check_amount(state, seat, amount, least=phase.floor)
    # That a bid is in is public; that it was changed must show nowhere, not even as a new version.
    is_change = phase.bids[seat] is not None
    phase = replace(phase, bids=swap(phase.bids, seat, amount))
    state = replace(state, phase=phase)
    if is_change:
        return Step(state, secret=True, audience=frozenset((seat,)))
    # Sealed in the journal too: its entry says that there is a bid, and no amount.
    if None in [phase.bids[bidder] for bidder in phase.bidders]:
        return Step(state, (BidSubmitted(seat),), secret=True)
    return _reveal(state, phase, (BidSubmitted(seat),))


def _reveal(state: State, phase: SealedAuction, events: tuple[Event, ...]) -> Step:
    """Highest wins; a first tie bids again, a second goes to the one next from the star."""
    # None is missing by now: the last one in calls this.
    bids = tuple((seat, phase.bids[seat] or 0) for seat in phase.bidders)
    highest = max(amount for _, amount in bids)
    best = tuple(seat for seat, amount in bids if amount == highest)
    events = (*events, BidsRevealed(bids))
    if highest == 0:
        step = purchase.nobody_bid(state, phase.plot, events)
    # Bidders stand clockwise from the star, so the first of the best is whom the ruling names.
    elif len(best) == 1 or phase.floor:
        step = purchase.buy(state, best[0], phase.plot, highest, "auction", events)
    else:
        # Only who tied bids again, and nobody less than what all have seen of them.
        again = SealedAuction(phase.plot, best, (None,) * state.seats, floor=highest)
        step = Step(replace(state, phase=again), (*events, BidsTied(best, highest)))
    return replace(step, reveals=True, secret=True)

"""The spoken auction: held aloud by the rule, tapped in afterwards, confirmed by the winner."""

from __future__ import annotations

from functools import cache

from referee.errors import IllegalAction, NotYourTurn
from referee.games.base import Step

from . import duel, purchase
from .actions import Action, ConfirmSale, RecordDuel, RecordNobody, RecordSale, RejectSale
from .auction import highest_price
from .events import DuelRecorded, SaleRecorded, SaleRejected
from .model import NOTE, TOKENS, Duel, SpokenAuction, State, Token, replace


def legal(state: State, phase: SpokenAuction, seat: int) -> tuple[Action, ...]:
    """Let the star's holder record the result, and the recorded winner confirm it."""
    if phase.winner is None:
        return _records(state) if seat == state.star else ()
    if seat != phase.winner:
        return ()
    # Their own page alone shows it; a rejection reads the same as that of a slip.
    if not _can_pay(state, seat, phase.price):
        return (RejectSale(),)
    if phase.duel is None and state.rules.from_box("bonus_tokens"):
        return (*map(ConfirmSale, TOKENS), RejectSale())
    return (ConfirmSale(), RejectSale())


def _can_pay(state: State, seat: int, price: int) -> bool:
    """Say whether a seat can pay; of real notes only their owner knows."""
    return state.rules.from_box("money") or state.cash[seat] >= price


def _records(state: State) -> tuple[Action, ...]:
    return _all_records(state.seats, highest_price(state) // NOTE, state.duel_tokens)


@cache
def _all_records(seats: int, notes: int, tokens: tuple[bool, ...]) -> tuple[Action, ...]:
    prices = [NOTE * count for count in range(1, notes + 1)]
    sales = [RecordSale(winner, price) for winner in range(seats) for price in prices]
    duels = [
        RecordDuel(caller, called, price, bidder)
        for caller in range(seats)
        if tokens[caller]
        for called in range(seats)
        if called != caller
        for price in prices
        for bidder in (None, caller)
    ]
    return (*sales, *duels, RecordNobody())


def record_sale(state: State, seat: int, winner: int, price: int) -> Step:
    """Tap in who won, and for how much; the winner is asked to confirm."""
    phase = _recording(state, seat)
    _check(state, (winner,), price)
    phase = replace(phase, winner=winner, price=price)
    return Step(replace(state, phase=phase), (SaleRecorded(winner, price),))


def record_nobody(state: State, seat: int) -> Step:
    """Tap in that nobody bid: the star's holder buys or gets the plot."""
    phase = _recording(state, seat)
    return replace(purchase.nobody_bid(state, phase.plot, ()), reveals=True)


def record_duel(state: State, seat: int, record: RecordDuel) -> Step:
    """Tap in that one of the last two spends the duel token at the standing bid.

    Nobody bids what they cannot pay, aloud either: whose bid it is confirms it on their own phone
    before the duel begins; with "must_afford" the caller does too. Of real notes only their owner
    knows, so nobody is asked.
    """
    phase = _recording(state, seat)
    two = (record.caller, record.called)
    bidder = record.called if record.bidder is None else record.bidder
    _check(state, two, record.price)
    if record.caller == record.called or bidder not in two:
        raise IllegalAction("no_duel_now", section="duel")
    if not state.duel_tokens[record.caller]:
        raise IllegalAction("no_duel_token", section="duel")
    if state.rules.from_box("money"):
        return duel.begin(state, Duel(phase.plot, record.price, *two))
    others = {record.caller} - {bidder} if state.rules.duel_shortfall == "must_afford" else set()
    phase = replace(phase, winner=bidder, price=record.price, duel=two, next=tuple(others))
    return Step(replace(state, phase=phase), (DuelRecorded(*two, record.price),))


def _recording(state: State, seat: int) -> SpokenAuction:
    phase = state.phase
    if not isinstance(phase, SpokenAuction) or phase.winner is not None or seat != state.star:
        raise NotYourTurn(section="auction")
    return phase


def _check(state: State, seats: tuple[int, ...], price: int) -> None:
    if not {*seats} <= {*range(state.seats)}:
        raise IllegalAction("no_such_seat", section="auction")
    if price % NOTE or price < NOTE:
        raise IllegalAction("whole_notes", section="auction", amount=price)
    if price > highest_price(state):
        raise IllegalAction("price_too_high", section="auction", most=highest_price(state))


def confirm(state: State, seat: int, token: Token | None) -> Step:
    """Buy at the recorded price, and tell which real bonus token lies on the plot."""
    phase = _asked(state, seat)
    if not _can_pay(state, seat, phase.price):
        raise IllegalAction("bid_over_cash", section="auction", most=state.cash[seat])
    # Before a duel nothing is bought yet, so there is no token to tell.
    is_told = phase.duel is None and state.rules.from_box("bonus_tokens")
    if (token is not None) != is_told:
        raise IllegalAction("tap_the_token", section="auction")
    if phase.duel is not None:
        return _confirm_duel(state, phase, phase.duel)
    return purchase.buy(state, seat, phase.plot, phase.price, "auction", (), token=token)


def _confirm_duel(state: State, phase: SpokenAuction, two: tuple[int, int]) -> Step:
    """Ask the next one, or let the duel begin."""
    if phase.next:
        phase = replace(phase, winner=phase.next[0], next=phase.next[1:])
        return Step(replace(state, phase=phase), reveals=True)
    return duel.begin(state, Duel(phase.plot, phase.price, *two))


def reject(state: State, seat: int) -> Step:
    """Have the auction recorded anew: a slip, or a bid beyond one's cash.

    Ruling: both are told alike; whoever overbid must say so aloud, as at any table.
    """
    phase = _asked(state, seat)
    again = SpokenAuction(phase.plot)
    return Step(replace(state, phase=again), (SaleRejected(seat),), reveals=True)


def _asked(state: State, seat: int) -> SpokenAuction:
    phase = state.phase
    if not isinstance(phase, SpokenAuction) or phase.winner != seat:
        raise NotYourTurn(section="auction")
    return phase

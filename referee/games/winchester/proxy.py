"""The proxy auction: a fast open auction, in which the referee bids up to everybody's ceiling."""

from __future__ import annotations

from referee.errors import NotYourTurn
from referee.games.base import Step

from . import auction, duel, purchase
from .actions import CALL_DUEL, CEILINGS, Action, LetStand
from .events import BidSubmitted, Event, LastTwoLeft
from .model import NOTE, LastTwo, ProxyAuction, State, replace, swap


def legal(state: State, phase: ProxyAuction, seat: int) -> tuple[Action, ...]:
    """Give every ceiling that a seat can pay."""
    if seat not in phase.bidders:
        return ()
    return CEILINGS[: auction.most(state, seat) // NOTE + 1]


def submit(state: State, seat: int, amount: int) -> Step:
    """Hand in a ceiling or change it; the last one in settles the auction."""
    phase = state.phase
    if not isinstance(phase, ProxyAuction) or seat not in phase.bidders:
        raise NotYourTurn(section="auction")
    # Nothing is a limit as well: it says that one does not bid.
    auction.check_amount(state, seat, amount, least=0)
    # As with sealed bids: nobody notices a second thought.
    is_change = phase.ceilings[seat] is not None
    phase = replace(phase, ceilings=swap(phase.ceilings, seat, amount))
    state = replace(state, phase=phase)
    if is_change:
        return Step(state, secret=True, audience=frozenset((seat,)))
    if None in [phase.ceilings[bidder] for bidder in phase.bidders]:
        return Step(state, (BidSubmitted(seat),), secret=True)
    step = _settle(state, phase, (BidSubmitted(seat),))
    # Sealed all the same: how far the winner would have gone stays shut until the end.
    return replace(step, reveals=True, secret=True)


def _settle(state: State, phase: ProxyAuction, events: tuple[Event, ...]) -> Step:
    """Let the highest ceiling win one step above the second; a tie goes clockwise from the star."""
    # By ceiling, and among equals by the place clockwise from the star, the nearest first.
    ranked = sorted(
        ((phase.ceilings[seat] or 0, -place, seat) for place, seat in enumerate(phase.bidders)),
        reverse=True,
    )
    (highest, _, winner), (second, _, runner_up), *_ = ranked
    if highest == 0:
        return purchase.nobody_bid(state, phase.plot, events)
    price = min(highest, second + NOTE)
    pair = (winner, runner_up)
    # Who bids against nobody has nobody to fight. Sorted, so that the order tells no winner.
    asked = tuple(sorted(seat for seat in pair if state.duel_tokens[seat])) if second else ()
    if not asked:
        return purchase.buy(state, winner, phase.plot, price, "auction", events)
    last = LastTwo(phase.plot, pair, price, asked)
    return Step(replace(state, phase=last), (*events, LastTwoLeft(tuple(sorted(pair)))))


def last_two_legal(state: State, phase: LastTwo, seat: int) -> tuple[Action, ...]:
    """Let either of the last two call a duel, or let it stand.

    Ruling (option `duel_shortfall`): with "must_afford" the caller must be able to pay.
    """
    if seat not in phase.asked:
        return ()
    may_pay = duel.may_afford(state, seat, phase.price)
    return (LetStand(), CALL_DUEL) if may_pay else (LetStand(),)


def let_stand(state: State, seat: int) -> Step:
    """Call no duel; when nobody does, the highest ceiling buys."""
    phase = state.phase
    if not isinstance(phase, LastTwo) or seat not in phase.asked:
        raise NotYourTurn(section="auction")
    asked = tuple(other for other in phase.asked if other != seat)
    if asked:
        return Step(replace(state, phase=replace(phase, asked=asked)))
    step = purchase.buy(state, phase.pair[0], phase.plot, phase.price, "auction", ())
    return replace(step, reveals=True)

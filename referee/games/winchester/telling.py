"""What is told of Daddy Winchester, and how the game differs when it is told anew."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.games import answering
from referee.games.base import Owed, Played, Step

from . import auction, objectives, purchase
from .actions import (
    TURNS,
    Activate,
    Claim,
    ConfirmSale,
    DrawPlot,
    LayObjective,
    Look,
    PutBack,
    SkipLook,
    TakeToken,
    TurnCard,
)
from .events import (
    AuctionAnew,
    ClaimUndone,
    Counted,
    Event,
    NowMet,
    ObjectiveClaimed,
    PileNow,
    PlotBought,
    PlotNow,
    PurseNow,
    Reopened,
    StarNow,
    TipsNow,
    TokensNow,
    VehicleNow,
)
from .model import (
    AUCTIONS,
    PILES,
    TOKENS,
    Claiming,
    Ended,
    LayingOut,
    Moving,
    Rumor,
    State,
    Taking,
    Turning,
    replace,
)
from .questions import question
from .replay import again
from .scoring import final
from .told import Answered, Bought, Claims, Drew, Laid, Moved, Showed, Told, Took

__all__ = ["Told", "again", "beyond", "follow", "owed", "own_changes", "settled", "told"]


def told(played: Played) -> Told | None:
    """Give what somebody told; of bids, ceilings and what is secret nothing."""
    what = played.what
    if played.kind == "answer":
        return Answered(what)
    for event in played.step.events:
        if isinstance(event, PlotBought):
            token = what.token if isinstance(what, ConfirmSale) else None
            return Bought(event.plot, event.seat, event.price, token)
    phase = played.before.phase
    match what:
        case LayObjective(objective) if isinstance(phase, LayingOut):
            return Laid(PILES[len(phase.laid)], objective)
        case DrawPlot(plot) if plot is not None:
            return Drew(plot)
        case TakeToken(token):
            return Took(phase.plot, token)
        case Activate(vehicle, space):
            return Moved(phase.plot, vehicle, space)
        case TurnCard(amount):
            return Showed(phase.plot, amount)
        case Claim(objective) if any(isinstance(e, ObjectiveClaimed) for e in played.step.events):
            return Claims(objective, played.seat)
        case _:
            return None


def follow(was: Told, now: Told, played: Played) -> Any:
    """Take the other of two numbers, or of two cards, that were mixed up, for the one."""
    what = played.what
    match was, now, what:
        case Drew(said), Drew(meant), DrawPlot(plot) | Drew(plot) if plot == meant:
            return replace(what, plot=said)
        case Drew(said), Drew(meant), Bought(plot) | Took(plot) | Moved(plot) | Showed(plot):
            # What was set right before names its plot, and would be refused under its old number.
            # Hats put right by hand let a number be drawn twice: the later sale keeps its own.
            sold = [sale.plot for sale in played.before.sales].count(said)
            is_first = sold < (1 if isinstance(what, Bought) else 2)
            other = {said: meant if is_first else said, meant: said}
            return replace(what, plot=other.get(plot, plot))
        case Laid(_, said), Laid(_, meant), LayObjective(card) | Laid(_, card) if card == meant:
            return replace(what, objective=said)
        case _:
            return what


def owed(state: State) -> Owed | None:
    """Give what hands did and nobody told yet: a token's use, a card, a look at the board."""
    phase = state.phase
    asked = question(state)
    if asked is not None:
        seat = phase.seat if isinstance(phase, Claiming) else state.star
        return Owed(seat, answering.answers(asked))
    match phase:
        case Taking():
            return Owed(phase.buyer, tuple(map(TakeToken, TOKENS)))
        case Moving():
            return Owed(phase.buyer, purchase.moving_legal(state, phase, phase.buyer))
        case Rumor() if phase.card is not None:
            return Owed(phase.buyer, (PutBack(),))
        case Rumor():
            # A card that the app shows is not shown for a look that was long ago.
            cards = purchase.cards_to_look_at(state, phase.buyer)
            looks = [Look(card) for card in cards if purchase.is_real(state, card)]
            return Owed(phase.buyer, (*looks, SkipLook()))
        case Turning():
            return Owed(phase.buyer, TURNS)
        case _:
            return None


def settled(before: State, after: State) -> Step:
    """Go on, and tell all how what lies openly differs.

    Ruling: an auction under way begins anew if the star or any notes are elsewhere than thought.
    How many notes moved is open to all; what any purse holds is not looked at.
    """
    events = tuple(_differences(before, after))
    phase = after.phase
    if isinstance(phase, AUCTIONS) and _bears_on_auction(before, after):
        events = (*events, AuctionAnew(phase.plot))
        after = replace(after, phase=auction.begin(after, phase.plot))
    return Step(after, events)


def _bears_on_auction(before: State, after: State) -> bool:
    was, now = before.phase, after.phase
    # Not whether bids can still be paid: that would show what purses hold.
    is_same = getattr(was, "plot", None) == getattr(now, "plot", None)
    return not is_same or before.star != after.star or before.cash != after.cash


def beyond(told: Told, events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Leave out the pile, the owner or the place that was told anew."""
    match told:
        case Laid(amount, objective):
            said: Event = PileNow(objective, amount)
        case Bought(plot, buyer):
            said = PlotNow(plot, buyer)
        case Moved(_, vehicle, space):
            said = VehicleNow(vehicle, space)
        case _:
            return events
    return tuple(event for event in events if event != said)


def own_changes(before: State, after: State, seat: int) -> tuple[PurseNow, ...]:
    """Tell a seat what its purse holds; of real notes the referee has nothing to tell."""
    was, now = before.cash[seat], after.cash[seat]
    # Of real notes the owner knows best: a sum that the referee thinks of would only confuse.
    return () if was == now or after.rules.from_box("money") else (PurseNow(was, now),)


def _differences(before: State, after: State) -> Iterator[Event]:
    for plot, (was, now) in enumerate(zip(before.owners, after.owners, strict=True), 1):
        if was != now:
            yield PlotNow(plot, now)
    for seat in range(after.seats):
        for token in TOKENS:
            count = after.held[seat].count(token)
            if count != before.held[seat].count(token):
                yield TokensNow(seat, token, count)
    if before.saloon != after.saloon:
        yield TipsNow(after.saloon)
    if before.boat != after.boat:
        yield VehicleNow("boat", after.boat)
    if before.locomotive != after.locomotive:
        yield VehicleNow("locomotive", after.locomotive)
    if before.star != after.star:
        yield StarNow(after.star)
    yield from _objectives(before, after)
    yield from _end(before, after)


def _objectives(before: State, after: State) -> Iterator[Event]:
    """Name claims that were not, and are now, paid; piles that lie otherwise; who could claim."""
    was = {(c.objective, c.seat, c.amount) for c in before.claimed}
    now = {(c.objective, c.seat, c.amount) for c in after.claimed}
    for claim in before.claimed:
        if (claim.objective, claim.seat, claim.amount) not in now:
            yield ClaimUndone(claim.seat, claim.objective, claim.amount)
    for claim in after.claimed:
        if (claim.objective, claim.seat, claim.amount) not in was:
            yield ObjectiveClaimed(claim.seat, claim.objective, claim.amount)
    # A pile that lies there again because its claim was undone is told by that alone.
    undone = {claim.objective for claim in before.claimed}
    for pile in after.piles:
        if pile not in before.piles and pile.objective not in undone:
            yield PileNow(pile.objective, pile.amount)
        if after.rules.claims == "players":
            continue  # nobody may say who could
        for seat in range(after.seats):
            if objectives.verdict(after, seat, pile.objective) and not (
                pile in before.piles and objectives.verdict(before, seat, pile.objective)
            ):
                yield NowMet(seat, pile.objective)


def _end(before: State, after: State) -> Iterator[Event]:
    """Tell another result, or that there is none yet."""
    if not isinstance(before.phase, Ended):
        return
    if not isinstance(after.phase, Ended):
        yield Reopened()
    elif final(before).winners != final(after).winners:
        yield Counted(final(after).winners)

"""What happened at the table, played again on another course.

Who bought what, and for how much, is what was seen: no purse, no sealed bid and no ceiling is asked
again, so nothing shows whether it "would still have been possible". Ruling: what a purse then lacks
it owes, and only its owner sees that.
"""

from __future__ import annotations

from itertools import takewhile
from typing import assert_never

from referee.errors import IllegalAction, NotYourTurn
from referee.games.again import strictly
from referee.games.base import Facts, Played, SeatIndex, Step
from referee.games.protocol import Game

from . import answers, deal, objectives, purchase
from .actions import (
    Activate,
    Claim,
    ConfirmSale,
    CountUp,
    DrawPlot,
    EnterSecrets,
    ForgetSecrets,
    Look,
    PutBack,
    SkipLook,
    TakeToken,
    TurnCard,
)
from .events import BidsRevealed, CardLooked, DuelCalled, Event, PlotBought
from .facts import corrected, possible_values, value_of
from .model import (
    AUCTIONS,
    FORCED_PRICE,
    NOTE,
    NOTES,
    Auction,
    Duel,
    HandingIn,
    How,
    Moving,
    Rumor,
    Sale,
    SealedAuction,
    State,
    Taking,
    Turning,
    replace,
    swap,
)
from .told import Answered, Bought, Claims, Drew, Laid, Moved, Showed, Told, Took


def again(rules: Game, state: State, played: Played) -> Step:
    """Play it again; see `protocol.Telling`."""
    match played.kind:
        case "told":
            return _told(state, played.what, played)
        case "answer":
            return _answer(state, played.what)
        case "chance" if played.what.label == "duel":
            return _in_auction(state, played)
        case "action":
            return _action(rules, state, played)
        case _:
            return strictly(rules, state, played)


def _action(rules: Game, state: State, played: Played) -> Step:
    what = played.what
    # Whose turn it is follows from the true course: the star's holder draws, the buyer goes on.
    match what:
        case DrawPlot() | CountUp():
            return rules.apply(state, SeatIndex(state.star), what)
        case TakeToken() | Activate() | TurnCard():
            return rules.apply(state, _buyer(state), what)
        case Look() | PutBack() | SkipLook():
            return _rumor(state, played)
        case EnterSecrets(told) if not isinstance(state.phase, HandingIn):
            # Nothing asks when it was told: nobody may notice that somebody did.
            return Step(_with_secrets(state, played.seat, told))
        case ForgetSecrets():
            return Step(_with_secrets(state, played.seat, ()))
        case _ if _is_about_auction(played):
            return _in_auction(state, played)
        case _:
            return strictly(rules, state, played)


def _buyer(state: State) -> SeatIndex:
    match state.phase:
        case Taking(buyer=buyer) | Moving(buyer=buyer) | Turning(buyer=buyer):
            return SeatIndex(buyer)
        case _:
            return SeatIndex(state.star)


def _with_secrets(state: State, seat: int | None, told: object) -> State:
    return state if seat is None else replace(state, secrets=swap(state.secrets, seat, told))


def _is_about_auction(played: Played) -> bool:
    return isinstance(played.before.phase, (*AUCTIONS, Duel))


# Auctions: what was bid was bid, and who bought, bought.


def _in_auction(state: State, played: Played) -> Step:
    """Let bids stand as they were made, and whoever bought buy as they did.

    What follows from who holds the star is derived again: who has to buy when nobody bid, and who
    wins a second tie of bids that all have seen.
    """
    phase = _under_auction(state)
    step = played.step
    sale = _sale_in(played)
    if sale is not None:
        token = played.what.token if isinstance(played.what, ConfirmSale) else None
        # Bids are history, but who has to buy when nobody bid hangs on the star of the true course.
        buyer = _buyer_again(state, sale, played)
        # What came of the purchase is derived again, so only what led to it is kept.
        led = tuple(takewhile(lambda event: not isinstance(event, PlotBought), step.events))
        bought = purchase.buy(state, buyer, phase.plot, sale.price, sale.how, led, token=token)
        return replace(bought, needs=bought.needs, reveals=step.reveals, secret=step.secret)
    then: Auction | Duel = step.state.phase
    state = replace(state, phase=replace(then, plot=phase.plot))
    called = [event for event in step.events if isinstance(event, DuelCalled)]
    for event in called:
        # Thrown by hand at the table: it is gone on every course.
        tokens = swap(state.duel_tokens, event.caller, value=False)
        state = replace(state, duel_tokens=tokens, duels=state.duels + 1)
    return replace(step, state=state)


def _under_auction(state: State) -> Auction | Duel:
    phase = state.phase
    if not isinstance(phase, (*AUCTIONS, Duel)):
        raise NotYourTurn(section="auction")
    return phase


def _sale_in(played: Played) -> Sale | None:
    """Give the purchase that a step led to, as it was recorded."""
    was, sales = played.before.sales, played.step.state.sales
    sale: Sale | None = sales[-1] if len(sales) > len(was) else None
    return sale


def _buyer_again(state: State, sale: Sale, played: Played) -> int:
    if sale.how in {"forced", "free"}:
        return state.star
    phase = played.before.phase
    if isinstance(phase, SealedAuction) and phase.floor and sale.how == "auction":
        return _first_of_best(state, played.step.events, sale)
    return sale.buyer


def _first_of_best(state: State, events: tuple[Event, ...], sale: Sale) -> int:
    shown = [event.bids for event in events if isinstance(event, BidsRevealed)]
    best = [seat for bids in shown for seat, amount in bids if amount == sale.price]
    return next((seat for seat in state.clockwise_from(state.star) if seat in best), sale.buyer)


# Rumors: whoever looked has looked.


def _rumor(state: State, played: Played) -> Step:
    phase = state.phase
    if not isinstance(phase, Rumor):
        raise NotYourTurn(section="rumor")
    looked = tuple(event for event in played.step.events if isinstance(event, CardLooked))
    if isinstance(played.what, Look) and not purchase.is_real(state, played.what.card):
        # What one looked at is never handed to another who turns out to have bought the plot.
        is_same = played.seat == phase.buyer
        there = played.what.card in purchase.cards_to_look_at(state, phase.buyer)
        card = played.what.card if is_same and there else None
        if played.seat is not None:
            state = purchase.remembered(state, played.seat, played.what.card)
        return Step(replace(state, phase=replace(phase, card=card)), looked)
    return purchase.turn_card(state, phase.buyer, phase.plot, looked)


# The board


def _answer(state: State, facts: Facts) -> Step:
    """Take in what is not known yet; what was set right since stays right."""
    new = tuple(
        (fact, value)
        for fact, value in facts
        if value_of(state.board, fact) is None and value in possible_values(state.board, fact)
    )
    return answers.answer(state, new)


# What is told anew


def _told(state: State, told: Told, played: Played) -> Step:
    match told:
        case Laid():
            return deal.lay(state, told.objective)
        case Drew(plot):
            return deal.draw_plot(state, plot)
        case Bought():
            return _buy(state, told, played)
        case Took(_, token):
            return purchase.take_token(state, _buyer(state), token)
        case Moved(_, vehicle, space):
            return purchase.activate(state, _buyer(state), vehicle, space)
        case Showed(_, amount):
            return purchase.tell_card(state, _buyer(state), amount)
        case Claims(objective, seat):
            return _claim(state, seat, objective)
        case Answered(facts):
            state = replace(state, board=corrected(state.board, facts))
            return answers.go_on(state, (), facts)
        case _:
            assert_never(told)


def _buy(state: State, told: Bought, played: Played) -> Step:
    phase = _under_auction(state)
    if told.plot != phase.plot:
        raise IllegalAction("no_such_plot", section="corrections", plot=told.plot)
    _check_seat(state, told.buyer)
    if told.price < 0 or told.price % NOTE:
        raise IllegalAction("whole_notes", section="corrections", amount=told.price)
    if told.price > NOTES * NOTE:
        raise IllegalAction("price_too_high", section="corrections", most=NOTES * NOTE)
    how = _how(state, told, _sale_in(played))
    step = purchase.buy(state, told.buyer, phase.plot, told.price, how, (), token=told.token)
    return replace(step, reveals=True)


def _how(state: State, told: Bought, was: Sale | None) -> How:
    if not told.price:
        return "free"
    if isinstance(state.phase, Duel):
        return "duel"
    is_star = told.buyer == state.star and told.price == FORCED_PRICE
    return "forced" if is_star and was is not None and was.how in {"forced", "free"} else "auction"


def _check_seat(state: State, seat: int) -> None:
    if not 0 <= seat < state.seats:
        raise IllegalAction("no_such_seat", section="corrections")


def _claim(state: State, seat: int | None, objective: Claim | str) -> Step:
    if seat is None:
        return Step(state)
    _check_seat(state, seat)
    return objectives.claim(state, seat, objective)  # type: ignore[arg-type]  # one of them

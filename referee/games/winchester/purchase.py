"""Buying a plot: pay the others, take hat and bonus token, turn the card, take the star."""

from __future__ import annotations

from typing import Literal

from referee.errors import IllegalAction, NotYourTurn
from referee.games.base import Step

from . import objectives
from .actions import Action, Activate, Look, PutBack, SkipLook
from .events import (
    BankPaid,
    CardLooked,
    CardRevealed,
    Event,
    PlotBought,
    TipsTaken,
    TokenTaken,
    VehicleActivated,
)
from .model import (
    FORCED_PRICE,
    NOTE,
    VEHICLE_PAY,
    VEHICLES,
    Between,
    How,
    Moving,
    Rumor,
    State,
    Token,
    Vehicle,
    replace,
    swap,
)


def nobody_bid(state: State, plot: int, events: tuple[Event, ...]) -> Step:
    """Make the star's holder buy for $1000, or take it for nothing with less than that.

    Which of the two it was tells something of their cash.
    """
    if state.cash[state.star] < FORCED_PRICE:
        step = buy(state, state.star, plot, 0, "free", events)
    else:
        step = buy(state, state.star, plot, FORCED_PRICE, "forced", events)
    return replace(step, reveals=True)


def buy(
    state: State, buyer: int, plot: int, price: int, how: How, events: tuple[Event, ...]
) -> Step:
    """Divide the price over all other players in whole notes, the rest is a tip; take the plot.

    The fresh tip stays in the saloon: a saloon token takes only what lay there before.
    """
    others = state.seats - 1
    share = price // others // NOTE * NOTE
    tip = price - share * others
    cash = [amount + share for amount in state.cash]
    cash[buyer] = state.cash[buyer] - price
    older_tips = state.saloon
    state = replace(
        state,
        cash=tuple(cash),
        saloon=older_tips + tip,
        owners=swap(state.owners, plot - 1, buyer),
        last_buyer=buyer,
    )
    events = (*events, PlotBought(buyer, plot, price, share, tip, how))
    token = state.tokens[plot - 1]
    if token is None:
        return _turn_card(state, buyer, plot, events)
    state = _take_token(state, buyer, plot, token)
    events = (*events, TokenTaken(buyer, token))
    match token:
        case "saloon":
            state = _take_tips(state, buyer, older_tips)
            return _turn_card(state, buyer, plot, (*events, TipsTaken(buyer, older_tips)))
        case "movement":
            return Step(replace(state, phase=Moving(plot, buyer)), events)
        case "rumor":
            return Step(replace(state, phase=Rumor(plot, buyer)), events)


def _take_token(state: State, buyer: int, plot: int, token: Token) -> State:
    return replace(
        state,
        tokens=swap(state.tokens, plot - 1, None),
        held=swap(state.held, buyer, (*state.held[buyer], token)),
    )


def _take_tips(state: State, buyer: int, tips: int) -> State:
    """Give the tips to the buyer; with none there the saloon was dry."""
    if not tips:
        return replace(state, dry=swap(state.dry, buyer, value=True))
    return replace(
        state,
        cash=swap(state.cash, buyer, state.cash[buyer] + tips),
        saloon=state.saloon - tips,
    )


# Movement token


def moving_legal(state: State, phase: Moving, seat: int) -> tuple[Action, ...]:
    """Give every space of either vehicle, its own included."""
    if seat != phase.buyer:
        return ()
    return tuple(
        Activate(vehicle, space.name)
        for vehicle in VEHICLES
        for space in state.board.spaces(vehicle)
    )


def activate(state: State, seat: int, vehicle: Vehicle, space: str) -> Step:
    """Move a vehicle any distance or none; every plot on its space pays its owner $1000."""
    phase = state.phase
    if not isinstance(phase, Moving) or phase.buyer != seat:
        raise NotYourTurn(section="movement")
    touches = {s.name: s.touches for s in state.board.spaces(vehicle)}.get(space)
    if touches is None:
        raise IllegalAction("no_such_space", section="movement", space=space)
    if vehicle == "boat":
        state = replace(state, boat=space)
    else:
        state = replace(state, locomotive=space)
    events: tuple[Event, ...] = (VehicleActivated(seat, vehicle, space),)
    owners = [state.owners[number - 1] for number in touches]
    for owner in state.clockwise_from(seat):
        if owner in owners:
            amount = VEHICLE_PAY * owners.count(owner)
            state, paid = _pay_from_bank(state, owner, amount, vehicle)
            events = (*events, paid)
    return _turn_card(state, seat, phase.plot, events)


def _pay_from_bank(
    state: State, seat: int, amount: int, why: Literal["boat", "locomotive", "mine", "ranch"]
) -> tuple[State, BankPaid]:
    """Pay a seat. Ruling: an empty bank pays what it has; the rest is named as owed."""
    paid = min(amount, state.bank)
    state = replace(
        state, bank=state.bank - paid, cash=swap(state.cash, seat, state.cash[seat] + paid)
    )
    return state, BankPaid(seat, paid, amount - paid, why)


# Rumor token


def cards_to_look_at(state: State, seat: int) -> tuple[str, ...]:
    """Name the face-down cards: opponents' secret objectives, mines, the ranch."""
    secrets = [
        f"secret:{other}:{index}"
        for other in state.clockwise_from(seat)[1:]
        for index in range(len(state.secrets[other]))
    ]
    land = [
        "ranch" if state.board.plots[number - 1].ranch else f"mine:{number}"
        for number, amount in enumerate(state.cards, 1)
        if amount is not None
    ]
    return (*secrets, *land)


def rumor_legal(state: State, phase: Rumor, seat: int) -> tuple[Action, ...]:
    """Give the cards to look at, or the card in hand to put back."""
    if seat != phase.buyer:
        return ()
    if phase.card is not None:
        return (PutBack(),)
    return (*[Look(card) for card in cards_to_look_at(state, seat)], SkipLook())


def look(state: State, seat: int, card: str) -> Step:
    """Take one face-down card in hand."""
    phase = _rumor_of(state, seat)
    if phase.card is not None or card not in cards_to_look_at(state, seat):
        raise IllegalAction("no_such_card", section="rumor", card=card)
    return Step(
        replace(state, phase=replace(phase, card=card)), (CardLooked(seat, card),), reveals=True
    )


def put_back(state: State, seat: int, *, skip: bool) -> Step:
    """End the look, or go without one."""
    phase = _rumor_of(state, seat)
    if skip != (phase.card is None):
        raise IllegalAction("no_such_card", section="rumor", card=phase.card or "")
    return _turn_card(state, seat, phase.plot, ())


def _rumor_of(state: State, seat: int) -> Rumor:
    phase = state.phase
    if not isinstance(phase, Rumor) or phase.buyer != seat:
        raise NotYourTurn(section="rumor")
    return phase


# Mine or ranch card, then the star


def _turn_card(state: State, buyer: int, plot: int, events: tuple[Event, ...]) -> Step:
    """Reveal the plot's card and pay it from the bank; the buyer takes the star."""
    amount = state.cards[plot - 1]
    if amount is not None:
        kind: Literal["mine", "ranch"] = "ranch" if state.board.plots[plot - 1].ranch else "mine"
        state = replace(state, cards=swap(state.cards, plot - 1, None))
        state, paid = _pay_from_bank(state, buyer, amount, kind)
        events = (*events, CardRevealed(buyer, plot, kind, amount), paid)
    state = replace(state, phase=Between(), star=buyer, fortunes=(*state.fortunes, state.cash))
    if state.rules.claims == "automatic":
        state, claimed = objectives.claim_all(state, buyer)
        events = (*events, *claimed)
    return Step(state, events, reveals=amount is not None)

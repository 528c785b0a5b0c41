"""Buying a plot: pay the others, take hat and bonus token, turn the card, take the star."""

from __future__ import annotations

from typing import Any, Final, Literal

from referee.errors import IllegalAction, NotYourTurn
from referee.games.base import Facts, Step
from referee.games.once import once

from . import objectives
from .actions import TURNS, Action, Activate, Look, PutBack, SkipLook, TakeToken
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
from .facts import YES, learn
from .lands import possible_spaces
from .model import (
    FORCED_PRICE,
    MOST_ON_A_CARD,
    NOTE,
    SECRETS_EACH,
    TOKENS,
    VEHICLE_PAY,
    VEHICLES,
    Between,
    Board,
    Component,
    How,
    Moving,
    Phase,
    Rumor,
    Sale,
    Space,
    State,
    Taking,
    Token,
    Turning,
    Vehicle,
    replace,
    swap,
)

PHASES: Final = (Taking, Moving, Rumor, Turning)
"""What a purchase leads through: its plot's card is turned last."""


def nobody_bid(state: State, plot: int, events: tuple[Event, ...]) -> Step:
    """Make the star's holder buy for $1000, or take it for nothing with less than that.

    Which of the two it was tells something of their cash. Ruling: of real notes the referee knows
    nothing, so the purchase is recorded; a free one the table sets right.
    """
    is_broke = state.cash[state.star] < FORCED_PRICE and not state.rules.from_box("money")
    if is_broke:
        step = buy(state, state.star, plot, 0, "free", events)
    else:
        step = buy(state, state.star, plot, FORCED_PRICE, "forced", events)
    return replace(step, reveals=True)


def buy(
    state: State,
    buyer: int,
    plot: int,
    price: int,
    how: How,
    events: tuple[Event, ...],
    *,
    token: Token | None = None,
) -> Step:
    """Divide the price over all other players in whole notes, the rest is a tip; take the plot.

    The fresh tip stays in the saloon: a saloon token takes only what lay there before. `token` is
    the real one that lay on the plot, if that was told already.
    """
    others = state.seats - 1
    share = price // others // NOTE * NOTE
    tip = price - share * others
    cash = [amount + share for amount in state.cash]
    # Set anew, not added to: the line above gave the buyer a share as well.
    cash[buyer] = state.cash[buyer] - price
    state = replace(
        state,
        cash=tuple(cash),
        saloon=state.saloon + tip,
        owners=swap(state.owners, plot - 1, buyer),
        last_buyer=buyer,
        sales=(*state.sales, Sale(plot, buyer, price, share, tip, how)),
    )
    events = (*events, PlotBought(buyer, plot, price, share, tip, how))
    token = token or state.tokens[plot - 1]
    # A hand takes the real one up; which it was is told in a moment.
    if token is None and state.rules.from_box("bonus_tokens"):
        return Step(replace(state, phase=Taking(plot, buyer)), events)
    if token is None:
        return turn_card(state, buyer, plot, events)
    return _use_token(state, buyer, plot, token, events)


def taking_legal(phase: Taking, seat: int) -> tuple[Action, ...]:
    """Give the kinds of bonus tokens, to say which one was taken."""
    return tuple(map(TakeToken, TOKENS)) if seat == phase.buyer else ()


def take_token(state: State, seat: int, token: Token) -> Step:
    """Take in which real bonus token lay on the plot; its effect comes at once."""
    phase = state.phase
    if not isinstance(phase, Taking) or phase.buyer != seat:
        raise NotYourTurn(section="purchase")
    return _use_token(state, seat, phase.plot, token, ())


def _use_token(
    state: State,
    buyer: int,
    plot: int,
    token: Token,
    events: tuple[Event, ...],
) -> Step:
    # The token is held before it takes effect: four alike may be met by this very one.
    state = _note(_take_token(state, buyer, plot, token), token=token)
    events = (*events, TokenTaken(buyer, token))
    match token:
        case "saloon":
            # All but the tip of this purchase, by what lies there now: hands may have moved notes.
            older_tips = max(0, state.saloon - state.sales[-1].tip)
            state = _note(_take_tips(state, buyer, older_tips), tips=older_tips)
            return turn_card(state, buyer, plot, (*events, TipsTaken(buyer, older_tips)))
        case "movement":
            return Step(replace(state, phase=Moving(plot, buyer)), events)
        case "rumor":
            return Step(replace(state, phase=Rumor(plot, buyer)), events)


def _note(state: State, **known: Any) -> State:
    """Write down what came of the purchase under way."""
    return replace(state, sales=(*state.sales[:-1], replace(state.sales[-1], **known)))


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


def stops(board: Board, vehicle: Vehicle) -> tuple[Space, ...]:
    """Give the spaces a vehicle may stand on: the known ones, else all that there can be."""
    if vehicle in board.all_stops:
        return board.spaces(vehicle)
    return possible_spaces(board.beside(vehicle))


def moving_legal(state: State, phase: Moving, seat: int) -> tuple[Action, ...]:
    """Give every space of either vehicle, its own included."""
    return _moves(state.board) if seat == phase.buyer else ()


@once
def _moves(board: Board) -> tuple[Action, ...]:
    return tuple(
        [Activate(vehicle, space.name) for vehicle in VEHICLES for space in stops(board, vehicle)]
    )


def activate(state: State, seat: int, vehicle: Vehicle, space: str) -> Step:
    """Move a vehicle any distance or none; every plot on its space pays its owner $1000.

    A space told for the first time is learnt.
    """
    phase = state.phase
    if not isinstance(phase, Moving) or phase.buyer != seat:
        raise NotYourTurn(section="movement")
    touches = {s.name: s.touches for s in stops(state.board, vehicle)}.get(space)
    if touches is None:
        raise IllegalAction("no_such_space", section="movement", space=space)
    facts: Facts = ()
    if touches not in [s.touches for s in state.board.spaces(vehicle)]:
        facts = ((f"{vehicle}:{space}", YES),)
        state = replace(state, board=learn(state.board, facts))
    if vehicle == "boat":
        state = replace(state, boat=space)
    else:
        state = replace(state, locomotive=space)
    events: tuple[Event, ...] = (VehicleActivated(seat, vehicle, space),)
    # The plot just bought is among them: its hat is on the board before the vehicle moves.
    owners = [state.owners[number - 1] for number in touches]
    rides: tuple[tuple[int, int], ...] = ()
    # In this order the bank pays, which matters where it holds less than it owes.
    for owner in state.clockwise_from(seat):
        if owner in owners:
            amount = VEHICLE_PAY * owners.count(owner)
            state, paid = _pay_from_bank(state, owner, amount, vehicle)
            events = (*events, paid)
            rides = (*rides, (owner, paid.amount))
    step = turn_card(_note(state, rides=rides), seat, phase.plot, events)
    return replace(step, learnt=(*facts, *step.learnt))


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
        for index in range(SECRETS_EACH)
    ]
    return (*secrets, *_land_cards(state))


def unturned(phase: Phase) -> int | None:
    """Give the plot just bought: its card is turned last."""
    return phase.plot if isinstance(phase, PHASES) else None


def lies_there(state: State, plot: int, just_bought: int | None) -> bool:
    """Say whether a mine or ranch card lies face down on a plot, as far as that is known.

    `just_bought` is the plot whose card is still to be turned.
    """
    kind = state.board.kind_of_card(plot)
    if state.rules.from_box("land_cards"):
        return kind is not None and (state.owners[plot - 1] is None or plot == just_bought)
    if kind == "ranch":
        return state.ranch_card is not None
    return state.cards[plot - 1] is not None


def _land_cards(state: State) -> tuple[str, ...]:
    """Name the mine and ranch cards that still lie on the board."""
    just = unturned(state.phase)
    mines = [
        f"mine:{plot.number}"
        for plot in state.board.plots
        if plot.mine and lies_there(state, plot.number, just)
    ]
    ranch = state.board.lands.ranch
    is_there = state.ranch_card is not None if ranch is None else lies_there(state, ranch, just)
    # Nobody knows which plot it lies on, so nobody can say that it was turned.
    if ranch is None and state.rules.from_box("land_cards"):
        is_there = True
    return (*mines, "ranch") if is_there else tuple(mines)


def is_real(state: State, card: str) -> bool:
    """Say whether a card lies on the real table, so that the app cannot show it."""
    kind: Component = "secret_objectives" if card.startswith("secret") else "land_cards"
    return state.rules.from_box(kind)


def rumor_legal(state: State, phase: Rumor, seat: int) -> tuple[Action, ...]:
    """Give the cards to look at, or the card in hand to put back."""
    if seat != phase.buyer:
        return ()
    if phase.card is not None:
        return (PutBack(),)
    return (*[Look(card) for card in cards_to_look_at(state, seat)], SkipLook())


def look(state: State, seat: int, card: str) -> Step:
    """Take one face-down card in hand; a real one is looked at by hand, which is all there is."""
    phase = _rumor_of(state, seat)
    if phase.card is not None or card not in cards_to_look_at(state, seat):
        raise IllegalAction("no_such_card", section="rumor", card=card)
    events = (CardLooked(seat, card),)
    if is_real(state, card):
        # Seen is seen: it is taken back only with everybody's consent.
        return replace(turn_card(state, seat, phase.plot, events), reveals=True)
    state = remembered(replace(state, phase=replace(phase, card=card)), seat, card)
    return Step(state, events, reveals=True)


def remembered(state: State, seat: int, card: str) -> State:
    """Write down which card a seat was shown: it may look it up again as long as it lies there."""
    looked = (*(each for each in state.looked if each != (seat, card)), (seat, card))
    return replace(state, looked=looked)


def put_back(state: State, seat: int, *, skip: bool) -> Step:
    """End the look, or go without one."""
    phase = _rumor_of(state, seat)
    if skip != (phase.card is None):
        raise IllegalAction("no_such_card", section="rumor", card=phase.card or "")
    return turn_card(state, seat, phase.plot, ())


def _rumor_of(state: State, seat: int) -> Rumor:
    phase = state.phase
    if not isinstance(phase, Rumor) or phase.buyer != seat:
        raise NotYourTurn(section="rumor")
    return phase


# Mine or ranch card, then the star


def turn_card(state: State, buyer: int, plot: int, events: tuple[Event, ...]) -> Step:
    """Reveal the plot's card and pay it from the bank; the buyer takes the star.

    Whether the plot is the ranch may have to be asked first, and a real card has to be told.
    """
    board = state.board
    kind = board.kind_of_card(plot)
    # Also with the app's cards: whether one is turned at all hangs on where the ranch is.
    is_open = plot in board.lands.maybe_ranch
    if is_open or (kind and state.rules.from_box("land_cards")):
        return Step(replace(state, phase=Turning(plot, buyer)), events)
    amount = state.ranch_card if kind == "ranch" else state.cards[plot - 1]
    if kind is None or amount is None:
        return _end_turn(state, buyer, events)
    if kind == "ranch":
        # What was turned lies there no longer: no rumor finds it.
        state = replace(state, ranch_card=None)
    else:
        state = replace(state, cards=swap(state.cards, plot - 1, None))
    return _pay_card(state, buyer, plot, amount, events)


def turning_legal(state: State, phase: Turning, seat: int) -> tuple[Action, ...]:
    """Give the amounts a real card can show."""
    is_known = phase.plot not in state.board.lands.maybe_ranch
    return TURNS if seat == phase.buyer and is_known else ()


def tell_card(state: State, seat: int, amount: int) -> Step:
    """Take in what the real card shows; it is learnt that the deck has such a card."""
    phase = state.phase
    if not isinstance(phase, Turning) or seat != phase.buyer:
        raise NotYourTurn(section="cards")
    # Mines and the ranch have decks of their own: which card it is hangs on where the ranch is.
    if phase.plot in state.board.lands.maybe_ranch:
        raise IllegalAction("question_open", section="cards")
    if amount % NOTE:
        raise IllegalAction("whole_notes", section="cards", amount=amount)
    if not 0 <= amount <= MOST_ON_A_CARD:
        raise IllegalAction("price_too_high", section="cards", most=MOST_ON_A_CARD)
    kind = state.board.kind_of_card(phase.plot)
    if kind is None or not state.rules.from_box("land_cards"):
        raise IllegalAction("no_such_card", section="cards", card=str(phase.plot))
    facts: Facts = ((f"{kind}_card:{amount}", YES),)
    known = state.board.seen_ranches if kind == "ranch" else state.board.seen_mines
    # Only what is new: what is learnt outlives an undo and is kept with the board.
    facts = () if amount in known else facts
    state = replace(state, board=learn(state.board, facts))
    step = _pay_card(state, seat, phase.plot, amount, ())
    return replace(step, learnt=(*facts, *step.learnt))


def _pay_card(state: State, buyer: int, plot: int, amount: int, events: tuple[Event, ...]) -> Step:
    kind: Literal["mine", "ranch"] = "mine" if state.board.plots[plot - 1].mine else "ranch"
    state, paid = _pay_from_bank(state, buyer, amount, kind)
    events = (*events, CardRevealed(buyer, plot, kind, amount), paid)
    return replace(_end_turn(_note(state, card=paid.amount), buyer, events), reveals=True)


def _end_turn(state: State, buyer: int, events: tuple[Event, ...]) -> Step:
    """Give the star to the buyer; with `automatic` claims pay what the buyer meets."""
    # Everybody's cash by turn: as secret as the purses, `view` gives it out at the end alone.
    state = replace(state, phase=Between(), star=buyer, fortunes=(*state.fortunes, state.cash))
    if state.rules.claims == "automatic":
        state, claimed = objectives.claim_all(state, buyer)
        events = (*events, *claimed)
    return Step(state, events)

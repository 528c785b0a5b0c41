"""Setting the referee right: what the real board shows is true."""

from __future__ import annotations

from referee.errors import IllegalAction, RuleViolation
from referee.games.base import Step

from . import answers, auction, objectives, purchase
from .actions import Correction, Sold, Transfer
from .events import Corrected, Event, NowMet, SaleChanged, TokensAstray, Undermined
from .facts import corrected
from .model import (
    AUCTIONS,
    NOTE,
    NOTES,
    PLOTS,
    VEHICLES,
    Claiming,
    Counting,
    Moving,
    Rumor,
    Sale,
    State,
    Taking,
    Turning,
    replace,
    swap,
)


def correct(state: State, correction: Correction) -> Step:
    """Make the state what the correction says. Notes only change place, so none is lost.

    Ruling: notes that change place during an auction begin it anew, for a bid may no longer be
    payable, and nobody shall learn whether it is.
    """
    _check(state, correction)
    before = state
    events: tuple[Event, ...] = (Corrected(correction),)
    # Sales first: they move notes, hats and tokens, which the other lines then set as they lie.
    for sold in correction.sales:
        state, changed = _sell_again(state, sold)
        events = (*events, changed)
    for transfer in correction.transfers:
        state = _move_notes(state, transfer)
    for owned in correction.owners:
        state = replace(state, owners=swap(state.owners, owned.plot - 1, owned.seat))
    for holding in correction.held:
        others = tuple(t for t in state.held[holding.seat] if t != holding.token)
        tokens = others + (holding.token,) * holding.count
        state = replace(state, held=swap(state.held, holding.seat, tokens))
    state = replace(
        state,
        star=state.star if correction.star is None else correction.star,
        boat=correction.boat or state.boat,
        locomotive=correction.locomotive or state.locomotive,
    )
    state = replace(state, board=corrected(state.board, correction.facts))
    phase = state.phase
    # Always anew, even if every bid could still be paid: else the exception would tell.
    if (correction.transfers or correction.sales) and isinstance(phase, AUCTIONS):
        state = replace(state, phase=auction.begin(state, phase.plot))
    events = (*events, *_what_changes(before, state), *_astray(before, state))
    if isinstance(phase, Turning | Claiming | Counting):
        return answers.go_on(state, events, correction.facts)
    return Step(state, events, learnt=correction.facts)


def _sell_again(state: State, sold: Sold) -> tuple[State, SaleChanged]:
    """Turn a purchase back and make it as it really was.

    Price and shares, the hat, the bonus token, the tips and the card's money go to who really
    bought. What a vehicle paid stays: the table knows whether it would have gone elsewhere.
    """
    index = next(i for i, sale in enumerate(state.sales) if sale.plot == sold.plot)
    old = state.sales[index]
    share = sold.price // (state.seats - 1) // NOTE * NOTE
    tip = sold.price - share * (state.seats - 1)
    new = replace(old, buyer=sold.buyer, price=sold.price, share=share, tip=tip)
    cash = list(state.cash)
    for sale, sign in ((old, -1), (new, 1)):
        for seat in range(state.seats):
            gain = sale.tips + (sale.card or 0) - sale.price if seat == sale.buyer else sale.share
            cash[seat] += sign * gain
    state = _with_notes(state, cash, state.saloon + tip - old.tip)
    sales = (*state.sales[:index], new, *state.sales[index + 1 :])
    state = replace(state, sales=sales, owners=swap(state.owners, sold.plot - 1, sold.buyer))
    if old.token is not None and old.buyer != new.buyer:
        state = _hand_over(state, old, new.buyer)
    if index == len(sales) - 1:
        state = _newest_goes_to(state, new)
    return state, SaleChanged(old.plot, old.buyer, old.price)


def _newest_goes_to(state: State, sale: Sale) -> State:
    """Let who really bought go on with the purchase under way, or hold the star after it."""
    phase = state.phase
    state = replace(state, last_buyer=sale.buyer)
    if isinstance(phase, Rumor) and phase.plot == sale.plot and phase.buyer != sale.buyer:
        # What another one looked at stays with whoever looked.
        return replace(state, phase=Rumor(sale.plot, sale.buyer))
    if isinstance(phase, Taking | Moving | Rumor | Turning) and phase.plot == sale.plot:
        return replace(state, phase=replace(phase, buyer=sale.buyer))
    return replace(state, star=sale.buyer)


def _with_notes(state: State, cash: list[int], saloon: int) -> State:
    """Set cash and saloon. Ruling: whoever would lack notes by it is in debt, and alone knows.

    Were it made good, what all players hold together would tell that a purse was empty.
    """
    saloon = max(0, saloon)
    piles = sum(pile.amount for pile in state.piles)
    bank = NOTES * NOTE - sum(cash) - saloon - piles
    return replace(state, cash=tuple(cash), saloon=saloon, bank=bank)


def _hand_over(state: State, old: Sale, buyer: int) -> State:
    tokens = list(state.held[old.buyer])
    if old.token not in tokens:
        return state
    tokens.remove(old.token)
    held = swap(state.held, old.buyer, tuple(tokens))
    held = swap(held, buyer, (*held[buyer], old.token))
    if old.was_dry:
        rest = [s for s in state.sales if s.buyer == old.buyer and s.plot != old.plot]
        still_dry = any(sale.was_dry for sale in rest)
        dry = swap(swap(state.dry, old.buyer, still_dry), buyer, value=True)
        state = replace(state, dry=dry)
    return replace(state, held=held)


def _astray(before: State, after: State) -> tuple[Event, ...]:
    """Name bonus tokens that stop adding up: all of them lie openly, so everybody can count."""
    counted = tokens_seen(after)
    return () if counted in {PLOTS, tokens_seen(before)} else (TokensAstray(counted, PLOTS),)


def tokens_seen(state: State) -> int:
    """Count the bonus tokens on the board and before the seats."""
    on_board = (
        state.owners.count(None) + isinstance(state.phase, Taking)
        if state.rules.from_box("bonus_tokens")
        else len([token for token in state.tokens if token])
    )
    return on_board + sum(map(len, state.held))


def _what_changes(before: State, after: State) -> tuple[Event, ...]:
    """Name the claims that were paid for nothing by what is known now, and those now open."""
    lost = [
        Undermined(claim.seat, claim.objective, claim.amount)
        for claim in after.claimed
        if claim.objective in objectives.ON_THE_BOARD
        and objectives.judged(after, claim.seat, {*claim.plots}, claim.objective) is False
        and objectives.judged(before, claim.seat, {*claim.plots}, claim.objective) is not False
    ]
    won = [
        NowMet(seat, pile.objective)
        for pile in after.piles
        for seat in range(after.seats)
        if after.rules.claims != "players"
        and objectives.verdict(after, seat, pile.objective)
        and not objectives.verdict(before, seat, pile.objective)
    ]
    return (*lost, *won)


def _check(state: State, correction: Correction) -> None:
    """Refuse what cannot be on any table: unknown seats, plots, spaces or part notes."""
    seats = {
        *(h.seat for h in correction.held),
        *(o.seat for o in correction.owners if o.seat is not None),
        *(p for t in correction.transfers for p in (t.source, t.target) if isinstance(p, int)),
        *(() if correction.star is None else (correction.star,)),
        *(sold.buyer for sold in correction.sales),
    }
    if not seats <= {*range(state.seats)}:
        raise IllegalAction("no_such_seat", section="corrections")
    if any(not 1 <= owned.plot <= PLOTS for owned in correction.owners):
        raise IllegalAction("no_such_plot", section="corrections")
    if any(not 0 <= holding.count <= PLOTS for holding in correction.held):
        raise IllegalAction("no_such_count", section="corrections")
    for place in ("bank", "saloon"):
        there = _held(state, place)
        if not state.rules.from_box("money") and _leaving(correction, place) > there:
            raise IllegalAction("not_that_much", section="corrections", amount=there)
    for transfer in correction.transfers:
        if transfer.amount <= 0 or transfer.amount % NOTE:
            raise IllegalAction("whole_notes", section="corrections", amount=transfer.amount)
        if {*_named(transfer)} - {"bank", "saloon"} or transfer.source == transfer.target:
            raise IllegalAction("no_such_place", section="corrections")
    for sold in correction.sales:
        if sold.plot not in {sale.plot for sale in state.sales}:
            raise IllegalAction("no_such_plot", section="corrections")
        if sold.price < 0 or sold.price % NOTE:
            raise IllegalAction("whole_notes", section="corrections", amount=sold.price)
        old = next(sale.price for sale in state.sales if sale.plot == sold.plot)
        most = min(NOTES * NOTE, auction.highest_price(state) + old)
        if sold.price > most:
            raise IllegalAction("price_too_high", section="corrections", most=most)
    for vehicle in VEHICLES:
        space = getattr(correction, vehicle)
        if space and space not in {s.name for s in purchase.stops(state.board, vehicle)}:
            raise IllegalAction("no_such_space", section="corrections", space=space)


def _named(transfer: Transfer) -> tuple[str, ...]:
    return tuple(p for p in (transfer.source, transfer.target) if isinstance(p, str))


def owners(state: State, correction: Correction) -> dict[int, RuleViolation | None]:
    """Name whose purse notes leave; that it holds less is for its owner alone to know.

    Of real notes the referee keeps no secret: what the ledger says of them all can work out.
    """
    if state.rules.from_box("money"):
        return {}
    sources = {t.source for t in correction.transfers if isinstance(t.source, int)}
    seats = sorted(sources & {*range(state.seats)})
    return {seat: _lack(state, correction, seat) for seat in seats}


def _lack(state: State, correction: Correction, seat: int) -> RuleViolation | None:
    if _leaving(correction, seat) <= state.cash[seat]:
        return None
    return IllegalAction("purse_holds_less", section="corrections", most=state.cash[seat])


def _leaving(correction: Correction, place: int | str) -> int:
    return sum(t.amount for t in correction.transfers if t.source == place)


def _move_notes(state: State, transfer: Transfer) -> State:
    state = _add(state, transfer.source, -transfer.amount)
    return _add(state, transfer.target, transfer.amount)


def _held(state: State, place: int | str) -> int:
    if isinstance(place, int):
        return state.cash[place]
    return state.bank if place == "bank" else state.saloon


def _add(state: State, place: int | str, amount: int) -> State:
    if isinstance(place, int):
        return replace(state, cash=swap(state.cash, place, state.cash[place] + amount))
    if place == "bank":
        return replace(state, bank=state.bank + amount)
    return replace(state, saloon=state.saloon + amount)

"""Setting the referee right: what the real board shows is true."""

from __future__ import annotations

from referee.errors import IllegalAction, RuleViolation
from referee.games.base import Step

from . import answers, auction, objectives, purchase
from .actions import Correction, Transfer
from .events import AuctionAnew, Corrected, Event, NowMet, TokensAstray, Undermined
from .facts import corrected
from .model import (
    AUCTIONS,
    NOTE,
    PLOTS,
    VEHICLES,
    Claimed,
    Claiming,
    Counting,
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
    for transfer in correction.transfers:
        state = _move_notes(state, transfer)
    for owned in correction.owners:
        state = replace(state, owners=swap(state.owners, owned.plot - 1, owned.seat))
    for holding in correction.held:
        # By number and not one by one: sent twice it is still what lies there.
        others = tuple(t for t in state.held[holding.seat] if t != holding.token)
        tokens = others + (holding.token,) * holding.count
        state = replace(state, held=swap(state.held, holding.seat, tokens))
    state = replace(
        state,
        star=state.star if correction.star is None else correction.star,
        boat=correction.boat or state.boat,
        locomotive=correction.locomotive or state.locomotive,
    )
    state = replace(
        _with_records(state, correction), board=corrected(state.board, correction.facts)
    )
    phase = state.phase
    events = (*events, *_what_changes(before, state), *_astray(before, state))
    # Always anew, even if every bid could still be paid: else the exception would tell.
    if (correction.transfers or before.star != state.star) and isinstance(phase, AUCTIONS):
        state = replace(state, phase=auction.begin(state, phase.plot))
        events = (*events, AuctionAnew(phase.plot))
    # These wait for the board, and a correction may have told what they wait for.
    if isinstance(phase, Turning | Claiming | Counting):
        return answers.go_on(state, events, correction.facts)
    return Step(state, events, learnt=correction.facts)


def _with_records(state: State, correction: Correction) -> State:
    """Set what lies there as what rules go by: cards on piles, duel tokens, who found it dry."""
    lying = {card.amount: card.objective for card in correction.piles}
    piles = tuple(replace(p, objective=lying.get(p.amount, p.objective)) for p in state.piles)
    state = replace(state, piles=piles)
    for token in correction.duel_tokens:
        state = replace(state, duel_tokens=swap(state.duel_tokens, token.seat, token.has))
    for dry in correction.dry:
        state = replace(state, dry=swap(state.dry, dry.seat, dry.has))
    return state


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


def _had(before: State, after: State, claim: Claimed) -> set[int]:
    """Give the plots somebody had for a claim, without those that turn out to be another's."""
    return {n for n in claim.plots if before.owners[n - 1] == after.owners[n - 1]}


def _what_changes(before: State, after: State) -> tuple[Event, ...]:
    """Name the claims that were paid for nothing by what is known now, and those now open."""
    lost = [
        Undermined(claim.seat, claim.objective, claim.amount)
        for claim in after.claimed
        # Who bought last is history: no hat that is moved now undoes it.
        if claim.objective != "last_auction"
        and objectives.judged(after, claim.seat, _had(before, after, claim), claim.objective)
        is False
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
        *(each.seat for each in (*correction.duel_tokens, *correction.dry)),
    }
    if not seats <= {*range(state.seats)}:
        raise IllegalAction("no_such_seat", section="corrections")
    if any(not 1 <= owned.plot <= PLOTS for owned in correction.owners):
        raise IllegalAction("no_such_plot", section="corrections")
    if any(not 0 <= holding.count <= PLOTS for holding in correction.held):
        raise IllegalAction("no_such_count", section="corrections")
    for place in ("bank", "saloon"):
        # Of real notes the referee's count may be off, and hands have moved what was there.
        there = _held(state, place)
        if not state.rules.from_box("money") and _leaving(correction, place) > there:
            raise IllegalAction("not_that_much", section="corrections", amount=there)
    for transfer in correction.transfers:
        if transfer.amount <= 0 or transfer.amount % NOTE:
            raise IllegalAction("whole_notes", section="corrections", amount=transfer.amount)
        if {*_named(transfer)} - {"bank", "saloon"} or transfer.source == transfer.target:
            raise IllegalAction("no_such_place", section="corrections")
    _check_piles(state, correction)
    for vehicle in VEHICLES:
        space = getattr(correction, vehicle)
        if space and space not in {s.name for s in purchase.stops(state.board, vehicle)}:
            raise IllegalAction("no_such_space", section="corrections", space=space)


def _check_piles(state: State, correction: Correction) -> None:
    """Refuse a pile that is not there, and a card that lies, or lay, on another one."""
    # A pile is known by its notes, which no two share.
    lying = {pile.amount: pile.objective for pile in state.piles}
    for card in correction.piles:
        if card.amount not in lying:
            raise IllegalAction("objective_gone", section="corrections")
        lying[card.amount] = card.objective
    there = [*lying.values(), *(claim.objective for claim in state.claimed)]
    if len({*there}) < len(there):
        raise IllegalAction("objective_gone", section="corrections")


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

"""Setting the referee right: what the real board shows is true."""

from __future__ import annotations

from referee.errors import IllegalAction
from referee.games.base import Step

from . import auction
from .actions import Correction, Transfer
from .events import Corrected
from .model import AUCTIONS, NOTE, PLOTS, VEHICLES, State, replace, swap


def correct(state: State, correction: Correction) -> Step:
    """Make the state what the correction says. Notes only change place, so none is lost.

    Ruling: notes that change place during an auction begin it anew, for a bid may no longer be
    payable, and nobody shall learn whether it is.
    """
    _check(state, correction)
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
    phase = state.phase
    if correction.transfers and isinstance(phase, AUCTIONS):
        state = replace(state, phase=auction.begin(state, phase.plot))
    return Step(state, (Corrected(correction),))


def _check(state: State, correction: Correction) -> None:
    """Refuse what cannot be on any table: unknown seats, plots, spaces or part notes."""
    seats = {
        *(h.seat for h in correction.held),
        *(o.seat for o in correction.owners if o.seat is not None),
        *(p for t in correction.transfers for p in (t.source, t.target) if isinstance(p, int)),
        *(() if correction.star is None else (correction.star,)),
    }
    if not seats <= {*range(state.seats)}:
        raise IllegalAction("no_such_seat", section="corrections")
    if any(not 1 <= owned.plot <= PLOTS for owned in correction.owners):
        raise IllegalAction("no_such_plot", section="corrections")
    if any(not 0 <= holding.count <= PLOTS for holding in correction.held):
        raise IllegalAction("no_such_count", section="corrections")
    for transfer in correction.transfers:
        if transfer.amount <= 0 or transfer.amount % NOTE:
            raise IllegalAction("whole_notes", section="corrections", amount=transfer.amount)
        if {*_named(transfer)} - {"bank", "saloon"} or transfer.source == transfer.target:
            raise IllegalAction("no_such_place", section="corrections")
    for vehicle in VEHICLES:
        space = getattr(correction, vehicle)
        if space and space not in {s.name for s in state.board.spaces(vehicle)}:
            raise IllegalAction("no_such_space", section="corrections", space=space)


def _named(transfer: Transfer) -> tuple[str, ...]:
    return tuple(p for p in (transfer.source, transfer.target) if isinstance(p, str))


def _move_notes(state: State, transfer: Transfer) -> State:
    amount = min(transfer.amount, _held(state, transfer.source))
    return _add(_add(state, transfer.source, -amount), transfer.target, amount)


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

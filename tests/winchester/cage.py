"""What Daddy Winchester hides, as canaries: purses, objectives, bids, cards that lie face down."""

from __future__ import annotations

from typing import Final

from referee.games.winchester.model import (
    Counting,
    Dealing,
    Ended,
    HandingIn,
    LastTwo,
    ProxyAuction,
    SealedAuction,
    State,
    replace,
)
from tests.canaries import Cage

SECRET: Final = frozenset({"submit_bid", "submit_ceiling", "enter_secrets", "count_cash"})
"""What is done in secret."""


def cage(state: State) -> tuple[State, Cage]:
    """Make every secret a canary, of which whoever a rumor showed a card hears as well."""
    made = Cage()
    if isinstance(state.phase, Dealing | Counting | Ended):
        return state, made
    state = _with_cards(state, made)
    if not state.rules.from_box("money"):
        cash = tuple(made.money((seat,)) for seat in range(state.seats))
        past = tuple(tuple(made.money((s,)) for s in range(state.seats)) for _ in state.fortunes)
        state = replace(state, cash=cash, fortunes=past)
    return _with_bids(state, made), made


def _with_cards(state: State, made: Cage) -> State:
    def keepers(card: str, *owner: int) -> tuple[int, ...]:
        return (*owner, *(looker for looker, shown in state.looked if shown == card))

    secrets = tuple(
        tuple(
            made.word(card, keepers(f"secret:{seat}:{index}", seat))
            for index, card in enumerate(cards)
        )
        for seat, cards in enumerate(state.secrets)
    )
    cards = tuple(
        None if amount is None else made.money(keepers(f"mine:{plot}"))
        for plot, amount in enumerate(state.cards, 1)
    )
    ranch = None if state.ranch_card is None else made.money(keepers("ranch"))
    return replace(state, secrets=secrets, cards=cards, ranch_card=ranch)


def _with_bids(state: State, made: Cage) -> State:
    def told(amounts: tuple[int | None, ...]) -> tuple[int | None, ...]:
        return tuple(
            None if amount is None else made.money((seat,)) for seat, amount in enumerate(amounts)
        )

    match state.phase:
        case SealedAuction(bids=bids) as phase:
            return replace(state, phase=replace(phase, bids=told(bids)))
        case ProxyAuction(ceilings=ceilings) as phase:
            return replace(state, phase=replace(phase, ceilings=told(ceilings)))
        case HandingIn(counts=counts) as phase:
            return replace(state, phase=replace(phase, counts=told(counts)))
        case LastTwo() as phase:
            return replace(state, phase=replace(phase, price=made.money(())))
        case _:
            return state

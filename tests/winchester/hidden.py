"""What Daddy Winchester hides: states that one viewer cannot tell apart."""

from __future__ import annotations

import random

from referee.games.winchester.model import (
    NOTE,
    PLOTS,
    SECRET_OBJECTIVES,
    Counting,
    Dealing,
    Ended,
    HandingIn,
    LastTwo,
    OpenAuction,
    ProxyAuction,
    SealedAuction,
    SecretObjective,
    State,
    replace,
)


def shuffle(state: State, viewer: int | None, rng: random.Random) -> State:
    """Change others' cash, objectives and sealed bids, and the cards that lie face down.

    Cash keeps its sum and covers bids that stand; a card that the viewer was shown stays as it is.
    """
    phase = state.phase
    if isinstance(phase, Dealing | Counting | Ended):
        return state
    others = [seat for seat in range(state.seats) if seat != viewer]
    shown = frozenset(card for looker, card in state.looked if looker == viewer)
    is_real = state.rules.from_box("money")
    # Of real notes the referee knows only what all can count along; what one may bid is anything.
    cash = state.cash if is_real else _deal_notes(state, others, rng)
    purses = (40 * NOTE,) * state.seats if is_real else cash
    state = replace(
        state,
        cash=cash,
        secrets=_other_objectives(state, others, shown, rng),
        cards=_other_cards(state, shown, rng),
        ranch_card=_other_ranch_card(state, shown, rng),
        fortunes=tuple(tuple(rng.sample(past, len(past))) for past in state.fortunes),
    )
    if isinstance(phase, SealedAuction):
        bids = list(phase.bids)
        for seat in others:
            if bids[seat] is not None:
                bids[seat] = rng.randrange(phase.floor, max(purses[seat], phase.floor) + NOTE, NOTE)
        state = replace(state, phase=replace(phase, bids=tuple(bids)))
    if isinstance(phase, ProxyAuction):
        ceilings = [
            rng.randrange(0, purses[seat] + NOTE, NOTE)
            if seat in others and handed_in is not None
            else handed_in
            for seat, handed_in in enumerate(phase.ceilings)
        ]
        state = replace(state, phase=replace(phase, ceilings=tuple(ceilings)))
    if isinstance(phase, HandingIn):
        counts = [
            rng.randrange(0, 40 * NOTE, NOTE) if seat in others and told is not None else told
            for seat, told in enumerate(phase.counts)
        ]
        state = replace(state, phase=replace(phase, counts=tuple(counts)))
    if isinstance(phase, LastTwo):
        pair = rng.choice((phase.pair, phase.pair[::-1]))
        price = rng.randrange(NOTE, max(purses[pair[0]], NOTE) + NOTE, NOTE)
        is_own = viewer in phase.pair and state.rules.duel_shortfall == "must_afford"
        if not is_own:
            state = replace(state, phase=replace(phase, pair=pair, price=price))
    return state


def _deal_notes(state: State, others: list[int], rng: random.Random) -> tuple[int, ...]:
    """Deal the others' notes anew; whoever's bid stands can pay it."""
    cash = list(state.cash)
    least = dict.fromkeys(others, 0)
    match state.phase:
        case OpenAuction(_, _, standing, leader) if leader in least:
            least[leader] = standing
        case SealedAuction(_, bidders, _, floor):
            least.update({seat: floor for seat in bidders if seat in least})
        case LastTwo(_, (winner, _), price) if winner in least:
            least[winner] = price
        case _:
            pass
    spare = sum(cash[seat] - least[seat] for seat in others) // NOTE
    for seat in others:
        cash[seat] = least[seat]
    for _ in range(spare):
        cash[rng.choice(others)] += NOTE
    return tuple(cash)


def _other_objectives(
    state: State, others: list[int], shown: frozenset[str], rng: random.Random
) -> tuple[tuple[SecretObjective, ...], ...]:
    """Deal the others' objectives anew from all that the viewer does not hold and was not shown."""
    if state.rules.from_box("secret_objectives"):
        return _other_real_objectives(state, others, rng)
    places = [(seat, index) for seat in others for index in range(len(state.secrets[seat]))]
    unknown = [place for place in places if "secret:{}:{}".format(*place) not in shown]
    known = {
        card
        for seat, cards in enumerate(state.secrets)
        for index, card in enumerate(cards)
        if (seat, index) not in unknown
    }
    deck = [card for card in SECRET_OBJECTIVES if card not in known]
    drawn = dict(zip(unknown, rng.sample(deck, len(unknown)), strict=True))
    return tuple(
        tuple(drawn.get((seat, index), card) for index, card in enumerate(cards))
        for seat, cards in enumerate(state.secrets)
    )


def _other_real_objectives(
    state: State, others: list[int], rng: random.Random
) -> tuple[tuple[SecretObjective, ...], ...]:
    """Let the others have told other real objectives; before the end also none, or any at all."""
    is_end = isinstance(state.phase, HandingIn)
    told = list(state.secrets)
    for seat in others:
        has_told = bool(told[seat]) if is_end else rng.random() < 0.5
        pair = sorted(rng.sample(SECRET_OBJECTIVES, 2), key=SECRET_OBJECTIVES.index)
        told[seat] = tuple(pair) if has_told else ()
    return tuple(told)


def _other_ranch_card(state: State, shown: frozenset[str], rng: random.Random) -> int | None:
    if state.ranch_card is None or "ranch" in shown:
        return state.ranch_card
    return rng.choice(state.board.ranch_cards)


def _other_cards(state: State, shown: frozenset[str], rng: random.Random) -> tuple[int | None, ...]:
    """Turn every face-down mine card that was not shown into another of its deck."""
    cards = list(state.cards)
    for plot in range(1, PLOTS + 1):
        if cards[plot - 1] is not None and f"mine:{plot}" not in shown:
            cards[plot - 1] = rng.choice(state.board.mine_cards)
    return tuple(cards)

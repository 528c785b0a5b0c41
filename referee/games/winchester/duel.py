"""The duel: two are left, one throws a duel token, two cards decide who buys."""

from __future__ import annotations

from typing import Final

from referee.errors import IllegalAction, NotYourTurn
from referee.games.base import Need, Outcome, Pool, Step

from . import purchase
from .actions import Action, PickCard, Shuffle, WinDuel
from .events import CardsShuffled, DuelCalled, DuelDecided
from .model import Duel, LastTwo, OpenAuction, Phase, SealedAuction, State, replace, swap

CARDS: Final = (0, 1)


def armed(state: State, phase: OpenAuction | SealedAuction) -> tuple[int, ...]:
    """Name the two left who still have a duel token; who can pay is their secret."""
    pair = phase.pair
    if not pair:
        return ()
    # With a token, not with the money for it: this is public, and would tell of a purse.
    return tuple([seat for seat in pair if state.duel_tokens[seat]])


def may_call(state: State, phase: OpenAuction | SealedAuction, seat: int) -> bool:
    """Say whether this seat may call a duel now.

    Ruling (option `duel_shortfall`): with "must_afford" the caller must be able to pay.
    """
    if seat not in phase.pair or not state.duel_tokens[seat]:
        return False
    return may_afford(state, seat, phase.price)


def may_afford(state: State, seat: int, price: int) -> bool:
    """Say whether the purse does not forbid a call; of real notes only their owner knows."""
    is_open = state.rules.duel_shortfall == "pay_all" or state.rules.from_box("money")
    return is_open or state.cash[seat] >= price


def call(state: State, seat: int) -> Step:
    """Spend the token; the auction stops at once."""
    if isinstance(state.phase, LastTwo):
        return _call_of_last_two(state, state.phase, seat)
    phase = _auction(state.phase, seat)
    if not state.duel_tokens[seat]:
        raise IllegalAction("no_duel_token", section="duel")
    if not may_call(state, phase, seat):
        raise IllegalAction("duel_over_cash", section="duel", price=phase.price)
    return begin(state, Duel(phase.plot, phase.price, seat, _other(phase.pair, seat)))


def _call_of_last_two(state: State, phase: LastTwo, seat: int) -> Step:
    """Let one of a proxy auction's last two call; see `proxy.last_two_legal`."""
    if seat not in phase.asked:
        raise NotYourTurn("no_duel_now", section="duel")
    if not may_afford(state, seat, phase.price):
        raise IllegalAction("duel_over_cash", section="duel", price=phase.price)
    return begin(state, Duel(phase.plot, phase.price, seat, _other(phase.pair, seat)))


def begin(state: State, duel: Duel) -> Step:
    """Throw the caller's token away and stop the auction."""
    state = replace(
        state,
        phase=duel,
        duel_tokens=swap(state.duel_tokens, duel.caller, value=False),
        duels=state.duels + 1,
    )
    return Step(state, (DuelCalled(duel.caller, duel.called, duel.price),), reveals=True)


def _auction(phase: Phase, seat: int) -> OpenAuction | SealedAuction:
    if not isinstance(phase, OpenAuction | SealedAuction) or seat not in phase.pair:
        raise NotYourTurn("no_duel_now", section="duel")
    return phase


def _other(two: tuple[int, ...], seat: int) -> int:
    return two[1] if seat == two[0] else two[0]


def to_act(state: State, phase: Duel) -> frozenset[int]:
    """Name who shuffles (anyone outside the duel), then who has not picked a card.

    With the real cards anybody may tell who won.
    """
    if state.rules.from_box("duel_cards"):
        return frozenset(range(state.seats))
    if not phase.shuffled:
        return frozenset(range(state.seats)) - {*phase.pair}
    return frozenset(
        seat for seat, card in zip(phase.pair, phase.picks, strict=True) if card is None
    )


def is_anybodys(state: State, phase: Duel) -> bool:
    """Say whether several may do it and one is enough: who won is told, or the cards shuffled."""
    is_told = state.rules.from_box("duel_cards")
    return is_told or (not phase.shuffled and state.seats > len(phase.pair) + 1)


def legal(state: State, phase: Duel, seat: int) -> tuple[Action, ...]:
    """Give the shuffle, or the cards that still lie there."""
    if seat not in to_act(state, phase):
        return ()
    if state.rules.from_box("duel_cards"):
        return tuple(map(WinDuel, phase.pair))
    if not phase.shuffled:
        return (Shuffle(),)
    return tuple(PickCard(card) for card in CARDS if card not in phase.picks)


def shuffle(state: State, seat: int) -> Step:
    """Lay the two cards face down."""
    phase = state.phase
    is_real = state.rules.from_box("duel_cards")
    if not isinstance(phase, Duel) or phase.shuffled or seat in phase.pair or is_real:
        raise NotYourTurn(section="duel")
    return Step(replace(state, phase=replace(phase, shuffled=True)), (CardsShuffled(seat),))


def pick(state: State, seat: int, card: int) -> Step:
    """Take a card; when both are taken they are turned at once."""
    phase = state.phase
    if not isinstance(phase, Duel) or not phase.shuffled or seat not in to_act(state, phase):
        raise NotYourTurn(section="duel")
    if card not in CARDS or card in phase.picks:
        raise IllegalAction("card_gone", section="duel", card=card)
    phase = replace(phase, picks=swap(phase.picks, phase.pair.index(seat), card))
    state = replace(state, phase=phase)
    if None in phase.picks:
        return Step(state)
    # By its number the same pick meets the same card again, and `reveals` lets nobody pick anew
    # alone.
    need = Need("duel", state.duels, (Pool("bang", CARDS, 1),))
    return Step(state, reveals=True, needs=(need,))


def turned(state: State, phase: Duel, outcome: Outcome) -> Step:
    """Let the card that fires buy at the last standing bid.

    Ruling (option `duel_shortfall`): who cannot pay the bid pays all they have; with
    "must_afford" the plot then goes to the other, who can.
    """
    bang = int(outcome.drawn["bang"][0])
    return _decided(state, phase, phase.pair[phase.picks.index(bang)])


def win(state: State, winner: int) -> Step:
    """Take in who drew the real card that fires."""
    phase = state.phase
    if not isinstance(phase, Duel) or not state.rules.from_box("duel_cards"):
        raise NotYourTurn(section="duel")
    if winner not in phase.pair:
        raise IllegalAction("no_such_seat", section="duel")
    return _decided(state, phase, winner)


def _decided(state: State, phase: Duel, winner: int) -> Step:
    """Sell to the winner. Of real notes the whole bid is recorded; the table may set it right."""
    loser = _other(phase.pair, winner)
    # Only with "must_afford": a caller can pay, so one of the two always can.
    if not may_afford(state, winner, phase.price):
        winner, loser = loser, winner
    is_real = state.rules.from_box("money")
    # A purse can be in debt by what was set right: then it pays nothing.
    paid = phase.price if is_real else min(phase.price, max(0, state.cash[winner]))
    events = (DuelDecided(winner, loser),)
    return replace(purchase.buy(state, winner, phase.plot, paid, "duel", events), reveals=True)

"""Cards that rumors show: the one in hand, and those that their lookers may look up again."""

from __future__ import annotations

from msgspec import Struct

from .model import Rumor, SecretObjective, State


class Peek(Struct, frozen=True):
    """A card in hand by a rumor: an objective's name or an amount."""

    card: str
    objective: SecretObjective | None
    amount: int | None


def peek(state: State, phase: Rumor) -> Peek | None:
    """Give the card in hand."""
    return None if phase.card is None else _shown(state, phase.card)


def memo(state: State, seat: int) -> tuple[Peek, ...]:
    """Give what rumors showed a seat and lies there still, the last one first."""
    in_hand = state.phase.card if isinstance(state.phase, Rumor) else None
    cards = [card for looker, card in state.looked if looker == seat and card != in_hand]
    seen = (_shown(state, card) for card in reversed(cards))
    return tuple(each for each in seen if each is not None)


def _shown(state: State, card: str) -> Peek | None:
    """Give what a card that lies face down shows; None for one that was turned since."""
    kind, _, which = card.partition(":")
    if kind == "secret":
        other, index = map(int, which.split(":"))
        there = state.secrets[other]
        return Peek(card, there[index], None) if index < len(there) else None
    amount = state.ranch_card if kind == "ranch" else state.cards[int(which) - 1]
    return None if amount is None else Peek(card, None, amount)

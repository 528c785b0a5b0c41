"""The only place that draws.

Every draw is a function of the table's seed and the name of the need, so the same table draws the
same again: what an undo takes back comes again, and who holds the opened seed can check each draw.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from referee.games.base import Need, Outcome

T = TypeVar("T")

_WORD: Final = 8
_SPAN: Final = 1 << (8 * _WORD)


def new_seed() -> str:
    """Give a fresh seed of 128 bits, as hex."""
    return secrets.token_hex(16)


def commitment(seed: str) -> str:
    """Give what is published before play: it fixes the seed without telling it."""
    return hashlib.sha256(b"referee seed\0" + seed.encode()).hexdigest()


def stir(seed: str, mixes: Iterable[str]) -> str:
    """Mix the phones' own randomness into the seed, in seat order.

    Nobody who lacks even one of them could have known the draws beforehand.
    """
    # Another prefix than the commitment's: without any mix the key would be what is published.
    digest = hashlib.sha256(b"referee stir\0" + seed.encode())
    for mix in mixes:
        digest.update(b"\0" + mix.encode())
    return digest.hexdigest()


def draw(seed: str, need: Need) -> Outcome:
    """Draw what is owed, each pool by a shuffle of its own."""
    return Outcome(
        need.label,
        {
            pool.name: shuffled(seed, f"{need.label}:{need.number}:{pool.name}", pool.items)[
                : pool.count
            ]
            for pool in need.pools
        },
    )


def shuffled(seed: str, name: str, items: Sequence[T]) -> tuple[T, ...]:
    """Shuffle fairly (Fisher-Yates over an HMAC stream, without modulo bias)."""
    order = list(items)
    stream = _Stream(seed, name)
    for last in range(len(order) - 1, 0, -1):
        other = stream.below(last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


class _Stream:
    """A deterministic stream of numbers keyed by seed and name."""

    def __init__(self, seed: str, name: str) -> None:
        self._key = seed.encode()
        self._name = name.encode()
        self._count = 0

    def below(self, bound: int) -> int:
        """Give a number from 0 up to bound - 1, all equally likely."""
        limit = _SPAN - _SPAN % bound
        while True:
            block = b"%s\0%d" % (self._name, self._count)
            self._count += 1
            word = hmac.digest(self._key, block, "sha256")[:_WORD]
            number = int.from_bytes(word, "big")
            if number < limit:
                return number % bound

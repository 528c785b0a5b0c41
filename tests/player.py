"""The one random player of all tests: at the rules, at the use cases and over HTTP."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, TypeVar

Move = TypeVar("Move")

EAGER: Final = 0.8
"""How often it is somebody's move who holds up the table, where it is told who does."""


def choose(
    rng: random.Random,
    legal: Mapping[int, Sequence[Move]],
    *,
    held_up: Collection[int] = (),
) -> tuple[int, Move]:
    """Choose one who may act, then one of their actions.

    `legal` has what each seat may do. Seats in `held_up` move more often: others may have things to
    do that lead nowhere.
    """
    able = [seat for seat, actions in legal.items() if actions]
    eager = [seat for seat in held_up if seat in able]
    seat = rng.choice(eager if eager and rng.random() < EAGER else able)
    return seat, rng.choice(legal[seat])


def at_rules(game: Any, state: Any) -> dict[int, Sequence[Any]]:
    """Give what each seat that may act can do by the rules, in seat order."""
    return {seat: game.legal_actions(state, seat) for seat in sorted(game.to_act(state))}

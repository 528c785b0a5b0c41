"""What people tell the referee, one struct a kind: each can be told anew where it was told."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from referee.games.base import Facts

from .model import SharedObjective, Token, Vehicle


class Laid(Struct, frozen=True, tag="laid"):
    """Which real objective lies on the pile of this amount."""

    amount: int
    objective: SharedObjective


class Drew(Struct, frozen=True, tag="drew"):
    """Which real plot token was turned over."""

    plot: int


class Bought(Struct, frozen=True, tag="bought"):
    """Who bought a plot, and for how much in dollars; 0 is for nothing.

    `token` is the real bonus token, where it is told with the purchase.
    """

    plot: int
    buyer: int
    price: int
    token: Token | None = None


class Took(Struct, frozen=True, tag="took"):
    """Which real bonus token lay on a plot."""

    plot: int
    token: Token


class Moved(Struct, frozen=True, tag="moved"):
    """Which vehicle became active where, for the buyer of a plot."""

    plot: int
    vehicle: Vehicle
    space: str


class Showed(Struct, frozen=True, tag="showed"):
    """What the real mine or ranch card on a plot shows, in dollars."""

    plot: int
    amount: int


class Claims(Struct, frozen=True, tag="claims"):
    """Who claimed a shared objective; None is nobody."""

    objective: SharedObjective
    seat: int | None


class Answered(Struct, frozen=True, tag="answered"):
    """What was told of the board."""

    facts: Facts


Told: TypeAlias = Laid | Drew | Bought | Took | Moved | Showed | Claims | Answered

"""The options in force, and what of the box they leave on the table."""

from __future__ import annotations

from functools import cached_property
from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct

Source: TypeAlias = Literal["preset", "box", "app"]
Component: TypeAlias = Literal[
    "plot_tokens",
    "bonus_tokens",
    "land_cards",
    "shared_objectives",
    "secret_objectives",
    "duel_cards",
    "money",
]
COMPONENTS: Final[tuple[Component, ...]] = get_args(Component)
"""What can come out of the real box, or be dealt and kept by the app."""


class Rules(Struct, frozen=True, dict=True):
    """The options in force. The first value of each is the default."""

    preset: Literal["boxed", "app"] = "boxed"
    edition: Literal["huch", "blue-orange"] = "huch"
    auction: Literal["open", "sealed", "proxy", "spoken"] = "open"
    claims: Literal["referee", "players", "automatic"] = "referee"
    touching: Literal["largest_group", "any_touching"] = "largest_group"
    duel_shortfall: Literal["pay_all", "must_afford"] = "pay_all"
    plot_tokens: Source = "preset"
    bonus_tokens: Source = "preset"
    land_cards: Source = "preset"
    shared_objectives: Source = "preset"
    secret_objectives: Source = "preset"  # noqa: S105  # says where cards come from
    duel_cards: Source = "preset"
    money: Source = "preset"

    @cached_property
    def box(self) -> frozenset[Component]:
        """Name the components that lie on the real table.

        With the preset "boxed" everything does but the money, which the phones carry.
        """
        lies_there = {"box", "preset"} if self.preset == "boxed" else {"box"}
        real = {component for component in COMPONENTS if getattr(self, component) in lies_there}
        return frozenset(real if self.money == "box" else real - {"money"})

    def from_box(self, component: Component) -> bool:
        """Say whether a component lies on the real table."""
        return component in self.box

"""Daddy Winchester, known in French as Pappy Winchester: auctions with secret money.

This holds what a lobby needs to know; `rules` shows the whole of the game.
"""

from __future__ import annotations

from typing import Final

from referee.games.base import Meta, Option

_COMPONENTS: Final = (
    "plot_tokens",
    "bonus_tokens",
    "land_cards",
    "shared_objectives",
    "secret_objectives",
    "duel_cards",
    "money",
)
"""As in `options.COMPONENTS`, which would load the rules."""

META: Final = Meta(
    key="winchester",
    titles={"en": "Daddy Winchester", "de": "Daddy Winchester", "fr": "Pappy Winchester"},
    seats=(3, 5),
    options=(
        Option("preset", ("boxed", "app"), "boxed"),
        Option("board", ("owned", "practice"), "owned", (("preset", "app", "practice"),)),
        Option("edition", ("huch", "blue-orange"), "huch"),
        Option("auction", ("open", "sealed", "proxy", "spoken"), "open"),
        Option("claims", ("referee", "players", "automatic"), "referee"),
        Option("touching", ("largest_group", "any_touching"), "largest_group"),
        Option("duel_shortfall", ("pay_all", "must_afford"), "pay_all"),
        *(Option(component, ("preset", "box", "app"), "preset") for component in _COMPONENTS),
    ),
    bgg_id=281961,
    editions={"huch": "Daddy Winchester", "blue-orange": "Pappy Winchester"},
    usual={"fr": {"edition": "blue-orange"}},
    starter="star",
    prices=("plot_bought", "price"),
    for_programs="Money is in whole dollars, always in notes of 1000.",
)

"""The terms that are explained, in the order of reading, and the questions each helps with.

`words/terms.html` has a name and a sentence or two for each. SIGNS are what is drawn for one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TERMS: Final[Mapping[str, tuple[str, ...]]] = {
    "plot": ("draw_plot", "tap_plot", "which_terrains", "on_river", "on_rails", "which_touch"),
    "hat": (),
    "first_player": (),
    "open_auction": ("open_bid", "cannot_bid", "pass"),
    "sealed_auction": ("sealed_bid",),
    "proxy_auction": ("ceiling", "last_two"),
    "spoken_auction": (
        "record_auction",
        "confirm_sale",
        "confirm_duel",
        "confirm_with_token",
        "cannot_pay",
    ),
    "duel": ("call_duel", "shuffle_duel", "pick_duel_card", "tell_duel"),
    "duel_token": (),
    "payment": (),
    "bonus_token": ("take_token",),
    "movement": ("activate", "activate_uncharted"),
    "saloon": (),
    "rumor": ("look", "put_back"),
    "vehicles": (),
    "tips": (),
    "mine": ("turn_card",),
    "ranch": ("which_ranch",),
    "shared_objectives": ("lay_objective",),
    "all_terrains": (),
    "all_tokens": (),
    "five_plots": (),
    "last_auction": (),
    "three_together": (),
    "three_off_river": (),
    "three_off_rails": (),
    "dry_saloon": (),
    "four_apart": (),
    "four_alike": (),
    "claim": ("claims", "next_draw"),
    "secret_objectives": ("tell_objectives", "ask_back"),
    "forests": (),
    "deserts": (),
    "prairies": (),
    "riverside": (),
    "railside": (),
    "saloon_square": (),
    "mines": (),
    "ranch_lands": (),
    "rumors": (),
    "movements": (),
    "most_plots": (),
    "count_up": ("count_up", "count_notes"),
    "tie": (),
}

SHAPES: Final = ("circle", "square", "triangle", "diamond", "hexagon", "cross")
"""Of the hats on the board, one a seat."""
SIGNS: Final[Mapping[str, str]] = {
    "star": "first_player",
    "hat": "hat",
    **{f"o-{shape}": "hat" for shape in SHAPES},
    "duel": "duel_token",
    "cash": "payment",
    "movement": "movement",
    "saloon": "saloon",
    "glass": "saloon",
    "rumor": "rumor",
    "boat": "vehicles",
    "locomotive": "vehicles",
    "loco": "vehicles",
    "mine": "mine",
    "ranch": "ranch",
}

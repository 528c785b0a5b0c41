"""The terms that are explained, in the order of reading, and the questions each helps with.

`words/terms.html` has a name and a sentence or two for each. SIGNS are what is drawn for one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TERMS: Final[Mapping[str, tuple[str, ...]]] = {
    "row": (),
    "rancher": ("place_rancher",),
    "tile": ("tell_tile",),
    "reserve": (),
    "domino": ("form_domino", "report_domino", "lay_domino"),
    "discard": ("discard",),
    "river": (),
    "bridge": ("board_facts", "take_board"),
    "landscape": ("paint",),
    "resource": (),
    "cattle": (),
    "skull": ("remove_cattle",),
    "circle": (),
    "saloon": ("tell_partner",),
    "partner": ("hire",),
    "cowboy": ("drive_cattle",),
    "desperado": ("swap_tiles",),
    "rustler": ("rustle",),
    "gold_digger": (),
    "trapper": (),
    "farmer": (),
    "bonus_tile": ("lay_bonus",),
    "overpopulation": ("take_stock",),
    "scenario": (),
    "rafting": (),
    "gold_rush": (),
    "wild_bunch": (),
    "moon_river_city": (),
}

SIGNS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("desert", "corn", "buildings", "canyon", "prairie", "forest"), "landscape"),
    **dict.fromkeys(("gold", "beaver", "maize"), "resource"),
    "unpainted": "tile",
    "tiles": "tile",
    "horns": "cattle",
    "cattle": "cattle",
    "skull": "skull",
    "ring": "circle",
    "cowboy": "cowboy",
    "desperado": "desperado",
    "rustler": "rustler",
    "gold_digger": "gold_digger",
    "trapper": "trapper",
    "farmer": "farmer",
    "bridge": "bridge",
    "rancher": "rancher",
    "saloon": "saloon",
    "river": "river",
}

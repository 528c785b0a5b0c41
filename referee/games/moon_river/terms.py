"""The terms that are explained, in the order of reading, and the questions each helps with.

`words/terms.html` has a name and a sentence or two for each.
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

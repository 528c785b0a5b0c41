"""Kinds of questions on a phone that are explained to newcomers, and the actions that answer each.

`words/hints.html` has a sentence for each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from referee.games.base import BOARD_ANSWER

HINTS: Final[Mapping[str, tuple[str, ...]]] = {
    "take_board": ("take_board",),
    "tell_partner": ("tell_partner",),
    "tell_tile": ("tell_tile",),
    "place_rancher": ("place_rancher",),
    "form_domino": ("form_domino", "pass"),
    "report_domino": ("report_domino", "pass"),
    "lay_domino": ("lay_domino",),
    "discard": ("discard",),
    "remove_cattle": ("remove_cattle",),
    "hire": ("hire",),
    "drive_cattle": ("drive_cattle", "decline"),
    "swap_tiles": ("swap_tiles", "decline"),
    "rustle": ("rustle", "decline"),
    "lay_bonus": ("lay_bonus", "drop_bonus"),
    "take_stock": ("hand_in", "countersign", "count_up", "go_on"),
    "paint": ("paint", "mark", "station", "hand_in"),
    "board_facts": (BOARD_ANSWER,),
}

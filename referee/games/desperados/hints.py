"""Kinds of questions on a phone that are explained to newcomers, and the actions that answer each.

`words/hints.html` has a sentence for each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from referee.games.base import BOARD_ANSWER

HINTS: Final[Mapping[str, tuple[str, ...]]] = {
    "board_facts": (BOARD_ANSWER,),
    "first_schedule": ("set_first_schedule",),
    "place_marshal": ("place_marshal",),
    "place_sheriff": ("place_sheriff",),
    "place_pawn": ("place_pawn",),
    "move_sheriffs": ("move_sheriff",),
    "lay_card": ("lay_card",),
    "declare": ("declare", "place_discs"),
    "report_tile": ("report_tile",),
    "refill_bank": ("refill_bank",),
    "begin_examination": ("next",),
    "go_on": ("next",),
}

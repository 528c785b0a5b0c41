"""The terms that are explained, in the order of reading, and the questions each helps with.

`words/terms.html` has a name and a sentence or two for each. SIGNS are what is drawn for one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TERMS: Final[Mapping[str, tuple[str, ...]]] = {
    "gang": ("place_pawn",),
    "target": (),
    "marshal": ("place_marshal",),
    "sheriff": ("place_sheriff", "move_sheriffs"),
    "turn": (),
    "card": ("lay_card",),
    "saloon": (),
    "schedule": ("first_schedule",),
    "disc": ("declare",),
    "poker": (),
    "coach": (),
    "bank": ("refill_bank",),
    "spy": (),
    "tile": ("report_tile",),
    "examination": ("begin_examination", "go_on"),
    "arrest": (),
    "impossible": (),
    "board": ("board_facts",),
}

SIGNS: Final[Mapping[str, str]] = {
    "saloon": "saloon",
    "star": "marshal",
    "card": "card",
    "poker": "poker",
    "coach": "coach",
    "coach-blue": "coach",
    "coach-brown": "coach",
    "bank": "bank",
    "bank-empty": "bank",
    "sheriff": "sheriff",
    "sheriffs": "sheriff",
    "robbed": "bank",
    "bag": "target",
}

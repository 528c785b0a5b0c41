"""Kinds of questions on a phone that are explained to newcomers, and the actions that answer each.

`words/hints.html` has a sentence for each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from referee.games.base import BOARD_ANSWER

HINTS: Final[Mapping[str, tuple[str, ...]]] = {
    "open_bid": ("bid", "pass"),
    "cannot_bid": ("pass",),
    "pass": ("bid", "pass"),
    "call_duel": ("call_duel",),
    "sealed_bid": ("submit_bid",),
    "ceiling": ("submit_ceiling",),
    "last_two": ("let_stand", "call_duel"),
    "record_auction": ("record_sale", "record_nobody", "record_duel"),
    "confirm_sale": ("confirm_sale", "reject_sale"),
    "confirm_duel": ("confirm_sale", "reject_sale"),
    "confirm_with_token": ("confirm_sale", "reject_sale"),
    "cannot_pay": ("reject_sale",),
    "shuffle_duel": ("shuffle",),
    "pick_duel_card": ("pick_card",),
    "tell_duel": ("win_duel",),
    "take_token": ("take_token",),
    "activate": ("activate",),
    "activate_uncharted": ("activate",),
    "look": ("look", "skip_look"),
    "put_back": ("put_back",),
    "turn_card": ("turn_card",),
    "lay_objective": ("lay_objective",),
    "claims": ("claim",),
    "draw_plot": ("draw_plot",),
    "tap_plot": ("draw_plot",),
    "next_draw": ("claim",),
    "count_up": ("count_up",),
    "ask_back": ("forget_secrets",),
    "tell_objectives": ("enter_secrets",),
    "count_notes": ("count_cash",),
    "which_ranch": (BOARD_ANSWER,),
    "which_terrains": (BOARD_ANSWER,),
    "on_river": (BOARD_ANSWER,),
    "on_rails": (BOARD_ANSWER,),
    "which_touch": (BOARD_ANSWER,),
}

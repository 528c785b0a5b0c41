"""Desperados: a gang that plans in secret, and the Marshal who rides as secretly.

This holds what a lobby needs to know; `rules` shows the whole of the game.
"""

from __future__ import annotations

from typing import Final

from referee.games.base import Meta, Option

_SWITCH: Final = ("preset", "box", "app")

META: Final = Meta(
    key="desperados",
    titles={"en": "Desperados", "de": "Desperados", "fr": "Desperados"},
    seats=(3, 6),
    options=(
        Option("preset", ("boxed", "app"), "boxed"),
        Option("board", ("owned", "practice"), "owned", (("preset", "app", "practice"),)),
        Option("target", tuple(str(dollars) for dollars in range(2000, 6001, 500)), "4000"),
        Option("whereabouts", ("off", "on"), "off"),
        Option("bank_tiles", _SWITCH, "preset"),
        Option("poker_tiles", _SWITCH, "preset"),
        Option("coach_tiles", _SWITCH, "preset"),
        Option("first_schedule", _SWITCH, "preset"),
    ),
    bgg_id=130908,
    starter="star",
    roles=("Marshal", "Desperado"),
    for_programs=(
        "Loot is in whole dollars. While moves are made a desperado may `suggest`, `agree` and "
        "`drop_suggestion`, which the list of legal actions never names: it binds nobody."
    ),
)

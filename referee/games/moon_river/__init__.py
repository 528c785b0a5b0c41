"""Moon River: half dominoes drafted from a row, joined in pairs and laid into a ranch of one's own.

This holds what a lobby needs to know; `rules` shows the whole of the game.
"""

from __future__ import annotations

from typing import Final

from referee.games.base import Meta, Option

META: Final = Meta(
    key="moon_river",
    titles={"en": "Moon River", "de": "Moon River", "fr": "Moon River"},
    seats=(2, 4),
    options=(
        Option("preset", ("boxed", "app"), "boxed"),
        Option("board", ("owned", "practice"), "owned", (("preset", "app", "practice"),)),
        Option("tracking", ("score", "draft", "full"), "full"),
        Option("boards", ("camp", "wild_west"), "camp"),
        Option(
            "scenario",
            ("none", "rafting", "gold_rush", "wild_bunch", "moon_river_city", "random"),
            "none",
        ),
    ),
    bgg_id=378001,
    has_secrets=False,
    alone={"tracking": "score"},
    free=("paint", "mark", "station", "unpaint", "repaint", "hand_in", "tell_tile", "tell_partner"),
    for_programs=(
        "A cell of a ranch is one number, row * 5 + column; row 0 lies on the river. Of `paint`, "
        "`mark` and `station` the list names only examples: any cells and counts are accepted. "
        "`unpaint` and `repaint` are never listed, `hand_in` only as confirmed, and of `tell_tile` "
        "the known tiles and some that are like unknown ones. `tell_partner` needs no `after`."
    ),
)

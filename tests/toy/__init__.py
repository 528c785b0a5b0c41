"""Pebbles: a complete little game for two, to prove that a game brings all it needs by itself.

No secrets, no map, no money, no board. Three rows of pebbles lie there; in turns one takes as many
as one likes from one row. Whoever has most wins, or whoever took the last one: the table may change
its mind about that in mid-game. Who begins is drawn.
"""

from __future__ import annotations

from typing import Final

from referee.games.base import Meta, Option

META: Final = Meta(
    key="pebbles",
    titles={"en": "Pebbles", "de": "Pebbles", "fr": "Pebbles"},
    seats=(2, 2),
    options=(Option("goal", ("most", "last"), "most"),),
    bgg_id=0,
    has_secrets=False,
    for_programs="Rows are numbered from 0.",
)

"""The owner's box: how much of it is known, and what can be taught of it."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from referee.games.base import Known

from .box import (
    all_facts,
    corrected,
    impossible,
    is_possible,
    learn,
    tile_facts,
    value_of,
)
from .model import (
    LANDSCAPES,
    SIDES,
    SPECIALISTS,
    TILES,
    Box,
    Tile,
)
from .profile import read_board
from .state import State

__all__ = [
    "NAMES",
    "all_facts",
    "board_of",
    "corrected",
    "impossible",
    "learn",
    "lessons",
    "place",
    "places",
    "progress",
    "read_board",
    "value_of",
]

NAMES: Final = ("box",)
"""The one edition whose box an owner can teach."""


def board_of(state: State) -> Box:
    """Give the box of a running game."""
    return state.box


def places(box: Box) -> tuple[str, ...]:  # noqa: ARG001  # every box has the same
    """Name what can be taught one at a time: bridges, partners, bonus tiles, tiles by landscape."""
    return (*SIDES, "partners", "bonus", *LANDSCAPES)


class Listed(Struct, frozen=True):
    """A tile of the list, how many of it there are, and the fact that its last copy is there."""

    tile: Tile
    count: int
    fact: str


class Listing(Struct, frozen=True):
    """The list of tiles as its page shows it, and what cannot be in any box: a code, and a count.

    `odd` are tiles that no box can have.
    """

    tiles: tuple[Listed, ...]
    odd: tuple[Listed, ...]
    strange: tuple[tuple[str, str], ...]


def place(box: Box, name: str) -> Listing:  # noqa: ARG001  # the page shows all places at once
    """Give what the page needs to know beside the box: its list, and what is wrong with it."""
    last = {tile: fact for tile, (fact, _) in zip(box.tiles, tile_facts(box.tiles), strict=True)}
    tiles = tuple(Listed(tile, box.tiles.count(tile), fact) for tile, fact in last.items())
    return Listing(
        tiles=tiles,
        odd=tuple(one for one in tiles if not is_possible(one.tile)),
        strange=tuple(pair for pair in impossible(box) if pair[0] != "odd_tile"),
    )


def progress(box: Box) -> tuple[Known, ...]:
    """Count what is known, kind by kind."""
    return (
        Known("tiles", len(box.tiles), TILES),
        Known("bridges", sum(columns is not None for columns in box.bridges), len(SIDES)),
        Known("partners", sum(count is not None for count in box.partners), len(SPECIALISTS)),
        Known("bonus", sum(len(tile.sides) for tile in box.bonus), 2 * len(box.bonus)),
    )


def lessons(box: Box) -> int:
    """Count the questions that teach the rest: a side of a board each, a bonus tile each.

    Tiles are told when they are turned up, and how many partners there are shows in play.
    """
    bridges = sum(columns is None for columns in box.bridges)
    return bridges + sum(len(tile.sides) < 2 for tile in box.bonus)  # noqa: PLR2004  # front, back

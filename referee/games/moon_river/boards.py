"""The owner's box: how much of it is known, and what can be taught of it."""

from __future__ import annotations

from typing import Final

from referee.games.base import Known

from .box import all_facts, corrected, impossible, learn, value_of
from .model import (
    LANDSCAPES,
    SIDES,
    SPECIALISTS,
    TILES,
    Box,
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


def place(box: Box, name: str) -> None:  # the page reads the box itself
    """Give what the page needs to know of one place beside the box: nothing."""


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

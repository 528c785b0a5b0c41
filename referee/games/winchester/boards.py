"""The owner's board: how much of it is known, and what can be taught of it."""

from __future__ import annotations

from itertools import combinations
from typing import Final

from referee.games.base import Known

from .facts import corrected, learn, pair_fact, value_of
from .lands import PLOTS, Board
from .model import State
from .profile import read_board

__all__ = [
    "NAMES",
    "all_facts",
    "board_of",
    "corrected",
    "learn",
    "lessons",
    "place",
    "places",
    "progress",
    "read_board",
    "value_of",
]

NAMES: Final = ("huch", "blue-orange")
"""The editions whose board an owner can teach."""
PAIRS: Final = PLOTS * (PLOTS - 1) // 2


def board_of(state: State) -> Board:
    """Give the board of a running game."""
    return state.board


def places(board: Board) -> tuple[str, ...]:
    """Name what can be taught one at a time: the plots by number."""
    return tuple(str(plot.number) for plot in board.plots)


def place(board: Board, name: str) -> None:  # the page reads the board itself
    """Give what the page needs to know of one place beside the board: nothing."""


def progress(board: Board) -> tuple[Known, ...]:
    """Count what is known, kind by kind: plots, pairs of plots, sides of plots, the ranch."""
    lands = board.lands
    return (
        Known("terrain", PLOTS - len(lands.maybe_terrain), PLOTS),
        Known("touching", PAIRS - sum(map(len, lands.maybe_near)) // 2, PAIRS),
        Known("sides", 2 * PLOTS - len(lands.maybe_river) - len(lands.maybe_rails), 2 * PLOTS),
        Known("ranch", int(lands.ranch is not None), 1),
    )


def lessons(board: Board) -> int:
    """Count the questions that teach the rest: a plot's neighbours each, terrains, sides, ranch."""
    lands = board.lands
    neighbours = sum(bool(others) for others in lands.maybe_near)
    rest = (lands.maybe_terrain, lands.maybe_river, lands.maybe_rails, lands.maybe_ranch)
    return neighbours + sum(map(bool, rest))


def all_facts(board: Board) -> dict[str, str]:
    """Write everything that is known of plots and pairs down as facts, such as to teach it."""
    facts: dict[str, str] = {}
    for plot in board.plots:
        for name in (f"terrain:{plot.number}", f"river:{plot.number}", f"rails:{plot.number}"):
            value = value_of(board, name)
            if value is not None:
                facts[name] = value
    if board.lands.ranch is not None:
        facts["ranch"] = str(board.lands.ranch)
    for low, high in combinations(range(1, PLOTS + 1), 2):
        value = value_of(board, pair_fact(low, high))
        if value is not None:
            facts[pair_fact(low, high)] = value
    return facts

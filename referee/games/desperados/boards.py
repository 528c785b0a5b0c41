"""The owner's board: how much of it is known, and what can be taught of it."""

from __future__ import annotations

from itertools import combinations
from typing import Final

from msgspec import Struct

from referee.games.base import Facts, Known

from . import facts as told
from .facts import known_value, learn
from .model import State
from .profile import read_board
from .roads import BANKS, CITIES, Board, City, road_fact

__all__ = [
    "NAMES",
    "Known",
    "Place",
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

NAMES: Final = ("box",)
"""The profiles of real boxes."""


def board_of(state: State) -> Board:
    """Give the board of a running game."""
    return state.board


class Way(Struct, frozen=True):
    """A road that may leave a city: where to, the fact's name, and what is known of it."""

    city: City
    fact: str
    is_road: bool
    is_open: bool


class Place(Struct, frozen=True):
    """A city to be taught: its ways out, and the city after it."""

    city: City
    ways: tuple[Way, ...]
    next: City


def place(board: Board, name: str) -> Place | None:
    """Give what is known of a city; None for anything else."""
    here = next((city for city in CITIES if city == name), None)
    if here is None:
        return None
    known = board.links[here]
    ways = tuple(
        Way(city, road_fact(here, city), city in known.near, city in known.unknown)
        for city in CITIES
        if city != here
    )
    return Place(here, ways, CITIES[(CITIES.index(here) + 1) % len(CITIES)])


def corrected(board: Board, facts: Facts) -> Board:
    """Set facts to be otherwise than they were thought to be. Raises IllegalAction."""
    return told.learn(board, facts, overrule=True)


def value_of(board: Board, fact: str) -> str | None:
    """Give a fact's value, None if unknown. Raises IllegalAction for no fact of this board."""
    return known_value(board, fact)


def places(board: Board) -> tuple[str, ...]:  # noqa: ARG001  # every board has the same cities
    """Name what can be taught one at a time: the cities."""
    return CITIES


def progress(board: Board) -> tuple[Known, ...]:
    """Count what is known: the banks, and the cities of which every road is."""
    known = sum(not ways.unknown for ways in board.links.values())
    return Known("banks", len(board.banks), BANKS), Known("roads", known, len(CITIES))


def lessons(board: Board) -> int:
    """Count the questions that teach the rest: the banks at once, each city's roads."""
    open_cities = sum(bool(ways.unknown) for ways in board.links.values())
    return int(len(board.banks) < BANKS) + open_cities


def all_facts(board: Board) -> dict[str, str]:
    """Write everything that is known of banks and roads down as facts, such as to teach it."""
    names = [f"bank:{city}" for city in CITIES]
    names += [road_fact(one, other) for one, other in combinations(CITIES, 2)]
    found = {name: known_value(board, name) for name in names}
    return {name: value for name, value in found.items() if value is not None}

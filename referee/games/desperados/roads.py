"""The map: cities, roads, banks and schedules, as far as they are known.

A profile holds what is proven; facts are what an owner read from the board.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from itertools import combinations
from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct

City: TypeAlias = Literal[
    "Aztec",
    "El Paso",
    "Flagstaff",
    "Gallup",
    "Globe",
    "La Luz",
    "Los Lunas",
    "Payson",
    "Red Cloud",
    "St. Johns",
    "Salem",
    "Santa Fe",
    "Shiprock",
    "Silver City",
    "Socorro",
    "Sweet Water",
    "Tombstone",
    "Tuba City",
    "Tucson",
]
CITIES: Final[tuple[City, ...]] = get_args(City)

Road: TypeAlias = tuple[City, City]
"""Two cities in the order of CITIES, joined by a road."""

BANKS: Final = 5
STOPS: Final = 6


class Schedule(Struct, frozen=True):
    """A card with the stops of one turn on each side; the first is where the coach begins."""

    name: str
    brown: tuple[City, ...]
    blue: tuple[City, ...]


class Links(Struct, frozen=True):
    """Where one can go from a city: along a known road, or perhaps along an unknown one."""

    near: tuple[City, ...]
    unknown: tuple[City, ...]


class Board(Struct, frozen=True, dict=True, cache_hash=True):
    """What is known of a board.

    `roads` are there, `gaps` are pairs without a road. When the map is `complete`, and for a city
    in `full`, there are no roads but the known ones. `poker` are cities known to have no bank.
    """

    key: str
    practice: bool
    complete: bool
    roads: tuple[Road, ...]
    gaps: tuple[Road, ...]
    full: tuple[City, ...]
    banks: tuple[City, ...]
    poker: tuple[City, ...]
    schedules: tuple[Schedule, ...]

    @cached_property
    def links(self) -> dict[City, Links]:
        """Give every city's ways out; nothing is unknown on a complete map."""
        return _links(self.roads, self.gaps, self.full, complete=self.complete)


@lru_cache(maxsize=64)  # tables on the same board share one
def _links(
    roads: tuple[Road, ...], gaps: tuple[Road, ...], full: tuple[City, ...], *, complete: bool
) -> dict[City, Links]:
    open_ends = () if complete else [city for city in CITIES if city not in full]
    near, far = _ends({*roads}), _ends({*combinations(open_ends, 2)} - {*roads} - {*gaps})
    return {city: Links(near[city], far[city]) for city in CITIES}


RANK: Final = {city: number for number, city in enumerate(CITIES)}


def pair(one: City, other: City) -> Road:
    """Give two cities in the order in which a road names them."""
    return (one, other) if RANK[one] < RANK[other] else (other, one)


def road_fact(one: City, other: City) -> str:
    """Name the fact whether a road joins two cities."""
    return "road:{}-{}".format(*pair(one, other))


def _ends(pairs: set[Road]) -> dict[City, tuple[City, ...]]:
    """Give what each city is paired with, in the order of the cities."""
    found: dict[City, set[City]] = {city: set() for city in CITIES}
    for one, other in pairs:
        found[one].add(other)
        found[other].add(one)
    return {city: tuple([each for each in CITIES if each in found[city]]) for city in CITIES}

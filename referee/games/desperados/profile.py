"""Board profiles: what is proven of a board, each fact with its source, and what was taught."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct, convert, json

from .facts import conclude, in_order, learn, sort_roads
from .roads import Board, City, Schedule


class _Sourced(Struct, frozen=True):
    source: str


class _Road(_Sourced, frozen=True):
    between: tuple[City, City]


class _City(_Sourced, frozen=True):
    city: City


class _Schedule(_Sourced, frozen=True):
    name: str
    stops: tuple[City, ...]


class _Profile(Struct, frozen=True):
    key: str
    practice: bool
    complete: bool
    cities: tuple[City, ...]
    roads: tuple[_Road, ...]
    banks: tuple[_City, ...]
    schedules: tuple[_Schedule, ...]
    poker: tuple[_City, ...] = ()
    full: tuple[_City, ...] = ()
    gaps: tuple[_Road, ...] = ()
    facts: dict[str, str] = {}


def read_board(profile: Mapping[str, Any]) -> Board:
    """Read a profile, and what its owner taught. Raises ValidationError for another shape."""
    return _board(json.encode(convert(profile, _Profile)))


@lru_cache(maxsize=8)  # tables on the same board share one
def _board(profile: bytes) -> Board:
    read = json.decode(profile, type=_Profile)
    board = Board(
        key=read.key,
        practice=read.practice,
        complete=read.complete,
        roads=sort_roads(road.between for road in read.roads),
        gaps=sort_roads(gap.between for gap in read.gaps),
        full=tuple(entry.city for entry in read.full),
        banks=in_order(entry.city for entry in read.banks),
        poker=in_order(entry.city for entry in read.poker),
        schedules=tuple(Schedule(s.name, s.stops, s.stops) for s in read.schedules),
    )
    return learn(conclude(board), tuple(read.facts.items()), overrule=True)

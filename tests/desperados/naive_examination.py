"""The examination a second time, as naively as can be, to hold the rules against.

Works on plain cities and cards. Each way is walked to its end first; then it is cut where an
impossible card or the Marshal ends it; then all is counted.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

Way = list[str]


class Disc(NamedTuple):
    """An activity: "poker" or a coach, where, in which move, against how many Sheriffs, whose."""

    venue: str
    city: str
    move: int
    sheriffs: int
    seats: Sequence[int]


class Verdict(NamedTuple):
    """How it ended: where each pawn stands, who is out, lost cards, the loot, roads shown."""

    pawns: list[str]
    out: list[tuple[str, int] | None]
    lost: list[list[str]]
    loot: list[tuple[str, str, int]]
    shown: set[frozenset[str]]


def walk(
    start: str,
    cards: Sequence[tuple[str, bool]],
    lost: Collection[str],
    roads: Collection[frozenset[str]],
    unknown: Collection[frozenset[str]],
) -> Way:
    """Give the cities of a way, the start included, up to the last card that can be played."""
    way = [start]
    for number, (card, confirmed) in enumerate(cards):
        if any(card == before for before, _ in cards[:number]) or card in lost:
            break
        if card == "saloon":
            way.append(way[-1])
            continue
        road = frozenset((way[-1], card))
        if road not in roads and not (confirmed and road in unknown):
            break
        way.append(card)
    return way


def examine(
    starts: Sequence[str],
    routes: Sequence[Sequence[tuple[str, bool]]],
    *,
    lost: Sequence[Collection[str]],
    roads: Collection[frozenset[str]],
    unknown: Collection[frozenset[str]],
    discs: Sequence[Disc],
    sheriffs: Sequence[str],
    poker: Mapping[str, int],
    coaches: Sequence[int],
    banks: Mapping[str, int],
) -> Verdict:
    """Judge five moves; seat 0 is the Marshal."""
    ways = [
        walk(start, cards, gone, roads, unknown)
        for start, cards, gone in zip(starts, routes, lost, strict=True)
    ]
    ends: list[tuple[str, int] | None] = [
        ("impossible", len(way)) if len(way) < 6 else None for way in ways
    ]
    law = ways[0] + [ways[0][-1]] * (6 - len(ways[0]))
    cards_lost = [[*gone] for gone in lost]
    for seat in range(1, len(ways)):
        meetings = [k for k in range(1, len(ways[seat])) if ways[seat][k] == law[k]]
        if meetings:
            k = meetings[0]
            ends[seat] = ("arrested", k)
            ways[seat] = ways[seat][: k + 1]
            if routes[seat][k - 1][0] != "saloon":
                cards_lost[seat].append(ways[seat][k])
    loot = []
    stack = [*coaches]
    for k in range(1, 6):
        for disc in discs:
            there = [s for s in disc.seats if free_at(ways, ends, s, k) == disc.city]
            if disc.move == k and len(there) > disc.sheriffs:
                if disc.venue == "poker":
                    loot.append(("poker", disc.city, poker[disc.city]))
                else:
                    loot.append(("coach", disc.city, stack.pop(0)))
    for city, value in banks.items():
        robbers = [s for s in range(1, len(ways)) if free_at(ways, ends, s, 5) == city]
        if len(robbers) > list(sheriffs).count(city):
            loot.append(("bank", city, value))
    steps = {frozenset(pair) for way in ways for pair in pairwise(way)}
    return Verdict(
        [way[-1] for way in ways], ends, cards_lost, loot, {s for s in steps if s in unknown}
    )


def free_at(
    ways: Sequence[Way], ends: Sequence[tuple[str, int] | None], seat: int, k: int
) -> str | None:
    """Say where a seat is after a step, or None if its turn is over by then."""
    end = ends[seat]
    return None if end is not None and end[1] <= k else ways[seat][k]

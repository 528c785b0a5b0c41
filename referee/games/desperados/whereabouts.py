"""Where can they be? The cities in which each desperado may be, by what everybody knows.

Nothing here is given a state: only facts that lie open are passed in, so it cannot tell more.
Ruling: a disc lies where its owner is, also where the table told anew on what it lies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from msgspec import Struct

from .model import CITIES, DECK, SALOON, Card, City
from .roads import Board

PATIENCE: Final = 20_000
"""Steps of a search; past that, on a map of which next to nothing is known, any way counts."""


class Sighting(Struct, frozen=True):
    """A move at whose end all saw where a desperado is: a disc was laid, or a bank spied on."""

    move: int
    city: City


class Whereabouts(Struct, frozen=True):
    """Where one desperado may be now, in the order of cities."""

    seat: int
    cities: tuple[City, ...]


def shades(found: tuple[Whereabouts, ...]) -> tuple[tuple[City, int], ...]:
    """Give each city where any of them may be, and how many of them."""
    return tuple(Counter(city for one in found for city in one.cities).items())


class Known(Struct, frozen=True):
    """What everybody knows of one desperado in this turn.

    `lost` are cards gone for good, `moves` how many moves are closed. `is_shaken`: the table set
    something right in this turn, so a card laid before may not count, nor what was seen.
    """

    start: City
    lost: tuple[City, ...]
    sightings: tuple[Sighting, ...]
    moves: int
    is_shaken: bool


@lru_cache(maxsize=256)
def possible(board: Board, known: Known) -> tuple[City, ...]:
    """Give every city in which a desperado may be after the closed moves, and no other.

    A card is played once a turn, a lost one never; a road that nobody knows may have been taken.
    Whoever has no card that surely fits may have laid any, and stays; they take part in nothing.
    """
    if known.is_shaken:
        known = Known(known.start, known.lost, (), known.moves, is_shaken=True)
    bound = _bound(board, known)
    found: set[City] = set()
    count = 0
    for count, city in enumerate(_ends(board, known, known.start, _cards(known), 1), 1):
        found.add(city)
        if found == bound or count == PATIENCE:
            break
    # What contradicts itself tells nothing: then, too, any way counts.
    whole = found if 0 < count < PATIENCE else bound
    return tuple(city for city in CITIES if city in whole)


def _cards(known: Known) -> frozenset[Card]:
    return frozenset(DECK) - {*known.lost}


def _seen(known: Known, move: int) -> City | None:
    return next((s.city for s in known.sightings if s.move == move), None)


def _ends(
    board: Board, known: Known, at: City, cards: frozenset[Card], move: int
) -> Iterator[City]:
    """Give where ways end that go on from here with these cards, some of them several times."""
    if move > known.moves:
        yield at
        return
    ways = board.links[at]
    sure = [city for city in ways.near if city in cards]
    is_stuck = not sure and SALOON not in cards
    if known.is_shaken or (is_stuck and _is_unseen(known, move)):
        yield at
    nexts: list[tuple[Card, City]] = [(city, city) for city in sure]
    nexts += [(city, city) for city in ways.unknown if city in cards]
    if SALOON in cards:
        nexts.append((SALOON, at))
    seen = _seen(known, move)
    for card, city in nexts:
        if seen in (None, city):
            yield from _ends(board, known, city, cards - {card}, move + 1)


def _is_unseen(known: Known, move: int) -> bool:
    """Say whether nobody saw them from this move on."""
    return all(sighting.move < move for sighting in known.sightings)


def _bound(board: Board, known: Known) -> frozenset[City]:
    """Give where they may be if no card were ever used up: never less than what is possible."""
    cards = _cards(known)
    here = frozenset((known.start,))
    for move in range(1, known.moves + 1):
        ways = [board.links[at] for at in here]
        further = {city for way in ways for city in (*way.near, *way.unknown) if city in cards}
        here |= further
        seen = _seen(known, move)
        if seen is not None:
            here &= {seen}
    return here

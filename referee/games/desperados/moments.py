"""What everybody at the table looks up for, made from what happened in the open."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from referee.games.base import QUIET

from .events import (
    ActivitySettled,
    Arrested,
    BankHeldUp,
    CardsTurned,
    Event,
    MoveBegun,
    MoveImpossible,
    TileTaken,
    TurnBegun,
)
from .model import Card, City, Venue


class Caught(Struct, frozen=True, tag="caught"):
    """A desperado was arrested. `lost`: the city's card is gone for good."""

    seat: int
    city: City
    lost: bool


class Stuck(Struct, frozen=True, tag="stuck"):
    """A card could not be played."""

    seat: int
    card: Card
    city: City


class Robbery(Struct, frozen=True, tag="robbery"):
    """A bank, a coach or a poker table was tried. `value` is the tile's, where it is known yet."""

    venue: Venue | None
    city: City
    seats: tuple[int, ...]
    needed: int
    success: bool
    value: int | None


class Haul(Struct, frozen=True, tag="haul"):
    """A tile of the real table was told."""

    city: City
    value: int


Moment: TypeAlias = Caught | Stuck | Robbery | Haul


def moments(events: tuple[Event, ...]) -> tuple[Moment | str, ...]:
    """Give the moments of one line of the log, as they followed each other."""
    found: list[Moment | str] = []
    for at, event in enumerate(events):
        match event:
            case TurnBegun() | MoveBegun() | CardsTurned():
                found.append(QUIET)
            case Arrested(seat, city, lost):
                found.append(Caught(seat, city, lost))
            case MoveImpossible(seat, card, city):
                found.append(Stuck(seat, card, city))
            case ActivitySettled(venue, city, seats, needed, success) if seats:
                value = _value_after(events, at)
                found.append(Robbery(venue, city, seats, needed, success, value))
            case BankHeldUp(city, seats, needed, success) if seats:
                value = _value_after(events, at)
                found.append(Robbery(None, city, seats, needed, success, value))
            case TileTaken(_, city, value) if not at:
                found.append(Haul(city, value))
            case _:
                pass
    return tuple(found)


def _value_after(events: tuple[Event, ...], at: int) -> int | None:
    """Give the tile that was taken by what an event tells, if it follows at once."""
    after = events[at + 1 : at + 2]
    return next((event.value for event in after if isinstance(event, TileTaken)), None)

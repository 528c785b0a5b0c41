"""What everybody at the table looks up for, made from what happened in the open."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from referee.games.base import QUIET

from .events import (
    AreaGrew,
    BonusLaid,
    CattleRemoved,
    CattleRustled,
    DominoLaid,
    DominoReported,
    Event,
    PartnerHired,
    RanchFull,
    RoundBegun,
    TilesSwapped,
)
from .model import Landscape, Partner, Tile


class LastRound(Struct, frozen=True, tag="last_round"):
    """The last round begins."""


class BigArea(Struct, frozen=True, tag="big_area"):
    """An area grew by much: so many tiles, so many cattle that count."""

    seat: int
    landscape: Landscape
    tiles: int
    cattle: int
    points: int


class FullRanch(Struct, frozen=True, tag="full_ranch"):
    """A ranch has all its dominoes."""

    seat: int
    points: int


class Skull(Struct, frozen=True, tag="skull"):
    """Skulls took cattle."""

    seat: int
    count: int


class Hired(Struct, frozen=True, tag="hired"):
    """A circle brought a partner, with this side up."""

    seat: int
    partner: Partner


class Rustled(Struct, frozen=True, tag="rustled"):
    """A rustler took one of the cattle of somebody."""

    seat: int
    victim: int


class Swapped(Struct, frozen=True, tag="swapped"):
    """A desperado swapped tiles with somebody."""

    seat: int
    other: int
    gave: Tile | None
    got: Tile | None


class Bonus(Struct, frozen=True, tag="bonus"):
    """A ranch reached its last row, and a bonus tile lies in it."""

    seat: int
    landscape: Landscape


Moment: TypeAlias = LastRound | BigArea | FullRanch | Skull | Hired | Rustled | Swapped | Bonus


def moments(events: tuple[Event, ...]) -> tuple[Moment | str, ...]:
    """Give the moments of one line of the log, as they followed each other.

    What a domino set off is told until the next domino lies, or a round begins.
    """
    found: list[Moment | str] = []
    for event in events:
        match event:
            case DominoLaid() | RoundBegun(is_last=False):
                found.append(QUIET)
            case RoundBegun():
                found += [QUIET, LastRound()]
            case DominoReported(seat, _, hired):
                found += [QUIET, *(Hired(seat, partner) for partner in hired if partner)]
            case AreaGrew(seat, landscape, tiles, cattle, points):
                found.append(BigArea(seat, landscape, tiles, cattle, points))
            case RanchFull(seat, points):
                found.append(FullRanch(seat, points))
            case CattleRemoved(seat):
                found = _with_skull(found, seat)
            case PartnerHired(seat, _, _, shown):
                found.append(Hired(seat, shown))
            case CattleRustled(seat, victim):
                found.append(Rustled(seat, victim))
            case TilesSwapped(seat, other, gave, got):
                found.append(Swapped(seat, other, gave, got))
            case BonusLaid(seat, landscape):
                found.append(Bonus(seat, landscape))
            case _:
                pass
    return tuple(found)


def _with_skull(found: list[Moment | str], seat: int) -> list[Moment | str]:
    """Add what a skull took; two skulls of a domino are one moment."""
    match found[-1:]:
        case [Skull(count=count)]:
            return [*found[:-1], Skull(seat, count + 1)]
        case _:
            return [*found, Skull(seat, 1)]

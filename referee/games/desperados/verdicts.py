"""What the newest step of the examination comes to: its headline, and what to tell one by one."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from referee.games.once import once

from .events import ActivitySettled, BankHeldUp
from .model import MOVES, SALOON, Card, City
from .view import Public, Ride, Shown


class Caught(Struct, frozen=True, tag="caught"):
    """Somebody was arrested, all of them where the Marshal is."""

    seats: tuple[int, ...]
    city: City


class Failed(Struct, frozen=True, tag="failed"):
    """Somebody's move was impossible, and nobody was arrested."""

    seats: tuple[int, ...]


class RidesOn(Struct, frozen=True, tag="rides_on"):
    """Nothing happened to anybody. `seats` are the desperadoes who still ride, or `is_all`."""

    step: int
    seats: tuple[int, ...]
    is_all: bool


class BanksRobbed(Struct, frozen=True, tag="banks_robbed"):
    """Several banks were robbed, or none was."""

    count: int


Headline: TypeAlias = Caught | Failed | RidesOn | BanksRobbed | ActivitySettled | BankHeldUp
"""The gravest thing that happened."""


class Ending(Struct, frozen=True):
    """Whose turn ended, why, where its pawn stands, and which card it had turned.

    `is_lost`: the city's card is gone for good.
    """

    seat: int
    is_arrest: bool
    city: City
    card: Card
    is_lost: bool


class Verdict(Struct, frozen=True):
    """The newest step in one sentence, and everything that it decided."""

    step: int
    headline: Headline
    endings: tuple[Ending, ...]
    settled: tuple[ActivitySettled, ...]
    held_up: tuple[BankHeldUp, ...]

    @property
    def count(self) -> int:
        """Count what it decided."""
        return len(self.endings) + len(self.settled) + len(self.held_up)


@once  # for the display, and for whoever goes on
def verdict(public: Public) -> Verdict | None:
    """Sum up the newest step of the examination; None before the first and outside of it."""
    shown = public.shown
    if shown is None:
        return None
    rides = {ride.seat: ride for ride in shown.rides}
    endings = tuple(_ending(public, rides[seat]) for seat in shown.over)
    return Verdict(
        shown.step, _headline(public, shown, endings), endings, shown.settled, shown.held_up
    )


def _ending(public: Public, ride: Ride) -> Ending:
    out = public.seats[ride.seat].out
    is_arrest = out is not None and out.why == "arrested"
    is_lost = is_arrest and ride.card != SALOON and ride.target in public.seats[ride.seat].lost
    return Ending(ride.seat, is_arrest, ride.target, ride.card, is_lost)


def _headline(public: Public, shown: Shown, endings: tuple[Ending, ...]) -> Headline:
    if shown.step > MOVES:
        robbed = [bank for bank in shown.held_up if bank.success]
        return robbed[0] if len(robbed) == 1 else BanksRobbed(len(robbed))
    caught = [ending for ending in endings if ending.is_arrest]
    if caught:
        return Caught(tuple(ending.seat for ending in caught), caught[0].city)
    if endings:
        return Failed(tuple(ending.seat for ending in endings))
    # What brought something comes before what failed.
    judged = sorted(shown.settled, key=lambda settled: not settled.success)
    if judged:
        return judged[0]
    gang = [seat for seat in public.seats if not seat.is_marshal]
    riding = tuple(seat.seat for seat in gang if seat.out is None)
    return RidesOn(shown.step, riding, len(riding) == len(gang))

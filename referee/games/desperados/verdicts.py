"""What the newest step of the examination comes to: its headline, and what to tell one by one."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from .events import ActivitySettled, BankHeldUp
from .model import MOVES, Card, City
from .view import Public, Ride, Shown


class TurnsEnd(Struct, frozen=True, tag="turns_end"):
    """Somebody's turn ended; with more than one, `city` is where the first of them was."""

    seats: tuple[int, ...]
    city: City


class RidesOn(Struct, frozen=True, tag="rides_on"):
    """Nothing happened to anybody."""

    step: int


class BanksRobbed(Struct, frozen=True, tag="banks_robbed"):
    """Several banks were robbed, or none was."""

    count: int


Headline: TypeAlias = TurnsEnd | RidesOn | BanksRobbed | ActivitySettled | BankHeldUp
"""The gravest thing that happened."""


class Ending(Struct, frozen=True):
    """Whose turn ended, why, where its pawn stands, and which card it had turned."""

    seat: int
    is_arrest: bool
    city: City
    card: Card


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


def verdict(public: Public) -> Verdict | None:
    """Sum up the newest step of the examination; None before the first and outside of it."""
    shown = public.shown
    if shown is None:
        return None
    rides = {ride.seat: ride for ride in shown.rides}
    endings = tuple(_ending(public, rides[seat]) for seat in shown.over)
    return Verdict(shown.step, _headline(shown), endings, shown.settled, shown.held_up)


def _ending(public: Public, ride: Ride) -> Ending:
    out = public.seats[ride.seat].out
    return Ending(ride.seat, out is not None and out.why == "arrested", ride.target, ride.card)


def _headline(shown: Shown) -> Headline:
    if shown.step > MOVES:
        robbed = [bank for bank in shown.held_up if bank.success]
        return robbed[0] if len(robbed) == 1 else BanksRobbed(len(robbed))
    caught = [ride.target for ride in shown.rides if ride.seat in shown.over]
    if caught:
        return TurnsEnd(shown.over, caught[0])
    # What brought something comes before what failed.
    judged = sorted(shown.settled, key=lambda settled: not settled.success)
    return judged[0] if judged else RidesOn(shown.step)

"""What a phone shows beside its question: what lies open, and how the turn stands."""

from __future__ import annotations

from msgspec import Struct

from referee.games.once import kept

from .model import Card, City, Kind, Out, Venue
from .panels import loots
from .view import Public


class Standing(Struct, frozen=True):
    """How far the game is, and the loot against its target, of which so much is `reached`."""

    turn: int
    move: int
    taken: int
    goal: int
    reached: int


class Ride(Struct, frozen=True):
    """How far somebody has come in a turn, in cards, and what became of them."""

    seat: int
    laid: int
    turned: tuple[Card, ...]
    out: Out | None
    lost: tuple[City, ...]


class Rider(Struct, frozen=True):
    """Who rides, on what its disc lies, and what changes with every card."""

    seat: int
    is_marshal: bool
    disc: Venue | None
    ride: Ride


class Booty(Struct, frozen=True):
    """Tiles by kind that were taken, how many and how much, and where more lie.

    `banks` are cities whose bank has a tile, `poker` those where the poker tile lies; the stacks
    are tiles that can still come.
    """

    kinds: tuple[tuple[Kind, int, int], ...]
    banks: tuple[City, ...]
    poker: tuple[City, ...]
    bank_stack: int
    coach_stack: int


class Overview(Struct, frozen=True):
    """What everybody sees, in pieces: how far the game is, who laid how much, loot and tiles."""

    standing: Standing
    riders: tuple[Rider, ...]
    booty: Booty


@kept("turn", "move", "seats", "loot", "taken", "goal", "tiles", "bank_stack", "coach_stack")
def overview(public: Public) -> Overview:
    """Give what lies open; none of it is about whose phone it is, so it is drawn once for all."""
    loot = loots(public)
    return Overview(
        Standing(public.turn, public.move, loot.taken, loot.goal, loot.reached),
        _riders(public),
        Booty(
            kinds=loot.kinds,
            banks=tuple([t.city for t in public.tiles if t.lies and t.kind == "bank"]),
            poker=tuple([t.city for t in public.tiles if t.lies and t.kind == "poker"]),
            bank_stack=public.bank_stack,
            coach_stack=public.coach_stack,
        ),
    )


def _riders(public: Public) -> tuple[Rider, ...]:
    return tuple(
        [
            Rider(
                seat.seat,
                seat.is_marshal,
                seat.disc,
                Ride(seat.seat, seat.laid, seat.turned, seat.out, seat.lost),
            )
            for seat in public.seats
        ]
    )

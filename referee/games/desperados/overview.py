"""What a phone shows beside its question: what lies open, and how the turn stands."""

from __future__ import annotations

from msgspec import Struct

from referee.games.base import InPieces, Piece
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


class Who(Struct, frozen=True):
    """Who rides, and on what its disc lies."""

    seat: int
    is_marshal: bool
    disc: Venue | None


class Rider(InPieces, frozen=True):
    """Who rides, and how far they are."""

    who: Who
    ride: Ride

    @property
    def around(self) -> Who:
        """Give who rides, which stays."""
        return self.who

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Give what changes with every card."""
        return (Piece("ride", self.ride),)


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


class Riders(Struct, frozen=True):
    """How many ride."""

    count: int


class Overview(InPieces, frozen=True):
    """What everybody sees: how far the game is, who laid how much, loot and tiles."""

    standing: Standing
    riders: tuple[Rider, ...]
    booty: Booty

    @property
    def around(self) -> Riders:
        """Give what stands around the pieces."""
        return Riders(len(self.riders))

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Give each of what it tells."""
        riders = [Piece("rider", rider) for rider in self.riders]
        return (Piece("standing", self.standing), *riders, Piece("booty", self.booty))


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
                Who(seat.seat, seat.is_marshal, seat.disc),
                Ride(seat.seat, seat.laid, seat.turned, seat.out, seat.lost),
            )
            for seat in public.seats
        ]
    )

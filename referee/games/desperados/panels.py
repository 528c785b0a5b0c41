"""What the display's parts show, made from the public view alone."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from referee.games.once import kept, once

from . import maps
from .asked import asked
from .model import KINDS, MOVES, SALOON, Card, City, Coach, Kind, Look, Loot, Out, Venue
from .view import ActivityView, Public, Ride, SeatView, Shown


class Hands(Struct, frozen=True):
    """What hands have to do on the real table now.

    `rides` are pawns to move, `coaches` those that went on, `discs` those just laid, `looks` who
    looks under a bank's tile, if `are_tiles_real`, or on the phone. `cards` are those just lost to
    an arrest, `takings` tiles for the gang.
    """

    rides: tuple[Ride, ...] = ()
    coaches: tuple[tuple[Coach, City], ...] = ()
    discs: tuple[ActivityView, ...] = ()
    looks: tuple[Look, ...] = ()
    are_tiles_real: bool = False
    cards: tuple[tuple[int, City], ...] = ()
    takings: tuple[Loot, ...] = ()
    refill: tuple[City, ...] = ()
    is_over: bool = False


class Loots(Struct, frozen=True):
    """The gang's loot against its target: tiles by kind with how many and how much.

    `reached` is what of the target is reached, at most all of it.
    """

    taken: int
    goal: int
    reached: int
    kinds: tuple[tuple[Kind, int, int], ...]


class Player(Struct, frozen=True):
    """One row of the players' list. `turned` are the cards that the examination has shown."""

    seat: int
    is_marshal: bool
    is_awaited: bool
    has_laid: bool
    laid: int
    turned: tuple[Card, ...]
    out: Out | None
    lost: tuple[City, ...]
    disc: Venue | None


class Players(Struct, frozen=True):
    """The players' list."""

    rows: tuple[Player, ...]


def display_parts(public: Public) -> dict[str, Any]:
    """Give what the display shows, from public facts alone."""
    return {
        "question": asked(public),
        "hands": _hands(public),
        "map": maps.lain(public, "board", is_moving=True),
        "loot": loots(public),
        "players": Players(tuple([_player(public, seat) for seat in public.seats])),
    }


@once  # on the display, and on every phone
def loots(public: Public) -> Loots:
    """Sum up what the gang took."""
    return Loots(
        public.taken,
        public.goal,
        min(public.taken, public.goal),
        _kinds(public),
    )


def _hands(public: Public) -> Hands:
    shown = public.shown
    if shown is not None:
        return Hands(
            rides=tuple(ride for ride in shown.rides if ride.source != ride.target),
            cards=tuple(
                (ride.seat, ride.target)
                for ride in shown.rides
                if ride.seat in shown.over
                and (out := public.seats[ride.seat].out)
                and out.why == "arrested"
                and ride.card != SALOON
                and ride.target in public.seats[ride.seat].lost
            ),
            takings=shown.takings,
            refill=_refilled(public, shown),
            is_over=shown.step > MOVES and public.phase == "examining",
        )
    are_tiles_real = public.rules.origin("bank") == "box"
    if public.phase in ("riding", "laying", "acting"):
        went = [c for c in public.coaches if c.city is not None and not c.is_held]
        # While cards are laid again, hands are still busy with the discs of the move before.
        before = public.move - (public.phase != "acting")
        return Hands(
            coaches=tuple((c.coach, c.city) for c in went if c.city is not None),
            discs=tuple(a for a in public.activities if a.move == before),
            looks=public.looks if public.phase != "acting" else (),
            are_tiles_real=are_tiles_real,
        )
    if public.phase == "examining":
        return Hands(
            discs=tuple(a for a in public.activities if a.move == MOVES),
            looks=public.looks,
            are_tiles_real=are_tiles_real,
        )
    return Hands()


def _refilled(public: Public, shown: Shown) -> tuple[City, ...]:
    """Name the robbed banks on which a new tile lies by now."""
    lying = {tile.city for tile in public.tiles if tile.kind == "bank" and tile.lies}
    return tuple(bank.city for bank in shown.held_up if bank.success and bank.city in lying)


@kept("loot")
def _kinds(public: Public) -> tuple[tuple[Kind, int, int], ...]:
    by_kind = [(kind, [each.value for each in public.loot if each.kind == kind]) for kind in KINDS]
    return tuple([(kind, len(values), sum(values)) for kind, values in by_kind])


def _player(public: Public, seat: SeatView) -> Player:
    """Give one row of the players' list."""
    return Player(
        seat.seat,
        seat.is_marshal,
        seat.seat in public.waiting_for,
        seat.has_laid,
        seat.laid,
        seat.turned,
        seat.out,
        seat.lost,
        seat.disc,
    )

"""What the display's parts show, made from the public view alone."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from referee.games.base import BoardQuestion

from . import maps
from .model import KINDS, MOVES, SALOON, Card, City, Coach, Due, Kind, Loot, Out, Venue
from .roads import Schedule
from .tiles import values_left
from .view import ActivityView, Public, Ride, SeatView, Shown


class Asked(Struct, frozen=True):
    """What the display asks of whom, and what the examination just showed."""

    phase: str
    turn: int
    move: int
    marshal: int
    waiting_for: tuple[int, ...]
    laid: int
    all: int
    question: BoardQuestion | None
    shown: Shown | None
    out: tuple[Out | None, ...]
    due: Due | None
    robbed: tuple[City, ...]
    sheriff: int


class Hands(Struct, frozen=True):
    """What hands have to do on the real table now.

    `rides` are pawns to move, `coaches` those that went on, `discs` those just laid, `cards` those
    just lost to an arrest, `takings` tiles for the gang, `spare` discs that go back.
    """

    rides: tuple[Ride, ...] = ()
    coaches: tuple[tuple[Coach, City], ...] = ()
    discs: tuple[ActivityView, ...] = ()
    cards: tuple[tuple[int, City], ...] = ()
    takings: tuple[Loot, ...] = ()
    refill: tuple[City, ...] = ()
    is_over: bool = False


class Loots(Struct, frozen=True):
    """The gang's loot against its target: tiles by kind with how many and how much."""

    taken: int
    goal: int
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


class Desk(Struct, frozen=True, tag="whole"):
    """What the table's own screen may tell in everybody's place, if its host sits there."""

    fresh: int
    phase: str
    step: int
    marshal: int
    question: BoardQuestion | None
    schedules: tuple[Schedule, ...]
    due: Due | None
    values: tuple[int, ...]
    robbed: tuple[City, ...]


def display_parts(public: Public) -> dict[str, Any]:
    """Give what the display shows, from public facts alone."""
    return {
        "question": _asked(public),
        "hands": _hands(public),
        "map": maps.draw(public, public.shown),
        "loot": Loots(
            public.taken,
            public.goal,
            tuple(_by_kind(public, kind) for kind in KINDS),
        ),
        "players": Players(tuple(_player(public, seat) for seat in public.seats)),
    }


def _asked(public: Public) -> Asked:
    return Asked(
        public.phase,
        public.turn,
        public.move,
        public.marshal,
        public.waiting_for,
        sum(seat.has_laid for seat in public.seats),
        len(public.seats),
        public.question,
        public.shown,
        tuple(seat.out for seat in public.seats),
        public.due[0] if public.due else None,
        public.robbed,
        len(public.sheriffs),
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
    if public.phase in ("riding", "laying", "acting"):
        went = [c for c in public.coaches if c.city is not None and not c.is_held]
        before = public.move - (public.phase != "acting")
        return Hands(
            coaches=tuple((c.coach, c.city) for c in went if c.city is not None),
            discs=tuple(a for a in public.activities if a.move == before),
        )
    if public.phase == "examining":
        return Hands(discs=tuple(a for a in public.activities if a.move == MOVES))
    return Hands()


def _refilled(public: Public, shown: Shown) -> tuple[City, ...]:
    """Name the robbed banks on which a new tile lies by now."""
    lying = {tile.city for tile in public.tiles if tile.kind == "bank" and tile.lies}
    return tuple(bank.city for bank in shown.held_up if bank.success and bank.city in lying)


def _by_kind(public: Public, kind: Kind) -> tuple[Kind, int, int]:
    values = [loot.value for loot in public.loot if loot.kind == kind]
    return kind, len(values), sum(values)


def _player(public: Public, seat: SeatView) -> Player:
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


def desk_part(public: Public, *, fresh: int) -> tuple[Desk]:
    """Give what the host may tell on the display; the forms are the same as on the phones."""
    due = public.due[0] if public.due else None
    return (
        Desk(
            fresh,
            public.phase,
            public.examined,
            public.marshal,
            public.question,
            public.schedules if public.phase == "first_schedule" else (),
            due,
            () if due is None else values_left(public.loot, due.kind),
            public.robbed,
        ),
    )

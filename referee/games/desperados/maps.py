"""The map as a value: what lies on it for all to see, and where somebody's cards lead."""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec import Struct

from referee.games.base import InPieces, Piece
from referee.games.once import kept, once

from .events import ActivitySettled, BankHeldUp
from .model import SALOON, City, Coach, Laid, Venue
from .own import Mate
from .roads import Road
from .timetable import timetable
from .view import Public, Ride, Shown


class Map(Struct, frozen=True):
    """What lies on the map for all to see.

    `banks` are cities with a bank, `full` those where a tile lies, of a bank or of poker.
    `sheriffs` are their cities with how many stand there. `coaches` stand in a city, held by discs
    or not. `rides` are the pawns that just moved, `caught`, `won` and `lost` the cities where
    somebody was arrested and where discs or guns were enough or not. `ahead` are the next stops of
    each coach, from where it stands.
    """

    roads: tuple[Road, ...]
    banks: tuple[City, ...]
    full: tuple[City, ...]
    sheriffs: tuple[tuple[City, int], ...]
    coaches: tuple[tuple[Coach, City, bool], ...]
    pawns: tuple[tuple[int, City, bool], ...]
    marshal: int
    discs: tuple[tuple[Venue, City, tuple[int, ...]], ...]
    rides: tuple[Ride, ...] = ()
    caught: tuple[City, ...] = ()
    won: tuple[City, ...] = ()
    lost: tuple[City, ...] = ()
    ahead: tuple[tuple[Coach, int, tuple[City, ...]], ...] = ()


class Below(Struct, frozen=True):
    """What lies under the cities: the ways of the coaches, and where something came off or not."""

    on: str
    ahead: tuple[tuple[Coach, int, tuple[City, ...]], ...]
    won: tuple[City, ...]
    lost: tuple[City, ...]


class Cities(Struct, frozen=True):
    """The cities: which have a bank, and where a tile lies."""

    on: str
    banks: tuple[City, ...]
    full: tuple[City, ...]


class Stops(Struct, frozen=True):
    """In which move each coach comes to its stops."""

    on: str
    ahead: tuple[tuple[Coach, int, tuple[City, ...]], ...]


class Law(Struct, frozen=True):
    """Where Sheriffs stand."""

    on: str
    sheriffs: tuple[tuple[City, int], ...]


class Rolling(Struct, frozen=True):
    """Where coaches stand."""

    on: str
    coaches: tuple[tuple[Coach, City, bool], ...]


class Riding(Struct, frozen=True):
    """Who stands where: discs, pawns, and cells of those who were caught."""

    on: str
    discs: tuple[tuple[Venue, City, tuple[int, ...]], ...]
    pawns: tuple[tuple[int, City, bool], ...]
    marshal: int
    rides: tuple[Ride, ...]
    caught: tuple[City, ...]


class Name(Struct, frozen=True):
    """Which of a page's maps it is."""

    on: str


class Over(InPieces, frozen=True, cache_hash=True):
    """What lies over the roads, each of it sent when it changes."""

    on: str
    cities: Cities
    stops: Stops
    law: Law
    rolling: Rolling
    riding: Riding

    @property
    def around(self) -> Name:
        """Give the name of its map."""
        return Name(self.on)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Give what lies there, from below to above."""
        return (
            Piece("cities", self.cities),
            Piece("stops", self.stops),
            Piece("law", self.law),
            Piece("rolling", self.rolling),
            Piece("riding", self.riding),
        )


class Ground(Struct, frozen=True):
    """The roads, and the pawns that are seen to ride over them."""

    roads: tuple[Road, ...]
    rides: tuple[Ride, ...]


class Layers(InPieces, frozen=True):
    """A map from below to above: roads stay, and each of the others is sent when it changes.

    `on` in each is the name of the map they lie on: one page has several, and finds them by it.
    """

    on: str
    roads: tuple[Road, ...]
    below: Below
    over: Over

    @property
    def around(self) -> Ground:
        """Give what makes all of it another drawing: pawns ride while theirs is new."""
        return Ground(self.roads, self.over.riding.rides)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Give what lies under the cities, and what lies over the roads."""
        return Piece("below", self.below, alike=True), Piece("over", self.over, alike=True)


class Way(Struct, frozen=True):
    """One seat's way over a map, where it leads, and the cities that can be picked."""

    on: str
    path: tuple[City, ...]
    at: City | None
    picks: tuple[tuple[City, str], ...] = ()


class Ghosts(Struct, frozen=True):
    """Where the mates are by their cards, as one seat's map shows it over all else."""

    on: str
    others: tuple[tuple[int, City], ...]


def ghosts(on: str, mates: tuple[Mate, ...]) -> Ghosts:
    """Show the mates who share their plans, by all cards that lie there."""
    return Ghosts(on, tuple([(mate.seat, mate.at) for mate in mates if mate.at is not None]))


@once  # of a seat's choice a page has the same as of all others'
def lain(public: Public, on: str, *, is_moving: bool = False) -> Layers:
    """Give the map as everybody sees it, cut for a page that sends what changed."""
    return layers(draw(public), on, is_moving=is_moving)


@kept(*Map.__struct_fields__)
def layers(whole: Map, on: str, *, is_moving: bool = False) -> Layers:
    """Cut a map, so that a page is sent of it what changed. `is_moving`: pawns are seen to ride."""
    return Layers(
        on=on,
        roads=whole.roads,
        below=Below(on, whole.ahead, whole.won, whole.lost),
        over=Over(
            on=on,
            cities=Cities(on, whole.banks, whole.full),
            stops=Stops(on, whole.ahead),
            law=Law(on, whole.sheriffs),
            rolling=Rolling(on, whole.coaches),
            riding=Riding(
                on=on,
                discs=whole.discs,
                pawns=whole.pawns,
                marshal=whole.marshal,
                rides=whole.rides if is_moving else (),
                caught=whole.caught,
            ),
        ),
    )


@kept(
    *("roads", "tiles", "sheriffs", "coaches", "seats", "marshal", "activities", "shown"),
    *("turn", "move", "phase", "order", "schedules"),
)
def draw(public: Public) -> Map:
    """Give the map as everybody sees it, with what the newest step of an examination did to it."""
    shown = public.shown
    return Map(
        roads=public.roads,
        banks=_banks(public),
        full=_full(public),
        sheriffs=posts(public.sheriffs),
        coaches=tuple([(c.coach, c.city, c.is_held) for c in public.coaches if c.city is not None]),
        pawns=_pawns(public),
        marshal=public.marshal,
        discs=tuple([(a.venue, a.city, a.seats) for a in public.activities]),
        ahead=_ahead(public),
        **({} if shown is None else _marks(public, shown)),
    )


@kept("tiles")
def _banks(public: Public) -> tuple[City, ...]:
    return tuple([tile.city for tile in public.tiles if tile.kind == "bank"])


@kept("tiles")
def _full(public: Public) -> tuple[City, ...]:
    return tuple([tile.city for tile in public.tiles if tile.lies])


@kept("seats")
def _pawns(public: Public) -> tuple[tuple[int, City, bool], ...]:
    return tuple(
        [
            (seat.seat, seat.pawn, seat.out is not None)
            for seat in public.seats
            if seat.pawn is not None
        ]
    )


def _ahead(public: Public) -> tuple[tuple[Coach, int, tuple[City, ...]], ...]:
    """Give each coach that rides on, the move in which it comes to its next stop, and its way."""
    return tuple(
        [
            (leg.coach, public.move + 1, (leg.city, *leg.ahead))
            for leg in timetable(public).legs
            if leg.city is not None and leg.ahead
        ]
    )


def posts(sheriffs: tuple[City, ...]) -> tuple[tuple[City, int], ...]:
    """Give each city with Sheriffs, and how many stand there."""
    return tuple(Counter(sheriffs).items())


def _marks(public: Public, shown: Shown) -> dict[str, Any]:
    """Mark what the newest step of the examination did on the map."""
    caught = {
        ride.target
        for ride in shown.rides
        if (out := public.seats[ride.seat].out) and out.why == "arrested" and out.step == shown.step
    }
    judged: tuple[ActivitySettled | BankHeldUp, ...] = (*shown.settled, *shown.held_up)
    return {
        "rides": tuple(ride for ride in shown.rides if ride.source != ride.target),
        "caught": tuple(sorted(caught)),
        "won": tuple(one.city for one in judged if one.success),
        "lost": tuple(one.city for one in judged if not one.success),
    }


def follow(start: City | None, route: tuple[Laid, ...]) -> tuple[City, ...]:
    """Follow cards over the map; the saloon stays."""
    if start is None:
        return ()
    return (start, *[laid.card for laid in route if laid.card != SALOON])


@once
def cities(public: Public, on: str) -> Cities:
    """Give the cities of a map that nothing else lies on, so that it is not redrawn while held."""
    return Cities(on, _banks(public), _full(public))

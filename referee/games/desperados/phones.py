"""What a phone's parts show: made from the public view, the seat's own and what it may do."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from referee.games.base import BoardQuestion, Mood

from . import maps
from .activities import Plan
from .hands import Mate, Own, Seen
from .model import Card, Choice, City, Due, Laid, Out, Returned
from .roads import Schedule
from .view import Public, Shown


class Head(Struct, frozen=True):
    """The line at the top of a phone."""

    phase: str
    mood: Mood
    is_marshal: bool
    turn: int
    move: int
    has_laid: bool


class Idle(Struct, frozen=True, tag="idle"):
    """What a phone says while others act."""

    phase: str
    waiting_for: tuple[int, ...]
    marshal: int


class Ask(Struct, frozen=True, tag="whole"):
    """What a phone asks. `fresh` is the version from which on an answer still counts.

    `at` is where this seat is by its own cards of earlier moves, `laid` its card of this move,
    `path` the cities of its way so far, `others` where the mates are who share their plans. A
    desperado's `choice` is what it declared. `sheriff` is the number of the one to place next.
    """

    phase: str
    turn: int
    move: int
    is_marshal: bool
    legal: tuple[Any, ...]
    fresh: int
    map: maps.Map
    at: City | None
    laid: Laid | None
    path: tuple[City, ...]
    others: tuple[tuple[int, City], ...]
    dead_ends: tuple[Card, ...]
    is_broken: bool
    is_stuck: bool
    is_hidden: bool
    choice: Choice | None
    question: BoardQuestion | None
    shown: Shown | None
    out: tuple[Out | None, ...]
    due: Due | None
    needed: int
    schedules: tuple[Schedule, ...]
    sheriffs: int


class Gang(Struct, frozen=True):
    """What the gang knows of each other, and the end of its part of a move.

    `planned` are discs that are proposed, `undecided` the mates who have said nothing yet and
    could do something. After the last move nothing but the discs that were `returned` is told.
    """

    is_on: bool
    phase: str
    seat: int
    fresh: int
    mates: tuple[Mate, ...]
    planned: tuple[Plan, ...]
    undecided: tuple[int, ...]
    returned: tuple[Returned, ...]
    is_hidden: bool
    may_hide: bool
    may_place: bool


class Secrets(Struct, frozen=True):
    """What a phone shows while its owner holds to look: way, tiles, cards lost for good."""

    is_marshal: bool
    is_on_map: bool
    start: City | None
    route: tuple[Laid, ...]
    at: City | None
    path: tuple[City, ...]
    tiles: tuple[Seen, ...]
    lost: tuple[City, ...]
    is_box: bool
    map: maps.Map


def common_parts(public: Public) -> dict[str, Any]:  # noqa: ARG001  # the map is in what is asked
    """Give what every phone shows alike: nothing here, for each has a map of its own."""
    return {}


def seat_parts(
    public: Public, own: Own, legal: tuple[Any, ...], seat: int, *, fresh: int
) -> dict[str, Any]:
    """Give what one seat's phone shows."""
    is_asked = has_to_choose(public, legal)
    return {
        "head": _head(public, seat, mood(public, legal, seat)),
        "ask": (_ask(public, own, legal, seat, fresh) if is_asked else _idle(public),),
        "gang": _gang(public, own, seat, fresh),
        "own": _secrets(public, own, seat),
    }


def has_to_choose(public: Public, legal: tuple[Any, ...]) -> bool:  # noqa: ARG001  # as others do
    """Say whether there is something to do."""
    return bool(legal)


def mood(public: Public, legal: tuple[Any, ...], seat: int) -> Mood:
    """Say whether a seat holds up the table, may do something, or waits."""
    if seat in public.waiting_for:
        return "asked"
    return "able" if has_to_choose(public, legal) else "waiting"


def _head(public: Public, seat: int, mood: Mood) -> Head:
    mine = public.seats[seat]
    return Head(public.phase, mood, mine.is_marshal, public.turn, public.move, mine.has_laid)


def _idle(public: Public) -> Idle:
    return Idle(public.phase, public.waiting_for, public.marshal)


def _ask(public: Public, own: Own, legal: tuple[Any, ...], seat: int, fresh: int) -> Ask:
    is_laying = public.phase in ("riding", "laying")
    has_laid = is_laying and public.seats[seat].has_laid
    earlier = own.route[:-1] if has_laid else own.route
    start = public.seats[seat].pawn
    path = maps.follow(start, earlier)
    is_marshal = public.marshal == seat
    shows = is_laying or public.phase == "acting"
    return Ask(
        phase=public.phase,
        turn=public.turn,
        move=public.move,
        is_marshal=is_marshal,
        legal=legal,
        fresh=fresh,
        map=maps.draw(public, public.shown),
        at=_at(public, own, path) if shows else None,
        laid=own.route[-1] if has_laid else None,
        path=path if shows and not is_marshal and not own.is_broken else (),
        others=_others(public, own) if shows else (),
        dead_ends=own.dead_ends,
        is_broken=own.is_broken,
        is_stuck=own.is_stuck,
        is_hidden=own.is_hidden,
        choice=own.choice,
        question=public.question,
        shown=public.shown,
        out=tuple(seat.out for seat in public.seats),
        due=public.due[0] if public.due else None,
        needed=public.sheriffs.count(own.at) + 1 if own.at else 1,
        schedules=public.schedules if public.phase == "first_schedule" else (),
        sheriffs=len(public.seats) - 1,
    )


def _at(public: Public, own: Own, path: tuple[City, ...]) -> City | None:
    """Say where a seat is by its cards of earlier moves; nowhere in particular once one failed."""
    if public.phase == "acting":
        return own.at
    return path[-1] if path and not own.is_broken else None


def _others(public: Public, own: Own) -> tuple[tuple[int, City], ...]:
    """Place the mates who share their plans where they were when this move began.

    What they lay in this move does not stir the map that somebody is choosing on.
    """
    if public.phase == "acting":
        return tuple((mate.seat, mate.at) for mate in own.mates if mate.at is not None)
    if public.move == 1:
        return ()
    return tuple(
        (mate.seat, maps.follow(public.seats[mate.seat].pawn, mate.route[: public.move - 1])[-1])
        for mate in own.mates
        if mate.route is not None and public.seats[mate.seat].pawn is not None
    )


def _gang(public: Public, own: Own, seat: int, fresh: int) -> Gang:
    is_planning = own.role == "desperado" and public.phase in ("riding", "laying", "acting")
    is_closed = public.phase == "examining" and not public.examined
    is_on = is_planning or (is_closed and bool(own.returned))
    return Gang(
        is_on=is_on,
        phase=public.phase if is_on else "",
        seat=seat,
        fresh=fresh if is_planning else 0,
        mates=own.mates if is_planning else (),
        planned=own.planned,
        undecided=tuple(mate.seat for mate in own.mates if mate.is_undecided),
        returned=own.returned if is_on else (),
        is_hidden=own.is_hidden,
        may_hide=is_planning and public.phase != "riding",
        may_place=is_planning and public.phase == "acting",
    )


def _secrets(public: Public, own: Own, seat: int) -> Secrets:
    mine = public.seats[seat]
    is_planning = public.phase in ("riding", "laying", "acting")
    return Secrets(
        is_marshal=mine.is_marshal,
        is_on_map=mine.pawn is not None,
        start=mine.pawn if is_planning else None,
        route=own.route,
        at=own.at if is_planning else None,
        path=maps.follow(mine.pawn, own.route) if is_planning and not own.is_broken else (),
        tiles=own.tiles,
        lost=mine.lost,
        is_box=public.rules.origin("bank") == "box",
        map=maps.draw_own(public, seat),
    )

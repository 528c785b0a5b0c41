"""Poker, coaches and spying: declared among the gang, then placed together."""

from __future__ import annotations

from hashlib import blake2s
from typing import Literal, TypeAlias

from msgspec import Struct, json

from referee.errors import IllegalAction, NotYourTurn
from referee.games.base import Step
from referee.games.once import once

from . import schedules
from .actions import Action, Declare, PlaceDiscs
from .events import BankSpied, DiscsPlaced, Event, GangDone
from .laying import plan_legal
from .model import (
    CITIES,
    COACHES,
    MOVES,
    Acting,
    Activity,
    Choice,
    City,
    Examining,
    Look,
    Returned,
    Spying,
    State,
    Venue,
    replace,
    swap,
)
from .trails import trail


@once  # asked of what is legal, of mates who have not decided, and of what is planned
def options(state: State, seat: int) -> tuple[Choice, ...]:
    """Give what a desperado may do where its own cards say it is; nothing is always possible.

    Ruling: one activity per poker tile and per coach in a turn, joined only in the move in which
    it starts. Ruling: after a card that could not be played one takes part in nothing.
    """
    at = trail(state, seat)
    if at.is_broken:
        return ("nothing",)
    # Everybody has one disc a turn; a spy needs none, so may spy after laying it.
    venues = venues_in(state, at.at) if state.disc(seat) is None else ()
    can_spy = at.at in state.board.banks and state.tile(at.at) is not None
    return ("nothing", *venues, *(("spy",) if can_spy else ()))


def venues_in(state: State, city: City) -> tuple[Venue, ...]:
    """Give what a disc could be laid on in a city, if the gang has enough of them left."""
    if _discs_left(state) <= state.sheriffs_in(city):
        return ()
    return tuple([v for v in _venues_at(state, city) if state.activity(v, city) is None])


def _venues_at(state: State, city: City) -> tuple[Venue, ...]:
    """Give what there is in a city for discs: its poker tile, coaches."""
    coaches = tuple([c for c, at in zip(COACHES, state.coaches, strict=True) if at == city])
    is_poker = city in state.board.poker and state.tile(city) is not None
    return ("poker", *coaches) if is_poker else coaches


def _discs_left(state: State) -> int:
    # Discs of all, not of those here: where mates are who hide their plans is theirs to say.
    # By owner, not counted: what was told anew may lay a disc that is laid again later on.
    laid = {seat for activity in state.activities for seat in activity.seats}
    return len({*state.gang} - laid)


Hindrance: TypeAlias = Literal["", "broken", "nothing_here", "disc_used", "started", "too_few"]
"""Why a desperado has no disc to lay."""


def hindrance(state: State, seat: int) -> Hindrance:
    """Say why a desperado can lay no disc where it is; "" if it can."""
    at = trail(state, seat)
    here = _venues_at(state, at.at)
    if at.is_broken:
        return "broken"
    if not here:
        return "nothing_here"
    if state.disc(seat) is not None:
        return "disc_used"
    if all(state.activity(venue, at.at) for venue in here):
        return "started"
    return "" if venues_in(state, at.at) else "too_few"


def legal(state: State, seat: int) -> tuple[Action, ...]:
    """Give what a desperado may declare, and the end of the gang's part.

    It names no number of discs, so that what mates declare makes nobody's own page an old one.
    """
    if seat == state.marshal:
        return ()
    declared = tuple(map(Declare, options(state, seat)))
    return (*declared, *plan_legal(state, seat), PlaceDiscs())


def declare(state: State, seat: int, choice: Choice) -> Step:
    """Tell the gang what one wants to do, or change one's mind; nobody else notices.

    Ruling: so the gang learns where somebody is who hides their plan; they may do nothing instead.
    """
    phase = _acting(state, seat)
    if choice not in options(state, seat):
        raise IllegalAction("not_here", section="activities", choice=choice)
    state = replace(state, phase=Acting(swap(phase.choices, seat, choice)))
    # To want nothing tells no mate where one is.
    tells = choice != "nothing"
    return Step(state, reveals=tells, secret=True, audience=frozenset(state.gang))


def _acting(state: State, seat: int) -> Acting:
    phase = state.phase
    if not isinstance(phase, Acting) or seat == state.marshal:
        raise NotYourTurn(section="activities")
    return phase


class Plan(Struct, frozen=True):
    """Who wants to take part in one activity, and how many it takes."""

    venue: Venue
    city: City
    seats: tuple[int, ...]
    needed: int

    @property
    def is_enough(self) -> bool:
        """Say whether there are more discs than Sheriffs."""
        return len(self.seats) >= self.needed


@once  # shown to each of the gang, and marked
def plans(state: State, phase: Acting) -> tuple[Plan, ...]:
    """Give every activity that somebody declared for, in the order of cities."""
    joined: dict[tuple[City, Venue], list[int]] = {}
    for seat, choice in enumerate(phase.choices):
        # A correction may have taken away since what somebody had declared for.
        if choice in ("poker", "brown", "blue") and choice in options(state, seat):
            joined.setdefault((trail(state, seat).at, choice), []).append(seat)
    return tuple(
        Plan(venue, city, tuple(seats), state.sheriffs_in(city) + 1)
        for (city, venue), seats in sorted(joined.items(), key=_by_city)
    )


def _by_city(item: tuple[tuple[City, Venue], list[int]]) -> tuple[int, Venue]:
    (city, venue), _ = item
    return CITIES.index(city), venue


def spies(state: State, phase: Acting) -> tuple[Look, ...]:
    """Name who wants to look at a bank's tile, and where."""
    return tuple(
        Look(seat, trail(state, seat).at)
        for seat, choice in enumerate(phase.choices)
        if choice == "spy" and choice in options(state, seat)
    )


def mark_of(state: State, phase: Acting) -> str:
    """Give a mark for all that the gang plans to do now: another one for any other plan.

    It says nothing by itself, and nobody but the gang ever gets to see it.
    """
    content = json.encode((state.turn, state.move, plans(state, phase), spies(state, phase)))
    return blake2s(content, digest_size=8).hexdigest()


def place(state: State, seat: int, seen: str | None) -> Step:
    """Lay the discs of every activity with more discs than Sheriffs; the others go back.

    Ruling: any desperado may say for the gang that it is done; who has declared nothing does
    nothing. Discs that were too few are named to the gang alone. Who saw something else planned
    is refused, for there was something new to agree on. How it was said stays sealed.
    """
    phase = _acting(state, seat)
    planned = plans(state, phase)
    if seen is not None and seen != mark_of(state, phase):
        raise IllegalAction("went_on", section="activities")
    too_few = tuple(
        Returned(owner, plan.venue, plan.city)
        for plan in planned
        if not plan.is_enough
        for owner in plan.seats
    )
    activities = tuple(
        # With the Sheriffs of now: the examination judges by them, wherever they ride later.
        Activity(plan.venue, plan.city, state.move, plan.needed - 1, plan.seats)
        for plan in planned
        if plan.is_enough
    )
    return laid(state, activities, spies(state, phase), too_few)


def laid(
    state: State,
    activities: tuple[Activity, ...],
    looks: tuple[Look, ...],
    returned: tuple[Returned, ...],
) -> Step:
    """End the gang's part of a move with what it laid, spied and took back."""
    events: tuple[Event, ...] = tuple(
        DiscsPlaced(one.venue, one.city, one.seats, one.sheriffs + 1) for one in activities
    )
    state = replace(state, activities=state.activities + activities)
    state, spied = _spy(state, looks)
    spyings = tuple(Spying(look.seat, look.city, state.move) for look in looks)
    state = replace(state, returned=returned, looks=looks, spyings=state.spyings + spyings)
    events = (*events, *spied, GangDone(state.move))
    if state.move < MOVES:
        step = schedules.begin_move(state, events)
    else:
        step = Step(replace(state, phase=Examining(0, (None,) * state.seats)), events)
    return replace(step, reveals=True, secret=True)


def _spy(state: State, looks: tuple[Look, ...]) -> tuple[State, tuple[Event, ...]]:
    """Let each spy look at the tile of the bank they are at, whatever Sheriffs are there."""
    for look in looks:
        # A tile that is spied on twice is known once.
        seen = tuple(other for other in state.spied[look.seat] if other != look.city)
        state = replace(state, spied=swap(state.spied, look.seat, (*seen, look.city)))
    return state, tuple(BankSpied(look.seat, look.city) for look in looks)

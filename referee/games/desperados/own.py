"""What one seat alone may see, built from nothing."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from referee.games.once import kept, once

from . import activities, suggesting
from .model import (
    MOVES,
    UNSEEN,
    Acting,
    Card,
    Choice,
    City,
    Idea,
    Laid,
    Laying,
    Look,
    Returned,
    Riding,
    State,
)
from .trails import dead_ends, hand, is_stuck, trail

PLANNING: Final = (Riding, Laying, Acting)
"""The phases in which cards are laid and plans are made."""


class Seen(Struct, frozen=True):
    """A bank tile whose value a seat knows."""

    city: City
    value: int


class Raid(Struct, frozen=True):
    """The bank that is robbed at the end of this turn: how many are there, against how many.

    `there` counts those who share their plans.
    """

    city: City
    there: int
    sheriffs: int

    @property
    def is_enough(self) -> bool:
        """Say whether they are more than the Sheriffs, as it takes."""
        return self.there > self.sheriffs


class Mate(Struct, frozen=True):
    """What a desperado knows of another: cards, where they lead, and what they want to do.

    `route` and `at` are None for one who hides their plan. `is_undecided` in the gang's part: has
    said nothing yet, and could do something as far as the gang can tell.
    """

    seat: int
    is_hidden: bool
    route: tuple[Laid, ...] | None
    at: City | None
    choice: Choice | None
    is_undecided: bool


class Own(Struct, frozen=True):
    """What one seat alone sees.

    `hand` are the cards it may still lay in this turn, `route` those on the table, `at` where they
    lead; `is_broken` says that one of them could not be played, `is_stuck` that no card to lay now
    surely can be. `dead_ends` are cards to lay now
    after which the turn's later moves cannot all be made. `tiles` are bank tiles it knows.
    For a desperado: `mates`, what the gang `planned` for this move with its `plan_mark`, the discs
    that were `returned` at the last one, and the banks where this seat `looked` then. `hindrance`
    is why there is no disc to lay where it is, `raid` the bank that it is about to rob there.
    `ideas` are what the gang suggested silently, `idea_moves` the moves for which more can be.
    """

    role: Literal["marshal", "desperado"]
    hand: tuple[Card, ...]
    route: tuple[Laid, ...]
    at: City | None
    is_broken: bool
    is_stuck: bool
    dead_ends: tuple[Card, ...]
    is_hidden: bool
    choice: Choice | None
    tiles: tuple[Seen, ...]
    mates: tuple[Mate, ...]
    planned: tuple[activities.Plan, ...]
    plan_mark: str | None
    looked: tuple[Look, ...]
    hindrance: activities.Hindrance
    raid: Raid | None
    returned: tuple[Returned, ...]
    ideas: tuple[Idea, ...]
    idea_moves: tuple[int, ...]


def own(state: State, seat: int) -> Own:
    """Build what only this seat may see."""
    is_marshal = seat == state.marshal
    at = None if state.pawns[seat] is None else _planned(state, seat)
    is_laying = _is_laying(state, seat)
    return Own(
        role="marshal" if is_marshal else "desperado",
        hand=hand(state, seat) if state.move else (),
        route=state.routes[seat],
        at=at,
        is_broken=_is_broken(state, seat),
        is_stuck=is_laying and is_stuck(state, seat),
        dead_ends=dead_ends(state, seat) if is_laying else (),
        is_hidden=state.hidden[seat],
        choice=_choice(state, seat),
        tiles=_known_tiles(state, seat),
        mates=() if is_marshal else tuple([_mate(state, s) for s in state.gang if s != seat]),
        planned=() if is_marshal else _plans(state),
        plan_mark=None if is_marshal else _plan_mark(state),
        hindrance="" if is_marshal else _hindrance(state, seat),
        raid=None if is_marshal else _raid(state, seat),
        looked=tuple([look for look in state.looks if look.seat == seat]),
        returned=() if is_marshal else state.returned,
        ideas=() if is_marshal else suggesting.open_ideas(state),
        idea_moves=() if is_marshal else suggesting.open_moves(state),
    )


def _is_laying(state: State, seat: int) -> bool:
    """Say whether a seat may lay or change its card now."""
    is_marshals = isinstance(state.phase, Riding) and seat == state.marshal
    return is_marshals or isinstance(state.phase, Laying)


def _is_planning(state: State) -> bool:
    return isinstance(state.phase, PLANNING)


def _planned(state: State, seat: int) -> City | None:
    """Give where a seat's cards lead; in the examination its pawn shows it."""
    return trail(state, seat).at if _is_planning(state) else state.pawns[seat]


def _is_broken(state: State, seat: int) -> bool:
    return _is_planning(state) and trail(state, seat).is_broken


def _choice(state: State, seat: int) -> Choice | None:
    return state.phase.choices[seat] if isinstance(state.phase, Acting) else None


@kept("marshal", "board", "spied", "tiles")
def _known_tiles(state: State, seat: int) -> tuple[Seen, ...]:
    """Give the bank tiles a seat knows: all for the Marshal, the spied ones for a desperado."""
    cities = state.board.banks if seat == state.marshal else state.spied[seat]
    # What lies on the real table was looked at there, and is unseen here.
    values = [(city, state.tile(city)) for city in cities]
    return tuple([Seen(city, value) for city, value in values if value not in (None, UNSEEN)])


@once  # each of the gang sees it
def _mate(state: State, seat: int) -> Mate:
    is_hidden = state.hidden[seat]
    at = None if is_hidden or state.pawns[seat] is None else _planned(state, seat)
    # Who hides a plan counts as undecided whatever it is: else it would tell where they are.
    is_deciding = isinstance(state.phase, Acting) and _choice(state, seat) is None
    return Mate(
        seat=seat,
        is_hidden=is_hidden,
        route=None if is_hidden else state.routes[seat],
        at=at,
        choice=_choice(state, seat),
        is_undecided=is_deciding and (is_hidden or len(activities.options(state, seat)) > 1),
    )


@once
def _plans(state: State) -> tuple[activities.Plan, ...]:
    return activities.plans(state, state.phase) if isinstance(state.phase, Acting) else ()


@once
def _plan_mark(state: State) -> str | None:
    phase = state.phase
    return activities.mark_of(state, phase) if isinstance(phase, Acting) else None


def _hindrance(state: State, seat: int) -> activities.Hindrance:
    return activities.hindrance(state, seat) if isinstance(state.phase, Acting) else ""


def _raid(state: State, seat: int) -> Raid | None:
    """Say against how many Sheriffs the bank is robbed to which the last card leads."""
    at = trail(state, seat) if isinstance(state.phase, Acting) else None
    if state.move < MOVES or at is None or at.is_broken:
        return None
    if at.at not in state.board.banks or state.tile(at.at) is None:
        return None
    known = [mate for mate in state.gang if mate == seat or not state.hidden[mate]]
    there = sum(trail(state, mate) == at for mate in known)
    return Raid(at.at, there, state.sheriffs_in(at.at))

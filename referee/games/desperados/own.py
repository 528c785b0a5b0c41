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
from .trails import Trail, cards, dead_ends, hand, trail

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


class Shared(Struct, frozen=True):
    """What all of the gang see of it, as `Own` has it; nothing of it is the Marshal's."""

    mates: tuple[Mate, ...] = ()
    planned: tuple[activities.Plan, ...] = ()
    plan_mark: str | None = None
    returned: tuple[Returned, ...] = ()
    ideas: tuple[Idea, ...] = ()
    idea_moves: tuple[int, ...] = ()


def own(state: State, seat: int) -> Own:
    """Build what only this seat may see."""
    phase, is_marshal = state.phase, seat == state.marshal
    way = _way(state, seat)
    is_laying = isinstance(phase, Laying) or (is_marshal and isinstance(phase, Riding))
    shared = _NOTHING_SHARED if is_marshal else _shared(state)
    choices = _choices(state)
    is_acting = choices is not None and not is_marshal
    return Own(
        role="marshal" if is_marshal else "desperado",
        hand=hand(state, seat) if state.move else (),
        route=state.routes[seat],
        at=state.pawns[seat] if way is None else way.at,
        is_broken=way is not None and way.is_broken,
        is_stuck=is_laying and cards(state, seat).is_stuck,
        dead_ends=dead_ends(state, seat) if is_laying else (),
        is_hidden=state.hidden[seat],
        choice=choices[seat] if choices else None,
        tiles=_known_tiles(state, seat),
        mates=tuple([mate for mate in shared.mates if mate.seat != seat]),
        planned=shared.planned,
        plan_mark=shared.plan_mark,
        hindrance=activities.hindrance(state, seat) if is_acting else "",
        raid=_raid(state, seat) if is_acting else None,
        looked=tuple([look for look in state.looks if look.seat == seat]) if state.looks else (),
        returned=shared.returned,
        ideas=shared.ideas,
        idea_moves=shared.idea_moves,
    )


def _choices(state: State) -> tuple[Choice | None, ...] | None:
    """Give what each seat wants to do, None unless that is asked."""
    return state.phase.choices if isinstance(state.phase, Acting) else None


def _way(state: State, seat: int) -> Trail | None:
    """Give where a seat's cards lead while plans are made; in the examination its pawn shows it."""
    is_planning = isinstance(state.phase, PLANNING) and state.pawns[seat] is not None
    return trail(state, seat) if is_planning else None


@kept("marshal", "board", "spied", "tiles")
def _known_tiles(state: State, seat: int) -> tuple[Seen, ...]:
    """Give the bank tiles a seat knows: all for the Marshal, the spied ones for a desperado."""
    cities = state.board.banks if seat == state.marshal else state.spied[seat]
    # What lies on the real table was looked at there, and is unseen here.
    values = [(city, state.tile(city)) for city in cities]
    return tuple([Seen(city, value) for city, value in values if value not in (None, UNSEEN)])


_NOTHING_SHARED: Final = Shared()


@once
def _shared(state: State) -> Shared:
    """Build what each of the gang sees: mates, plans and what was suggested."""
    phase = state.phase
    return Shared(
        mates=tuple([_mate(state, seat) for seat in state.gang]),
        planned=activities.plans(state, phase) if isinstance(phase, Acting) else (),
        plan_mark=activities.mark_of(state, phase) if isinstance(phase, Acting) else None,
        returned=state.returned,
        ideas=suggesting.open_ideas(state),
        idea_moves=suggesting.open_moves(state),
    )


def _mate(state: State, seat: int) -> Mate:
    is_hidden, choices = state.hidden[seat], _choices(state)
    way = None if is_hidden else _way(state, seat)
    choice = choices[seat] if choices else None
    # Who hides a plan counts as undecided whatever it is: else it would tell where they are.
    is_deciding = choices is not None and choice is None
    return Mate(
        seat=seat,
        is_hidden=is_hidden,
        route=None if is_hidden else state.routes[seat],
        at=None if is_hidden else state.pawns[seat] if way is None else way.at,
        choice=choice,
        is_undecided=is_deciding and (is_hidden or len(activities.options(state, seat)) > 1),
    )


def _raid(state: State, seat: int) -> Raid | None:
    """Say against how many Sheriffs the bank is robbed to which the last card leads."""
    if state.move < MOVES:
        return None
    at = trail(state, seat)
    if at.is_broken:
        return None
    if at.at not in state.board.banks or state.tile(at.at) is None:
        return None
    known = [mate for mate in state.gang if mate == seat or not state.hidden[mate]]
    there = sum(trail(state, mate) == at for mate in known)
    return Raid(at.at, there, state.sheriffs_in(at.at))

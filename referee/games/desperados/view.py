"""What each viewer may see, built from nothing."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from msgspec import Struct

from referee.games.base import BoardQuestion, Result
from referee.games.once import kept

from . import deal, placing, schedules, scoring
from .events import ActivitySettled, BankHeldUp
from .model import (
    COACHES,
    EXAMINATION,
    MOVES,
    Acting,
    Card,
    City,
    Coach,
    Due,
    Ended,
    Examination,
    Examining,
    FirstSchedule,
    Laying,
    Look,
    Loot,
    Out,
    Placing,
    Record,
    Refilling,
    Riding,
    Rules,
    State,
    Surveying,
    Turning,
    Venue,
)
from .roads import Road, Schedule
from .trails import has_laid, way
from .whereabouts import Known, Sighting, Whereabouts, possible


class SeatView(Struct, frozen=True):
    """What everybody sees of a seat.

    `laid` counts cards on the table, `has_laid` is about this move; `turned` are cards that the
    examination has shown; `lost` are cards gone for good; `disc` says what its disc lies on.
    """

    seat: int
    is_marshal: bool
    pawn: City | None
    laid: int
    has_laid: bool
    turned: tuple[Card, ...]
    out: Out | None
    lost: tuple[City, ...]
    disc: Venue | None


class CoachView(Struct, frozen=True):
    """A coach: where it stands, what it follows in this turn, and whether discs hold it."""

    coach: Coach
    city: City | None
    stops: tuple[City, ...]
    is_held: bool


class ActivityView(Struct, frozen=True):
    """Discs on a poker tile or a coach; `spare` of them are more than it takes."""

    venue: Venue
    city: City
    move: int
    seats: tuple[int, ...]
    needed: int
    spare: int


class TileView(Struct, frozen=True):
    """A city with a bank or poker tile. `lies`: it is still there."""

    city: City
    kind: Literal["bank", "poker"]
    lies: bool


class Ride(Struct, frozen=True):
    """A card that was turned, and where its pawn came from and stands now."""

    seat: int
    card: Card
    source: City
    target: City


class Shown(Struct, frozen=True):
    """What the newest step of the examination brought to light.

    `over` are the seats whose turn it ended, `takings` the tiles it brought the gang.
    """

    step: int
    rides: tuple[Ride, ...]
    over: tuple[int, ...]
    settled: tuple[ActivitySettled, ...]
    held_up: tuple[BankHeldUp, ...]
    takings: tuple[Loot, ...]


class Public(Struct, frozen=True):
    """What everybody sees.

    `to_act` may act, `waiting_for` are those who hold up the table, alone unless
    what is asked `is_anybodys` to do. `examined` counts the steps of
    the examination that were shown, `closed` the moves of this turn whose cards all lie there;
    `whereabouts` is where each desperado may be, if the table wishes to see that;
    `looks` are who spied where in the gang's last part of a move; `due` are tiles whose value the
    table has to tell; `robbed` are banks that wait for a tile. `shown` is the examination's newest
    step. `order` names the schedules as brown follows them. `question` is about the board.
    `history` holds all routes once the game is over.
    """

    phase: str
    turn: int
    move: int
    marshal: int
    star: int
    to_act: tuple[int, ...]
    waiting_for: tuple[int, ...]
    is_anybodys: bool
    seats: tuple[SeatView, ...]
    sheriffs: tuple[City, ...]
    coaches: tuple[CoachView, ...]
    order: tuple[str, ...]
    schedules: tuple[Schedule, ...]
    activities: tuple[ActivityView, ...]
    tiles: tuple[TileView, ...]
    bank_stack: int
    coach_stack: int
    loot: tuple[Loot, ...]
    taken: int
    goal: int
    examined: int
    shown: Shown | None
    closed: int
    whereabouts: tuple[Whereabouts, ...]
    looks: tuple[Look, ...]
    due: tuple[Due, ...]
    robbed: tuple[City, ...]
    roads: tuple[Road, ...]
    is_map_complete: bool
    practice: bool
    question: BoardQuestion | None
    rules: Rules
    result: Result | None
    history: tuple[Record, ...] | None

    @property
    def is_shared(self) -> bool:
        """Say whether each of those who are waited for ends it for all: a gang's part."""
        return self.phase == "acting"

    @property
    def practice_decks(self) -> bool:
        """Say whether tiles that the app dealt are made up: never, their values are printed."""
        return False

    @property
    def arrests(self) -> tuple[int, ...]:
        """Count by seat how often it was arrested in the turns that are told, or made arrests."""
        caught = Counter(
            seat
            for record in self.history or ()
            for seat, out in enumerate(record.out)
            if out is not None and out.why == "arrested"
        )
        by_seat = [caught[seat.seat] for seat in self.seats]
        by_seat[self.marshal] = caught.total()
        return tuple(by_seat)


def to_act(state: State) -> frozenset[int]:
    """Name the seats that are asked something, from public facts alone.

    The whole gang is asked until its part of a move is over: who of them still has something to
    do is not public.
    """
    match state.phase:
        case Surveying() | FirstSchedule() | Laying() | Turning():
            return frozenset(range(state.seats))
        case Placing():
            return placing.placers(state)
        case Acting():
            return frozenset(state.gang)
        case Riding() | Examining() | Refilling():
            return frozenset((state.marshal,))
        case _:
            return frozenset()


def _waiting_for(state: State) -> tuple[int, ...]:
    """Name the seats without whom nothing goes on; others may act, but need not."""
    if isinstance(state.phase, Laying):
        return tuple([seat for seat in range(state.seats) if not has_laid(state, seat)])
    return tuple(sorted(to_act(state)))


def public(state: State) -> Public:
    """Build what everybody may see; the end shows everything."""
    phase = state.phase
    is_over = isinstance(phase, Ended)
    return Public(
        phase=phase.__struct_config__.tag,  # type: ignore[arg-type]  # our tags are strings
        turn=state.turn,
        move=state.move,
        marshal=state.marshal,
        star=state.marshal,
        to_act=tuple(sorted(to_act(state))),
        waiting_for=_waiting_for(state),
        # The gang's part of a move is over when one of them says so.
        is_anybodys=isinstance(phase, Surveying | FirstSchedule | Turning | Acting),
        seats=_seats(
            state,
            phase.out if isinstance(phase, EXAMINATION) else None,
            _examined(state),
            # In later phases everybody has laid, so there it would say nothing.
            is_laying=isinstance(phase, Riding | Laying),
        ),
        sheriffs=state.sheriffs,
        coaches=_coaches(state),
        order=schedules.order(state),
        schedules=state.board.schedules,
        activities=_activities(state),
        tiles=_tiles(state),
        # How many, and never which: the app knows them in order.
        bank_stack=len(state.bank_stack),
        coach_stack=len(state.coach_stack),
        loot=state.loot,
        taken=_taken(state),
        goal=_goal(state),
        examined=_examined(state),
        shown=_shown(state, phase) if isinstance(phase, EXAMINATION) else None,
        # Counted by what was closed in the open, not by the cards that lie there.
        closed=len(state.posts),
        whereabouts=_whereabouts(state),
        looks=state.looks,
        due=phase.due if isinstance(phase, Turning) else (),
        robbed=phase.robbed if isinstance(phase, Refilling) else (),
        roads=state.board.roads,
        is_map_complete=state.board.complete,
        practice=state.board.practice,
        question=deal.question(state),
        rules=state.rules,
        result=scoring.final(state) if is_over else None,
        history=state.history if is_over else None,
    )


@kept("loot")  # one object as long as it is one amount
def _taken(state: State) -> int:
    return state.taken


@kept("rules", "seats", "marshal")
def _goal(state: State) -> int:
    return state.goal


def _whereabouts(state: State) -> tuple[Whereabouts, ...]:
    """Tell where each desperado may be, while cards lie face down; from what lies open alone."""
    is_wanted = state.rules.whereabouts == "on"
    if not is_wanted or not isinstance(state.phase, Riding | Laying | Acting):
        return ()
    found = []
    for seat in state.gang:
        # What all have seen: a disc, or a spy, says where its owner was in that move.
        discs = [Sighting(a.move, a.city) for a in state.activities if seat in a.seats]
        spied = [Sighting(s.move, s.city) for s in state.spyings if s.seat == seat]
        known = Known(
            state.pawn(seat),
            state.lost[seat],
            (*discs, *spied),
            len(state.posts),
            is_shaken=state.is_shaken,
        )
        found.append(Whereabouts(seat, possible(state.board, known)))
    return tuple(found)


def _examined(state: State) -> int:
    match state.phase:
        case Examining() | Turning():
            return state.phase.step
        case Refilling():
            return state.move + 1
        case _:
            return 0


def _shown(state: State, phase: Examination) -> Shown | None:
    """Sum up the newest step: a pure function of what came to light, so it outlives a restart."""
    step = _examined(state)
    if not step:
        return None
    is_cards = step <= MOVES
    settled = tuple(
        ActivitySettled(j.venue, j.city, j.seats, j.needed, j.success)
        for j in state.judged
        if j.venue != "bank"
    )
    held_up = tuple(
        BankHeldUp(j.city, j.seats, j.needed, j.success) for j in state.judged if j.venue == "bank"
    )
    # Loot has no step of its own: what lay where somebody won in this turn came from there.
    spoils = {("poker" if s.venue == "poker" else "coach", s.city) for s in settled if s.success}
    spoils |= {("bank", h.city) for h in held_up if h.success}
    return Shown(
        step=step,
        rides=_rides(state, phase, step) if is_cards else (),
        over=tuple(seat for seat, out in enumerate(phase.out) if out and out.step == step),
        settled=settled,
        held_up=held_up,
        takings=tuple(
            loot
            for loot in state.loot
            if loot.turn == state.turn and (loot.kind, loot.city) in spoils
        ),
    )


def _rides(state: State, phase: Examination, step: int) -> tuple[Ride, ...]:
    return tuple(
        Ride(
            seat,
            state.routes[seat][step - 1].card,
            way(state, seat, out, step - 1)[-1],
            state.pawn(seat),
        )
        for seat, out in enumerate(phase.out)
        if out is None or out.step == step
    )


@kept("seats", "marshal", "move", "pawns", "routes", "lost", "activities")
def _seats(
    state: State, outs: tuple[Out | None, ...] | None, examined: int, *, is_laying: bool
) -> tuple[SeatView, ...]:
    found = []
    for seat in range(state.seats):
        out, disc = outs[seat] if outs else None, state.disc(seat)
        # Of who is out no later card is turned: they are taken back unseen.
        shown = examined if out is None else out.step
        found.append(
            SeatView(
                seat=seat,
                is_marshal=seat == state.marshal,
                pawn=state.pawns[seat],
                laid=len(state.routes[seat]),
                has_laid=is_laying and has_laid(state, seat),
                turned=tuple([laid.card for laid in state.routes[seat][:shown]]),
                out=out,
                lost=state.lost[seat],
                disc=None if disc is None else disc.venue,
            )
        )
    return tuple(found)


@kept("activities", "coaches", "first", "turn", "board")
def _coaches(state: State) -> tuple[CoachView, ...]:
    held = {activity.venue for activity in state.activities}
    return tuple(
        CoachView(coach, city, schedules.stops(state, coach), coach in held)
        for coach, city in zip(COACHES, state.coaches, strict=True)
    )


@kept("activities")
def _activities(state: State) -> tuple[ActivityView, ...]:
    return tuple(
        ActivityView(
            a.venue, a.city, a.move, a.seats, a.sheriffs + 1, len(a.seats) - a.sheriffs - 1
        )
        for a in state.activities
    )


@kept("board", "tiles")
def _tiles(state: State) -> tuple[TileView, ...]:
    board = state.board
    return (
        *(TileView(city, "bank", state.tile(city) is not None) for city in board.banks),
        *(TileView(city, "poker", state.tile(city) is not None) for city in board.poker),
    )

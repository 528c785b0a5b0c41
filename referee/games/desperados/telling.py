"""What people tell the referee of the open table, and what follows when they tell it anew.

Cards and plans are not told but laid; they stay what they were on any course. All that can be told
anew lies open, and so does all that decides what follows: whom the Marshal caught came to light
card by card, and no telling here moves a pawn. So nothing hidden shows in what would be different.

Where the Sheriffs rode is told once a move, when the Marshal lays a card: until then he moves them.

Ruling: what the app dealt or asked to decide is no telling; where pawns stand is set by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from referee.errors import IllegalAction, RuleViolation
from referee.games.again import strictly
from referee.games.base import Need, Outcome, Owed, Played, Pool, Step
from referee.games.protocol import Game

from . import activities, banks, laying, tiles
from .actions import (
    CoachAt,
    DiscAt,
    LayAny,
    LayCard,
    MoveSheriff,
    PlaceDiscs,
    PlaceSheriff,
    RefillBank,
    ReportTile,
    SetFirstSchedule,
    SheriffAt,
    TileAt,
)
from .events import Event, LootDiffers, Retold
from .model import (
    COACHES,
    DECK,
    KINDS,
    Acting,
    Activity,
    City,
    Laid,
    Loot,
    Refilling,
    Riding,
    State,
    Turning,
    Venue,
    replace,
    swap,
)


class DiscOn(Struct, frozen=True):
    """A disc that was laid, and on what."""

    seat: int
    venue: Venue
    city: City


class DiscsLaid(Struct, frozen=True, tag="discs_laid"):
    """Which discs the gang laid in its part of a move."""

    turn: int
    move: int
    discs: tuple[DiscOn, ...]


class SheriffsRode(Struct, frozen=True, tag="sheriffs_rode"):
    """Where the Sheriffs stood, by number, when the Marshal laid a card."""

    turn: int
    move: int
    cities: tuple[City, ...]


Told: TypeAlias = (
    SetFirstSchedule | PlaceSheriff | SheriffsRode | DiscsLaid | ReportTile | RefillBank
)


def told(played: Played) -> Told | None:
    """Give what somebody said, or showed, of what lies open on the table."""
    what, before = played.what, played.before
    match what:
        case SetFirstSchedule() | PlaceSheriff() | ReportTile():
            return what
        case RefillBank() if before.rules.origin("bank") == "box":
            return what
        # The Marshal's card ends the ride, so it is the line on which all see where Sheriffs stand.
        case LayCard() | LayAny() if isinstance(before.phase, Riding):
            return SheriffsRode(before.turn, before.move, before.sheriffs)
        case PlaceDiscs():
            return DiscsLaid(before.turn, before.move, _discs_of(played))
        case _:
            return None


def _discs_of(played: Played) -> tuple[DiscOn, ...]:
    """Give the discs that were laid there."""
    before, after = played.before, played.step.state
    return tuple(
        DiscOn(seat, activity.venue, activity.city)
        for activity in after.activities
        for seat in activity.seats
        if before.disc(seat) is None
    )


def follow(was: Any, now: Any, played: Played) -> Any:
    """Take everything later as it was told: two tiles or Sheriffs may well be the same."""
    del was, now
    return played.what


def again(rules: Game, state: State, played: Played) -> Step:
    """Play again what happened: cards lie and Sheriffs ride where they did, whatever led there.

    What is judged by Sheriffs and cards is judged by those of the true course.
    """
    what = played.what
    match what:
        case SheriffsRode(turn, move, cities):
            # By turn and move: told anew twice, a line must not speak of another one's discs.
            _check_move(state, turn, move)
            return _ride(state, played, cities)
        case DiscsLaid(turn, move, discs):
            _check_move(state, turn, move)
            return _lay_discs(state, played, discs, is_told=True)
        case PlaceDiscs():
            return _lay_discs(state, played, _discs_of(played), is_told=False)
        case LayCard(card, confirmed):
            return _lay(state, played, Laid(card, confirmed))
        case LayAny():
            return _draw(state, played)
        case Outcome(label=laying.CARD):
            return strictly(rules, state, played)
        case MoveSheriff():
            return _move_sheriff(rules, state, played, what)
        case _:
            return strictly(rules, state, played)


def _seat(played: Played) -> int:
    return 0 if played.seat is None else played.seat


def _lay(state: State, played: Played, laid: Laid) -> Step:
    """Lay the card that lay there, even if it could not be played from where one was.

    Ruling: the examination judges it so, and nobody is told before.
    """
    return laying.put(state, _seat(played), laid)


def _draw(state: State, played: Played) -> Step:
    """Draw the card that was drawn: any may have been, from where one was thought to be."""
    number = laying.number_of(state, _seat(played))
    # Which card lies there meanwhile is all the same: the one that was drawn takes its place.
    step = laying.put(state, _seat(played), Laid(DECK[0]))
    need = Need(laying.CARD, number, (Pool(laying.CARD, DECK, 1),))
    return replace(step, state=replace(step.state, drawing=_seat(played)), needs=(need,))


def _move_sheriff(rules: Game, state: State, played: Played, move: MoveSheriff) -> Step:
    """Move a Sheriff to where it was seen to ride, from wherever it stood."""
    try:
        return strictly(rules, state, played)
    except RuleViolation:
        if not isinstance(state.phase, Riding) or move.sheriff >= len(state.sheriffs):
            raise
    return Step(replace(state, sheriffs=swap(state.sheriffs, move.sheriff, move.city)))


def _check_move(state: State, turn: int, move: int) -> None:
    """Refuse what is said of another move than that of its line."""
    if (turn, move) != (state.turn, state.move):
        raise IllegalAction("no_such_move", section="corrections", move=move)


def _ride(state: State, played: Played, cities: tuple[City, ...]) -> Step:
    """Let the Sheriffs stand where they stood, and the Marshal's card lie as it did."""
    if not isinstance(state.phase, Riding):
        raise IllegalAction("went_on", section="corrections")
    if len(cities) != len(state.sheriffs):
        raise IllegalAction("no_such_sheriff", section="corrections")
    # Whatever it is, and whether it could be played from there: only the examination looks at it.
    card = played.step.state.routes[state.marshal][-1]
    return laying.put(replace(state, sheriffs=cities), state.marshal, card)


def _lay_discs(state: State, played: Played, discs: Sequence[DiscOn], *, is_told: bool) -> Step:
    """Lay the discs that were laid, by the Sheriffs who were really there."""
    phase = state.phase
    if not isinstance(phase, Acting):
        raise IllegalAction("went_on", section="corrections")
    joined: dict[tuple[Venue, City], list[int]] = {}
    for disc in discs:
        joined.setdefault((disc.venue, disc.city), []).append(disc.seat)
    laid = tuple(
        Activity(venue, city, state.move, state.sheriffs_in(city), tuple(sorted(seats)))
        for (venue, city), seats in joined.items()
    )
    if is_told:
        _check(state, laid)
    # Whose disc lies there neither spied nor took one back: a desperado does one thing a move.
    owners = {disc.seat for disc in discs}
    after = played.step.state
    looks = tuple(look for look in after.looks if look.seat not in owners)
    returned = tuple(back for back in after.returned if back.seat not in owners)
    return activities.laid(state, laid, looks, returned)


def _check(state: State, laid: tuple[Activity, ...]) -> None:
    """Refuse discs that can lie on no table. Where their owners' cards lead is not looked at."""
    owners = [seat for activity in laid for seat in activity.seats]
    free = {seat for seat in state.gang if state.disc(seat) is None}
    if len({*owners}) < len(owners) or not {*owners} <= free:
        raise IllegalAction("no_such_seat", section="corrections")
    for one in laid:
        there = state.activity(one.venue, one.city)
        if there is not None:
            raise IllegalAction(
                "other_move", section="corrections", city=there.city, move=there.move
            )
        if one.venue == "poker":
            if one.city not in state.board.poker or state.tile(one.city) is None:
                raise IllegalAction("no_tile_there", section="corrections", city=one.city)
        elif state.coaches[COACHES.index(one.venue)] != one.city:
            raise IllegalAction(
                "coach_elsewhere", section="corrections", city=one.city, move=state.move
            )
        if len(one.seats) <= one.sheriffs:
            raise IllegalAction("too_few_discs", section="corrections", needed=one.sheriffs + 1)


def owed(state: State) -> Owed | None:
    """Owe what a tile shows that was taken, or which bank is filled again."""
    match state.phase:
        case Turning(due=due):
            return Owed(state.marshal, tiles.report_legal(state, due[0]))
        case Refilling() as phase:
            return Owed(state.marshal, banks.refill_legal(phase))
        case _:
            return None


def settled(before: State, after: State) -> Step:
    """Go on as the true course has it; say what lies elsewhere, but not what a tile shows."""
    _check_tiles(before, after)
    events: list[Event] = []
    gone, come = _less(before.loot, after.loot), _less(after.loot, before.loot)
    if gone or come:
        events.append(LootDiffers(tuple(map(_unseen, gone)), tuple(map(_unseen, come))))
    differs = Retold(
        sheriffs=tuple(
            SheriffAt(number, city)
            for number, city in enumerate(after.sheriffs)
            if before.sheriffs[number : number + 1] != (city,)
        ),
        coaches=tuple(
            CoachAt(coach, after.coaches[place])
            for place, coach in enumerate(COACHES)
            if after.coaches[place] != before.coaches[place]
        ),
        discs=tuple(
            _disc_at(after, seat)
            for seat in after.gang
            if _disc_at(after, seat) != _disc_at(before, seat)
        ),
        tiles=tuple(
            TileAt(city, lies=after.tile(city) is not None)
            for city in (*after.board.banks, *after.board.poker)
            if (after.tile(city) is None) != (before.tile(city) is None)
        ),
    )
    if differs != Retold():
        events.append(differs)
    return Step(after, tuple(events))


def _check_tiles(before: State, after: State) -> None:
    """Refuse what would turn over a tile that the app dealt, lest somebody turn them all over.

    Told by which tiles were taken where, never by what they show. Ruling: the table then gives the
    gang its tile by hand, with the Marshal's word. A bank's tiles follow each other from the stack,
    so only the last ones can turn out not to be taken.
    """
    for kind in KINDS:
        if before.rules.origin(kind) == "box":
            continue
        # Values are left out: what one shows must not decide whether it may be turned over.
        was, now = ([_unseen(t) for t in s.loot if t.kind == kind] for s in (before, after))
        is_known = now == was[: len(now)] if kind == "bank" else not _less(now, was)
        if not is_known:
            raise IllegalAction("app_deals", section="corrections")


def _less(some: Sequence[Loot], others: Sequence[Loot]) -> list[Loot]:
    """Give the loot that is among these alone, whatever it shows."""
    # Tile by tile, since two of a kind may have been taken at one place in one turn.
    left = [_unseen(loot) for loot in others]
    found = []
    for loot in some:
        if _unseen(loot) in left:
            left.remove(_unseen(loot))
        else:
            found.append(loot)
    return found


def _unseen(loot: Loot) -> Loot:
    return replace(loot, value=0)


def _disc_at(state: State, seat: int) -> DiscAt:
    there = state.disc(seat)
    return DiscAt(seat) if there is None else DiscAt(seat, there.venue, there.city, there.move)


def beyond(told: Told, events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Leave out the discs and Sheriffs that were told anew."""
    return tuple(
        left
        for event in events
        for left in [_beyond(told, event) if isinstance(event, Retold) else event]
        if left != Retold()
    )


def _beyond(told: Told, event: Retold) -> Retold:
    match told:
        case DiscsLaid(_, _, discs):
            said = {(disc.seat, disc.venue, disc.city) for disc in discs}
            left = [disc for disc in event.discs if (disc.seat, disc.venue, disc.city) not in said]
            return replace(event, discs=tuple(left))
        case SheriffsRode(_, _, cities):
            left_at = [at for at in event.sheriffs if at.city != cities[at.sheriff]]
            return replace(event, sheriffs=tuple(left_at))
        case PlaceSheriff(city):
            return replace(event, sheriffs=tuple(at for at in event.sheriffs if at.city != city))
        case _:
            return event


def own_changes(before: State, after: State, seat: int) -> tuple[Any, ...]:
    """Tell nobody anything alone: what is one's own stands on one's phone."""
    del before, after, seat
    return ()

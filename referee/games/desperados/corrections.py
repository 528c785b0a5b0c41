"""Setting the referee right: what the real table shows is true.

Ruling: cards that lie on the table stay as they are; a plan that a correction makes impossible is
judged so in the examination, and nobody is told before.
"""

from __future__ import annotations

from referee.errors import IllegalAction
from referee.games.base import Facts, Step

from . import banks, deal, schedules
from .actions import CardLost, CoachAt, Correction, DiscAt, LootCount, PawnAt, SheriffAt
from .events import Corrected, Event
from .facts import learn
from .model import (
    COACHES,
    EXAMINATION,
    MOVES,
    TILES,
    TURNS,
    UNSEEN,
    Activity,
    Loot,
    Refilling,
    Riding,
    State,
    put_tile,
    replace,
    swap,
)


def correct(state: State, correction: Correction) -> Step:
    """Make the state what the correction says."""
    _check(state, correction)
    for pawn in correction.pawns:
        state = _set_pawn(state, pawn)
    for sheriff in correction.sheriffs:
        state = _set_sheriff(state, sheriff)
    for coach in correction.coaches:
        state = _set_coach(state, coach)
    for disc in correction.discs:
        state = _set_disc(state, disc)
    for tile in correction.tiles:
        state = put_tile(state, tile.city, tile.value)
    for loot in correction.loot:
        state = _set_loot(state, loot)
    for card in correction.cards:
        state = _set_lost(state, card)
    state = _set_facts(state, correction.facts)
    step = _resume(state, (Corrected(correction),))
    return replace(step, learnt=correction.facts)


def _resume(state: State, events: tuple[Event, ...]) -> Step:
    """Go on where what the table was asked for is settled by the correction itself."""
    phase = state.phase
    if isinstance(phase, Refilling):
        return banks.refill(state, phase.out, events)
    return Step(*deal.go_on(state, events))


def _check(state: State, correction: Correction) -> None:
    """Refuse what cannot be on any table: unknown seats, Sheriffs, tiles or counts."""
    seats = {
        *(pawn.seat for pawn in correction.pawns),
        *(disc.seat for disc in correction.discs),
        *(card.seat for card in correction.cards),
    }
    gang = {*(d.seat for d in correction.discs), *(c.seat for c in correction.cards)}
    if not seats <= {*range(state.seats)} or state.marshal in gang:
        raise IllegalAction("no_such_seat", section="corrections")
    if any(state.pawns[pawn.seat] is None for pawn in correction.pawns):
        raise IllegalAction("not_placed_yet", section="corrections")
    if any(not 0 <= s.sheriff < len(state.sheriffs) for s in correction.sheriffs):
        raise IllegalAction("no_such_sheriff", section="corrections")
    # In the first turn there is no blue schedule that the coach could follow.
    blue = any(coach.coach == "blue" and coach.city is not None for coach in correction.coaches)
    if blue and not schedules.stops(state, "blue"):
        raise IllegalAction("no_coach_yet", section="corrections")
    if any((disc.venue is None) != (disc.city is None) for disc in correction.discs):
        raise IllegalAction("no_such_place", section="corrections")
    if any(not 1 <= disc.move <= MOVES for disc in correction.discs):
        raise IllegalAction("no_such_move", section="corrections")
    for tile in correction.tiles:
        printed = TILES["bank" if tile.city in state.board.banks else "poker"]
        if tile.value not in (None, UNSEEN, *printed):
            raise IllegalAction("no_such_tile", section="corrections", value=tile.value)
    for loot in correction.loot:
        if not 0 <= loot.count <= TILES[loot.kind].count(loot.value):
            raise IllegalAction("no_such_count", section="corrections", count=loot.count)


def _set_pawn(state: State, pawn: PawnAt) -> State:
    """Set a pawn. Before the examination its turn began there, too."""
    state = replace(state, pawns=swap(state.pawns, pawn.seat, pawn.city))
    if isinstance(state.phase, EXAMINATION):
        return state
    return replace(state, starts=swap(state.starts, pawn.seat, pawn.city))


def _set_sheriff(state: State, sheriff: SheriffAt) -> State:
    state = replace(state, sheriffs=swap(state.sheriffs, sheriff.sheriff, sheriff.city))
    if not isinstance(state.phase, Riding):
        return state
    stables = swap(state.phase.stables, sheriff.sheriff, sheriff.city)
    return replace(state, phase=Riding(stables))


def _set_coach(state: State, coach: CoachAt) -> State:
    place = COACHES.index(coach.coach)
    return replace(state, coaches=swap(state.coaches, place, coach.city))


def _set_disc(state: State, disc: DiscAt) -> State:
    """Take a seat's disc from wherever it lies, and lay it where it belongs."""
    others = tuple(
        replace(activity, seats=tuple(seat for seat in activity.seats if seat != disc.seat))
        for activity in state.activities
    )
    others = tuple(activity for activity in others if activity.seats)
    state = replace(state, activities=others)
    if disc.venue is None or disc.city is None:
        return state
    there = state.activity(disc.venue, disc.city)
    if there is None:
        sheriffs = state.sheriffs_in(disc.city)
        there = Activity(disc.venue, disc.city, disc.move, sheriffs, ())
        others = (*others, there)
    joined = replace(there, seats=tuple(sorted((*there.seats, disc.seat))))
    return replace(state, activities=tuple(joined if a == there else a for a in others))


def _set_loot(state: State, loot: LootCount) -> State:
    """Set how many tiles of a kind and value are loot; the newest go first."""
    mine = [t for t in state.loot if (t.kind, t.value) == (loot.kind, loot.value)]
    surplus = len(mine) - loot.count
    kept = list(state.loot)
    for tile in mine[::-1][: max(0, surplus)]:
        kept.remove(tile)
    added = (Loot(loot.kind, loot.value, None, state.turn),) * -surplus
    return replace(state, loot=(*kept, *added))


def _set_facts(state: State, facts: Facts) -> State:
    """Set what the board shows. Where a bank turns out to be elsewhere, tiles change places."""
    before = state.board.banks
    state = replace(state, board=learn(state.board, facts, overrule=True))
    gone = [city for city in before if city not in state.board.banks]
    come = [city for city in state.board.banks if city not in before]
    for old, new in zip(gone, come, strict=False):
        bank, poker = state.tile(old), state.tile(new)
        state = put_tile(put_tile(state, new, bank), old, poker)
        spied = tuple(tuple(new if c == old else c for c in seen) for seen in state.spied)
        state = replace(state, spied=spied)
    return state


def _set_lost(state: State, card: CardLost) -> State:
    others = tuple(city for city in state.lost[card.seat] if city != card.city)
    lost = (*others, card.city) if card.lost else others
    if len(lost) > TURNS:
        raise IllegalAction("no_such_count", section="corrections", count=len(lost))
    return replace(state, lost=swap(state.lost, card.seat, lost))

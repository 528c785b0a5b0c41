"""Setting the referee right: what the real table shows is true.

What was told wrongly is told again where it was told; here stands what hands really did. Nothing
of it says what a tile shows that lies face down, so that nobody can find that out by trying.

Ruling: cards that lie on the table stay as they are; a plan that a correction makes impossible is
judged so in the examination, and nobody is told before.
"""

from __future__ import annotations

from collections import Counter

from referee.errors import IllegalAction, RuleViolation
from referee.games.base import Facts, Step

from . import banks, deal, schedules
from .actions import (
    CardLost,
    CoachAt,
    Correction,
    DiscAt,
    LootIs,
    LootMore,
    OutIs,
    PawnAt,
    SheriffAt,
    TileAt,
)
from .events import Corrected, Event
from .facts import learn
from .model import (
    COACHES,
    EXAMINATION,
    MOVES,
    TILES,
    TURNS,
    UNSEEN,
    Acting,
    Activity,
    City,
    Examining,
    Kind,
    Loot,
    Out,
    Post,
    Refilling,
    Riding,
    State,
    Surveying,
    put_tile,
    replace,
    swap,
)


def correct(state: State, correction: Correction) -> Step:
    """Make the state what the correction says. Raises IllegalAction for what is on no table."""
    was_surveying = isinstance(state.phase, Surveying)
    _check_seats(state, correction)
    for pawn in correction.pawns:
        state = _set_pawn(state, pawn)
    for sheriff in correction.sheriffs:
        state = _set_sheriff(state, sheriff)
    for coach in correction.coaches:
        state = _set_coach(state, coach)
    for disc in correction.discs:
        state = _set_disc(state, disc)
    for tile in correction.tiles:
        state = _set_tile(state, tile)
    # The highest number first: what comes back from the loot moves those behind it.
    for loot in sorted(correction.loot, key=lambda one: -one.number):
        state = _set_loot(state, loot)
    for more in correction.more_loot:
        state = _add_loot(state, more)
    for out in correction.outs:
        state = _set_out(state, out)
    for card in correction.cards:
        state = _set_lost(state, card)
    state = _set_facts(state, correction.facts)
    if correction.pawns or correction.discs or correction.cards or correction.facts:
        # Cards that lie there were laid by what was thought to be so.
        state = replace(state, is_shaken=True)
    step = _resume(state, correction)
    if owners(state, correction):
        step = replace(step, reveals=True)
    if was_surveying:
        # What follows is shown before the table agrees, and names the schedule that was dealt.
        step = replace(step, events=step.events[:1])
    return replace(step, learnt=correction.facts)


def owners(state: State, correction: Correction) -> dict[int, RuleViolation | None]:
    """Name the Marshal, whose tiles lie face down, where one that the app dealt is turned over.

    Else the host could turn them all over one by one, and back again.
    """
    is_turned = any(state.rules.origin(more.kind) == "app" for more in correction.more_loot)
    return {state.marshal: None} if is_turned else {}


def _resume(state: State, correction: Correction) -> Step:
    """Go on where what the table was asked for is settled by the correction itself.

    A bank that turns out to be robbed is filled again, as after any robbery.
    """
    events: tuple[Event, ...] = (Corrected(correction),)
    is_robbed = any(more.kind == "bank" for more in correction.more_loot)
    match state.phase:
        case Refilling(out=out):
            return banks.refill(state, out, events)
        case Examining(step=step, out=out) if step > MOVES and is_robbed:
            return banks.refill(state, out, events)
        case _:
            return Step(*deal.go_on(state, events))


def _refused(code: str, **facts: str | int) -> IllegalAction:
    return IllegalAction(code, section="corrections", **facts)


def _check_seats(state: State, correction: Correction) -> None:
    """Refuse seats that are not there, and a Marshal who would do what only the gang does."""
    gang = {
        *(disc.seat for disc in correction.discs),
        *(card.seat for card in correction.cards),
        *(out.seat for out in correction.outs if out.why == "arrested"),
    }
    seats = {
        *gang,
        *(pawn.seat for pawn in correction.pawns),
        *(out.seat for out in correction.outs),
    }
    if not seats <= {*range(state.seats)} or state.marshal in gang:
        raise _refused("no_such_seat")


# Pawns, Sheriffs, coaches


def _set_pawn(state: State, pawn: PawnAt) -> State:
    """Set a pawn. Before the examination its turn began there, too."""
    if state.pawns[pawn.seat] is None:
        raise _refused("not_placed_yet")
    state = replace(state, pawns=swap(state.pawns, pawn.seat, pawn.city))
    if isinstance(state.phase, EXAMINATION):
        return state
    return replace(state, starts=swap(state.starts, pawn.seat, pawn.city))


def _set_sheriff(state: State, sheriff: SheriffAt) -> State:
    """Set a Sheriff, as of the move that goes on."""
    if not 0 <= sheriff.sheriff < len(state.sheriffs):
        raise _refused("no_such_sheriff")
    state = replace(state, sheriffs=swap(state.sheriffs, sheriff.sheriff, sheriff.city))
    if isinstance(state.phase, Riding):
        # It was there all along: it may still ride from there in this move.
        stables = swap(state.phase.stables, sheriff.sheriff, sheriff.city)
        return replace(state, phase=Riding(stables))
    return _keep_post(state)


def _set_coach(state: State, coach: CoachAt) -> State:
    """Set a coach. In the first turn there is no schedule that the blue one could follow."""
    if coach.coach == "blue" and coach.city is not None and not schedules.stops(state, "blue"):
        raise _refused("no_coach_yet")
    place = COACHES.index(coach.coach)
    return _keep_post(replace(state, coaches=swap(state.coaches, place, coach.city)))


def _keep_post(state: State) -> State:
    """Let a move that was just closed be closed with what stands where now."""
    if not isinstance(state.phase, Acting):
        return state
    return replace(state, posts=(*state.posts[:-1], Post(state.sheriffs, state.coaches)))


# Discs and tiles


def _set_disc(state: State, disc: DiscAt) -> State:
    """Take a seat's disc from wherever it lies, and lay it where it belongs.

    It is judged by the Sheriffs who were there in its move, and holds a coach from then on. Where
    its owner's cards lead is not looked at: that is not public yet.
    """
    if (disc.venue is None) != (disc.city is None):
        raise _refused("no_such_place")
    # Taken up first: a disc that is laid where it lies already must not count twice.
    others = tuple(
        replace(activity, seats=tuple(seat for seat in activity.seats if seat != disc.seat))
        for activity in state.activities
    )
    state = replace(state, activities=tuple(activity for activity in others if activity.seats))
    if disc.venue is None or disc.city is None:
        return state
    there = state.activity(disc.venue, disc.city)
    if there is None:
        there = _new_activity(state, disc, disc.city)
    elif (there.city, there.move) != (disc.city, disc.move):
        raise _refused("other_move", city=there.city, move=there.move)
    joined = replace(there, seats=tuple(sorted((*there.seats, disc.seat))))
    others = tuple(activity for activity in state.activities if activity != there)
    return _hold_coach(replace(state, activities=(*others, joined)), joined)


def _new_activity(state: State, disc: DiscAt, city: City) -> Activity:
    if not 1 <= disc.move <= len(state.posts):
        raise _refused("no_such_move", move=disc.move)
    # By the Sheriffs and coaches of that move, which may have gone on since.
    post = state.posts[disc.move - 1]
    if disc.venue == "poker":
        if city not in state.board.poker or state.tile(city) is None:
            raise _refused("no_tile_there", city=city)
    elif disc.venue is not None and post.coaches[COACHES.index(disc.venue)] != city:
        raise _refused("coach_elsewhere", city=city, move=disc.move)
    return Activity(disc.venue or "poker", city, disc.move, post.sheriffs.count(city), ())


def _hold_coach(state: State, activity: Activity) -> State:
    """Let a coach stand where discs hold it, since the move in which they came."""
    if activity.venue == "poker" or isinstance(state.phase, EXAMINATION):
        return state
    place = COACHES.index(activity.venue)
    posts = tuple(
        replace(post, coaches=swap(post.coaches, place, activity.city))
        if number >= activity.move
        else post
        for number, post in enumerate(state.posts, 1)
    )
    return replace(state, posts=posts, coaches=swap(state.coaches, place, activity.city))


def _kind_at(state: State, city: City) -> Kind:
    return "bank" if city in state.board.banks else "poker"


def _set_tile(state: State, tile: TileAt) -> State:
    """Lay a tile face down at a city, or take it away; a bank's comes from or goes to the stack.

    Ruling: what the app dealt lies where it lies. What was wrongly taken comes back from the loot.
    """
    kind, is_there = _kind_at(state, tile.city), state.tile(tile.city) is not None
    if state.rules.origin(kind) == "app":
        raise _refused("app_deals")
    if is_there == tile.lies:
        return state
    state = put_tile(state, tile.city, UNSEEN if tile.lies else None)
    if kind != "bank":
        return state
    stack = state.bank_stack
    return replace(state, bank_stack=stack[1:] if tile.lies else (UNSEEN, *stack))


def _set_loot(state: State, loot: LootIs) -> State:
    """Set what a tile of the loot shows, or lay it back where it was taken."""
    if not 0 <= loot.number < len(state.loot):
        raise _refused("no_such_tile")
    was = state.loot[loot.number]
    others = (*state.loot[: loot.number], *state.loot[loot.number + 1 :])
    if loot.value is None:
        return _lay_back(replace(state, loot=others), was)
    if state.rules.origin(was.kind) == "app":
        raise _refused("app_deals")
    _check_value(others, was.kind, loot.value)
    return replace(state, loot=swap(state.loot, loot.number, replace(was, value=loot.value)))


def _check_value(loot: tuple[Loot, ...], kind: Kind, value: int) -> None:
    taken = [tile.value for tile in loot if tile.kind == kind]
    if value not in Counter(TILES[kind]) - Counter(taken):
        raise _refused("no_such_tile", value=value)


def _lay_back(state: State, loot: Loot) -> State:
    """Lay a tile back face down; one that has taken its place at a bank goes back to the stack."""
    is_app = state.rules.origin(loot.kind) == "app"
    # A tile that the app dealt keeps its value face down; of a real one nothing is known again.
    value = loot.value if is_app else UNSEEN
    if loot.kind == "coach":
        return replace(state, coach_stack=(value, *state.coach_stack))
    newer = state.tile(loot.city)
    if newer is not None and loot.kind == "bank":
        state = replace(state, bank_stack=(newer, *state.bank_stack))
    return put_tile(state, loot.city, value)


def _add_loot(state: State, more: LootMore) -> State:
    """Give the gang another tile. What the app dealt shows what it shows."""
    if more.kind == "coach":
        value = state.coach_stack[0] if state.coach_stack else None
        state = replace(state, coach_stack=state.coach_stack[1:])
    elif more.kind == _kind_at(state, more.city):
        value = state.tile(more.city)
        state = put_tile(state, more.city, None)
        spied = tuple(tuple(c for c in cities if c != more.city) for cities in state.spied)
        state = replace(state, spied=spied)
    else:
        value = None
    if value is None:
        raise _refused("no_tile_there", city=more.city)
    is_app = state.rules.origin(more.kind) == "app"
    if (more.value is None) != is_app:
        raise _refused("app_deals" if is_app else "no_such_tile")
    if more.value is not None:
        _check_value(state.loot, more.kind, more.value)
        value = more.value
    return replace(state, loot=(*state.loot, Loot(more.kind, value, more.city, state.turn)))


# The examination


def _set_out(state: State, out: OutIs) -> State:
    """Set whether a seat's turn is over. Its card, its pawn and the loot are set by themselves."""
    phase = state.phase
    if not isinstance(phase, EXAMINATION):
        raise _refused("not_in_examination")
    shown = MOVES if isinstance(phase, Refilling) else min(phase.step, MOVES)
    if out.why is not None and not 1 <= out.step <= shown:
        raise _refused("no_such_move", move=out.step)
    is_now = None if out.why is None else Out(out.why, out.step)
    return replace(state, phase=replace(phase, out=swap(phase.out, out.seat, is_now)))


def _set_lost(state: State, card: CardLost) -> State:
    others = tuple(city for city in state.lost[card.seat] if city != card.city)
    lost = (*others, card.city) if card.lost else others
    if len(lost) > TURNS:
        raise _refused("no_such_count", count=len(lost))
    return replace(state, lost=swap(state.lost, card.seat, lost))


# The board


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

"""Examination: cards come to light step by step, arrests are made, activities are settled."""

from __future__ import annotations

from referee.errors import IllegalAction, NotYourTurn
from referee.games.base import Facts, Step

from . import banks, schedules, scoring, tiles
from .events import (
    ActivitySettled,
    Arrested,
    CardsTurned,
    Event,
    MoveImpossible,
    RoadLearnt,
    TileTaken,
    TurnClosed,
    Turned,
)
from .facts import learn
from .model import (
    MOVES,
    SALOON,
    TURNS,
    Activity,
    City,
    Coach,
    Examining,
    Judged,
    Laid,
    Out,
    Record,
    State,
    Turning,
    replace,
    swap,
)
from .roads import Road, pair, road_fact
from .trails import is_possible, way


def go_on(state: State, seat: int, step_seen: int) -> Step:
    """Take the next step of the examination: turn cards, rob banks, or close the turn.

    Ruling: the table sets the pace; five steps turn cards, a sixth robs banks, the last one gives
    cards and discs back. Who saw another step than the newest is refused.
    """
    phase = state.phase
    if not isinstance(phase, Examining) or seat != state.marshal:
        raise NotYourTurn(section="examination")
    # A second tap on the same button must not turn a card that nobody has looked at yet.
    if step_seen != phase.step:
        raise IllegalAction("went_on", section="examination")
    if phase.step < MOVES:
        step = _turn_cards(state, phase)
    elif phase.step == MOVES:
        step = _resume(banks.rob(state, phase.out), MOVES + 1, phase.out)
    else:
        step = _close_turn(state, phase)
    return replace(step, reveals=True)


def _turn_cards(state: State, phase: Examining) -> Step:
    """Turn everybody's next card at once, arrest, then settle what was begun in that move."""
    number = phase.step + 1
    # All ride before any is arrested, and arrests come before discs: who is out counts no more.
    state, out, facts, turned = _move_pawns(replace(state, judged=()), phase)
    state, out, arrests = _arrest(state, out, number)
    haul = tiles.Haul(state, (*turned, *arrests))
    for activity in state.activities:
        if activity.move == number:
            haul = _settle(haul, activity, out)
    return replace(_resume(haul, number, out), learnt=facts)


def _resume(haul: tiles.Haul, step: int, out: tuple[Out | None, ...]) -> Step:
    """Wait for the values of tiles on the real table, or go on; banks are refilled at the end."""
    if haul.due:
        return Step(replace(haul.state, phase=Turning(step, out, haul.due)), haul.events)
    if step > MOVES:
        return banks.refill(haul.state, out, haul.events)
    return Step(replace(haul.state, phase=Examining(step, out)), haul.events)


def report(state: State, place: City | Coach, value: int) -> Step:
    """Note what the tile that was taken first and is not told yet shows."""
    phase = state.phase
    if not isinstance(phase, Turning):
        raise NotYourTurn(section="examination")
    due, *rest = phase.due
    # Two phones may tell the same tile: the second must not become that of the next one.
    if place != due.place:
        raise IllegalAction("went_on", section="examination")
    if value not in tiles.values_left(state.loot, due.kind):
        raise IllegalAction("no_such_tile", section="examination", value=value)
    events = (TileTaken(due.kind, due.city, value),)
    haul = tiles.Haul(tiles.add_loot(state, due, value), events, tuple(rest))
    return _resume(haul, phase.step, phase.out)


# Cards


def _move_pawns(
    state: State, phase: Examining
) -> tuple[State, tuple[Out | None, ...], Facts, tuple[Event, ...]]:
    """Turn a card of everybody who is not out, and move the pawns where the cards lead.

    An impossible move ends a desperado's turn and loses no card. Ruling: after the Marshal's, the
    pawn stays where it was for the rest of the examination, and whoever comes there is arrested.
    """
    step, out = phase.step + 1, phase.out
    turned, wrong, found = [], [], set[Road]()
    pawns = state.pawns
    for seat in range(state.seats):
        if out[seat] is not None:
            continue
        laid, earlier = state.routes[seat][phase.step], state.routes[seat][: phase.step]
        at = state.pawn(seat)
        if not is_possible(state.board, state.lost[seat], at, laid, earlier):
            out = swap(out, seat, Out("impossible", step))
            wrong.append(MoveImpossible(seat, laid.card, at))
        elif laid.card != SALOON:
            # Learnt only after all have ridden: the map of now judges every card of this step.
            found |= _new_road(state, at, laid)
            at = laid.card
        pawns = swap(pawns, seat, at)
        turned.append(Turned(seat, laid.card, at))
    facts = tuple((road_fact(*road), "yes") for road in sorted(found))
    state = replace(state, pawns=pawns, board=learn(state.board, facts))
    learnt = tuple(RoadLearnt(*road) for road in sorted(found))
    return state, out, facts, (CardsTurned(step, tuple(turned)), *learnt, *wrong)


def _new_road(state: State, at: City, laid: Laid) -> set[Road]:
    if laid.card == SALOON or laid.card in state.board.links[at].near:
        return set()
    return {pair(at, laid.card)}


def _arrest(
    state: State, out: tuple[Out | None, ...], step: int
) -> tuple[State, tuple[Out | None, ...], tuple[Event, ...]]:
    """Arrest whoever is in the Marshal's city now, and take that city's card.

    Crossing paths is no arrest. By a saloon no card is lost, but the turn is over all the same.
    """
    events: list[Event] = []
    # Even after an impossible move: the pawn stands where it stopped, and the law with it.
    city = state.pawn(state.marshal)
    for seat in state.gang:
        if out[seat] is not None or state.pawns[seat] != city:
            continue
        out = swap(out, seat, Out("arrested", step))
        is_lost = state.routes[seat][step - 1].card != SALOON
        if is_lost:
            state = replace(state, lost=swap(state.lost, seat, (*state.lost[seat], city)))
        events.append(Arrested(seat, city, is_lost))
    return state, out, tuple(events)


# Activities


def _settle(haul: tiles.Haul, activity: Activity, out: tuple[Out | None, ...]) -> tiles.Haul:
    """Settle discs: more of their owners there and free than Sheriffs stood there then.

    It brings the city's poker tile, or the top tile of the coaches' stack.
    """
    city, pawns = activity.city, haul.state.pawns
    there = tuple(seat for seat in activity.seats if out[seat] is None and pawns[seat] == city)
    found = Judged(activity.venue, city, there, activity.sheriffs + 1)
    event = ActivitySettled(activity.venue, city, there, found.needed, found.success)
    haul = tiles.judge(haul, found, event)
    if not found.success:
        return haul
    if activity.venue == "poker":
        return tiles.take_from_city(haul, "poker", city)
    return tiles.take_from_stack(haul, activity.venue, city)


# The end of a turn


def _close_turn(state: State, phase: Examining) -> Step:
    """Give cards back, except lost ones, and discs; the fifth turn ends the game.

    A pawn begins the next turn where it stands, an arrested one included.
    """
    record = Record(
        turn=state.turn,
        routes=tuple(tuple(laid.card for laid in route) for route in state.routes),
        ways=tuple(way(state, seat, out) for seat, out in enumerate(phase.out)),
        out=phase.out,
        sheriffs=state.sheriffs,
        activities=state.activities,
    )
    state = replace(state, history=(*state.history, record))
    events: tuple[Event, ...] = (TurnClosed(state.turn),)
    if state.turn == TURNS:
        return scoring.count_up(state, events)
    return schedules.begin_turn(state, events)

"""Setting the referee right: what lies on the real table is true, and how much is tracked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import assert_never

from referee.errors import IllegalAction
from referee.games.base import Facts

from . import effects, rounds, supply
from .actions import (
    Correction,
    SetBoard,
    SetCells,
    SetReserve,
    SetRound,
    SetRow,
    SetScenario,
    SetTables,
    SetTracking,
    SpotAt,
)
from .box import corrected
from .events import Event
from .model import (
    COWBOY,
    PER_ROW,
    ROWS,
    TABLES,
    Boarding,
    Choosing,
    Discarding,
    Extending,
    Painting,
    Phase,
    Placing,
    Refilling,
    Resolving,
    Row,
    Spot,
    TakingStock,
    Tile,
    Tracking,
    Turn,
    TurningUp,
    replace,
    swap,
)
from .state import State, with_ranch

_LESS = {"score": 0, "draft": 1, "full": 2}


def correct(state: State, correction: Correction, events: list[Event]) -> State:
    """Make the state what the correction says. Raises IllegalAction for what cannot be."""
    if isinstance(correction, SetTracking):
        return _track(state, correction.tracking, events)
    return effects.anew(_set(state, correction))


def _set(state: State, correction: Correction) -> State:
    match correction:
        case SetTracking():
            return state
        case SetCells():
            return supply.balanced(_set_cells(state, correction))
        case SetReserve(seat, tiles, was):
            _check_seat(state, seat)
            ranch = state.ranches[seat]
            _check_lies(was, ranch.reserve)
            return with_ranch(state, seat, replace(ranch, reserve=tiles))
        case SetRow():
            return _set_row(state, correction)
        case SetTables(tables, was):
            if len(tables) > TABLES:
                raise IllegalAction("no_such_count", section="corrections", count=len(tables))
            _check_lies(was, state.tables)
            return supply.balanced(replace(state, tables=tables))
        case SetBoard(facts):
            return replace(state, box=corrected(state.box, facts))
        case SetRound(rows):
            if not 0 <= rows <= ROWS:
                raise IllegalAction("no_such_count", section="corrections", count=rows)
            return replace(state, rows=rows)
        case SetScenario(scenario):
            if scenario == state.scenario:
                raise IllegalAction("already_so", section="corrections")
            return replace(state, scenario=scenario)
        case _:
            assert_never(correction)


def learnt(correction: Correction) -> Facts:
    """Give what a correction tells about the box."""
    return correction.facts if isinstance(correction, SetBoard) else ()


def _check_seat(state: State, seat: int) -> None:
    if not 0 <= seat < state.seats:
        raise IllegalAction("no_such_seat", section="corrections")


def _check_lies(was: object, now: object) -> None:
    """Refuse to write over what somebody has not seen: it came to lie there since."""
    if was is not None and was != now:
        raise IllegalAction("moved_on", section="corrections")


def _set_cells(state: State, correction: SetCells) -> State:
    """Set what lies in a ranch. A specialist that goes is out of sight, one that comes is not."""
    _check_seat(state, correction.seat)
    ranch = state.ranches[correction.seat]
    cells = list(ranch.cells)
    was = correction.was or ()
    if not all(0 <= entry.at < len(cells) for entry in (*correction.cells, *was)):
        raise IllegalAction("no_such_cell", section="corrections")
    _check_lies([entry.cell for entry in was], [cells[entry.at] for entry in was])
    for entry in correction.cells:
        cells[entry.at] = entry.cell
    away = list(state.away)
    for before, after in zip(ranch.cells, cells, strict=True):
        gone = None if before is None else before.partner
        now = None if after is None else after.partner
        if gone == now:
            continue
        if gone is not None and gone != COWBOY:
            away.append(gone)
        if now is not None and now != COWBOY and now in away:
            away.remove(now)
    state = replace(state, away=tuple(away))
    return with_ranch(state, correction.seat, supply.with_cells(ranch, tuple(cells)))


def _set_row(state: State, correction: SetRow) -> State:
    """Set what lies in a row, and who stands there: ranchers on tiles, none lost or doubled."""
    if len(correction.spots) != PER_ROW:
        raise IllegalAction("no_such_count", section="corrections", count=len(correction.spots))
    ranchers = [spot.rancher for spot in correction.spots if spot.rancher is not None]
    if not {*ranchers} <= {*range(state.seats)}:
        raise IllegalAction("no_such_seat", section="corrections")
    if any(spot.is_gone and spot.rancher is not None for spot in correction.spots):
        raise IllegalAction("no_tile_there", section="corrections")
    row = _row_of(correction.spots)
    is_current = correction.row == "current"
    is_there = state.current if is_current else state.next
    if not is_there and not isinstance(state.phase, TakingStock):
        raise IllegalAction("no_such_row", section="corrections")
    _check_lies(correction.was and _row_of(correction.was), is_there)
    after = replace(state, current=row) if is_current else replace(state, next=row)
    if not isinstance(state.phase, TakingStock) and _ranchers(after) != _ranchers(state):
        raise IllegalAction("ranchers_differ", section="corrections")
    rounds.check_room(replace(after, phase=after.resume or after.phase))
    return after


def _row_of(spots: Iterable[SpotAt]) -> Row:
    return tuple(Spot(spot.tile, spot.rancher, spot.is_gone) for spot in spots)


def _ranchers(state: State) -> Counter[int | None]:
    return Counter(spot.rancher for spot in (*state.current, *state.next))


# How much is tracked


def _track(state: State, tracking: Tracking, events: list[Event]) -> State:
    """Let the referee keep track of more or of less. What is known stays known.

    Less: a turn that goes on is ended by hand from where it is. More: the table tells what lies
    open and the referee does not know, paints the ranches, and goes on where it was.
    """
    if tracking == state.tracking:
        raise IllegalAction("already_so", section="corrections")
    is_less = _LESS[tracking] < _LESS[state.tracking]
    state = replace(state, rules=replace(state.rules, tracking=tracking))
    if not is_less:
        return _track_more(state)
    if tracking == "score":
        at = state.resume or Resolving()
        resume = at if isinstance(state.phase, Painting | TakingStock) else state.phase
        return replace(state, phase=Painting(), resume=resume)
    if isinstance(state.phase, TakingStock):
        return state
    return _without_effects(state, events)


def _track_more(state: State) -> State:
    """Take stock, for now and not when painting ends the game: there is nothing to go on with."""
    if isinstance(state.phase, Painting) and state.rows >= ROWS and not state.current:
        raise IllegalAction("too_late", section="corrections")
    if isinstance(state.phase, TakingStock):
        return state
    # Ranches that are painted now are so by an earlier change of tracking: back to before that.
    resume = state.resume if isinstance(state.phase, Painting) else state.phase
    return replace(state, phase=TakingStock(), resume=resume)


def _without_effects(state: State, events: list[Event]) -> State:
    """Go on without ranches from a moment at which they were tracked."""
    phase: Phase = state.phase
    match phase:
        case Choosing() | Placing() | Boarding() | Extending():
            return state
        case TurningUp(told):
            ordered = sorted(told, key=_number)
            tiles: tuple[Tile | None, ...] = (*ordered, *(None,) * (PER_ROW - len(told)))
            return _row_as_it_is(state, tiles, events)
        case Refilling():
            return rounds.fill(state, (None,) * supply.empty_tables(state), events)
        case Discarding():
            return replace(state, phase=Extending())
        case _:
            turn = state.turn
            if turn is not None:
                # What skulls, circles and bonus tiles are still owed is done by hand from here on.
                state = replace(state, turn=Turn(turn.seat, turn.left))
            return replace(state, phase=Resolving())


def _number(tile: Tile) -> int:
    return tile.number


def _row_as_it_is(state: State, tiles: tuple[Tile | None, ...], events: list[Event]) -> State:
    """Lay a row of which the table told only some tiles."""
    state = rounds.lay_row(state, (None,) * PER_ROW, events)
    row = state.next or state.current
    for place, tile in enumerate(tiles):
        row = swap(row, place, Spot(tile))
    return replace(state, next=row) if state.next else replace(state, current=row)

"""Set-up, rows of tiles, the order of turns, and the end of a round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Literal

from msgspec import convert

from referee.errors import IllegalAction
from referee.games.base import Facts, Need, Outcome, Pool, Step

from . import scoring, supply
from .box import is_whole, tile_facts
from .events import (
    CattleTooMany,
    Counted,
    Event,
    RanchersDropped,
    RoundBegun,
    RowLaid,
    TablesFilled,
    TileLeft,
    TileTaken,
)
from .grid import size_for
from .model import (
    FOR_TWO,
    MANY,
    PARTNERS,
    PER_ROW,
    ROWS,
    SCENARIOS,
    Boarding,
    Dealing,
    Ended,
    Painting,
    Placing,
    Ranch,
    Refilling,
    Resolving,
    Row,
    Rules,
    Specialist,
    Spot,
    Tile,
    Turn,
    TurningUp,
    replace,
    swap,
)
from .profile import read_board
from .state import State, with_ranch


def setup(options: Mapping[str, str], seats: int, profile: Mapping[str, Any]) -> Step:
    """Lay out what needs no chance; the order of the ranchers is owed."""
    chosen = {key: value for key, value in options.items() if key in Rules.__struct_fields__}
    rules = convert(chosen, Rules, strict=False)
    state = State(
        rules=rules,
        box=read_board(profile),
        seats=seats,
        phase=Dealing(),
        ranches=(Ranch((None,) * size_for(seats)),) * seats,
        bonus_left=(0, 1) if seats == FOR_TWO else (),
    )
    return Step(state, needs=(need_of(state),))


def owed(state: State) -> Literal["set_up", "row", "saloon"]:
    """Say what is owed to chance: the set-up, a row, or partners for the saloon.

    The saloon is filled before the first row, and after every other one.
    """
    if not state.order:
        return "set_up"
    if not state.current:
        return "saloon" if supply.empty_tables(state) else "row"
    return "row" if _is_row_owed(state) else "saloon"


def need_of(state: State) -> Need:
    """Name what is owed to chance, and what it can be."""
    what = owed(state)
    if what == "set_up":
        pools = [Pool("ranchers", tuple(range(state.seats)), state.seats)]
        if state.rules.scenario == "random":
            pools.append(Pool("scenario", SCENARIOS[1:], 1))
        return Need("set_up", 0, tuple(pools))
    if what == "row":
        return Need("row", state.rows + 1, (Pool("tiles", _undealt(state), PER_ROW),))
    count = supply.empty_tables(state)
    pool = Pool("partners", supply.partners_in_piles(state), count)
    # Numbered by what has left the pile, as rows are by rows: taken back, the same ones come again.
    return Need("saloon", PARTNERS - state.pile, (pool,))


def _undealt(state: State) -> tuple[int, ...]:
    """Give the tiles of the box that were not seen in this game, by their places in its list."""
    seen = supply.seen(state)
    left = []
    for number, tile in enumerate(state.box.tiles):
        # Like tiles cannot be told apart: so many of them as were seen are gone.
        if seen.get(tile):
            seen[tile] -= 1
        else:
            left.append(number)
    return tuple(left)


def chance(state: State, outcome: Outcome, events: list[Event]) -> State:
    """Take in what chance gave. Raises IllegalAction for what is not owed."""
    drawn: Mapping[str, tuple[Any, ...]] = outcome.drawn
    if not isinstance(state.phase, Dealing) or outcome.label != owed(state):
        raise IllegalAction("not_owed", label=outcome.label)
    state = replace(state, phase=Resolving())
    match outcome.label:
        case "set_up":
            return _set_up(state, drawn, events)
        case "row":
            tiles = [state.box.tiles[number] for number in drawn["tiles"]]
            return lay_row(state, tiles, events)
        case _:
            return fill(state, drawn["partners"], events)


def _set_up(state: State, drawn: Mapping[str, tuple[Any, ...]], events: list[Event]) -> State:
    chosen = state.rules.scenario
    scenario = drawn["scenario"][0] if chosen == "random" else chosen
    events.append(RanchersDropped(drawn["ranchers"], scenario))
    state = replace(state, order=drawn["ranchers"], scenario=scenario)
    return replace(state, phase=Painting()) if state.tracking == "score" else state


# Between turns


def proceed(state: State, events: list[Event]) -> State:
    """Do what comes before the next round: boards, saloon, rows, ranchers; then begin it."""
    # In the order of the set-up: each step is passed once what it brings lies there.
    if state.rules.boards == "wild_west" and any(r.character is None for r in state.ranches):
        return replace(state, phase=Boarding())
    if not state.current:
        return _turn_up(state, events) if owed(state) == "row" else _refill(state, events)
    if all(spot.rancher is None for spot in state.current):
        return replace(state, phase=Placing(_queue(state)))
    if _is_row_owed(state):
        return _turn_up(state, events)
    if supply.empty_tables(state):
        return _refill(state, events)
    state = replace(state, at=0)
    events.append(RoundBegun(state.round, state.is_last_round))
    return state


def _is_row_owed(state: State) -> bool:
    return not state.current or (not state.next and state.rows < ROWS)


def _queue(state: State) -> tuple[int, ...]:
    """Give the seats in the order in which they place ranchers before the first round.

    Two players: the first one places one, the other both, the first one the last.
    """
    if state.seats == FOR_TWO:
        first, other = state.order
        return first, other, other, first
    return state.order


def _turn_up(state: State, events: list[Event]) -> State:
    if supply.deals(state) and _is_row_left(state):
        return replace(state, phase=Dealing())
    if state.tracking == "full":
        return replace(state, phase=TurningUp())
    return lay_row(state, (None,) * PER_ROW, events)


def _is_row_left(state: State) -> bool:
    # At least so many as are not known: which they are `need_of` finds out, once a row is owed.
    is_sure = len(state.box.tiles) - supply.known_tiles(state) >= PER_ROW
    return is_sure or len(_undealt(state)) >= PER_ROW


def lay_row(
    state: State, tiles: tuple[Tile | None, ...] | list[Tile], events: list[Event]
) -> State:
    """Lay a row, the smallest number nearest to the box, equal ones in the order drawn."""
    ordered = sorted(tiles, key=lambda tile: 0 if tile is None else tile.number)
    row = tuple([Spot(tile) for tile in ordered])
    events.append(RowLaid(state.rows + 1, tuple(ordered)))
    state = replace(state, phase=Resolving(), rows=state.rows + 1)
    return replace(state, next=row) if state.current else replace(state, current=row)


def _refill(state: State, events: list[Event]) -> State:
    is_enough = len(supply.partners_in_piles(state)) >= supply.empty_tables(state)
    if supply.deals_partners(state) and is_enough:
        return replace(state, phase=Dealing())
    if state.tracking == "full":
        return replace(state, phase=Refilling())
    return fill(state, (None,) * supply.empty_tables(state), events)


def fill(state: State, partners: tuple[Specialist | None, ...], events: list[Event]) -> State:
    """Turn partners up on the empty tables of the saloon."""
    known = tuple(partner for partner in partners if partner is not None)
    events.append(TablesFilled(len(partners), known))
    return replace(
        state,
        phase=Resolving(),
        tables=(*state.tables, *partners),
        pile=state.pile - len(partners),
    )


def nobody_chose(state: State, row: Row, events: list[Event]) -> tuple[State, Row]:
    """Let the tile of a row leave the game on which no rancher stands, with three players."""
    for place, spot in enumerate(row):
        if spot.rancher is None and not spot.is_gone:
            events.append(TileLeft(place, spot.tile))
            row = swap(row, place, replace(spot, is_gone=True))
            state = replace(state, gone=(*state.gone, spot.tile))
    return state, row


# Turns


def check_room(state: State) -> None:
    """Refuse a row in which not all ranchers find a place that move there.

    Raises IllegalAction.
    """
    moves: tuple[tuple[int, Row], ...]
    if isinstance(state.phase, Placing):
        moves = (len(state.phase.queue), state.current), (len(_queue(state)), state.next)
    elif state.at < 0 and all(spot.rancher is None for spot in state.current):
        moves = (len(_queue(state)), state.current), (len(_queue(state)), state.next)
    else:
        waiting = sum(spot.rancher is not None for spot in state.current[max(state.at, 0) :])
        moves = ((waiting + (state.turn is not None), state.next),)
    for movers, row in moves:
        free = sum(spot.rancher is None and not spot.is_gone for spot in row)
        if row and free < movers:
            raise IllegalAction("no_free_place", section="corrections")


def next_turn(state: State, events: list[Event]) -> State:
    """Let the next rancher from the box take its tile; without one the round is over.

    Step 1 of a turn: the tile goes onto a free reserve space, else beside the board.
    """
    for place in range(state.at, len(state.current)):
        seat = state.current[place].rancher
        if seat is not None:
            return _take(state, place, seat, events)
    return _end_round(state, events)


def _take(state: State, place: int, seat: int, events: list[Event]) -> State:
    spot = state.current[place]
    ranch = state.ranches[seat]
    reserve = (*ranch.reserve, spot.tile)
    events.append(TileTaken(seat, place, spot.tile, len(reserve) > state.spaces(seat)))
    current = swap(state.current, place, Spot(spot.tile, None, is_gone=True))
    is_last = state.is_last_round and all(other.rancher != seat for other in current)
    # One domino, two with many tiles; in a seat's very last turn as many as can be laid.
    left = None if is_last else 1 + (len(reserve) >= MANY)
    state = replace(state, current=current, at=place, turn=Turn(seat, left))
    return with_ranch(state, seat, replace(ranch, reserve=reserve))


def end_turn(state: State) -> State:
    """End a turn; the next rancher from the box follows."""
    return replace(state, phase=Resolving(), turn=None, at=state.at + 1)


def _end_round(state: State, events: list[Event]) -> State:
    """End a round: its row is gone, and the one with the ranchers is played next.

    A tile that nobody chose leaves before the new row is laid.
    """
    if state.tracking == "full":
        points = [scoring.breakdown(r.cells, state.scenario).total for r in state.ranches]
        state = replace(state, totals=(*state.totals, tuple(points)))
    if state.is_last_round:
        return finish(state, events) if state.tracking == "full" else begin_painting(state)
    state, row = nobody_chose(state, state.next, events)
    return replace(state, current=row, next=(), at=-1)


def begin_painting(state: State) -> State:
    """Let the ranches be painted that nobody tracked."""
    return replace(state, phase=Painting(), current=(), next=(), turn=None)


def finish(state: State, events: list[Event]) -> State:
    """Count up. Before, of several cattle on one tile all but one go back."""
    for seat, ranch in enumerate(state.ranches):
        surplus = sum(max(0, cell.cattle - 1) for cell in ranch.cells if cell)
        if surplus:
            events.append(CattleTooMany(seat, surplus))
            cells = tuple(
                replace(cell, cattle=1) if cell and cell.cattle > 1 else cell
                for cell in ranch.cells
            )
            state = with_ranch(state, seat, replace(ranch, cells=cells))
    state = replace(state, phase=Ended(), turn=None)
    events.append(Counted(scoring.final(state).winners))
    return state


# What is learnt of the box


def learnt_of_row(state: State) -> Facts:
    """Name the tiles of the row that was just played, as far as they are new to the box's list.

    Not before: until then a slip in telling them is set right without a trace.
    """
    if is_whole(state.box):
        return ()
    return _new_facts(state, {spot.tile for spot in state.current if spot.tile is not None})


def learnt_at_the_end(state: State) -> Facts:
    """Name all tiles of a whole game: those it did not have are not in the box."""
    if supply.deals(state):
        return ()
    seen = supply.seen(state)
    # Only a game of which every tile was told can say that some tile is not in the box.
    if seen.total() != ROWS * PER_ROW:
        return ()
    surplus = [
        (fact, "no")
        for tile, count in seen.items()
        for fact, _ in tile_facts((tile,) * (state.box.tiles.count(tile) - count), +seen)
    ]
    surplus += [
        (fact, "no")
        for tile in dict.fromkeys(state.box.tiles)
        if not seen[tile]
        for fact, _ in tile_facts((tile,) * state.box.tiles.count(tile))
    ]
    return (*_new_facts(state, {*seen}), *surplus)


def relearnt(before: State, after: State) -> Facts:
    """Name what the box's list has to be told anew when tiles turn out to be other ones.

    A tile that an earlier evening knew stays in the list.
    """
    was, now = _taken(before), _taken(after)
    facts: list[tuple[str, str]] = []
    for tile in {*was, *now}:
        known = after.box.tiles.count(tile)
        copies = tile_facts((tile,) * max(was[tile], now[tile]))
        facts += copies[max(known, was[tile]) : now[tile]]
        facts += [(fact, "no") for fact, _ in copies[max(known, now[tile]) : was[tile]]]
    return tuple(sorted(facts))


def _taken(state: State) -> Counter[Tile]:
    """Count the tiles of rows that were played."""
    rows = Counter(
        spot.tile for row in (state.current, state.next) for spot in row if not spot.is_gone
    )
    told = state.phase.told if isinstance(state.phase, TurningUp) else ()
    return supply.seen(state) - Counter(t for t in rows.elements() if t) - Counter(told)


def _new_facts(state: State, tiles: set[Tile]) -> Facts:
    seen = supply.seen(state)
    facts: list[tuple[str, str]] = []
    for tile in tiles:
        known = state.box.tiles.count(tile)
        facts += tile_facts((tile,) * seen[tile])[known:]
    return tuple(sorted(facts))

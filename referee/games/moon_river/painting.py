"""Painting ranches as they lie there, for a table that lets the referee only count.

Anybody may paint any ranch, so one phone can paint all of them. What looks impossible is named and
can be confirmed: the table is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from msgspec import Struct

from referee.errors import IllegalAction

from . import scoring, supply
from .actions import (
    Action,
    Countersign,
    CountUp,
    HandIn,
    Mark,
    Paint,
    Station,
)
from .box import is_whole
from .events import Event, RanchCountersigned, RanchHandedIn, RanchPainted
from .grid import BIG, SMALL, is_on_river, neighbours
from .model import (
    CATTLE,
    FOR_TWO,
    LANDSCAPES,
    MOST_SHOWN,
    PARTNERS,
    RESOURCE_OF,
    RESOURCES,
    SPECIALISTS,
    TILES,
    WIDTH,
    Cell,
    Cells,
    Tile,
    replace,
)
from .state import State, with_ranch

SMALL_RANCH: Final = 24
BIG_RANCH: Final = 49
"""Tiles of a whole ranch; the big one has a bonus tile besides its dominoes."""
MOST: Final = 9
"""The most of anything that can be marked on a tile."""


class Oddity(Struct, frozen=True):
    """Something that looks impossible: what, at which cell (None: in the whole ranch or game)."""

    code: str
    at: int | None = None


# What looks impossible


@lru_cache(maxsize=512)
def oddities(cells: Cells) -> tuple[Oddity, ...]:
    """Name what looks impossible about a ranch by itself."""
    found = []
    there = [(at, cell) for at, cell in enumerate(cells) if cell is not None]
    for at, cell in there:
        found += [Oddity(code, at) for code in _odd(cell)]
        if not any(cells[near] for near in neighbours(len(cells))[at]):
            found.append(Oddity("stands_alone", at))
    is_big = len(cells) == BIG
    if len(there) > (BIG_RANCH if is_big else SMALL_RANCH):
        found.append(Oddity("too_many_tiles"))
    if len(there) % 2 and not is_big:
        found.append(Oddity("half_a_domino"))
    if there and not any(is_on_river(at) for at, _ in there):
        found.append(Oddity("not_at_the_river"))
    return tuple(found)


def _odd(cell: Cell) -> Iterator[str]:
    tile = cell.tile
    for resource in RESOURCES:
        if not tile.shows(resource):
            continue
        if resource != RESOURCE_OF[tile.landscape]:
            yield f"{resource}_elsewhere"
        elif tile.shows(resource) > MOST_SHOWN[resource]:
            yield f"much_{resource}"
    if cell.cattle and tile.landscape == "corn":
        yield "cattle_on_corn"


def odd_together(state: State) -> tuple[Oddity, ...]:
    """Name what looks impossible about all ranches together: more than the box holds."""
    cells = [cell for ranch in state.ranches for cell in ranch.cells if cell is not None]
    found = []
    if len(cells) > TILES + _bonus_tiles(state):
        found.append("more_tiles_than_there_are")
    if sum(cell.cattle for cell in cells) > CATTLE:
        found.append("more_cattle_than_there_are")
    partners = Counter(cell.partner for cell in cells if cell.partner is not None)
    if partners.total() > PARTNERS:
        found.append("more_partners_than_there_are")
    for kind, copies in zip(SPECIALISTS, state.box.partners, strict=True):
        if copies is not None and partners[kind] > copies:
            found.append(f"more_than_all_{kind}")
    if is_whole(state.box):
        found += _more_than_the_box(state, cells)
    return tuple(map(Oddity, found))


def _bonus_tiles(state: State) -> int:
    return len(state.box.bonus) if state.seats == FOR_TWO else 0


def _more_than_the_box(state: State, cells: list[Cell]) -> Iterator[str]:
    """Hold landscapes and symbols against the tiles of a box that are all known."""
    painted = Counter(cell.tile.landscape for cell in cells)
    there = Counter(tile.landscape for tile in state.box.tiles)
    for landscape in LANDSCAPES:
        if painted[landscape] > there[landscape] + _bonus_tiles(state):
            yield f"more_than_all_{landscape}"
    for resource in RESOURCES:
        shown = sum(cell.tile.shows(resource) for cell in cells)
        if shown > sum(tile.shows(resource) for tile in state.box.tiles):
            yield f"more_than_all_{resource}_symbols"


def odd_for(state: State, ranch: int) -> tuple[Oddity, ...]:
    """Name what has to be confirmed before a ranch is handed in."""
    return (*oddities(state.ranches[ranch].cells), *odd_together(state))


# Painting


def stroke(state: State, seat: int, action: Paint | Mark | Station, events: list[Event]) -> State:
    """Set something on cells of a ranch; symbols, cattle and partners where a tile lies.

    Raises IllegalAction for cells and counts that cannot be. A ranch that is painted again is no
    longer handed in, nor countersigned.
    """
    _check(state, action.ranch)
    cells = state.ranches[action.ranch].cells
    if not action.cells or not all(0 <= at < len(cells) for at in action.cells):
        raise IllegalAction("no_such_cell", section="painting")
    match action:
        case Paint():
            change: Callable[[Cell | None], Cell | None] = _painter(action)
        case Mark(count=count) if not 0 <= count <= MOST:
            raise IllegalAction("no_such_count", section="painting", count=count)
        case Mark():
            change = _marker(action)
        case Station():
            change = _stationer(action)
    chosen = {*action.cells}
    after = tuple(change(cell) if at in chosen else cell for at, cell in enumerate(cells))
    ranch = state.ranches[action.ranch]
    events.append(RanchPainted(seat, action.ranch))
    # A stroke that changes nothing leaves a ranch handed in, and is none to take back.
    if after == cells:
        return state
    return _keep(state, action.ranch, after, (*ranch.past, cells), ())


def _painter(action: Paint) -> Callable[[Cell | None], Cell | None]:
    """Set a landscape. What is known of a tile stays, unless it turns out to be another one."""

    def change(cell: Cell | None) -> Cell | None:
        if action.landscape is None:
            return None
        if cell is None:
            return Cell(Tile(0, action.landscape))
        if cell.tile.landscape == action.landscape:
            return cell
        # No cattle ever stand on corn.
        cattle = 0 if action.landscape == "corn" else cell.cattle
        return Cell(Tile(0, action.landscape), cattle, cell.partner, cell.domino)

    return change


def _marker(action: Mark) -> Callable[[Cell | None], Cell | None]:
    def change(cell: Cell | None) -> Cell | None:
        if cell is None:
            return None
        if action.what == "cattle":
            return replace(cell, cattle=action.count)
        if cell.tile.shows(action.what) == action.count:
            return cell
        # A tile that was told otherwise is another tile than that one.
        return replace(cell, tile=replace(cell.tile, number=0, **{action.what: action.count}))

    return change


def _stationer(action: Station) -> Callable[[Cell | None], Cell | None]:
    def change(cell: Cell | None) -> Cell | None:
        if cell is None:
            return None
        return replace(cell, partner=action.partner)

    return change


def _check(state: State, ranch: int) -> None:
    if not 0 <= ranch < state.seats:
        raise IllegalAction("no_such_seat", section="painting")


def _keep(
    state: State,
    number: int,
    cells: Cells,
    past: tuple[Cells, ...],
    future: tuple[Cells, ...],
) -> State:
    """Set a ranch's cells; it is no longer handed in."""
    ranch = supply.with_cells(state.ranches[number], cells)
    after = replace(ranch, past=past, future=future, is_done=False, signed_by=None)
    return with_ranch(state, number, after)


def unpaint(state: State, seat: int, number: int, events: list[Event]) -> State:
    """Take back the newest stroke in a ranch. Raises IllegalAction if there is none."""
    _check(state, number)
    if not state.ranches[number].past:
        raise IllegalAction("nothing_painted", section="painting")
    ranch = state.ranches[number]
    events.append(RanchPainted(seat, number))
    return _keep(state, number, ranch.past[-1], ranch.past[:-1], (*ranch.future, ranch.cells))


def repaint(state: State, seat: int, number: int, events: list[Event]) -> State:
    """Do the stroke again that was taken back last. Raises IllegalAction if there is none."""
    _check(state, number)
    if not state.ranches[number].future:
        raise IllegalAction("nothing_unpainted", section="painting")
    ranch = state.ranches[number]
    events.append(RanchPainted(seat, number))
    return _keep(state, number, ranch.future[-1], (*ranch.past, ranch.cells), ranch.future[:-1])


def example_strokes(number: int) -> tuple[Action, ...]:
    """Give some strokes for programs that only choose among what is legal.

    Always the same ones, whatever is painted: a stroke on one phone must not make another phone's
    page out of date. Any other cells and counts are accepted as well.
    """
    rows = [tuple(range(first, first + WIDTH)) for first in range(0, SMALL, WIDTH)]
    found: list[Action] = []
    for row in rows:
        found += [Paint(number, row, landscape) for landscape in LANDSCAPES]
        found.append(Mark(number, row[:1], "cattle", 1))
    return tuple(found)


# Handing in


def legal(state: State, seat: int) -> tuple[Action, ...]:
    """Give a way through all ranches that are not handed in, and then to the count."""
    found: list[Action] = []
    open_ones = [number for number, ranch in enumerate(state.ranches) if not ranch.is_done]
    for number, ranch in enumerate(state.ranches):
        if ranch.is_done and ranch.signed_by is None and number != seat:
            found.append(Countersign(number))
    for number in open_ones:
        found += example_strokes(number)
    # Of `hand_in` the confirmed one is listed, for it is always accepted.
    found += [HandIn(number, confirmed=True) for number in open_ones]
    return tuple(found) if open_ones else (*found, CountUp())


def hand_in(state: State, seat: int, action: HandIn, events: list[Event]) -> State:
    """Say that a ranch is painted as it lies there.

    Raises IllegalAction if something about it looks impossible and was not confirmed.
    """
    _check(state, action.ranch)
    ranch = state.ranches[action.ranch]
    # Asked and not forbidden: what lies on the table is right, however odd it looks.
    if odd_for(state, action.ranch) and not action.confirmed:
        raise IllegalAction("looks_impossible", section="painting")
    if ranch.is_done:
        raise IllegalAction("handed_in", section="painting")
    points = scoring.breakdown(ranch.cells, state.scenario).total
    events.append(RanchHandedIn(seat, action.ranch, points, len(odd_for(state, action.ranch))))
    return with_ranch(state, action.ranch, replace(ranch, is_done=True))


def countersign(state: State, seat: int, number: int, events: list[Event]) -> State:
    """Say as another player that a ranch is as it was handed in."""
    ranch = replace(state.ranches[number], signed_by=seat)
    events.append(RanchCountersigned(seat, number))
    return with_ranch(state, number, ranch)

"""What everybody may see: all of it, for nothing in this game is secret."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import ClassVar

from msgspec import Struct

from referee.games.base import BoardQuestion, Result
from referee.games.once import kept

from . import asking, flow, painting, scoring, stock, supply
from .box import known_left
from .events import Event
from .laying import covered_cells
from .model import (
    SIDES,
    SPACES,
    Box,
    Ended,
    Painting,
    Phase,
    Ranch,
    Row,
    Rules,
    Scenario,
    Side,
    Specialist,
    TakingStock,
    Tile,
    Turn,
)
from .painting import Oddity
from .state import State
from .stock import Unknown


class Stall(Struct, frozen=True):
    """What is a seat's beside its ranch.

    `spaces` are the reserve spaces of its board (0: nobody said yet which board it is), `bridges`
    the columns of its bridges (None: nobody told), `count` all its points as they stand, area by
    area, `odd` what looks impossible.
    """

    seat: int
    side: Side
    spaces: int
    bridges: tuple[int, ...] | None
    count: scoring.Breakdown
    odd: tuple[Oddity, ...]


class KnownTile(Struct, frozen=True):
    """A tile of the box that may be turned up yet in this game, and how many of them."""

    tile: Tile
    count: int


class Public(Struct, frozen=True):
    """What everybody sees.

    `phase` is the tag of `now`, which holds what is going on with its details. `seat` is whose turn
    it is, None between turns; what is asked of all `is_anybodys` to tell.
    `order` are the seats of the ranchers in the row being played,
    nearest to the box first; those who had their turn are not in it. `rows` counts the rows
    laid. `cattle_left` is the supply,
    `partners_left` by specialist how many may lie in the piles (None: nobody told). `tiles_left`
    are in the box, `known_tiles` those of them one knows. `deals`: the app turns tiles up itself.
    `tiles_told` counts the tiles that are known in this game.
    `unknown` is what is to be told next while stock is taken; `deeds` is what happened in the turn
    that goes on and in the one before; `odd` is what looks impossible about
    all ranches together.
    """

    phase: str
    now: Phase
    seat: int | None
    turn: Turn | None
    round: int
    rows: int
    is_last_round: bool
    to_act: tuple[int, ...]
    waiting_for: tuple[int, ...]
    is_anybodys: bool
    ranches: tuple[Ranch, ...]
    stalls: tuple[Stall, ...]
    current: Row
    next: Row
    at: int
    order: tuple[int, ...]
    tables: tuple[Specialist | None, ...]
    pile: int
    partners_left: tuple[int | None, ...]
    cattle_left: int
    tiles_left: int
    tiles_told: int
    known_tiles: tuple[KnownTile, ...]
    gone: tuple[Tile | None, ...]
    bonus_left: tuple[int, ...]
    bonus_sides: tuple[tuple[str, ...], ...]
    covered: tuple[int, ...]
    totals: tuple[tuple[int, ...], ...]
    scenario: Scenario
    rules: Rules
    deals: bool
    practice: bool
    practice_decks: bool
    question: BoardQuestion | None
    unknown: Unknown | None
    deeds: tuple[Event, ...]
    odd: tuple[Oddity, ...]
    result: Result | None
    is_shared: ClassVar[bool] = False  # each has a ranch of their own


class Own(Struct, frozen=True):
    """What one seat alone sees: nothing."""


def public(state: State) -> Public:
    """Build what everybody may see."""
    phase = state.phase
    seen = supply.seen(state)
    return Public(
        phase=phase.__struct_config__.tag,  # type: ignore[arg-type]  # our tags are strings
        now=phase,
        seat=None if state.turn is None else state.turn.seat,
        turn=state.turn,
        round=state.round,
        rows=state.rows,
        is_last_round=state.is_last_round,
        to_act=tuple(sorted(flow.to_act(state))),
        waiting_for=flow.waiting_for(state),
        is_anybodys=flow.is_anybodys(state),
        ranches=state.ranches,
        stalls=tuple([_stall(state, n, ranch) for n, ranch in enumerate(state.ranches)]),
        current=state.current,
        next=state.next,
        at=state.at,
        order=tuple([spot.rancher for spot in state.current if spot.rancher is not None]),
        tables=state.tables,
        pile=state.pile,
        partners_left=supply.partners_left(state),
        cattle_left=supply.cattle_left(state),
        tiles_left=supply.tiles_left(state),
        tiles_told=seen.total(),
        known_tiles=_known_tiles(state.box, frozenset(seen.items())),
        gone=state.gone,
        bonus_left=state.bonus_left,
        bonus_sides=_bonus_sides(state.box),
        covered=covered_cells(state),
        totals=state.totals,
        scenario=state.scenario,
        rules=state.rules,
        deals=supply.deals(state),
        practice=state.box.practice,
        # The same: tiles are both the board of this game and what is dealt.
        practice_decks=state.box.practice,
        question=asking.question(state),
        deeds=state.deeds,
        unknown=stock.unknown(state) if isinstance(phase, TakingStock) else None,
        odd=painting.odd_together(state) if isinstance(phase, Painting | TakingStock) else (),
        result=scoring.final(state) if isinstance(phase, Ended) else None,
    )


# Every turn moves tiles, and only a new row has others than those that were seen before.
@lru_cache(maxsize=256)
def _known_tiles(box: Box, seen: frozenset[tuple[Tile, int]]) -> tuple[KnownTile, ...]:
    # Sorted and counted, so that its order says nothing of what comes next.
    return tuple([KnownTile(tile, n) for tile, n in known_left(box, Counter(dict(seen)))])


@lru_cache(maxsize=16)
def _bonus_sides(box: Box) -> tuple[tuple[str, ...], ...]:
    return tuple([tile.sides for tile in box.bonus])


@kept("box", "rules", "scenario")  # a turn changes one ranch
def _stall(state: State, seat: int, ranch: Ranch) -> Stall:
    is_known = state.rules.boards == "camp" or ranch.character is not None or bool(ranch.reserve)
    return Stall(
        seat=seat,
        side=ranch.side,
        spaces=SPACES[ranch.side] if is_known else 0,
        bridges=state.box.bridges[SIDES.index(ranch.side)] if is_known else None,
        count=scoring.breakdown(ranch.cells, state.scenario),
        odd=painting.oddities(ranch.cells),
    )

"""Step 2 of a turn: forming dominoes, laying them, or letting tiles go."""

from __future__ import annotations

from itertools import combinations
from typing import Final

from referee.errors import IllegalAction

from . import laying
from .actions import (
    Action,
    Discard,
    DropBonus,
    FormDomino,
    LayBonus,
    Pass,
    ReportDomino,
    SplitDomino,
)
from .asking import question
from .box import sides_known
from .effects import domino_laid
from .events import (
    BonusDropped,
    BonusLaid,
    DominoFormed,
    DominoReported,
    DominoSplit,
    Event,
    TilesDiscarded,
)
from .feats import feats
from .grid import BIG, row_of
from .model import (
    WIDTH,
    Cell,
    Choosing,
    Discarding,
    Extending,
    Laying,
    LayingBonus,
    Resolving,
    Specialist,
    Tile,
    Turn,
    replace,
    swap,
)
from .rounds import end_turn
from .state import State, with_ranch

PAIR: Final = 2


def settle(state: State, turn: Turn, events: list[Event]) -> State:
    """Go on with a turn in which no effect is owed: another domino, tiles that must go, the end.

    Nobody may form a domino that cannot be laid; if a space is missing and none can be laid, two
    tiles leave. In a seat's last turn dominoes are laid as long as any can be.
    """
    ranch = state.ranches[turn.seat]
    if turn.left == 0 or len(ranch.reserve) < PAIR:
        return _leave(state, turn, events)
    if state.tracking != "full" or _formable(state, turn.seat):
        return replace(state, phase=Extending())
    if turn.left is not None and is_a_must(state, turn.seat):
        return replace(state, phase=Discarding())
    return _leave(state, turn, events)


def is_a_must(state: State, seat: int) -> bool:
    """Say whether a tile lies beside a seat's board, so that it must extend its ranch."""
    return len(state.ranches[seat].reserve) > state.spaces(seat)


def _leave(state: State, turn: Turn, events: list[Event]) -> State:
    """End the second step. What is left at the very end leaves the game."""
    ranch = state.ranches[turn.seat]
    if turn.left is None and ranch.reserve:
        events.append(TilesDiscarded(turn.seat, ranch.reserve))
        state = replace(state, gone=(*state.gone, *ranch.reserve))
        state = with_ranch(state, turn.seat, replace(ranch, reserve=()))
    return end_turn(state) if state.is_last_round else replace(state, phase=Choosing())


def _formable(state: State, seat: int) -> tuple[tuple[int, int], ...]:
    """Give the pairs of a reserve that can be laid: all, while its bridges are unknown."""
    reserve = state.ranches[seat].reserve
    if state.bridges(seat) is None:
        # Before the bridges are told any pair may fit; which does is asked before it is laid.
        known = [place for place, tile in enumerate(reserve) if tile is not None]
        return tuple(combinations(known, 2))
    return laying.pairs(laying.field_of(state, seat), reserve)


def legal(state: State, seat: int) -> tuple[Action, ...]:
    """Give the pairs to form; whoever has space for all tiles may pass."""
    if state.tracking != "full":
        return _draft_legal(state, seat)
    forms = tuple([FormDomino(*pair) for pair in _formable(state, seat)])
    return (*forms, Pass()) if _may_pass(state, seat) else forms


def _may_pass(state: State, seat: int) -> bool:
    turn = state.turn
    is_last = turn is not None and turn.left is None
    if state.tracking != "full" and is_last:
        # Only the table sees whether another one can be laid.
        return True
    return not is_last and not is_a_must(state, seat)


def form(state: State, seat: int, action: FormDomino, events: list[Event]) -> State:
    """Join two tiles into a domino that can be laid. Raises IllegalAction."""
    reserve = state.ranches[seat].reserve
    if not 0 <= action.first < action.second < len(reserve) or state.tracking != "full":
        raise IllegalAction("no_such_tile", section="extending")
    if (action.first, action.second) not in _formable(state, seat):
        raise IllegalAction("cannot_be_laid", section="extending")
    events.append(DominoFormed(seat, (reserve[action.first], reserve[action.second])))
    return replace(state, phase=Laying(action.first, action.second))


def laying_legal(state: State, phase: Laying, seat: int) -> tuple[Action, ...]:
    """Give every way to lay the domino, or to take it apart again."""
    one, other = _formed(state, phase, seat)
    here = laying.field_of(state, seat)
    return (SplitDomino(), *laying.placements(here, one.landscape, other.landscape))


def _formed(state: State, phase: Laying, seat: int) -> tuple[Tile, Tile]:
    reserve = state.ranches[seat].reserve
    one, other = reserve[phase.first], reserve[phase.second]
    if one is None or other is None:
        raise IllegalAction("no_such_tile", section="extending")
    return one, other


def split(state: State, seat: int, events: list[Event]) -> State:
    """Take the domino apart again, which lies in no ranch yet."""
    events.append(DominoSplit(seat))
    return replace(state, phase=Extending())


def lay(
    state: State, turn: Turn, phase: Laying, at: int, direction: int, events: list[Event]
) -> State:
    """Lay the domino, and note which of its effects are owed. Raises IllegalAction."""
    seat = turn.seat
    one, other = _formed(state, phase, seat)
    here = laying.field_of(state, seat)
    if question(state) is not None:
        raise IllegalAction("bridges_unknown", section="extending")
    if not laying.may_lie(here, one.landscape, other.landscape, at, direction):
        raise IllegalAction("may_not_lie_there", section="extending", at=at)
    ranch = state.ranches[seat]
    cells = laying.cells_of(len(ranch.cells), at, direction)
    # Asked before the domino lies there: only the first one that gets so far is owed a tile.
    is_due = bool(state.bonus_left) and _reaches_the_end(ranch.cells, cells)
    after = laying.laid(ranch, phase.first, phase.second, at, direction)
    left = None if turn.left is None else turn.left - 1
    state = replace(state, turn=Turn(seat, left, is_bonus_due=is_due), phase=Resolving())
    state = with_ranch(state, seat, after)
    state = domino_laid(state, seat, (one, other), cells, events)
    events.extend(feats(ranch.cells, state, seat, cells))
    return state


def _reaches_the_end(before: tuple[Cell | None, ...], cells: tuple[int, int]) -> bool:
    """Say whether a domino is the first to reach the tenth row of a big ranch."""
    if len(before) != BIG or any(before[-WIDTH:]):
        return False
    return max(map(row_of, cells)) == BIG // WIDTH - 1


# Bonus tiles


def bonus_owed(state: State, turn: Turn, events: list[Event]) -> State:
    """Let a bonus tile be laid, which leaves the game if it cannot be.

    Ruling: while one of the tiles there can be laid with one of its sides, such a one is taken.
    """
    here = all(sides_known(state.box.bonus[number]) for number in state.bonus_left)
    # While there are two of them somebody has to say which one leaves.
    if here and not _bonus_placements(state, turn.seat) and len(state.bonus_left) == 1:
        return drop_bonus(state, turn, state.bonus_left[0], events)
    return replace(state, phase=LayingBonus())


def _bonus_placements(state: State, seat: int) -> tuple[LayBonus, ...]:
    here = laying.field_of(state, seat)
    return tuple(
        LayBonus(number, landscape, at)
        for number in state.bonus_left
        for landscape in state.box.bonus[number].sides
        for at in laying.single_cells(here, landscape)
    )


def bonus_legal(state: State, seat: int) -> tuple[Action, ...]:
    """Give every way to lay a bonus tile; without one, which of them leaves."""
    return _bonus_placements(state, seat) or tuple(map(DropBonus, state.bonus_left))


def lay_bonus(state: State, turn: Turn, action: LayBonus, events: list[Event]) -> State:
    """Lay a bonus tile; its circle takes a partner."""
    seat, at = turn.seat, action.at
    ranch = state.ranches[seat]
    # Without a number: it is none of the box's tiles, and is counted among none of them.
    tile = Cell(Tile(0, action.landscape, circle=True))
    state = with_ranch(state, seat, replace(ranch, cells=swap(ranch.cells, at, tile)))
    events.append(BonusLaid(seat, action.landscape, at))
    left = tuple(number for number in state.bonus_left if number != action.tile)
    turn = replace(turn, is_bonus_due=False, circles=(at,))
    return replace(state, phase=Resolving(), turn=turn, bonus_left=left)


def drop_bonus(state: State, turn: Turn, tile: int, events: list[Event]) -> State:
    """Let a bonus tile leave the game."""
    events.append(BonusDropped(turn.seat))
    left = tuple(number for number in state.bonus_left if number != tile)
    turn = replace(turn, is_bonus_due=False)
    return replace(state, phase=Resolving(), turn=turn, bonus_left=left)


# Tiles that go


def discard_legal(state: State, seat: int) -> tuple[Action, ...]:
    """Give every pair of tiles that may leave the game."""
    places = range(len(state.ranches[seat].reserve))
    return tuple(Discard(*pair) for pair in combinations(places, PAIR))


def discard(state: State, turn: Turn, action: Discard, events: list[Event]) -> State:
    """Let two tiles leave the game. No domino follows."""
    ranch = state.ranches[turn.seat]
    out = (ranch.reserve[action.first], ranch.reserve[action.second])
    events.append(TilesDiscarded(turn.seat, out))
    rest = _without(ranch.reserve, action.first, action.second)
    state = with_ranch(state, turn.seat, replace(ranch, reserve=rest))
    state = replace(state, gone=(*state.gone, *out), phase=Resolving())
    return replace(state, turn=replace(turn, left=0))


def pass_on(state: State, turn: Turn, events: list[Event]) -> State:
    """Lay no domino, or no other one."""
    return _leave(state, turn, events)


def _without(reserve: tuple[Tile | None, ...], first: int, second: int) -> tuple[Tile | None, ...]:
    return tuple(tile for place, tile in enumerate(reserve) if place not in (first, second))


# Where nobody tracks the ranches


def _draft_legal(state: State, seat: int) -> tuple[Action, ...]:
    """Give the dominoes that can be told, each pair of like tiles and of like partners once."""
    reserve = state.ranches[seat].reserve
    found: dict[tuple[Tile | None, ...], tuple[int, int]] = {}
    for first, second in combinations(range(len(reserve)), PAIR):
        found.setdefault((reserve[first], reserve[second]), (first, second))
    tables = tuple(enumerate(state.tables))
    hired: dict[tuple[Specialist | None, ...], None] = {}
    for count in range(PAIR + 1):
        for some in combinations(tables, count):
            hired.setdefault(tuple(sorted((k for _, k in some), key=str)))
    told: list[Action] = [
        ReportDomino(first, second, kinds) for first, second in found.values() for kinds in hired
    ]
    if is_a_must(state, seat) and not _may_pass(state, seat):
        told += [Discard(*pair) for pair in found.values()]
    return (*told, Pass()) if _may_pass(state, seat) else tuple(told)


def report(state: State, turn: Turn, action: ReportDomino, events: list[Event]) -> State:
    """Take two tiles and the partners that were hired out of sight."""
    ranch = state.ranches[turn.seat]
    laid = (ranch.reserve[action.first], ranch.reserve[action.second])
    events.append(DominoReported(turn.seat, laid, action.hired))
    # Where nobody tracks the ranch they are out of sight, but still tiles of this box.
    after = replace(
        ranch,
        reserve=_without(ranch.reserve, action.first, action.second),
        elsewhere=(*ranch.elsewhere, *laid),
        dominoes=ranch.dominoes + 1,
    )
    tables = list(state.tables)
    for kind in action.hired:
        tables.remove(kind)
    left = None if turn.left is None else turn.left - 1
    state = replace(
        state,
        phase=Resolving(),
        turn=Turn(turn.seat, left),
        tables=tuple(tables),
        away=(*state.away, *action.hired),
    )
    return with_ranch(state, turn.seat, after)

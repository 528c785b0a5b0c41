"""What is asked of the table about its box, when it matters and not before."""

from __future__ import annotations

from referee.games.base import BoardQuestion, OpenFact
from referee.games.once import once

from .box import NONE, cell_value, values_of
from .model import (
    FOR_TWO,
    LANDSCAPES,
    Cells,
    Extending,
    Laying,
    LayingBonus,
)
from .state import State


@once  # asked whenever it is asked who may act
def question(state: State) -> BoardQuestion | None:
    """Give the question that has to be settled before anything else.

    The bridges of a board are asked when its first domino is to be laid, and for two players
    whether the board covers a place of the ranch; the sides of the bonus tiles when the first of
    them is to be laid.
    """
    turn = state.turn
    if turn is None:
        return None
    match state.phase:
        case Laying() | Extending() if needs_bridges(state, turn.seat):
            fact = f"bridges:{state.side(turn.seat)}"
            part = OpenFact(fact, values_of(fact))
            return BoardQuestion("bridges", (part,), place=state.side(turn.seat), seat=turn.seat)
        case Laying() if state.seats == FOR_TWO and state.box.covered is None:
            part = OpenFact("covered:cell", _coverable(state))
            return BoardQuestion("covered", (part,), seat=turn.seat)
        case LayingBonus() if parts := _unknown_sides(state):
            return BoardQuestion("bonus", parts, seat=turn.seat)
        case _:
            return None


def needs_bridges(state: State, seat: int) -> bool:
    """Say whether it matters now where a seat's bridges are.

    In an empty ranch any two tiles make a domino that can be laid at a bridge, wherever it is.
    """
    if state.tracking != "full" or state.bridges(seat) is not None:
        return False
    return isinstance(state.phase, Laying) or any(state.ranches[seat].cells)


def _coverable(state: State) -> tuple[str, ...]:
    """Give what the board may cover: nothing, or one of the cells on which no tile lies."""
    free = [n for n, cells in enumerate(zip(*_grids(state), strict=True)) if not any(cells)]
    return (NONE, *map(cell_value, free))


def _grids(state: State) -> tuple[Cells, ...]:
    return tuple(ranch.cells for ranch in state.ranches)


def _unknown_sides(state: State) -> tuple[OpenFact, ...]:
    """Give the sides of the bonus tiles that lie there and that nobody told."""
    parts = []
    for number in state.bonus_left:
        tile = state.box.bonus[number]
        for side, shown, other in (
            ("front", tile.front, tile.back),
            ("back", tile.back, tile.front),
        ):
            if shown is None:
                values = tuple(landscape for landscape in LANDSCAPES if landscape != other)
                parts.append(OpenFact(f"bonus:{number + 1}:{side}", values))
    return tuple(parts)

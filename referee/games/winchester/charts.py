"""The chart: what everybody may know of the board beyond single plots."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from referee.games.base import Known

from .boards import progress
from .lands import Board, Space, Vehicle


class Chart(Struct, frozen=True):
    """What is known of the board beyond single plots.

    `boat` and `locomotive` are the known spaces, `charted` the vehicles that have no others; the
    `sides` are the plots that may lie at such a space. `seen_` are amounts on real cards. `known`
    says how much is known.
    """

    boat: tuple[Space, ...]
    locomotive: tuple[Space, ...]
    charted: tuple[Vehicle, ...]
    boat_sides: tuple[int, ...]
    locomotive_sides: tuple[int, ...]
    touching: tuple[tuple[int, int], ...]
    seen_mines: tuple[int, ...]
    seen_ranches: tuple[int, ...]
    known: tuple[Known, ...]


@lru_cache(maxsize=64)
def chart(board: Board) -> Chart:
    """Sum up a board."""
    return Chart(
        board.river_spaces,
        board.rail_spaces,
        board.all_stops,
        tuple(sorted(board.beside("boat"))),
        tuple(sorted(board.beside("locomotive"))),
        board.touching,
        board.seen_mines,
        board.seen_ranches,
        progress(board),
    )

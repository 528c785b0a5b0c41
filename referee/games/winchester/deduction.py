"""What follows from what is known of a board: printed counts, the ranch's prairie, sorted plots."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from .lands import PLOTS, TERRAIN_COUNTS, TERRAINS, Board, Lands, Plot


def deduced(board: Board) -> Board:
    """Add what the printed counts and the ranch's prairie leave no doubt about; sort the plots."""
    while True:
        # Each may give the other something to go on, so both until neither adds anything.
        plots = _ranch_follows(_terrain_follows(board.plots))
        if plots == board.plots:
            return replace(board, lands=_sort(board))
        board = replace(board, plots=plots)


def _terrain_follows(plots: tuple[Plot, ...]) -> tuple[Plot, ...]:
    """Fill in terrains: of 7 deserts, 6 prairies, 6 forests the last ones follow."""
    known = [plot.terrain for plot in plots]
    left = [t for t in TERRAINS if known.count(t) < TERRAIN_COUNTS[t]]
    if len(left) != 1:
        return plots
    return tuple(replace(p, terrain=left[0]) if p.terrain is None else p for p in plots)


def _ranch_follows(plots: tuple[Plot, ...]) -> tuple[Plot, ...]:
    """Settle the ranch: a prairie of its own lands, and only one."""
    may_be = [p for p in plots if p.ranch_land and p.terrain in {None, "prairie"} and not p.mine]
    found = next((p.number for p in plots if p.ranch), None)
    if found is None and len([p for p in may_be if p.ranch is None]) == 1:
        found = next(p.number for p in may_be if p.ranch is None)
    numbers = {p.number for p in may_be}
    return tuple(
        replace(
            p,
            ranch=p.number == found
            if found is not None
            else p.ranch
            if p.number in numbers
            else False,
            terrain="prairie" if p.number == found else p.terrain,
        )
        for p in plots
    )


def _having(board: Board, holds: Callable[[Plot], bool]) -> frozenset[int]:
    return frozenset([plot.number for plot in board.plots if holds(plot)])


def _sort(board: Board) -> Lands:
    near: list[set[int]] = [set() for _ in board.plots]
    for low, high in board.touching:
        near[low - 1].add(high)
        near[high - 1].add(low)
    lands = Lands(
        terrains=tuple(_having(board, lambda p, t=t: p.terrain == t) for t in TERRAINS),  # type: ignore[misc]  # the default binds the loop's value
        river=_having(board, lambda p: p.river is True),
        rails=_having(board, lambda p: p.rails is True),
        near=tuple(map(frozenset, near)),
        maybe_terrain=_having(board, lambda p: p.terrain is None),
        maybe_river=_having(board, lambda p: p.river is None),
        maybe_rails=_having(board, lambda p: p.rails is None),
        maybe_near=_maybe_near(board),
        maybe_ranch=_having(board, lambda p: p.ranch is None),
        ranch=next((p.number for p in board.plots if p.ranch), None),
    )
    maybes = (lands.maybe_terrain, lands.maybe_river, lands.maybe_rails, *lands.maybe_near)
    return replace(lands, is_known=not any(maybes) and lands.ranch is not None)


def _maybe_near(board: Board) -> tuple[frozenset[int], ...]:
    if board.all_pairs:
        return (frozenset(),) * PLOTS
    everything = range(1, PLOTS + 1)
    left = [{*everything} - {plot} for plot in everything]
    for low, high in (*board.touching, *board.apart):
        left[low - 1].discard(high)
        left[high - 1].discard(low)
    return tuple(map(frozenset, left))

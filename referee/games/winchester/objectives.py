"""Shared objectives: who meets which, and the claim of a pile. Secret ones: what they pay."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from referee.errors import IllegalAction, NotYourTurn
from referee.games.base import Step

from .actions import Action, Claim
from .events import ClaimFailed, Event, ObjectiveClaimed
from .model import (
    NOTE,
    TOKENS,
    Between,
    Board,
    Plot,
    SecretObjective,
    SharedObjective,
    State,
    replace,
    swap,
)

# What a seat has towards each shared objective, read from public facts alone.


def group_sizes(board: Board, plots: set[int]) -> list[int]:
    """Join plots by shared sides, river and rails separating; give how many are in each group."""
    left = set(plots)
    sizes = []
    while left:
        group = [left.pop()]
        for number in group:
            new = board.lands.near[number - 1] & left
            group += new
            left -= new
        sizes.append(len(group))
    return sizes


def _terrains(state: State, _seat: int, plots: set[int]) -> int:
    return sum([not plots.isdisjoint(terrain) for terrain in state.board.lands.terrains])


def _together(state: State, _seat: int, plots: set[int]) -> int:
    """Count the most that one plot joins: of three together, one touches the two others."""
    near = state.board.lands.near
    return max([len(near[number - 1] & plots) + 1 for number in plots], default=0)


def _apart(state: State, _seat: int, plots: set[int]) -> int:
    near = state.board.lands.near
    return sum([plots.isdisjoint(near[number - 1]) for number in plots])


def _alike(state: State, seat: int, _plots: set[int]) -> int:
    held = state.held[seat]
    return max([held.count(token) for token in TOKENS])


_HAS: Final[Mapping[SharedObjective, tuple[int, Callable[[State, int, set[int]], int]]]] = {
    "all_terrains": (3, _terrains),
    "all_tokens": (3, lambda state, seat, _: len({*state.held[seat]})),
    "five_plots": (5, lambda _state, _seat, plots: len(plots)),
    "last_auction": (1, lambda s, seat, _: not s.plots_left and s.last_buyer == seat),
    "three_together": (3, _together),
    "three_off_river": (3, lambda s, _, plots: len(plots - s.board.lands.river)),
    "three_off_rails": (3, lambda s, _, plots: len(plots - s.board.lands.rails)),
    "dry_saloon": (1, lambda state, seat, _: state.dry[seat]),
    "four_apart": (4, _apart),
    "four_alike": (4, _alike),
}
"""For each shared objective: how many are asked, and the count of what a seat has."""


def met(state: State, seat: int) -> tuple[SharedObjective, ...]:
    """Name the face-up objectives that this seat meets now."""
    return _met(state, seat, {*state.plots_of(seat)})


def _met(state: State, seat: int, plots: set[int]) -> tuple[SharedObjective, ...]:
    most = max(len(plots), len(state.held[seat]), 1)  # what no count exceeds
    found: tuple[SharedObjective, ...] = ()
    for pile in state.piles:
        needed, has = _HAS[pile.objective]
        if needed <= most and has(state, seat, plots) >= needed:
            found = (*found, pile.objective)
    return found


def claimers(state: State) -> tuple[int, ...]:
    """Name the seats that may claim something between two auctions."""
    if state.rules.claims == "players":
        return tuple(range(state.seats)) if state.piles else ()
    by_seat = enumerate(state.plots_by_seat())
    return tuple([seat for seat, plots in by_seat if _met(state, seat, plots)])


def legal(state: State, seat: int) -> tuple[Action, ...]:
    """Give the claims of a seat between two auctions.

    Option `claims`: with "players" everything may be claimed and the referee only checks.
    """
    if state.rules.claims == "players":
        return tuple([Claim(pile.objective) for pile in state.piles])
    return tuple([Claim(objective) for objective in met(state, seat)])


def claim(state: State, seat: int, objective: SharedObjective) -> Step:
    """Take a pile's notes, at once or late, while nobody else has."""
    if not isinstance(state.phase, Between):
        raise NotYourTurn("no_claim_now", section="objectives")
    if objective not in [pile.objective for pile in state.piles]:
        raise IllegalAction("objective_gone", section="objectives", objective=objective)
    needed, has = _HAS[objective]
    if has(state, seat, {*state.plots_of(seat)}) < needed:
        if state.rules.claims == "players":
            return Step(state, (ClaimFailed(seat, objective),))
        raise IllegalAction("objective_not_met", section="objectives", objective=objective)
    return Step(*_take(state, seat, objective))


def claim_all(state: State, seat: int) -> tuple[State, tuple[Event, ...]]:
    """Claim all that a seat meets."""
    events: tuple[Event, ...] = ()
    for objective in met(state, seat):
        state, claimed = _take(state, seat, objective)
        events += claimed
    return state, events


def _take(
    state: State, seat: int, objective: SharedObjective
) -> tuple[State, tuple[ObjectiveClaimed, ...]]:
    amount = next(pile.amount for pile in state.piles if pile.objective == objective)
    cash = swap(state.cash, seat, state.cash[seat] + amount)
    state = replace(
        state,
        cash=cash,
        piles=tuple(pile for pile in state.piles if pile.objective != objective),
        fortunes=(*state.fortunes[:-1], cash) if state.fortunes else (),
    )
    return state, (ObjectiveClaimed(seat, objective, amount),)


PAY: Final[Mapping[SecretObjective, int]] = {
    "forests": 3 * NOTE,
    "deserts": 3 * NOTE,
    "prairies": 3 * NOTE,
    "riverside": 3 * NOTE,
    "railside": 3 * NOTE,
    "saloon_square": 5 * NOTE,
    "mines": 5 * NOTE,
    "ranch_lands": 3 * NOTE,
    "rumors": 3 * NOTE,
    "movements": 3 * NOTE,
}
"""What a secret objective pays for each plot or token it counts."""

_COUNTED_PLOT: Final[Mapping[SecretObjective, Callable[[Plot], bool]]] = {
    "forests": lambda plot: plot.terrain == "forest",
    "deserts": lambda plot: plot.terrain == "desert",
    "prairies": lambda plot: plot.terrain == "prairie",
    "riverside": lambda plot: plot.river,
    "railside": lambda plot: plot.rails,
    "saloon_square": lambda plot: plot.saloon,
    "mines": lambda plot: plot.mine,
    "ranch_lands": lambda plot: plot.ranch_land,
}


def counted(state: State, seat: int, objective: SecretObjective) -> int:
    """Count the plots or tokens of a seat that a secret objective pays for."""
    if objective == "rumors":
        return state.held[seat].count("rumor")
    if objective == "movements":
        return state.held[seat].count("movement")
    counts = _COUNTED_PLOT[objective]
    return sum(counts(state.board.plots[number - 1]) for number in state.plots_of(seat))

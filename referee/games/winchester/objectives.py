"""Shared objectives: who meets which, and the claim of a pile. Secret ones: what they pay."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from msgspec import Struct

from referee.errors import IllegalAction, NotYourTurn
from referee.games.base import Step
from referee.games.once import kept, once

from .actions import CLAIMS, Action, Claim
from .events import ClaimFailed, Event, ObjectiveClaimed
from .lands import TERRAIN_COUNTS, TERRAINS, Board, Plot, Terrain
from .model import (
    NOTE,
    TOKENS,
    Between,
    Claimed,
    Claiming,
    Pile,
    SecretObjective,
    SharedObjective,
    State,
    plots_by_seat,
    replace,
    swap,
)

HANGS_ON: Final = ("board", "piles", "owners", "held", "dry", "sales", "last_buyer")
"""What of a state says who meets a shared objective, and how far everybody is."""
APART: Final = 4
"""So many plots apart are asked: the one objective that can be lost again by one more plot."""

# What a seat has towards each shared objective, read from public facts alone. Of a board that is
# not known in whole it is what the seat has for certain.


def groups(board: Board, plots: AbstractSet[int], *, perhaps: bool = False) -> list[list[int]]:
    """Join plots by shared sides, river and rails separating; give each group's plots.

    With `perhaps`, plots that may touch for all that is known are joined too.
    """
    lands = board.lands
    left = set(plots)
    found = []
    while left:
        group = [left.pop()]
        # The group grows while it is walked, until nothing new touches it.
        for number in group:
            new = lands.near[number - 1] & left
            if perhaps:
                new |= lands.maybe_near[number - 1] & left
            group += new
            left -= new
        found.append(group)
    return found


def _terrains(state: State, _seat: int, plots: AbstractSet[int]) -> int:
    return sum([not plots.isdisjoint(terrain) for terrain in state.board.lands.terrains])


def _together(state: State, _seat: int, plots: AbstractSet[int]) -> int:
    """Count the most that one plot joins: of three together, one touches the two others."""
    near = state.board.lands.near
    return max([len(near[number - 1] & plots) + 1 for number in plots], default=0)


def _apart(state: State, seat: int, plots: AbstractSet[int]) -> int:
    """Count what stands apart, or once did: completed on an earlier turn, it is claimed late."""
    near, maybe = state.board.lands.near, state.board.lands.maybe_near
    return max(
        # For certain: a plot that may touch another one does not count.
        sum([had.isdisjoint(near[n - 1]) and had.isdisjoint(maybe[n - 1]) for n in had])
        for had in held_in_turn(state, seat, plots)
    )


def held_in_turn(state: State, seat: int, plots: AbstractSet[int]) -> list[AbstractSet[int]]:
    """Give these plots of a seat, and what it had of them after each of its purchases."""
    # Fewer than are asked cannot meet it, and all of them is `plots` itself.
    bought = [sale.plot for sale in state.sales if sale.buyer == seat and sale.plot in plots]
    return [plots, *({*bought[:count]} for count in range(APART, len(bought)))]


def _off_river(state: State, _seat: int, plots: AbstractSet[int]) -> int:
    # For certain, here and below: what may lie there does not count as off it.
    return len(plots - state.board.lands.river - state.board.lands.maybe_river)


def _off_rails(state: State, _seat: int, plots: AbstractSet[int]) -> int:
    return len(plots - state.board.lands.rails - state.board.lands.maybe_rails)


def _alike(state: State, seat: int, _plots: AbstractSet[int]) -> int:
    held = state.held[seat]
    return max([held.count(token) for token in TOKENS])


_HAS: Final[Mapping[SharedObjective, tuple[int, Callable[[State, int, AbstractSet[int]], int]]]] = {
    "all_terrains": (3, _terrains),
    "all_tokens": (3, lambda state, seat, _: len({*state.held[seat]})),
    "five_plots": (5, lambda _state, _seat, plots: len(plots)),
    "last_auction": (1, lambda s, seat, _: not s.plots_left and s.last_buyer == seat),
    "three_together": (3, _together),
    "three_off_river": (3, _off_river),
    "three_off_rails": (3, _off_rails),
    "dry_saloon": (1, lambda state, seat, _: state.dry[seat]),
    "four_apart": (APART, _apart),
    "four_alike": (4, _alike),
}
"""For each shared objective: how many are asked, and the count of what a seat has."""


# The most a seat can have, for all that is known.


def may_join(board: Board, plots: AbstractSet[int]) -> set[int]:
    """Name the plots that may touch two others of the set."""
    near, maybe = board.lands.near, board.lands.maybe_near
    return {n for n in plots if len((near[n - 1] | maybe[n - 1]) & plots) >= 2}  # noqa: PLR2004  # three together


def may_stand_apart(board: Board, plots: AbstractSet[int]) -> set[int]:
    """Name the plots that may touch no other of the set."""
    near = board.lands.near
    return {n for n in plots if plots.isdisjoint(near[n - 1])}


def _may_terrains(board: Board, plots: AbstractSet[int]) -> int:
    """Count the terrains there can be: each unknown plot may be one that is missing.

    A terrain all of whose plots are known elsewhere cannot be found any more.
    """
    lands = board.lands
    missing = [
        plots.isdisjoint(known) and len(known) < TERRAIN_COUNTS[terrain]
        for terrain, known in zip(TERRAINS, lands.terrains, strict=True)
    ]
    has = sum([not plots.isdisjoint(terrain) for terrain in lands.terrains])
    return has + min(sum(missing), len(plots & lands.maybe_terrain))


_MAY_HAVE: Final[Mapping[SharedObjective, Callable[[Board, AbstractSet[int]], int]]] = {
    "all_terrains": _may_terrains,
    "three_together": lambda board, plots: 3 if may_join(board, plots) else 0,
    "three_off_river": lambda board, plots: len(plots - board.lands.river),
    "three_off_rails": lambda board, plots: len(plots - board.lands.rails),
    "four_apart": lambda board, plots: len(may_stand_apart(board, plots)),
}


ON_THE_BOARD: Final = frozenset(_MAY_HAVE)
"""The objectives that hang on what is printed on the board."""


def verdict(state: State, seat: int, objective: SharedObjective) -> bool | None:
    """Say whether a seat meets an objective; None if that hangs on an unknown fact."""
    return judged(state, seat, plots_by_seat(state.owners)[seat], objective)


def judged(
    state: State, seat: int, plots: AbstractSet[int], objective: SharedObjective
) -> bool | None:
    """Say whether a seat with these plots meets an objective; None if that is not known."""
    needed, has = _HAS[objective]
    if not _may_do(state, seat, plots, needed):
        return False
    if has(state, seat, plots) >= needed:
        return True
    may_have = None if state.board.lands.is_known else _MAY_HAVE.get(objective)
    if may_have is None or len(plots) < needed:
        return False
    held = held_in_turn(state, seat, plots) if objective == "four_apart" else [plots]
    return None if any(may_have(state.board, had) >= needed for had in held) else False


def _may_do(state: State, seat: int, plots: AbstractSet[int], needed: int) -> bool:
    """Say whether any count of a seat's plots or tokens, or of what is there or not, can do."""
    return needed <= len(plots) or needed <= len(state.held[seat]) or needed == 1


def met(state: State, seat: int) -> tuple[SharedObjective, ...]:
    """Name the face-up objectives that this seat meets now."""
    return _met(state, seat, plots_by_seat(state.owners)[seat])


def _met(state: State, seat: int, plots: AbstractSet[int]) -> tuple[SharedObjective, ...]:
    found: tuple[SharedObjective, ...] = ()
    for pile in state.piles:
        needed, has = _HAS[pile.objective]
        if _may_do(state, seat, plots, needed) and has(state, seat, plots) >= needed:
            found = (*found, pile.objective)
    return found


class Standing(Struct, frozen=True):
    """How far everybody is towards an objective that lies open; `needed` are all there have to be.

    `has` is by seat what it has for certain, at most all of it; none where nobody may say that.
    """

    objective: SharedObjective
    amount: int
    needed: int
    has: tuple[int, ...]


@kept("rules", "seats", *HANGS_ON)
def standings(state: State) -> tuple[Standing, ...]:
    """Give how far everybody is, from public facts alone.

    Where people claim by themselves, no page may say who could.
    """
    is_told = state.rules.claims != "players"
    plots = plots_by_seat(state.owners)
    return tuple(
        Standing(
            pile.objective,
            pile.amount,
            needed,
            tuple(min(needed, has(state, seat, plots[seat])) for seat in range(state.seats))
            if is_told
            else (),
        )
        for pile in state.piles
        for needed, has in (_HAS[pile.objective],)
    )


def claimers(state: State) -> frozenset[int]:
    """Name the seats that may claim something between two auctions."""
    if state.rules.claims == "players":
        # Everybody, whatever they have: a shorter list would say who could.
        return state.everybody if state.piles else frozenset()
    return frozenset([seat for seat, found in enumerate(_met_by_seat(state)) if found])


@once  # asked of everybody, and then of each who may claim
def _met_by_seat(state: State) -> list[tuple[SharedObjective, ...]]:
    by_seat = plots_by_seat(state.owners)
    return [_met(state, seat, by_seat[seat]) for seat in range(state.seats)]


def legal(state: State, seat: int) -> tuple[Action, ...]:
    """Give the claims of a seat between two auctions.

    Option `claims`: with "players" everything may be claimed and the referee only checks.
    """
    if state.rules.claims == "players":
        return _claims(state.piles)
    return tuple([CLAIMS[objective] for objective in _met_by_seat(state)[seat]])


@once
def _claims(piles: tuple[Pile, ...]) -> tuple[Claim, ...]:
    return tuple([CLAIMS[pile.objective] for pile in piles])


def claim(state: State, seat: int, objective: SharedObjective) -> Step:
    """Take a pile's notes, at once or late, while nobody else has."""
    if not isinstance(state.phase, Between):
        raise NotYourTurn("no_claim_now", section="objectives")
    if _pile(state, objective) is None:
        raise IllegalAction("objective_gone", section="objectives", objective=objective)
    is_met = verdict(state, seat, objective)
    # With "players" a claim in vain is allowed, for a refusal would tell it for free.
    if not is_met and state.rules.claims != "players":
        raise IllegalAction("objective_not_met", section="objectives", objective=objective)
    if is_met is None:
        return Step(replace(state, phase=Claiming(seat, objective)))
    return _settled(state, seat, objective, (), is_met=is_met)


def settle_claim(
    state: State, seat: int, objective: SharedObjective, events: tuple[Event, ...]
) -> Step:
    """Pay a claim, or refuse it, once all that it hangs on is known."""
    is_met = verdict(state, seat, objective)
    return _settled(replace(state, phase=Between()), seat, objective, events, is_met=bool(is_met))


def _settled(
    state: State,
    seat: int,
    objective: SharedObjective,
    events: tuple[Event, ...],
    *,
    is_met: bool,
) -> Step:
    if not is_met:
        return Step(state, (*events, ClaimFailed(seat, objective)))
    state, claimed = _take(state, seat, objective)
    return Step(state, (*events, *claimed))


def claim_all(state: State, seat: int) -> tuple[State, tuple[Event, ...]]:
    """Claim all that a seat meets."""
    events: tuple[Event, ...] = ()
    # Found before the first is paid: none of them hangs on money, so none changes another.
    for objective in met(state, seat):
        state, claimed = _take(state, seat, objective)
        events += claimed
    return state, events


def _pile(state: State, objective: SharedObjective) -> Pile | None:
    for pile in state.piles:
        if pile.objective == objective:
            return pile
    return None


def _take(
    state: State, seat: int, objective: SharedObjective
) -> tuple[State, tuple[ObjectiveClaimed, ...]]:
    amount = next(pile.amount for pile in state.piles if pile.objective == objective)
    # What a claim brings belongs to the turn before it: `fortunes` has one entry a turn.
    cash = swap(state.cash, seat, state.cash[seat] + amount)
    state = replace(
        state,
        cash=cash,
        piles=tuple(pile for pile in state.piles if pile.objective != objective),
        claimed=(*state.claimed, Claimed(objective, seat, amount, state.plots_of(seat))),
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

COUNTED_TERRAIN: Final[Mapping[SecretObjective, Terrain]] = {
    "forests": "forest",
    "deserts": "desert",
    "prairies": "prairie",
}

_COUNTED_PLOT: Final[Mapping[SecretObjective, Callable[[Plot], bool]]] = {
    "riverside": lambda plot: plot.river is True,
    "railside": lambda plot: plot.rails is True,
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
    plots = [state.board.plots[number - 1] for number in state.plots_of(seat)]
    terrain = COUNTED_TERRAIN.get(objective)
    if terrain is not None:
        return sum(plot.terrain == terrain for plot in plots)
    return sum(map(_COUNTED_PLOT[objective], plots))

"""What the referee must ask of the board: only facts that can change the outcome now.

Whether it can is worked out twice, once with what is known, once with all that may still be. As
long as the two agree nothing is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet

from referee.games.base import BoardQuestion, OpenFact

from . import objectives, scoring
from .facts import YES, pair_fact, possible_values
from .model import (
    Between,
    Claiming,
    Counting,
    SecretObjective,
    SharedObjective,
    State,
    Turning,
)


def question(state: State) -> BoardQuestion | None:
    """Give what has to be known before anything else can happen, if something has."""
    lands = state.board.lands
    # Most calls end here: this is asked for every state, and for each of its legal actions.
    if lands.is_known:
        return None
    match state.phase:
        case Turning(plot):
            return _which_ranch(state) if plot in lands.maybe_ranch else None
        case Claiming(seat, objective):
            return _about(state, seat, objective)
        case Between() if state.rules.claims != "players":
            return _between(state)
        case Counting():
            return _at_the_end(state)
        case _:
            return None


def _between(state: State) -> BoardQuestion | None:
    is_automatic = state.rules.claims == "automatic"  # then the buyer alone is paid, at once
    for seat in (state.star,) if is_automatic else state.clockwise_from(state.star):
        for pile in state.piles:
            if objectives.verdict(state, seat, pile.objective) is None:
                return _about(state, seat, pile.objective)
    return None


def _about(state: State, seat: int, objective: SharedObjective) -> BoardQuestion | None:
    """Ask for what an objective depends on. Nothing, if it no longer hangs in the air."""
    if objectives.verdict(state, seat, objective) is not None:
        return None
    plots = {*state.plots_of(seat)}
    lands = state.board.lands
    match objective:
        case "all_terrains":
            return _terrains(state, plots & lands.maybe_terrain, seat)
        case "three_off_river":
            return _sides(state, "river", plots & lands.maybe_river, seat)
        case "three_off_rails":
            return _sides(state, "rails", plots & lands.maybe_rails, seat)
        case "three_together":
            centres = objectives.may_join(state.board, plots)
            return _neighbours(state, dict.fromkeys(centres, plots), seat)
        case "four_apart":
            return _about_apart(state, seat, plots)
        case _:
            return None


def _about_apart(state: State, seat: int, plots: AbstractSet[int]) -> BoardQuestion | None:
    """Ask about what stands apart now, or stood apart after an earlier purchase."""
    for had in objectives.held_in_turn(state, seat, plots):
        centres = objectives.may_stand_apart(state.board, had)
        if len(centres) >= objectives.APART:
            return _neighbours(state, dict.fromkeys(centres, had), seat)
    return None


def _which_ranch(state: State) -> BoardQuestion:
    values = possible_values(state.board, "ranch")
    return BoardQuestion("ranch", (OpenFact("ranch", values),))


def _terrains(state: State, plots: AbstractSet[int], seat: int | None = None) -> BoardQuestion:
    rest = state.board.lands.maybe_terrain - plots
    return BoardQuestion(
        "terrain", _terrain_parts(state, plots), seat=seat, more=_terrain_parts(state, rest)
    )


def _terrain_parts(state: State, plots: Iterable[int]) -> tuple[OpenFact, ...]:
    names = [f"terrain:{plot}" for plot in sorted(plots)]
    return tuple(OpenFact(name, possible_values(state.board, name)) for name in names)


def _sides(
    state: State, side: str, plots: AbstractSet[int], seat: int | None = None
) -> BoardQuestion:
    """Ask which plots border the river or the rails; where lists quarrel, propose a reading."""
    lands = state.board.lands
    rest = (lands.maybe_river if side == "river" else lands.maybe_rails) - plots
    return BoardQuestion(
        side, _side_parts(state, side, plots), seat=seat, more=_side_parts(state, side, rest)
    )


def _side_parts(state: State, side: str, plots: Iterable[int]) -> tuple[OpenFact, ...]:
    proposed = {doubt.fact: doubt.proposed for doubt in state.board.doubts}
    names = [f"{side}:{plot}" for plot in sorted(plots)]
    return tuple(OpenFact(name, (YES, "no"), proposed.get(name)) for name in names)


def _neighbours(state: State, centres: Mapping[int, AbstractSet[int]], seat: int) -> BoardQuestion:
    """Ask what one of a seat's plots touches: the one of which least is known.

    `centres` are the plots to ask about, and for each the others that matter.
    """
    maybe = state.board.lands.maybe_near
    last = state.sales[-1].plot if state.sales else 0

    def asks_most(plot: int) -> tuple[int, bool, int]:
        return len(maybe[plot - 1] & centres[plot]), plot == last, -plot

    # One plot at a time: people look at one place of the board and tap all that touches it.
    plot = max(centres, key=asks_most)
    asked, more = maybe[plot - 1] & centres[plot], maybe[plot - 1] - centres[plot]
    return BoardQuestion(
        "touching", _pairs(plot, asked), place=plot, seat=seat, more=_pairs(plot, more)
    )


def _pairs(plot: int, others: Iterable[int]) -> tuple[OpenFact, ...]:
    return tuple(OpenFact(pair_fact(plot, other), (YES, "no")) for other in sorted(others))


def _at_the_end(state: State) -> BoardQuestion | None:
    """Ask what objectives count, all at once, then what a tie over most plots depends on."""
    lands = state.board.lands
    # The plots of all who hold such a card in one question, which does not say whose it is.
    bare = {
        plot
        for objective, terrain in objectives.COUNTED_TERRAIN.items()
        for plot in _plots_counted(state, objective) & lands.maybe_terrain
        if terrain in possible_values(state.board, f"terrain:{plot}")
    }
    if bare:
        return _terrains(state, bare)
    wet = _plots_counted(state, "riverside") & lands.maybe_river
    if wet:
        return _sides(state, "river", wet)
    railed = _plots_counted(state, "railside") & lands.maybe_rails
    if railed:
        return _sides(state, "rails", railed)
    for seat in scoring.undecided_ties(state):
        return _grouping(state, seat)
    return None


def _grouping(state: State, seat: int) -> BoardQuestion:
    """Ask what may join a seat's groups of touching plots; within a group nothing hangs on it."""
    plots = {*state.plots_of(seat)}
    groups = objectives.groups(state.board, plots)
    others = {plot: plots.difference(group) for group in groups for plot in group}
    maybe = state.board.lands.maybe_near
    return _neighbours(state, {p: rest for p, rest in others.items() if maybe[p - 1] & rest}, seat)


def _plots_counted(state: State, objective: SecretObjective) -> set[int]:
    """Gather the plots of everybody who holds an objective."""
    return {
        plot
        for seat, held in enumerate(state.secrets)
        if objective in held
        for plot in state.plots_of(seat)
    }

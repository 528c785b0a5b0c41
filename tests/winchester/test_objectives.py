"""Shared objectives: what meets them, who claims them and when."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import networkx as nx  # type: ignore[import-untyped]  # it ships no types
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import profiles
from referee.games.winchester import objectives
from referee.games.winchester import rules as winchester
from referee.games.winchester.actions import Bid, Claim, CountUp, DrawPlot, Pass
from referee.games.winchester.boards import read_board
from referee.games.winchester.events import ClaimFailed, ObjectiveClaimed
from referee.games.winchester.model import (
    PLOTS,
    SHARED_OBJECTIVES,
    TOKENS,
    Sale,
    SharedObjective,
    State,
    Token,
    replace,
)
from tests.steps import find, refusal
from tests.winchester.positions import BOARD, PROFILE, RAILS, RIVER, auction, money, play, position


def with_plots(*plots: int) -> dict[str, Any]:
    """Let seat 0 own these plots."""
    return {"owned": {0: plots}}


def with_tokens(*tokens: Token) -> dict[str, Any]:
    """Let seat 0 hold these bonus tokens."""
    return {"held": {0: tokens}}


LAST: dict[str, Any] = {"owned": {0: range(1, 10), 1: range(10, 20)}}


@pytest.mark.parametrize(
    ("objective", "table", "is_met"),
    [
        ("all_terrains", with_plots(1, 8, 14), True),
        ("all_terrains", with_plots(1, 8, 9, 13), False),
        ("all_tokens", with_tokens("movement", "saloon", "rumor"), True),
        ("all_tokens", with_tokens("movement", "saloon", "saloon"), False),
        ("five_plots", with_plots(1, 2, 6, 11, 19), True),
        ("five_plots", with_plots(1, 2, 6, 11, 16, 19), True),
        ("five_plots", with_plots(1, 2, 6, 11), False),
        ("last_auction", {**LAST, "last_buyer": 0}, True),
        ("last_auction", {**LAST, "last_buyer": 1}, False),
        ("last_auction", {**with_plots(1), "last_buyer": 0}, False),
        ("three_together", with_plots(1, 2, 3), True),
        ("three_together", with_plots(2, 3, 5, 4), True),
        ("three_together", with_plots(1, 2, 4, 5), False),
        ("three_together", with_plots(4, 5, 6), False),
        ("three_off_river", with_plots(1, 9, 19), True),
        ("three_off_river", with_plots(1, 9, 5, 6), False),
        ("three_off_rails", with_plots(3, 6, 19), True),
        ("three_off_rails", with_plots(3, 6, 1, 2), False),
        ("dry_saloon", {"dry": (0,)}, True),
        ("dry_saloon", {"dry": (1,)}, False),
        ("four_apart", with_plots(1, 3, 5, 7), True),
        ("four_apart", with_plots(1, 3, 5, 6), True),
        ("four_apart", with_plots(1, 3, 7, 8), False),
        ("four_apart", with_plots(1, 3, 5, 7, 11, 12), True),
        ("four_alike", with_tokens("rumor", "rumor", "rumor", "rumor"), True),
        ("four_alike", with_tokens("rumor", "rumor", "rumor", "saloon", "saloon"), False),
    ],
)
def test_what_meets_a_shared_objective(
    objective: SharedObjective, table: dict[str, Any], *, is_met: bool
) -> None:
    """Each objective's condition, just met and just missed."""
    state = position(piles={objective: 3}, **table)

    assert objectives.met(state, 0) == ((objective,) if is_met else ())


def test_all_ten_are_tried_above() -> None:
    """None of the ten shared objectives is forgotten."""
    (mark,) = test_what_meets_a_shared_objective.pytestmark

    assert {case[0] for case in mark.args[1]} == {*SHARED_OBJECTIVES}


def test_off_river_and_off_rails_are_the_rulebooks_lists() -> None:
    """Plots that touch the river, and the rails, as the box lists them."""
    assert BOARD.lands.river == {*RIVER}
    assert BOARD.lands.rails == {*RAILS}


@pytest.mark.parametrize("how", ["auction", "forced"])
def test_last_auction_counts_however_it_was_won(how: str) -> None:
    """The last plot may be bought by bid or because nobody bid (or by duel)."""
    state = auction(19, owned={1: range(1, 10), 2: range(10, 19)}, piles={"last_auction": 3})
    first = Bid(1000) if how == "auction" else Pass()

    step = play(state, (0, first), (1, Pass()), (2, Pass()), (3, Pass()))

    assert objectives.met(step.state, 0) == ("last_auction",)


def test_last_auction_is_not_met_by_the_last_but_one() -> None:
    """While a plot is left, the last auction is still to come."""
    state = auction(18, owned={1: range(1, 10), 2: range(10, 18)}, piles={"last_auction": 3})

    step = play(state, (0, Bid(1000)), (1, Pass()), (2, Pass()), (3, Pass()))

    assert objectives.met(step.state, 0) == ()


# Independent oracle: networkx

PAIRS = [(low, high) for low in range(1, PLOTS + 1) for high in range(low + 1, PLOTS + 1)]


@given(
    touching=st.lists(st.sampled_from(PAIRS), max_size=40, unique=True),
    plots=st.sets(st.integers(1, PLOTS), max_size=10),
)
@settings(deadline=None)
def test_groups_agree_with_networkx(touching: list[tuple[int, int]], plots: set[int]) -> None:
    """Joined, apart and grouped plots are what a graph library says, on any board."""
    board = read_board({**PROFILE, "touching": touching})
    piles = {"three_together": 3, "four_apart": 4}
    state = replace(position(board=board, piles=piles, owned={0: plots}), sales=())
    graph = nx.Graph(touching)
    graph.add_nodes_from(range(1, PLOTS + 1))
    mine = graph.subgraph(plots)
    groups = sorted(sorted(group) for group in nx.connected_components(mine))
    sizes = sorted(map(len, groups))

    assert sorted(sorted(group) for group in objectives.groups(board, plots)) == groups
    assert objectives.met(state, 0) == (
        *(("three_together",) if max(sizes, default=0) >= 3 else ()),
        *(("four_apart",) if len(list(nx.isolates(mine))) >= 4 else ()),
    )


@given(
    plots=st.sets(st.integers(1, PLOTS)),
    held=st.lists(st.sampled_from(TOKENS), max_size=PLOTS),
    is_dry=st.booleans(),
    shared=st.lists(st.sampled_from(SHARED_OBJECTIVES), max_size=5, unique=True),
)
@settings(deadline=None)
def test_conditions_agree_with_a_second_reading(
    plots: set[int], held: list[Token], *, is_dry: bool, shared: list[SharedObjective]
) -> None:
    """Every condition written out once more, slowly, over any holdings.

    Nothing was met on an earlier turn: no purchase led to them.
    """
    state = position(
        piles=dict.fromkeys(shared, 3),
        owned={0: plots},
        held={0: held},
        dry=(0,) if is_dry else (),
        last_buyer=0,
    )
    state = replace(state, sales=())
    terrain = {p.number: p.terrain for p in BOARD.plots}

    def joined(one: int, other: int) -> bool:
        return (min(one, other), max(one, other)) in BOARD.touching

    reading = {
        "all_terrains": {"desert", "prairie", "forest"} == {terrain[n] for n in plots},
        "all_tokens": {"movement", "saloon", "rumor"} == {*held},
        "five_plots": len(plots) >= 5,
        "last_auction": len(plots) == PLOTS,
        "three_together": any(
            joined(a, b) and joined(b, c) for a in plots for b in plots for c in plots if a != c
        ),
        "three_off_river": len([n for n in plots if n not in RIVER]) >= 3,
        "three_off_rails": len([n for n in plots if n not in RAILS]) >= 3,
        "dry_saloon": is_dry,
        "four_apart": len([a for a in plots if not any(joined(a, b) for b in plots)]) >= 4,
        "four_alike": max((held.count(token) for token in held), default=0) >= 4,
    }

    assert objectives.met(state, 0) == tuple(o for o in shared if reading[o])


# Claims

TWO_MET: dict[str, Any] = {
    "piles": {"all_terrains": 3, "five_plots": 4, "three_together": 5, "four_alike": 6},
    "owned": {0: (1, 2, 3, 8, 14), 2: (16, 17, 18)},
    "star": 0,
}


def test_referee_announces_what_is_met() -> None:
    """Mode `referee`: what a seat meets is offered to it, one tap each, several in a turn."""
    state = position(**TWO_MET)

    assert winchester.legal_actions(state, 0) == (
        Claim("all_terrains"),
        Claim("five_plots"),
        Claim("three_together"),
        DrawPlot(),
    )
    assert [shown.met for shown in winchester.public(state).seats] == [
        ("all_terrains", "five_plots", "three_together"),
        (),
        ("three_together",),
        (),
    ]


def test_a_claim_takes_the_notes_and_the_card() -> None:
    """The pile's notes are the claimer's, the card leaves the game."""
    step = play(position(**TWO_MET), (0, Claim("five_plots")))

    assert step.events == (ObjectiveClaimed(0, "five_plots", 4000),)
    assert step.state.cash[0] == 12_000
    assert [pile.objective for pile in step.state.piles] == [
        "all_terrains",
        "three_together",
        "four_alike",
    ]
    assert money(step.state) == 110_000


def test_a_forgotten_objective_can_be_claimed_later_by_who_met_it() -> None:
    """Seat 2 forgot it on its own turn; between turns it may still claim, without the star."""
    state = position(**TWO_MET)

    assert winchester.to_act(state) == {0, 2}
    assert winchester.legal_actions(state, 2) == (Claim("three_together"),)
    assert play(state, (2, Claim("three_together"))).state.cash[2] == 13_000


def test_a_late_claim_comes_too_late_once_somebody_else_has_claimed() -> None:
    """Whoever claims first has it."""
    state = play(position(**TWO_MET), (0, Claim("three_together"))).state

    assert refusal(lambda: play(state, (2, Claim("three_together")))) == "objective_gone"
    assert winchester.to_act(state) == {0}


@pytest.mark.parametrize(
    ("seat", "objective", "code"),
    [
        (0, "four_alike", "objective_not_met"),
        (1, "five_plots", "objective_not_met"),
        (0, "all_tokens", "objective_gone"),
    ],
)
def test_referee_refuses_what_is_not_met(seat: int, objective: SharedObjective, code: str) -> None:
    """Not met, or not there."""
    assert refusal(lambda: play(position(**TWO_MET), (seat, Claim(objective)))) == code


def test_no_claims_during_an_auction() -> None:
    """Ruling: claims are made between two auctions, never while bids stand."""
    state = auction(19, **TWO_MET)

    assert refusal(lambda: play(state, (0, Claim("five_plots")))) == "no_claim_now"


def test_players_must_notice_themselves() -> None:
    """Mode `players`: no hint to anybody; all face-up objectives may be tried by all."""
    state = position(**TWO_MET, claims="players")

    assert winchester.to_act(state) == {0, 1, 2, 3}
    assert winchester.legal_actions(state, 1) == tuple(map(Claim, TWO_MET["piles"]))
    assert all(shown.met == () for shown in winchester.public(state).seats)
    step = play(state, (1, Claim("five_plots")))
    assert step.events == (ClaimFailed(1, "five_plots"),)
    assert step.state == state
    assert play(state, (0, Claim("five_plots"))).state.cash[0] == 12_000
    assert refusal(lambda: play(state, (0, Claim("dry_saloon")))) == "objective_gone"


def test_automatic_claims_come_with_the_purchase() -> None:
    """Mode `automatic`: the buyer gets all they meet at once, after the star."""
    state = auction(
        3,
        piles={"five_plots": 4, "three_together": 5, "four_alike": 6},
        owned={0: (1, 2, 8, 14)},
        claims="automatic",
    )

    step = play(state, (0, Bid(3000)), (1, Pass()), (2, Pass()), (3, Pass()))

    assert find(step.events, ObjectiveClaimed) == [
        ObjectiveClaimed(0, "five_plots", 4000),
        ObjectiveClaimed(0, "three_together", 5000),
    ]
    assert step.events[-1] == ObjectiveClaimed(0, "three_together", 5000)
    assert step.state.fortunes == ((14_000, 9000, 9000, 9000),)
    assert winchester.to_act(step.state) == {0}


def test_claims_come_after_the_19th_purchase_too() -> None:
    """The game ends only when the star's holder counts up; until then piles can be claimed."""
    state = position(**LAST, star=0, piles={"five_plots": 3})

    assert winchester.legal_actions(state, 0) == (Claim("five_plots"), CountUp())
    assert winchester.legal_actions(state, 1) == (Claim("five_plots"),)
    assert refusal(lambda: winchester.apply(state, 0, DrawPlot())) == "no_plots_left"
    assert refusal(lambda: winchester.apply(state, 1, CountUp())) == "not_your_turn"


def test_counting_up_waits_for_all_plots() -> None:
    """There is no end while a plot is left."""
    state = position(owned={0: range(1, 19)})

    assert refusal(lambda: winchester.apply(state, 0, CountUp())) == "plots_left"


@pytest.mark.parametrize("claims", ["referee", "players", "automatic"])
def test_stand_in_claims_for_an_absent_seat(
    claims: Literal["referee", "players", "automatic"],
) -> None:
    """Claims follow from public facts, so the host may make them for somebody away."""
    state: State = position(**TWO_MET, claims=claims)
    asked: Iterable[int] = winchester.to_act(state)

    assert all(
        winchester.stand_in(state, seat) == winchester.legal_actions(state, seat) for seat in asked
    )


@pytest.mark.parametrize(
    ("order", "is_met"),
    [((1, 3, 5, 7, 2), True), ((1, 3, 5, 7, 2, 4), True), ((1, 3, 2, 5, 7), False)],
)
def test_four_apart_once_is_enough(*, order: tuple[int, ...], is_met: bool) -> None:
    """Completed on an earlier turn and joined by another plot since, it can be claimed late."""
    state = position(piles={"four_apart": 3}, **with_plots(*order))
    state = replace(state, sales=tuple(Sale(plot, 0, 0, 0, 0, "auction") for plot in order))

    assert objectives.verdict(state, 0, "four_apart") is is_met
    assert (Claim("four_apart") in winchester.legal_actions(state, 0)) is is_met
    if is_met:
        assert winchester.apply(state, 0, Claim("four_apart")).state.cash[0] == 11_000


def test_what_stood_apart_once_is_asked_for_where_it_is_not_known() -> None:
    """Two of five plots touch for certain; whether the first four did is still to be looked up."""
    known = [("touch:1-2", "yes"), *((f"touch:{n}-3", "no") for n in (1, 2))]
    blank = read_board(profiles.load("winchester", "huch") | {"facts": dict(known)})
    state = position(piles={"four_apart": 3}, board=blank, **with_plots(1, 3, 5, 7, 2))
    sales = tuple(Sale(plot, 0, 0, 0, 0, "auction") for plot in (1, 3, 5, 7, 2))
    state = replace(state, sales=sales)
    assert objectives.verdict(state, 0, "four_apart") is None

    while (asked := winchester.question(state)) is not None:
        assert {part.fact.partition(":")[0] for part in asked.parts} == {"touch"}
        state = winchester.answer(state, tuple((part.fact, "no") for part in asked.parts)).state
    assert objectives.verdict(state, 0, "four_apart") is True

"""The end: what counts, who wins, and what breaks a tie."""

from __future__ import annotations

from typing import Any

import networkx as nx  # type: ignore[import-untyped]  # it ships no types
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.base import Result, ScoreLine
from referee.games.winchester import objectives, scoring
from referee.games.winchester import rules as winchester
from referee.games.winchester.actions import CountUp, DrawPlot
from referee.games.winchester.events import Counted
from referee.games.winchester.model import (
    PLOTS,
    SECRET_OBJECTIVES,
    TOKENS,
    Ended,
    SecretObjective,
    Token,
)
from tests.steps import refusal
from tests.winchester.positions import (
    BOARD,
    DESERTS,
    FORESTS,
    MINES,
    PRAIRIES,
    RAILS,
    RANCH_LANDS,
    RIVER,
    SALOON,
    play,
    position,
)


def final(**table: Any) -> Result:
    """Score a finished game."""
    result = winchester.score(position(Ended(), **table))
    assert result is not None
    return result


def totals(result: Result) -> tuple[int, ...]:
    """Give every seat's total, in notes."""
    return tuple(score.total // 1000 for score in result.scores)


def sharing_most_plots(*, cash: tuple[int, ...], **table: Any) -> Result:
    """Score a game in which all seats have one plot, none touching, so all get the $5000."""
    return final(cash=cash, owned={seat: (1 + 5 * seat,) for seat in range(len(cash))}, **table)


# Secret objectives


@pytest.mark.parametrize(
    ("objective", "counting", "each"),
    [
        ("forests", FORESTS, 3),
        ("deserts", DESERTS, 3),
        ("prairies", PRAIRIES, 3),
        ("riverside", RIVER, 3),
        ("railside", RAILS, 3),
        ("saloon_square", SALOON, 5),
        ("mines", MINES, 5),
        ("ranch_lands", RANCH_LANDS, 3),
    ],
)
def test_secret_objectives_pay_for_each_plot_on_their_list(
    objective: SecretObjective, counting: tuple[int, ...], each: int
) -> None:
    """Every plot of the rulebook's list pays, no other does."""
    for plot in range(1, PLOTS + 1):
        state = position(owned={0: (plot,)}, secrets={0: (objective,)})
        assert objectives.counted(state, 0, objective) == (plot in counting)

    lines = final(owned={0: range(1, 20)}, secrets={0: (objective,)}).scores[0].lines
    assert ScoreLine(objective, 1000 * each * len(counting), (len(counting),)) in lines


@pytest.mark.parametrize(("objective", "token"), [("rumors", "rumor"), ("movements", "movement")])
def test_secret_objectives_pay_for_tokens(objective: SecretObjective, token: Token) -> None:
    """$3000 for each token of the kind one holds."""
    held = (token, token, "saloon")

    lines = final(held={0: held}, secrets={0: (objective,)}).scores[0].lines

    assert ScoreLine(objective, 6000, (2,)) in lines


def test_every_secret_objective_has_its_pay() -> None:
    """Ten secret objectives, two of them at $5000."""
    assert {*objectives.PAY} == {*SECRET_OBJECTIVES}
    assert sorted(objectives.PAY.values()) == [3000] * 8 + [5000] * 2


def test_unmet_secret_objectives_pay_nothing_but_are_shown() -> None:
    """Their line says zero of it."""
    assert ScoreLine("mines", 0, (0,)) in final(secrets={0: ("mines",)}).scores[0].lines


def test_a_total_is_the_sum_of_its_lines() -> None:
    """Cash, both objectives, and the $5000 for most plots."""
    result = final(
        cash=(4, 9, 2),
        owned={0: (3, 4, 8), 1: (1, 14)},
        secrets={0: ("mines", "riverside"), 1: ("prairies", "railside"), 2: ("forests", "rumors")},
        held={2: ("rumor",)},
    )

    assert result.scores[0].lines == (
        ScoreLine("cash", 4000),
        ScoreLine("mines", 10_000, (2,)),
        ScoreLine("riverside", 3000, (1,)),
        ScoreLine("most_plots", 5000, (3,)),
    )
    assert totals(result) == (22, 18, 5)
    assert (result.winners, result.tie_break) == ((0,), None)


# Most plots


def test_most_plots_get_5000() -> None:
    """Whoever owns the most plots."""
    assert totals(final(cash=(0, 0, 0), owned={0: (1, 3), 1: (6,), 2: (11,)})) == (5, 0, 0)


def test_tie_for_most_plots_goes_to_the_larger_group() -> None:
    """Equal plots: who has more of them touching."""
    result = final(cash=(0, 0, 0), owned={0: (1, 2, 7), 1: (11, 12, 13), 2: (16,)})

    assert totals(result) == (0, 5, 0)


def test_tie_for_most_plots_persists_and_each_gets_5000() -> None:
    """Still tied: each of them, not a share."""
    result = final(cash=(0, 0, 0), owned={0: (1, 2, 7), 1: (11, 12, 16), 2: (4,)})

    assert totals(result) == (5, 5, 0)


@pytest.mark.parametrize(("touching", "winner"), [("largest_group", 0), ("any_touching", 1)])
def test_touching_can_be_read_two_ways(touching: str, winner: int) -> None:
    """Ruling `touching`: the largest group, or all plots that touch another of one's own."""
    owned = {0: (1, 2, 3, 6, 11), 1: (7, 8, 13, 14, 16)}

    state = position(Ended(), owned=owned, touching=touching)

    assert scoring.most_plots(state) == (winner,)


# Who wins


def test_richest_wins() -> None:
    """The highest total, no tie to break."""
    result = sharing_most_plots(cash=(5, 9, 8))

    assert (result.winners, result.tie_break) == ((1,), None)


def test_tie_is_broken_by_cash() -> None:
    """Equal totals: more cash wins, what the secret objectives paid left out."""
    result = final(
        cash=(5, 2, 1),
        owned={0: (1,), 1: (6,), 2: (11,)},
        secrets={1: ("riverside",)},
        duel_tokens=(1,),
    )
    assert totals(result) == (10, 10, 6)
    assert (result.winners, result.tie_break) == ((0,), "cash")


def test_the_5000_count_as_cash_in_a_tie() -> None:
    """Ruling: only the objective cards' money is left out, so the $5000 are cash."""
    result = final(
        cash=(4, 6, 0), owned={0: (3, 8), 1: (19,)}, secrets={1: ("prairies",)}, duel_tokens=(1,)
    )

    assert totals(result) == (9, 9, 0)
    assert (result.winners, result.tie_break) == ((0,), "cash")


def test_tie_in_cash_is_broken_by_the_duel_token() -> None:
    """Who still has a duel token wins."""
    result = sharing_most_plots(cash=(5, 5, 5), duel_tokens=(2,))

    assert (result.winners, result.tie_break) == ((2,), "duel_token")


@pytest.mark.parametrize(
    ("armed", "winners"),
    [((), (0, 1, 2)), ((0, 1, 2), (0, 1, 2)), ((1, 2), (1, 2))],
)
def test_still_tied_share_the_win(armed: tuple[int, ...], winners: tuple[int, ...]) -> None:
    """All of those who are still tied are the head of the family together."""
    result = sharing_most_plots(cash=(5, 5, 5), duel_tokens=armed)

    assert (result.winners, result.tie_break) == (winners, "shared")


def test_a_duel_token_does_not_help_who_has_less_cash() -> None:
    """The tie-breakers come in order."""
    result = final(
        cash=(5, 5, 2),
        owned={0: (1,), 1: (6,), 2: (8,)},
        secrets={2: ("riverside",)},
        duel_tokens=(2,),
    )

    assert (result.winners, result.tie_break) == ((0, 1), "shared")


# Counting up


def test_counting_up_ends_the_game_and_shows_everything() -> None:
    """After the last plot the star's holder counts up; everybody then sees it all."""
    state = position(owned={0: range(1, 20)}, star=1, secrets={2: ("rumors", "mines")})
    assert winchester.score(state) is None
    assert winchester.public(state).result is None
    assert winchester.public(state).fortunes is None

    step = play(state, (1, CountUp()))

    assert step.events == (Counted((0,)),)
    assert step.reveals
    assert winchester.to_act(step.state) == frozenset()
    assert winchester.public(step.state).result == winchester.score(step.state)
    assert winchester.public(step.state).fortunes == ()
    assert refusal(lambda: winchester.apply(step.state, 1, DrawPlot())) == "game_over"
    assert refusal(lambda: winchester.apply(step.state, 1, CountUp())) == "game_over"


# Independent oracle: the whole scoring once more, from the box's lists and with networkx


@st.composite
def endings(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a finished game of 3 to 5 seats, cash close together so that ties happen."""
    seats = draw(st.integers(3, 5))
    owners = draw(st.lists(st.integers(0, seats - 1), min_size=PLOTS, max_size=PLOTS))
    deck = draw(st.permutations(SECRET_OBJECTIVES))
    return {
        "cash": tuple(draw(st.lists(st.integers(0, 6), min_size=seats, max_size=seats))),
        "owned": {s: [n for n, o in enumerate(owners, 1) if o == s] for s in range(seats)},
        "held": {s: draw(st.lists(st.sampled_from(TOKENS), max_size=4)) for s in range(seats)},
        "secrets": {s: tuple(deck[2 * s : 2 * s + 2]) for s in range(seats)},
        "duel_tokens": draw(st.sets(st.integers(0, seats - 1))),
        "touching": draw(st.sampled_from(["largest_group", "any_touching"])),
    }


LISTS = {
    "forests": FORESTS,
    "deserts": DESERTS,
    "prairies": PRAIRIES,
    "riverside": RIVER,
    "railside": RAILS,
    "saloon_square": SALOON,
    "mines": MINES,
    "ranch_lands": RANCH_LANDS,
}


def by_hand(table: dict[str, Any]) -> tuple[list[int], list[int]]:
    """Score a finished game another way; give the totals and the winners."""
    seats = range(len(table["cash"]))
    graph = nx.Graph(BOARD.touching)
    graph.add_nodes_from(range(1, PLOTS + 1))

    def weight(seat: int) -> tuple[int, int]:
        mine = graph.subgraph(table["owned"][seat])
        if table["touching"] == "largest_group":
            touching = max(map(len, nx.connected_components(mine)), default=0)
        else:
            touching = mine.number_of_nodes() - nx.number_of_isolates(mine)
        return mine.number_of_nodes(), touching

    def secret(seat: int, objective: str) -> int:
        if objective in LISTS:
            pay = 5 if objective in {"saloon_square", "mines"} else 3
            return pay * len({*LISTS[objective]} & {*table["owned"][seat]})
        held: list[str] = table["held"][seat]
        return 3 * held.count(objective[:-1])

    heaviest = max(map(weight, seats))
    cash = [table["cash"][s] + 5 * (weight(s) == heaviest) for s in seats]
    earned = [cash[s] + sum(secret(s, card) for card in table["secrets"][s]) for s in seats]
    ranking = [(earned[s], cash[s], s in table["duel_tokens"]) for s in seats]
    return earned, [s for s in seats if ranking[s] == max(ranking)]


@pytest.mark.long
@given(endings())
@settings(deadline=None)
def test_scoring_agrees_with_a_second_reading(table: dict[str, Any]) -> None:
    """Totals and winners of any finished game are what a slow second implementation says."""
    earned, winners = by_hand(table)

    result = final(**table)

    assert totals(result) == tuple(earned)
    assert result.winners == tuple(winners)
    assert (result.tie_break is None) == (earned.count(max(earned)) == 1)
    assert all(score.total == sum(line.amount for line in score.lines) for score in result.scores)

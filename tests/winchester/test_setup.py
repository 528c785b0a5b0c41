"""Set-up, the draw of a plot token, and the practice board."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import msgspec
import pytest

from referee import profiles
from referee.games.base import Outcome
from referee.games.winchester import rules as winchester
from referee.games.winchester.actions import Claim, DrawPlot
from referee.games.winchester.events import Dealt, PlotDrawn
from referee.games.winchester.model import (
    SECRET_OBJECTIVES,
    SHARED_OBJECTIVES,
    Between,
    Dealing,
    Drawing,
    OpenAuction,
    SealedAuction,
    State,
    read_board,
)
from tests.steps import refusal
from tests.strategies import draw
from tests.winchester.positions import (
    MINES,
    PROFILE,
    RAILS,
    RANCH,
    RANCH_LANDS,
    RIVER,
    SALOON,
    money,
    notes,
    play,
    position,
)

PRACTICE = profiles.load("winchester", "practice")


def dealt(seats: int, seed: int = 1, **options: str) -> State:
    """Set up a game and deal it."""
    step = winchester.setup({"preset": "app"} | options, seats, PROFILE)
    (need,) = step.needs
    state: State = winchester.chance(step.state, draw(need, random.Random(seed))).state
    return state


@pytest.mark.parametrize(("seats", "bank"), [(3, 60), (4, 52), (5, 44)])
def test_notes_at_the_start(seats: int, bank: int) -> None:
    """8 each, 1 in the saloon, piles of 3 to 7, the rest of the 110 in the bank."""
    state = dealt(seats)

    assert notes(state.cash) == (8,) * seats
    assert state.saloon == 1000
    assert notes(pile.amount for pile in state.piles) == (3, 4, 5, 6, 7)
    assert state.bank == 1000 * bank
    assert money(state) == 110_000
    assert state.duel_tokens == (True,) * seats


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_cards_and_tokens_are_dealt(seats: int) -> None:
    """Two different secret objectives each, five shared ones, a token a plot, mines and ranch."""
    state = dealt(seats)

    secret = [card for cards in state.secrets for card in cards]
    assert [len(cards) for cards in state.secrets] == [2] * seats
    assert len({*secret}) == 2 * seats
    assert {*secret} <= {*SECRET_OBJECTIVES}
    assert len({pile.objective for pile in state.piles} & {*SHARED_OBJECTIVES}) == 5
    assert Counter(state.tokens) == {"movement": 7, "saloon": 6, "rumor": 6}
    assert [n for n, card in enumerate(state.cards, 1) if card] == [*MINES]
    assert state.ranch_card in PROFILE["ranch_cards"]
    assert {state.cards[n - 1] for n in MINES} <= {*PROFILE["mine_cards"]}
    assert state.boat in {"r1", "r2", "r3"}
    assert state.locomotive in {"t1", "t2", "t3"}


def test_the_deal_is_sealed() -> None:
    """What was dealt stays secret until the game is over; that it was is public."""
    step = winchester.setup({"preset": "app"}, 3, PROFILE)

    assert step.state.phase == Dealing()
    assert winchester.to_act(step.state) == frozenset()
    assert winchester.violations(step.state) == ()
    deal = winchester.chance(step.state, draw(step.needs[0], random.Random(1)))
    assert deal.secret
    assert deal.events == (Dealt(0),)


@pytest.mark.parametrize("star", [0, 1, 2])
def test_the_table_says_who_has_the_star(star: int) -> None:
    """The star starts with whoever watched a Western last."""
    state = dealt(3, star=str(star))

    assert (state.star, state.phase) == (star, Between())
    assert winchester.to_act(state) == {star}
    assert winchester.legal_actions(state, star) == (DrawPlot(),)


def test_nothing_can_be_done_before_the_deal() -> None:
    """The deal is owed first."""
    state = winchester.setup({"preset": "app"}, 3, PROFILE).state

    assert refusal(lambda: winchester.apply(state, 0, DrawPlot())) == "not_your_turn"
    assert refusal(lambda: winchester.apply(state, 0, Claim("five_plots"))) == "no_claim_now"


@pytest.mark.parametrize(("auction", "phase"), [("open", OpenAuction), ("sealed", SealedAuction)])
def test_drawing_a_plot_opens_its_auction(auction: str, phase: type) -> None:
    """The star's holder draws a plot token for all to see."""
    state = dealt(4, auction=auction, star="2")
    asked = play(state, (2, DrawPlot()))
    assert asked.state.phase == Drawing()
    assert winchester.to_act(asked.state) == frozenset()

    step = winchester.chance(asked.state, Outcome("plot", {"plot": (7,)}))

    assert step.events == (PlotDrawn(2, 7),)
    assert isinstance(step.state.phase, phase)
    assert winchester.public(step.state).plot == 7
    assert (step.state.turn, step.reveals, step.secret) == (1, True, False)


@pytest.mark.parametrize("label", ["deal", "plot", "duel", "dice"])
def test_chance_that_is_not_owed_is_refused(label: str) -> None:
    """Between two auctions nothing is owed."""
    outcome = Outcome(label, {"plot": (7,), "bang": (0,)})

    assert refusal(lambda: winchester.chance(position(), outcome)) == "not_owed"


def test_a_profile_of_another_shape_is_refused() -> None:
    """A board that lacks something is not half read."""
    with pytest.raises(msgspec.ValidationError):
        read_board({"key": "empty"})


def numbers(feature: str) -> tuple[int, ...]:
    """Give the practice board's plots with a feature."""
    return tuple(plot["number"] for plot in PRACTICE["plots"] if plot[feature])


def test_practice_board_agrees_with_the_printed_lists() -> None:
    """What the box lists is so on the practice board as well."""
    assert numbers("river") == RIVER
    assert numbers("rails") == RAILS
    assert numbers("saloon") == SALOON
    assert numbers("mine") == MINES
    assert numbers("ranch") == (RANCH,)
    assert numbers("ranch_land") == RANCH_LANDS
    assert PRACTICE["practice"]


def test_practice_board_has_the_printed_counts() -> None:
    """19 plots: 7 deserts with the mines among them, 6 prairies with the ranch, 6 forests."""
    terrain = {plot["number"]: plot["terrain"] for plot in PRACTICE["plots"]}

    assert [*terrain] == list(range(1, 20))
    assert Counter(terrain.values()) == {"desert": 7, "prairie": 6, "forest": 6}
    assert {terrain[n] for n in MINES} == {"desert"}
    assert terrain[RANCH] == "prairie"
    assert sum(PRACTICE["tokens"].values()) == 19
    assert (len(PRACTICE["mine_cards"]), len(PRACTICE["ranch_cards"])) == (5, 3)


@pytest.mark.parametrize(("spaces", "listed"), [("river_spaces", RIVER), ("rail_spaces", RAILS)])
def test_practice_spaces_touch_the_plots_of_the_lists(spaces: str, listed: tuple[int, ...]) -> None:
    """Every plot on the river has a river space beside it, and no other plot has; rails alike."""
    profile: dict[str, Any] = PRACTICE

    assert sorted({n for space in profile[spaces] for n in space["touches"]}) == sorted(listed)


def test_practice_ranch_lands_lie_around_the_ranch() -> None:
    """The land around the ranch is what touches it."""
    around = {sum(pair) - RANCH for pair in PRACTICE["touching"] if RANCH in pair}

    assert around | {RANCH} == {*RANCH_LANDS}
    assert all(low < high for low, high in PRACTICE["touching"])

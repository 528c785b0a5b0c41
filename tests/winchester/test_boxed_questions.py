"""What is asked about the owner's board, when, and what answers settle."""

from __future__ import annotations

from typing import Any

from referee import profiles
from referee.games.base import Answer
from referee.games.winchester import boards
from referee.games.winchester import rules as winchester
from referee.games.winchester.actions import (
    Claim,
    DrawPlot,
    SkipLook,
    TurnCard,
)
from referee.games.winchester.boards import read_board
from referee.games.winchester.events import (
    CardRevealed,
    ClaimFailed,
    FactsLearnt,
    ObjectiveClaimed,
)
from referee.games.winchester.model import (
    Between,
    Claiming,
    Rumor,
    Turning,
)
from tests.steps import find, refusal
from tests.winchester.huch import HUCH, PRACTICE, boxed, kinds

# The ranch


def test_a_plot_that_may_be_the_ranch_raises_the_question() -> None:
    """Which plot it is, asked once; the real card is told only if it is the one bought."""
    state = boxed(Rumor(12, 1), owned={1: (12,)})
    step = winchester.apply(state, 1, SkipLook())
    assert step.state.phase == Turning(12, 1)
    question = winchester.question(step.state)
    assert question is not None
    assert question.kind == "ranch"
    assert question.parts[0].values == ("12", "13", "14", "16", "17", "18")
    assert winchester.to_act(step.state) == {0, 1, 2, 3}
    assert refusal(lambda: winchester.apply(step.state, 1, TurnCard(3000))) == "question_open"

    elsewhere = winchester.apply(step.state, 3, Answer((("ranch", "17"),)))
    assert elsewhere.state.phase == Between()
    assert elsewhere.events == (FactsLearnt((("ranch", "17"),)),)
    assert elsewhere.learnt == (("ranch", "17"),)

    here = winchester.apply(step.state, 3, Answer((("ranch", "12"),)))
    assert here.state.phase == Turning(12, 1)
    assert kinds(here.state, 1) == {"TurnCard"}
    paid = winchester.apply(here.state, 1, TurnCard(5000))
    assert find(paid.events, CardRevealed) == [CardRevealed(1, 12, "ranch", 5000)]


def test_the_apps_ranch_card_is_turned_once_the_plot_is_known() -> None:
    """Dealt by the app, on a board whose ranch nobody told yet."""
    state = boxed(Turning(12, 1), owned={1: (12,)}, cards={17: 4000}, land_cards="app")
    here = winchester.apply(state, 0, Answer((("ranch", "12"),)))

    assert find(here.events, CardRevealed) == [CardRevealed(1, 12, "ranch", 4000)]
    assert here.state.ranch_card is None
    assert here.state.phase == Between()


# Questions: only what can change the outcome now


def asked(**table: Any) -> Any:
    """Give the question that is open between two auctions."""
    return winchester.question(boxed(**table))


def test_two_plots_raise_no_question_of_three_together() -> None:
    """Whatever they touch, two are not three; and with the card gone nothing is asked at all."""
    assert asked(owned={1: (7, 8)}, piles={"three_together": 3}) is None
    assert asked(owned={1: (7, 8, 12)}, piles={}) is None
    assert asked(owned={1: (7, 8, 12)}, piles={"five_plots": 3}) is None


def test_three_plots_raise_one_question_as_tappable_plots() -> None:
    """Which of Monica's plots does plot 12 touch? The rest of its neighbours may be told too."""
    question = asked(owned={1: (7, 8, 12)}, piles={"three_together": 3})

    assert (question.kind, question.seat) == ("touching", 1)
    assert len(question.parts) == 2
    assert len(question.more) == 16


def test_answers_settle_it_as_soon_as_nothing_hangs_on_the_rest() -> None:
    """Plot 7 touches neither 8 nor 12: three cannot be together any more."""
    state = boxed(owned={1: (7, 8, 12)}, piles={"three_together": 3})
    question = winchester.question(state)
    assert question is not None
    no = tuple((part.fact, "no") for part in question.parts)

    step = winchester.apply(state, 0, Answer(no))

    assert winchester.question(step.state) is None
    assert Claim("three_together") not in winchester.legal_actions(step.state, 1)
    yes = winchester.apply(state, 0, Answer(tuple((fact, "yes") for fact, _ in no)))
    assert Claim("three_together") in winchester.legal_actions(yes.state, 1)


def test_the_draw_waits_for_the_answer() -> None:
    """The next plot is not turned over while a claim hangs in the air."""
    state = boxed(owned={1: (7, 8, 12)}, piles={"three_together": 3})

    assert kinds(state, 0) == {"Answer"}
    assert refusal(lambda: winchester.apply(state, 0, DrawPlot(1))) == "question_open"


def test_terrains_are_asked_only_while_they_can_complete_the_three() -> None:
    """A desert and one unknown plot are at most two terrains."""
    assert asked(owned={1: (3, 7)}, piles={"all_terrains": 3}) is None
    question = asked(owned={1: (3, 7, 8)}, piles={"all_terrains": 3})

    assert question.kind == "terrain"
    assert [part.fact for part in question.parts] == ["terrain:7", "terrain:8"]
    bare = sorted(HUCH.lands.maybe_terrain)
    forests = [n for n in bare if PRACTICE.plots[n - 1].terrain == "forest"]
    rest = [n for n in bare if n not in forests]
    board = boards.learn(HUCH, tuple((f"terrain:{number}", "forest") for number in forests))
    without_forest = {1: (3, rest[0], rest[1])}
    assert asked(owned=without_forest, piles={"all_terrains": 3}, board=board) is None


def test_sides_of_the_french_edition_are_asked_with_our_reading() -> None:
    """Plots 2 to 6 are open there, and only there."""
    french = read_board(profiles.load("winchester", "blue-orange"))
    table = {"owned": {1: (1, 9, 4)}, "piles": {"three_off_river": 3}}
    question = asked(board=french, **table)

    assert question.kind == "river"
    assert [(part.fact, part.proposed) for part in question.parts] == [("river:4", "yes")]
    assert asked(**table) is None


def test_four_apart_is_asked_as_long_as_four_may_be() -> None:
    """One pair that touches leaves two plots apart of four: decided."""
    state = boxed(owned={1: (1, 5, 9, 19)}, piles={"four_apart": 3})
    question = winchester.question(state)
    assert question is not None
    first = question.parts[0].fact

    step = winchester.apply(state, 0, Answer(((first, "yes"),)))

    assert winchester.question(step.state) is None


def test_an_answer_that_nobody_asked_is_refused() -> None:
    """Only facts of the open question, and none without one."""
    state = boxed(owned={1: (7, 8, 12)}, piles={"three_together": 3})
    stray = Answer((("terrain:9", "forest"),))

    assert refusal(lambda: winchester.apply(state, 0, stray)) == "not_asked"
    assert refusal(lambda: winchester.apply(state, 0, Answer(()))) == "not_asked"
    assert refusal(lambda: winchester.apply(boxed(), 0, stray)) == "no_question"


def test_players_who_spot_objectives_are_asked_only_when_they_claim() -> None:
    """No question gives a hint; the claim itself waits for the answer."""
    table = {"owned": {1: (7, 8, 12)}, "piles": {"three_together": 3}, "claims": "players"}
    state = boxed(**table)
    assert winchester.question(state) is None

    step = winchester.apply(state, 1, Claim("three_together"))
    assert step.state.phase == Claiming(1, "three_together")
    question = winchester.question(step.state)
    assert question is not None

    no = Answer(tuple((part.fact, "no") for part in question.parts))
    yes = Answer(tuple((part.fact, "yes") for part in question.parts))
    assert ClaimFailed(1, "three_together") in winchester.apply(step.state, 2, no).events
    paid = winchester.apply(step.state, 2, yes)
    assert find(paid.events, ObjectiveClaimed) == [ObjectiveClaimed(1, "three_together", 3000)]
    assert paid.state.phase == Between()


def test_automatic_claims_are_paid_when_the_answer_is_in() -> None:
    """The buyer alone is paid, at once."""
    state = boxed(owned={0: (7, 8, 12)}, piles={"three_together": 3}, claims="automatic", star=0)
    question = winchester.question(state)
    assert question is not None

    step = winchester.apply(state, 2, Answer(tuple((p.fact, "yes") for p in question.parts)))

    assert find(step.events, ObjectiveClaimed) == [ObjectiveClaimed(0, "three_together", 3000)]

"""The count of a boxed game: objectives told, notes counted, and what is asked to score."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import profiles
from referee.games.base import Answer, Facts
from referee.games.winchester import boards, ending
from referee.games.winchester import rules as winchester
from referee.games.winchester.actions import (
    Activate,
    Bid,
    Claim,
    ConfirmSale,
    CountCash,
    CountUp,
    EnterSecrets,
    ForgetSecrets,
    RecordDuel,
    RecordSale,
    WinDuel,
)
from referee.games.winchester.events import (
    EnteredTwice,
    HandedBack,
    HandedIn,
    Miscounted,
    PlotBought,
)
from referee.games.winchester.lands import space_name
from referee.games.winchester.model import (
    SECRET_OBJECTIVES,
    Counting,
    Duel,
    Ended,
    HandingIn,
    Moving,
    OpenAuction,
    SpokenAuction,
    State,
)
from tests.steps import find, refusal
from tests.strategies import draw
from tests.winchester.huch import HUCH, PRACTICE, boxed
from tests.winchester.positions import money

APP_SECRETS = {"secret_objectives": "app"}


def last_plot(**table: Any) -> State:
    """All plots are sold; the star's holder counts up."""
    owned = {0: range(1, 7), 1: range(7, 12), 2: range(12, 16), 3: range(16, 20)}
    return boxed(**({"owned": owned, "board": PRACTICE} | table))


def test_the_count_waits_until_everybody_has_told() -> None:
    """Who told in time is asked nothing; whoever tells last ends nothing by it."""
    held: Mapping[int, Any] = {0: ("deserts", "forests"), 1: ("mines", "rumors")}
    step = winchester.apply(last_plot(secrets=held), 0, CountUp())
    assert isinstance(step.state.phase, HandingIn)
    assert winchester.public(step.state).waiting_for == (2, 3)
    assert winchester.score(step.state) is None

    told = winchester.apply(step.state, 2, EnterSecrets(("prairies", "railside")))
    assert told.events == (HandedIn(2),)
    changed = winchester.apply(told.state, 2, EnterSecrets(("prairies", "riverside")))
    assert changed.audience == {2}
    all_in = winchester.apply(changed.state, 3, EnterSecrets(("railside", "ranch_lands")))
    assert isinstance(all_in.state.phase, HandingIn)
    assert winchester.public(all_in.state).waiting_for == (0,)
    assert winchester.legal_actions(all_in.state, 2) == (ForgetSecrets(),)

    again = winchester.apply(all_in.state, 2, ForgetSecrets())
    assert again.events == (HandedBack(2),)
    assert winchester.public(again.state).waiting_for == (2,)
    assert refusal(lambda: winchester.apply(again.state, 0, CountUp())) == "not_your_turn"
    told = winchester.apply(again.state, 2, EnterSecrets(("prairies", "riverside")))
    last = winchester.apply(told.state, 0, CountUp())

    assert isinstance(last.state.phase, Ended)
    assert last.reveals
    result = winchester.score(last.state)
    assert result is not None
    assert {line.name for line in result.scores[2].lines} >= {"prairies", "riverside"}


def test_one_card_cannot_be_held_by_two() -> None:
    """Both tell theirs again; the second time it stands as told, for all to see."""
    held: Mapping[int, Any] = {
        0: ("deserts", "forests"),
        1: ("mines", "rumors"),
        2: ("railside", "riverside"),
    }
    step = winchester.apply(last_plot(secrets=held), 0, CountUp())
    step = winchester.apply(step.state, 3, EnterSecrets(("forests", "prairies")))
    assert step.events == (HandedIn(3),)
    twice = winchester.apply(step.state, 0, CountUp())
    assert twice.events == (EnteredTwice((0, 3)),)
    assert twice.state.secrets == ((), held[1], held[2], ())
    assert winchester.public(twice.state).waiting_for == (0, 3)

    step = winchester.apply(twice.state, 0, EnterSecrets(("forests", "deserts")))
    step = winchester.apply(step.state, 3, EnterSecrets(("forests", "prairies")))
    step = winchester.apply(step.state, 0, CountUp())

    assert EnteredTwice((0, 3)) in step.events
    assert isinstance(step.state.phase, Ended)


def test_objectives_told_early_are_compared_as_well() -> None:
    """All four told theirs during the game, two of them the same card: the count notices."""
    held: Mapping[int, Any] = {
        0: ("deserts", "forests"),
        1: ("mines", "rumors"),
        2: ("railside", "riverside"),
        3: ("forests", "prairies"),
    }
    step = winchester.apply(last_plot(secrets=held), 0, CountUp())

    assert step.events == (EnteredTwice((0, 3)),)
    assert winchester.public(step.state).waiting_for == (0, 3)


def test_somebody_who_left_can_be_helped_out() -> None:
    """The host looks at the cards that lie there and tells them."""
    step = winchester.apply(last_plot(), 0, CountUp())

    assert len(winchester.stand_in(step.state, 1)) == 45
    assert ending.owing(step.state) == (0, 1, 2, 3)


# Real notes


def test_real_notes_are_nobodys_business_until_they_are_counted() -> None:
    """Any bid that all together could pay is taken; the phone shows no cash."""
    state = boxed(OpenAuction(7, (1, 0), 3000, 0), money="box")

    assert Bid(110_000) in winchester.legal_actions(state, 1)
    assert winchester.own(state, 1).cash is None
    assert winchester.apply(state, 1, Bid(60_000)).state.phase.price == 60_000
    sale = boxed(SpokenAuction(7, winner=1, price=60_000), auction="spoken", money="box")
    assert ConfirmSale("rumor") in winchester.legal_actions(sale, 1)


def test_a_duel_for_real_notes_records_the_whole_bid() -> None:
    """What the winner cannot pay the table sets right."""
    state = boxed(Duel(7, 30_000, 1, 0), money="box", duel_shortfall="must_afford")
    step = winchester.apply(state, 3, WinDuel(1))

    assert find(step.events, PlotBought)[0].price == 30_000


def test_counted_notes_stand_and_a_difference_is_named() -> None:
    """By the ledger four players have 32 notes; they count 31."""
    table = last_plot(money="box", **APP_SECRETS)
    step = winchester.apply(table, 0, CountUp())
    for seat, notes in enumerate((10, 9, 8)):
        step = winchester.apply(step.state, seat, CountCash(1000 * notes))
        assert step.events == (HandedIn(seat),)
    changed = winchester.apply(step.state, 0, CountCash(11_000))
    assert changed.audience == {0}
    assert winchester.own(changed.state, 0).counted == 11_000

    all_in = winchester.apply(changed.state, 3, CountCash(3000))
    last = winchester.apply(all_in.state, 0, CountUp())

    assert find(last.events, Miscounted) == [Miscounted(31_000, 32_000)]
    assert last.state.cash == (11_000, 9000, 8000, 3000)
    assert money(last.state) == 110_000
    for amount, code in ((500, "whole_notes"), (111_000, "price_too_high")):
        wrong = CountCash(amount)
        assert refusal(lambda wrong=wrong: winchester.apply(step.state, 0, wrong)) == code  # type: ignore[misc]  # bound at once
    assert refusal(lambda: winchester.apply(table, 0, CountCash(1000))) == "not_your_turn"


# The count asks what it needs, all at once


def test_terrains_that_objectives_count_are_asked_after_the_reveal() -> None:
    """Nobody learns from a question who holds what before all is open."""
    held: Mapping[int, Any] = {
        0: ("deserts", "forests"),
        1: ("mines", "rumors"),
        2: ("movements", "saloon_square"),
        3: ("ranch_lands", "prairies"),
    }
    before = last_plot(secrets=held, board=HUCH)
    assert winchester.question(before) is None

    step = winchester.apply(before, 0, CountUp())

    assert isinstance(step.state.phase, Counting)
    question = winchester.question(step.state)
    assert question is not None
    assert question.kind == "terrain"
    plots = [int(part.fact.partition(":")[2]) for part in question.parts]
    assert plots == [1, 2, 6, 16, 17, 18, 19]
    facts = truth(question)
    ended = winchester.apply(step.state, 3, Answer(facts))
    assert isinstance(ended.state.phase, Ended)


def test_a_tie_over_most_plots_is_asked_only_if_neighbours_decide() -> None:
    """With most plots alone nothing is asked; of two who are level, what their plots touch."""
    held: Mapping[int, Any] = dict.fromkeys(range(3), ("movements", "rumors"))
    alone = boxed(
        owned={0: range(1, 8), 1: range(8, 14), 2: range(14, 20)},
        cash=(8, 8, 8),
        secrets=held,
        **APP_SECRETS,
    )
    assert isinstance(winchester.apply(alone, 0, CountUp()).state.phase, Ended)
    level = boxed(
        owned={0: range(1, 8), 1: range(8, 15), 2: range(15, 20)},
        cash=(8, 8, 8),
        secrets=held,
        **APP_SECRETS,
    )

    step = winchester.apply(level, 0, CountUp())

    question = winchester.question(step.state)
    assert question is not None
    assert question.kind == "touching"
    while not isinstance(step.state.phase, Ended):
        question = winchester.question(step.state)
        assert question is not None
        step = winchester.apply(step.state, 2, Answer(truth(question)))


def test_a_terrain_that_is_known_in_whole_is_not_counted_out_again() -> None:
    """Six forests are known: whether a bare plot is desert or prairie matters to no forester."""
    bare = HUCH.lands.maybe_terrain
    forests = [n for n in sorted(bare) if PRACTICE.plots[n - 1].terrain == "forest"]
    board = boards.learn(HUCH, tuple((f"terrain:{number}", "forest") for number in forests))
    assert len(board.lands.terrains[2]) == 6
    assert board.lands.maybe_terrain
    held: Mapping[int, Any] = {
        0: ("forests", "rumors"),
        1: ("mines", "saloon_square"),
        2: ("movements", "ranch_lands"),
        3: ("riverside", "railside"),
    }
    before = last_plot(secrets=held, board=board)

    assert isinstance(winchester.apply(before, 0, CountUp()).state.phase, Ended)


def test_a_tie_is_asked_only_for_what_joins_groups() -> None:
    """Plots already joined through others are not asked about: 1-2-3 are one group, 1-3 is idle."""
    board = boards.learn(HUCH, (("touch:1-2", "yes"), ("touch:2-3", "yes")))
    held: Mapping[int, Any] = dict.fromkeys(range(3), ("movements", "rumors"))
    level = boxed(
        owned={0: range(1, 8), 1: range(8, 15), 2: range(15, 20)},
        cash=(8, 8, 8),
        secrets=held,
        board=board,
        **APP_SECRETS,
    )
    step = winchester.apply(level, 0, CountUp())
    asked_pairs = set()
    while not isinstance(step.state.phase, Ended):
        question = winchester.question(step.state)
        assert question is not None
        asked_pairs |= {part.fact for part in question.parts}
        step = winchester.apply(
            step.state, 2, Answer(tuple((p.fact, "no") for p in question.parts))
        )

    assert "touch:1-4" in asked_pairs
    assert "touch:1-3" not in asked_pairs


def truth(question: Any, *, more: bool = False) -> Facts:
    """Answer a question as if the practice board were printed on the owner's."""
    parts = (*question.parts, *(question.more if more else ()))
    return tuple((part.fact, boards.value_of(PRACTICE, part.fact) or "") for part in parts)


# Whenever and in whatever order it is told, the score is the same


def scored(
    seed: int, options: Mapping[str, str], facts: Mapping[str, str], rng: random.Random | None
) -> Any:
    """Play a seeded game on the owner's board and give its result.

    What is asked is answered truly: at once, or with a generator part by part in its order.
    """
    moves = random.Random(seed)
    profile = profiles.board("winchester", {"edition": "huch"} | options, facts)
    step = winchester.setup(options, 4, profile)
    while True:
        while step.needs:
            for need in step.needs:
                step = winchester.chance(step.state, draw(need, random.Random(f"{seed} {need}")))
        state = step.state
        question = winchester.question(state)
        if question is not None:
            told = truth(question, more=rng is None)
            step = winchester.answer(state, told if rng is None else (rng.choice(told),))
            continue
        if isinstance(state.phase, Ended):
            return winchester.score(state)
        seat = moves.choice(winchester.public(state).waiting_for)
        step = winchester.apply(state, seat, chosen(state, seat, moves))


def chosen(state: State, seat: int, moves: random.Random) -> Any:
    """Choose a move by rules that do not depend on what is known of the board."""
    legal = winchester.legal_actions(state, seat)
    claims = [action for action in legal if isinstance(action, Claim)]
    if claims and state.rules.claims == "referee":
        return claims[0]
    phase = state.phase
    match phase:
        case Moving():
            space = moves.choice(PRACTICE.spaces("boat"))
            return Activate("boat", space_name(space.touches))
        case HandingIn() if CountUp() in legal:
            return CountUp()
        case HandingIn():
            pair = (SECRET_OBJECTIVES[2 * seat], SECRET_OBJECTIVES[2 * seat + 1])
            return EnterSecrets(pair)
        case SpokenAuction(_, None, _):
            return RecordSale(moves.randrange(4), 1000)
        case _:
            rest = [
                a for a in legal if not isinstance(a, EnterSecrets | ForgetSecrets | RecordDuel)
            ]
            return moves.choice(rest[:12])


@pytest.mark.long
@given(
    seed=st.integers(0, 2**32 - 1),
    claims=st.sampled_from(("referee", "automatic")),
    auction=st.sampled_from(("open", "spoken")),
    touching=st.sampled_from(("largest_group", "any_touching")),
    rng=st.randoms(use_true_random=False),
)
@settings(max_examples=20, deadline=None)
def test_questions_in_any_order_or_the_whole_board_first_end_in_the_same_score(
    seed: int, claims: str, auction: str, touching: str, rng: random.Random
) -> None:
    """Asked piece by piece, in one go, or not at all because the owner taught it all before."""
    options = {"claims": claims, "auction": auction, "touching": touching}
    piecemeal = scored(seed, options, {}, rng)

    assert scored(seed, options, {}, None) == piecemeal
    assert scored(seed, options, boards.all_facts(PRACTICE), rng) == piecemeal

"""The board as far as it is known: printed lists, facts that are told, what follows from them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import profiles
from referee.errors import IllegalAction
from referee.games.base import Known
from referee.games.winchester.boards import (
    all_facts,
    corrected,
    learn,
    lessons,
    places,
    progress,
    read_board,
    value_of,
)
from referee.games.winchester.facts import possible_values
from referee.games.winchester.lands import (
    TERRAIN_COUNTS,
    TERRAINS,
    Board,
    possible_spaces,
    space_name,
)

HUCH = read_board(profiles.load("winchester", "huch"))
BLUE_ORANGE = read_board(profiles.load("winchester", "blue-orange"))
PRACTICE = read_board(profiles.load("winchester", "practice"))


def numbers(board: Board, side: str) -> list[int]:
    """Name the plots that are known to have something."""
    return [plot.number for plot in board.plots if getattr(plot, side)]


# What the rulebooks print


def test_lists_of_the_german_and_english_rulebook() -> None:
    """River, rails, saloon, mines and the ranch's lands; nothing else is known."""
    assert numbers(HUCH, "river") == [5, 6, 7, 8, 10, 11, 12, 16]
    assert numbers(HUCH, "rails") == [1, 2, 7, 8, 11, 12, 13, 14, 15]
    assert numbers(HUCH, "saloon") == [8, 9, 14, 15]
    assert numbers(HUCH, "mine") == [3, 4, 5]
    assert numbers(HUCH, "ranch_land") == [12, 13, 14, 16, 17, 18]
    assert HUCH.lands.maybe_river == HUCH.lands.maybe_rails == frozenset()
    assert [plot.number for plot in HUCH.plots if plot.terrain] == [3, 4, 5]
    assert HUCH.lands.maybe_ranch == {12, 13, 14, 16, 17, 18}
    assert HUCH.touching == HUCH.apart == HUCH.river_spaces == ()
    assert not HUCH.practice


def test_lists_of_the_french_rulebook_leave_plots_2_to_6_open() -> None:
    """What its lists contradict each other on is unknown; our reading is only proposed."""
    assert numbers(BLUE_ORANGE, "mine") == [2, 3, 4]
    assert BLUE_ORANGE.lands.maybe_river == BLUE_ORANGE.lands.maybe_rails == {2, 3, 4, 5, 6}
    proposed = {doubt.fact: doubt.proposed for doubt in BLUE_ORANGE.doubts}
    river = [n for n in range(1, 20) if proposed.get(f"river:{n}") == "yes"]
    rails = [n for n in range(1, 20) if proposed.get(f"rails:{n}") == "yes"]
    assert sorted({*river} | BLUE_ORANGE.lands.river) == [4, 5, 7, 8, 10, 11, 12, 16]
    assert sorted({*rails} | BLUE_ORANGE.lands.rails) == [1, 6, 7, 8, 11, 12, 13, 14, 15]


@pytest.mark.parametrize("name", ["huch", "blue-orange"])
def test_every_printed_fact_has_its_source(name: str) -> None:
    """No fact of a box without a word on where it is printed."""
    profile = profiles.load("winchester", name)

    assert all(printed["source"].strip() for printed in profile["printed"])
    assert "drawing" not in profile


def test_the_practice_board_is_known_in_whole() -> None:
    """Nothing is ever asked on it."""
    assert PRACTICE.practice
    assert PRACTICE.lands.is_known
    assert lessons(PRACTICE) == 0
    assert all(known.known == known.of for known in progress(PRACTICE))


# Learning


@pytest.mark.parametrize(
    ("fact", "value"),
    [
        ("terrain:7", "forest"),
        ("touch:3-7", "yes"),
        ("touch:3-7", "no"),
        ("ranch", "17"),
        ("boat:5-8", "yes"),
        ("boat:none", "yes"),
        ("locomotive:1-2", "yes"),
        ("boat:all", "yes"),
        ("mine_card:3000", "yes"),
        ("ranch_card:0", "yes"),
    ],
)
def test_what_is_told_is_known(fact: str, value: str) -> None:
    """A fact has no value before it is told, and that value afterwards."""
    assert value_of(HUCH, fact) is None

    board = learn(HUCH, ((fact, value),))

    assert value_of(board, fact) == value
    assert learn(board, ((fact, value),)) == board


def test_what_is_known_is_not_told_otherwise() -> None:
    """An answer cannot overrule a fact; a correction can."""
    board = learn(HUCH, (("touch:3-7", "yes"),))

    with pytest.raises(IllegalAction) as refused:
        learn(board, (("touch:3-7", "no"),))

    assert refused.value.code == "fact_known"
    assert value_of(corrected(board, (("touch:3-7", "no"),)), "touch:3-7") == "no"
    assert value_of(corrected(board, (("terrain:7", "forest"),)), "terrain:7") == "forest"


@pytest.mark.parametrize(
    ("fact", "value"),
    [
        ("terrain:0", "forest"),
        ("terrain:20", "forest"),
        ("terrain:07", "forest"),
        ("terrain:x", "forest"),
        ("terrain:7", "swamp"),
        ("terrain:²", "forest"),
        ("touch:7-3", "yes"),
        ("touch:7-7", "yes"),
        ("touch:7", "yes"),
        ("touch:3-7", "maybe"),
        ("ranch", "4"),
        ("ranch", "x"),
        ("ranch:17", "17"),
        ("boat:8-5", "yes"),
        ("boat:5-6-7-8-10", "yes"),
        ("boat:5-8", "no"),
        ("mine_card:1", "yes"),
        ("mine_card:x", "yes"),
        ("mine_card:1000000", "yes"),
        ("weather", "fine"),
        ("", ""),
    ],
)
def test_facts_that_no_board_has_are_refused(fact: str, value: str) -> None:
    """Whatever is sent: a refusal, and nothing is learnt."""
    with pytest.raises(IllegalAction) as refused:
        learn(HUCH, ((fact, value),))

    assert refused.value.code == "bad_fact"


def test_a_space_teaches_that_its_plots_lie_there() -> None:
    """A boat beside a plot proves that it lies on the river; beside others it cannot stand."""
    board = learn(BLUE_ORANGE, (("boat:5-8", "yes"),))

    assert value_of(board, "river:5") == "yes"
    assert board.river_spaces[0].touches == (5, 8)
    assert value_of(HUCH, "boat:1-2") == "no"
    with pytest.raises(IllegalAction):
        learn(HUCH, (("boat:1-2", "yes"),))


def test_all_spaces_known_leaves_no_other() -> None:
    """Once an owner says that these are all, there is no further one."""
    board = learn(HUCH, (("boat:5-8", "yes"), ("boat:all", "yes")))

    assert value_of(board, "boat:6-8") == "no"


# What follows


def test_the_last_terrain_follows_from_the_counts() -> None:
    """7 deserts and 6 prairies told: the other six are forests."""
    deserts = [(f"terrain:{n}", "desert") for n in (1, 2, 6, 7)]
    prairies = [(f"terrain:{n}", "prairie") for n in (8, 9, 10, 11, 12, 13)]

    board = learn(HUCH, (*deserts, *prairies))

    assert [p.number for p in board.plots if p.terrain == "forest"] == [14, 15, 16, 17, 18, 19]
    assert not board.lands.maybe_terrain


def test_what_followed_from_a_wrong_fact_follows_no_more() -> None:
    """One of those prairies is not: then nobody knows yet which of the others is the sixth."""
    deserts = [(f"terrain:{n}", "desert") for n in (1, 2, 6, 7)]
    prairies = [(f"terrain:{n}", "prairie") for n in (8, 9, 10, 11, 12, 13)]
    board = learn(HUCH, (*deserts, *prairies))

    right = corrected(board, (("terrain:8", "forest"),))

    assert right.lands.maybe_terrain == {14, 15, 16, 17, 18, 19}
    assert [p.number for p in right.plots if p.terrain == "forest"] == [8]


def test_a_terrain_that_is_used_up_is_not_offered() -> None:
    """Seven deserts are known: no further plot can be one."""
    board = learn(HUCH, tuple((f"terrain:{n}", "desert") for n in (1, 2, 6, 7)))

    assert possible_values(board, "terrain:8") == ("prairie", "forest")
    with pytest.raises(IllegalAction):
        learn(board, (("terrain:8", "desert"),))


def test_the_ranch_is_a_prairie_and_no_other_plot_is_it() -> None:
    """Told where it is, its terrain follows, and where it is not."""
    board = learn(HUCH, (("ranch", "17"),))

    assert value_of(board, "terrain:17") == "prairie"
    assert board.lands.ranch == 17
    assert board.kind_of_card(17) == "ranch"
    assert board.kind_of_card(12) is None
    assert board.kind_of_card(3) == "mine"


def test_the_ranch_follows_when_no_other_plot_can_be_it() -> None:
    """Its other lands are no prairies, so it is the last of them."""
    board = learn(HUCH, tuple((f"terrain:{n}", "forest") for n in (12, 13, 14, 16, 17)))

    assert board.lands.ranch == 18
    assert value_of(board, "terrain:18") == "prairie"


@pytest.mark.long
@given(st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_a_taught_board_is_the_same_in_whatever_order(rng: object) -> None:
    """All facts of a board, in any order, make a board that answers like it."""
    facts = list(all_facts(PRACTICE).items())
    rng.shuffle(facts)  # type: ignore[attr-defined]  # hypothesis gives a Random

    board = HUCH
    for fact in facts:
        board = learn(board, (fact,))

    assert all_facts(board) == all_facts(PRACTICE)
    assert board.lands.is_known
    assert lessons(board) == 0


def test_facts_read_with_a_profile_are_those_taught() -> None:
    """What a profile's owner told is part of the board from the start."""
    taught = profiles.load("winchester", "huch") | {"facts": all_facts(PRACTICE)}

    board = read_board(taught)

    assert [plot.terrain for plot in board.plots] == [plot.terrain for plot in PRACTICE.plots]
    assert board.lands.near == PRACTICE.lands.near


# Names and counts


def test_spaces_are_named_by_what_they_touch() -> None:
    """In order; no plot at all has a name too."""
    assert space_name((8, 5)) == "5-8"
    assert space_name(()) == "none"
    names = [space.name for space in possible_spaces(frozenset((5, 6, 8)))]
    assert names == ["none", "5", "6", "8", "5-6", "5-8", "6-8", "5-6-8"]


def test_progress_is_counted_kind_by_kind() -> None:
    """A fresh box: three mines and the printed sides."""
    assert progress(HUCH) == (
        Known("terrain", 3, 19),
        Known("touching", 0, 171),
        Known("sides", 38, 38),
        Known("ranch", 0, 1),
    )
    assert lessons(HUCH) == 19 + 2
    assert lessons(BLUE_ORANGE) == 19 + 4
    assert places(HUCH)[-1] == "19"
    assert {*TERRAINS} == {*TERRAIN_COUNTS}

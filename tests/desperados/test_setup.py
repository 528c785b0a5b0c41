"""Set-up: tiles, schedules, banks and pawns; and the boards that come with the game."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from referee.errors import IllegalAction
from referee.games.base import Answer
from referee.games.desperados import boards
from referee.games.desperados import rules as desperados
from referee.games.desperados.actions import (
    PlaceMarshal,
    PlacePawn,
    PlaceSheriff,
    SetFirstSchedule,
)
from referee.games.desperados.events import BoardLearnt, Dealt, MoveBegun, ScheduleSet, TurnBegun
from referee.games.desperados.facts import known_value, learn
from referee.games.desperados.model import (
    CITIES,
    HIGH_BANK_TILES,
    LOW_BANK_TILES,
    TILES,
    UNSEEN,
    FirstSchedule,
    Placing,
    Riding,
    State,
    Surveying,
    replace,
)
from referee.games.desperados.profile import read_board
from referee.games.desperados.roads import road_fact
from tests.desperados.positions import BOARD, BOX, BOXED, PRACTICE, placing, play
from tests.steps import find, refusal
from tests.strategies import draw


def dealt(board: Any = PRACTICE, seats: int = 4, seed: int = 1, **options: str) -> State:
    """Set up a game, and deal what the app deals."""
    step = desperados.setup(options, seats, board)
    for need in step.needs:
        step = desperados.chance(step.state, draw(need, random.Random(seed)))
    state: State = step.state
    return state


# Tiles


@pytest.mark.parametrize("seed", range(20))
def test_banks_get_three_low_and_two_high_tiles(seed: int) -> None:
    """The other five are the stack, with two 2000s that were put aside at its bottom."""
    state = dealt(seed=seed, preset="app")
    banks = [state.tile(city) for city in state.board.banks]

    assert len([tile for tile in banks if tile in LOW_BANK_TILES]) == 3
    assert len([tile for tile in banks if tile in HIGH_BANK_TILES]) == 2
    assert state.bank_stack[5:] == (2000, 2000)
    assert Counter([*banks, *state.bank_stack]) == Counter(TILES["bank"])
    assert desperados.violations(state) == ()


def test_every_other_city_gets_a_poker_tile() -> None:
    """Fourteen of them, and ten coach tiles in a stack."""
    state = dealt(preset="app")
    poker = [state.tile(city) for city in CITIES if city not in state.board.banks]

    assert Counter(poker) == Counter(TILES["poker"])
    assert Counter(state.coach_stack) == Counter(TILES["coach"])


def test_a_boxed_game_deals_nothing() -> None:
    """Every tile lies face down on the real table; which schedule was drawn is asked."""
    step = desperados.setup({}, 4, PRACTICE)

    assert step.needs == ()
    assert {*step.state.tiles, *step.state.bank_stack, *step.state.coach_stack} == {UNSEEN}
    assert (len(step.state.bank_stack), len(step.state.coach_stack)) == (7, 10)
    assert isinstance(step.state.phase, FirstSchedule)
    assert desperados.to_act(step.state) == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("switch", "pools"),
    [
        ("bank_tiles", {"low", "high", "banks", "stack"}),
        ("poker_tiles", {"poker"}),
        ("coach_tiles", {"coach"}),
        ("first_schedule", {"schedule"}),
    ],
)
def test_each_component_has_a_switch(switch: str, pools: set[str]) -> None:
    """One thing dealt by the app in a boxed game, and one from the box in a dealt one."""
    every = {"low", "high", "banks", "stack", "poker", "coach", "schedule"}

    (need,) = desperados.setup({switch: "app"}, 3, PRACTICE).needs
    assert {pool.name for pool in need.pools} == pools
    (need,) = desperados.setup({"preset": "app", switch: "box"}, 3, PRACTICE).needs
    assert {pool.name for pool in need.pools} == every - pools


@pytest.mark.parametrize(("target", "seats", "goal"), [("4000", 3, 8000), ("2500", 6, 12_500)])
def test_the_goal_is_the_target_for_each_desperado(target: str, seats: int, goal: int) -> None:
    """4000 each unless the table chose otherwise."""
    assert dealt(seats=seats, target=target).goal == goal


# Schedules


def test_schedules_are_one_cycle() -> None:
    """Each begins where another one ends; five steps along roads make a turn."""
    schedules = BOARD.schedules

    assert len(schedules) == 5
    for one, following in zip(schedules, (*schedules[1:], schedules[0]), strict=True):
        assert one.brown[-1] == following.brown[0]
        assert len(one.brown) == 6
        assert one.blue == one.brown
        for here, there in zip(one.brown, one.brown[1:], strict=False):
            assert there in BOXED.links[here].near


def test_the_drawn_schedule_is_told_by_anybody() -> None:
    """The brown coach waits at its first stop, the blue one beside the board."""
    step = play(dealt(), (3, SetFirstSchedule("S4")))

    assert step.events == (ScheduleSet("S4", "Red Cloud"),)
    assert step.state.coaches == ("Red Cloud", None)
    assert desperados.public(step.state).order == ("S4", "S5", "S1", "S2", "S3")
    assert refusal(lambda: play(dealt(), (0, SetFirstSchedule("S6")))) == "no_such_schedule"
    assert refusal(lambda: play(step.state, (0, SetFirstSchedule("S1")))) == "not_your_turn"


# Pawns


def test_the_law_is_placed_first() -> None:
    """The Marshal and as many Sheriffs as desperadoes, anywhere; two may share a city."""
    state = placing(4)
    assert desperados.to_act(state) == {0}
    assert refusal(lambda: play(state, (1, PlacePawn("Globe")))) == "not_your_turn"
    assert refusal(lambda: play(state, (0, PlacePawn("Globe")))) == "not_your_pawn"

    step = play(state, *[(0, PlaceSheriff("Globe"))] * 3)
    assert refusal(lambda: play(step.state, (0, PlaceSheriff("Globe")))) == "already_placed"
    step = play(step.state, (0, PlaceMarshal("Globe")))

    assert step.state.sheriffs == ("Globe",) * 3
    assert desperados.to_act(step.state) == {1, 2, 3}


def test_the_last_desperado_starts_the_first_turn() -> None:
    """In any order, even where the Marshal is. The brown coach makes its first step."""
    law = [(0, PlaceMarshal("Globe")), (0, PlaceSheriff("Gallup")), (0, PlaceSheriff("Aztec"))]
    state = play(placing(3), *law, (2, PlacePawn("Globe"))).state
    assert refusal(lambda: play(state, (2, PlacePawn("Aztec")))) == "not_your_turn"
    step = play(state, (1, PlacePawn("Salem")))

    assert find(step.events, TurnBegun) == [TurnBegun(1, "Los Lunas", None)]
    assert find(step.events, MoveBegun) == [MoveBegun(1, "Santa Fe", None, ())]
    assert step.state.phase == Riding(("Gallup", "Aztec"))
    assert step.state.pawns == ("Globe", "Salem", "Globe")


def test_the_star_names_the_marshal() -> None:
    """Whoever has it is not one of the gang."""
    state = dealt(star="2")

    assert (state.marshal, state.gang) == (2, (0, 1, 3))


# What the box's board does not tell


def test_banks_are_asked_for_once_at_the_start() -> None:
    """Two are proven, one city is proven to have none; the other sixteen are asked."""
    state = dealt(BOX)
    question = desperados.question(state)

    assert isinstance(state.phase, Surveying)
    assert question is not None
    asked = {part.fact for part in question.parts}
    assert asked == {f"bank:{c}" for c in CITIES if c not in {"Silver City", "Socorro", "Salem"}}
    assert {part.values for part in question.parts} == {("yes", "no")}
    answers = {Answer(((fact, value),)) for fact in asked for value in ("yes", "no")}
    assert all({*desperados.legal_actions(state, seat)} == answers for seat in range(4))


def test_only_what_is_asked_of_the_banks_is_an_answer() -> None:
    """A bank that is known, a road, and nothing at all are none; after it there is no question."""
    state = dealt(BOX)
    for facts in ((), (("bank:Socorro", "yes"),), (("road:Aztec-Gallup", "yes"),)):
        assert refusal(lambda facts=facts: desperados.apply(state, 0, Answer(facts))) == "not_asked"
    told = tuple((f"bank:{city}", "yes") for city in ("Aztec", "Globe", "La Luz"))
    step = desperados.apply(state, 2, Answer(told))

    assert step.reveals
    assert isinstance(step.state.phase, FirstSchedule)
    assert refusal(lambda: desperados.apply(step.state, 0, Answer(told))) == "no_question"


def test_the_fifth_bank_answers_for_all_the_others() -> None:
    """The rest have poker tiles, and the game goes on."""
    state = dealt(BOX)
    step = desperados.answer(state, (("bank:Globe", "yes"), ("bank:Tucson", "no")))
    assert isinstance(step.state.phase, Surveying)
    facts = (("bank:Aztec", "yes"), ("bank:La Luz", "yes"))
    step = desperados.answer(step.state, facts)

    assert (step.learnt, step.events) == (facts, (BoardLearnt(facts),))
    assert step.state.board.banks == ("Aztec", "Globe", "La Luz", "Silver City", "Socorro")
    assert len(step.state.board.poker) == 14
    assert isinstance(step.state.phase, FirstSchedule)
    assert desperados.question(step.state) is None


def test_fourteen_cities_without_a_bank_name_the_banks() -> None:
    """Whichever way the table answers, nothing superfluous is asked."""
    state = dealt(BOX, preset="app")
    others = ["El Paso", "Flagstaff", "Santa Fe", "Silver City", "Socorro"]
    facts = tuple((f"bank:{city}", "no") for city in CITIES if city not in others)
    step = desperados.answer(state, facts)

    assert step.state.board.banks == tuple(others)
    assert isinstance(step.state.phase, Placing)
    assert desperados.violations(step.state) == ()


def test_what_an_owner_taught_is_not_asked_again() -> None:
    """Facts come with the profile; they overrule what we read in the text."""
    facts = {f"bank:{city}": "yes" for city in ("Aztec", "Globe", "La Luz")}
    facts |= {"road:Aztec-St. Johns": "yes", "road:Gallup-St. Johns": "no", "map": "complete"}
    facts["schedule:blue:S2"] = "Flagstaff>Payson>Sweet Water>Globe>St. Johns>Gallup"
    state = dealt({**BOX, "facts": facts})

    assert isinstance(state.phase, FirstSchedule)
    near = state.board.links["St. Johns"].near
    assert "Aztec" in near
    assert "Gallup" not in near
    assert state.board.links["Aztec"].unknown == ()
    assert state.board.schedules[1].blue[0] == "Flagstaff"
    assert state.board.schedules[1].brown[0] == "Gallup"


@pytest.mark.parametrize(
    ("fact", "value", "code"),
    [
        ("road:Gallup-Tuba City", "no", "fact_known"),
        ("road:Tuba City-Gallup", "yes", "no_such_fact"),
        ("road:Globe-Globe", "yes", "no_such_fact"),
        ("road:Globe-Atlantis", "yes", "no_such_city"),
        ("road:Aztec-Globe", "perhaps", "no_such_fact"),
        ("bank:Salem", "yes", "fact_known"),
        ("bank:Silver City", "no", "fact_known"),
        ("bank:Globe", "maybe", "no_such_fact"),
        ("map", "torn", "no_such_fact"),
        ("map:", "complete:", "no_such_fact"),
        ("schedule:blue:S1", "Aztec>Globe", "no_such_fact"),
        ("schedule:blue:S7", "Aztec>Globe>Aztec>Globe>Aztec>Globe", "no_such_fact"),
        ("schedule:brown:S1", "Aztec>Globe>Aztec>Globe>Aztec>Globe", "no_such_fact"),
        ("weather", "yes", "no_such_fact"),
    ],
)
def test_facts_that_cannot_be(fact: str, value: str, code: str) -> None:
    """A name nobody knows, a value it cannot have, or known to be otherwise."""
    state = dealt(BOX)

    assert refusal(lambda: desperados.answer(state, ((fact, value),))) == code


def test_a_sixth_bank_cannot_be() -> None:
    """Five are in the box."""
    facts = tuple((f"bank:{city}", "yes") for city in ("Aztec", "Globe", "La Luz", "Tucson"))

    with pytest.raises(IllegalAction) as refused:
        learn(BOXED, facts)
    assert refused.value.code == "wrong_number_of_banks"


def test_a_known_fact_may_be_told_again() -> None:
    """It changes nothing."""
    facts = (("road:Gallup-Tuba City", "yes"), ("bank:Salem", "no"), ("map", "incomplete"))

    assert learn(BOXED, facts) == BOXED


def test_all_roads_of_st_johns_are_read_from_the_text() -> None:
    """Six, and none of them unknown; but who looks at the board knows better than we."""
    ways = BOXED.links["St. Johns"]
    assert ways.unknown == ()
    assert ways.near == ("Flagstaff", "Gallup", "Globe", "Payson", "Silver City", "Socorro")

    told = learn(BOXED, ((road_fact("St. Johns", "Aztec"), "yes"),))
    assert "Aztec" in told.links["St. Johns"].near


# The profiles


@pytest.mark.parametrize("profile", [BOX, PRACTICE])
def test_every_fact_names_its_source(profile: dict[str, Any]) -> None:
    """And the printed numbers are those the rules use."""
    for kind in ("roads", "banks", "poker", "full", "schedules", "gaps"):
        assert all(entry["source"] for entry in profile.get(kind, []))
    assert tuple(profile["cities"]) == CITIES
    for kind, values in TILES.items():
        assert Counter(profile["tiles"][kind]) == Counter(values)


def test_the_practice_board_agrees_with_the_box() -> None:
    """It has every proven road, bank and schedule, and none that is proven not to be."""
    assert {*BOXED.roads} <= {*BOARD.roads}
    assert not {*BOXED.gaps} & {*BOARD.roads}
    assert {*BOXED.banks} <= {*BOARD.banks}
    assert {*BOXED.poker} <= {*BOARD.poker}
    assert BOXED.schedules == BOARD.schedules
    assert BOARD.links["St. Johns"] == BOXED.links["St. Johns"]
    assert (BOARD.practice, BOARD.complete) == (True, True)
    assert (BOXED.practice, BOXED.complete) == (False, False)
    assert (len(BOARD.banks), len(BOARD.poker)) == (5, 14)


def test_nothing_is_learnt_twice_from_the_practice_board() -> None:
    """It reads the same whatever facts agree with it."""
    facts = {"map": "complete", "bank:Globe": "no"}

    assert read_board({**PRACTICE, "facts": facts}) == BOARD
    assert replace(BOARD, key="box") != BOARD


def test_the_drawing_shows_every_city_well_apart() -> None:
    """All within the frame with room for a name, and no two roads cross."""
    drawing = PRACTICE["drawing"]
    places = {city: (at["x"], at["y"]) for city, at in drawing["cities"].items()}

    assert tuple(places) == CITIES
    assert (drawing["width"], drawing["height"]) == (1600, 1200)
    for x, y in places.values():
        assert 100 <= x <= 1500
        assert 80 <= y <= 1120
    for one, other in combinations(places.values(), 2):
        assert (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 > 200**2
    for one, other in combinations(BOARD.roads, 2):
        assert not crosses([places[c] for c in one], [places[c] for c in other])


def crosses(one: list[tuple[int, int]], other: list[tuple[int, int]]) -> bool:
    """Say whether two stretches cross anywhere but at their ends."""

    def side(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> int:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    apart = side(*one, other[0]) * side(*one, other[1]) < 0
    return apart and side(*other, one[0]) * side(*other, one[1]) < 0


def test_the_deal_is_sealed_and_public_only_in_name() -> None:
    """What lies face down stays in the journal's sealed part."""
    step = desperados.setup({"preset": "app"}, 3, PRACTICE)
    (need,) = step.needs
    after = desperados.chance(step.state, draw(need, random.Random(1)))

    assert after.secret
    assert after.events[0] == Dealt(0)
    assert refusal(lambda: desperados.chance(after.state, draw(need, random.Random(1)))) == (
        "not_owed"
    )


def test_a_board_can_be_taught_as_a_whole() -> None:
    """All that the practice map knows, told of the box's board, leaves nothing to ask."""
    facts = boards.all_facts(BOARD)

    assert boards.lessons(BOXED) > 1
    assert boards.lessons(BOARD) == 0
    taught = boards.learn(BOXED, tuple(facts.items()))
    assert boards.lessons(taught) == 0
    assert boards.all_facts(taught) == facts


def test_where_the_example_of_a_sheriff_stands_is_not_said() -> None:
    """It names where roads lead, not from where: so nothing is known of Globe."""
    assert known_value(BOXED, "road:Globe-Tombstone") is None
    assert BOXED.gaps == ()

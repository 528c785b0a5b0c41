"""Examination: what activities bring, banks that were robbed and filled again, a turn's end."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.desperados import rules as desperados
from referee.games.desperados.actions import Next, RefillBank, ReportTile
from referee.games.desperados.events import (
    BankRefilled,
    Counted,
    TileTaken,
    TurnClosed,
)
from referee.games.desperados.model import (
    CITIES,
    COACH_TILES,
    UNSEEN,
    Activity,
    Ended,
    Examining,
    Laying,
    Loot,
    Out,
    Refilling,
    Riding,
    State,
    Turning,
    replace,
    swap,
)
from tests.desperados.positions import (
    GREGOR,
    LEON,
    MATTHIAS,
    PATRICK,
    SABINE,
    cards,
    evening,
    examine,
    laid,
    play,
)
from tests.desperados.robbery import robbery
from tests.steps import find, refusal

# Activities


def test_a_poker_game_brings_the_citys_tile() -> None:
    """One against no Sheriff; the tile is gone afterwards."""
    game = Activity("poker", "Globe", 1, 0, (GREGOR,))
    state = evening({GREGOR: "Globe"}, activities=(game,), sheriffs=("Globe",) * 4)
    state = replace(state, pawns=("Aztec", *state.pawns[1:]))
    first = examine(state, 1)[0]

    assert find(first.events, TileTaken) == [TileTaken("poker", "Globe", state.tile("Globe"))]
    assert first.state.tile("Globe") is None


def test_two_activities_in_a_step_are_settled_both() -> None:
    """Each with its own discs; a coach tile each, from the top."""
    games = (Activity("brown", "Globe", 1, 0, (GREGOR,)), Activity("blue", "Globe", 1, 0, (LEON,)))
    state = evening(
        {GREGOR: "Globe", LEON: "Globe"}, activities=games, pawns=("Aztec",) + ("Tucson",) * 4
    )
    first = examine(state, 1)[0]

    assert [loot.value for loot in first.state.loot] == [*COACH_TILES[:2]]


# Tiles on the real table


def test_the_value_of_a_boxed_tile_is_tapped_when_it_is_turned() -> None:
    """By anybody; only values that are still in the box are offered."""
    games = (Activity("poker", "Globe", 1, 0, (GREGOR,)), Activity("blue", "Globe", 1, 0, (LEON,)))
    taken = (Loot("poker", 600, "Payson", 1),) * 2
    state = evening(
        {GREGOR: "Globe", LEON: "Globe"},
        activities=games,
        pawns=("Aztec",) + ("Tucson",) * 4,
        preset="boxed",
        tiles=dict.fromkeys(CITIES, UNSEEN) | {"Payson": None, "Tombstone": None},
        coach_stack=(UNSEEN,) * 10,
        bank_stack=(UNSEEN,) * 7,
        loot=taken,
    )
    step = examine(state, 1)[0]
    assert isinstance(step.state.phase, Turning)
    assert desperados.violations(step.state) == ()
    assert desperados.to_act(step.state) == {0, 1, 2, 3, 4}
    offered = desperados.legal_actions(step.state, SABINE)
    assert offered == tuple(ReportTile("Globe", value) for value in (300, 400, 500))
    assert refusal(lambda: play(step.state, (SABINE, ReportTile("Globe", 600)))) == "no_such_tile"
    assert refusal(lambda: play(step.state, (MATTHIAS, Next(1)))) == "not_your_turn"

    step = play(step.state, (SABINE, ReportTile("Globe", 400)))
    again = ReportTile("Globe", 400)
    assert refusal(lambda: play(step.state, (GREGOR, again))) == "went_on"
    step = play(step.state, (MATTHIAS, ReportTile("blue", 1200)))
    assert step.events == (TileTaken("coach", "Globe", 1200),)
    assert step.state.taken == 1200 + 400 + 1200
    assert isinstance(step.state.phase, Examining)
    assert refusal(lambda: play(step.state, (SABINE, ReportTile("Globe", 400)))) == "not_your_turn"


def test_two_coaches_in_one_city_are_told_apart() -> None:
    """Each tile is told once, however many screens offer it."""
    games = (Activity("brown", "Globe", 1, 0, (GREGOR,)), Activity("blue", "Globe", 1, 0, (LEON,)))
    state = evening(
        {GREGOR: "Globe", LEON: "Globe"},
        activities=games,
        pawns=("Aztec",) + ("Tucson",) * 4,
        preset="boxed",
        coach_stack=(UNSEEN,) * 10,
    )
    first = examine(state, 1)[0]
    told = play(first.state, (SABINE, ReportTile("brown", 800)))
    assert refusal(lambda: play(told.state, (LEON, ReportTile("brown", 800)))) == "went_on"
    assert play(told.state, (LEON, ReportTile("blue", 800))).state.taken == 1600


def test_a_second_tap_takes_no_second_step() -> None:
    """Whoever goes on says from which step: on another screen it may already be over."""
    state = evening({})
    assert desperados.legal_actions(state, MATTHIAS) == (Next(0),)
    first = play(state, (MATTHIAS, Next(0))).state
    assert desperados.legal_actions(first, MATTHIAS) == (Next(1),)
    assert refusal(lambda: play(first, (MATTHIAS, Next(0)))) == "went_on"
    assert refusal(lambda: play(first, (MATTHIAS, Next(2)))) == "went_on"


def test_a_boxed_bank_is_refilled_without_a_report() -> None:
    """Which tile goes where is the Marshal's affair; only an empty stack matters."""
    state = two_banks(preset="boxed", tiles=dict.fromkeys(CITIES, UNSEEN), bank_stack=(UNSEEN,) * 7)
    step = examine(state, 6)[-1]
    step = play(
        step.state, (LEON, ReportTile("Santa Fe", 500)), (LEON, ReportTile("Socorro", 3200))
    )

    assert find(step.events, BankRefilled) == [BankRefilled("Santa Fe"), BankRefilled("Socorro")]
    assert len(step.state.bank_stack) == 5
    assert step.state.phase == Examining(6, (None,) * 5)


# Banks


def two_banks(**table: Any) -> State:
    """Let Gregor end in Socorro and Patrick in Santa Fe, without a Sheriff in either."""
    routes = {
        MATTHIAS: "saloon, Globe, Tucson, Sweet Water, Payson",
        GREGOR: "St. Johns, Gallup, Los Lunas, saloon, Socorro",
        PATRICK: "Shiprock, Aztec, saloon, Los Lunas, Santa Fe",
    }
    pawns = ("Tucson", "Silver City", "Gallup", "La Luz", "La Luz")
    away = dict.fromkeys((SABINE, LEON), "saloon, El Paso, Salem, La Luz, Red Cloud")
    return evening(routes | away, pawns=pawns, **table)


def test_the_marshal_refills_unseen() -> None:
    """For each robbed bank he decides first, and looks afterwards; the last one follows."""
    step = examine(two_banks(), 6)[-1]
    top = step.state.bank_stack[:2]
    assert step.state.phase == Refilling((None,) * 5, ("Santa Fe", "Socorro"))
    assert desperados.to_act(step.state) == {MATTHIAS}
    offered = (RefillBank("Santa Fe"), RefillBank("Socorro"))
    assert desperados.legal_actions(step.state, MATTHIAS) == offered
    known = {seen.city for seen in desperados.own(step.state, MATTHIAS).tiles}
    assert known == {"El Paso", "Flagstaff", "Silver City"}
    assert refusal(lambda: play(step.state, (MATTHIAS, RefillBank("El Paso")))) == "not_robbed"
    assert refusal(lambda: play(step.state, (LEON, RefillBank("Socorro")))) == "not_your_turn"

    step = play(step.state, (MATTHIAS, RefillBank("Socorro")))
    assert step.events == (BankRefilled("Socorro"), BankRefilled("Santa Fe"))
    assert step.reveals
    assert (step.state.tile("Socorro"), step.state.tile("Santa Fe")) == top
    assert desperados.violations(step.state) == ()


def test_an_empty_stack_refills_nothing() -> None:
    """With one tile left the Marshal chooses between two banks; the other stays empty."""
    step = examine(two_banks(bank_stack=(2000,)), 6)[-1]
    step = play(step.state, (MATTHIAS, RefillBank("Santa Fe")))
    assert (step.state.tile("Santa Fe"), step.state.tile("Socorro")) == (2000, None)
    assert isinstance(step.state.phase, Examining)

    assert isinstance(examine(two_banks(bank_stack=()), 6)[-1].state.phase, Examining)


def test_nothing_is_refilled_after_the_last_turn() -> None:
    """Nobody could rob it any more."""
    step = examine(two_banks(turn=5), 6)[-1]

    assert isinstance(step.state.phase, Examining)
    assert step.state.tile("Socorro") is None


def test_what_a_spy_saw_is_forgotten_with_the_tile() -> None:
    """The next one on that bank is another."""
    state = two_banks(spied=((), ("Socorro",), ("Flagstaff",), (), ()))
    assert [seen.value for seen in desperados.own(state, GREGOR).tiles] == [state.tile("Socorro")]
    after = examine(state, 6)[-1].state

    assert desperados.own(after, GREGOR).tiles == ()
    assert [seen.city for seen in desperados.own(after, PATRICK).tiles] == ["Flagstaff"]


# The end of a turn, and of the game


def test_cards_and_discs_go_back_except_what_was_lost() -> None:
    """Pawns begin where they stand, an arrested one too."""
    step = examine(robbery(), 7)[-1]
    state = step.state

    assert step.events[0] == TurnClosed(1)
    assert (state.turn, state.move, state.phase) == (2, 1, Riding(state.sheriffs))
    assert state.routes == ((),) * 5
    assert state.activities == ()
    assert state.lost[PATRICK] == ("La Luz",)
    assert state.starts == ("Salem", "Silver City", "La Luz", "Socorro", "Silver City")
    laying = replace(state, phase=Laying(), routes=swap(state.routes, 0, laid("saloon")))
    assert "saloon" in cards(laying, SABINE)


def test_the_whole_turn_is_kept_for_the_ceremony() -> None:
    """All cards, also those that were never turned; public only when the game is over."""
    state = examine(robbery(turn=5), 7)[-1].state
    (record,) = desperados.public(state).history or ()

    assert isinstance(state.phase, Ended)
    assert record.ways[PATRICK] == ("Silver City", "Tombstone", "El Paso", "La Luz")
    assert record.ways[SABINE][3:] == ("Salem", "Salem", "Socorro")
    assert record.routes[PATRICK] == ("Tombstone", "El Paso", "La Luz", "Salem", "Socorro")
    assert record.out[PATRICK] == Out("arrested", 3)
    assert desperados.public(examine(robbery(), 7)[-1].state).history is None


@pytest.mark.parametrize(
    ("before", "winners"), [(12_900, (1, 2, 3, 4)), (12_899, (0,)), (40_000, (1, 2, 3, 4))]
)
def test_the_gang_wins_with_its_goal_or_more(before: int, winners: tuple[int, ...]) -> None:
    """4000 each for four of them; the long example itself brings 3100."""
    kept = (Loot("poker", before, "Globe", 1),)
    step = examine(robbery(turn=5, loot=kept), 7)[-1]
    result = desperados.score(step.state)

    assert find(step.events, Counted) == [Counted(winners, before + 3100, 16_000)]
    assert result is not None
    assert result.winners == winners
    assert [score.total for score in result.scores[1:]] == [before + 3100] * 4
    assert result.scores[0].total == max(0, 16_000 - before - 3100)
    assert refusal(lambda: play(step.state, (MATTHIAS, Next(6)))) == "game_over"

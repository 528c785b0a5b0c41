"""Examination: cards and arrests, step by step."""

from __future__ import annotations

from referee.games.desperados import rules as desperados
from referee.games.desperados.events import (
    ActivitySettled,
    Arrested,
    BankHeldUp,
    CardsTurned,
    MoveImpossible,
    RoadLearnt,
    TileTaken,
    Turned,
)
from referee.games.desperados.model import (
    COACH_TILES,
    Activity,
    Loot,
    Out,
)
from tests.desperados.positions import (
    GREGOR,
    LEON,
    MATTHIAS,
    PATRICK,
    SABINE,
    SURVEYED,
    evening,
    examine,
)
from tests.desperados.robbery import robbery
from tests.steps import find

# The rulebook's examples


def test_the_marshal_arrests_who_is_in_his_city() -> None:
    """Patrick and the Marshal meet in La Luz: the card and the turn are lost. Sabine just left."""
    third = examine(robbery(), 3)[-1]

    assert find(third.events, Arrested) == [Arrested(PATRICK, "La Luz", lost=True)]
    assert third.state.lost[PATRICK] == ("La Luz",)
    assert third.state.phase.out == (None, None, Out("arrested", 3), None, None)
    (turned,) = find(third.events, CardsTurned)
    assert turned.cards[SABINE] == Turned(SABINE, "Salem", "Salem")
    assert third.state.pawns == ("La Luz", "Socorro", "La Luz", "Salem", "Globe")


def test_a_reserve_saves_the_robbery() -> None:
    """Three discs against one Sheriff; one is arrested before, two are enough."""
    fourth = examine(robbery(), 4)[-1]

    assert find(fourth.events, ActivitySettled) == [
        ActivitySettled("brown", "Salem", (GREGOR, SABINE), 2, success=True)
    ]
    assert find(fourth.events, TileTaken) == [TileTaken("coach", "Salem", COACH_TILES[0])]
    assert fourth.state.coach_stack == COACH_TILES[1:]
    assert fourth.state.loot == (Loot("coach", COACH_TILES[0], "Salem", 1),)


def test_without_a_reserve_the_robbery_fails() -> None:
    """Two discs against one Sheriff, and one of them arrested."""
    two = Activity("brown", "Salem", 4, 1, (GREGOR, PATRICK))
    fourth = examine(robbery(activities=(two,)), 4)[-1]

    assert find(fourth.events, ActivitySettled) == [
        ActivitySettled("brown", "Salem", (GREGOR,), 2, success=False)
    ]
    assert fourth.state.coach_stack == COACH_TILES
    assert fourth.state.loot == ()


def test_two_against_one_sheriff_rob_the_bank() -> None:
    """Gregor and Leon in Silver City take its tile."""
    sixth = examine(robbery(), 6)[-1]

    assert BankHeldUp("Silver City", (GREGOR, LEON), 2, success=True) in sixth.events
    assert TileTaken("bank", "Silver City", 2300) in sixth.events
    assert sixth.state.loot[-1] == Loot("bank", 2300, "Silver City", 1)


def test_one_against_one_sheriff_does_not() -> None:
    """Sabine alone in Socorro, where a Sheriff is."""
    sixth = examine(robbery(), 6)[-1]

    assert BankHeldUp("Socorro", (SABINE,), 2, success=False) in sixth.events
    assert sixth.state.tile("Socorro") == 2600


def test_the_marshal_in_the_bank_arrests_as_well() -> None:
    """Sabine loses Socorro, and nobody is left to hold it up."""
    state = robbery(routes={MATTHIAS: "Santa Fe, Red Cloud, La Luz, saloon, Socorro"})
    steps = examine(state, 6)

    assert Arrested(SABINE, "Socorro", lost=True) in steps[4].events
    assert steps[4].state.lost[SABINE] == ("Socorro",)
    assert [event.city for event in find(steps[5].events, BankHeldUp)] == ["Silver City"]


def test_an_arrest_by_a_saloon_costs_no_card() -> None:
    """The turn is over all the same, and nothing is turned any more."""
    state = evening(
        {MATTHIAS: "Globe, Payson", PATRICK: "saloon, Tucson"},
        pawns=("Tucson", "Aztec", "Globe", "Aztec", "Aztec"),
    )
    first = examine(state, 1)[-1]
    assert find(first.events, Arrested) == [Arrested(PATRICK, "Globe", lost=False)]
    assert first.state.lost[PATRICK] == ()
    after = examine(first.state, 1)[-1]
    (turned,) = find(after.events, CardsTurned)
    assert PATRICK not in {card.seat for card in turned.cards}
    assert after.state.pawns[PATRICK] == "Globe"


# Cards


def test_crossing_paths_is_no_arrest() -> None:
    """They pass each other on the road."""
    state = evening(
        {MATTHIAS: "Globe", GREGOR: "Tucson", PATRICK: "saloon", SABINE: "saloon", LEON: "saloon"},
        pawns=("Tucson", "Globe", "Aztec", "Aztec", "Aztec"),
    )

    assert find(examine(state, 1)[0].events, Arrested) == []


def test_an_impossible_move_ends_a_turn_and_costs_no_card() -> None:
    """The pawn stays, and the discs of later moves count for nothing."""
    game = Activity("poker", "Payson", 3, 0, (GREGOR,))
    state = evening(
        {GREGOR: "Gallup, Salem, Payson"},
        pawns=("Aztec", "St. Johns", "Tucson", "Tucson", "Tucson"),
        activities=(game,),
    )
    second = examine(state, 2)[-1]

    assert MoveImpossible(GREGOR, "Salem", "Gallup") in second.events
    assert second.state.lost[GREGOR] == ()
    third = examine(second.state, 1)[0]
    assert find(third.events, ActivitySettled) == [
        ActivitySettled("poker", "Payson", (), 1, success=False)
    ]
    assert third.state.pawns[GREGOR] == "Gallup"


def test_a_card_that_was_not_at_hand_is_impossible() -> None:
    """A second saloon, or a city that was lost before."""
    state = evening(
        {GREGOR: "saloon, saloon", PATRICK: "Globe"},
        pawns=("Aztec", "Gallup", "Tucson", "Tucson", "Tucson"),
        lost={PATRICK: ("Globe",)},
    )
    first, second = examine(state, 2)

    assert find(first.events, MoveImpossible) == [MoveImpossible(PATRICK, "Globe", "Tucson")]
    assert MoveImpossible(GREGOR, "saloon", "Gallup") in second.events


def test_the_marshals_impossible_move_keeps_him_where_he_is() -> None:
    """For the rest of the examination; who comes there is arrested."""
    state = evening(
        {MATTHIAS: "Aztec, Globe", GREGOR: "saloon, Tucson"},
        pawns=("Tucson", "Globe", "Aztec", "Aztec", "Aztec"),
    )
    first, second = examine(state, 2)

    assert MoveImpossible(MATTHIAS, "Aztec", "Tucson") in first.events
    assert second.state.pawns[MATTHIAS] == "Tucson"
    assert find(second.events, Arrested) == [Arrested(GREGOR, "Tucson", lost=True)]


def test_an_unknown_road_is_published_when_its_card_is_turned() -> None:
    """And then everybody knows it; later cards of somebody arrested are never turned."""
    state = evening(
        {MATTHIAS: "La Luz, Red Cloud", GREGOR: "La Luz?, Salem", PATRICK: "Aztec?, Globe?"}
        | {SABINE: "saloon", LEON: "saloon"},
        pawns=("El Paso", "Socorro", "Tucson", "Gallup", "Gallup"),
        board=SURVEYED,
    )
    first = examine(state, 1)[0]

    assert first.learnt == (("road:Aztec-Tucson", "yes"), ("road:La Luz-Socorro", "yes"))
    assert find(first.events, RoadLearnt) == [
        RoadLearnt("Aztec", "Tucson"),
        RoadLearnt("La Luz", "Socorro"),
    ]
    assert "Socorro" in first.state.board.links["La Luz"].near
    assert first.state.lost[GREGOR] == ("La Luz",)
    assert desperados.public(first.state).roads == first.state.board.roads


def test_a_road_that_proved_not_to_be_there_is_an_impossible_move() -> None:
    """Told in the open while the card lay face down."""
    state = evening({GREGOR: "La Luz?"}, pawns=("Aztec",) + ("Socorro",) * 4, board=SURVEYED)
    state = desperados.answer(state, (("road:La Luz-Socorro", "no"),)).state

    first = examine(state, 1)[0]
    assert MoveImpossible(GREGOR, "La Luz", "Socorro") in first.events
    assert first.learnt == ()

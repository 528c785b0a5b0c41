"""Examination: cards, arrests, activities and banks, step by step."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.desperados import rules as desperados
from referee.games.desperados.actions import Next, RefillBank, ReportTile
from referee.games.desperados.events import (
    ActivitySettled,
    Arrested,
    BankHeldUp,
    BankRefilled,
    CardsTurned,
    Counted,
    MoveImpossible,
    RoadLearnt,
    TileTaken,
    TurnClosed,
    Turned,
)
from referee.games.desperados.model import (
    CITIES,
    COACH_TILES,
    DECK,
    UNSEEN,
    Activity,
    Ended,
    Examining,
    Laid,
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
from referee.games.desperados.roads import links
from tests.desperados import naive_examination as naive
from tests.desperados.positions import (
    BOARD,
    GREGOR,
    LEON,
    MATTHIAS,
    PATRICK,
    SABINE,
    SURVEYED,
    cards,
    evening,
    examine,
    laid,
    play,
)
from tests.steps import find, refusal

SALEM_COACH = Activity("brown", "Salem", 4, 1, (GREGOR, PATRICK, SABINE))


def robbery(**changed: Any) -> State:
    """Lay out the rulebook's long example: cards 3 to 5 are its own, what it leaves open is ours.

    Patrick and the Marshal meet in La Luz, which Sabine has just left.
    """
    routes = {
        MATTHIAS: "Santa Fe, Red Cloud, La Luz, saloon, Salem",
        GREGOR: "Gallup, St. Johns, Socorro, Salem, Silver City",
        PATRICK: "Tombstone, El Paso, La Luz, Salem, Socorro",
        SABINE: "Red Cloud, La Luz, Salem, saloon, Socorro",
        LEON: "Flagstaff, St. Johns, Globe, Silver City, saloon",
    }
    table: dict[str, Any] = {
        "pawns": ("Los Lunas", "Shiprock", "Silver City", "Santa Fe", "Payson"),
        "sheriffs": ("Salem", "Silver City", "Socorro", "Aztec"),
        "activities": (SALEM_COACH,),
    }
    return evening(routes | changed.pop("routes", {}), **(table | changed))


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
    assert "Socorro" in links(first.state.board)["La Luz"].near
    assert first.state.lost[GREGOR] == ("La Luz",)
    assert desperados.public(first.state).roads == first.state.board.roads


def test_a_road_that_proved_not_to_be_there_is_an_impossible_move() -> None:
    """Told in the open while the card lay face down."""
    state = evening({GREGOR: "La Luz?"}, pawns=("Aztec",) + ("Socorro",) * 4, board=SURVEYED)
    state = desperados.answer(state, (("road:La Luz-Socorro", "no"),)).state

    first = examine(state, 1)[0]
    assert MoveImpossible(GREGOR, "La Luz", "Socorro") in first.events
    assert first.learnt == ()


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


# A second opinion


@st.composite
def evenings(draw: st.DrawFn) -> State:
    """Draw five moves of everybody: mostly possible ones, with discs where they say they are."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    seats = rng.randint(3, 6)
    board = rng.choice((BOARD, SURVEYED))
    pawns = tuple(rng.choice(CITIES[:8]) for _ in range(seats))
    lost = {seat: tuple(rng.sample(CITIES, rng.choice((0, 0, 2)))) for seat in range(1, seats)}
    routes = {seat: _route(pawns[seat], board, rng) for seat in range(seats)}
    state = evening(
        {},
        pawns=pawns,
        lost=lost,
        board=board,
        sheriffs=[rng.choice(CITIES) for _ in range(seats - 1)],
    )
    state = replace(state, routes=tuple(routes[seat] for seat in range(seats)))
    return replace(state, activities=_discs(state, rng))


def _route(at: Any, board: Any, rng: random.Random) -> tuple[Laid, ...]:
    route: list[Laid] = []
    for _ in range(5):
        ways = links(board)[at]
        card: Any = rng.choice((*ways.near, *ways.near, "saloon"))
        confirmed = False
        if ways.unknown and rng.random() < 0.1:
            card, confirmed = rng.choice(ways.unknown), True
        if rng.random() < 0.05:
            card = rng.choice(DECK)
            confirmed = card in ways.unknown
        route.append(Laid(card, confirmed))
        at = at if card == "saloon" else card
    return tuple(route)


def _discs(state: State, rng: random.Random) -> tuple[Activity, ...]:
    found: dict[tuple[Any, ...], list[int]] = {}
    for seat in state.gang:
        move, venue = rng.randint(1, 5), rng.choice(("poker", "brown", "blue"))
        cities = [laid.card for laid in state.routes[seat][:move] if laid.card != "saloon"]
        city = cities[-1] if cities else state.pawn(seat)
        if venue == "poker" and city in state.board.banks:
            continue
        key = (venue, city) if venue == "poker" else (venue,)
        begun = [other for other in found if other[: len(key)] == key]
        if not begun:
            found[*(key if venue == "poker" else (venue, city)), move] = [seat]
        elif (begun[0][1], begun[0][2]) == (city, move):
            found[begun[0]].append(seat)
    return tuple(
        Activity(venue, city, move, rng.choice((0, 0, 1)), tuple(seats))
        for (venue, city, move), seats in found.items()
    )


@pytest.mark.long
@given(evenings())
@settings(max_examples=300, deadline=None)
def test_the_examination_agrees_with_a_naive_one(state: State) -> None:
    """Pawns, arrests, lost cards, loot and new roads, whatever everybody played."""
    board = state.board
    expected = naive.examine(
        [state.pawn(seat) for seat in range(state.seats)],
        [[(laid.card, laid.confirmed) for laid in route] for route in state.routes],
        lost=state.lost,
        roads={frozenset(road) for road in board.roads},
        unknown={frozenset((c, o)) for c in CITIES for o in links(board)[c].unknown},
        discs=[naive.Disc(a.venue, a.city, a.move, a.sheriffs, a.seats) for a in state.activities],
        sheriffs=state.sheriffs,
        poker={city: state.tile(city) or 0 for city in board.poker},
        coaches=state.coach_stack,
        banks={city: state.tile(city) or 0 for city in board.banks},
    )
    steps = examine(state, 6)
    after = steps[-1].state

    assert [*after.pawns] == expected.pawns
    assert [out and (out.why, out.step) for out in after.phase.out] == expected.out
    assert [[*lost] for lost in after.lost] == expected.lost
    assert [(loot.kind, loot.city, loot.value) for loot in after.loot] == expected.loot
    assert {frozenset(r) for r in {*after.board.roads} - {*board.roads}} == expected.shown
    assert not [wrong for wrong in desperados.violations(after) if "tiles" in wrong]

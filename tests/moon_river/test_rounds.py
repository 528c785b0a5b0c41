"""Set-up, rows, the order of turns, what must be done in a turn, and the end."""

from __future__ import annotations

import pytest

from referee.games.base import Outcome
from referee.games.moon_river import flow, rules
from referee.games.moon_river.actions import (
    Discard,
    FormDomino,
    LayBonus,
    LayDomino,
    Pass,
    PlaceRancher,
    SplitDomino,
    TakeBoard,
    TellPartner,
    TellTile,
)
from referee.games.moon_river.events import (
    BonusDropped,
    RoundBegun,
    RowLaid,
    TileLeft,
    TilesDiscarded,
    TileTaken,
)
from referee.games.moon_river.model import (
    ROWS,
    Cell,
    Choosing,
    Discarding,
    Ended,
    Extending,
    LayingBonus,
    Placing,
    Resolving,
    Spot,
    Tile,
    Turn,
    TurningUp,
    replace,
)
from referee.games.moon_river.state import State
from tests.steps import find, refusal

from .positions import APP, UNKNOWN, play, position, profile, walk
from .ranches import ranch

PLAIN = tuple(Tile(1, landscape) for landscape in ("desert", "corn", "forest", "prairie"))


def started(seats: int, order: tuple[int, ...], **options: str) -> State:
    """Begin a game in which ranchers fell in this order; boxed tiles are told."""
    step = rules.setup(options, seats, profile("box"))
    return rules.chance(step.state, Outcome("set_up", {"ranchers": order})).state


def tell_row(state: State, *numbers: int) -> State:
    """Tell four tiles of these numbers, and partners if any are asked for first."""
    while rules.public(state).phase == "refilling":
        state = rules.apply(state, 0, TellPartner("trapper")).state
    for count, number in enumerate(numbers):
        state = rules.apply(state, 0, TellTile(Tile(number, "desert", cattle=count % 3))).state
    return state


# Set-up


def test_a_row_is_sorted_by_number_and_equal_ones_stay_as_drawn() -> None:
    """The smallest lies nearest to the box."""
    state = tell_row(started(4, (0, 1, 2, 3)), 5, 2, 5, 2)

    assert [(s.tile.number, s.tile.cattle) for s in state.current if s.tile] == [
        (2, 1),
        (2, 0),
        (5, 0),
        (5, 2),
    ]


def test_the_saloon_is_filled_before_the_first_row_is_laid() -> None:
    """Five partners; by the app as at the table."""
    for state in walk(3, 2):
        if state.rows:
            assert len(state.tables) == 5
            break


def test_with_three_players_the_free_tile_leaves() -> None:
    """Ranchers are placed as they fell; then the second row is laid."""
    state = tell_row(started(3, (2, 0, 1)), 1, 2, 3, 4)
    assert state.phase == Placing((2, 0, 1))
    step = play(state, PlaceRancher(3), seat=2)
    step = play(step.state, PlaceRancher(0), seat=0)
    step = play(step.state, PlaceRancher(2), seat=1)

    assert [spot.rancher for spot in step.state.current] == [0, None, 1, 2]
    assert [event.place for event in find(step.events, TileLeft)] == [1]
    assert step.state.gone == (Tile(2, "desert", cattle=1),)
    assert isinstance(step.state.phase, TurningUp)


def test_two_players_place_one_two_and_one() -> None:
    """Each has two ranchers; the last one goes where a tile is left."""
    state = tell_row(started(2, (1, 0)), 1, 2, 3, 4)
    assert state.phase == Placing((1, 0, 0, 1))
    for seat, place in ((1, 3), (0, 2), (0, 1)):
        state = play(state, PlaceRancher(place), seat=seat).state
    assert rules.legal_actions(state, 1) == (PlaceRancher(0),)


def test_turns_go_from_the_box_outwards() -> None:
    """Whoever stands nearest to the box begins, and takes that tile; then comes the next round."""
    state = tell_row(started(4, (0, 1, 2, 3)), 1, 2, 3, 4)
    for seat, place in ((0, 2), (1, 0), (2, 3), (3, 1)):
        state = play(state, PlaceRancher(place), seat=seat).state
    assert (rules.public(state).phase, rules.public(state).round) == ("turning_up", 0)
    state = tell_row(state, 1, 1, 1, 1)
    seen = []
    while rules.public(state).phase == "choosing":
        seat = state.turn.seat if state.turn else -1
        seen.append((seat, state.ranches[seat].reserve[-1].number))  # type: ignore[union-attr]  # told
        step = play(state, rules.legal_actions(state, seat)[0])
        state = step.state
    assert seen == [(1, 1), (3, 2), (0, 3), (2, 4)]
    # A row that is told between rounds belongs to the one to come: it is no set-up.
    assert (rules.public(state).phase, rules.public(state).round) == ("turning_up", 2)
    assert rules.public(tell_row(state, 1, 1)).round == 2


def test_wild_west_boards_are_taken_first() -> None:
    """Each lies before one seat only, and has its own spaces."""
    state = started(3, (0, 1, 2), boards="wild_west")
    assert rules.to_act(state) == {0, 1, 2}
    assert [stall.spaces for stall in rules.public(state).stalls] == [0, 0, 0]
    state = play(state, TakeBoard("mary"), seat=1).state
    assert [stall.spaces for stall in rules.public(state).stalls] == [0, 4, 0]
    assert TakeBoard("mary") not in rules.legal_actions(state, 0)
    state = play(state, TakeBoard("big_jo"), seat=0).state
    state = play(state, TakeBoard("wesley"), seat=2).state
    assert [stall.spaces for stall in rules.public(state).stalls] == [2, 4, 3]


# Step 2 of a turn


def reserve_of(*tiles: Tile, **changes: object) -> State:
    """Give a position in which a seat has taken its tile and looks what to do."""
    last = (*(Spot(is_gone=True),) * 3, Spot(tiles[-1], 0))
    state = position(reserves=(tiles[:-1],), turn=None, current=last)
    state = replace(state, turn=None, **changes)

    return flow.go_on(replace(state, phase=Resolving()), []).state


def test_with_a_free_space_one_may_pass() -> None:
    """Extending is free; then the rancher moves on."""
    state = reserve_of(*PLAIN[:3])
    assert Pass() in rules.legal_actions(state, 0)
    assert isinstance(play(state, Pass()).state.phase, Choosing)


def test_with_one_tile_there_is_nothing_to_extend_with() -> None:
    """The turn goes on with its third step by itself."""
    assert isinstance(reserve_of(PLAIN[0]).phase, Choosing)


def test_without_a_free_space_one_must_extend() -> None:
    """With any two of all the tiles, the one beside the board included."""
    state = reserve_of(*PLAIN)
    legal = rules.legal_actions(state, 0)

    assert Pass() not in legal
    assert {*legal} == {FormDomino(a, b) for b in range(4) for a in range(b)}


def test_with_four_tiles_one_may_lay_two_dominoes() -> None:
    """The second one is free again."""
    state = play(reserve_of(*PLAIN), FormDomino(0, 1), LayDomino(2, 1)).state
    assert isinstance(state.phase, Extending)
    assert Pass() in rules.legal_actions(state, 0)
    state = play(state, FormDomino(0, 1), LayDomino(0, 1)).state
    assert isinstance(state.phase, Choosing)


def test_with_three_tiles_one_lays_one_domino() -> None:
    """Two are for those who have four."""
    state = play(reserve_of(*PLAIN[:3]), FormDomino(0, 1), LayDomino(2, 1)).state
    assert isinstance(state.phase, Choosing)


def test_a_domino_can_be_taken_apart_before_it_is_laid() -> None:
    """Then another one is formed."""
    state = play(reserve_of(*PLAIN), FormDomino(0, 1), SplitDomino()).state
    assert state.ranches[0].reserve == PLAIN
    assert FormDomino(2, 3) in rules.legal_actions(state, 0)


FULL = ranch("D D D D D", "D D D D D", "D D D D D", "D D D D D", "C C C C -")


def test_if_nothing_can_be_laid_two_tiles_leave() -> None:
    """Which ones, is the owner's choice; no domino may be formed that cannot be laid."""
    ranches = position(FULL).ranches
    mine = replace(ranches[0], reserve=PLAIN[:3])
    state = reserve_of(*PLAIN, ranches=(mine, *ranches[1:]))
    assert isinstance(state.phase, Discarding)
    assert len(rules.legal_actions(state, 0)) == 6

    step = play(state, Discard(1, 3))
    assert step.state.ranches[0].reserve == (PLAIN[0], PLAIN[2])
    assert step.state.gone[-2:] == (PLAIN[1], PLAIN[3])
    assert isinstance(step.state.phase, Choosing)


def test_a_domino_that_cannot_be_laid_is_not_formed() -> None:
    """The same refusal for whoever tries."""
    state = position(ranch("- - - - -", "D D D D D", "C C C C C"), reserves=(PLAIN[1:3],))

    assert refusal(lambda: rules.apply(state, 0, FormDomino(0, 1))) == "cannot_be_laid"


# The end


def last_round(*tiles: Tile, **changes: object) -> State:
    """Give the last turn of the game."""
    return reserve_of(*tiles, next=(), rows=ROWS, **changes)


def test_in_the_last_turn_all_that_can_be_laid_is_laid() -> None:
    """Again and again, with no passing; what is left leaves, and the game is over."""
    state = last_round(*PLAIN)
    assert state.turn == Turn(0, None)
    assert Pass() not in rules.legal_actions(state, 0)
    state = play(state, FormDomino(0, 1), LayDomino(2, 1)).state
    assert Pass() not in rules.legal_actions(state, 0)

    step = play(state, FormDomino(0, 1), LayDomino(0, 1))
    assert isinstance(step.state.phase, Ended)


def test_what_cannot_be_laid_at_the_end_leaves_the_game() -> None:
    """One tile is left of three."""
    step = play(last_round(*PLAIN[:3]), FormDomino(0, 1), LayDomino(2, 1))

    assert find(step.events, TilesDiscarded)[-1].tiles == (PLAIN[2],)
    assert rules.score(step.state) is not None


def test_two_players_lay_all_in_their_very_last_turn_only() -> None:
    """The first of two turns in the last round is one as before, without a rancher to place."""
    state = position(seats=2, reserves=(PLAIN[:2],))
    spots = (Spot(PLAIN[2], 0), Spot(PLAIN[3], 0), *(Spot(is_gone=True),) * 2)
    state = replace(state, current=spots, next=(), rows=ROWS, at=0, turn=None)

    state = flow.go_on(replace(state, phase=Resolving()), []).state
    assert state.turn == Turn(0, 1)
    state = play(state, Pass()).state
    assert state.turn == Turn(0, None)


def test_all_tiles_are_drawn_in_four_and_twenty_rows() -> None:
    """And a game has as many rounds, the last of which is said to be."""
    for seats in (2, 3, 4):
        states = [*walk(seats, 7)]
        assert states[-1].rows == ROWS
        assert len(states[-1].totals) == ROWS
        assert (
            len(states[-1].gone)
            + sum(len([c for c in r.cells if c and c.tile.number]) for r in states[-1].ranches)
            == 96
        )


def test_the_last_round_is_announced() -> None:
    """When no row is left to lay."""
    events: list[object] = []
    before: tuple[object, ...] = ()
    for state in walk(4, 3):
        if state.deeds != before:
            events += [deed for deed in state.deeds if deed not in before]
            before = state.deeds
    begun = [event for event in events if isinstance(event, RoundBegun)]
    assert begun[-1] == RoundBegun(ROWS, is_last=True)
    assert not begun[-2].is_last
    assert [e.number for e in events if isinstance(e, RowLaid)][-1] == ROWS
    assert any(isinstance(event, TileTaken) for event in events)


# Two players' bonus tiles

TOWER = ranch(*("- - P - -",) * 8, "- - P - -")


def test_whoever_reaches_the_tenth_row_first_lays_a_bonus_tile() -> None:
    """Either tile, either side, at once and by the rules; its circle hires."""
    state = position(TOWER, seats=2, reserves=((Tile(1, "prairie"), Tile(2, "corn")),))
    state = play(state, FormDomino(0, 1), LayDomino(47, 0)).state
    assert isinstance(state.phase, LayingBonus)
    legal = rules.legal_actions(state, 0)
    assert {(a.tile, a.landscape) for a in legal if isinstance(a, LayBonus)} == {
        (0, "desert"),
        (0, "forest"),
        (1, "buildings"),
        (1, "prairie"),
    }

    state = play(state, LayBonus(1, "prairie", 46)).state
    assert state.ranches[0].cells[46] == Cell(Tile(0, "prairie", circle=True))
    assert rules.public(state).phase == "hiring"
    assert state.bonus_left == (0,)


def test_a_bonus_tile_that_cannot_be_laid_leaves() -> None:
    """The last one by itself."""
    low = ranch("- - - - -", *("C C C C C",) * 9)
    pair = (Tile(1, "canyon"), Tile(2, "canyon"))
    state = position(low, seats=2, reserves=(pair,), bonus_left=(0,))
    step = play(state, FormDomino(0, 1), LayDomino(45, 0))

    assert len(find(step.events, BonusDropped)) == 1
    assert step.state.bonus_left == ()


@pytest.mark.parametrize("number", [3, 4])
def test_more_players_have_no_bonus_tiles(number: int) -> None:
    """They are for two."""
    assert (
        rules.setup(APP, number, {"key": "x", "practice": True, "source": ""}).state.bonus_left
        == ()
    )


# What is not known of the box


def test_bridges_are_asked_when_the_first_domino_is_laid() -> None:
    """Once for all camp sides; then it can be laid."""
    state = position(reserves=(PLAIN[:2],), box=UNKNOWN)
    assert rules.question(state) is None
    state = play(state, FormDomino(0, 1)).state
    asked = rules.question(state)
    assert asked is not None
    assert (asked.kind, asked.place, len(asked.parts[0].values)) == ("bridges", "camp", 10)
    assert rules.to_act(state) == {0, 1, 2}

    step = rules.answer(state, (("bridges:camp", "1-3-5"),))
    assert step.learnt == (("bridges:camp", "1-3-5"),)
    assert rules.question(step.state) is None
    assert LayDomino(0, 0) in rules.legal_actions(step.state, 0)


def test_the_sides_of_bonus_tiles_are_asked_when_the_first_is_laid() -> None:
    """Only landscapes that the other side does not show."""
    bridges = replace(UNKNOWN, bridges=((0, 2, 4), None, None, None, None), covered=())
    state = position(TOWER, seats=2, reserves=((Tile(1, "prairie"), Tile(2, "corn")),), box=bridges)
    state = play(state, FormDomino(0, 1), LayDomino(47, 0)).state
    asked = rules.question(state)
    assert asked is not None
    assert [part.fact for part in asked.parts] == [
        "bonus:1:front",
        "bonus:1:back",
        "bonus:2:front",
        "bonus:2:back",
    ]
    state = rules.answer(state, (("bonus:1:front", "corn"),)).state
    asked = rules.question(state)
    assert asked is not None
    assert "corn" not in asked.parts[0].values
    for fact, value in (
        ("bonus:1:back", "prairie"),
        ("bonus:2:front", "canyon"),
        ("bonus:2:back", "desert"),
    ):
        state = rules.answer(state, ((fact, value),)).state
    assert rules.question(state) is None
    assert LayBonus(0, "corn", 43) in rules.legal_actions(state, 0)


def test_a_tile_that_two_people_tell_at_once_is_told_once() -> None:
    """What a page offers names how many were known; the second page is out of date by then."""
    state = tell_row(started(3, (0, 1, 2)))
    offered = rules.legal_actions(state, 0)
    told = rules.apply(state, 0, offered[0]).state

    assert rules.legal_actions(told, 1) != offered
    assert refusal(lambda: rules.apply(told, 1, offered[0])) == "already_told"
    partners = started(3, (0, 1, 2))
    farmer = rules.legal_actions(partners, 0)[-1]
    partners = rules.apply(partners, 0, farmer).state
    assert refusal(lambda: rules.apply(partners, 1, farmer))

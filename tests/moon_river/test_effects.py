"""What dominoes and partners do."""

from __future__ import annotations

import pytest

from referee.games.moon_river import rules
from referee.games.moon_river.actions import (
    Decline,
    DriveCattle,
    FormDomino,
    Hire,
    LayDomino,
    RemoveCattle,
    Rustle,
    SwapTiles,
)
from referee.games.moon_river.effects import unguarded
from referee.games.moon_river.events import (
    CattleCame,
    CattleRemoved,
    CattleRustled,
    NobodyToHire,
    SkullIdle,
    TilesSwapped,
)
from referee.games.moon_river.model import Cell, Cells, Driving, Hiring, Removing, Rustling, Tile
from referee.games.moon_river.state import State
from referee.games.moon_river.supply import cattle_left
from tests.steps import find

from .positions import play, position
from .ranches import ranch

TWO_IN_THE_CANYON = ranch("- - - - -", "C Co Co - -", "D - - - -")
LAY_IT = (FormDomino(0, 1), LayDomino(2, 0))
"""At the bridge in the middle, to the right."""


def with_domino(one: Tile, two: Tile, *ranches: Cells, **changes: object) -> State:
    """Give a position in which two tiles are in the reserve."""
    return position(*ranches, reserves=((one, two),), **changes)  # type: ignore[arg-type]


def cattle(state: State, seat: int = 0) -> dict[int, int]:
    """Give the cattle of a ranch by cell."""
    return {at: c.cattle for at, c in enumerate(state.ranches[seat].cells) if c and c.cattle}


# Cattle and skulls


def test_each_cattle_symbol_brings_one() -> None:
    """Onto the tile that shows it."""
    step = play(with_domino(Tile(5, "desert", cattle=2), Tile(4, "forest", cattle=1)), *LAY_IT)

    assert cattle(step.state) == {2: 2, 3: 1}
    assert [e.count for e in find(step.events, CattleCame)] == [2, 1]


def test_without_a_supply_no_cattle_come() -> None:
    """Ruling: 31 of 32 are out, so of two symbols one stays idle."""
    herd = (Cell(Tile(0, "desert"), 31),)
    state = with_domino(Tile(5, "corn"), Tile(4, "forest", cattle=2), (), herd)
    step = play(state, *LAY_IT)

    assert [(e.count, e.short) for e in find(step.events, CattleCame)] == [(1, 1)]
    assert cattle_left(step.state) == 0


def test_a_skull_takes_one_of_two_cattle_of_its_area() -> None:
    """Rulebook, example 1: one is left, and its owner chooses; the other skull finds none."""
    state = with_domino(
        Tile(1, "canyon", skull=True), Tile(1, "desert", skull=True), TWO_IN_THE_CANYON
    )
    step = play(state, *LAY_IT)
    assert step.state.phase == Removing(2)
    assert rules.legal_actions(step.state, 0) == (RemoveCattle(6), RemoveCattle(7))

    step = play(step.state, RemoveCattle(7))
    assert cattle(step.state) == {6: 1}
    assert [e.at for e in find(step.events, SkullIdle)] == [3]


def test_two_skulls_of_one_area_take_two() -> None:
    """Rulebook, example 2: both go, the second one without a choice."""
    state = with_domino(
        Tile(1, "canyon", skull=True), Tile(1, "canyon", skull=True), TWO_IN_THE_CANYON
    )
    step = play(state, *LAY_IT, RemoveCattle(6))

    assert cattle(step.state) == {}
    assert [e.at for e in find(step.events, CattleRemoved)] == [6, 7]


def test_a_skull_takes_what_came_with_its_own_domino() -> None:
    """Cattle come first, then skulls work."""
    state = with_domino(Tile(3, "canyon", cattle=1), Tile(1, "canyon", skull=True))
    step = play(state, *LAY_IT)

    assert cattle(step.state) == {}
    assert len(find(step.events, CattleRemoved)) == 1


def test_a_skull_that_lies_there_does_nothing_more() -> None:
    """It works only when it is laid: cattle may come to its tile later."""
    old = (None, None, None, Cell(Tile(1, "canyon", skull=True)))
    state = with_domino(Tile(3, "canyon", cattle=1), Tile(1, "corn"), old)
    step = play(state, FormDomino(0, 1), LayDomino(2, 1))

    assert cattle(step.state) == {2: 1}


# Circles


def test_two_circles_hire_in_the_order_their_owner_likes() -> None:
    """Every partner in the saloon, for either circle, with either side up."""
    state = with_domino(Tile(4, "desert", circle=True), Tile(4, "forest", circle=True))
    step = play(state, *LAY_IT)
    assert step.state.phase == Hiring()
    assert len(rules.legal_actions(step.state, 0)) == 2 * 5 * 2

    step = play(step.state, Hire(3, "trapper"), Hire(2, "farmer", "cowboy"))
    cells = step.state.ranches[0].cells
    assert (cells[3].partner, cells[2].partner) == ("trapper", "cowboy")
    assert step.state.tables == ("desperado", "rustler", "gold_digger")
    assert step.state.away == ("farmer",)


def test_an_empty_saloon_has_nobody_to_hire() -> None:
    """The circle stays empty and the turn goes on."""
    state = with_domino(Tile(4, "desert", circle=True), Tile(4, "forest"), tables=())
    step = play(state, *LAY_IT)

    assert len(find(step.events, NobodyToHire)) == 1
    assert step.state.ranches[0].cells[2].partner is None


def test_a_second_circle_finds_an_empty_saloon() -> None:
    """Tables are refilled at the end of a round only."""
    state = with_domino(
        Tile(4, "desert", circle=True), Tile(4, "forest", circle=True), tables=("trapper",)
    )
    step = play(state, *LAY_IT, Hire(2, "trapper"))

    assert len(find(step.events, NobodyToHire)) == 1


# Partners


def hired(partner: str, *ranches: Cells, side: str = "specialist", **changes: object) -> State:
    """Give the position after a partner was hired onto the middle bridge's tile."""
    state = with_domino(Tile(4, "desert", circle=True), Tile(4, "forest"), *ranches, **changes)
    return play(state, *LAY_IT, Hire(2, partner, side)).state  # type: ignore[arg-type]


HERD = ranch("- - - - -", "D Mo - - -", "Do D - - -")


def test_a_cowboy_drives_cattle_three_steps() -> None:
    """One may take several; to any tile beside it, and never onto corn."""
    state = hired("rustler", HERD, side="cowboy")
    assert state.phase == Driving(3)
    drives = [a for a in rules.legal_actions(state, 0) if isinstance(a, DriveCattle)]
    assert {*drives} == {DriveCattle(0, 1), DriveCattle(0, 5), DriveCattle(6, 1), DriveCattle(6, 5)}

    step = play(state, DriveCattle(0, 1), DriveCattle(1, 2), DriveCattle(6, 1))
    assert cattle(step.state) == {1: 1, 2: 1}
    assert not isinstance(step.state.phase, Driving)


def test_a_cowboy_may_stop() -> None:
    """Every effect may be left, from the start or after a step."""
    assert cattle(play(hired("trapper", HERD, side="cowboy"), Decline()).state) == {0: 1, 6: 1}
    step = play(hired("trapper", HERD, side="cowboy"), DriveCattle(0, 5), Decline())
    assert cattle(step.state) == {5: 1, 6: 1}


def test_a_cowboy_without_cattle_has_nothing_to_do() -> None:
    """The turn goes on by itself."""
    assert not isinstance(hired("trapper", side="cowboy").phase, Driving)


@pytest.mark.parametrize("partner", ["gold_digger", "trapper", "farmer"])
def test_collectors_wait_for_the_end(partner: str) -> None:
    """They have no effect at once."""
    assert rules.public(hired(partner)).phase == "choosing"


def test_a_desperado_swaps_a_tile_of_the_reserve() -> None:
    """Each tile lies where the other one lay."""
    mine, other = Tile(2, "corn", corn=2), Tile(6, "canyon", gold=1)
    pair = (Tile(4, "desert", circle=True), Tile(4, "forest"))
    state = position(reserves=((*pair, mine), (Tile(1, "forest"), other)))
    state = play(state, FormDomino(0, 1), LayDomino(2, 0), Hire(2, "desperado")).state
    assert len(rules.legal_actions(state, 0)) == 2 + 1

    step = play(state, SwapTiles(0, 1, 1))
    assert step.state.ranches[0].reserve == (other,)
    assert step.state.ranches[1].reserve == (Tile(1, "forest"), mine)
    assert find(step.events, TilesSwapped)[0].got == other


def test_a_desperado_needs_a_tile_on_both_sides() -> None:
    """Nobody else has one, or one has none oneself: nothing is asked."""
    assert rules.public(hired("desperado")).phase == "choosing"
    pair = (Tile(4, "desert", circle=True), Tile(4, "forest"))
    state = position(reserves=(pair, (Tile(1, "forest"),)))
    step = play(state, *LAY_IT, Hire(2, "desperado"))
    assert rules.public(step.state).phase == "choosing"


VICTIM = ranch("- - - - -", "Co C@g - - -", "Po P - - -")


def test_a_rustler_takes_unguarded_cattle_to_her_own_tile() -> None:
    """A partner guards all cattle of its area, whichever side is up."""
    state = hired("rustler", (), VICTIM)
    assert state.phase == Rustling(2)
    assert rules.legal_actions(state, 0) == (Rustle(1, 0), Decline())

    step = play(state, Rustle(1, 0))
    assert (cattle(step.state), cattle(step.state, 1)) == ({2: 1}, {5: 1})
    assert find(step.events, CattleRustled)[0].victim == 1


def test_a_rustler_finds_nothing_where_all_is_guarded() -> None:
    """A cowboy is a herder, too."""
    guarded = ranch("- - - - -", "Co C@g - - -", "Po P@c - - -")

    assert unguarded(guarded) == ()
    assert rules.public(hired("rustler", (), guarded)).phase == "choosing"


def test_a_rustler_on_corn_cannot_take_any() -> None:
    """Ruling: no cattle may stand there."""
    state = with_domino(Tile(4, "corn", circle=True), Tile(4, "forest"), (), VICTIM)
    step = play(state, *LAY_IT, Hire(2, "rustler"))

    assert rules.public(step.state).phase == "choosing"

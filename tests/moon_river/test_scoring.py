"""The count: the rulebook's examples, and areas against an independent labelling."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.moon_river.art import CELL, EDGE
from referee.games.moon_river.grid import BIG, SMALL, areas
from referee.games.moon_river.model import (
    LANDSCAPES,
    WIDTH,
    Cell,
    Cells,
    Partner,
    Scenario,
    Tile,
)
from referee.games.moon_river.scoring import breakdown, lines
from referee.games.moon_river.sums import LETTER, sum_of

from .ranches import CLARA, ranch


def test_clara_has_89_points() -> None:
    """Areas 5, 21, 6 and 16, symbols 4, 1 and 18, and her farmer brings 18 more."""
    count = breakdown(CLARA, "none")

    named = {line.name: line.amount for line in lines(count)}
    assert named == {
        "desert": 5,
        "buildings": 16,
        "canyon": 21,
        "prairie": 6,
        "forest": 0,
        "gold_symbols": 4,
        "beaver_symbols": 1,
        "corn_symbols": 18,
        "gold_digger": 0,
        "trapper": 0,
        "farmer": 18,
    }
    assert count.total == 89


def test_of_two_cattle_on_a_tile_one_goes_back_before_the_count() -> None:
    """Overpopulation: one of the cattle a tile at most."""
    count = breakdown(ranch("- - - - -", "Poo P Po - -"), "none")

    assert (count.surplus, count.cattle, count.total) == (1, 2, 3 * 2)


def test_cornfields_bring_nothing_even_if_cattle_are_told_to_stand_there() -> None:
    """What is counted is what the named lines say, and no line is for corn."""
    count = breakdown(ranch("M2o M P Po -"), "none")

    assert [area.points for area in count.areas] == [0, 2]
    assert count.total == sum(line.amount for line in lines(count)) == 2 + 2


def test_areas_of_one_landscape_count_each_by_itself() -> None:
    """Two prairies of two tiles with one of the cattle each are 2 and 2, and not 4 times 2."""
    count = breakdown(ranch("Po P D Po P"), "none")

    assert [area.points for area in count.areas] == [2, 0, 2]


def test_each_partner_of_a_kind_brings_the_symbols_again() -> None:
    """Two gold diggers with three gold bring six, and the gold its own three."""
    assert breakdown(ranch("Dg@g Pg@g Cg H F"), "none").total == 3 + 6


SIX: dict[Scenario, Cells] = {
    "rafting": ranch("F F F - -", "F F F - -"),
    "gold_rush": ranch("Dg Pg Cg - -", "Dg Pg Cg - -"),
    "wild_bunch": ranch("D@c P@g C@r - -", "D@f P@t C@c - -"),
    "moon_river_city": ranch("H H H - -", "H H H - -"),
}
TWICE_THREE: dict[Scenario, Cells] = {
    "rafting": ranch("F F - - F", "F - - F F"),
    "gold_rush": ranch("Dg Pg - - Cg", "Dg - - Pg Cg"),
    "wild_bunch": ranch("D@c P@d - - C@r", "D@c - - P@t C@c"),
    "moon_river_city": ranch("H H - - H", "H - - H H"),
}
TWO: dict[Scenario, Cells] = {
    "rafting": ranch("F F - - -"),
    "gold_rush": ranch("Dg Pg - - -"),
    "wild_bunch": ranch("D@c P@d - - -"),
    "moon_river_city": ranch("H H - - -"),
}


@pytest.mark.parametrize("scenario", SIX)
def test_a_group_of_six_brings_forty(scenario: Scenario) -> None:
    """Ten for three, and ten for each one beyond."""
    assert breakdown(SIX[scenario], scenario).group_points == 40


@pytest.mark.parametrize("scenario", TWICE_THREE)
def test_two_groups_of_three_bring_twenty(scenario: Scenario) -> None:
    """Ten each."""
    assert breakdown(TWICE_THREE[scenario], scenario).group_points == 20


@pytest.mark.parametrize("scenario", TWO)
def test_a_group_of_two_brings_nothing(scenario: Scenario) -> None:
    """Three is the least."""
    assert breakdown(TWO[scenario], scenario).group_points == 0


def test_a_forest_away_from_the_river_is_no_rafting() -> None:
    """One of its tiles has to lie on the river."""
    assert breakdown(ranch("F F F - -", "D D D - -"), "rafting").group_points == 0


@pytest.mark.parametrize(("partner", "points"), [("d", 10), ("r", 10), ("c", 0), ("g", 0)])
def test_a_wild_bunch_needs_an_outlaw_that_shows(partner: str, points: int) -> None:
    """A desperado or a rustler, specialist side up: a cowboy may be one underneath, and is none."""
    bunch = ranch(f"D@c P@t C@{partner} - -")

    assert breakdown(bunch, "wild_bunch").group_points == points


def test_gold_of_different_landscapes_is_one_vein() -> None:
    """And a tile without gold ends it."""
    assert breakdown(ranch("Dg Pg Cg D Dg"), "gold_rush").group_points == 10


cells = st.one_of(
    st.none(),
    st.builds(
        Cell,
        st.builds(Tile, st.just(0), st.sampled_from(LANDSCAPES), st.integers(0, 1)),
        st.integers(0, 2),
        st.one_of(st.none(), st.sampled_from(("cowboy", "rustler", "gold_digger", "farmer"))),
    ),
)
grids = st.sampled_from((SMALL, BIG)).flatmap(
    lambda size: st.lists(cells, min_size=size, max_size=size).map(tuple)
)


@pytest.mark.long
@given(grids)
def test_areas_are_what_a_graph_library_finds(grid: Cells) -> None:
    """Cells of one landscape that share a side, labelled by networkx."""
    graph = nx.Graph()
    there = {at: cell.tile.landscape for at, cell in enumerate(grid) if cell}
    graph.add_nodes_from(there)
    for at, landscape in there.items():
        if at % WIDTH < WIDTH - 1 and there.get(at + 1) == landscape:
            graph.add_edge(at, at + 1)
        if there.get(at + WIDTH) == landscape:
            graph.add_edge(at, at + WIDTH)

    assert {*map(frozenset, areas(grid))} == {*map(frozenset, nx.connected_components(graph))}


@pytest.mark.long
@given(grids)
def test_the_total_is_what_plain_counting_gives(grid: Cells) -> None:
    """One of the cattle brings the tiles of its area, a symbol one, and one for a collector."""
    tiles = [cell for cell in grid if cell]
    by_cell = {at: area for area in areas(grid) for at in area}
    expected = sum(
        len(by_cell[at])
        for at, cell in enumerate(grid)
        if cell and cell.cattle and cell.tile.landscape != "corn"
    )
    for symbol, collector in (("gold", "gold_digger"), ("beaver", "trapper"), ("corn", "farmer")):
        count = sum(getattr(cell.tile, symbol) for cell in tiles)
        expected += count * (1 + sum(cell.partner == collector for cell in tiles))

    assert breakdown(grid, "none").total == expected


@pytest.mark.long
@given(grids)
def test_sums_are_written_inside_the_ranch(grid: Cells) -> None:
    """However wide one is, and however near to the edge its area lies."""
    for area in sum_of(breakdown(grid, "none"), len(grid) // WIDTH).areas:
        half = len(area.label) * LETTER // 2
        assert EDGE <= area.x - half
        assert area.x + half <= EDGE + WIDTH * CELL


def test_a_small_area_has_room_for_its_points_alone() -> None:
    """And one that brings nothing has no label."""
    drawn = sum_of(breakdown(ranch("Po P D Ho H", "- - D H H"), "none"), 2)

    assert sorted(area.label for area in drawn.areas) == ["", "2", "4×1=4"]


def test_partners_of_a_ranch_may_be_all_kinds() -> None:
    """A partner without points of its own changes nothing."""
    kinds: tuple[Partner, ...] = ("cowboy", "desperado", "rustler")
    for kind in kinds:
        assert breakdown((Cell(Tile(0, "desert"), 0, kind),) + (None,) * 24, "none").total == 0

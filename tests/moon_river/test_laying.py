"""Where dominoes may lie: the rulebook's words, and a slow reading of them cell by cell."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.moon_river.actions import FormDomino, LayDomino
from referee.games.moon_river.grid import BIG, SMALL
from referee.games.moon_river.laying import (
    TURNS,
    can_lie,
    cells_of,
    field,
    folded,
    laid,
    may_lie,
    pairs,
    placements,
    single_cells,
)
from referee.games.moon_river.model import LANDSCAPES, WIDTH, Cell, Cells, Landscape, Ranch, Tile

from .ranches import ranch

EMPTY: Cells = (None,) * SMALL
MIDDLE = (2,)


def slowly(
    cells: Cells,
    bridges: tuple[int, ...],
    covered: tuple[int, ...],
    kinds: tuple[Landscape, Landscape],
    at: int,
    turn: int,
) -> bool:
    """Read the rule word by word, with columns and rows."""
    column, row = at % WIDTH, at // WIDTH
    step = ((1, 0), (0, 1), (-1, 0), (0, -1))[turn]
    both = ((column, row), (column + step[0], row + step[1]))
    rows = len(cells) // WIDTH
    for x, y in both:
        if not (0 <= x < WIDTH and 0 <= y < rows):
            return False
        if cells[y * WIDTH + x] is not None or y * WIDTH + x in covered:
            return False
    for (x, y), kind in zip(both, kinds, strict=True):
        if y == 0 and x in bridges:
            return True
        for near_x, near_y in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if 0 <= near_x < WIDTH and 0 <= near_y < rows:
                near = cells[near_y * WIDTH + near_x]
                if near is not None and near.tile.landscape == kind:
                    return True
    return False


tiles = st.one_of(
    st.none(), st.builds(Cell, st.builds(Tile, st.just(1), st.sampled_from(LANDSCAPES)))
)
grids = st.sampled_from((SMALL, BIG)).flatmap(
    lambda size: st.lists(tiles, min_size=size, max_size=size).map(tuple)
)
kinds_of = st.sampled_from(LANDSCAPES)


@pytest.mark.long
@given(
    grids,
    st.sets(st.integers(0, 4), max_size=3),
    st.sets(st.integers(0, 24), max_size=1),
    kinds_of,
    kinds_of,
)
def test_placements_are_those_of_a_slow_reading(
    cells: Cells, bridges: set[int], covered: set[int], first: Landscape, second: Landscape
) -> None:
    """Every cell and direction, free or not, at the edge or not."""
    columns, under = tuple(sorted(bridges)), tuple(covered)
    here = field(cells, columns, under)
    expected = {
        LayDomino(at, turn)
        for at in range(len(cells))
        for turn in TURNS
        if slowly(cells, columns, under, (first, second), at, turn)
    }

    found = placements(here, first, second)
    assert {*found} == expected
    assert len(found) == len(expected)
    assert can_lie(here, first, second) is bool(expected)
    for at in (-1, 0, len(cells) - 1, len(cells)):
        for turn in (-1, *TURNS, 4):
            assert may_lie(here, first, second, at, turn) is (LayDomino(at, turn) in expected)


@pytest.mark.long
@given(grids, kinds_of)
def test_a_single_tile_may_lie_where_half_a_domino_would(cells: Cells, kind: Landscape) -> None:
    """A bonus tile: at a bridge, or beside its own landscape."""
    found = single_cells(field(cells, MIDDLE), kind)

    for at, cell in enumerate(cells):
        beside = [n for n in (at - 1, at + 1) if 0 <= n < len(cells) and n // WIDTH == at // WIDTH]
        beside += [n for n in (at - WIDTH, at + WIDTH) if 0 <= n < len(cells)]
        joins = any((near := cells[n]) and near.tile.landscape == kind for n in beside)
        assert (at in found) is (cell is None and (at in MIDDLE or joins))


def test_the_first_domino_lies_at_a_bridge() -> None:
    """Any landscape, any way round: five ways with one end at the middle bridge, and back."""
    found = placements(field(EMPTY, MIDDLE), "corn", "forest")

    assert {*found} == {
        LayDomino(2, 0),
        LayDomino(2, 1),
        LayDomino(2, 2),
        LayDomino(1, 0),
        LayDomino(3, 2),
        LayDomino(7, 3),
    }


def test_one_half_beside_its_own_landscape_is_enough() -> None:
    """What the other half touches does not matter, nor that it touches anything."""
    here = field(ranch("- - - - -", "- - - - -", "- - - - -", "- - P - -", "- - F - -"), ())

    assert may_lie(here, "prairie", "corn", 12, 1)
    assert not may_lie(here, "corn", "canyon", 12, 1)
    # The halves of one domino are no neighbours of each other in this sense.
    assert not may_lie(here, "desert", "desert", 12, 1)


def test_nothing_lies_outside_the_grid() -> None:
    """Not around the edge into the next row either."""
    here = field(EMPTY, (0, 4))

    assert not may_lie(here, "corn", "corn", 4, 0)
    assert not may_lie(here, "corn", "corn", 0, 2)
    assert not may_lie(here, "corn", "corn", 0, 3)


def test_only_pairs_that_can_be_laid_are_formed() -> None:
    """One free cell is left for no domino; two are for those that join there."""
    full = ranch("D D D D D", "D D D D D", "D D D D D", "D D D D D", "D D D - -")
    here = field(full, ())
    desert, corn, forest = Tile(1, "desert"), Tile(2, "corn"), Tile(3, "forest")

    assert pairs(here, (corn, forest, desert, None)) == ((0, 2), (1, 2))
    assert pairs(field((*full[:3], Cell(corn), *full[4:]), (4,)), (desert, corn)) == ()


def test_a_laid_domino_leaves_the_reserve() -> None:
    """Its tiles lie at its cells with its number, and the rest of the reserve stays in order."""
    one, two, three = Tile(1, "desert"), Tile(2, "corn"), Tile(3, "forest")
    after = laid(Ranch(EMPTY, (one, two, three)), 0, 2, 12, 3)

    assert (after.cells[12], after.cells[7]) == (Cell(one, domino=1), Cell(three, domino=1))
    assert after.reserve == (two,)
    assert cells_of(SMALL, 12, 3) == (12, 7)
    with pytest.raises(LookupError):
        cells_of(SMALL, 4, 0)


def test_a_page_gets_a_small_table_of_cells() -> None:
    """By cell the directions that fit, folded from the whole list."""
    table = folded(placements(field(EMPTY, MIDDLE), "corn", "forest"), SMALL)

    assert (table[2], table[1], table[3], table[7]) == ((0, 1, 2), (0,), (2,), (3,))
    assert sum(map(len, table)) == 6
    assert folded((FormDomino(0, 1),), SMALL) == ((),) * SMALL


def test_the_most_there_is_to_choose_from_is_small_once_a_domino_is_formed() -> None:
    """At most 80 placements on the small grid and 170 on the big one."""
    rng = random.Random(1)
    for size, most in ((SMALL, 80), (BIG, 170)):
        for _ in range(50):
            cells = tuple(
                Cell(Tile(1, "desert")) if rng.random() < 0.2 else None for _ in range(size)
            )
            assert len(placements(field(cells, range(WIDTH)), "desert", "desert")) <= most

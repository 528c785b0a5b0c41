"""Ranches that are painted: as quick as can be, undone and done again, strange but confirmed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.games.base import Outcome
from referee.games.moon_river import rules
from referee.games.moon_river.actions import (
    Countersign,
    CountUp,
    HandIn,
    Mark,
    Paint,
    Repaint,
    Station,
    Unpaint,
)
from referee.games.moon_river.closing import closing
from referee.games.moon_river.model import LANDSCAPES, Cells, Ended
from referee.games.moon_river.painting import Oddity, oddities
from referee.games.moon_river.scoring import breakdown
from referee.games.moon_river.state import State
from tests.steps import refusal

from .positions import profile, walk
from .ranches import CLARA, ranch


def painting(seats: int = 3, **options: str) -> State:
    """Begin a game of which only the end is counted."""
    chosen = {"tracking": "score"} | options
    step = rules.setup(chosen, seats, profile("box"))
    drawn: dict[str, tuple[Any, ...]] = {"ranchers": tuple(range(seats))}
    return rules.chance(step.state, Outcome("set_up", drawn)).state


def strokes(number: int, cells: Cells) -> list[Any]:
    """Paint a ranch with few strokes: each landscape at once, then what lies on the tiles."""
    there = [(at, cell) for at, cell in enumerate(cells) if cell is not None]
    found: list[Any] = []
    for landscape in LANDSCAPES:
        at = tuple(n for n, cell in there if cell.tile.landscape == landscape)
        if at:
            found.append(Paint(number, at, landscape))
    for what in ("gold", "beaver", "corn", "cattle"):
        counts = [
            (n, cell.cattle if what == "cattle" else cell.tile.shows(what)) for n, cell in there
        ]
        found += [
            Mark(number, tuple(n for n, c in counts if c == count), what, count)
            for count in sorted({c for _, c in counts if c})
        ]
    for partner in sorted({cell.partner for _, cell in there if cell.partner}):
        at = tuple(n for n, cell in there if cell.partner == partner)
        found.append(Station(number, at, partner))
    return found


def painted(state: State, *ranches: Cells, by: int = 0) -> State:
    """Let one seat paint all ranches."""
    for number, cells in enumerate(ranches):
        for stroke in strokes(number, cells):
            state = rules.apply(state, by, stroke).state
    return state


def test_one_seat_paints_all_ranches_and_has_the_winner() -> None:
    """Clara has 89 points, and one may count alone."""
    other = ranch("- - - - -", "D D D D D", "Do D D D D")
    state = painted(painting(2), CLARA + (None,) * 25, other + (None,) * 35)
    assert [stall.count.total for stall in rules.public(state).stalls] == [89, 10]

    state = rules.apply(state, 0, HandIn(0)).state
    assert CountUp() not in rules.legal_actions(state, 0)
    state = rules.apply(state, 0, HandIn(1)).state
    state = rules.apply(state, 0, CountUp()).state
    assert isinstance(state.phase, Ended)
    result = rules.score(state)
    assert result is not None
    assert (result.winners, [s.total for s in result.scores]) == ((0,), [89, 10])


def test_claras_ranch_takes_few_strokes() -> None:
    """One a landscape, one for each count of a symbol, one a kind of partner."""
    assert len(strokes(0, CLARA)) == 6 + 5 + 1


def test_a_neighbour_countersigns_what_was_handed_in() -> None:
    """Once, and never one's own; painting it again takes that back."""
    state = painted(painting(), CLARA)
    state = rules.apply(state, 0, HandIn(0)).state
    assert refusal(lambda: rules.apply(state, 0, Countersign(0)))
    signed = rules.apply(state, 1, Countersign(0)).state
    assert signed.ranches[0].signed_by == 1
    assert refusal(lambda: rules.apply(signed, 2, Countersign(0)))

    again = rules.apply(signed, 0, Paint(0, (0,), None)).state
    assert (again.ranches[0].is_done, again.ranches[0].signed_by) == (False, None)


def test_strokes_are_taken_back_and_done_again() -> None:
    """As often as one likes, until one paints something else."""
    empty = painting()
    one = rules.apply(empty, 0, Paint(0, (0, 1), "desert")).state
    two = rules.apply(one, 1, Mark(0, (1,), "gold", 1)).state
    back = rules.apply(rules.apply(two, 0, Unpaint(0)).state, 0, Unpaint(0)).state
    assert back.ranches[0].cells == empty.ranches[0].cells
    assert refusal(lambda: rules.apply(back, 0, Unpaint(0))) == "nothing_painted"
    again = rules.apply(rules.apply(back, 0, Repaint(0)).state, 0, Repaint(0)).state
    assert again.ranches[0].cells == two.ranches[0].cells

    other = rules.apply(back, 0, Paint(0, (5,), "corn")).state
    assert refusal(lambda: rules.apply(other, 0, Repaint(0))) == "nothing_unpainted"


def test_a_stroke_that_changes_nothing_is_none() -> None:
    """Whoever's finger slips twice has nothing to take back twice."""
    one = rules.apply(painting(), 0, Paint(0, (0,), "desert")).state
    assert rules.apply(one, 0, Paint(0, (0,), "desert")).state == one
    assert rules.apply(one, 0, Mark(0, (7,), "gold", 1)).state == one


def test_painting_another_landscape_forgets_the_symbols_of_the_old_one() -> None:
    """Partners stay, and cattle, but not on corn."""
    state = painting()
    for stroke in (
        Paint(0, (0,), "desert"),
        Mark(0, (0,), "gold", 1),
        Mark(0, (0,), "cattle", 1),
        Station(0, (0,), "farmer"),
    ):
        state = rules.apply(state, 0, stroke).state
    canyon = rules.apply(state, 0, Paint(0, (0,), "canyon")).state.ranches[0].cells[0]
    corn = rules.apply(state, 0, Paint(0, (0,), "corn")).state.ranches[0].cells[0]
    assert canyon is not None
    assert corn is not None
    assert (canyon.tile.gold, canyon.cattle, canyon.partner) == (0, 1, "farmer")
    assert (corn.cattle, corn.partner) == (0, "farmer")


@pytest.mark.parametrize(
    ("cells", "code"),
    [
        (ranch("F Fggggg - - -"), "gold_elsewhere"),
        (ranch("D Dgg - - -"), "much_gold"),
        (ranch("F Hb - - -"), "beaver_elsewhere"),
        (ranch("F P5 - - -"), "corn_elsewhere"),
        (ranch("M Mo - - -"), "cattle_on_corn"),
        (ranch("D D - - D", "- - - - -", "F F - F -"), "stands_alone"),
        (ranch("D D D - -"), "half_a_domino"),
        (ranch("D D - - -", "- - - - -"), "not_at_the_river"),
    ],
)
def test_what_looks_impossible_is_named(cells: Cells, code: str) -> None:
    """Cell by cell where it can be pointed at."""
    whole = cells + (None,) * (25 - len(cells))
    assert code in [odd.code for odd in oddities(whole)]


def test_what_looks_impossible_can_be_confirmed() -> None:
    """The table is right, but says so."""
    state = painted(painting(), ranch("F Fggggg - - -"))
    assert Oddity("gold_elsewhere", 1) in rules.public(state).stalls[0].odd
    assert refusal(lambda: rules.apply(state, 0, HandIn(0))) == "looks_impossible"
    assert rules.apply(state, 0, HandIn(0, confirmed=True)).state.ranches[0].is_done


def test_more_than_the_box_holds_is_pointed_out() -> None:
    """33 cattle, 21 partners, and more of a landscape than all its tiles."""
    full = ranch(*("Doo Doo Doo Doo Doo",) * 4, "Doo@f Doo@f Doo@f Doo@f -")
    state = painted(painting(4, preset="app"), full, full)
    codes = [odd.code for odd in rules.public(state).odd]
    assert codes == ["more_cattle_than_there_are"]
    known = painting(4)
    practice = profile("practice")
    step = rules.setup({"tracking": "score"}, 4, practice)
    known = rules.chance(step.state, Outcome("set_up", {"ranchers": (0, 1, 2, 3)})).state
    codes = [odd.code for odd in rules.public(painted(known, full, full)).odd]
    assert "more_than_all_farmer" in codes
    assert "more_than_all_desert" in codes


def test_whatever_is_painted_others_are_asked_the_same() -> None:
    """Another phone's page must not go out of date by a stroke."""
    state = painting()
    before = rules.legal_actions(state, 1)
    for stroke in strokes(0, CLARA):
        state = rules.apply(state, 0, stroke).state
        assert rules.legal_actions(state, 1) == before


@given(st.integers(2, 4), st.integers(0, 2**32), st.sampled_from(("camp", "wild_west")))
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_painting_a_final_ranch_scores_as_playing_it_did(
    seats: int, seed: int, boards: str
) -> None:
    """Whatever came out of a game that was tracked, painted it counts the same."""
    *_, last = walk(seats, seed, boards=boards, scenario="random")
    played = rules.score(last)
    state = painting(seats, scenario=last.scenario)
    state = painted(state, *(r.cells for r in last.ranches), by=seats - 1)
    for number in range(seats):
        state = rules.apply(state, 0, HandIn(number, confirmed=True)).state
    counted = rules.score(rules.apply(state, 0, CountUp()).state)

    assert counted == played
    for ranch_ in last.ranches:
        assert breakdown(ranch_.cells, "none").surplus == 0


def test_the_ceremony_begins_with_the_cattle_that_go_back() -> None:
    """Where there are any; then every landscape counts, and the last total is the end."""
    crowded, calm = ranch("- - - - -", "Poo P - - -"), ranch("- - - - -", "Po P - - -")
    for cells, kinds, surplus in (
        (crowded, ["overpopulation", "areas"], 1),
        (calm, ["areas", "areas"], 0),
    ):
        state = painted(painting(3), cells)
        for seat in range(3):
            state = rules.apply(state, seat, HandIn(seat, confirmed=True)).state
        shown = closing(rules.public(rules.apply(state, 0, CountUp()).state))
        assert [step.kind for step in shown.steps[:2]] == kinds
        assert shown.ranches[0].surplus == surplus
        assert shown.ranches[0].totals[0] == 0
        assert shown.ranches[0].totals[-1] == 2

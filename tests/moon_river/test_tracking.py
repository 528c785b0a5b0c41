"""How much is tracked changes in mid-game, and nothing that is known is lost."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.errors import RuleViolation
from referee.games.base import Outcome
from referee.games.moon_river import rules, scoring
from referee.games.moon_river.actions import (
    CellAt,
    GoOn,
    Paint,
    Pass,
    PlaceRancher,
    ReportDomino,
    SetBoard,
    SetCells,
    SetReserve,
    SetRound,
    SetRow,
    SetScenario,
    SetTables,
    SetTracking,
    SpotAt,
    TellPartner,
    TellTile,
)
from referee.games.moon_river.events import Corrected
from referee.games.moon_river.model import (
    Cell,
    Choosing,
    Ended,
    Extending,
    Painting,
    Spot,
    TakingStock,
    Tile,
    replace,
)
from referee.games.moon_river.state import State
from tests.steps import refusal
from tests.strategies import draw

from .positions import APP, PRACTICE, play, position, profile, walk

PLAIN = (Tile(1, "desert"), Tile(2, "corn"), Tile(3, "forest"), Tile(4, "prairie"))
FREE = (SpotAt(PLAIN[3]),)


def play_on(state: State, seed: int) -> State:
    """Play at random to the end."""
    rng = random.Random(seed)
    needs: tuple[Any, ...] = ()
    while True:
        for need in needs:
            step = rules.chance(state, draw(need, rng))
            state, needs = step.state, step.needs
        if needs:
            continue
        able = sorted(rules.to_act(state))
        if not able:
            return state
        seat = rng.choice(able)
        step = rules.apply(state, seat, rng.choice(rules.legal_actions(state, seat)))
        state, needs = step.state, step.needs
        assert rules.violations(state) == ()


def middle(seats: int, seed: int, phase: type[Any], **options: str) -> State:
    """Find a state of some phase in the middle of a game."""
    found = [s for s in walk(seats, seed, **options) if isinstance(s.phase, phase)]
    return found[len(found) // 2]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(
    "phase", ["extending", "laying", "choosing", "hiring", "removing", "driving"]
)
def test_a_table_may_track_less_at_any_time(seats: int, phase: str) -> None:
    """The turn is ended by hand, ranches stay as they are known, and are painted at the end."""
    rng = random.Random(f"{seats} {phase}")
    games = (walk(seats, rng.randrange(10**6)) for _ in range(20))
    state = next(s for game in games for s in game if s.phase.__struct_config__.tag == phase)
    step = rules.correct(state, SetTracking("draft"))

    assert step.reveals
    assert isinstance(step.events[0], Corrected)
    assert [r.cells for r in step.state.ranches] == [r.cells for r in state.ranches]
    assert rules.public(step.state).rules.tracking == "draft"
    if step.needs:
        return
    over = play_on(step.state, 1)
    assert rules.score(over) is not None


def test_a_table_tracks_only_the_count_and_then_all_again() -> None:
    """It goes on where it was: same turn, same rows, same reserves."""
    state = middle(3, 5, Extending)
    less = rules.correct(state, SetTracking("score")).state
    assert isinstance(less.phase, Painting)
    more = rules.correct(less, SetTracking("full")).state
    assert isinstance(more.phase, TakingStock)
    again = rules.apply(more, 0, GoOn()).state

    assert replace(again, deeds=()) == replace(state, deeds=())
    assert rules.score(play_on(again, 2)) is not None


def test_a_table_that_begins_to_track_all_tells_what_lies_open() -> None:
    """Rows, reserves and tables one after the other; ranches are painted; then it goes on."""
    board = profile("box")
    step = rules.setup({"tracking": "draft"}, 3, board)
    state = rules.chance(step.state, Outcome("set_up", {"ranchers": (0, 1, 2)})).state
    assert state.current[0].tile is None
    for seat in range(3):
        state = play(state, PlaceRancher(seat), seat=seat).state
    for place in range(3):
        state = play(state, PlaceRancher(place)).state
    assert rules.public(state).round == 2
    state = rules.correct(state, SetTracking("full")).state

    told = []
    while rules.public(state).unknown is not None:
        unknown = rules.public(state).unknown
        told.append(unknown.where)
        assert GoOn() not in rules.legal_actions(state, 2)
        action = TellPartner("farmer") if unknown.where == "tables" else TellTile(PLAIN[0])
        state = rules.apply(state, 1, action).state
    assert {*told} == {"current", "next", "reserve", "tables"}
    state = rules.apply(state, 2, Paint(0, (0, 1), "forest")).state
    state = rules.apply(state, 2, GoOn()).state
    assert rules.public(state).rules.tracking == "full"
    assert rules.public(state).phase == "extending"
    assert state.ranches[0].cells[0] == Cell(Tile(0, "forest"))
    assert rules.violations(state) == ()


def test_a_table_that_only_counted_may_begin_to_play() -> None:
    """From the set-up on, with what was painted."""
    step = rules.setup({"tracking": "score"}, 3, profile("box"))
    state = rules.chance(step.state, Outcome("set_up", {"ranchers": (0, 1, 2)})).state
    state = rules.correct(state, SetTracking("draft")).state
    step = rules.apply(state, 0, GoOn())
    assert rules.public(step.state).phase == "placing"
    assert rules.score(play_on(step.state, 3)) is not None


def test_it_is_too_late_to_track_more_once_all_rows_are_played() -> None:
    """There is nothing to go on with."""
    last = next(s for s in walk(3, 1, tracking="draft") if isinstance(s.phase, Painting))
    assert refusal(lambda: rules.correct(last, SetTracking("full"))) == "too_late"
    assert refusal(lambda: rules.correct(last, SetTracking("draft"))) == "already_so"


def test_a_draft_tells_dominoes_and_who_was_hired() -> None:
    """Two tiles and up to two partners go out of sight, and are counted."""
    state = position(reserves=(PLAIN[:3],))
    state = replace(state, rules=replace(state.rules, tracking="draft"))
    assert Pass() in rules.legal_actions(state, 0)
    after = play(state, ReportDomino(0, 2, ("farmer", "trapper"))).state

    assert after.ranches[0].reserve == (PLAIN[1],)
    assert after.ranches[0].elsewhere == (PLAIN[0], PLAIN[2])
    assert after.tables == ("desperado", "rustler", "gold_digger")
    assert isinstance(after.phase, Choosing)


# What hands did otherwise


def test_what_lies_on_the_table_is_set_right() -> None:
    """Cells, reserves, rows, tables, the round; partners are still all accounted for."""
    state = middle(3, 8, Choosing, **APP)
    cell = Cell(Tile(0, "forest"), 1, "rustler")
    step = rules.correct(state, SetCells(1, (CellAt(24, cell),)))
    assert step.state.ranches[1].cells[24] == cell
    assert rules.violations(step.state) in ((), ("tiles made or lost",))
    step = rules.correct(state, SetReserve(1, PLAIN[:2]))
    assert step.state.ranches[1].reserve == PLAIN[:2]
    ranchers = [spot.rancher for spot in state.next]
    step = rules.correct(state, SetRow("next", tuple(map(SpotAt, PLAIN, ranchers))))
    assert [spot.tile for spot in step.state.next] == [*PLAIN]
    full = tuple(SpotAt(PLAIN[0], who, is_gone=who is None) for who in ranchers)
    assert refusal(lambda: rules.correct(state, SetRow("next", full))) == "no_free_place"
    assert rules.correct(state, SetTables(("farmer",))).state.tables == ("farmer",)
    assert rules.correct(state, SetRound(7)).state.rows == 7


def test_another_scenario_counts_as_if_it_had_lain_there_from_the_start() -> None:
    """Whoever chose the wrong one in the lobby, or drew another card, comes to the same points."""
    ranch = (Cell(Tile(1, "forest")),) * 3
    none, rafting = position(ranch), replace(position(ranch), scenario="rafting")
    told = rules.correct(none, SetScenario("rafting")).state
    assert scoring.final(told) == scoring.final(rafting) != scoring.final(none)
    again = rules.correct(told, SetScenario("none")).state
    assert scoring.final(again) == scoring.final(none)
    assert refusal(lambda: rules.correct(none, SetScenario("none"))) == "already_so"


def test_a_row_that_is_set_right_loses_no_rancher() -> None:
    """Ranchers change places; only while stock is taken do they come and go."""
    state = replace(position(), next=tuple(map(Spot, PLAIN, (1, 2, None, None))))

    def refused(*ranchers: int | None, gone: int | None = None) -> str:
        spots = tuple(SpotAt(PLAIN[n], who, is_gone=n == gone) for n, who in enumerate(ranchers))
        return refusal(lambda: rules.correct(state, SetRow("next", spots)))

    assert refused(None, 2, None, None) == "ranchers_differ"
    assert refused(1, 2, 1, None) == "ranchers_differ"
    assert refused(1, 2, 0, None) == "ranchers_differ"
    assert refused(1, 2, None, None, gone=1) == "no_tile_there"

    moved = tuple(map(SpotAt, PLAIN, (2, None, None, 1)))
    after = rules.correct(state, SetRow("next", moved)).state
    assert [spot.rancher for spot in after.next] == [2, None, None, 1]
    stock = rules.correct(replace(state, phase=TakingStock()), SetRow("next", moved[:3] + FREE))
    assert [spot.rancher for spot in stock.state.next] == [2, None, None, None]


def test_a_correction_that_was_overtaken_writes_over_nothing() -> None:
    """What was read of a page must lie there still; where nobody read anything, what is said is."""
    state = position(reserves=(PLAIN[:2],))
    row = tuple(SpotAt(spot.tile) for spot in state.next)
    other = (*row[:3], SpotAt(PLAIN[3]))
    cell, lies = CellAt(24, Cell(PLAIN[0])), CellAt(24, state.ranches[0].cells[24])
    for correction in (
        SetCells(0, (cell,), was=(cell,)),
        SetTables(("farmer",), was=("farmer",)),
        SetTables(("farmer",), was=()),
        SetReserve(0, PLAIN[:3], was=PLAIN[:1]),
        SetReserve(0, PLAIN[:3], was=()),
        SetRow("next", other, was=other),
    ):
        assert refusal(lambda it=correction: rules.correct(state, it)) == "moved_on"  # type: ignore[misc]

    for then in (None, (lies,)):
        step = rules.correct(state, SetCells(0, (cell,), was=then))
        assert step.state.ranches[0].cells[24] == cell.cell
    for sat in (None, state.tables):
        assert rules.correct(state, SetTables((), was=sat)).state.tables == ()
    for was in (None, PLAIN[:2]):
        step = rules.correct(state, SetReserve(0, PLAIN[:3], was=was))
        assert step.state.ranches[0].reserve == PLAIN[:3]
    for lies in (None, row):
        step = rules.correct(state, SetRow("next", other, was=lies))
        assert step.state.next[3].tile == PLAIN[3]


def test_what_cannot_be_on_any_table_is_refused() -> None:
    """Seats, cells and counts that do not exist."""
    state = position()
    for wrong in (
        SetCells(3, ()),
        SetCells(0, (CellAt(25, None),)),
        SetCells(0, (), was=(CellAt(25, None),)),
        SetReserve(9, ()),
        SetRow("next", ()),
        SetRow("next", (SpotAt(rancher=3),) * 4),
        SetTables(("farmer",) * 6),
        SetRound(25),
        SetBoard((("bridges:camp", "1-2"),)),
    ):
        assert refusal(lambda wrong=wrong: rules.correct(state, wrong))  # type: ignore[misc]


def test_a_fact_of_the_box_is_set_right_for_this_game_and_the_next() -> None:
    """It is learnt like any other."""
    step = rules.correct(position(), SetBoard((("bridges:camp", "2-3-4"),)))

    assert step.state.bridges(0) == (1, 2, 3)
    assert step.learnt == (("bridges:camp", "2-3-4"),)
    assert PRACTICE.bridges[0] == (0, 2, 4)


def test_no_game_ends_without_a_score_at_any_level() -> None:
    """At `draft` and `score` ranches are painted before the count."""
    for tracking in ("score", "draft", "full"):
        *_, last = walk(4, 2, tracking=tracking)
        assert isinstance(last.phase, Ended)
        assert rules.score(last) is not None


def anything(rng: random.Random, state: State) -> Any:
    """Give some correction, likely or not."""
    seat = rng.randrange(state.seats)
    size = len(state.ranches[0].cells)
    tile = rng.choice(PLAIN)
    cell = rng.choice([None, Cell(tile), Cell(tile, 1), Cell(tile, 0, "farmer")])
    at = rng.sample(range(size), 4)
    name = rng.choice(["current", "next"])
    ranchers = [spot.rancher for spot in getattr(state, name)] or [None] * 4
    rng.shuffle(ranchers)
    spots = [SpotAt(tile, who, is_gone=who is None and rng.random() < 0.5) for who in ranchers]
    return rng.choice(
        [
            SetCells(seat, tuple(CellAt(n, cell) for n in at)),
            SetCells(seat, tuple(CellAt(n, None) for n in range(size))),
            SetReserve(seat, PLAIN[: rng.randrange(4)]),
            SetRow(name, tuple(spots)),
            SetTables(("farmer", "rustler")[: rng.randrange(3)]),
            SetBoard((("bridges:camp", rng.choice(["1-2-3", "3-4-5"])),)),
            SetTracking(rng.choice(["score", "draft", "full"])),
        ]
    )


@pytest.mark.long
@given(st.integers(2, 4), st.integers(0, 2**32), st.sampled_from(["full", "draft"]))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_table_goes_on_whatever_was_set_right(seats: int, seed: int, tracking: str) -> None:
    """Nobody is left without anything to do, and what is listed is accepted, to the end."""
    rng = random.Random(seed)
    step = rules.setup(APP | {"tracking": tracking}, seats, profile("practice"))
    for _ in range(3000):
        while step.needs:
            step = rules.chance(step.state, draw(step.needs[0], rng))
        if rules.score(step.state) is not None:
            return
        if rng.random() < 0.15:
            try:
                step = rules.correct(step.state, anything(rng, step.state))
            except RuleViolation:
                continue
            continue
        able = [s for s in sorted(rules.to_act(step.state)) if rules.legal_actions(step.state, s)]
        assert able, step.state.phase
        seat = rng.choice(able)
        step = rules.apply(step.state, seat, rng.choice(rules.legal_actions(step.state, seat)))

"""Whole games: random ones with slips, at a table with a journal, to each end."""

from __future__ import annotations

import random

import pytest

from referee import simulate
from referee.games.desperados import rules as desperados
from referee.games.desperados.actions import (
    Declare,
    HidePlan,
    LayAny,
    LayCard,
    PlaceDiscs,
    ShowPlan,
)
from referee.games.desperados.model import Acting, Laying, Riding, State
from referee.journal import Ledger, replay
from referee.tables import Table, Tables, Who
from tests.desperados.positions import PRACTICE
from tests.strategies import Table as RandomTable
from tests.strategies import play_out
from tests.table import NAMES, act, choose

pytestmark = pytest.mark.long

APP = {"preset": "app", "board": "practice"}
HOST = Who(is_host=True)


def start(tables: Tables, *, seats: int = 4, seed: str = "seed") -> Table:
    """Open a table, seat people and start."""
    table, _ = tables.open("desperados", options=APP, seed=seed)
    for name in NAMES[:seats]:
        tables.lobby.join(table, name, mix=name)
    tables.lobby.start(table)
    return table


def play_until(tables: Tables, table: Table, phase: type[object], rng: random.Random) -> State:
    """Play at random until a phase is reached."""
    while not isinstance(table.ledger.state.phase, phase):
        act(tables, table, *choose(table.ledger, rng))
    state: State = table.ledger.state
    return state


def undo(tables: Tables, table: Table, seat: int) -> None:
    """Take a seat's last action back, by itself or because the host says so."""
    if tables.consent.undo(table, seat) == "asked":
        tables.consent.answer(table, HOST, agree=True)


def assert_replays(tables: Tables, table: Table) -> None:
    """Read the journal again and compare."""
    again: Ledger = replay(desperados, tables.store.entries(table.code))

    assert again.state == table.ledger.state
    assert again.head == table.ledger.head
    assert [again.version(v) for v in (None, 0, 1)] == [
        table.ledger.version(v) for v in (None, 0, 1)
    ]


# Quiet steps


def test_nothing_of_the_gang_reaches_the_marshals_version(tables: Tables) -> None:
    """Hiding, changing and declaring leave every other screen's version alone."""
    table = start(tables)
    play_until(tables, table, Laying, random.Random(1))
    ledger = table.ledger
    act(tables, table, 1, next(a for a in ledger.legal_for(1) if isinstance(a, LayCard)))
    seen = [(ledger.version(v), ledger.noticed.head_for(v)) for v in (None, 0)]
    mate = ledger.version(2)

    act(tables, table, 1, next(a for a in ledger.legal_for(1) if isinstance(a, LayCard)))
    assert ledger.version(2) == mate + 1
    act(tables, table, 1, HidePlan())
    act(tables, table, 1, next(a for a in ledger.legal_for(1) if isinstance(a, LayCard)))
    assert ledger.version(2) == mate + 2
    assert [(ledger.version(v), ledger.noticed.head_for(v)) for v in (None, 0)] == seen

    state = play_until(tables, table, Acting, random.Random(1))
    seen = [
        (ledger.version(v), ledger.noticed.head_for(v), len(ledger.log.lines)) for v in (None, 0)
    ]
    for seat in state.gang:
        act(tables, table, seat, Declare("nothing"))
    assert [
        (ledger.version(v), ledger.noticed.head_for(v), len(ledger.log.lines)) for v in (None, 0)
    ] == seen
    assert_replays(tables, table)


def test_what_was_declared_is_gone_when_the_move_is_taken_back(tables: Tables) -> None:
    """The card that closed the move goes back, and what followed it quietly fits no more."""
    table = start(tables)
    state = play_until(tables, table, Laying, random.Random(2))
    for seat in state.gang:
        act(tables, table, seat, LayAny())
    act(tables, table, 1, Declare("nothing"))
    act(tables, table, 2, HidePlan())
    undo(tables, table, 3)

    state = table.ledger.state
    assert isinstance(state.phase, Laying)
    assert state.hidden == (False, False, True, False)
    assert_replays(tables, table)
    act(tables, table, 3, LayAny())
    assert table.ledger.state.phase == Acting((None,) * 4)
    act(tables, table, 3, PlaceDiscs())
    assert isinstance(table.ledger.state.phase, Riding)
    assert_replays(tables, table)


def test_a_hidden_plan_stays_hidden_when_the_marshal_takes_his_card_back(tables: Tables) -> None:
    """He rides again, in a phase in which nobody is offered to hide anything."""
    table = start(tables)
    play_until(tables, table, Laying, random.Random(2))
    act(tables, table, 1, HidePlan())
    undo(tables, table, 0)

    assert isinstance(table.ledger.state.phase, Riding)
    assert table.ledger.state.hidden == (False, True, False, False)
    assert_replays(tables, table)


@pytest.mark.parametrize("taker", [1, 2])
def test_a_hidden_plan_stays_hidden_when_cards_are_taken_back(tables: Tables, taker: int) -> None:
    """One's own or those of others; it can be shown again afterwards."""
    table = start(tables)
    play_until(tables, table, Laying, random.Random(2))
    for seat in (2, 1):
        act(tables, table, seat, LayAny())
    act(tables, table, 1, HidePlan())
    undo(tables, table, taker)

    assert table.ledger.state.hidden == (False, True, False, False)
    assert_replays(tables, table)
    act(tables, table, 1, ShowPlan())
    assert table.ledger.state.hidden == (False,) * 4
    undo(tables, table, 0)
    assert table.ledger.state.hidden == (False,) * 4
    assert_replays(tables, table)


@pytest.mark.parametrize("seed", range(4))
def test_games_with_slips_replay(tables: Tables, seed: int) -> None:
    """Whatever is taken back in whichever order, the journal says the same again."""
    table, rng = start(tables, seats=3 + seed % 4, seed=str(seed)), random.Random(seed)
    for _ in range(250):
        ledger = table.ledger
        if rng.random() < 0.1:
            seat = rng.choice(ledger.seating.order)
            if any(mark.seat == seat for mark in ledger.undoing.marks()):
                undo(tables, table, seat)
        if ledger.status == "playing":
            act(tables, table, *choose(ledger, rng))
        assert desperados.violations(ledger.state) == ()
    assert_replays(tables, table)


# To the end


@pytest.mark.parametrize("preset", ["app", "boxed"])
def test_random_games_of_every_size_break_nothing(preset: str) -> None:
    """On either board, with whatever comes out of the box."""
    report = simulate.simulate(
        "desperados", games=3, seats=None, seed="x", options={}, preset=preset
    )

    assert (report.games, report.violations, report.first_violation) == (12, 0, None)


@pytest.mark.parametrize(("target", "winner"), [("2000", "gang"), ("6000", "marshal")])
def test_either_side_can_win(target: str, winner: str) -> None:
    """The gang together, or the Marshal alone; every line adds up."""
    found = set()
    for seed in range(40):
        table = RandomTable("desperados", APP | {"target": target}, 3, seed)
        *_, last = play_out(table)
        result = desperados.score(last.step.state)
        assert result is not None
        found.add("marshal" if result.winners == (0,) else "gang")
        if winner in found:
            break

    assert winner in found


def test_a_game_takes_five_turns_of_five_moves() -> None:
    """And keeps them all."""
    *_, last = play_out(RandomTable("desperados", APP, 4, 7))
    history = last.step.state.history

    assert [record.turn for record in history] == [1, 2, 3, 4, 5]
    assert {len(route) for record in history for route in record.routes} == {5}
    assert PRACTICE["practice"]

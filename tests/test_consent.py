"""Taking back: what comes again, one's own action alone, and what the table agrees to."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import example, given

from referee.deciding import fits
from referee.entries import Draft
from referee.errors import (
    StaleTable,
    TableError,
    UndoRefused,
)
from referee.games.base import Need, Outcome, Pool
from referee.games.winchester import rules as winchester
from referee.games.winchester.actions import Bid, DrawPlot, Pass
from referee.journal import Ledger, replay
from referee.steps import decode_action
from referee.tables import DISPLAY, Table, Tables, Who
from tests.chronicle import MANY, Journal, games, picture, randoms
from tests.table import act, choose, deal, moves, play, tables_at

HOST = Who(is_host=True)


# Taking back


@given(games, randoms)
@example(Journal(seats=3, seed="cbc", auction="open", claims="referee"), random.Random(156))
@MANY
def test_taking_back_restores_the_state_before(journal: Journal, rng: random.Random) -> None:
    """After an action and its undo all is as it was, but for what was seen and for the log."""
    journal.play(rng, rng.randrange(80))
    if journal.ledger.status != "playing":
        return
    seat, action = choose(journal.ledger, rng)
    state, legal = journal.ledger.state, journal.ledger.legal
    lines = len(journal.ledger.log.lines)
    journal.act(seat, action)
    ledger = journal.ledger
    if ledger.status == "over" or ledger.last_step is None or ledger.last_step.audience is not None:
        return
    happened, learnt = ledger.log.lines[lines:], winchester.remember(state, ledger.state)
    journal.undo(seat)

    assert (ledger.state, ledger.legal) == (learnt, legal)
    struck = [msgspec.structs.replace(line, is_undone=True) for line in happened]
    assert ledger.log.lines[lines:-1] == struck
    assert ledger.log.lines[-1].kind == "undo"


@given(games, randoms)
@MANY
def test_what_was_drawn_comes_again(journal: Journal, rng: random.Random) -> None:
    """Taking a draw back and drawing again shows the same, even from another generator."""
    while journal.ledger.status == "playing":
        journal.play(rng, 1)
        if journal.entries[-1].kind == "chance" and rng.random() < 0.3:
            break
    if journal.ledger.status != "playing":
        return
    entry, drawn = journal.entries[-2], journal.entries[-1]
    state = journal.ledger.state
    journal.undo(entry.seat)  # type: ignore[arg-type]  # a seat did that
    journal.seed = "another"
    journal.act(entry.seat, decode_action(winchester, entry.payload["action"]))  # type: ignore[arg-type]

    assert journal.entries[-1].payload == drawn.payload
    assert journal.ledger.state == state


def test_a_draw_that_a_correction_forbids_does_not_come_again() -> None:
    """The plot seen before was given away meanwhile, so another one is drawn."""
    journal = Journal()
    journal.act(0, DrawPlot())
    seen = journal.ledger.state.phase.plot
    journal.undo(0)
    correction = {"owners": [{"plot": seen, "seat": 1}]}
    journal.add(Draft("correction", None, {"correction": correction, "how": "host", "by": None}))
    journal.act(0, DrawPlot())

    assert journal.ledger.state.phase.plot != seen
    assert picture(replay(winchester, journal.entries)) == picture(journal.ledger)


def test_an_outcome_fits_what_is_owed_or_not() -> None:
    """Same pools, as many items, all of them there often enough."""
    need = Need("deal", 0, (Pool("tokens", ("a", "a", "b"), 2),))

    assert fits(Outcome("deal", {"tokens": ("a", "a")}), need)
    assert fits(Outcome("deal", {"tokens": ("b", "a")}), need)
    assert not fits(Outcome("deal", {"tokens": ("b", "b")}), need)
    assert not fits(Outcome("deal", {"tokens": ("a", "c")}), need)
    assert not fits(Outcome("deal", {"tokens": ("a",)}), need)
    assert not fits(Outcome("deal", {"cards": ("a", "b")}), need)


def test_ones_own_last_action_alone() -> None:
    """A bid nobody acted on can be taken back alone; after the next one's act it cannot."""
    journal = Journal()
    journal.act(0, DrawPlot())
    journal.act(0, Bid(2000))
    ledger = journal.ledger

    assert ledger.undoing.may_alone(ledger.undoing.own_last(0))
    journal.act(1, Pass())
    assert not ledger.undoing.may_alone(ledger.undoing.own_last(0))
    assert ledger.undoing.may_alone(ledger.undoing.own_last(1))
    with pytest.raises(UndoRefused):
        ledger.undoing.own_last(2)


def test_what_showed_something_is_not_taken_back_alone() -> None:
    """A drawn plot was seen, so the table must agree."""
    journal = Journal()
    journal.act(0, DrawPlot())

    assert not journal.ledger.undoing.may_alone(journal.ledger.undoing.own_last(0))


# Consent


def ask_to_undo(tables: Tables, seats: int = 3) -> Table:
    """Deal, draw, and let the star's holder ask to take the draw back."""
    table = deal(tables, seats=seats)
    act(tables, table, 0, DrawPlot())
    assert tables.consent.undo(table, 0) == "asked"
    return table


def test_all_who_are_present_must_agree(tables: Tables) -> None:
    """Absent phones do not count; everybody whose phone was heard of does."""
    table = ask_to_undo(tables, seats=4)
    for seat in (0, 1, 2):
        tables.live.seen(table.code, seat)

    tables.consent.answer(table, Who(seat=1), agree=True)
    assert table.ledger.proposal is not None
    tables.consent.answer(table, Who(seat=2), agree=True)
    assert table.ledger.proposal is None
    assert table.ledger.state.turn == 0


def test_one_other_at_least_must_agree(tables: Tables) -> None:
    """If all other phones sleep, the asker alone is not enough, and one of them is."""
    table = ask_to_undo(tables)
    tables.live.seen(table.code, 0)
    tables.consent.answer(table, Who(seat=0), agree=True)
    assert table.ledger.proposal is not None

    tables.consent.answer(table, Who(seat=2), agree=True)
    assert table.ledger.proposal is None
    assert table.ledger.state.turn == 0


def test_who_falls_asleep_holds_nothing_up(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """One agreed, one sleeps: the next sign of life of anybody settles it."""
    table = ask_to_undo(tables)
    for seat in (0, 1, 2):
        tables.live.seen(table.code, seat)
    tables.consent.answer(table, Who(seat=1), agree=True)
    assert table.ledger.proposal is not None

    monkeypatch.setattr(tables.live, "is_present", lambda _, seat: seat != 2)
    tables.consent.settle(table)
    assert table.ledger.proposal is None
    assert table.ledger.state.turn == 0
    tables.consent.settle(table)


def test_agreement_is_to_what_was_shown(tables: Tables) -> None:
    """Whoever asks something else meanwhile gets no yes that was meant for the first."""
    table = ask_to_undo(tables)
    ledger = table.ledger
    assert ledger.proposal is not None
    shown = ledger.noticed.number(ledger.proposal.number, 2)
    assert tables.consent.undo(table, 0, to=ledger.own_last(0)) == "asked"  # a double tap
    tables.consent.answer(table, Who(seat=0), agree=False)
    tables.consent.correct(table, 0, {"star": 1}, reason="")

    with pytest.raises(StaleTable):
        tables.consent.answer(table, Who(seat=2), agree=True, number=shown)
    assert ledger.proposal is not None
    tables.consent.answer(
        table, Who(seat=2), agree=True, number=ledger.noticed.number(ledger.proposal.number, 2)
    )
    assert ledger.state.star == 1


def test_one_no_is_enough(tables: Tables) -> None:
    """And it stands in the log."""
    table = ask_to_undo(tables)

    tables.consent.answer(table, Who(seat=2), agree=False)
    assert table.ledger.proposal is None
    assert table.ledger.state.turn == 1
    newest = table.ledger.log.lines[-2:]
    assert [line.note["what"] for line in newest if line.note] == ["ask", "refuse"]


def test_the_host_decides_in_the_open(tables: Tables) -> None:
    """The journal says that it was the host."""
    table = ask_to_undo(tables)

    tables.consent.answer(table, HOST, agree=True)
    note = table.ledger.log.lines[-1].note
    assert note is not None
    assert (note["how"], note["by"]) == ("host", 0)


def test_a_stranger_has_no_say(tables: Tables) -> None:
    """The display without a key can neither agree nor refuse."""
    table = ask_to_undo(tables)

    for agree in (True, False):
        with pytest.raises(TableError) as refused:
            tables.consent.answer(table, DISPLAY, agree=agree)
        assert refused.value.status == 403
    assert table.ledger.proposal is not None


def test_a_question_ends_with_the_game(tables: Tables) -> None:
    """What was asked before the end cannot be agreed to after it."""
    table = deal(tables)
    play(tables, table, random.Random(5), until="between")
    while not any(a["type"] == "count_up" for _, a in map(plain, moves(table.ledger))):
        act(tables, table, *choose(table.ledger, random.Random(5)))
    with pytest.raises(UndoRefused):
        tables.consent.undo(table, 99)
    seat = next(seat for seat in range(3) if has_mark(table.ledger, seat))
    if tables.consent.undo(table, seat) == "done":
        tables.consent.undo(table, seat)
    play(tables, table, random.Random(5))

    assert table.ledger.status == "over"
    assert table.ledger.proposal is None
    with pytest.raises(UndoRefused):
        tables.consent.answer(table, HOST, agree=True)
    assert winchester.score(table.ledger.state) is not None


def plain(move: tuple[int, Any]) -> tuple[int, Any]:
    """Give a move with its action as data."""
    return move[0], msgspec.to_builtins(move[1])


def has_mark(ledger: Ledger, seat: int) -> bool:
    """Say whether a seat has an action to take back."""
    try:
        ledger.undoing.own_last(seat)
    except UndoRefused:
        return False
    return True


def test_after_the_end_nothing_is_taken_back(tables: Tables) -> None:
    """Everything is open then."""
    table = deal(tables)
    play(tables, table, random.Random(1))

    with pytest.raises(UndoRefused) as refused:
        tables.consent.undo(table, 0)
    assert refused.value.code == "game_over"


# The same on disk


def test_an_undone_action_stays_undone_on_disk(tmp_path: Path) -> None:
    """A restart replays to the very same ledger."""
    with tables_at(tmp_path) as tables:
        table = ask_to_undo(tables)
        tables.consent.answer(table, HOST, agree=True)
        play(tables, table, random.Random(8), most=40)
        live = picture(table.ledger)

    with tables_at(tmp_path) as tables:
        again = tables.find(table.code).ledger
        assert picture(again) == live

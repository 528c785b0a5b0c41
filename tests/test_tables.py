"""Use cases at a table: playing once, rematch, restart, races."""

from __future__ import annotations

import random
import threading
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee import bots, deciding
from referee.entries import SeatId
from referee.errors import (
    NoSuchTable,
    RuleViolation,
    StaleTable,
    TableError,
)
from referee.tables import Table, Tables, Who
from tests.crowds import HOST, at_once
from tests.table import APP, NAMES, act, choose, deal, moves, play, tables_at

DRAW = {"type": "draw_plot"}


# Playing


def test_the_same_action_at_once_is_done_once(tables: Tables) -> None:
    """Ten taps with one id: one entry, and everybody gets the same answer."""
    table = deal(tables)
    version = table.ledger.version(0)

    def tap(_: int) -> int:
        return tables.play.act(table, 0, DRAW, version=version, action_id="tap")

    answers = at_once(tap, 10)
    assert len({*answers}) == 1
    kinds = [entry.kind for entry in tables.store.entries(table.code)]
    assert kinds.count("action") == 1


def test_different_actions_at_once_are_decided(tables: Tables) -> None:
    """Two tabs of a seat send different moves: one counts, the others are stale."""
    table = deal(tables)
    act(tables, table, 0, DRAW)
    version = table.ledger.version(0)

    def tap(number: int) -> int:
        bid = {"type": "bid", "amount": 1000 * (number + 1)}
        return tables.play.act(table, 0, bid, version=version, action_id=f"tab {number}")

    found = at_once(tap, 8)
    assert sum(isinstance(one, int) for one in found) == 1
    assert {type(one) for one in found if not isinstance(one, int)} == {StaleTable}


def test_all_bid_at_once_in_a_sealed_auction(tables: Tables) -> None:
    """Phones that saw the same version all count, from real threads, whoever comes first."""
    table = deal(tables, seats=5, options={"auction": "sealed"})
    act(tables, table, 0, DRAW)
    version = table.ledger.version(0)

    def bid(seat: int) -> int:
        raw = {"type": "submit_bid", "amount": 1000 * (5 - seat)}
        return tables.play.act(table, seat, raw, version=version, action_id="bid", exact=False)

    found = at_once(bid, 5)
    assert all(isinstance(one, int) for one in found)
    assert table.ledger.state.owners.count(0) == 1
    assert msgspec.to_builtins(table.ledger.log.lines[-1].events)[1]["bids"] == tuple(
        (seat, 1000 * (5 - seat)) for seat in range(5)
    )


def test_many_tables_play_at_once(tables: Tables) -> None:
    """Whole games from real threads, each on its own table, all of them end and replay."""

    def whole(number: int) -> Table:
        table = deal(tables, seats=3 + number % 3, seed=str(number))
        play(tables, table, random.Random(number))
        return table

    played = at_once(whole, 6)
    assert [table.ledger.status for table in played] == ["over"] * 6
    fresh = Tables(tables.store, tables.live)
    assert [fresh.find(t.code).ledger.state for t in played] == [t.ledger.state for t in played]


def test_a_persons_page_is_fresh_while_its_question_is(tables: Tables) -> None:
    """Others' bids in between do not make it stale; a program names the version exactly."""
    table = deal(tables, options={"auction": "sealed"})
    act(tables, table, 0, DRAW)
    seen = table.ledger.noticed.asked_since(2)
    version = table.ledger.version(2)
    act(tables, table, 1, {"type": "submit_bid", "amount": 1000})
    bid = {"type": "submit_bid", "amount": 2000}

    with pytest.raises(StaleTable):
        tables.play.act(table, 2, bid, version=version, action_id="x")
    assert tables.play.act(table, 2, bid, version=seen, action_id="x", exact=False)
    for outdated in (seen - 1, table.ledger.version(2) + 1):
        with pytest.raises(StaleTable):
            tables.play.act(table, 2, bid, version=outdated, action_id="y", exact=False)


def test_what_the_host_may_do_depends_on_no_secret(tables: Tables) -> None:
    """Only actions that the rules name for absent seats, through a whole game of nobody."""
    table = deal(tables, seats=4, options={"auction": "sealed"})
    rng = random.Random(2)
    while table.ledger.status == "playing":
        game, state = table.game, table.ledger.state
        allowed = [(s, a) for s in table.ledger.to_act() for a in game.stand_in(state, s)]
        others = [move for move in moves(table.ledger) if move not in allowed]
        version = table.ledger.version(None)
        for seat, action in rng.sample(others, min(2, len(others))):
            raw = msgspec.to_builtins(action)
            with pytest.raises(RuleViolation) as refused:
                tables.play.act_for(table, seat, raw, version=version, action_id="no")
            assert refused.value.code == "not_for_others"
        seat, action = rng.choice(allowed)
        raw = msgspec.to_builtins(action)
        tables.play.act_for(table, seat, raw, version=version, action_id=f"{version}")


# Again


def test_a_rematch_has_the_same_people(tables: Tables) -> None:
    """Same game, options, names and marks under a new code; whoever asks first makes it."""
    table = deal(tables, seats=4, options={"auction": "sealed", "star": "2"})
    with pytest.raises(TableError):
        tables.play_again(table)
    play(tables, table, random.Random(1))
    found = at_once(lambda _: tables.play_again(table), 5)

    (again,) = {id(one): one for one in found}.values()
    assert again.code != table.code
    assert again.ledger.status == "lobby"
    assert again.ledger.options["auction"] == "sealed"
    assert "star" not in again.ledger.options
    assert not again.ledger.is_seeded
    for seat in range(4):
        one, two = table.ledger.seating.seats[seat], again.ledger.seating.seats[seat]
        assert (one.name, one.colour, one.letter) == (two.name, two.colour, two.letter)
        assert tables.seats.is_free(again, seat)
        assert again.who(tables.seats.take_free(again, seat)) == Who(seat=seat)
    assert again.who(tables.desk.new_host_key(again)) == HOST
    tables.lobby.start(again)


# Restart


def everything(table: Table) -> dict[str, Any]:
    """Give what must survive a restart."""
    ledger = table.ledger
    return {k: v for k, v in vars(ledger).items() if k != "last_step"} | {
        "keys": table.keys,
        "seed": table.seed,
        "lang": table.lang,
    }


def test_a_restart_forgets_nothing(tmp_path: Path) -> None:
    """State, log, keys, answers to ids: all as before, at every moment of a game."""
    rng = random.Random(4)
    with tables_at(tmp_path) as tables:
        table = deal(tables, seats=4, seed=None, options={"auction": "sealed"})
        code = table.code
    for _ in range(6):
        with tables_at(tmp_path) as tables:
            table = tables.find(code)
            play(tables, table, rng, most=25)
            kept = everything(table)
        with tables_at(tmp_path) as tables:
            assert everything(tables.find(code)) == kept


def test_after_a_restart_a_phone_has_time_to_come_back(tmp_path: Path) -> None:
    """Of those who sat there a moment ago nobody is taken for asleep, nor acted for, at once."""
    with tables_at(tmp_path) as tables:
        table = deal(tables)
        tables.seats.release(table, SeatId(2))
    with tables_at(tmp_path) as tables:
        tables.look(table.code)
        live = tables.live
        assert not live.is_present(table.code, SeatId(0))  # nobody came back to it yet

        again = tables.find(table.code)

        assert [live.is_present(table.code, SeatId(seat)) for seat in range(3)] == [1, 1, 0]
        assert not tables.play.may_stand_in(again, again.ledger.to_act()[0])


def test_an_id_is_known_after_a_restart(tmp_path: Path) -> None:
    """A phone that never heard the answer asks again, gets it, and nothing happens twice."""
    with tables_at(tmp_path) as tables:
        table = deal(tables)
        version = table.ledger.version(0)
        first = tables.play.act(table, 0, DRAW, version=version, action_id="x")

    with tables_at(tmp_path) as tables:
        again = tables.find(table.code)
        assert tables.play.act(again, 0, DRAW, version=version, action_id="x") == first
        assert again.ledger.length == table.ledger.length


def test_killed_between_store_and_take(tmp_path: Path) -> None:
    """What is on disk counts: another process on the same file sees it, and can go on."""
    with tables_at(tmp_path) as tables:
        table = deal(tables)
        drafts = deciding.action(
            table.ledger, 0, _read(table, DRAW), action_id="x", draw=table.draw
        )
        length = table.ledger.length
        table.ledger.take = _killed  # type: ignore[method-assign]
        with pytest.raises(KeyboardInterrupt):
            tables.desk.append(table, drafts)
        assert table.ledger.length == length
        seen = table.ledger.version(0)

    with tables_at(tmp_path) as tables:
        again = tables.find(table.code)
        assert again.ledger.length == length + 2
        assert tables.play.act(again, 0, DRAW, version=seen, action_id="x") == seen + 2
        play(tables, again, random.Random(1))
        assert again.ledger.status == "over"


def _read(table: Table, raw: object) -> Any:
    return msgspec.convert(raw, table.game.Action)


def _killed(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_seed_is_stirred_by_the_phones_unless_chosen(tables: Tables) -> None:
    """Same seed, other phones: other draws; with a chosen seed nothing else is mixed in."""

    def tokens(seed: str | None, mix: str) -> Any:
        table, _ = tables.open("winchester", options=APP, seed=seed)
        table.seed = "same"
        for name in NAMES[:3]:
            tables.lobby.join(table, name, mix=mix)
        tables.lobby.start(table)
        return table.ledger.state.tokens, table.ledger.state.secrets

    assert tokens(None, "a") != tokens(None, "b")
    assert tokens("same", "a") == tokens("same", "b")


def test_unknown_tables(tables: Tables) -> None:
    """Are said to be unknown, with their code."""
    with pytest.raises(NoSuchTable) as refused:
        tables.find("nowhere")
    assert refused.value.facts == {"table": "NOWHERE"}


def test_presence_is_heard_of(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """A phone is present for as long as it was heard of lately."""
    assert not tables.live.is_present("T", 0)
    tables.live.seen("T", 0)
    assert tables.live.is_present("T", 0)
    assert not tables.live.is_present("T", 1)
    monkeypatch.setattr("referee.live.PRESENT_S", 0.0)
    assert not tables.live.is_present("T", 0)


def test_random_play_of_everybody(tables: Tables) -> None:
    """Through the use cases alone a game of five comes to its end."""
    table = deal(tables, seats=5)
    while table.ledger.status == "playing":
        act(tables, table, *choose(table.ledger, random.Random(table.ledger.length)))

    assert table.ledger.to_act() == ()
    assert table.ledger.legal_for(0) == ()


def test_a_table_that_is_deleted_under_a_tap_is_gone(tables: Tables) -> None:
    """Whoever still plays at it is told so, and bots get up."""
    table, _ = tables.open("winchester", options=APP)
    bots.seat(tables, table, 4)
    tables.lobby.start(table)
    tables.forget(table.code)
    seat = table.ledger.to_act()[0]

    with pytest.raises(NoSuchTable):
        act(tables, table, seat, table.ledger.legal_for(seat)[0])
    bots.wake(tables, table, pace=0)
    playing = [thread for thread in threading.enumerate() if table.code in thread.name]
    for thread in playing:
        thread.join(30)
    assert not any(thread.is_alive() for thread in playing)


def test_what_was_asked_lapses_where_it_does_not_fit_any_more(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Play went on meanwhile: nothing is done half, all read so, and the table is not stuck."""
    table = deal(tables)
    star = table.game.public(table.ledger.state).star
    asked = {"star": (star + 1) % len(table.ledger.seating.order)}
    tables.consent.correct(table, star, asked, reason="")
    state = table.ledger.state
    monkeypatch.setattr(table.game, "correct", out_of_place)

    other = next(seat for seat in table.ledger.seating.order if seat != star)
    tables.consent.answer(table, Who(seat=other), agree=True)

    assert table.ledger.proposal is None
    assert table.ledger.state is state
    assert table.ledger.log.lines[-1].note == {"what": "lapsed"}


def out_of_place(*_: object) -> Any:
    """Refuse a correction as a game does that has gone on."""
    raise RuleViolation("already_so")

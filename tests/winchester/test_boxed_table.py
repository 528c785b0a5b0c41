"""A boxed game at a table: questions, what is learnt for ever, another evening."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest
from flask import Flask

from referee import export
from referee.errors import IllegalAction, RuleViolation, StaleTable, TableError
from referee.games.winchester import rules as winchester
from referee.journal import replay
from referee.tables import Table, Tables, Who
from tests.table import (
    Evening,
    Sitting,
    act,
    app_at,
    bearer,
    deal,
    play,
    tables_at,
    tables_of,
)
from tests.winchester.boxed import BOXED, SHARED, answer, boxed, buy

HOST = Who(is_host=True)


def asking(tables: Tables) -> Table:
    """Give a table where Ben's three plots raise a question."""
    table = boxed(tables)
    for plot in (7, 8, 9):
        buy(tables, table, plot, 1)
    assert winchester.question(table.ledger.state) is not None
    return table


# Answers


@pytest.mark.parametrize("who", [HOST, Who(seat=3)])
def test_anybody_and_the_display_can_answer(tmp_path: Path, who: Who) -> None:
    """A seat that is not asked anything else, or the host; the log says what was told."""
    with tables_at(tmp_path) as tables:
        table = asking(tables)
        question = winchester.question(table.ledger.state)
        assert question is not None
        answer(tables, table, who, *((part.fact, "no") for part in question.parts))

        assert winchester.question(table.ledger.state) is None
        assert table.ledger.log.lines[-1].kind == "answer"
        assert table.ledger.log.lines[-1].seat == who.seat
        again = replay(winchester, tables.store.entries(table.code))
        assert again.state == table.ledger.state


def test_an_answer_counts_once_and_only_on_what_was_seen(tmp_path: Path) -> None:
    """The same tap twice is one answer; on an older picture it is refused."""
    with tables_at(tmp_path) as tables:
        table = asking(tables)
        question = winchester.question(table.ledger.state)
        assert question is not None
        facts = ((question.parts[0].fact, "no"),)
        version = table.ledger.version(None)
        first = tables.play.answer(table, HOST, facts, version=version, action_id="a")
        assert tables.play.answer(table, HOST, facts, version=version, action_id="a") == first
        with pytest.raises(StaleTable):
            tables.play.answer(table, HOST, facts, version=version, action_id="b")
        with pytest.raises(RuleViolation) as refused:
            answer(tables, table, HOST, ("terrain:19", "forest"))
        assert refused.value.code in {"not_asked", "no_question"}


@pytest.mark.parametrize("who", [HOST, Who(seat=3)])
@pytest.mark.parametrize("facts", [(), (("terrain:19", "forest"),), (("touch:7-8", "maybe"),)])
def test_what_is_not_asked_is_refused_whoever_says_it(
    tmp_path: Path, who: Who, facts: tuple[tuple[str, str], ...]
) -> None:
    """Nothing, what nobody asks now, and what cannot be: one path for seats and the host."""
    with tables_at(tmp_path) as tables:
        table = asking(tables)
        length = table.ledger.length
        with pytest.raises(IllegalAction) as refused:
            answer(tables, table, who, *facts)

        assert refused.value.code == "not_asked"
        assert table.ledger.length == length


def test_an_answer_outlives_what_is_taken_back(tmp_path: Path) -> None:
    """The purchase that raised the question is undone; the board stays known, nobody asks again."""
    with tables_at(tmp_path) as tables:
        table = asking(tables)
        question = winchester.question(table.ledger.state)
        assert question is not None
        answer(tables, table, HOST, *((part.fact, "no") for part in question.parts))
        assert tables.consent.undo(table, 1) == "done"

        state = table.ledger.state
        assert state.owners[8] is None
        told = [f"touch:{low}-{high}" for low, high in state.board.apart]
        assert {*told} >= {part.fact for part in question.parts}
        struck = [line.kind for line in table.ledger.log.lines if line.is_undone]
        assert "answer" not in struck
        assert replay(winchester, tables.store.entries(table.code)).state == state


def test_what_was_told_once_is_never_asked_again(tmp_path: Path) -> None:
    """The next table on the same box begins with it; the practice board learns nothing."""
    with tables_at(tmp_path) as tables:
        table = asking(tables)
        question = winchester.question(table.ledger.state)
        assert question is not None
        facts = tuple((part.fact, "no") for part in question.parts)
        answer(tables, table, HOST, *facts)

        assert dict(facts).items() <= tables.store.facts("winchester", "huch").items()
        assert tables.store.facts("winchester", "blue-orange") == {}
        again = asking_nothing(boxed(tables))
        assert {*again.ledger.state.board.apart} == {*table.ledger.state.board.apart}


def asking_nothing(table: Table) -> Table:
    """Give a table back that asks nothing."""
    assert winchester.question(table.ledger.state) is None
    return table


def test_places_and_cards_that_play_shows_are_learnt_too(tmp_path: Path) -> None:
    """Where the boat stood and what a mine paid are known at the next table."""
    with tables_at(tmp_path) as tables:
        table = boxed(tables)
        buy(tables, table, 3, 2, "movement")
        act(tables, table, 2, {"type": "activate", "vehicle": "boat", "space": "7-8"})
        act(tables, table, 2, {"type": "turn_card", "amount": 4000})

        known = tables.store.facts("winchester", "huch")
        assert known == {"boat:7-8": "yes", "mine_card:4000": "yes"}
        assert boxed(tables).ledger.state.board.seen_mines == (4000,)


def test_no_answers_before_and_after_the_game(tmp_path: Path) -> None:
    """A lobby has no question, and neither has a finished game."""
    with tables_at(tmp_path) as tables:
        table, _ = tables.open("winchester")
        with pytest.raises(TableError):
            tables.play.teach(table, HOST, (("terrain:7", "forest"),))
        over = deal(tables, seats=3)
        play(tables, over, random.Random(1))
        with pytest.raises(RuleViolation):
            tables.play.teach(over, HOST, (("terrain:7", "forest"),))


# The HTTP interface


@pytest.mark.long
def test_a_boxed_game_to_its_end_from_the_legal_list_alone(app: Flask) -> None:
    """A stranger's client that knows no rule picks from `legal`, questions included."""
    for seed, options in enumerate(
        (
            BOXED,
            BOXED | {"edition": "blue-orange", "claims": "players", "money": "box"},
            BOXED | {"auction": "sealed", "claims": "automatic", "duel_cards": "app"},
        )
    ):
        sitting = Sitting(app, **options).start(seats=3 + seed % 2)
        rng = random.Random(seed)
        for _ in range(1500):
            shown = sitting.body()
            if shown["status"] == "over":
                break
            sitting.move(rng, shown["view"]["public"]["waiting_for"])
        result = sitting.get("/result")
        assert result.status_code == 200
        assert len(result.json["scores"]) == 3 + seed % 2
        verified = export.verify(sitting.get("/journal").text)
        assert verified.result is not None


def test_the_question_is_shown_and_answered_over_http(own_app: Flask) -> None:
    """With its parts; a seat or the host answers, all at once or piece by piece."""
    sitting = Sitting(own_app, **BOXED).start(seats=4)
    table = sitting.table
    tables = tables_of(own_app)
    for objective in SHARED:
        act(tables, table, 0, {"type": "lay_objective", "objective": objective})
    table.ledger.state = winchester.correct(
        table.ledger.state,
        msgspec.convert(
            {"owners": [{"plot": n, "seat": 1} for n in (7, 8, 9)]}, winchester.Correction
        ),
    ).state
    table.ledger._refresh_legal()  # noqa: SLF001  # the shortest way to three plots

    shown = sitting.body()
    assert shown["question"]["kind"] == "touching"
    parts = [part["fact"] for part in shown["question"]["parts"]]
    legal = sitting.body(3)["legal"]
    assert {"type": "answer", "facts": [[parts[0], "yes"]]} in legal
    body = {"version": sitting.body(3)["version"], "id": "x", "facts": [[parts[0], "no"]]}
    assert sitting.post("/answers", body, sitting.tokens[3]).status_code == 200
    body = {"version": sitting.body()["version"], "id": "y", "facts": [[parts[1], "no"]]}
    assert sitting.post("/answers", body, sitting.host).status_code == 200
    assert sitting.body()["question"] is None
    assert sitting.client.post(
        f"/api/v1/tables/{sitting.code}/answers", json=body, headers=bearer("nobody")
    ).status_code in {401, 403}


def test_a_boxed_game_goes_on_next_week(tmp_path: Path) -> None:
    """The computer was off in between; the question is still open, and all pages come back."""
    with app_at(tmp_path) as app:
        evening = Evening(app, seats=4, **BOXED, auction="spoken").start()
        tables, table = tables_of(app), evening.table
        for objective in SHARED:
            act(tables, table, 0, {"type": "lay_objective", "objective": objective})
        for plot in (7, 8, 9):
            buy(tables, table, plot, 1)
        code, state = evening.code, table.ledger.state
        phone, laptop = evening.phones[2], evening.laptop
    with app_at(tmp_path) as app:
        again = tables_of(app).find(code)
        assert again.ledger.state == state
        assert winchester.question(again.ledger.state) is not None
        back = phone.moved_to(app)
        assert "boardq" in back.get(f"/s/{code}/2").text
        assert "boardq" in laptop.moved_to(app).get(f"/t/{code}").text


# What a second look found


def test_an_undo_keeps_what_was_corrected_of_the_board(tmp_path: Path) -> None:
    """Told, played on, corrected, played on, taken back: the journal still replays."""
    with tables_at(tmp_path) as tables:
        table = boxed(tables, edition="blue-orange")
        tables.play.teach(table, HOST, (("river:2", "no"),))
        act(tables, table, 0, {"type": "draw_plot", "plot": 1})
        act(tables, table, 0, {"type": "record_sale", "winner": 1, "price": 1000})
        act(tables, table, 1, {"type": "confirm_sale", "token": "movement"})
        tables.consent.correct(table, None, {"facts": [["river:2", "yes"]]}, reason="")
        act(tables, table, 1, {"type": "activate", "vehicle": "boat", "space": "2-7"})
        assert tables.consent.undo(table, 0) == "asked"
        tables.consent.answer(table, HOST, agree=True)

        assert table.ledger.state.board.plots[1].river is True
        assert replay(winchester, tables.store.entries(table.code)).state == table.ledger.state


def test_what_an_answer_shows_is_not_taken_back_alone(tmp_path: Path) -> None:
    """The app's ranch card is turned by the answer: the bidder before cannot undo on their own."""
    with tables_at(tmp_path) as tables:
        options = {"land_cards": "app", "bonus_tokens": "app", "auction": "open"}
        table = boxed(tables, **options)
        tokens = ["saloon"] * 19
        state = table.ledger.state
        table.ledger.state = msgspec.structs.replace(state, tokens=tuple(tokens))
        act(tables, table, 0, {"type": "draw_plot", "plot": 12})
        act(tables, table, 0, {"type": "bid", "amount": 1000})
        for seat in (1, 2, 3):
            act(tables, table, seat, {"type": "pass"})
        answer(tables, table, HOST, ("ranch", "12"))

        assert tables.consent.undo(table, 3) == "asked"

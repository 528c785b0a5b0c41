"""The pages and forms of a boxed table: in every language, and all that taps do."""

from __future__ import annotations

import random
from typing import Any

import pytest
from flask import Flask

from referee.games.winchester import rules as winchester
from tests.table import (
    EVERY_LANGUAGE,
    Browser,
    Evening,
    act,
    tables_of,
)
from tests.winchester.boxed import BOXED, SHARED, buy


@pytest.mark.parametrize("lang", EVERY_LANGUAGE)
def test_pages_of_a_boxed_table_in_every_language(app: Flask, lang: str) -> None:
    """Every page opens in every phase that a random boxed game comes through."""
    rng = random.Random(lang)
    evening = Evening(app, seats=3, lang=lang, **BOXED, edition="blue-orange").start()
    phases = set()
    for _ in range(40):
        evening.play(rng, most=6)
        if evening.table.ledger.status != "playing":
            break
        phases.add(type(evening.table.ledger.state.phase).__name__)
        for seat, phone in enumerate(evening.phones):
            assert phone.get(evening.seat(seat, "?open=1")).status_code == 200
        assert evening.phones[0].get(evening.seat(0, "/page/objectives")).status_code == 200
        assert evening.phones[0].get(evening.seat(0, "/rules")).status_code == 200
        assert evening.laptop.get(f"/t/{evening.code}").status_code == 200
        assert evening.laptop.get(f"/t/{evening.code}/host").status_code == 200
    assert len(phases) >= 4
    evening.play(rng)
    assert evening.laptop.get(f"/t/{evening.code}").status_code == 200


# Pages and forms


def test_forms_of_a_boxed_game(own_app: Flask) -> None:
    """Plain forms do all that taps do: answers, objectives, where the boat stands, a slip."""
    evening = Evening(own_app, seats=4, **BOXED, auction="spoken").start()
    tables, table = tables_of(own_app), evening.table
    for objective in SHARED:
        act(tables, table, 0, {"type": "lay_objective", "objective": objective})

    def send(seat: int, path: str, **form: Any) -> int:
        form |= {"version": table.ledger.version(seat)}
        phone = evening.phones[seat]
        return phone.client.post(evening.seat(seat, path), data=form).status_code

    objectives = ["forests", "mines"]
    assert send(1, "/act", type="enter_secrets", objectives=objectives) == 303
    assert table.ledger.state.secrets[1] == ("forests", "mines")
    assert send(2, "/act", type="enter_secrets", objectives=["mines"]) == 400
    assert send(1, "/act", type="forget_secrets", next="objectives") == 303
    buy(tables, table, 7, 1, "movement")
    assert send(1, "/act", type="activate", vehicle="boat", beside=["8", "7"]) == 303
    assert table.ledger.state.boat == "7-8"
    for plot in (8, 9):
        buy(tables, table, plot, 1)
    asked = [part.fact for part in winchester.question(table.ledger.state).parts]  # type: ignore[union-attr]
    first = {"asked": asked, asked[0]: "yes"}
    assert send(3, "/answer", **first) == 303
    low, high = map(int, asked[0].partition(":")[2].split("-"))
    assert (low, high) in table.ledger.state.board.touching
    assert send(3, "/answer", asked=["terrain:19"]) == 422
    question = winchester.question(table.ledger.state)
    if question is not None:
        form = {"asked": [part.fact for part in question.parts], "all": "yes"}
        form |= {"more": [part.fact for part in question.more], "version": "0"}
        nothing = form | {"version": str(table.ledger.version(None))}
        refused = evening.laptop.client.post(f"/t/{evening.code}/answer", data=nothing)
        assert refused.status_code == 400, "that it is nothing of all this has to be said"
        form["none"] = "yes"
        answer = evening.laptop.client.post(f"/t/{evening.code}/answer", data=form)
        assert answer.status_code == 409
        form["version"] = str(table.ledger.version(None))
        assert evening.laptop.client.post(f"/t/{evening.code}/answer", data=form).status_code == 303
        assert winchester.question(table.ledger.state) is None


def test_the_display_enters_what_happened_at_the_table(own_app: Flask) -> None:
    """Only the host's display has the forms; they act for the seat, in the open."""
    evening = Evening(own_app, seats=3, **BOXED, auction="spoken").start()
    page = evening.laptop.get(f"/t/{evening.code}").text
    assert 'value="lay_objective"' in page
    guest = Browser(own_app)
    assert 'value="lay_objective"' not in guest.get(f"/t/{evening.code}").text
    form = {"type": "lay_objective", "objective": "five_plots", "version": "0"}
    star = evening.table.ledger.state.star
    path = f"/t/{evening.code}/for/{star}"
    assert guest.post(path, form).status_code == 403
    assert evening.laptop.post(path, form).status_code == 409
    form["version"] = str(evening.table.ledger.version(None))
    assert evening.laptop.post(path, form).status_code == 303
    assert evening.table.ledger.state.phase.laid == ("five_plots",)


def test_a_kept_seat_is_taken_by_whoever_comes_later(own_app: Flask) -> None:
    """No phone holds it; the host acts for it; later its owner sits down at the laptop."""
    evening = Evening(own_app, seats=2, **BOXED, auction="spoken")
    assert evening.laptop.post(f"/t/{evening.code}/hold", {"name": "Uncle Joe"}).status_code == 303
    assert evening.laptop.post(f"/t/{evening.code}/hold", {"name": " "}).status_code == 400
    assert Browser(own_app).post(f"/t/{evening.code}/hold", {"name": "X"}).status_code == 403
    evening.start()
    table = evening.table
    seats = table.ledger.seating.seats
    joe = next(seat for seat, info in seats.items() if info.name == "Uncle Joe")
    page = evening.laptop.get(f"/j/{evening.code}?more=1").text
    assert "Uncle Joe" in page

    seated = evening.laptop.post(f"/j/{evening.code}/seats/{joe}")

    assert seated.location == f"/s/{evening.code}/{joe}"
    assert evening.laptop.get(seated.location).status_code == 200


def test_the_host_stands_in_where_there_is_much_to_choose_from(own_app: Flask) -> None:
    """Where a boat stands and which objectives lie there are chosen from a list, not guessed."""
    evening = Evening(own_app, seats=4, **BOXED, auction="spoken").start()
    tables, table = tables_of(own_app), evening.table
    for objective in SHARED:
        act(tables, table, 0, {"type": "lay_objective", "objective": objective})
    act(tables, table, 0, {"type": "draw_plot", "plot": 7})
    act(tables, table, 0, {"type": "record_sale", "winner": 1, "price": 1000})
    act(tables, table, 1, {"type": "confirm_sale", "token": "movement"})
    page = evening.laptop.get(f"/t/{evening.code}/host").text
    assert '<select name="raw"' in page
    assert 'name="winner"' not in page
    raw = '{"type":"activate","vehicle":"boat","space":"7-8"}'
    form = {"seat": 1, "version": table.ledger.version(None), "raw": raw}

    answered = evening.laptop.post(f"/t/{evening.code}/act-for", form)

    assert answered.status_code == 303
    assert table.ledger.state.boat == "7-8"
    assert evening.laptop.post(f"/t/{evening.code}/act-for", form | {"raw": "{"}).status_code == 400


def test_a_vehicle_needs_its_plots(own_app: Flask) -> None:
    """Nothing ticked is no place; that it touches no plot is said by a button of its own."""
    evening = Evening(own_app, seats=4, **BOXED, auction="spoken").start()
    tables, table = tables_of(own_app), evening.table
    for objective in SHARED:
        act(tables, table, 0, {"type": "lay_objective", "objective": objective})
    buy(tables, table, 7, 1, "movement")
    form = {"type": "activate", "vehicle": "boat", "version": table.ledger.version(1)}
    assert evening.phones[1].post(evening.seat(1, "/act"), form).status_code == 400
    alone = evening.phones[1].post(evening.seat(1, "/act"), form | {"alone": "yes"})
    assert alone.status_code == 303
    assert table.ledger.state.boat == "none"
    wrong = {"what": "space", "value": "boat:none"}
    assert evening.correct(wrong).status_code == 303
    assert table.ledger.state.board.river_spaces == ()


@pytest.mark.parametrize("cards", ["box", "app"])
def test_a_duel_waits_for_no_bystander_alone(
    own_app: Flask, monkeypatch: pytest.MonkeyPatch, cards: str
) -> None:
    """Of those who may shuffle or tell who won one is enough: only if all sleep it is said."""
    options = BOXED | {"auction": "spoken", "duel_cards": cards}
    evening = Evening(own_app, seats=4, **options).start()
    tables, table = tables_of(own_app), evening.table
    for objective in SHARED:
        act(tables, table, 0, {"type": "lay_objective", "objective": objective})
    act(tables, table, 0, {"type": "draw_plot", "plot": 9})
    duel = {"type": "record_duel", "caller": 0, "called": 1, "price": 1000, "bidder": 1}
    act(tables, table, 0, duel)
    act(tables, table, 1, {"type": "confirm_sale"})
    asleep = {2}
    monkeypatch.setattr(tables.live, "is_present", lambda _, seat: seat not in asleep)

    def says() -> str:
        return evening.phones[0].get(evening.seat(0)).text

    assert "asleep.</span>" not in says()
    asleep.add(3)
    assert "their phones are asleep" in says()

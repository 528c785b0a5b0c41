"""The closing ceremony goes on from any phone; the log's chapters; what a header says."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from referee.entries import SeatId
from referee.games.base import Result, Score, ScoreLine, SeatIndex
from referee.live import Live
from referee.web.ceremony import stages
from referee.web.frame import SeatCard
from referee.web.seat import _chapters  # the menu's own
from tests.table import APP, Evening, app_at, play, tables_at, tables_of

GAMES = ("winchester", "desperados", "moon_river")


def test_a_step_is_told_once_and_never_taken_back() -> None:
    """Two phones that tap at once are one step; an end that was set right begins anew."""
    live = Live()

    live.tell("T", 7, 1)
    live.tell("T", 7, 1)
    live.tell("T", 7, 3)
    live.tell("T", 7, 2)

    assert (live.told("T", 7), live.told("T", 8), live.told("U", 7)) == (3, 0, 0)


@pytest.mark.parametrize("game", GAMES)
def test_an_end_goes_on_where_it_was_though_everything_was_started_anew(
    tmp_path: Path, game: str
) -> None:
    """Server and display, which are one laptop; an end that was set right begins anew."""
    with tables_at(tmp_path) as tables:
        table, _ = tables.open(game, options=APP, seed="an end")
        for name in ("Ann", "Ben", "Cleo"):
            tables.lobby.join(table, name)
        tables.lobby.start(table)
        play(tables, table, random.Random(1))
        outcome = table.ledger.moved
        for step in (1, 2, 2, 1):
            tables.tell_the_end(table, step)
    with tables_at(tmp_path) as tables:
        assert tables.find(table.code).ledger.moved == outcome
        told = [tables.live.told(table.code, of) for of in (outcome, outcome + 1)]
        tables.forget(table.code)

    assert told == [2, 0]


def test_a_full_disk_holds_up_no_end(tmp_path: Path) -> None:
    """It goes on, and is only forgotten with the server."""
    with tables_at(tmp_path) as tables:
        table, _ = tables.open("desperados", options=APP, seed="an end")
        for name in ("Ann", "Ben", "Cleo"):
            tables.lobby.join(table, name)
        tables.lobby.start(table)
        play(tables, table, random.Random(1))
        tables.store.write(lambda db: db.execute("DROP TABLE reveals"))
        tables.tell_the_end(table, 1)

        assert tables.live.told(table.code, table.ledger.moved) == 1


@pytest.fixture(scope="module", params=GAMES)
def over(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Evening]:
    """Give a game that is over, and its menu as it was in the middle."""
    with app_at(tmp_path_factory.mktemp("end")) as app:
        evening = Evening(app, game=request.param, seats=3).start()
        evening.play(random.Random(3))
        yield evening


def step_of(html: str) -> int:
    """Give the step that a page says was told."""
    (step,) = re.findall(r'data-step="(\d+)"', html)
    return int(step)


def test_any_phone_lets_the_ceremony_go_on(over: Evening) -> None:
    """Until the last step; then its button is gone. A stranger's screen only looks on."""
    phone, laptop = over.phones[1], over.laptop
    path = over.seat(1)
    last = int(re.findall(r'data-ceremony="(\d+)"', laptop.get(f"/t/{over.code}").text)[0])
    # The host's own screen may have gone on before.
    for step in range(step_of(phone.get(path).text) + 1, last + 1):
        html = phone.get(path).text
        assert step_of(html) == step - 1
        assert f'name="to" value="{step}"' in html
        assert phone.post(f"{path}/next", {"to": str(step)}).status_code == 303
        assert step_of(laptop.get(f"/t/{over.code}").text) == step
    assert f'action="{path}/next"' not in phone.get(path).text
    assert over.phones[0].client.get(f"/t/{over.code}").text.count("data-post") == 1


def test_the_hosts_screen_tells_the_others_where_it_is(over: Evening) -> None:
    """And nobody who has no seat at this table may."""
    live = tables_of(over.app).live
    moved = over.table.ledger.moved
    told = live.told(over.code, moved)

    assert over.laptop.post(f"/t/{over.code}/next", {"to": str(told + 1)}).status_code == 204
    assert live.told(over.code, moved) == told + 1
    stranger = over.app.test_client()
    answer = stranger.post(
        f"/t/{over.code}/next", data={"to": "99"}, environ_base={"REMOTE_ADDR": "192.168.1.77"}
    )
    assert answer.status_code == 403
    assert live.told(over.code, moved) == told + 1


def test_nobody_tells_an_end_that_is_not_there(app: Flask) -> None:
    """While a game is played neither a phone nor the display goes on to a step of its end."""
    evening = Evening(app, seats=3).start()
    said = (
        evening.phones[0].post(evening.seat(0, "/next"), {"to": "3"}),
        evening.laptop.post(f"/t/{evening.code}/next", {"to": "3"}),
    )

    assert [answer.status_code for answer in said] == [409, 409]
    assert all("not over yet" in answer.text for answer in said)


def test_the_log_is_parted_by_plots_turns_and_rounds(over: Evening) -> None:
    """Newest first, every line once; what came before the first has a heading of its own."""
    ledger = over.table.ledger
    chapters = _chapters(ledger.log.lines, over.table.game.screens)
    html = over.phones[0].get(over.seat(0, "/menu")).text

    numbers = [chapter.number for chapter in chapters]
    assert numbers[-1] is None
    assert len(numbers) >= 5
    assert [line for chapter in chapters for line in chapter.lines] == ledger.log.lines[::-1]
    assert html.count('<details class="card" open>') == 1
    assert html.count('<ol class="history small">') == len(chapters)


def test_a_header_does_not_say_waiting_where_the_table_is_asked(app: Flask) -> None:
    """Whoever has to agree is asked, and the phone looks like it; whoever has, waits."""
    evening = Evening(app, seats=3).start()
    evening.play(random.Random(1), most=30)
    tables = tables_of(app)
    rng = random.Random(5)
    for _ in range(60):
        seats = [s for s in range(3) if evening.table.ledger.own_last(s) is not None]
        if any(tables.consent.undo(evening.table, seat) == "asked" for seat in seats):
            break
        evening.play(rng, most=1)
    proposal = evening.table.ledger.proposal
    assert proposal is not None
    for seat, phone in enumerate(evening.phones):
        html = phone.get(evening.seat(seat)).text
        is_put = seat not in proposal.agreed
        assert ("The table is asked" in html) == is_put
        assert ('<body class="seat asked"' in html) >= is_put
        assert ('data-mood="asked"' in html) >= is_put


def test_where_totals_are_equal_the_last_step_crowns_who_won_the_tie() -> None:
    """Nobody takes the lead from the winner at the very end."""
    cards = [
        SeatCard(SeatId(n), SeatIndex(n), name, "red", "circle", name)
        for n, name in enumerate("AB")
    ]
    scores = [Score(n, 5, (ScoreLine("cash", 2 + n), ScoreLine("bonus", 3 - n))) for n in range(2)]

    (first, last) = stages(Result(tuple(scores), (0,), "cash"), cards, lambda line: line.name)

    assert [row.card.name for row in first.rows if row.is_leading] == ["B"]
    assert [row.card.name for row in last.rows] == ["A", "B"]
    assert [row.card.name for row in last.rows if row.is_leading or row.has_overtaken] == ["A"]


def test_objectives_won_along_the_way_have_lines_of_their_own(app: Flask) -> None:
    """They are in the cash: one's own result names them, and so does the first step for all."""
    evening = Evening(app, seats=3).start()
    evening.play(random.Random(3))
    claimed = evening.table.ledger.state.claimed
    own = [phone.get(evening.seat(seat)).text for seat, phone in enumerate(evening.phones)]
    ceremony = evening.laptop.get(f"/t/{evening.code}").text
    assert claimed
    index = evening.table.ledger.seating.index
    by_seat = [[won for won in claimed if won.seat == index(seat)] for seat in range(3)]
    assert [html.count('class="of"') for html in own] == [len(won) for won in by_seat]
    assert ceremony.count("in it:") == len(claimed)

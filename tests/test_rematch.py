"""The rematch is theirs who played: its code and its seats."""

from __future__ import annotations

import random
from pathlib import Path

from flask import Flask

from referee.entries import Draft
from tests.table import Browser, Evening, app_at, tables_of


def test_only_those_who_played_learn_where_the_rematch_is(app: Flask) -> None:
    """Neither the public journal nor anybody's page names its code; a phone that played goes on."""
    evening = Evening(app).start()
    evening.play(random.Random(1))
    stranger = Browser(app)
    again = evening.laptop.post(f"/t/{evening.code}/rematch").location.removeprefix("/t/")
    base = f"/api/v1/tables/{evening.code}"
    for path in (f"/t/{evening.code}", f"{base}/journal", base, f"{base}/result"):
        assert again not in stranger.get(path).text
    assert "Whoever played finds it on their phone" in stranger.get(f"/t/{evening.code}").text
    assert again not in evening.laptop.get(f"/t/{evening.code}/export/journal").text

    came = evening.phones[1].post(evening.seat(1, "/rematch"))

    assert came.location == f"/s/{again}/1"
    assert evening.phones[1].get(came.location).status_code == 200


def test_the_seats_of_a_rematch_wait_for_those_who_played(app: Flask) -> None:
    """A stranger who reads the code from the display asks, and the host lets them in or not."""
    evening = Evening(app).start()
    evening.play(random.Random(1))
    again = evening.laptop.post(f"/t/{evening.code}/rematch").location.removeprefix("/t/")
    stranger = Browser(app)
    assert "free: sit down" not in stranger.get(f"/j/{again}").text

    asked = stranger.post(f"/j/{again}/seats/1")

    assert asked.location.startswith(f"/j/{again}/wait/")
    table = tables_of(app).find(again)
    assert evening.phones[1].post(evening.seat(1, "/rematch")).location == f"/s/{again}/1"
    (request,) = table.requests
    form = {"number": str(request.number), "agree": "yes"}
    assert evening.laptop.post(f"/t/{again}/request", form).status_code == 303
    assert stranger.post(asked.location).location == f"/s/{again}/1"


def test_a_seat_that_had_no_phone_waits_for_nobody(app: Flask) -> None:
    """Where bots or latecomers' kept seats were, whoever comes sits down at once."""
    evening = Evening(app, seats=2)
    held = tables_of(app).lobby.hold(evening.table, "Late").seat
    evening.start()
    evening.play(random.Random(1))
    again = evening.laptop.post(f"/t/{evening.code}/rematch").location.removeprefix("/t/")

    assert Browser(app).post(f"/j/{again}/seats/{held}").location == f"/s/{again}/{held}"
    assert "/wait/" in Browser(app).post(f"/j/{again}/seats/0").location


def test_a_rematch_is_found_after_a_restart(tmp_path: Path) -> None:
    """It is stored beside the journal; whoever asks again gets the same table."""
    with app_at(tmp_path) as app:
        evening = Evening(app).start()
        evening.play(random.Random(1))
        first = evening.phones[0].post(evening.seat(0, "/rematch"))
    with app_at(tmp_path) as app:
        phone = evening.phones[2].moved_to(app)
        answer = phone.post(evening.seat(2, "/rematch"))

    assert answer.location == first.location[:-1] + "2"


def test_an_older_journal_still_says_where_the_rematch_is(tmp_path: Path) -> None:
    """It stood in the journal then, and is read from there."""
    with app_at(tmp_path) as app:
        evening = Evening(app).start()
        evening.play(random.Random(1))
        later = evening.laptop.open_table()
        note = {"what": "rematch", "table": later}
        tables_of(app).desk.append(evening.table, [Draft("note", None, note)])
    with app_at(tmp_path) as app:
        answer = evening.laptop.moved_to(app).post(f"/t/{evening.code}/rematch")

    assert answer.location == f"/t/{later}"


def test_a_rematch_that_was_deleted_is_opened_anew(app: Flask) -> None:
    """The old table still leads to one, whose seats are theirs who played."""
    evening = Evening(app).start()
    evening.play(random.Random(1))
    first = evening.laptop.post(f"/t/{evening.code}/rematch").location
    tables_of(app).forget(first.removeprefix("/t/"))

    second = evening.laptop.post(f"/t/{evening.code}/rematch").location

    assert second != first
    assert evening.laptop.get(second).status_code == 200
    assert evening.phones[1].post(evening.seat(1, "/rematch")).location == f"/s{second[2:]}/1"

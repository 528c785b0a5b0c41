"""Who may: keys in cookies, seats, hosts, guests, the machine itself, and those who guess."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from flask import Flask

from referee.entries import SeatId
from referee.errors import TooMany
from referee.tables import Tables
from tests.table import (
    Browser,
    Evening,
    app_at,
    client_of,
    deal,
    streaming,
    tables_of,
)

HOME = "http://localhost:8000"


# Cookies


def test_a_seats_cookie(app: Flask) -> None:
    """Named with the data folder, table and seat; long-lived, not for scripts or other sites."""
    host = Browser(app)
    code = host.open_table()
    answer = Browser(app).post(f"/j/{code}", {"name": "Ann"})
    (cookie,) = answer.headers.getlist("Set-Cookie")
    parts = {part.strip().partition("=")[0] for part in cookie.split(";")}

    assert cookie.startswith(f"referee_{app.config['REFEREE_FOLDER']}_{code}_0=")
    assert {"HttpOnly", "Max-Age", "SameSite", "Path"} <= parts
    assert "SameSite=Lax" in cookie
    assert "Max-Age=34560000" in cookie
    assert host.key(code, "host")


def test_two_referees_on_one_machine(tmp_path: Path, app: Flask) -> None:
    """Cookies ignore ports, so those of one with another folder are not overwritten."""
    with app_at(tmp_path, port=8001) as other:
        here = Browser(app)
        code = here.open_table()
        there = here.moved_to(other)
        second = there.open_table()
        names = {cookie.key for cookie in here.client._cookies.values()}  # noqa: SLF001

    folders = [one.config["REFEREE_FOLDER"] for one in (app, other)]
    assert folders[0] != folders[1]
    assert {f"referee_{folders[0]}_{code}_host", f"referee_{folders[1]}_{second}_host"} <= names


def test_another_port_finds_every_seat_in_place(tmp_path: Path) -> None:
    """And what an older referee kept under its port goes on working at that port."""
    phone = None
    for port in (8000, 8123):
        with app_at(tmp_path, port=port) as app:
            if phone is None:
                phone = Browser(app)
                code = phone.open_table()
                seat = phone.join(code, "Ann")
            phone = phone.moved_to(app)
            assert phone.get(f"/s/{code}/{seat}").status_code == 200
            assert f'action="/t/{code}/options"' in phone.get(f"/t/{code}").text
            older = Browser(app)
            key = phone.key(code, seat)
            assert key
            older.client.set_cookie(f"referee_{port}_{code}_{seat}", key)
            assert older.get(f"/s/{code}/{seat}").status_code == 200
            stranger = Browser(app)
            stranger.client.set_cookie(f"referee_{port + 1}_{code}_{seat}", key)
            assert stranger.get(f"/s/{code}/{seat}").status_code == 303


def test_keys_with_accents_open_nothing(app: Flask) -> None:
    """In an address or in a cookie, they are no keys."""
    phone = Browser(app)
    code = Browser(app).open_table()
    assert phone.get("/host/schlüssel-é").status_code == 404
    folder = app.config["REFEREE_FOLDER"]
    for name in (f"referee_{folder}_host", f"referee_{folder}_{code}_host"):
        headers = {"Cookie": f"{name}=\u00e9\u00e8"}
        assert phone.get(f"/t/{code}/host", **headers).status_code in {303, 403}


def test_a_seat_plays_on_behind_an_address_that_guesses(own_app: Flask) -> None:
    """Somebody behind the same router tries codes; only what opens doors is closed to them."""
    evening = Evening(own_app).start()
    stranger = Browser(own_app)
    for number in range(40):
        stranger.get(f"/t/AAA{number:02}")

    assert stranger.get(f"/j/{evening.code}").status_code == 429
    assert stranger.get(f"/t/{evening.code}").status_code == 429
    assert stranger.get("/host/guess").status_code == 429
    assert stranger.get("/").status_code == 200
    assert evening.phones[0].get(evening.seat(0)).status_code == 200
    assert evening.laptop.get(f"/t/{evening.code}").status_code == 200
    assert own_app.test_client().get(f"/t/{evening.code}", base_url=HOME).status_code == 200


def test_what_belongs_to_the_machine_is_set_on_the_machine(own_app: Flask) -> None:
    """A guest who opens a table is its host, and sets neither Wi-Fi nor address for everybody."""
    guest = Browser(own_app)
    code = guest.open_table()
    for path in ("wifi", "address"):
        answer = guest.post(f"/t/{code}/{path}", {"name": "Trap", "ip": "192.168.1.66"})
        assert answer.status_code == 403
        assert f"/t/{code}/{path}" not in guest.get(f"/t/{code}").text
    here = own_app.test_client()
    assert f"/t/{code}/wifi" in here.get(f"/t/{code}", base_url=HOME).text
    answer = here.post(f"/t/{code}/wifi", data={"name": "Home"}, base_url=HOME)
    assert answer.status_code == 303
    assert "Home" in guest.get(f"/t/{code}").text


def test_a_guest_opens_no_hundred_tables(own_app: Flask) -> None:
    """And those it opens push no running game off the start page."""
    evening = Evening(own_app).start()
    guest, elsewhere = client_of(own_app), {"REMOTE_ADDR": "192.168.1.66"}
    guest.set_cookie("referee_tried", "1")
    answers = [
        guest.post("/tables", data={"game": "winchester"}, environ_base=elsewhere).status_code
        for _ in range(40)
    ]

    assert answers.count(303) == 30
    assert answers[-1] == 429
    start = own_app.test_client().get("/", base_url=HOME).text
    assert evening.code in start


def test_nobodys_wish_for_a_seat_gives_way_to_a_stranger(tables: Tables) -> None:
    """Twelve false ones from one phone are one; when it is full a newcomer waits."""
    table = deal(tables)
    real = tables.seats.request_seat(table, SeatId(0), by="192.168.1.5")
    for _ in range(12):
        tables.seats.request_seat(table, SeatId(1), by="192.168.1.66")
    assert len(table.requests) == 2
    for number in range(8):
        tables.seats.request_seat(table, SeatId(1), by=f"10.0.0.{number}")
    with pytest.raises(TooMany):
        tables.seats.request_seat(table, SeatId(1), by="10.0.0.99")
    assert real in table.requests


def test_a_browser_that_keeps_nothing_gets_no_seat(app: Flask) -> None:
    """With cookies blocked no try leaves a ghost at the table, and the page says what to do."""
    host = Browser(app)
    code = host.open_table()
    table = tables_of(app).find(code)
    client = app.test_client(use_cookies=False)
    for _ in range(5):
        first = client.post(f"/j/{code}", data={"name": "Ann"})
        again = client.post(first.location, data={"name": "Ann"})
        assert (first.status_code, again.status_code) == (307, 409)
        assert "keeps no cookies" in again.text
        assert not table.ledger.seating.order

    host.join(code, "Bea")
    move = host.post(f"/s/{code}/0/transfer").text.split("/m/")[1][:8]
    assert client.post(client.post(f"/m/{move}").location).status_code == 409
    assert host.get(f"/s/{code}/0").status_code == 200
    opened = client.post("/tables", data={"game": "winchester"})
    assert client.post(opened.location, data={"game": "winchester"}).status_code == 409


def test_a_browser_that_is_new_here_is_seated_at_once(app: Flask) -> None:
    """It is sent to the same place once more, with the same form, and then never again."""
    code = Browser(app).open_table()
    phone = app.test_client()
    first = phone.post(f"/j/{code}", data={"name": "Ann"})
    assert (first.status_code, first.location) == (307, f"/j/{code}?tried=1")
    assert phone.post(first.location, data={"name": "Ann"}).location == f"/s/{code}/0"
    assert phone.post(f"/j/{code}", data={"name": "Bea"}).location == f"/s/{code}/1"


def test_a_browser_may_hold_several_seats(app: Flask) -> None:
    """Each in a cookie of its own; leaving one takes only that one out."""
    phone = Browser(app)
    code = Browser(app).open_table()
    assert [phone.join(code, name) for name in ("Ann", "Ben")] == [0, 1]
    phone.post(f"/s/{code}/0/leave")

    assert phone.key(code, 0) is None
    assert phone.get(f"/s/{code}/1").status_code == 200
    assert phone.get(f"/s/{code}/0").location == f"/j/{code}"


# Who may what


def test_a_seats_pages_are_its_own(app: Flask) -> None:
    """Without its key there is nothing to see or do: not for other seats, not for the host."""
    evening = Evening(app).start()
    length = evening.table.ledger.length
    for who in (evening.laptop, evening.phones[1], Browser(app)):
        for path in ("", "?open=1", "/menu", "/rules"):
            answer = who.get(evening.seat(0, path))
            assert (answer.status_code, answer.location) == (303, f"/j/{evening.code}")
        for path in ("/act", "/undo", "/ask", "/correct", "/leave", "/rename", "/transfer"):
            assert who.post(evening.seat(0, path), {"type": "draw_plot"}).status_code == 403
        for path in ("/request", "/rematch", "/here", "/reading"):
            assert who.post(evening.seat(0, path)).status_code == 403
        with streaming(who.client, evening.seat(0, "/stream")) as stream:
            stream.read()
            assert stream.read() == [("gone", "", "gone")]

    assert evening.table.ledger.length == length


def test_the_hosts_pages_are_the_hosts(app: Flask) -> None:
    """Players and passers-by can look at the display and change nothing on it."""
    evening = Evening(app)
    for who in (evening.phones[0], Browser(app)):
        assert who.get(f"/t/{evening.code}").status_code == 200
        assert who.get(f"/t/{evening.code}/host").status_code == 303
        for path in ("options", "order", "remove", "start", "release", "request", "ask", "act-for"):
            assert who.post(f"/t/{evening.code}/{path}", {"seat": 1}).status_code == 403
        for path in ("correct", "rematch", "address"):
            assert who.post(f"/t/{evening.code}/{path}").status_code == 403

    assert evening.table.ledger.status == "lobby"
    assert len(evening.table.ledger.seating.order) == 3


@pytest.mark.parametrize("phase", ["lobby", "playing", "over"])
def test_nobody_takes_a_seat_by_its_name(app: Flask, phase: str) -> None:
    """Saying somebody's name asks the table and opens nothing."""
    evening = Evening(app)
    if phase != "lobby":
        evening.start()
    if phase == "over":
        evening.play(random.Random(1))
    thief = Browser(app)
    answer = thief.post(f"/j/{evening.code}/seats/1")

    assert answer.status_code == 303
    assert "/wait/" in answer.location
    assert "Set-Cookie" not in answer.headers
    assert thief.post(answer.location).location == answer.location
    assert thief.get(evening.seat(1)).status_code == 303

"""What every answer carries and every request must pass."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest
from flask import Flask

from referee import profiles
from referee.entries import SeatId
from referee.errors import MalformedAction, TooMany
from referee.tables import Tables
from tests.table import (
    BASE,
    LANGUAGES,
    Browser,
    Evening,
    app_at,
    client_of,
    deal,
    streaming,
    tables_of,
)

HOME = "http://localhost:8000"
HERE = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}


# Where a request comes from


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:9000"},
        {"Origin": "http://localhost.evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"},
    ],
)
def test_other_pages_cannot_act_for_us(app: Flask, headers: dict[str, str]) -> None:
    """A form on another site that posts here does nothing, with whatever cookies it comes."""
    evening = Evening(app).start()
    length = evening.table.ledger.length
    version = {"version": evening.table.ledger.version(0)}

    acted = evening.phones[0].post(
        evening.seat(0, "/act"), {"type": "draw_plot"} | version, **headers
    )
    assert acted.status_code == 403
    for path in (
        "/undo",
        "/rename",
        "/transfer",
        "/correct",
        "/ask",
        "/leave",
        "/rematch",
        "/here",
    ):
        assert evening.phones[0].post(evening.seat(0, path), **headers).status_code == 403
    assert (
        evening.laptop.post(f"/t/{evening.code}/release", {"seat": 0}, **headers).status_code == 403
    )
    assert client_of(app).post("/api/v1/tables", data=b"{}", headers=headers).status_code == 403
    assert client_of(app).post("/look", data={"lang": "de"}, headers=headers).status_code == 403
    assert evening.table.ledger.length == length


@pytest.mark.parametrize(
    "headers", [{}, HERE, {"Sec-Fetch-Site": "none"}, {"Origin": "http://localhost"}]
)
def test_our_own_pages_and_programs_can(app: Flask, headers: dict[str, str]) -> None:
    """Same origin, or no browser page at all."""
    evening = Evening(app).start()
    form = {"type": "draw_plot", "version": evening.table.ledger.version(0)}

    assert evening.phones[0].post(evening.seat(0, "/act"), form, **headers).status_code == 303
    assert evening.table.ledger.state.turn == 1


# Headers


def test_headers_of_a_page(app: Flask) -> None:
    """Nothing from elsewhere, nothing inline, nothing framed, nothing kept by a cache."""
    headers = client_of(app).get("/").headers
    policy = dict(
        part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";")
    )

    assert policy["default-src"] == policy["script-src"] == policy["style-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["object-src"] == "'none'"
    assert policy["form-action"] == "'self'"
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cache-Control"] == "no-store"
    for name in ("HX-Request", "Accept-Language", "Cookie"):
        assert name in headers["Vary"]


def test_nothing_asks_a_browser_for_https(app: Flask) -> None:
    """A cookie for https alone is not kept over http, and a promise of https breaks it all."""
    host = Browser(app)
    opened = host.post("/tables", {"game": "winchester"})
    for answer in (opened, host.get(opened.location), client_of(app).get("/")):
        assert "Strict-Transport-Security" not in answer.headers
        assert "upgrade-insecure-requests" not in answer.headers["Content-Security-Policy"]
        assert not any("Secure" in cookie for cookie in answer.headers.getlist("Set-Cookie"))


def test_every_answer_has_the_headers(app: Flask) -> None:
    """Pages, refusals, redirects, data, files and streams."""
    evening = Evening(app).start()
    code = evening.code
    for path in (
        "/",
        "/nothing",
        f"/t/{code}",
        f"/t/{code}/host",
        f"/j/{code}",
        "/help",
        "/favicon.ico",
    ):
        headers = evening.laptop.get(path).headers
        assert "script-src 'self'" in headers["Content-Security-Policy"]
        assert headers["Cache-Control"] == "no-store"
    for path in (f"/api/v1/tables/{code}", "/api/v1/games", f"/qr/{code}.svg", "/healthz"):
        headers = client_of(app).get(path).headers
        assert "script-src 'self'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
    with streaming(evening.laptop.client, f"/t/{code}/stream") as stream:
        assert "script-src 'self'" in stream.answer.headers["Content-Security-Policy"]
        assert stream.answer.headers["X-Accel-Buffering"] == "no"
        assert "no-cache" in stream.answer.headers["Cache-Control"]
        assert "Content-Encoding" not in stream.answer.headers


def test_pages_are_packed_for_those_who_can_unpack(app: Flask) -> None:
    """The same bytes, smaller."""
    plain = client_of(app).get("/help")
    packed = client_of(app).get("/help", headers={"Accept-Encoding": "gzip, br"})

    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data)
    assert gzip.decompress(packed.data) == plain.data


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


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "null", "http://exämple"])
def test_an_origin_that_is_none_is_another_page(app: Flask, origin: str) -> None:
    """Whatever is sent as where a request comes from, the answer is a sentence."""
    phone = Browser(app)
    code = phone.open_table()
    assert phone.post(f"/t/{code}/start", Origin=origin).status_code == 403


def test_keys_with_accents_open_nothing(app: Flask) -> None:
    """In an address or in a cookie, they are no keys."""
    phone = Browser(app)
    code = Browser(app).open_table()
    assert phone.get("/host/schlüssel-é").status_code == 404
    folder = app.config["REFEREE_FOLDER"]
    for name in (f"referee_{folder}_host", f"referee_{folder}_{code}_host"):
        headers = {"Cookie": f"{name}=\u00e9\u00e8"}
        assert phone.get(f"/t/{code}/host", **headers).status_code in {303, 403}


def test_deep_and_long_nonsense_is_refused(app: Flask) -> None:
    """Three thousand brackets, five thousand digits: a sentence each, from pages and programs."""
    evening = Evening(app).start()
    deep = "[" * 3000 + "]" * 3000
    for raw in (deep, '{"a":' * 3000 + "1" + "}" * 3000, "9" * 5000):
        form = {"raw": raw, "version": "1", "id": "x"}
        assert evening.phones[0].post(evening.seat(0, "/act"), form).status_code < 500
        body = f'{{"version": 1, "id": "x", "action": {raw}}}'
        path = f"/api/v1/tables/{evening.code}/actions"
        token = evening.phones[0].key(evening.code, 0)
        answer = client_of(app).post(path, data=body, headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code < 500
    for text in ("a = " + "[" * 5000 + "]" * 5000, f"a = {'9' * 5000}"):
        with pytest.raises(MalformedAction):
            profiles.read(text, "winchester", "huch")


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
        for path in ("/request", "/rematch", "/here"):
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


def test_bots_that_follow_links_change_nothing(app: Flask) -> None:
    """Previews and scanners GET and HEAD everything: no seat, no cookie, no entry, no open page."""
    evening = Evening(app).start()
    asked = evening.phones[0].post(evening.seat(0, "/transfer")).text
    move = asked.split("/m/")[1][:8]
    length = evening.table.ledger.length
    keys = dict(evening.table.keys)
    agents = ("WhatsApp/2.23", "facebookexternalhit/1.1", "Slackbot", "TelegramBot", "Googlebot")
    for agent in agents:
        bot = client_of(app)
        for path in (f"/j/{evening.code}", f"/J/{evening.code}", f"/m/{move}", f"/M/{move}", "/"):
            for method in ("GET", "HEAD"):
                answer = bot.open(path, method=method, headers={"User-Agent": agent})
                assert answer.status_code == 200
                assert "Set-Cookie" not in answer.headers
                answer.close()

    assert evening.table.ledger.length == length
    assert evening.table.keys == keys
    assert tables_of(app).seats.transfer(move)[1] == 0


def test_a_head_of_a_stream_leaves_no_open_page(own_app: Flask) -> None:
    """Whoever asks for a stream and takes none of it is forgotten."""
    evening = Evening(own_app).start()
    live = tables_of(own_app).live
    for path in (f"/t/{evening.code}/stream", f"/api/v1/tables/{evening.code}/stream"):
        for method in ("HEAD", "HEAD", "HEAD"):
            evening.laptop.client.open(path, method=method).close()

    assert len(live) == 0


# Where an answer leads


@pytest.mark.parametrize(
    "back",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "/\t/evil.example",
        "/\n/evil.example",
        "\t//evil.example",
        "/\r\nSet-Cookie: a=b",
        "javascript:alert(1)",
        "evil.example",
        "",
    ],
)
def test_choosing_a_language_leads_nowhere_else(app: Flask, back: str) -> None:
    """Only to a page of ours."""
    answer = client_of(app).post("/look", data={"lang": "de", "back": back})

    assert (answer.status_code, answer.location) == (303, "/")


def test_choosing_a_language_leads_back(app: Flask) -> None:
    """To where one was; and the choice is kept."""
    phone = Browser(app)
    answer = phone.post("/look", {"lang": "fr", "theme": "dark", "back": "/help?a=1"})

    assert answer.location == "/help?a=1"
    assert '<html lang="fr" data-theme="dark">' in phone.get("/help").text
    assert phone.post("/look", {"lang": "xx"}).status_code == 400
    assert phone.post("/look", {"theme": "pink"}).status_code == 400
    # A menu says which is chosen.
    menu = phone.get(f"/t/{phone.open_table()}").text
    assert 'name="theme" value="dark" aria-current="true"' in menu
    assert menu.count('aria-current="true"') == 2


def test_addresses_shown_are_never_the_requests(app: Flask) -> None:
    """A forged Host header does not get into codes that phones scan."""
    code = Browser(app).open_table()
    page = client_of(app).get(f"/t/{code}", headers={"Host": "evil.example"}).text

    assert "evil.example" not in page
    assert BASE.removeprefix("http://") in page


# Refusals


REFUSED = (
    ("get", "/t/ZZZZZ", None, 404),
    ("get", "/nothing/here", None, 404),
    ("post", "/tables", {"game": "chess"}, 400),
    ("post", "/look", {"lang": "xx"}, 400),
    ("post", "/look", {"lang": "x" * 70_000}, 413),
    ("delete", "/", None, 405),
    ("get", "/m/ZZZZZZZZ", None, 404),
)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("method", "path", "form", "status"), REFUSED)
def test_refusals_are_pages_in_ones_language(
    app: Flask, lang: str, method: str, path: str, form: dict[str, str] | None, status: int
) -> None:
    """With the right status, a sentence, a way back, and nothing of the machine's insides."""
    client = client_of(app)
    client.set_cookie("referee_tried", "1")
    answer = client.open(path, method=method, data=form, headers={"Accept-Language": lang})

    assert answer.status_code == status
    assert f'<html lang="{lang}"' in answer.text
    assert "Traceback" not in answer.text
    assert 'href="/"' in answer.text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_refusals_of_a_move_are_one_sentence(app: Flask, lang: str) -> None:
    """A script gets the sentence alone, with its status, so that the page can show it."""
    evening = Evening(app, lang=lang).start()
    version = {"version": evening.table.ledger.version(0)}
    phone = evening.phones[0]

    def said(form: dict[str, object], status: int) -> str:
        answer = phone.post(evening.seat(0, "/act"), form, **{"HX-Request": "true"})
        assert answer.status_code == status, answer.text
        assert "<" not in answer.text
        assert answer.text.strip()
        return answer.text.strip()

    phone.post(evening.seat(0, "/act"), {"type": "draw_plot"} | version)
    now = {"version": evening.table.ledger.version(0)}
    sentences = {
        said({"type": "pass"} | version, 409),
        said({"type": "bid", "amount": "9000"} | now, 422),
        said({"type": "bid", "amount": "500"} | now, 422),
        said({"type": "bid", "amount": "0"} | now, 422),
        said({"type": "bid", "amount": "many"} | now, 400),
        said({"type": "draw_plot"} | now, 422),
        said({"type": "pass", "version": "x"}, 400),
    }
    assert len(sentences) == 7


@pytest.mark.parametrize("fault", ["/boom", "/api/v1/boom"])
def test_a_bug_is_told_without_its_insides(tmp_path: Path, fault: str) -> None:
    """Status 500, a sentence or a problem, no traceback; the next request is served."""
    with app_at(tmp_path) as app:
        app.add_url_rule(fault, view_func=_boom)
        answer = app.test_client().get(fault)

        assert answer.status_code == 500
        assert "secret detail" not in answer.text
        assert app.test_client().get("/").status_code == 200


def _boom() -> str:
    raise ZeroDivisionError("secret detail")


@pytest.mark.parametrize("seat", ["x", "", "-1", "9" * 5000, "1.5"])
def test_numbers_that_are_none(app: Flask, seat: str) -> None:
    """A field that holds no number is refused, however long."""
    evening = Evening(app)
    for path in ("order", "remove", "release"):
        assert evening.laptop.post(f"/t/{evening.code}/{path}", {"seat": seat}).status_code == 400
    evening.start()
    for path in ("release", "act-for"):
        assert evening.laptop.post(f"/t/{evening.code}/{path}", {"seat": seat}).status_code == 400
    assert evening.laptop.post(f"/t/{evening.code}/request", {"number": seat}).status_code in {
        400,
        409,
    }
    wrong = {"what": "notes", "source": seat, "target": "bank", "amount": "1000"}
    assert evening.correct(wrong).status_code in {400, 422}
    owner = {"what": "owner", "plot": "1", "seat": seat or "x"}
    assert evening.correct(owner).status_code in {303, 400, 422}
    assert evening.phones[0].get(f"/s/{evening.code}/{seat}").status_code in {303, 404}
    secret = evening.phones[0].get(f"/j/{evening.code}/wait/{seat or 'x'}é")
    assert secret.status_code == 200

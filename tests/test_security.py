"""What every answer carries and every request must pass."""

from __future__ import annotations

import contextlib
import gzip
import weakref
from typing import Any

import pytest
from flask import Flask, Response
from werkzeug.test import create_environ

from referee.web.events import RETRY
from tests.table import (
    BASE,
    Browser,
    Evening,
    client_of,
    streaming,
    tables_of,
)

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
        "/reading",
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


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "null", "http://exämple"])
def test_an_origin_that_is_none_is_another_page(app: Flask, origin: str) -> None:
    """Whatever is sent as where a request comes from, the answer is a sentence."""
    phone = Browser(app)
    code = phone.open_table()
    assert phone.post(f"/t/{code}/start", Origin=origin).status_code == 403


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


def test_an_open_page_holds_no_answer_whose_head_was_sent(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Most pages rest most of the time, and hold only what they are still to be sent."""
    made: list[weakref.ref[Response]] = []

    class Noted(Response):
        def __init__(self, *args: Any, **named: Any) -> None:
            super().__init__(*args, **named)
            made.append(weakref.ref(self))

    monkeypatch.setattr("referee.web.stream.Response", Noted)
    asked = create_environ(f"/t/{Evening(app).start().code}/stream")
    with contextlib.closing(app.wsgi_app(asked, lambda *_: len)) as answer:  # type: ignore[type-var]  # as WSGI has it
        assert next(iter(answer)) == RETRY
        assert [response() for response in made] == [None]


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

"""What phones ask to see whether there is internet, on a hotspot that has none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.web import create_app
from referee.web.captive import ANSWERS
from tests.table import Browser, Evening

APPLE = b"<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"
PROBES = [
    ("http://connectivitycheck.gstatic.com/generate_204", 204, b""),
    ("http://www.google.com/gen_204", 204, b""),
    ("http://captive.apple.com/hotspot-detect.html", 200, APPLE),
    ("http://www.apple.com/library/test/success.html", 200, APPLE),
    ("http://www.msftconnecttest.com/connecttest.txt", 200, b"Microsoft Connect Test"),
    ("http://www.msftncsi.com/ncsi.txt", 200, b"Microsoft NCSI"),
    ("http://detectportal.firefox.com/success.txt", 200, b"success\n"),
    ("http://nmcheck.gnome.org/check_network_status.txt", 200, b"NetworkManager is online\n"),
]


def split(url: str) -> tuple[str, str]:
    """Give the host's address and the path."""
    scheme, _, rest = url.partition("//")
    host, _, path = rest.partition("/")
    return f"{scheme}//{host}", f"/{path}"


@pytest.fixture(scope="module")
def hotspot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    """Give a phone on a hotspot."""
    app = create_app({"DATA": str(tmp_path_factory.mktemp("hotspot")), "CAPTIVE": True})
    yield app.test_client()
    app.extensions["referee"].tables.store.close()


@pytest.mark.parametrize(("url", "status", "body"), PROBES)
def test_each_system_hears_what_its_own_host_says(
    hotspot: FlaskClient, url: str, status: int, body: bytes
) -> None:
    """Byte for byte, so that the phone stays; and nothing is kept of it."""
    base, path = split(url)
    answer = hotspot.get(path, base_url=base)

    assert (answer.status_code, answer.data) == (status, body)
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("path", ANSWERS)
def test_under_our_own_name_there_is_no_such_page(hotspot: FlaskClient, path: str) -> None:
    """Nor under one that only looks like a real host's."""
    for base in ("http://10.42.0.1", "http://notapple.com", "http://apple.com.evil.example"):
        assert hotspot.get(path, base_url=base).status_code == 404


@pytest.mark.parametrize(("url", "status", "body"), PROBES)
def test_without_the_option_nothing_is_answered(
    app: Flask, url: str, status: int, body: bytes
) -> None:
    """Elsewhere a phone shall find out itself what its Wi-Fi is worth."""
    base, path = split(url)

    assert app.test_client().get(path, base_url=base).status_code == 404


@pytest.mark.parametrize("agent", ["CaptiveNetworkSupport-407 wispr", "Mozilla/5.0 Instagram 300"])
def test_a_browser_inside_another_app_is_told(app: Flask, agent: str) -> None:
    """It forgets its seat: better the phone's own. That one is told nothing."""
    code = Browser(app).open_table()
    warning = "This browser belongs to another app"
    phone = Browser(app)

    assert warning in phone.get(f"/j/{code}", **{"User-Agent": agent}).text
    assert warning not in phone.get(f"/j/{code}", **{"User-Agent": "Mozilla/5.0 Safari"}).text


def test_every_answer_is_tried() -> None:
    """None stands there unseen."""
    assert {split(url)[1] for url, _, _ in PROBES} == ANSWERS.keys()


def test_lobby_and_help_say_that_phones_fall_asleep(app: Flask) -> None:
    """And how to lengthen it, on each system; once, in the lobby of the phone it is about."""
    evening = Evening(app)
    for browser, path in ((evening.phones[0], evening.seat(0)), (evening.laptop, "/help")):
        text = browser.get(path).text
        assert text.count("Phones fall asleep, and know where they are when they wake.") == 1
        assert "Android" in text
        assert "iPhone" in text

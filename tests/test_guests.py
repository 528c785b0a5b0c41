"""Who is a guest and who is the machine itself, and what is remembered of guests."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.lan import Address, Watch
from referee.web import security
from referee.web.security import Lately
from tests.table import app_at

OWN = "192.168.1.50"
OTHER = "192.168.1.66"
HOTSPOT = "10.42.0.1"


def asked_from(app: Flask, address: str) -> FlaskClient:
    """Give a browser that asks from an address, on a machine with two addresses of its own."""
    found = [Address(OWN, "wlan0", "wifi"), Address(HOTSPOT, "wlan1", "wifi")]
    app.extensions["referee"].place.watch = Watch(lambda: found)
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = address
    return client


def may_set_wifi(client: FlaskClient, base: str) -> bool:
    """Say whether a table that this browser opens offers it what belongs to the machine."""
    client.set_cookie("referee_tried", "1", domain=urlsplit(base).hostname or "")
    opened = client.post("/tables", data={"game": "winchester"}, base_url=base)
    return f"{opened.location}/wifi" in client.get(opened.location, base_url=base).text


@pytest.mark.parametrize("address", [OWN, HOTSPOT])
def test_the_machine_opened_by_its_own_address_is_the_machine(own_app: Flask, address: str) -> None:
    """Whoever types the address from the QR code on the laptop itself has its rights."""
    client = asked_from(own_app, address)

    assert may_set_wifi(client, f"http://{address}:8000")
    assert own_app.extensions["referee"].place.remote_hits == 0


@pytest.mark.parametrize(
    ("address", "base"),
    [
        (OTHER, f"http://{OWN}:8000"),
        (OWN, "http://evil.example:8000"),
        ("127.0.0.1", "http://evil.example:8000"),
    ],
)
def test_a_guest_is_not_nor_a_name_that_only_leads_here(
    own_app: Flask, address: str, base: str
) -> None:
    """By address and by name: a page from elsewhere may send a browser here under its own name."""
    assert not may_set_wifi(asked_from(own_app, address), base)


def test_behind_a_proxy_only_loopback_is_the_machine(tmp_path: Path) -> None:
    """There the address is what the proxy says."""
    with app_at(tmp_path, proxies=1) as app:
        client = asked_from(app, "127.0.0.1")
        client.environ_base["HTTP_X_FORWARDED_FOR"] = OWN
        assert not may_set_wifi(client, f"http://{OWN}:8000")
        del client.environ_base["HTTP_X_FORWARDED_FOR"]
        assert may_set_wifi(client, "http://localhost:8000")


def test_a_proxy_that_nobody_announced_makes_no_guest_the_machine(own_app: Flask) -> None:
    """What it hands on comes from anybody, though by its address it is the machine that asks."""
    client = asked_from(own_app, "127.0.0.1")
    client.environ_base["HTTP_X_FORWARDED_FOR"] = OTHER

    assert not may_set_wifi(client, "http://127.0.0.1:8000")


def test_what_guests_did_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a while, and for whoever was silent for longest where too many came."""
    now = [0.0]
    monkeypatch.setattr(security.time, "monotonic", lambda: now[0])
    lately = Lately(60.0, 3)
    for _ in range(5):
        lately.note("10.0.0.1")
    assert lately.are_many("10.0.0.1")
    now[0] = 30.0
    lately.note("10.0.0.2")
    assert not lately.are_many("10.0.0.2")
    now[0] = 61.0
    lately.note("10.0.0.3")

    assert not lately.are_many("10.0.0.1")
    assert len(lately) == 2
    for number in range(5000):
        lately.note(f"10.1.{number // 250}.{number % 250}")
    assert len(lately) == security.MOST_ADDRESSES
    lately.note("10.1.19.249")
    lately.note("10.1.19.249")
    assert lately.are_many("10.1.19.249")

"""A shared phone: its curtain opens for one look, and nothing secret is behind no hold."""

from __future__ import annotations

import re

from flask import Flask

from tests.table import Browser, Evening

MONEY = re.compile(r"\$\d")


def shared(app: Flask) -> tuple[Evening, Browser]:
    """Seat three, of whom the first two share a phone."""
    evening = Evening(app, seats=3).start()
    phone, other = evening.phones[:2]
    key = phone.key(evening.code, 0)
    assert key
    for cookie in list(other.client._cookies.values()):  # noqa: SLF001  # werkzeug lists them nowhere
        if cookie.key.endswith("_1"):
            phone.client.set_cookie(cookie.key, cookie.value, domain=cookie.domain)
    return evening, phone


def token_of(page: str) -> str:
    """Give the token of a curtain."""
    found = re.search(r'name="token" value="([^"]+)"', page)
    assert found is not None
    return found.group(1)


def test_no_address_opens_and_a_token_opens_once(app: Flask) -> None:
    """A load, a reload, a typed address: each shows the curtain; what is held opens one time."""
    evening, phone = shared(app)
    for rest in ("", "?open=1", "?token=x", "?home=1"):
        page = phone.get(evening.seat(0, rest)).text
        assert "data-hold" in page
        assert "data-peek" not in page
        assert not MONEY.search(page)
    token = token_of(page)

    opened = phone.post(evening.seat(0), {"token": token})

    assert opened.status_code == 200
    assert "data-peek" in opened.text
    again = phone.post(evening.seat(0), {"token": token})
    assert again.status_code == 303
    assert "data-hold" in phone.get(again.location).text


def test_a_token_opens_the_seat_it_was_drawn_for(app: Flask) -> None:
    """Held for one player it does not show the other's seat, nor on another phone."""
    evening, phone = shared(app)
    token = token_of(phone.get(evening.seat(0)).text)
    assert phone.post(evening.seat(1), {"token": token}).status_code == 303
    token = token_of(phone.get(evening.seat(1)).text)
    assert evening.phones[1].post(evening.seat(1), {"token": token}).status_code == 303


def test_the_stream_ends_at_the_next_curtain(app: Flask) -> None:
    """Handing the phone on closes what was open; a typed address of the stream tells nothing."""
    evening, phone = shared(app)
    token = token_of(phone.get(evening.seat(0)).text)
    page = phone.post(evening.seat(0), {"token": token}).text
    stream = re.search(r'data-stream="([^"]+)"', page)
    assert stream is not None
    address = stream.group(1).replace("&amp;", "&")

    assert "event: gone" in phone.get(address.replace(token, "x")).text
    phone.get(evening.seat(1))
    assert "event: gone" in phone.get(address).text


def test_a_phone_of_ones_own_has_no_curtain(app: Flask) -> None:
    """Nor has a shared one before there is anything to hide."""
    evening = Evening(app, seats=3).start()
    assert "data-peek" in evening.phones[2].get(evening.seat(2)).text


def test_a_game_without_secrets_has_none(app: Flask) -> None:
    """One person may hold all seats of it and go from one to the other."""
    evening = Evening(app, game="moon_river", seats=3).start()
    phone = evening.phones[0]
    for seat in (1, 2):
        for cookie in list(evening.phones[seat].client._cookies.values()):  # noqa: SLF001
            if cookie.key.endswith(f"_{seat}"):
                phone.client.set_cookie(cookie.key, cookie.value, domain=cookie.domain)
    assert all("data-hold" not in phone.get(evening.seat(seat)).text for seat in range(3))

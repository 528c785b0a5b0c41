"""The test game in a real browser: a display and two phones, by tapping, to its end.

Its package and its templates lie in `tests/toy`; the server differs by one line that registers it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from .bench import SLOW_MS, Api, Bench, Server, begin, fits, follow, sit_down, tap, touch, until
from .chromium import Chromium

pytestmark = pytest.mark.browser


@pytest.fixture
def toys(chromium: Chromium, tmp_path: Path) -> Iterator[Bench]:
    """Serve with one more game."""
    with closing(Server(tmp_path, module="tests.toy.serve")) as server:
        server.start()
        bench = Bench(chromium.browser(), server)
        yield bench
        with chromium.closing():
            bench.close()
    bench.judge()


def test_a_game_from_elsewhere_is_played_by_tapping(toys: Bench) -> None:
    """Start page, lobby, turns over the stream, a setting changed by consent, both endings."""
    display = toys.display()
    touch(display.locator("button[value=pebbles]"))
    display.wait_for_url("**/t/*")
    code = display.url.rsplit("/", 1)[1]
    phones = [toys.phone(f"/j/{code}") for _ in range(2)]
    for phone, name in zip(phones, ("Ann", "Ben"), strict=True):
        sit_down(phone, name)
    expect(display.locator("#seats li")).to_have_count(2)
    begin(display)
    take(phones, 2)
    expect(display.locator("#rows li").first).to_be_empty()
    ask_for_last(phones[0])
    tap(phones[1], phones[1].locator("#notice button[value=yes]"), to="ask")
    expect(display.locator("#log")).to_contain_text("The last pebble wins")
    api = Api(toys.server, code)
    while api.see()["status"] == "playing":
        fits(phones[0])
        last = take(phones, 0)
    expect(phones[last].locator(".winner")).to_have_text("You win")
    expect(phones[1 - last].locator(".winner")).to_have_text("You lose")
    expect(display.locator(".winner")).to_contain_text(("Ann", "Ben")[last])


def take(phones: list[Page], button: int) -> int:
    """Let whoever's turn it is take pebbles by one of the buttons; say who it was."""

    def asked() -> int | None:
        found = (s for s, phone in enumerate(phones) if phone.locator("body.asked").count())
        return next(found, None)

    until(lambda: asked() is not None, within_s=SLOW_MS / 1000)
    turn = asked()
    assert turn is not None
    tap(phones[turn], phones[turn].locator("#ask button").nth(button))
    expect(phones[turn].locator("body.asked")).to_have_count(0)
    return turn


def ask_for_last(phone: Page) -> None:
    """Ask the table, in the menu, to play for the last pebble from now on."""
    follow(phone, phone.locator("header a[href$='/menu']"))
    touch(phone.locator("details:has(form[action$='/correct']) summary"))
    phone.locator("select[name=goal]").select_option("last")
    follow(phone, phone.locator("form[action$='/correct'] button"))

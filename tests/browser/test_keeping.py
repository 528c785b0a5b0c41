"""What people take home of a finished game from its page: copied as text, and shared."""

from __future__ import annotations

import random
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.table import APP, play, tables_at

from .bench import PHONE, Bench, jab

pytestmark = pytest.mark.browser

NAMES: Final = ("Zoë", "Jürgen", "Éloïse")
SHARES: Final = """navigator.share = (given) => {
  (globalThis.shared ||= []).push(given);
  const isRefused = globalThis.shared.length > 1;
  return isRefused ? Promise.reject(new DOMException("", "AbortError")) : Promise.resolve();
};"""
REFUSES: Final = "document.execCommand = () => false"
CANNOT: Final = "document.execCommand = undefined"
SELECTED: Final = "getSelection().toString()"


@pytest.fixture
def kept(own_bench: Bench) -> str:
    """Play a whole game, and give the page that keeps it."""
    own_bench.server.end()
    with tables_at(own_bench.server.data) as tables:
        table, _ = tables.open("winchester", options=APP, seed="keep")
        for name in NAMES:
            tables.lobby.join(table, name)
        tables.lobby.start(table)
        play(tables, table, random.Random(1))
    own_bench.server.start()
    return f"/t/{table.code}/keep"


def opened(bench: Bench, path: str, *scripts: str) -> Page:
    """Open a phone on it, whose browser differs by some scripts."""
    context = bench.context(PHONE)
    for script in scripts:
        context.add_init_script(script)
    page = context.new_page()
    page.goto(bench.base + path)
    page.wait_for_function("() => 'ready' in document.documentElement.dataset")
    return page


def test_a_result_is_copied_as_text(own_bench: Bench, kept: str) -> None:
    """As it comes out of the clipboard, on a page without a certificate: names, places, points."""
    page = opened(own_bench, kept)
    assert page.evaluate("navigator.clipboard === undefined && !isSecureContext")
    jab(page.locator("[data-copy]"))
    expect(page.locator("[data-copied]")).to_be_visible()
    expect(page.locator("[data-selected]")).to_be_hidden()

    # Loopback is trusted, so what lies in the clipboard can be read there.
    own_bench.expect("request to another host")
    trusted = f"http://127.0.0.1:{own_bench.server.port}"
    page.context.grant_permissions(["clipboard-read"], origin=trusted)
    reader = page.context.new_page()
    reader.goto(trusted + "/help")
    copied = reader.evaluate("navigator.clipboard.readText()")
    title, *lines = copied.strip().splitlines()
    assert "Winchester" in title
    assert {name for name in NAMES if any(name in line for line in lines)} == {*NAMES}
    assert next(line.split(".")[0] for line in lines if line) == "1"


def test_where_copying_is_refused_the_text_is_there_to_be_copied(
    own_bench: Bench, kept: str
) -> None:
    """It stays selected and says so; a browser that cannot has no button, and the text is there."""
    page = opened(own_bench, kept, REFUSES)
    jab(page.locator("[data-copy]"))
    expect(page.locator("[data-selected]")).to_be_visible()
    expect(page.locator("[data-copied]")).to_be_hidden()
    assert "Jürgen" in page.evaluate(SELECTED)

    page = opened(own_bench, kept, CANNOT)
    expect(page.locator("[data-copy]")).to_be_hidden()
    expect(page.locator("textarea[data-text]")).to_be_visible()
    assert "Jürgen" in page.locator("textarea[data-text]").input_value()


def test_a_result_is_shared_where_the_browser_can(own_bench: Bench, kept: str) -> None:
    """The same text; thinking better of it is no fault; elsewhere there is no such button."""
    page = opened(own_bench, kept, SHARES)
    button = page.locator("[data-share]")
    for _ in range(2):
        jab(button)
    text = page.locator("textarea[data-text]").input_value()
    assert page.evaluate("globalThis.shared") == [{"text": text}] * 2

    plain = opened(own_bench, kept)
    expect(plain.locator("[data-copy]")).to_be_visible()
    expect(plain.locator("[data-share]")).to_be_hidden()

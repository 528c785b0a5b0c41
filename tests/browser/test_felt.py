"""One's turn is felt, where one wishes it, in the hand and by a sound; never in secret moments."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Page, expect

from .bench import Bench, settled, touch
from .test_desperados import ROUTES
from .test_reach import riding

pytestmark = pytest.mark.browser

HEARD: Final = """globalThis.felt = { buzzes: [], notes: 0 };
navigator.vibrate = (long) => { felt.buzzes.push(long); return true; };
const play = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (at) { felt.notes += 1; play.call(this, at); };"""
WISH: Final = """(felt) => fetch("/look",
  { method: "POST", body: new URLSearchParams({ felt, back: location.pathname }) })"""


def second(bench: Bench, wish: str) -> Page:
    """Open the phone of whoever bids second, with a wish, and touch it once; their turn comes."""
    api = bench.open(3)
    api.start()
    star = api.public()["star"]
    page = bench.seat(api, (star + 1) % 3, sounds=True)
    page.context.add_init_script(HEARD)
    page.evaluate(WISH, wish)
    page.reload()
    touch(page.locator("#head .turn"))
    api.draw_plot()
    api.act(api.tokens[star], {"type": "bid", "amount": 1000})
    expect(settled(page).locator("body")).to_have_class("seat asked")
    return page


@pytest.mark.parametrize(
    ("wish", "buzzes", "notes"),
    [("both", [120], 2), ("sound", [], 2), ("buzz", [120], 0), ("none", [], 0)],
)
def test_ones_turn_is_felt_as_one_wishes(
    bench: Bench, wish: str, buzzes: list[int], notes: int
) -> None:
    """Once a turn, however many parts of the page change at it."""
    page = second(bench, wish)
    page.wait_for_function("(notes) => felt.notes === notes", arg=notes)
    assert page.evaluate("felt") == {"buzzes": buzzes, "notes": notes}


def test_nothing_is_felt_while_the_gang_plans(bench: Bench) -> None:
    """Or the Marshal would hear who is asked for what, and when."""
    api = riding(bench)
    page = bench.seat(api, 2, sounds=True)
    page.context.add_init_script(HEARD)
    page.evaluate(WISH, "both")
    page.reload()
    touch(page.locator("#head .turn"))
    before = page.locator("#ask").inner_html()
    for seat in (1, 2, 3):
        api.act(api.tokens[seat], {"type": "lay_card", "card": ROUTES[seat][0]})
    settled(page)
    assert page.locator("#ask").inner_html() != before
    assert page.evaluate("felt") == {"buzzes": [], "notes": 0}

"""Whoever acts with a keyboard goes on where they acted, in every game."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .bench import Bench, form
from .test_taps import press

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("game", "seats", "kind"),
    [
        ("desperados", 4, "place_marshal"),
        ("moon_river", 2, "place_rancher"),
        ("winchester", 3, "draw_plot"),
    ],
)
def test_the_focus_stays_where_somebody_acted(
    bench: Bench, game: str, seats: int, kind: str
) -> None:
    """On the words of what is asked next, or of whose turn it is; never at the top again."""
    api = bench.open(seats, game)
    api.start()
    page = bench.seat(api, api.public()["waiting_for"][0])
    wanted = form(page, kind)
    choice = wanted.locator("input[type=radio]")
    if choice.count():
        choice.first.focus()
        page.keyboard.press("Space")
        expect(choice.first).to_be_checked()
    press(page, wanted.locator("button").first)
    expect(form(page, kind)).to_have_count(0)
    expect(page.locator("main:focus, main :focus, #head :focus")).to_have_count(1)

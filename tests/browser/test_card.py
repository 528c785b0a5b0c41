"""The card for the box, as a printer gets it: of one size, on two sides, nothing wider than it."""

from __future__ import annotations

import re
from typing import Final

import pytest

from referee.games import GAMES

from .bench import DISPLAY, Bench

pytestmark = pytest.mark.browser

A5: Final = (419.5, 595.3)
"""In points, as printers count."""
PAGE: Final = re.compile(rb"/Type\s*/Page\b(?!s)")
SIZE: Final = re.compile(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]")
SIDES: Final = 2
WIDER: Final = """() => Array.from(document.querySelectorAll("main *"))
  .filter((node) => node.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .map((node) => node.outerHTML.slice(0, 100))"""


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR"])
@pytest.mark.parametrize("game", GAMES)
def test_a_card_is_printed_on_two_sides(bench: Bench, game: str, locale: str) -> None:
    """Front and back of A5, in every language, with the rulings of the game that was chosen."""
    api = bench.open(2 if game == "moon_river" else 3, game)
    context = bench.context({**DISPLAY, "locale": locale})
    bench.give(context, f"{api.code}_host", api.host_token)
    page = context.new_page()
    page.goto(f"{bench.base}/t/{api.code}/card")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 491, "height": 725})
    assert page.evaluate(WIDER) == []
    printed = page.pdf(prefer_css_page_size=True)
    sizes = [tuple(map(float, found)) for found in SIZE.findall(printed)]
    assert len(PAGE.findall(printed)) <= SIDES
    assert all(size == pytest.approx(A5, abs=1) for size in sizes), sizes

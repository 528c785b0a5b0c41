"""Seats' marks as they are painted: in their colours on every screen and inside of maps."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from .bench import NAMES, Bench
from .test_desperados import take_places

pytestmark = pytest.mark.browser

COLOURS = {
    "Ann": (184, 36, 26),
    "Ben": (22, 58, 128),
    "Cleo": (102, 190, 97),
    "Dan": (253, 208, 52),
    "Eve": (165, 117, 204),
}
LOOKS: dict[str, dict[str, Any]] = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "contrast": {"contrast": "more"},
    "forced": {"forced_colors": "active"},
}
ABOVE_THE_LETTER = 8 / 34
"""How far down all shapes are filled, and no letter is."""
PAINTED = """async ([picture, down]) => {
  const bytes = Uint8Array.from(atob(picture), (sign) => sign.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const paper = new OffscreenCanvas(image.width, image.height).getContext("2d");
  paper.drawImage(image, 0, 0);
  return [...paper.getImageData(image.width / 2, image.height * down, 1, 1).data.slice(0, 3)];
}"""


def painted(mark: Locator) -> tuple[int, ...]:
    """Give the colour in which a mark shows, a little above its letter."""
    picture = base64.b64encode(mark.screenshot()).decode()
    return tuple(mark.page.evaluate(PAINTED, [picture, ABOVE_THE_LETTER]))


@pytest.mark.parametrize("look", [*LOOKS])
def test_marks_are_painted_in_their_colours(bench: Bench, look: str) -> None:
    """Beside names, in a question and in the head of a phone, whatever a screen looks like."""
    api = bench.open(5)
    api.start()
    api.draw_plot()
    display = bench.screen(api, **LOOKS[look])
    for seat, name in enumerate(NAMES):
        assert painted(display.locator(f"#player-{seat} .mark")) == COLOURS[name]
    assert painted(display.locator("#question .mark").first) in COLOURS.values()
    assert painted(bench.seat(api, 1, **LOOKS[look]).locator("#head .mark")) == COLOURS["Ben"]


@pytest.mark.parametrize("look", [*LOOKS])
def test_pawns_on_a_map_are_painted_in_their_colours(bench: Bench, look: str) -> None:
    """On the display's map, and on that of a phone."""
    api = bench.open(4, "desperados")
    api.start()
    take_places(api)
    tall: dict[str, Any] = {"viewport": {"width": 360, "height": 1500}, "device_scale_factor": 4}
    for page, part in (
        (bench.screen(api, **LOOKS[look]), "map"),
        (bench.seat(api, 1, **LOOKS[look], **tall), "lying"),
    ):
        pawns = page.locator(f"#{part} .pawn use")
        expect(pawns).to_have_count(4)
        colours = [painted(pawns.nth(number)) for number in range(4)]
        assert colours == [COLOURS[name] for name in NAMES[:4]]


def test_a_new_name_is_a_new_letter_on_open_pages(bench: Bench) -> None:
    """Without a reload; what stood there already shows it as well."""
    display, phones, api = bench.auction(3)
    ben = phones[1]
    pages: list[tuple[Page, str]] = [(display, "#player-0 .mark"), (ben, "#m0")]
    before = [page.locator(mark).inner_html() for page, mark in pages]
    was = display.locator("#player-0 .mark").screenshot()
    phones[0].evaluate(
        "(path) => fetch(path, {method: 'POST', body: new URLSearchParams({name: 'Zed'})})",
        f"/s/{api.code}/0/rename",
    )
    expect(display.locator("#player-0")).to_contain_text("Zed")
    for page in (display, ben):
        expect(page.locator("#m0 text")).to_have_text("Z")
    assert before[0] == display.locator("#player-0 .mark").inner_html()
    assert was != display.locator("#player-0 .mark").screenshot()
    assert painted(display.locator("#player-0 .mark")) == COLOURS["Ann"]

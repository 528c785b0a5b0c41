"""The closing ceremony of a table where only bots played."""

from __future__ import annotations

import random
import signal
import time

import pytest
from playwright.sync_api import expect

from referee import bots
from tests.table import APP, play, tables_at

from .bench import DISPLAY, NAMES, Api, Bench, settled, touch
from .test_durability import GONE
from .test_hasty import LATER, NOTE
from .touching import Finger, middle

pytestmark = pytest.mark.browser

EACH_MS = 4000
IS_OVER = "() => noted.at(-1).split(' ')[1] === 'click'"
"""A tap came to its end, and to nothing."""


def test_where_only_bots_played_it_goes_on_by_itself_until_somebody_taps(
    early_bench: Bench,
) -> None:
    """A step every four seconds, by the page's own clock; after a tap it stays where it is."""
    with tables_at(early_bench.server.data) as tables:
        table, _ = tables.open("winchester", options=APP, seed="bots")
        bots.seat(tables, table, 3)
        tables.lobby.start(table)
        play(tables, table, random.Random(1))
    early_bench.server.start()
    page = early_bench.context(DISPLAY, stands=True).new_page()
    page.goto(f"{early_bench.base}/t/{table.code}")
    stage = page.locator("table.stage:not([hidden])")
    expect(page.locator("[data-next]")).to_be_visible()
    expect(stage).to_have_count(0)

    for step in ("1", "2"):
        page.clock.run_for(EACH_MS)
        expect(stage).to_have_attribute("data-step-at", step)
    box = stage.bounding_box()
    assert box is not None
    assert box["width"] > DISPLAY["viewport"]["width"] * 0.9, "nothing stands beside it yet"
    page.mouse.click(5, 5)
    page.clock.run_for(3 * EACH_MS)
    expect(stage).to_have_attribute("data-step-at", "2")


def test_a_ceremony_goes_on_where_it_was_after_the_server_was_started_anew(
    early_bench: Bench,
) -> None:
    """The display tells the server how far it is; the next tap on a phone is the next step."""
    with tables_at(early_bench.server.data) as tables:
        table, host = tables.open("winchester", options=APP, seed="an end")
        keys = [tables.lobby.join(table, name)[1] for name in NAMES[:3]]
        tables.lobby.start(table)
        play(tables, table, random.Random(1))
    early_bench.server.start()
    api = Api(early_bench.server, table.code)
    api.host_token, api.tokens = host, keys
    display, phone = early_bench.screen(api), early_bench.seat(api, 1)
    stage = display.locator("table.stage:not([hidden])")
    for _ in range(2):
        touch(display.locator("[data-next]"))
    expect(phone.locator("[data-step]")).to_have_attribute("data-step", "2")
    early_bench.expect(*GONE)
    early_bench.server.end(signal.SIGKILL)
    for page in (display, phone):
        expect(page.locator("#offline")).to_be_visible()
    early_bench.server.start()
    for page in (display, phone):
        expect(page.locator("#offline")).to_be_hidden()

    expect(phone.locator("[data-step]")).to_have_attribute("data-step", "2")
    settled(phone).evaluate(NOTE, "#step")
    step, finger = phone.locator("form[action$='/next'] button"), Finger(phone)
    with phone.expect_response("**/next"):
        # As if the finger were tapping on while the answer comes, however long that takes.
        finger.tap(middle(step), time.time() + LATER)

    expect(stage).to_have_attribute("data-step-at", "3")
    expect(phone.locator("#step [name=to]")).to_have_value("4")
    finger.tap(middle(step), phone.evaluate("drawnAt") + 0.1)
    phone.wait_for_function(IS_OVER)
    phone.evaluate("() => new Promise((done) => setTimeout(done, 100))")
    assert phone.locator("#said").inner_text() == "", "a step is nothing to look at first"
    expect(phone.locator("#step [name=to]")).to_have_value("4")


BROKEN = """(width) => {
  const found = [], range = document.createRange();
  for (const node of document.querySelectorAll("main :is(.winner strong, td.num, #again .btn)")) {
    const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode;
      for (const { 0: word, index } of text.data.matchAll(/\\S+/g)) {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const { right } = range.getBoundingClientRect();
        if (range.getClientRects().length > 1 || right > width - 16) found.push(word);
      }
    }
  }
  return found;
}"""
"""Words and amounts of a result that are in two lines, or stick out of what they stand in."""


@pytest.mark.parametrize("game", ["desperados", "winchester", "moon_river"])
def test_no_word_of_a_result_is_broken(early_bench: Bench, game: str) -> None:
    """Not on a phone whose letters are twice as large, nor the button that leads to the rematch."""
    with tables_at(early_bench.server.data) as tables:
        table, host = tables.open(game, options=APP, seed="a result")
        keys = [tables.lobby.join(table, name)[1] for name in NAMES[:3]]
        tables.lobby.start(table)
        play(tables, table, random.Random(1))
    early_bench.server.start()
    api = Api(early_bench.server, table.code)
    api.host_token, api.tokens = host, keys
    asks = early_bench.seat(api, 2)
    touch(asks.locator("form[action$='/rematch'] button").last)
    asks.wait_for_url("**/s/*/2", wait_until="commit")
    broken = {}
    for seat, locale in ((0, "de-DE"), (1, "de-DE"), (0, "fr-FR"), (1, "en-GB")):
        phone = early_bench.seat(api, seat, locale=locale)
        expect(phone.locator("#again .between .btn")).to_be_visible()
        touch(phone.locator("main details > summary").first)
        for size in ("100%", "200%"):
            phone.evaluate("size => { document.documentElement.style.fontSize = size; }", size)
            broken[seat, locale, size] = phone.evaluate(BROKEN, 360)

    assert not any(broken.values()), broken


@pytest.mark.parametrize(
    ("game", "seats"), [("desperados", 6), ("winchester", 5), ("moon_river", 4)]
)
def test_the_way_on_from_a_result_is_well_in_the_window(
    early_bench: Bench, game: str, seats: int
) -> None:
    """The rematch stands above what is seldom needed, and neither is under the lower edge."""
    with tables_at(early_bench.server.data) as tables:
        table, host = tables.open(game, options=APP, seed="an end")
        for name in (*NAMES, "Flo")[:seats]:
            tables.lobby.join(table, name)
        tables.lobby.start(table)
        play(tables, table, random.Random(1))
    early_bench.server.start()
    api = Api(early_bench.server, table.code)
    api.host_token = host
    display = early_bench.screen(api, locale="de-DE")
    touch(display.locator("[data-all]"))
    for width, height in ((1920, 1080), (1366, 768)):
        display.set_viewport_size({"width": width, "height": height})
        places = ("form[action$='/rematch'] .btn", "#again summary", "footer")
        boxes = [display.locator(place).last.bounding_box() for place in places]
        rematch, again, footer = [box for box in boxes if box is not None]

        assert rematch["y"] + rematch["height"] < again["y"]
        assert again["y"] + again["height"] <= footer["y"]
        assert footer["y"] + footer["height"] <= height


def test_what_is_typed_and_its_button_are_of_one_height(early_bench: Bench) -> None:
    """Where a field and what notes it stand side by side, neither hangs below the other."""
    with tables_at(early_bench.server.data) as tables:
        table, _ = tables.open("moon_river", options=APP, seed="kept")
        for name in NAMES[:2]:
            tables.lobby.join(table, name)
        tables.lobby.start(table)
        play(tables, table, random.Random(1))
    early_bench.server.start()
    page = early_bench.display(f"/t/{table.code}/keep")
    boxes = [page.locator(f"form.row {place}").last.bounding_box() for place in ("input", ".btn")]
    field, button = [box for box in boxes if box is not None]

    assert abs(field["y"] + field["height"] - button["y"] - button["height"]) < 1

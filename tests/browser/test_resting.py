"""A finger that rests on something asks what it means, and never does it."""

from __future__ import annotations

import time
from itertools import cycle
from typing import Any, Final

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from referee.games import GAMES
from tests.table import LANGUAGES
from tests.walk.kinds import acting, met
from tests.walk.scenes import Walk
from tests.walk.screens import Screens

from .bench import Api, Bench, form, held, settled, tap, touch
from .test_reach import riding
from .touching import Finger, middle

pytestmark = pytest.mark.browser

OPEN: Final = "dialog[open] dt:visible"
HAS_TERM: Final = """async (name) => {
  const { termAt } = await import(`/static/0/js/meaning.js?${name}`);
  const acts = document.querySelectorAll(":is(#ask, #desk) :is(button, label, summary)");
  const told = new Set(), dumb = new Set();
  for (const node of acts) {
    if (!node.checkVisibility({ visibilityProperty: true })) continue;
    node.scrollIntoView({ block: "center" });
    const { x, y, width, height } = node.getBoundingClientRect();
    const term = termAt(node, x + width / 2, y + height / 2);
    if (term === undefined) dumb.add(node.outerHTML.slice(0, 200));
    else told.add(term);
  }
  return [Array.from(told), Array.from(dumb)];
}"""
BUSY: Final = """([after, long]) => { addEventListener("pointerdown", () => setTimeout(() => {
  const end = performance.now() + long;
  while (performance.now() < end);
}, after), { once: true }); }"""


@pytest.mark.parametrize("key", GAMES)
def test_all_that_acts_carries_a_term(screens: Screens, app: Flask, key: str) -> None:
    """At every kind of question that a phone or the host's display asks, in every game."""
    walk, languages, terms = Walk(app), cycle(LANGUAGES), GAMES[key].screens.TERMS
    dumb: dict[str, Any] = {}
    for number, one in enumerate(acting(met(key)).values()):
        scene = walk.of(one, next(languages))
        told, silent = screens.show(scene).evaluate(HAS_TERM, f"{key}-{number}")
        assert {*told} <= {*terms, ""}, scene.name
        if silent:
            dumb[scene.name] = silent
    assert dumb == {}


def auction(bench: Bench) -> tuple[Api, Page]:
    """Open the phone of whoever may draw the first plot."""
    api = bench.open(3)
    api.start()
    return api, settled(bench.seat(api, api.public()["star"]))


def test_a_rest_on_a_button_explains_it_and_does_nothing(bench: Bench) -> None:
    """Neither at once nor as the finger is lifted; a tap then does what it always did."""
    api, page = auction(bench)
    button = form(page, "draw_plot").locator("button")
    with held(page, button):
        expect(page.locator(OPEN)).to_have_count(1)
    expect(page.locator("dialog[open] dt:visible")).to_have_text("Plot")
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert api.public()["plot"] is None

    tap(page, button)
    assert api.public()["plot"] is not None


def test_a_rest_on_a_choice_or_a_fold_changes_nothing(bench: Bench) -> None:
    """A radio stays as it was, a fold stays shut, and the next tap on either does what it says."""
    api = bench.open(3, auction="spoken")
    api.start()
    api.draw_plot()
    page = settled(bench.seat(api, api.public()["star"]))
    label = form(page, "record_sale").first.locator("label").first
    fold = page.locator("#ask summary").first
    for place in (label, fold):
        with held(page, place):
            expect(page.locator(OPEN)).to_have_count(1)
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
    expect(label.locator("input")).not_to_be_checked()
    assert page.locator("#ask details[open]").count() == 0
    touch(label)
    expect(label.locator("input")).to_be_checked()
    touch(fold)
    expect(page.locator("#ask details[open]")).to_have_count(1)


def test_a_tap_on_a_slow_machine_is_a_tap(bench: Bench) -> None:
    """The page hears of it seconds later: it was short all the same, and does what it says."""
    api, page = auction(bench)
    page.evaluate(BUSY, [0, 3000])
    with page.expect_response("**/act") as answered:
        Finger(page).tap(middle(form(page, "draw_plot").locator("button")), time.time())
    assert answered.value.status == 204
    assert page.locator("dialog[open]").count() == 0
    assert api.public()["plot"] is not None


def test_a_rest_on_a_slow_machine_is_a_rest(bench: Bench) -> None:
    """The page hears at once that the finger came and went, but it lay there for a second."""
    api, page = auction(bench)
    version = api.see()["version"]
    finger, down = Finger(page), time.time()
    finger.down(middle(form(page, "draw_plot").locator("button")), down)
    finger.up(down + 1)
    expect(page.locator(OPEN)).to_have_text("Plot")
    assert api.see()["version"] == version


def test_keys_act_after_a_rest(bench: Bench) -> None:
    """The click that a rest swallows is the finger's, and no later one of a key."""
    api, page = auction(bench)
    button = form(page, "draw_plot").locator("button")
    with held(page, button):
        expect(page.locator(OPEN)).to_have_count(1)
    page.keyboard.press("Escape")
    button.focus()
    with page.expect_response("**/act") as answered:
        page.keyboard.press("Enter")
    assert answered.value.status == 204
    assert api.public()["plot"] is not None


@pytest.mark.parametrize(
    ("game", "part", "what", "term"),
    [
        ("winchester", "overview", ".counts .ico >> nth=0", "Movement token"),
        ("desperados", "where", "use[href='#k-bank'] >> nth=0", "Bank"),
        ("moon_river", "ask", ".spot-btn .tile use >> nth=0", "Landscape"),
    ],
)
def test_a_rest_on_a_sign_tells_its_term(
    bench: Bench, game: str, part: str, what: str, term: str
) -> None:
    """Of tokens, on the map and on tiles: what is drawn says what it stands for."""
    if game == "desperados":
        page = settled(bench.seat(riding(bench), 2))
    else:
        # Of some tiles the first sign is a circle.
        api = bench.open(3, game, seed="signs")
        api.start()
        page = settled(bench.seat(api, api.public()["waiting_for"][0]))
    with held(page, page.locator(f"#{part} {what}")):
        expect(page.locator(OPEN)).to_have_text(term)
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)

"""Taps in haste: what comes under a tapping finger is not done; who looks is not held up."""

from __future__ import annotations

import time
from typing import Final

import pytest
from playwright.sync_api import expect

from .bench import Bench, form, jab, settled, touch
from .touching import Finger, middle

pytestmark = pytest.mark.browser

NOTE: Final = """(part) => new MutationObserver(() => {
  globalThis.drawnAt = (performance.timeOrigin + performance.now()) / 1000;
}).observe(document.querySelector(part), { childList: true })"""
HEARD: Final = """
  const listen = EventSource.prototype.addEventListener;
  EventSource.prototype.addEventListener = function (name, call) {
    globalThis.stream = this;
    listen.call(this, name, call);
  };
"""
DRAWS_ANEW: Final = """([was, now]) => {
  const data = document.querySelector("#ask").innerHTML.replace(was, now) + "<i></i>";
  const event = new MessageEvent("ask", { data });
  addEventListener("pointerdown", () => stream.dispatchEvent(event), { once: true });
}"""
"""As somebody else's tap does, while a finger lies there."""
NOTE_FRESH: Final = """() => new MutationObserver(() => { globalThis.wasFresh = true; })
  .observe(document.body, { subtree: true, attributeFilter: ["data-fresh"] })"""
DRAWN: Final = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
LATER: Final = 5


def test_of_three_quick_taps_one_acts(bench: Bench) -> None:
    """The next question's button says that it changed just now; a moment later it acts.

    So it does where the page hears late of a finger that came down before that was drawn.
    """
    api = bench.open(3)
    api.start()
    page = settled(bench.seat(api, api.public()["star"]))
    page.evaluate(NOTE, "#ask")
    finger = Finger(page)
    with page.expect_response("**/act"):
        # As if the finger were tapping on while the answer comes, however long that takes.
        finger.tap(middle(form(page, "draw_plot").locator("button")), time.time() + LATER)
    bid = form(page, "bid").first.locator("button").first
    bid.wait_for()
    drawn = page.evaluate("drawnAt")
    version = api.see()["version"]
    for later in (-0.05, 0.1, 0.2):
        finger.tap(middle(bid), drawn + later)
    expect(page.locator("#said")).to_have_text("This changed just now. Look, then tap.")
    assert api.see()["version"] == version

    with page.expect_response("**/act") as answered:
        finger.tap(middle(bid), drawn + LATER)
    assert answered.value.status == 204


def test_a_second_tap_chooses_and_explains_nothing_that_came_or_moved_under_it(
    bench: Bench,
) -> None:
    """What is drawn anew makes room: a "?" that was not drawn moves there as well."""
    api = bench.open(3, preset="boxed", auction="spoken")
    api.start()
    for objective in ("all_tokens", "five_plots", "dry_saloon", "last_auction", "four_alike"):
        api.act(api.tokens[0], {"type": "lay_objective", "objective": objective})
    page = settled(bench.seat(api, api.public()["star"]))
    page.evaluate(NOTE, "#ask")
    page.evaluate(NOTE_FRESH)
    finger = Finger(page)
    with page.expect_response("**/act"):
        finger.tap(middle(form(page, "draw_plot").locator("button").first), time.time() + LATER)
    choice = form(page, "record_sale").first.locator("label").first
    choice.wait_for()
    drawn = page.evaluate("drawnAt")
    finger.tap(middle(choice), drawn + 0.1)
    expect(choice.locator("input")).not_to_be_checked()
    expect(page.locator("[data-fresh]")).to_have_count(0)
    assert page.evaluate("wasFresh")
    explained = page.locator("#overview a.q").first
    touch(explained)
    expect(page.locator("dialog[open]")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    # As fresh as it was, for as long as a busy machine takes to tap.
    page.evaluate("document.querySelector('#ask').dataset.fresh = ''")
    jab(explained)
    page.evaluate(DRAWN)
    expect(page.locator("dialog[open]")).to_have_count(0)


@pytest.mark.parametrize("now", ["Something else", "Draw the first plot"])
def test_what_comes_under_a_finger_that_lies_there_is_not_done(bench: Bench, now: str) -> None:
    """Drawn anew between down and up: another button is not pressed, the same one is."""
    api = bench.open(3)
    api.start()
    page = settled(bench.seat(api, api.public()["star"]))
    button = form(page, "draw_plot").locator("button")
    page.add_init_script(HEARD)
    page.reload()
    settled(page)
    version = api.see()["version"]
    page.evaluate(DRAWS_ANEW, ["Draw the first plot", now])
    if now == "Draw the first plot":
        with page.expect_response("**/act") as answered:
            Finger(page).tap(middle(button), time.time())
        assert answered.value.status == 204
    else:
        Finger(page).tap(middle(button), time.time())
        expect(page.locator("#said")).to_have_text("This changed just now. Look, then tap.")
        assert api.see()["version"] == version


def test_who_did_not_tap_before_is_never_held_up(bench: Bench) -> None:
    """Others acted, the question came, and a quick finger answers it at once."""
    api = bench.open(3)
    api.start()
    star = api.public()["star"]
    page = settled(bench.seat(api, (star + 1) % 3))
    page.evaluate(NOTE, "#ask")
    api.draw_plot()
    api.act(api.tokens[star], {"type": "bid", "amount": 1000})
    bid = form(page, "bid").first.locator("button").first
    bid.wait_for()
    with page.expect_response("**/act") as answered:
        Finger(page).tap(middle(bid), page.evaluate("drawnAt") + 0.05)
    assert answered.value.status == 204

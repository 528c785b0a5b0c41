"""Whoever waits: what the bar says once, folds as they were left, the end told on from a phone."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import expect

from .bench import Bench, held, settled, tap, touch

pytestmark = pytest.mark.browser

SCROLLS = """() => {
  const move = () => document.body.dispatchEvent(new Event("touchmove", { bubbles: true }));
  move();
  setInterval(move, 100);
  // A slow phone lays a page out between one part and the next.
  const layOut = new MutationObserver(() => document.body.offsetHeight);
  layOut.observe(document.body, { childList: true, subtree: true });
}"""


def test_the_bar_says_once_where_the_secret_is_and_a_fold_stays_as_it_was_left(
    bench: Bench,
) -> None:
    """It goes with the first look, for good; what one folded away stays away when all is new."""
    api = bench.open(3, auction="sealed")
    api.start()
    page = bench.seat(api, 0)
    once, goals = page.locator("#own .look-once"), page.locator("[data-fold=goals]")
    expect(once).to_be_visible()
    expect(goals).to_have_attribute("open", "")
    with held(page, page.locator("#own .peek-btn")):
        expect(page.locator("#own .peek-secret")).to_be_visible()
    expect(once).to_be_hidden()
    touch(goals.locator("summary"))
    expect(goals).not_to_have_attribute("open", "")

    api.draw_plot()
    for seat, amount in ((0, 2000), (1, 1000), (2, 0)):
        api.submit(seat, amount)

    expect(page.locator("[data-fold=prices]")).to_be_attached()
    expect(goals).not_to_have_attribute("open", "")
    page.reload()
    expect(goals).to_be_attached()
    expect(once).to_be_hidden()


def test_any_phone_lets_the_display_go_on(bench: Bench) -> None:
    """A tap on a phone is a step on the big screen, and a step there is one on every phone."""
    api = bench.open(3, auction="sealed")
    api.start()
    rng = random.Random(1)
    while (public := api.public())["result"] is None:
        token = api.tokens[public["waiting_for"][0]]
        api.act(token, rng.choice(api.see(token)["legal"]))
    display, page = bench.screen(api), bench.seat(api, 1)
    step = page.locator("#step [name=to]")
    expect(step).to_have_value("1")

    tap(page, page.locator("#step button"), to="next")
    expect(display.locator("table.stage:visible")).to_have_count(1)
    expect(display.locator("table.stage[data-step-at='1']")).to_be_visible()
    expect(step).to_have_value("2")
    touch(display.locator("[data-next]"))
    expect(display.locator("table.stage[data-step-at='2']")).to_be_visible()


def test_a_raised_button_covers_no_amount_beside_a_hint(bench: Bench) -> None:
    """On the smallest phone a newcomer's hint takes the room in which a stepper rises."""
    api = bench.open(3, seed="waiting")
    api.start()
    api.draw_plot()
    seat = api.public()["waiting_for"][0]
    page = bench.seat(api, seat, viewport={"width": 320, "height": 640})
    where = "(node) => [node.getBoundingClientRect().top, node.getBoundingClientRect().bottom]"
    with api.shown_how(seat):
        expect(page.locator(".hint")).to_be_visible()
        hint, amounts, stepper, button = (
            page.locator(each).evaluate(where)
            for each in (".hint", "#ask .bids", "#ask .stepper", "#ask .btn-primary.btn-wide")
        )
    assert hint[1] <= amounts[0]
    assert amounts[1] <= stepper[0]
    assert button[1] <= 640, "what most people do next is in sight"


@pytest.mark.parametrize("reads", [False, True])
def test_who_is_asked_far_down_a_page_is_shown_the_question(bench: Bench, *, reads: bool) -> None:
    """Not who scrolls just then: nothing moves under a finger."""
    api = bench.open(4, "desperados")
    api.start()
    page = settled(bench.seat(api, 1))
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.wait_for_function("scrollY > 200")
    far = page.evaluate("scrollY")
    if reads:
        page.evaluate(SCROLLS)
    api.act(api.tokens[0], {"type": "place_marshal", "city": "Aztec"})
    for _ in range(3):
        settled(page)
        api.act(api.tokens[0], {"type": "place_sheriff", "city": "Salem"})
    expect(settled(page).locator("body")).to_have_class(re.compile("asked"))

    expect(page.locator("#ask h1")).to_have_text("Where do you begin?")
    # Who reads stays at least as far down: what is new above them moves them along.
    assert page.evaluate("scrollY") >= 0.7 * far if reads else page.evaluate("scrollY") == 0

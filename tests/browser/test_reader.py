"""Whoever reads beside the game: not asleep, told of their turn, and back at the question."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from .bench import Api, Bench, follow

pytestmark = pytest.mark.browser

BEAT_MS = 12_000
ASLEEP_S = 30
FELT = "navigator.vibrate = () => { window.buzzes = (window.buzzes || 0) + 1; return true; };"

NOTE_FIRST = """new MutationObserver(() => {
  const link = document.querySelector("#wanted a");
  if (link) window.first ??= getComputedStyle(link).pointerEvents;
}).observe(document.getElementById("wanted"), { childList: true })"""
"""Whether a finger gets past the link in the moment in which that appears."""


def opened(bench: Bench, api: Api, seat: int, path: str) -> Page:
    """Open a page beside the game whose clock is the test's, and touch it as a reader does."""
    page = bench.seat(api, seat, stands=True)
    page.add_init_script(FELT)
    page.goto(f"{bench.base}/s/{api.code}/{seat}/{path}")
    page.wait_for_selector("html[data-ready=whole]")
    page.touchscreen.tap(180, 700)
    return page


def beat(page: Page, times: int = 1) -> None:
    """Let so many beats pass, each with its answer."""
    for _ in range(times):
        with page.expect_response("**/reading") as answered:
            page.clock.fast_forward(BEAT_MS)
        assert answered.value.status == 200


def waits_for(api: Api) -> int:
    """Name the one seat that the table waits for."""
    (seat,) = api.public()["waiting_for"]
    return int(seat)


def test_a_reader_is_told_of_their_turn_and_comes_back_to_it(bench: Bench) -> None:
    """Within a beat, on the page itself, which stays where it is; and only as long as it is so."""
    api = bench.open(3, seed="reader")
    api.start()
    api.draw_plot()
    first = waits_for(api)
    reader = next(seat for seat in range(3) if seat != first)
    page = opened(bench, api, reader, "terms")
    wanted, header = page.locator("#wanted a"), page.locator("header")
    expect(wanted).to_have_count(0)
    page.evaluate(NOTE_FIRST)
    page.evaluate("scrollTo(0, 300)")
    beat(page)
    where = "() => [scrollY, document.querySelector('dd').getBoundingClientRect().top]"
    before = page.evaluate(where)

    while waits_for(api) != reader:
        api.act(api.tokens[waits_for(api)], {"type": "pass"})
    beat(page)

    expect(wanted).to_contain_text("The table waits for you")
    assert page.evaluate("window.first") == "none", "a finger on its way means what was there"
    assert page.evaluate(where) == before, "nothing moves under a finger"
    assert page.evaluate("window.buzzes") == 1
    shown, top = wanted.bounding_box(), header.bounding_box()
    assert shown
    assert top
    assert shown["y"] == top["y"] == 0
    assert abs(shown["height"] - top["height"]) < 2, "it lies over the header, and over no form"
    beat(page, 2)
    assert page.evaluate("window.buzzes") == 1, "said once"
    expect(wanted).to_have_css("pointer-events", "auto")

    api.act(api.tokens[reader], {"type": "pass"})
    beat(page)
    expect(wanted).to_have_count(0)


@pytest.mark.parametrize("path", ["menu", "rules", "terms", "box", "told"])
def test_a_reader_is_not_asleep(bench: Bench, path: str) -> None:
    """Of a page that is read for longer than that, no silence is as long as one of a sleeper."""
    api = bench.open(3)
    api.start()
    page = opened(bench, api, 1, path)
    beat(page, 2 * 1000 * ASLEEP_S // BEAT_MS)

    assert 2 * BEAT_MS < 1000 * ASLEEP_S, "one may be lost"


def test_who_comes_back_from_reading_sees_the_question(bench: Bench) -> None:
    """In a window so low that it begins below the ranch; who waits sees the page from its top."""
    api = bench.open(3, "moon_river", seed="reader")
    api.start()
    asked = waits_for(api)
    for seat in (asked, (asked + 1) % 3):
        page = bench.seat(api, seat, viewport={"width": 360, "height": 300})
        expect(page.locator("#ask .ask").first).not_to_be_in_viewport()
        follow(page, page.locator("#head a[href$=menu]"))
        follow(page, page.get_by_role("link", name="Back to the game").last)
        page.wait_for_selector("html[data-ready=whole]")
        question = expect(page.locator("#ask .ask").first)
        if seat == asked:
            question.to_be_in_viewport()
        else:
            question.not_to_be_in_viewport()


def test_a_reader_whose_seat_moved_says_no_more_that_they_are_here(bench: Bench) -> None:
    """Nor is that phone told of a turn that is another's by now."""
    bench.expect(r"status of 403 .*/reading'")
    api = bench.open(3, seed="reader")
    api.start()
    api.draw_plot()
    reader = waits_for(api)
    page = opened(bench, api, reader, "menu")
    expect(page.locator("#wanted a")).to_have_count(1)

    where, seat = f"/t/{api.code}/release", {"seat": str(reader)}
    send = "([where, seat]) => fetch(where, { method: 'POST', body: new URLSearchParams(seat) })"
    bench.screen(api).evaluate(send, [where, seat])
    with page.expect_response("**/reading") as answered:
        page.clock.fast_forward(BEAT_MS)

    assert answered.value.status == 403
    expect(page.locator("#wanted a")).to_have_count(0)
    expect(page.locator("body")).not_to_have_attribute("data-here", re.compile("."))

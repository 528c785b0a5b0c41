"""What a word means, over the page: by finger and by keys, and with one request for all."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from .bench import Bench
from .touching import held, jab, settled, touch

pytestmark = pytest.mark.browser

NARROW = {"width": 320, "height": 640}


def narrow(bench: Bench, secret: str) -> tuple[Page, list[str]]:
    """Open a phone at an auction, and list what it asks the server for when a term is opened."""
    api = bench.open(3)
    api.start()
    api.draw_plot()
    page = settled(bench.seat(api, 0, viewport=NARROW))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.partition("?")[0]))
    button = page.locator(".peek-btn")
    if secret:
        with held(page, button):
            link = page.locator(".peek-secret a.q").first
            link.dispatch_event("pointerdown")
            link.dispatch_event("click")
            expect(page.locator("dialog[open] dt:visible")).to_have_count(1)
    else:
        touch(page.locator("#overview .goals a.q").first)
        expect(page.locator("dialog[open] dt:visible")).to_have_count(1)
    return page, asked


def test_a_secret_is_explained_as_anything_else(bench: Bench) -> None:
    """What the phone asks for is the same, once, and what it shows fits; a form stays as it was."""
    page, one = narrow(bench, "")
    field = page.locator("#ask input[data-amount]")
    _, other = narrow(bench, "own")
    about = [[url for url in urls if "/terms" in url] for urls in (one, other)]
    assert about[0] == about[1]
    assert len(about[0]) == 1
    assert about[0][0].endswith("/terms/winchester/en")

    box = page.locator("dialog[open]")
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    for link in page.locator("a.q:visible").all():
        size = link.bounding_box()
        assert size is None or min(size["width"], size["height"]) >= 44
    jab(box.locator("[data-all]"))
    expect(box.locator("dt:visible")).not_to_have_count(1)
    jab(box.locator("form button").first)
    expect(page.locator("dialog[open]")).to_have_count(0)
    if field.count():
        expect(field.first).to_be_visible()


def test_keys_open_a_term_and_bring_the_focus_back(bench: Bench) -> None:
    """Enter opens it, Escape closes it; a finger that rests on an objective opens it too."""
    api = bench.open(3)
    api.start()
    page = settled(bench.seat(api, 0))
    link = page.locator("#head a.q")
    link.focus()
    page.keyboard.press("Enter")
    expect(page.locator("dialog[open] dt:visible")).not_to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(link).to_be_focused()

    with held(page, page.locator("#overview .goals li span").first):
        expect(page.locator("dialog[open] dt:visible")).to_have_count(1)
    expect(page.locator("dialog[open]")).to_have_count(1)


def test_a_word_that_cannot_be_looked_up_says_so(bench: Bench) -> None:
    """The server is out of reach: one sentence instead of silence, and later the word itself."""
    api = bench.open(3)
    api.start()
    page = settled(bench.seat(api, 0, locale="de-DE"))
    word, said = page.locator("#overview .goals li span").first, page.locator("#warned")
    bench.expect("ERR_FAILED")
    page.route("**/terms/**", lambda route: route.abort())
    with held(page, word):
        expect(said).to_have_text(
            "Die Erklärung ließ sich gerade nicht holen. Versuche es gleich noch einmal."
        )
    page.unroute("**/terms/**")
    with held(page, word):
        expect(page.locator("dialog[open] dt:visible")).to_have_count(1)

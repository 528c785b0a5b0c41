"""What holds for pages as such: secrets under a thumb, languages, no scripts, many tabs."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .bench import (
    DISPLAY,
    NAMES,
    PHONE,
    Bench,
    begin,
    fits,
    follow,
    form,
    held,
    jab,
    set_visibility,
    sit_down,
    touch,
)

pytestmark = pytest.mark.browser

STREAMS = 4


def test_secrets_are_shown_only_while_held(bench: Bench) -> None:
    """Shut before, after, and whenever the page is left; open for a finger, a mouse, a key."""
    api = bench.open(3)
    api.start()
    page = bench.seat(api, 0)
    button, secret = page.locator("#own .peek-btn"), page.locator("#own .peek-secret")
    expect(secret).to_be_hidden()
    with held(page, button):
        expect(secret).to_be_visible()
        page.wait_for_timeout(900)
        expect(secret).to_be_visible()
    expect(secret).to_be_hidden()
    for leave in ("blur", "pointercancel"):
        with held(page, button):
            expect(secret).to_be_visible()
            page.evaluate("name => dispatchEvent(new Event(name))", leave)
            expect(secret).to_be_hidden()
    with held(page, button):
        expect(secret).to_be_visible()
        set_visibility(page, "hidden")
        expect(secret).to_be_hidden()
        set_visibility(page, "visible")
        expect(secret).to_be_hidden()
    for key in ("Space", "Enter"):
        button.focus()
        page.keyboard.down(key)
        expect(secret).to_be_visible()
        page.keyboard.up(key)
        expect(secret).to_be_hidden()
    button.hover()
    page.mouse.down()
    expect(secret).to_be_visible()
    page.mouse.up()
    expect(secret).to_be_hidden()


def test_a_held_secret_is_shut_by_what_happens_at_the_table(bench: Bench) -> None:
    """A live update never leaves secrets open after the finger is gone."""
    api = bench.open(3, auction="sealed")
    api.start()
    page = bench.seat(api, 0)
    secret = page.locator("#own .peek-secret")
    with held(page, page.locator("#own .peek-btn")):
        expect(secret).to_be_visible()
        api.draw_plot()
        api.submit(0, 3000)
        form(page, "submit_bid").first.wait_for(state="attached")  # folded: the bid is in
    expect(secret).to_be_hidden()


@pytest.mark.parametrize(("lang", "amount"), [("de", "1.000\\s\\$"), ("fr", "1\\s000\\s\\$")])
def test_a_phone_speaks_its_own_language(bench: Bench, lang: str, amount: str) -> None:
    """A person picks a language on the phone; live parts and amounts follow, others keep theirs."""
    display, phones, api = bench.auction(3)
    index = api.public()["waiting_for"][0]
    page, other = phones[index], phones[index - 1]
    english = page.locator("#own .peek-btn").inner_text()
    page.goto(f"{bench.base}/s/{api.code}/{index}/menu")
    follow(page, page.locator(f".languages button[value={lang}]"))
    fits(page)
    follow(page, page.locator("a.btn-primary"))
    expect(page.locator("html")).to_have_attribute("lang", lang)
    expect(other.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("#own .peek-btn")).not_to_have_text(english)
    bids = page.locator("#ask .bids .btn")
    expect(bids.first).to_have_text(re.compile(amount))
    fits(page)
    touch(bids.first)
    expect(page.locator("#ask .bids")).to_have_count(0)
    expect(page.locator("#facts")).to_have_text(re.compile(amount))
    expect(display.locator("#question")).to_contain_text("$1,000")


def test_a_whole_turn_works_without_scripts(bench: Bench) -> None:
    """Open, join, start, draw, bid and pass by plain forms; a reload shows what is new."""
    plain: dict[str, Any] = {"java_script_enabled": False}
    display = bench.display(**plain)
    touch(display.locator("button[value=winchester]"))
    code = display.url.rsplit("/", 1)[1]
    display.locator("#o-preset").select_option("app")
    follow(display, display.locator("form.card[action$=options] noscript button"))
    phones = []
    for name in NAMES[:3]:
        page = bench.phone(f"/j/{code}", **plain)
        sit_down(page, name)
        phones.append(page)
    display.reload()
    begin(display)

    def asked(kind: str) -> Page:
        for page in phones:
            page.reload()
            if form(page, kind).count():
                return page
        pytest.fail(f"nobody is asked to {kind}")

    star = asked("draw_plot")
    follow(star, form(star, "draw_plot").locator("button"))
    bidder = asked("bid")
    follow(bidder, bidder.locator("#ask .bids .btn").nth(2))
    expect(bidder.locator("#ask .bids")).to_have_count(0)
    for _ in range(2):
        page = asked("pass")
        follow(page, form(page, "pass").locator("button"))
    display.reload()
    expect(display.locator("#log")).to_contain_text("$3,000")
    bidder.reload()
    secret = bidder.locator("#own .peek-secret")
    expect(secret).to_be_hidden()
    bidder.locator("#own .peek-btn").hover()
    bidder.mouse.down()
    expect(secret).to_be_visible()
    bidder.mouse.up()
    expect(secret).to_be_hidden()


def test_eight_tabs_of_one_browser_all_load(bench: Bench) -> None:
    """The oldest tabs give up their streams, so that no tab waits for a connection."""
    api = bench.open(3)
    api.start()
    first = bench.screen(api)
    tabs = [first]
    for _ in range(7):
        tab = first.context.new_page()
        tab.goto(first.url)  # one that has to wait for a connection is never there
        tabs.append(tab)
    moved = tabs[:-STREAMS]
    for tab in moved:
        expect(tab.locator("#offline")).to_contain_text("another tab")
        expect(tab.locator("#offline")).to_be_visible()
    api.draw_plot()
    for tab in tabs[-STREAMS:]:
        tab.locator("#question .bidline").wait_for()
    jab(moved[0].locator("#offline"))
    moved[0].locator("#question .bidline").wait_for()


def test_one_browser_with_every_seat_and_the_display_still_acts(bench: Bench) -> None:
    """Somebody who tries the game alone, a tab a seat, does not run out of connections."""
    context = bench.context(DISPLAY)
    display = context.new_page()
    display.goto(bench.base)
    touch(display.locator("button[value=winchester]"))
    display.wait_for_url("**/t/*")
    code = display.url.rsplit("/", 1)[1]
    for name in NAMES:
        tab = context.new_page()
        tab.goto(f"{bench.base}/j/{code}?more=1")
        sit_down(tab, name)
    late = context.new_page()
    late.goto(f"{bench.base}/t/{code}")
    begin(late)


def test_every_page_fits_a_small_phone(bench: Bench) -> None:
    """Start, help, join, lobby, menu, rules and refusals: nothing sticks out, all can be tapped."""
    api = bench.open(3)
    page = bench.seat(api, 0)
    fits(page)
    for fold in page.locator("main > details > summary:visible").all():
        touch(fold)
    fits(page)
    seat = f"/s/{api.code}/0"
    paths = ["/", "/help", f"/j/{api.code}?more=1", f"{seat}/menu", f"{seat}/rules"]
    for lang in ("de", "fr"):
        foreign = bench.phone(f"/j/{api.code}", locale=lang)
        expect(foreign.locator("html")).to_have_attribute("lang", lang)
        fits(foreign)
    for path in paths:
        page.goto(bench.base + path)
        fits(page)
    api.start()
    for path in (seat, f"{seat}/menu", f"{seat}/rules", f"/j/{api.code}?more=1"):
        page.goto(bench.base + path)
        for summary in page.locator("main summary").all():
            touch(summary)
        fits(page)
    bench.expect("status of 404")
    page.goto(f"{bench.base}/j/XXXXX")
    fits(page)
    assert page.context.cookies()
    assert PHONE["viewport"]["width"] == page.evaluate("innerWidth")

"""Seats that move: a phone that forgot, a phone that is empty, a host who comes back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from .bench import NAMES, Bench, bid_sealed, fits, follow, form, peeked, touch

pytestmark = pytest.mark.browser

LIES_WHOLE = """() => {
  const menu = document.querySelector(".menu[open] > ul");
  const box = menu.getBoundingClientRect();
  return menu.scrollHeight <= menu.clientHeight && box.top >= 0 && box.left >= 0;
}"""
"""An open menu shows all it has at once."""

AT_THE_DOOR = re.compile(r"/j/[A-Z0-9]+$")


def is_shut(bench: Bench, page: Page) -> None:
    """Check that a page that lost its seat went back to the door, with nothing on it."""
    # It says that it is awake, now and then, until it hears that its seat has moved.
    bench.expect(r"status of 403 .*/here'")
    page.wait_for_url(AT_THE_DOOR)
    assert "$" not in page.content()
    expect(page.locator("[data-peek]")).to_have_count(0)


def test_a_phone_that_forgot_everything_gets_its_seat_back(bench: Bench) -> None:
    """It taps its name, the host lets it in by the number on both screens, the old page is shut."""
    display, phones, api = bench.auction(3, auction="sealed")
    old, other = phones[0], phones[1]
    secrets = peeked(old)
    phone = bench.seat(api, 0)
    phone.context.clear_cookies()
    phone.goto(f"{bench.base}/j/{api.code}")
    fits(phone)
    follow(phone, phone.get_by_role("button", name=NAMES[0]))
    number = phone.locator("main .big").inner_text()
    fits(phone)
    notice = display.locator("#notice form")
    expect(notice).to_contain_text(f"It shows the number {number}.")
    expect(notice).to_contain_text(NAMES[0])
    expect(other.locator("#notice form")).to_have_count(0)
    touch(notice.get_by_role("button", name="Let it in"))
    phone.wait_for_url(f"**/s/{api.code}/0")
    assert peeked(phone) == secrets
    bid_sealed(phone, 3000)
    expect(phone.locator("#ask")).to_contain_text("Your bid is in")
    is_shut(bench, old)
    expect(display.locator("#log")).to_contain_text("moved to another phone")
    expect(notice).to_have_count(0)


def test_the_host_can_say_no_to_a_stranger(bench: Bench) -> None:
    """Who only knows a name gets nothing, and the seat's own phone plays on."""
    display, phones, api = bench.auction(3, auction="sealed")
    own = phones[1]
    stranger = bench.phone(f"/j/{api.code}")
    touch(stranger.get_by_role("button", name=NAMES[1]))
    expect(own.locator("#notice form")).to_be_visible()
    touch(display.locator("#notice form").get_by_role("button", name="No"))
    expect(stranger.locator("main")).to_contain_text("The table said no")
    expect(own.locator("#notice form")).to_have_count(0)
    bid_sealed(own, 1000)
    assert api.public()["auction"]["submitted"] == [1]


def test_a_seat_moves_by_the_code_on_its_own_phone(bench: Bench) -> None:
    """The menu shows an address; the phone that opens it and says yes has the seat."""
    display, phones, api = bench.auction(3, auction="sealed")
    old = phones[2]
    secrets = peeked(old)
    second = old.context.new_page()
    second.goto(old.url)
    follow(old, old.locator("a[href$='/menu']"))
    fits(old)
    follow(old, old.get_by_role("button", name="Move to another phone"))
    fits(old)
    address = old.locator("main .code").inner_text()
    phone = bench.phone("/")
    phone.goto(f"http://{address}")
    fits(phone)
    touch(phone.get_by_role("button", name="Move it here"))
    phone.wait_for_url(f"**/s/{api.code}/2")
    assert peeked(phone) == secrets
    is_shut(bench, second)
    expect(old.locator("main")).to_contain_text("seat moved to another phone")
    expect(old.locator("main").get_by_role("link")).to_have_text(["Back to the table"])
    expect(old.locator(".qr")).to_have_count(0)
    touch(old.get_by_role("link", name="Back to the table"))
    is_shut(bench, old)
    expect(display.locator("#log")).to_contain_text("moved to another phone")
    bench.expect(r"status of 404 .*/m/")
    again = phone.goto(f"http://{address}")
    assert again is not None
    assert again.status == 404
    fits(phone)


def free(display: Page, name: str) -> None:
    """Free a seat on the host's page, which asks first."""
    row = display.locator(".between:has(form[action$='/release'])").filter(has_text=name)
    touch(row.locator("summary"))
    touch(row.get_by_role("button"))


def test_the_host_frees_the_seat_of_a_phone_that_is_gone(bench: Bench) -> None:
    """Anybody may then sit down there; the host still holds the table after a reload."""
    display, phones, api = bench.auction(3, auction="sealed")
    old = phones[1]
    display.reload()
    touch(display.locator("footer .menu summary"))
    for width, height in ((1024, 600), (1366, 768), (1920, 1080)):
        display.set_viewport_size({"width": width, "height": height})
        assert display.evaluate(LIES_WHOLE), (width, height)
    follow(display, display.locator("a[href$='/host']"))
    fits(display, is_phone=False)
    free(display, NAMES[1])
    expect(display.get_by_text("free", exact=True)).to_be_visible()
    display.goto(f"{bench.base}/t/{api.code}")
    expect(display.locator("#log")).to_contain_text(f"freed {NAMES[1]}'s seat")
    expect(display.locator("#players")).to_contain_text("seat is free")
    is_shut(bench, old)
    phone = bench.phone(f"/j/{api.code}")
    touch(phone.get_by_role("button", name=NAMES[1]))
    phone.wait_for_url(f"**/s/{api.code}/1")
    form(phone, "submit_bid").first.wait_for()
    expect(display.locator("#players")).not_to_contain_text("seat is free")


def test_a_seat_freed_by_mistake_is_given_back_with_one_tap(bench: Bench) -> None:
    """The phone that was shown the door goes on where it was."""
    display, phones, api = bench.auction(3, auction="sealed")
    old = phones[1]
    secrets = peeked(old)
    display.goto(f"{bench.base}/t/{api.code}/host")
    free(display, NAMES[1])
    is_shut(bench, old)
    follow(display, display.get_by_role("button", name="Give it back"))
    expect(display.locator("main [role=status]")).to_contain_text(f"gave {NAMES[1]}'s seat back")
    fits(display, is_phone=False)
    old.reload()
    old.wait_for_url(f"**/s/{api.code}/1")
    assert peeked(old) == secrets
    bid_sealed(old, 1000)


def test_the_host_acts_for_somebody_who_is_away(bench: Bench) -> None:
    """The game goes on for a seat that has no phone, in the open; the phone takes it again.

    For those who are there the host's page offers nothing.
    """
    display, phones, api = bench.auction(3)
    index = api.public()["waiting_for"][0]
    away = phones[index]
    away.goto("about:blank")
    display.goto(f"{bench.base}/t/{api.code}/host")
    expect(display.locator("form[action$='/act-for'] button")).to_have_count(0)
    free(display, NAMES[index])
    touch(display.locator(".sure:has(form[action$='/act-for']) > summary").first)
    touch(display.locator("form[action$='/act-for'] button").first)
    display.goto(f"{bench.base}/t/{api.code}")
    expect(display.locator("#log")).to_contain_text("the host, for the player")
    assert api.public()["waiting_for"] != [index]
    away.goto(f"{bench.base}/j/{api.code}")
    touch(away.get_by_role("button", name=NAMES[index]))
    away.wait_for_url(f"**/s/{api.code}/{index}")
    away.locator("#own .peek-btn").wait_for()

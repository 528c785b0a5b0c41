"""A server that is killed, stopped, and started again under open pages."""

from __future__ import annotations

import shutil
import signal

import pytest
from playwright.sync_api import Page, Route, expect

from .bench import NAMES, Bench, bid_sealed, form, jab, money, peeked, until

pytestmark = pytest.mark.browser

GONE = (
    r"\[object Event\].*htmx",  # htmx writes that a stream broke
    "ERR_CONNECTION_REFUSED",
    "ERR_CONNECTION_RESET",
    "ERR_EMPTY_RESPONSE",
    "ERR_INCOMPLETE_CHUNKED_ENCODING",
    "ERR_SOCKET_NOT_CONNECTED",
)
LATE_MS = 9000
"""A page waits a little less for a stream's first event, and less than half between two looks."""
LOST_S = 4
"""A page says so three seconds after its line was lost, and asks for another every two."""
BIDS = (2000, 5000, 3000, 4000)


def time_passes(*pages: Page) -> None:
    """Let pages wait as long as they do at most, without anybody else waiting."""
    for page in pages:
        for _ in range(LOST_S):
            page.clock.fast_forward(1000)


def test_bids_survive_a_kill_and_pages_come_back_by_themselves(own_bench: Bench) -> None:
    """Killed with three of four sealed bids in: the fourth bids, and all four are revealed."""
    own_bench.has_clocks = True
    display, phones, api = own_bench.auction(4, auction="sealed")
    for page, amount in list(zip(phones, BIDS, strict=True))[:3]:
        bid_sealed(page, amount)
        expect(page.locator("#ask")).to_contain_text("Your bid is in")
    own_bench.expect(*GONE)
    own_bench.server.end(signal.SIGKILL)
    screens = (display, *phones)
    time_passes(*screens)
    for page in screens:
        expect(page.locator("#offline")).to_be_visible()
    own_bench.server.start()
    time_passes(*screens)
    for page in screens:
        expect(page.locator("#offline")).to_be_hidden()
    assert f"My sealed bid {money(BIDS[1])}" in peeked(phones[1])
    expect(display.locator("#question")).to_contain_text("3 of 4")
    bid_sealed(phones[3], BIDS[3])
    for name, amount in zip(NAMES, BIDS, strict=False):
        expect(display.locator("#log")).to_contain_text(f"{name} {money(amount)}")
    for page in phones:
        expect(form(page, "submit_bid")).to_have_count(0)
    assert f"Cash {money(api.own(1)['cash'])}" in peeked(phones[1])


def test_a_stopped_server_is_said_and_a_started_one_found(own_bench: Bench) -> None:
    """The badge comes, what is typed stays, a tap says that it was not sent; then it all works."""
    own_bench.has_clocks = True
    display, phones, api = own_bench.auction(3, auction="sealed")
    page = phones[0]
    own_bench.expect(*GONE, r"htmx:(afterRequest|sendError).*htmx")
    assert own_bench.server.end() == 0
    time_passes(display, page)
    for screen in (display, page):
        expect(screen.locator("#offline")).to_be_visible()
        expect(screen.locator("#offline")).to_contain_text("Reconnecting")
    field = form(page, "submit_bid").first.locator("[data-amount]")
    field.fill("3000")
    button = form(page, "submit_bid").first.locator(".btn-primary")
    jab(button)
    expect(page.locator("#warned")).to_have_text("Not sent. Tap again.")
    expect(button).to_be_enabled()
    own_bench.server.start()
    time_passes(display, page)
    for screen in (display, page):
        expect(screen.locator("#offline")).to_be_hidden()
    expect(field).to_have_value("3000")
    bid_sealed(page, 3000)
    expect(page.locator("#ask")).to_contain_text("Your bid is in")
    assert api.actions().count(0) <= 2


def test_a_page_that_looks_for_itself_sees_that_a_backup_came_back(own_bench: Bench) -> None:
    """Where streams are held back too: it shows the older table, and a bid is handed in there."""
    phones, api = own_bench.bidding(3, auction="sealed")
    own_bench.expect(*GONE)
    data = own_bench.server.data
    own_bench.server.end()
    shutil.copytree(data, data.with_name("kept"))
    own_bench.server.start()
    page = phones[0]
    held: list[Route] = []
    page.route("**/stream?*", lambda route: held.append(route))  # noqa: PLW0108  # Playwright asks
    page.clock.install()
    page.reload()
    for number in range(2):
        until(lambda number=number: page.evaluate("1") and len(held) > number, within_s=30)  # type: ignore[misc]  # a default
        page.clock.fast_forward(LATE_MS)
    expect(page.locator("#offline")).to_contain_text("looks for itself")
    for seat in (1, 2):
        api.submit(seat, 2000)
    page.clock.fast_forward(LATE_MS)
    expect(page.locator("main .facts li .ico")).to_have_count(2)

    own_bench.server.end()
    shutil.rmtree(data)
    shutil.copytree(data.with_name("kept"), data)
    own_bench.server.start()
    page.clock.fast_forward(LATE_MS)
    expect(page.locator("main .facts li .ico")).to_have_count(0)

"""Phones that sleep, wake, or sit on a line that died without a word."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from functools import partial

import pytest
from playwright.sync_api import Error, Page, Route, expect

from .bench import (
    PHONE,
    Api,
    Bench,
    Server,
    Streams,
    bid_sealed,
    follow,
    form,
    set_visibility,
    settled,
    touch,
    until,
)
from .line import Line

pytestmark = pytest.mark.browser

CUT = r"\[object Event\].*htmx|ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED"
WOKEN_MS = 2000
SLEPT_MS = 1300
QUIET_S = 14
"""After twelve seconds without a word a page asks whether the server is there."""
DEAD_S = 26
"""And after so many it takes its line for dead."""
LATE_S = 9
"""A page waits a little less for a stream's first event, and less than half between two looks."""
LAMP = """window.lit = 0;
Object.defineProperty(navigator, "wakeLock", { value: { request: async () => {
  const lock = new EventTarget();
  lock.release = () => { window.lit -= 1; lock.dispatchEvent(new Event("release")); };
  window.lit += 1;
  return lock;
} } });"""
"""A screen that a page may keep lit: to pages without a certificate a browser offers none."""


@pytest.fixture
def line(shared_server: Server) -> Iterator[Line]:
    """Lay a line to the server that can go dead; named before a bench, whose pages close first."""
    with closing(Line(shared_server.port)) as line:
        yield line


def watched(bench: Bench, api: Api, seat: int, *, has_clock: bool = False) -> tuple[Page, Streams]:
    """Open a seat's page and count its streams from the start; its clock can be the test's."""
    page = bench.seat(api, seat)
    streams = Streams(page)
    if has_clock:
        page.clock.install()
    page.reload()
    until(lambda: streams.now() == 1, within_s=30)
    return page, streams


def stop(page: Page) -> None:
    """Let a page's time stand still: from here on only a test lets it pass."""
    for _ in range(2):
        now = page.evaluate("Date.now()")
        try:
            page.clock.pause_at(now + 1000)
        except Error:  # it was later by then; but by now it stands
            continue
        return
    raise AssertionError(now)


def sleep_through(page: Page, api: Api, *, is_cut: bool) -> None:
    """Put a phone to sleep, and let the table go on meanwhile to the next auction."""
    set_visibility(page, "hidden")
    page.context.set_offline(is_cut)
    for seat in range(3):
        api.submit(seat, 1000 * (seat + 1))
    page.clock.run_for(SLEPT_MS)
    page.context.set_offline(False)


@pytest.mark.parametrize("is_cut", [True, False], ids=["line cut", "line kept"])
def test_a_phone_that_wakes_shows_the_table_at_once(bench: Bench, *, is_cut: bool) -> None:
    """By what it does within two seconds, however long the machine takes, and by one stream."""
    bench.expect(CUT)
    api = bench.open(3, auction="sealed")
    api.start()
    api.draw_plot()
    page, streams = watched(bench, api, 0, has_clock=True)
    form(page, "submit_bid").first.wait_for()
    sleep_through(page, api, is_cut=is_cut)
    stop(page)
    set_visibility(page, "visible")
    page.clock.run_for(WOKEN_MS)
    expect(page.locator("main .facts li")).to_have_count(0)
    page.clock.run_for(2500)
    # A browser may break a line once more that has just come back; what mends it takes time.
    assert streams.now() <= 1
    page.clock.resume()
    until(lambda: streams.now() == 1, within_s=30)
    expect(page.locator("#offline")).to_be_hidden()


def test_a_phone_that_is_played_on_stays_lit(bench: Bench) -> None:
    """One lock at a time; left alone for ten minutes it may sleep, and a touch lights it again."""
    api = bench.open(3)
    api.start()
    context = bench.context(PHONE)
    context.add_init_script(LAMP)
    bench.give(context, f"{api.code}_0", api.tokens[0])
    page = context.new_page()
    page.clock.install()
    page.goto(f"{bench.base}/s/{api.code}/0")
    for _ in range(2):
        touch(page.locator("#head .turn"))
    page.wait_for_function("lit === 1")
    page.clock.fast_forward("11:00")
    page.wait_for_function("lit === 0")
    touch(page.locator("#head .turn"))
    page.wait_for_function("lit === 1")


def test_ten_naps_leave_one_stream(bench: Bench) -> None:
    """Waking again and again, reloading, and looking at the menu never pile up streams."""
    api = bench.open(3)
    api.start()
    page, streams = watched(bench, api, 0)
    bench.expect(CUT)
    for nap in range(10):
        before = streams.so_far()
        if nap % 3 == 2:
            follow(page, page.locator("a[href$='/menu']"))
            follow(page, page.locator("main a.btn-primary.btn-wide"))
        else:
            page.evaluate("dispatchEvent(new Event('online'))")
        until(partial(streams.are_more_than, before), within_s=30)
    until(lambda: streams.now() == 1, within_s=30)
    api.draw_plot()
    expect(page.locator("main .plotcard")).to_be_attached()


def test_a_line_that_died_without_a_word_is_noticed(line: Line, bench: Bench) -> None:
    """The page heals itself, while a healthy one that hears nothing for long keeps its stream."""
    bench.expect(CUT)
    bench.has_clocks = True
    api = bench.open(3, auction="sealed")
    api.start()
    api.draw_plot()
    healthy, streams = watched(bench, api, 1)
    page = bench.seat(api, 0, port=line.port)
    form(page, "submit_bid").first.wait_for()
    api.submit(2, 1000)
    bids, healthy_bids = (each.locator("main .facts li .ico") for each in (page, healthy))
    expect(bids).to_have_count(1)
    until(lambda: len(line) == 1, within_s=30)
    before = streams.so_far()
    line.deaden()
    api.submit(1, 2000)
    expect(healthy_bids).to_have_count(2)
    healthy.clock.fast_forward(1000 * QUIET_S)
    assert bids.count() == 1, "it is dead"
    for _ in range(DEAD_S):
        page.clock.fast_forward(1000)
    expect(bids).to_have_count(2)
    expect(page.locator("#offline")).to_be_hidden()
    assert (streams.now(), streams.so_far()) == (1, before)
    expect(healthy.locator("#offline")).to_be_hidden()
    bid_sealed(page, 3000)
    expect(bids).to_have_count(0)


def test_where_streams_are_held_back_the_page_looks_for_itself(bench: Bench) -> None:
    """A scanner of viruses that swallows streams leaves no page old; the page says what it does."""
    api = bench.open(3, auction="sealed")
    api.start()
    api.draw_plot()
    page = bench.seat(api, 0)
    held: list[Route] = []
    page.route("**/stream?*", lambda route: held.append(route))  # noqa: PLW0108  # Playwright asks
    page.clock.install()
    page.reload()
    for number in range(2):
        until(lambda number=number: page.evaluate("1") and len(held) > number, within_s=30)  # type: ignore[misc]  # a default
        page.clock.fast_forward(1000 * LATE_S)
    expect(page.locator("#offline")).to_contain_text("looks for itself")
    for seat in range(3):
        api.submit(seat, 1000 * (seat + 1))
    page.clock.fast_forward(1000 * LATE_S)
    expect(page.locator("main .facts li")).to_have_count(0)

    page.unroute("**/stream?*")
    page.clock.fast_forward(1000 * LATE_S)
    expect(page.locator("#offline")).to_be_hidden()


def test_a_page_that_an_older_version_made_is_made_anew_once(bench: Bench) -> None:
    """The program was renewed while the phone lay there; the page comes back whole, and plays."""
    api = bench.open(3, auction="sealed")
    api.start()
    api.draw_plot()
    page = bench.seat(api, 0)
    asked: list[str] = []
    born: list[str] = []

    def aged(route: Route) -> None:
        asked.append(route.request.url)
        old = route.request.url.replace("have=of-", "have=of-0")
        route.continue_(url=old if len(asked) == 1 else None)

    page.route("**/stream?*", aged)
    page.on("load", lambda _: born.append(page.url))
    page.reload()
    until(lambda: page.context.cookies() and len(born) == len(asked) == 2, within_s=30)
    bid_sealed(page, 3000)
    expect(page.locator("#ask")).to_contain_text("Your bid is in")
    api.submit(1, 1000)
    settled(page)
    assert len(born) == len(asked) == 2

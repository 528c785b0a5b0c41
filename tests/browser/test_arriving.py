"""Pages and streams that do not arrive, or not in full: none stays as it was for good."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Page, Route, expect

from .bench import Api, Bench, Server, form, jab, until
from .line import Line

pytestmark = pytest.mark.browser

MISSED = r"net::ERR_(FAILED|NETWORK_CHANGED|INCOMPLETE_CHUNKED_ENCODING)|\[object Event\].*htmx"
WHOLE = """() => "ready" in document.documentElement.dataset && window.htmx
  && [...document.querySelectorAll("link[rel=stylesheet]")].every((link) => link.sheet)"""
LATE_S = 9
"""A page waits a little less for a stream's first event."""
DEAD_S = 26
"""And for a sign of life later on."""
MOMENTS = (
    ("/stream?", None, LATE_S),
    ("/stream?", 0, LATE_S),
    ("/stream?", 150, LATE_S),
    ("again=1", 5000, DEAD_S),
)
"""What is asked for, so many bytes of its answer still come, and when that is noticed: not even the
question arrives, no header, half a header, half an event."""
BEGIN_ANEW = """(node) => node.getAnimations().forEach((each) => {
  each.pause();
  each.currentTime = 0;
})"""
COVERED = """(node) => {
  const { left, width, top, height } = node.getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, top + height - 2);
  return node.contains(found) ? "" : `${top} + ${height}: ${found && found.outerHTML}`;
}"""


@pytest.fixture
def line(shared_server: Server) -> Iterator[Line]:
    """Lay a line to the server that can go dead; named before a bench, whose pages close first."""
    with closing(Line(shared_server.port)) as line:
        yield line


def bidding(bench: Bench) -> Api:
    """Open a table in a sealed auction, of always the same plot: its facts take room."""
    api = bench.open(3, seed="arriving", auction="sealed")
    api.start()
    api.draw_plot()
    return api


def shows(page: Page, bids: int) -> None:
    """Wait until a display shows that so many bids are in, and complains of nothing."""
    expect(page.locator("#question")).to_contain_text(f"{bids} of 3")
    expect(page.locator("#offline")).to_be_hidden()


@pytest.mark.parametrize("name", ["main", "parts", "htmx", "base"])
def test_what_did_not_arrive_is_fetched_anew(bench: Bench, name: str) -> None:
    """The Wi-Fi changed in the very moment in which the page's files were on their way.

    It looks well, for the server drew it, and stood still for ever; nobody stands beside a display.
    """
    bench.expect(MISSED, "htmx is not defined")
    api = bidding(bench)
    page = bench.screen(api)
    is_lost = True

    def lose(route: Route) -> None:
        if is_lost:
            route.abort()
        else:
            route.continue_()

    page.route(f"**/{name}*", lose)
    page.reload()
    is_lost = False
    page.wait_for_function(WHOLE)
    api.submit(1, 1000)
    shows(page, 1)


def arrives(page: Page) -> None:
    """Wait until what comes late is there: each try comes twice as late as the one before."""

    def is_whole() -> bool:
        page.clock.fast_forward("01:00")
        return page.locator("html[data-ready=whole]").count() > 0

    until(is_whole, within_s=30)


def test_nobody_waits_for_what_comes_late(bench: Bench) -> None:
    """It is lost on its way again and again; the page plays meanwhile, and has it in the end."""
    bench.expect(MISSED)
    bench.has_clocks = True
    api = bidding(bench)
    page = bench.seat(api, 1)
    page.route("**/*.late.js*", lambda route: route.abort())
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-ready", "")
    page.locator("#ask [data-amount]").fill("1000")
    jab(page.locator("#ask [data-sends]"))
    shows(bench.screen(api), 1)
    page.unroute("**/*.late.js*")
    arrives(page)


def test_a_choice_that_is_made_before_all_arrived_is_kept(bench: Bench) -> None:
    """What others do meanwhile is drawn once the choice can be kept beside it."""
    bench.expect(MISSED)
    bench.has_clocks = True
    api = bench.open(4, "desperados", first_schedule="app")
    api.start()
    for city in ("Tuba City", "Aztec", "Aztec", "Aztec"):
        kind = "place_sheriff" if city == "Aztec" else "place_marshal"
        api.act(api.tokens[0], {"type": kind, "city": city})
    page = bench.seat(api, 2)
    page.route("**/*.late.js*", lambda route: route.abort())
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-ready", "")
    chosen = page.locator("#ask input[value='Socorro']")
    jab(form(page, "place_pawn").locator("label", has_text="Socorro").first)
    expect(chosen).to_be_checked()

    api.act(api.tokens[1], {"type": "place_pawn", "city": "Tucson"})

    now = str(api.see(api.tokens[2])["version"])
    expect(page.locator("body")).to_have_attribute("data-version", now)
    expect(chosen).to_be_checked()
    page.unroute("**/*.late.js*")
    arrives(page)
    expect(page.locator("#ask svg .pawn")).to_have_count(2)
    expect(chosen).to_be_checked()


def test_a_fold_that_is_opened_before_all_arrived_stays_open(bench: Bench) -> None:
    """When what is in it changes meanwhile, and when it does so later on."""
    bench.expect(MISSED)
    bench.has_clocks = True
    api = bidding(bench)
    sells(api)
    page = bench.seat(api, 1)
    page.route("**/*.late.js*", lambda route: route.abort())
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-ready", "")
    fold = page.locator("#prices")
    jab(fold.locator("summary"))
    expect(fold).to_have_attribute("open", "")

    sells(api)
    page.unroute("**/*.late.js*")
    arrives(page)
    for sold in (2, 3):
        expect(fold.locator("li")).to_have_count(sold)
        expect(fold).to_have_attribute("open", "")
        sells(api)


def sells(api: Api) -> None:
    """Sell a plot to whoever has to bid, and do what follows."""
    before = sold(api)
    while sold(api) == before or api.public()["phase"] not in {"open_auction", "between"}:
        seat = api.public()["waiting_for"][0]
        legal = api.see(api.tokens[seat])["legal"]
        api.act(api.tokens[seat], next((a for a in legal if a["type"] == "pass"), legal[0]))


def sold(api: Api) -> int:
    """Count the plots that have an owner."""
    return sum(plot["owner"] is not None for plot in api.public()["plots"])


def test_a_page_that_runs_nothing_says_so(bench: Bench) -> None:
    """Where nothing at all arrived, its style shows what it could not say otherwise."""
    bench.expect(MISSED)
    api = bidding(bench)
    page = bench.screen(api)
    page.route("**/*.js*", lambda route: route.abort())
    page.reload()
    word = page.locator("#unready")
    word.evaluate(BEGIN_ANEW)  # it says so after ten seconds, which a busy machine may have taken
    expect(word).to_be_hidden()
    word.evaluate("(node) => node.getAnimations().forEach((each) => each.finish())")
    expect(word).to_be_visible()
    expect(word).to_contain_text("did not arrive in full")
    page.unroute("**/*.js*")
    jab(word.get_by_role("link"))
    expect(word).to_have_count(0)
    api.submit(1, 1000)
    shows(page, 1)


def test_a_browser_that_cannot_read_a_script_is_loaded_anew_once(bench: Bench) -> None:
    """It would be every few seconds else, under the hands of whoever types there."""
    bench.expect("Unexpected strict mode reserved word")
    page = bench.screen(bidding(bench), stands=True)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.method))
    page.route(
        "**/main.js", lambda route: route.fulfill(body="let = ;", content_type="text/javascript")
    )
    page.reload()
    with page.expect_navigation():
        page.clock.run_for(1000)
    page.clock.run_for(200_000)
    page.wait_for_load_state()
    assert asked.count("HEAD") == 1


def test_a_stream_that_dies_at_any_moment_is_asked_for_anew(line: Line, bench: Bench) -> None:
    """Before its question, in its head, in an event: without a word. A clock is turned on."""
    bench.expect(MISSED)
    api = bidding(bench)
    for number, (path, after, late) in enumerate(MOMENTS):
        met = line.deaths
        line.doom(path, after)
        page = bench.context({"viewport": {"width": 800, "height": 480}}).new_page()
        page.clock.install()
        page.goto(f"http://table.test:{line.port}/t/{api.code}")
        if late == DEAD_S:
            page.evaluate("dispatchEvent(new Event('online'))")
        until(lambda met=met: line.deaths > met, within_s=30)
        api.submit(1, 1000 * (number + 1))
        api.ask_for_star(0)
        expect(page.locator("#notice")).not_to_contain_text("asks for a correction")
        page.clock.fast_forward(1000 * late)
        expect(page.locator("#notice")).to_contain_text("asks for a correction")
        shows(page, 1)
        api.never_mind(0)
        expect(page.locator("#notice")).not_to_contain_text("asks for a correction")
    line.deaden()
    api.submit(2, 1000)
    page.clock.fast_forward(1000 * DEAD_S)
    shows(page, 2)


def test_a_cable_that_is_back_brings_what_was_sent_meanwhile(line: Line, bench: Bench) -> None:
    """Nobody noticed that it was cut, and nobody has to do anything; taps count once."""
    bench.expect(MISSED)
    api = bidding(bench)
    pages = [bench.seat(api, 0, port=line.port), bench.context({}).new_page()]
    pages[1].goto(f"http://table.test:{line.port}/t/{api.code}")
    api.submit(1, 1000)
    shows(pages[1], 1)
    line.cut()
    api.submit(2, 1000)
    line.mend()
    shows(pages[1], 2)
    expect(pages[0].locator("main .facts li .ico")).to_have_count(2)


def test_the_band_that_says_so_covers_no_button(bench: Bench) -> None:
    """Three lines on the smallest phone: what is held to look, and what is bid, lie above it."""
    bench.expect(MISSED)
    api = bidding(bench)
    page = bench.seat(api, 0, viewport={"width": 320, "height": 640})
    page.clock.install()
    held: list[Route] = []
    page.route("**/stream?*", lambda route: held.append(route))  # noqa: PLW0108  # Playwright asks
    page.reload()
    for number in range(2):
        until(lambda number=number: page.evaluate("1") and len(held) > number, within_s=30)  # type: ignore[misc]  # a default
        page.clock.fast_forward(1000 * LATE_S)
    expect(page.locator("#offline")).to_contain_text("looks for itself")
    for place in (page.locator("#own .peek-btn"), page.locator("#ask [data-sends]").first):
        place.scroll_into_view_if_needed()
        assert place.evaluate(COVERED) == ""

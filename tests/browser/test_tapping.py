"""Taps that come at the same time, twice, too late, or while somebody types."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Page, expect

from .bench import Api, Bench, bid_sealed, fits, form, money, settled, tap, touch
from .touching import Finger, middle, sent_again
from .unseen import Reader, press

pytestmark = pytest.mark.browser

CLICK_AT = "(node, at) => { setTimeout(() => node.click(), at - Date.now()); }"
TWICE = "(node) => { node.click(); node.click(); }"
STAYS = """() => {
  const later = setTimeout;
  globalThis.setTimeout = (call, ms, ...more) => later(call, ms >= 5000 ? 3_600_000 : ms, ...more);
}"""
"""What a page says of a tap goes by itself after five seconds else."""
REFUSED = r"status of 422 .*/act'|Status Error Code 422 from /s/\w+/0/act"
TOO_LATE = r"status of 409 .*/act'|Status Error Code 409 from /s/\w+/\d/act"
TYPED = (
    ("7", "7", 1),
    ("0", "70", 2),
    ("5", "705", 3),
    ("Backspace", "70", 2),
    ("0", "700", 3),
    ("0", "7000", 4),
    ("Home", "7000", 0),
    ("1", "17000", 1),
    ("Backspace", "7000", 0),
    ("End", "7000", 4),
)
"""A key, then what the field holds, and where its caret is."""


def test_bids_of_two_phones_in_the_same_instant_both_count(bench: Bench) -> None:
    """Two sealed bids that arrive together are both taken; neither page is told to look again."""
    phones, api = bench.bidding(3, auction="sealed")
    pair = phones[:2]
    for page, amount in zip(pair, (3000, 4000), strict=True):
        form(page, "submit_bid").first.locator("[data-amount]").fill(str(amount))
    at = pair[0].evaluate("Date.now() + 500")
    for page in pair:
        form(page, "submit_bid").first.locator(".btn-primary").evaluate(CLICK_AT, at)
    for page in pair:
        expect(page.locator("#ask")).to_contain_text("Your bid is in")
        expect(page.locator("#warned")).to_be_empty()
        expect(page.locator("main .facts li .ico")).to_have_count(2)
    assert api.public()["auction"]["submitted"] == [0, 1]
    assert [api.own(seat)["bid"] for seat in range(3)] == [3000, 4000, None]


@pytest.fixture
def counting(bench: Bench) -> tuple[Page, Api]:
    """Give the phone of the last tap of a game, and its table."""
    api = bench.open(2, "moon_river", tracking="score")
    api.start()
    for ranch in range(2):
        api.act(api.tokens[0], {"type": "hand_in", "ranch": ranch})
    page = bench.seat(api, 0)
    touch(page.locator("#ask details.sure > summary"))
    return page, api


@pytest.mark.parametrize("how", ["finger", "keys", "reader"])
def test_a_tap_that_ends_a_game_is_done_when_its_page_has_left(
    counting: tuple[Page, Api], how: str
) -> None:
    """The end loads every page anew, and may be quicker than the answer: the server knows it."""
    page, _ = counting
    page.route("**/act", lambda route: sent_again(page, route.request))  # and no answer, ever
    button = form(page, "count_up").locator("button")
    match how:
        case "finger":
            tap(page, button)
        case "keys":
            press(page, button)
        case _:
            Reader(page).activate("button", button.inner_text(), to="act")
    expect(page.locator(".winner")).to_be_visible()


def test_a_tap_that_never_came_is_not_done_because_the_game_is_over(
    counting: tuple[Page, Api],
) -> None:
    """What somebody else ended meanwhile is no answer: the bench says so."""
    page, api = counting
    page.route("**/act", lambda _: api.act(api.tokens[0], {"type": "count_up"}))  # and no more
    with pytest.raises(AssertionError, match="409"):
        tap(page, form(page, "count_up").locator("button"))
    expect(page.locator(".winner")).to_be_visible()


def test_a_double_tap_does_one_thing(bench: Bench) -> None:
    """Two clicks, or two quick taps of a finger, on a button that acts make one entry."""
    bench.expect(TOO_LATE)  # the second tap of a slow hand
    api = bench.open(3)
    api.start()
    star = api.public()["star"]
    first, second = (bench.seat(api, (star + turn) % 3) for turn in (0, 1))
    form(first, "draw_plot").locator("button").evaluate(TWICE)
    form(settled(first), "bid").first.locator("button").first.evaluate(TWICE)
    spot = middle(settled(second).locator("#ask .bids .btn").first)
    finger, at = Finger(second), time.time()
    for later in (0, 0.15):
        finger.tap(spot, at + later)
    for page in (first, second):
        expect(page.locator("#ask .bids")).to_have_count(0)
        expect(page.locator("#facts")).to_contain_text(money(2000))
    assert api.public()["auction"]["standing"] == 2000
    assert api.actions() == [star, star, (star + 1) % 3]


def test_a_second_tap_that_lasts_explains_nothing_that_came_under_it(bench: Bench) -> None:
    """A slow hand's second tap comes down on what was drawn there meanwhile, and rests on it."""
    bench.expect(TOO_LATE)
    api = bench.open(3)
    api.start()
    page = settled(bench.seat(api, api.public()["star"]))
    page.evaluate(
        """() => new MutationObserver((_, seen) => {
          const token = document.querySelector("#plot .token");
          if (!token) return;
          seen.disconnect();
          const { x, y } = token.getBoundingClientRect();
          const down = { bubbles: true, isPrimary: true, clientX: x + 9, clientY: y + 9 };
          token.dispatchEvent(new PointerEvent("pointerdown", down));
        }).observe(document.body, { childList: true, subtree: true })"""
    )
    tap(page, form(page, "draw_plot").locator("button"))
    expect(page.locator("#ask .bids")).to_be_visible()
    page.wait_for_timeout(1000)
    expect(page.locator("dialog[open]")).to_have_count(0)


def test_a_half_typed_bid_survives_ten_live_updates(bench: Bench) -> None:
    """Others bid, change bids, come and go: value, focus and caret stay where they were."""
    api = bench.open(5, auction="sealed")
    api.start()
    api.draw_plot()
    page = bench.seat(api, 0)
    display = bench.screen(api)
    field = form(page, "submit_bid").first.locator("[data-amount]")
    field.fill("")
    for turn, (key, value, caret) in enumerate(TYPED):
        field.press(key)
        if turn % 3 == 0 and turn < 9:
            api.submit(1 + turn // 3, 3000)
            expect(page.locator("main .facts li .ico")).to_have_count(1 + turn // 3)
        else:
            api.submit(1, 1000 * turn % 4000)
            asks = turn % 3 != 2
            if asks:
                api.ask_for_star(1)
            else:
                api.never_mind(1)
            expect(page.locator("#notice form")).to_have_count(int(asks))
        if turn == 5:
            bench.seat(api, 4)
            expect(display.locator("#players li").nth(4)).not_to_contain_text("asleep")
        expect(field).to_be_focused()
        assert field.input_value() == value
        assert field.evaluate("node => [node.selectionStart, node.selectionEnd]") == [caret, caret]
    tap(page, form(page, "submit_bid").first.locator(".btn-primary"))
    expect(page.locator("#ask")).to_contain_text("Your bid is in")
    assert api.own(0)["bid"] == 7000


def test_a_refusal_is_told_to_that_phone_only_and_keeps_what_was_typed(bench: Bench) -> None:
    """A bid beyond one's cash is refused in a sentence, and can be put right."""
    display, phones, api = bench.auction(3, auction="sealed")
    bench.expect(REFUSED)
    page = phones[0]
    page.evaluate(STAYS)
    field = form(page, "submit_bid").first.locator("[data-amount]")
    field.fill("99000")
    tap(page, form(page, "submit_bid").first.locator(".btn-primary"), answer=422)
    cash = api.own(0)["cash"]
    expect(page.locator("#warned")).to_have_text(f"You have {money(cash)}.")
    expect(field).to_have_value("99000")
    fits(page)
    for other in (display, *phones[1:]):
        expect(other.locator("#warned")).to_be_empty()
    assert api.public()["auction"]["submitted"] == []
    bid_sealed(page, 2000)
    expect(page.locator("#ask")).to_contain_text("Your bid is in")
    expect(page.locator("#warned")).to_be_empty()  # it says nothing of that bid

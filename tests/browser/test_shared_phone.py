"""An uncle without a phone: two seats in one browser, a curtain between them."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from playwright.sync_api import Page, expect

from .bench import (
    Bench,
    bid_sealed,
    fits,
    follow,
    form,
    held,
    money,
    peeked,
    set_visibility,
    sit_down,
    token,
    touch,
)
from .outlaws import Unseen
from .touching import unanswered

pytestmark = pytest.mark.browser

TAPPED = """(node) => {
  for (const name of ["pointerdown", "pointerup"]) {
    node.dispatchEvent(new PointerEvent(name, { bubbles: true }));
  }
  node.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 }));
}"""
"""In one go: a browser that stands still between down and up has seen a finger that holds."""


def open_curtain(page: Page) -> None:
    """Hold the curtain's button until it opens."""
    button = page.locator("[data-hold]")
    button.wait_for()
    with held(page, button), page.expect_navigation():
        pass
    page.locator("#own .peek-btn").wait_for()


def hides_everything(page: Page, name: str) -> None:
    """Check that a curtain names whose turn it is to look, and holds no secret."""
    page.locator("body.curtain").wait_for()
    expect(page.locator("h1")).to_have_text(name)
    html = page.content()
    assert "$" not in html
    assert "data-peek" not in html
    fits(page)


def test_two_seats_on_one_phone_play_behind_a_curtain(bench: Bench) -> None:
    """Both sit down on the same phone, pass it to and fro, and bid without seeing the other."""
    api = bench.open(2, auction="sealed")
    page = bench.join(api.code, "Una")
    fits(page)
    touch(page.get_by_role("link", name="Another player on this phone"))
    sit_down(page, "Uncle")
    api.start()
    page.locator("body.curtain").wait_for()  # the page loads anew by itself, and covers itself
    page.goto(f"{bench.base}/s/{api.code}/2")
    hides_everything(page, "Una")
    page.locator("[data-hold]").evaluate(TAPPED)
    page.locator("body.curtain").wait_for()
    open_curtain(page)
    star = api.public()["star"]
    if star == 2:
        touch(form(page, "draw_plot").locator("button"))
    elif star < 2:
        api.draw_plot()
    else:
        touch(page.get_by_role("link", name="Pass the phone to Uncle").first)
        open_curtain(page)
        touch(form(page, "draw_plot").locator("button"))
        touch(page.get_by_role("link", name="Pass the phone to Una").first)
        open_curtain(page)
    form(page, "submit_bid").first.wait_for()
    bid_sealed(page, 2000)
    expect(page.locator("#ask")).to_contain_text("Your bid is in")
    una = peeked(page)
    assert f"My sealed bid {money(2000)}" in una
    fits(page)
    touch(page.get_by_role("link", name="Pass the phone to Uncle"))
    hides_everything(page, "Uncle")
    open_curtain(page)
    assert "My sealed bid" not in peeked(page)
    bid_sealed(page, 4000)
    expect(page.locator("#ask")).to_contain_text("Your bid is in")
    assert f"My sealed bid {money(4000)}" in peeked(page)
    assert api.public()["auction"]["submitted"] == [2, 3]
    for seat in (0, 1):
        api.submit(seat, 0)
    expect(page.locator("main .facts li")).to_have_count(0)
    assert f"Cash {money(api.see(token(page))['view']['own']['cash'])}" in peeked(page)


def test_a_seat_can_play_on_the_machine_of_the_display(bench: Bench) -> None:
    """Sitting down stays at the display; the seat's page is one click away, and gives it back."""
    api = bench.open(2)
    display = bench.screen(api)
    touch(display.get_by_role("link", name="A player without a phone sits here"))
    display.locator("#name").fill("Hank")
    touch(display.locator("form[data-mix] .btn-primary"))
    display.wait_for_url(f"**/t/{api.code}")
    api.start()
    expect(display.locator("[data-peek]")).to_have_count(0)
    touch(display.get_by_role("link", name="Hank plays here"))
    expect(display.locator("#own .peek-btn")).to_be_visible()
    expect(display.locator("#own .peek-secret")).to_be_hidden()
    set_visibility(display, "hidden")
    display.wait_for_url(f"**/t/{api.code}")


def test_what_a_gang_plans_is_not_at_once_on_the_screen_that_all_look_at(bench: Bench) -> None:
    """Who plays there says first that nobody else looks; a card that was laid gives it back."""
    api = bench.open(3, "desperados")
    api.start()
    unseen = Unseen(api)
    unseen.places()
    unseen.lays(1, 1, (0, 1))
    display = bench.screen(api)
    bench.give(display.context, f"{api.code}_2", api.tokens[2])
    display.reload()
    follow(display, display.get_by_role("link", name="Cleo plays here"))
    plans = ("#where .country", "#ask form", "#gang .mate")
    for part in plans:
        assert display.locator(part).count(), part
        expect(display.locator(part).first).to_be_hidden()
    touch(display.locator(".veil"))
    for part in plans:
        expect(display.locator(part).first).to_be_visible()
    choice = form(display, "lay_card").first
    touch(choice.locator("label").first)
    touch(choice.locator(".btn-primary"))
    display.wait_for_url(f"**/t/{api.code}")


@pytest.mark.parametrize("is_late", [False, True])
def test_whoever_acted_at_the_display_gives_it_back(bench: Bench, *, is_late: bool) -> None:
    """As soon as nothing more is asked of them, whichever is quicker: the answer or the stream."""
    api = bench.open(2)
    display = bench.screen(api)
    display.goto(f"{bench.base}/j/{api.code}?more=1&home=1")
    display.locator("#name").fill("Hank")
    touch(display.locator("form[data-mix] .btn-primary"))
    display.wait_for_url(f"**/t/{api.code}")
    api.start()
    if api.public()["star"] != 2:
        api.draw_plot()
    while (seat := api.public()["waiting_for"][0]) != 2:
        legal = api.see(api.tokens[seat])["legal"]
        api.act(api.tokens[seat], next(action for action in legal if action["type"] == "bid"))
    touch(display.get_by_role("link", name="Hank plays here"))
    if api.public()["star"] == 2:
        touch(form(display, "draw_plot").locator("button"))
    with unanswered(display) if is_late else nullcontext():
        touch(form(display, "bid").last.locator(".btn-primary"))
        if is_late:
            expect(form(display, "bid")).to_have_count(0)

    display.wait_for_url(f"**/t/{api.code}")

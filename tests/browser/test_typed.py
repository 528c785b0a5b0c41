"""What was typed and not sent outlives a page that is loaded anew, and nobody else finds it."""

from __future__ import annotations

import re
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from .bench import Bench, bid_sealed, follow, form, held, settled, sit_down, tap, touch
from .outlaws import Unseen

pytestmark = pytest.mark.browser

TYPED: Final = "Object.values(sessionStorage).join()"
UNFOLD: Final = """(node) => {
  for (let at = node; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
}"""
MENUS: Final = ("winchester", "desperados", "moon_river")


def whole(page: Page) -> None:
    """Wait until a page does all that it does."""
    page.wait_for_function("() => document.documentElement.dataset.ready === 'whole'")


def bid_field(page: Page) -> Locator:
    """Give the field of a sealed bid on a page that does all it does by now."""
    return form(settled(page), "submit_bid").first.locator("[data-amount]")


def test_a_bid_that_was_typed_is_there_when_the_page_is_loaded_anew(bench: Bench) -> None:
    """With the amount on its button; others who bid meanwhile change nothing."""
    phones, api = bench.bidding(3, auction="sealed")
    page = phones[0]
    bid_field(page).fill("3000")
    api.submit(1, 2000)
    page.reload()
    expect(bid_field(page)).to_have_value("3000")
    expect(form(page, "submit_bid").first.locator("[data-echo]")).to_have_text("$3,000")
    page.reload()
    tap(page, form(page, "submit_bid").first.locator("[data-sends]"))
    expect(page.locator("#ask")).to_contain_text("Your bid is in")
    assert api.own(0)["bid"] == 3000


def test_a_bid_that_was_sent_is_not_typed_anew(bench: Bench) -> None:
    """What stands in the field is what lies there, and the tab keeps nothing."""
    phones, api = bench.bidding(3, auction="sealed")
    page = phones[0]
    bid_sealed(page, 3000)
    expect(page.locator("#ask")).to_contain_text("Your bid is in")
    assert "3000" not in page.evaluate(TYPED)
    bid_field(page).evaluate("(field) => { field.value = '4000'; }")
    page.reload()
    expect(bid_field(page)).to_have_value("3000")
    api.submit(0, 5000)
    expect(form(page, "submit_bid").first.locator("[data-was='5000']")).to_have_count(1)
    page.reload()
    expect(bid_field(page)).to_have_value("5000")


def test_what_was_typed_for_one_question_is_gone_at_the_next(bench: Bench) -> None:
    """Whether the phone saw the question go, or slept through it."""
    phones, api = bench.bidding(3, auction="sealed")
    awake, asleep = phones[0], phones[1]
    for page in (awake, asleep):
        bid_field(page).fill("3000")
    asleep.goto(f"{bench.base}/help")
    for seat in range(3):
        api.submit(seat, 1000 * (3 - seat))
    expect(form(awake, "submit_bid")).to_have_count(0)
    assert "3000" not in awake.evaluate(TYPED)
    while not api.public()["auction"]:
        seat = api.public()["waiting_for"][0]
        api.act(api.tokens[seat], api.see(api.tokens[seat])["legal"][0])
    for seat, page in enumerate((awake, asleep)):
        page.goto(f"{bench.base}/s/{api.code}/{seat}")
        expect(bid_field(page)).not_to_have_value("3000")
        assert "3000" not in page.evaluate(TYPED)


def test_nothing_that_was_typed_waits_behind_a_curtain(bench: Bench) -> None:
    """Neither for the next person nor for the same: what is passed on keeps nothing."""
    api = bench.open(1, auction="sealed")
    page = bench.join(api.code, "Una")
    follow(page, page.get_by_role("link", name="Another player on this phone"))
    sit_down(page, "Uncle")
    api.start()
    page.locator("body.curtain").wait_for()
    if api.public()["star"] == 0:
        api.draw_plot()
    for seat, amount in ((1, "3100"), (2, "4200"), (1, ""), (2, "")):
        page.goto(f"{bench.base}/s/{api.code}/{seat}")
        open_curtain(page)
        if form(page, "draw_plot").count():
            tap(page, form(page, "draw_plot").locator("button"))
            form(page, "submit_bid").first.wait_for()
        if amount:
            bid_field(page).fill(amount)
        else:
            assert bid_field(page).input_value() not in {"3100", "4200"}
        assert not {"3100", "4200"} & {*re.findall(r"\d+", page.evaluate(TYPED))}
        page.reload()
        page.locator("body.curtain").wait_for()


def open_curtain(page: Page) -> None:
    """Hold the curtain's button until it opens."""
    button = page.locator("[data-hold]")
    button.wait_for()
    with held(page, button), page.expect_navigation():
        pass
    page.locator("#own .peek-btn").wait_for()


def test_what_a_phone_typed_alone_is_gone_once_it_is_shared(bench: Bench) -> None:
    """The tab forgets it as soon as it shows a curtain."""
    phones, api = bench.bidding(3, auction="sealed")
    page = phones[0]
    bid_field(page).fill("3000")
    assert "3000" in page.evaluate(TYPED)
    bench.give(page.context, f"{api.code}_1", api.tokens[1])
    page.reload()
    page.locator("body.curtain").wait_for()
    settled(page)
    whole(page)
    assert "3000" not in page.evaluate(TYPED)
    open_curtain(page)
    expect(bid_field(page)).not_to_have_value("3000")


@pytest.mark.parametrize("game", MENUS)
def test_a_half_filled_correction_is_there_when_the_menu_is_loaded_anew(
    bench: Bench, game: str
) -> None:
    """Its words and its choices, of every game; and no other form has them."""
    api = bench.open(3, game)
    api.start()
    if game == "desperados":
        Unseen(api).places()
    page = bench.seat(api, 0)
    page.goto(f"{page.url}/menu")
    whole(page)
    fix = page.locator("form:has(select):has([name=reason])").first
    fix.evaluate(UNFOLD)
    choice = fix.locator("select").last
    choice.select_option(index=choice.locator("option").count() - 1)
    chosen = choice.input_value()
    fix.locator("[name=reason]").fill("the cat was here")
    for _ in range(2):
        page.reload()
        whole(page)
        expect(fix.locator("[name=reason]")).to_have_value("the cat was here")
        expect(choice).to_have_value(chosen)
        words = page.locator("[name=reason]").evaluate_all("(all) => all.map((one) => one.value)")
        assert words.count("the cat was here") == 1


def test_a_name_that_was_typed_is_there_when_the_page_is_loaded_anew(bench: Bench) -> None:
    """At the door; and who sits down next on the same phone finds the field empty."""
    api = bench.open(1)
    page = bench.phone(f"/j/{api.code}")
    settled(page).locator("#name").fill("Wilhelmine")
    touch(page.locator("label:has(input[name=colour]:enabled)").last)
    page.reload()
    whole(page)
    expect(page.locator("#name")).to_have_value("Wilhelmine")
    expect(page.locator("input[name=colour]:checked")).to_have_count(1)
    touch(page.locator("form[data-mix] .btn-primary"))
    page.wait_for_url("**/s/**")
    page.goto(f"{bench.base}/j/{api.code}?more=1")
    whole(page)
    expect(page.locator("#name")).to_have_value("")

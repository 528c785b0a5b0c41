"""Without a finger and without a map: by keys alone, and by what a screen reader is told alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from . import touching
from .bench import Api, Bench, form, settled, touch
from .test_desperados import CLEO, ROUTES, SHERIFFS, STARTS
from .test_taps import press

pytestmark = pytest.mark.browser

TABS = 60
IS_CHOSEN = "(node, city) => node.type === 'radio' && node.checked && node.value === city"
WHOLE = """(node) => {
  const { left, width, top, bottom } = node.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight && [top + 2, bottom - 2].every((y) =>
    node.parentElement.contains(document.elementFromPoint(left + width / 2, y)));
}"""
ACTIVE = "() => document.activeElement"
NOT_LAID_OUT = """() => {
  const at = Object.getOwnPropertyDescriptor(VisualViewport.prototype, "scale");
  const isDone = () => document.readyState === "complete";
  const get = function () { return isDone() ? at.get.call(this) : 360 / 980; };
  Object.defineProperty(VisualViewport.prototype, "scale", { ...at, get });
}"""
"""A slow phone's window is a desk's until its page has been laid out."""


def riding(bench: Bench) -> Api:
    """Open a table where everybody has a place, and the Marshal's card lies there."""
    api = bench.open(4, "desperados", first_schedule="app")
    api.start()
    for city in (STARTS[0], *SHERIFFS):
        kind = "place_marshal" if city == STARTS[0] else "place_sheriff"
        api.act(api.tokens[0], {"type": kind, "city": city})
    for seat in range(1, 4):
        api.act(api.tokens[seat], {"type": "place_pawn", "city": STARTS[seat]})
    api.act(api.tokens[0], {"type": "lay_card", "card": ROUTES[0][0]})
    return api


def told(page: Page, role: str, name: str) -> Locator:
    """Find what a screen reader is told of: by its role and its name, and by nothing else."""
    return page.get_by_role(role, name=re.compile(name))  # type: ignore[arg-type]  # a role is a word


def activate(page: Page, role: str, name: str, *, sends: bool = False) -> None:
    """Do what a screen reader does at a double tap: go there, and press."""
    settled(page)
    found = told(page, role, name).first
    found.focus()
    if sends:
        touching.sends(page, lambda: found.press("Enter"))
    else:
        found.press("Space")


def test_a_route_is_ridden_by_keys_alone_and_by_names_alone(bench: Bench) -> None:
    """Two of a gang lay their cards: one with Tab, arrows and Enter, one by what is read aloud."""
    api = riding(bench)
    cleo, dan = bench.seat(api, CLEO), bench.seat(api, 3)
    choose_by_keys(cleo, ROUTES[CLEO][0])
    press(cleo, form(cleo, "lay_card").first.locator(".btn-primary"))
    expect(cleo.locator("#ask")).to_contain_text(f"Your card lies there: {ROUTES[CLEO][0]}")

    expect(told(dan, "heading", f"Where to from {STARTS[3]}")).to_have_count(1)
    activate(dan, "radio", "^Silver City")
    expect(told(dan, "radio", "^Silver City")).to_be_checked()
    activate(dan, "button", "Lay this card", sends=True)
    expect(told(dan, "button", "Change my card")).to_have_count(1)
    assert [seat["has_laid"] for seat in api.public()["seats"]] == [True, False, True, True]


def choose_by_keys(page: Page, city: str) -> None:
    """Tab to the cities, which are one stop, and go through them with an arrow."""
    settled(page)
    places = form(page, "lay_card").first.locator("input[type=radio]")
    for _ in range(TABS):
        if places.evaluate_all("nodes => nodes.includes(document.activeElement)"):
            break
        page.keyboard.press("Tab")
    for _ in range(places.count() + 1):
        if page.evaluate_handle(ACTIVE).evaluate(IS_CHOSEN, city):
            return
        page.keyboard.press("ArrowDown")
    raise AssertionError(city)


def test_an_auction_is_played_by_names_alone(bench: Bench) -> None:
    """What can be done are buttons with a name each, and what is over is a button no more."""
    api = bench.open(3)
    api.start()
    star = api.public()["star"]
    pages = [bench.seat(api, (star + turn) % 3) for turn in range(3)]
    activate(pages[0], "button", "Draw the first plot", sends=True)
    activate(pages[0], "button", r"^Bid \$", sends=True)
    for page in pages[1:]:
        activate(page, "button", "^Pass", sends=True)
        expect(told(page, "button", "^Pass")).to_have_count(0)
    assert [plot["owner"] for plot in api.public()["plots"]].count(star) == 1


@pytest.mark.parametrize("phone", ["quick", "slow"])
def test_a_keyboard_leaves_a_bid_and_its_button_in_sight(bench: Bench, phone: str) -> None:
    """It takes the lower half of a phone's window; nobody has to shut it to go on."""
    api = bench.open(3, auction="sealed")
    api.start()
    api.draw_plot()
    page = bench.seat(api, 0)
    if phone == "slow":
        page.add_init_script(f"({NOT_LAID_OUT})()")
        page.reload()
    fold = page.locator("#ask details[data-shuts]")
    if fold.count():
        touch(fold.locator("summary"))
    field = form(page, "submit_bid").first.locator("[data-amount]")
    field.fill("3000")
    page.set_viewport_size({"width": 360, "height": 340})
    button = form(page, "submit_bid").first.locator("[data-sends]")
    for place in (button, field):
        handle = place.element_handle()
        assert handle is not None
        page.wait_for_function(WHOLE, arg=handle)


def test_two_fingers_that_look_closer_move_no_page(bench: Bench) -> None:
    """The window in which one sees gets smaller, as if a keyboard had come; none has."""
    api = bench.open(3, auction="sealed")
    api.start()
    api.draw_plot()
    page = settled(bench.seat(api, 0))
    fold = page.locator("#ask details[data-shuts]")
    if fold.count():
        touch(fold.locator("summary"))
    form(page, "submit_bid").first.locator("[data-amount]").focus()
    page.evaluate("scrollTo(0, 0)")
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setPageScaleFactor", {"pageScaleFactor": 2.5})
    page.wait_for_function("() => visualViewport.scale > 1.5")
    assert page.evaluate("scrollY") == 0

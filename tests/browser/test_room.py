"""What must be whole where room is short: large letters on a phone, five players on a display."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Page, expect

from .bench import Bench, fits, follow, held, set_visibility, shown, tap, touch
from .outlaws import Unseen

pytestmark = pytest.mark.browser

TWICE: Final = "document.documentElement.style.fontSize = '200%'"
SMALL: Final = {"viewport": {"width": 320, "height": 640}, "locale": "fr-FR"}
IN_PIECES: Final = """(places) => [...document.querySelectorAll(places)].filter((node) => {
  if (!node.checkVisibility()) return false;
  if (node.matches("input")) return node.scrollWidth > node.clientWidth;
  const range = document.createRange();
  range.selectNodeContents(node);
  return new Set([...range.getClientRects()].map((each) => Math.round(each.bottom / 9))).size > 1;
}).map((node) => node.outerHTML)"""
IN_SIGHT: Final = """(place) => {
  const boxOf = (each) => document.querySelector(each).getBoundingClientRect();
  const [box, room] = [place, ".side > .rest"].map(boxOf);
  return box.height > 0 && box.right <= room.right + 1 && box.bottom <= room.bottom + 1;
}"""


def in_pieces(page: Page, places: str) -> list[str]:
    """Give what is cut off, or in more than one line, in letters of twice the size."""
    shown(page)
    page.evaluate(TWICE)
    found: list[str] = page.evaluate(IN_PIECES, places)
    return found


@pytest.mark.parametrize("width", [320, 360])
def test_in_very_large_letters_an_amount_to_bid_is_whole(bench: Bench, width: int) -> None:
    """What one types stands above the buttons that change it; colours stand two in a row."""
    api = bench.open(3)
    join = bench.phone(f"/j/{api.code}", **SMALL | {"viewport": {"width": width, "height": 640}})
    assert in_pieces(join, ".colours .choice span") == []
    api.start()
    api.draw_plot()
    star = api.public()["star"]
    page = bench.seat(api, star, **SMALL | {"viewport": {"width": width, "height": 640}})

    assert in_pieces(page, ".stepper input, .stepper .btn") == []
    page.goto(f"{bench.base}/s/{api.code}/{star}/menu")
    follow(page, page.locator("form[action$=transfer] button"))
    page.evaluate(TWICE)
    fits(page)


@pytest.mark.parametrize("lang", ["de-DE", "en-GB", "fr-FR"])
def test_whom_a_phone_is_passed_to_is_said_in_one_piece(bench: Bench, lang: str) -> None:
    """On the smallest phone, where the sentence takes two lines; in the menu too."""
    api = bench.open(3, "desperados", first_schedule="app")
    api.start()
    api.act(api.tokens[0], {"type": "place_marshal", "city": "Aztec"})
    for _ in range(2):
        api.act(api.tokens[0], {"type": "place_sheriff", "city": "Gallup"})
    page = bench.seat(api, 1, **SMALL | {"locale": lang})
    bench.give(page.context, f"{api.code}_2", api.tokens[2])
    page.reload()
    button = page.locator("[data-hold]")
    with held(page, button), page.expect_navigation():
        pass
    name = "main a[href$='/2'] bdi"
    assert page.locator(name).count() == 1
    assert shown(page).evaluate(IN_PIECES, name) == []
    page.goto(f"{bench.base}/s/{api.code}/1/menu")
    assert page.locator(name).count() == 1
    assert page.evaluate(IN_PIECES, name) == []


def test_what_hands_do_and_what_lies_open_is_in_sight_of_five(bench: Bench) -> None:
    """While a card is looked at, and beside the cards of a duel."""
    api = bench.open(5, preset="boxed", auction="spoken", duel_cards="app")
    api.start()
    for objective in ("last_auction", "four_apart", "three_together", "all_tokens", "five_plots"):
        api.act(api.tokens[0], {"type": "lay_objective", "objective": objective})
    display = bench.screen(api, locale="fr-FR")
    star, buyer, other = api.tokens[api.public()["star"]], api.tokens[2], api.tokens[3]
    api.act(star, {"type": "draw_plot", "plot": 7})
    api.act(star, {"type": "record_sale", "winner": 2, "price": 7000})
    api.act(buyer, {"type": "confirm_sale", "token": "rumor"})
    expect(display.locator("#hands .hands")).to_be_attached()
    for place in ("#hands .hands", "#piles .piles"):
        assert shown(display).evaluate(IN_SIGHT, place), place

    api.act(buyer, {"type": "skip_look"})
    api.act(buyer, {"type": "draw_plot", "plot": 9})
    duel = {"type": "record_duel", "caller": 2, "called": 3, "price": 1000, "bidder": 3}
    api.act(buyer, duel)
    api.act(other, {"type": "confirm_sale"})
    api.act(api.tokens[0], {"type": "shuffle"})
    expect(display.locator(".lying")).to_be_attached()
    assert shown(display).evaluate(IN_SIGHT, "#piles .piles")


def test_cards_that_lie_open_are_seen_where_somebody_plays_at_the_display(bench: Bench) -> None:
    """Who has no phone has a button there; beside it each player's cards are shown as ever."""
    api = bench.open(3, "desperados")
    api.start()
    unseen = Unseen(api)
    unseen.places()
    unseen.rides(1, range(1, 6))
    display = bench.screen(api)
    bench.give(display.context, f"{api.code}_2", api.tokens[2])
    display.reload()
    expect(shown(display).get_by_role("link", name="Cleo plays here")).to_be_visible()
    cards = display.locator("#players .laidcards")
    for step, turned in enumerate(([], ["Gal", "Soc", "Glo"])):
        assert [one.is_visible() for one in cards.all()] == [True] * 3
        assert shown(display).locator("#players .up").all_inner_texts() == turned
        for place in ("#loot .loot", *(["#hands .hands"] if step else [])):
            assert shown(display).evaluate(IN_SIGHT, place), place
        if not step:
            tap(display, display.locator("#desk .btn-primary"), to="for/0")
            expect(display.locator("#players .up")).to_have_count(3)


@pytest.mark.parametrize("letters", ["100%", "200%"])
def test_a_phone_that_hid_its_plans_says_in_sight_how_to_open_it(
    bench: Bench, letters: str
) -> None:
    """However far down its owner had read what lies open, which is there still."""
    api = bench.open(5, "desperados", first_schedule="app")
    api.start()
    for kind in ("place_marshal", *["place_sheriff"] * 4):
        api.act(api.tokens[0], {"type": kind, "city": "Aztec"})
    for seat in range(1, 5):
        api.act(api.tokens[seat], {"type": "place_pawn", "city": "Globe"})
    api.act(api.tokens[0], {"type": "lay_card", "card": "saloon"})
    page = shown(bench.seat(api, 1))
    page.evaluate("size => { document.documentElement.style.fontSize = size; }", letters)
    for at in (0, 500, 100_000):
        page.evaluate("at => scrollTo(0, at)", at)
        for state in ("hidden", "visible"):
            set_visibility(page, state)
        veil = page.locator(".veil")
        expect(veil).to_be_in_viewport(ratio=1)
        box = veil.bounding_box()
        bar = page.locator("#own .peek").bounding_box()
        assert box
        assert bar
        assert box["y"] + box["height"] <= bar["y"]
        touch(veil)
        expect(page.locator("#ask form").first).to_be_visible()


SEEN: Final = """() => [...document.querySelectorAll("#players li > :last-child")].map((node) => {
  const [box, row] = [node, node.parentElement].map((each) => each.getBoundingClientRect());
  const isWhole = [...node.children].every((one) => one.getBoundingClientRect().right <= row.right);
  return box.height > 0 && isWhole && row.bottom <= innerHeight;
})"""
"""Of each player, whether what lies before them is in sight, and in one piece."""


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1366, 768)])
@pytest.mark.parametrize(("game", "seats"), [("winchester", 5), ("moon_river", 4)])
def test_what_lies_before_players_is_seen_while_the_table_tells(
    bench: Bench, game: str, seats: int, width: int, height: int
) -> None:
    """Hats, tokens, partners: beside what the display asks of the box they are not hidden."""
    api = bench.open(seats, game, preset="boxed", board="practice")
    api.start()
    size = {"viewport": {"width": width, "height": height}}
    display = bench.screen(api, locale="fr-FR", **size)

    expect(display.locator(".side > .deciding form").first).to_be_attached()
    assert shown(display).evaluate(SEEN) == [True] * seats


BUTTONS: Final = ".amounts .btn, .tokens3 .btn"
TIGHT: Final = """(buttons) => [...document.querySelectorAll(buttons)].filter((node) => {
  const range = document.createRange();
  range.selectNodeContents(node);
  const [text, box] = [range, node].map((each) => each.getBoundingClientRect());
  return node.checkVisibility() && (text.left < box.left + 5 || text.right > box.right - 5);
}).map((node) => node.textContent)"""


@pytest.mark.parametrize("locale", ["fr-FR", "de-DE"])
def test_no_price_touches_the_rim_of_its_button(bench: Bench, locale: str) -> None:
    """The highest that has one is as far from it as a rim is wide, and more."""
    api = bench.open(3, preset="boxed", board="practice", auction="spoken")
    api.start()
    for objective in ("last_auction", "four_apart", "three_together", "all_tokens", "five_plots"):
        api.act(api.tokens[0], {"type": "lay_objective", "objective": objective})
    star = api.public()["star"]
    api.act(api.tokens[star], {"type": "draw_plot", "plot": 7})
    phone = bench.seat(api, star, locale=locale)

    expect(phone.locator(".amounts .btn[value='10000']").first).to_be_visible()
    assert shown(phone).evaluate(TIGHT, BUTTONS) == []


def test_forms_of_the_hosts_page_stand_beside_each_other(bench: Bench) -> None:
    """On a wide screen nobody scrolls through a narrow column of them beside nothing."""
    api = bench.open(3)
    api.start()
    page = bench.screen(api)
    page.goto(f"{bench.base}/t/{api.code}/host")
    forms = page.locator(".split form.stack").all()
    boxes = [box for form in forms if (box := form.bounding_box()) is not None]

    assert len({round(box["x"]) for box in boxes}) > 1
    page.set_viewport_size({"width": 360, "height": 740})
    fits(page)


def test_no_token_touches_the_rim_of_its_button(bench: Bench) -> None:
    """The longest name of one is French."""
    api = bench.open(3, preset="boxed", board="practice", auction="spoken")
    api.start()
    for objective in ("last_auction", "four_apart", "three_together", "all_tokens", "five_plots"):
        api.act(api.tokens[0], {"type": "lay_objective", "objective": objective})
    star = api.public()["star"]
    api.act(api.tokens[star], {"type": "draw_plot", "plot": 7})
    api.act(api.tokens[star], {"type": "record_sale", "winner": 1, "price": 1000})
    phone = bench.seat(api, 1, locale="fr-FR")

    expect(phone.locator(".tokens3 .btn").first).to_be_visible()
    assert shown(phone).evaluate(TIGHT, BUTTONS) == []

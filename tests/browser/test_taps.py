"""How many taps things take, and that a keyboard alone does them too."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .bench import Bench, form, settled, tap, touch
from .unseen import press

pytestmark = pytest.mark.browser


def test_a_likely_sealed_bid_takes_two_taps(bench: Bench) -> None:
    """One on its amount, one to hand it in; all that one has is an amount of its own."""
    phones, api = bench.bidding(3, auction="sealed")
    for seat, label in enumerate(("+$4,000", "The most")):
        page, wanted = phones[seat], form(phones[seat], "submit_bid").first
        touch(wanted.get_by_role("button", name=label, exact=True))
        tap(page, wanted.locator("[data-sends]"))
        expect(page.locator("#ask")).to_contain_text("Your bid is in")
    assert [api.own(seat)["bid"] for seat in (0, 1)] == [4000, api.own(1)["cash"]]
    print("a sealed bid: 2 taps")  # noqa: T201  # the count is what people ask for


def test_a_bid_of_all_one_has_takes_two_taps_in_the_open_too(bench: Bench) -> None:
    """The most is beside the amount."""
    phones, api = bench.bidding(3)
    (seat,) = api.public()["waiting_for"]
    page, wanted = phones[seat], form(phones[seat], "bid").last
    cash = api.own(seat)["cash"]

    touch(wanted.get_by_role("button", name="The most", exact=True))
    tap(page, wanted.locator("[data-sends]"))

    assert api.public()["auction"]["standing"] == cash


def test_a_price_waits_for_its_winner(bench: Bench) -> None:
    """A price tapped first is kept, and sent with whoever is tapped then; the winner taps once."""
    phones, api = bench.bidding(3, auction="spoken")
    star = api.public()["star"]
    page, winner = phones[star], (star + 1) % 3
    sale = form(page, "record_sale").first
    price = sale.locator("button[value='3000']")
    touch(price)
    expect(price).to_have_attribute("aria-pressed", "true")
    assert page.locator("#warned").inner_text() == ""
    tap(page, sale.locator("label", has=page.locator(f"[value='{winner}']")))
    tap(phones[winner], form(phones[winner], "confirm_sale").locator("button").first)
    bought = [plot for plot in api.public()["plots"] if plot["owner"] == winner]
    assert len(bought) == 1
    print("a spoken plot: 2 taps and the winner's own")  # noqa: T201


def test_a_move_of_desperados_takes_two_taps(bench: Bench) -> None:
    """A city on the map, or the saloon, and *Lay this card*: for the Marshal and for the gang."""
    api = bench.open(3, "desperados", first_schedule="app")
    api.start()
    for city in ("St. Johns", "Aztec", "Aztec"):
        kind = "place_sheriff" if city == "Aztec" else "place_marshal"
        api.act(api.tokens[0], {"type": kind, "city": city})
    for seat in (1, 2):
        api.act(api.tokens[seat], {"type": "place_pawn", "city": "Socorro"})
    marshal, outlaw = (bench.seat(api, seat) for seat in (0, 1))
    city = marshal.locator("#where .touch[data-for='k-Globe']")
    saloon = form(outlaw, "lay_card").locator("label", has_text="Saloon").first
    for page, wanted in ((marshal, city), (outlaw, saloon)):
        touch(wanted)
        tap(page, form(page, "lay_card").first.locator(".btn-primary"))
        expect(page.locator("#ask")).to_contain_text("Your card lies there")
    print("a move of Desperados: 2 taps")  # noqa: T201


def test_a_browser_of_old_sees_what_it_chose_and_opens_the_code(bench: Bench) -> None:
    """No :has, no showModal, no requestSubmit: a class, an attribute and a plain submit instead."""
    old = """delete HTMLDialogElement.prototype.showModal;
    delete HTMLFormElement.prototype.requestSubmit;
    CSS.supports = () => false;"""
    api = bench.open(3, auction="spoken")
    api.start()
    api.draw_plot()
    context = bench.context({"viewport": {"width": 1280, "height": 720}})
    context.add_init_script(old)
    bench.give(context, f"{api.code}_host", api.host_token)
    star = api.public()["star"]
    bench.give(context, f"{api.code}_{star}", api.tokens[star])
    page = context.new_page()
    page.goto(f"{bench.base}/t/{api.code}")
    touch(page.locator("[data-dialog=invitation]"))
    expect(page.locator("#invitation .qr").first).to_be_visible()
    page.goto(f"{bench.base}/s/{api.code}/{star}")
    label = form(page, "record_sale").first.locator("label").first
    touch(label)
    expect(label).to_have_class("choice chosen")


def test_an_auction_is_played_with_a_keyboard_alone(bench: Bench) -> None:
    """Draw, bid and pass by Tab and Enter; what has the focus shows it, and stays there."""
    api = bench.open(3)
    api.start()
    star = api.public()["star"]
    pages = [bench.seat(api, (star + turn) % 3) for turn in range(3)]
    press(pages[0], form(pages[0], "draw_plot").locator("button"))
    press(pages[0], pages[0].locator("#ask .bids .btn").first)
    expect(pages[0].locator("#ask :focus")).to_have_count(1)
    for page in pages[1:]:
        press(page, form(page, "pass").locator("button"))
    settled(pages[0])
    assert [plot["owner"] for plot in api.public()["plots"]].count(star) == 1

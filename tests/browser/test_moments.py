"""Scenes on the display: shown once as they happen, ended by any tap, never shown again."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .bench import PHONE, Bench, touch

pytestmark = pytest.mark.browser

HEARD = """globalThis.heard = [];
globalThis.AudioContext = class extends AudioContext {
  constructor() { super(); this.onstatechange = () => heard.push(this.state); }
};"""
ONE_SOUND = ["running", "suspended"]
"""A context that runs keeps a processor awake, also while it plays nothing."""


def test_a_scene_is_seen_once_and_stands_in_nobodys_way(bench: Bench) -> None:
    """It comes over the stream, a tap ends it; a reload, and taking back, show nothing again."""
    display, phones, api = bench.auction(3, auction="sealed")
    seller, buyer = phones[0], phones[1]  # they are there when it happens
    scene = display.locator("#moment .moment")
    for seat, amount in enumerate((1000, 3000, 2000)):
        api.submit(seat, amount)
    expect(scene).to_be_visible()
    expect(scene.locator("li").nth(2)).to_contain_text("Ben")
    expect(scene).to_contain_text("Ben buys plot")
    expect(buyer.locator("#moment")).to_contain_text("You buy plot")
    expect(seller.locator("#moment")).to_contain_text("You receive $1,000")

    display.mouse.click(300, 300)
    expect(scene).to_be_hidden()
    display.reload()
    expect(display.locator("#players")).to_be_visible()
    expect(scene).to_be_hidden()


def test_a_scene_is_under_no_finger(bench: Bench) -> None:
    """What lies below it takes the tap that ends it."""
    display, _, api = bench.auction(3, auction="sealed")
    for seat in range(3):
        api.submit(seat, 1000 * seat)
    scene = display.locator("#moment .moment")
    expect(scene).to_be_visible()

    assert scene.evaluate("(node) => getComputedStyle(node).pointerEvents") == "none"


def test_a_phone_that_sounded_is_silent_again(bench: Bench) -> None:
    """A touch lets it sound, one's turn sounds; between the two, and afterwards, nothing runs."""
    api = bench.open(3, auction="sealed")
    api.start()
    context = bench.context(PHONE, sounds=True)
    context.add_init_script(HEARD)
    bench.give(context, f"{api.code}_1", api.tokens[1])
    page = context.new_page()
    page.goto(f"{bench.base}/s/{api.code}/1")
    touch(page.locator("#own"))
    page.wait_for_function("wanted => `${heard}` === `${wanted}`", arg=ONE_SOUND)
    api.draw_plot()
    page.wait_for_function("wanted => `${heard}` === `${wanted}`", arg=ONE_SOUND * 2)

"""A display and a phone in Chromium behind a cable that is cut for some seconds."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Playwright, expect

from tests.network.lab import Lab, may_be_made
from tests.network.screens import HANGS_MS, Screens, browsing

from .chromium import Chromium

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not may_be_made(), reason="network namespaces: need root and iproute2"),
]


def test_screens_show_what_happened_while_the_cable_was_cut(
    tmp_path: Path, chromium: Chromium, playwright: Playwright
) -> None:
    """Both know it once it is back, also where neither end noticed; a tap then counts once."""
    lab = Lab()
    try:
        lab.serve(tmp_path)
        with browsing(lab, tmp_path, playwright) as browser:
            screens = Screens(lab, browser)
            screens.cut(2.0, is_noticed=False)
            screens.cut(1.0, is_noticed=True)
            screens.table.act(0, type="submit_bid", amount=3000)
            sold = screens.display.locator(".log").get_by_text("buys plot")
            expect(sold.first).to_be_visible(timeout=HANGS_MS)
            bidding = screens.phone.locator("input[name=type][value=submit_bid]")
            expect(bidding).to_have_count(0, timeout=HANGS_MS)
    finally:
        lab.close()

"""A display and a phone in real browsers at the end of a cable, and what they show when it is back.

`python -m tests.network.screens 5 30 120` cuts it for so many seconds and says how long they took:
`make soak`.
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from tests.browsers import ARGUMENTS, chromium

from .lab import PORT, WIFI, Lab, Table, ip, may_be_made

HANGS_MS = 60_000
MOST_S = 3.0
"""A second to hear that the cable is back, and what a busy machine adds."""


class Screens:
    """The two pages of a table in a sealed auction, and their cable."""

    def __init__(self, lab: Lab, browser: Browser) -> None:
        self.lab = lab
        self.table = Table(lab)
        self.table.draw()
        base = f"http://{WIFI}:{PORT}"
        context = browser.new_context(locale="en")
        name = f"referee_{PORT}_{self.table.code}_0"
        context.add_cookies([{"name": name, "value": self.table.tokens[0], "url": base}])
        self.bids = 0
        self.display, self.phone = context.new_page(), context.new_page()
        self.display.goto(f"{base}/t/{self.table.code}")
        self.phone.goto(f"{base}/s/{self.table.code}/0")
        for page in self.pages():
            shows(page, 0)

    def pages(self) -> tuple[Page, Page]:
        """Give the display and the phone."""
        return self.display, self.phone

    def cut(self, seconds: float, *, is_noticed: bool) -> float:
        """Cut the cable while another seat bids, and give how long both took to show it after.

        `is_noticed`: the phone's own end goes down, as where its Wi-Fi is lost; else the line is
        dead without a word.
        """
        bids = self.bids
        cut = self.unplugged() if is_noticed else self.lab.cut()
        with cut:
            self.table.act(bids + 1, type="submit_bid", amount=1000)
            time.sleep(seconds)
        began = time.monotonic()
        self.bids += 1
        for page in self.pages():
            shows(page, self.bids)
        return time.monotonic() - began

    @contextlib.contextmanager
    def unplugged(self) -> Iterator[None]:
        """Take the phone's own end down."""
        ip(f"-n {self.lab.ph} link set wlan0 down")
        try:
            yield
        finally:
            ip(f"-n {self.lab.ph} link set wlan0 up")


def shows(page: Page, bids: int) -> None:
    """Wait until a page shows so many bids that are in, live."""
    expect(page.locator("#offline")).to_be_hidden(timeout=HANGS_MS)
    if "/s/" in page.url:
        expect(page.locator("main .facts li .ico")).to_have_count(bids, timeout=HANGS_MS)
    else:
        expect(page.locator("#question")).to_contain_text(f"{bids} of 3", timeout=HANGS_MS)


@contextlib.contextmanager
def browsing(lab: Lab, folder: Path, playwright: Playwright) -> Iterator[Browser]:
    """Start Chromium at the phone's end of the network."""
    at_the_phone = folder / "chromium"
    at_the_phone.write_text(f'#!/bin/sh\nexec ip netns exec {lab.ph} {chromium()} "$@"\n')
    at_the_phone.chmod(0o755)
    browser = playwright.chromium.launch(executable_path=at_the_phone, args=list(ARGUMENTS))
    try:
        yield browser
    finally:
        browser.close()


def main() -> int:
    """Cut for as long as was said, each at a table of its own; 1 if a screen was late."""
    if not may_be_made():
        sys.stdout.write("No cable was cut: that needs root, Linux and iproute2.\n")
        return 0
    lab, code = Lab(), 0
    with tempfile.TemporaryDirectory() as name, contextlib.closing(lab):
        folder = Path(name)
        lab.serve(folder, beat=10.0)
        with sync_playwright() as playwright, browsing(lab, folder, playwright) as browser:
            for seconds in map(float, sys.argv[1:]):
                for is_noticed in (True, False):
                    took = Screens(lab, browser).cut(seconds, is_noticed=is_noticed)
                    how = "the phone's Wi-Fi lost" if is_noticed else "dead without a word"
                    sys.stdout.write(f"{seconds:g} s, {how}: shown after {took:.1f} s\n")
                    code = code or took > MOST_S
    return int(code)


if __name__ == "__main__":
    sys.exit(main())

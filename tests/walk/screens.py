"""Lays pages out in Chromium at the sizes that people have, and says what is wrong with them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from flask import Flask
from playwright.sync_api import Browser, Page, Route, ViewportSize

from referee.web.assets import Assets

from .scenes import Device, Scene

ORIGIN: Final = "http://walk.test"
AUDIT: Final = Path(__file__).with_name("audit.js").read_text().strip().removesuffix(";")
MAY_BE_CUT: Final = "bdi, .name, .turn strong, .log, .state"
"""A name that somebody typed ends in dots where it is long; of the log the newest lines show."""
FIRST_RANK: Final = (
    "#question > *, #players li, #notice .btn-primary, "
    ".lobby .qr, .lobby .address, #begin .btn-primary"
)


LEAST_TYPE: Final = {1920: 24}
"""How small anything may be written on a display so wide: it is read from three metres."""
PLAIN: Final = 100
LAID_OUT: Final = Path(__file__).with_name("laid_out.js").read_text()
AUDITED: Final = f"async ([page, room]) => {{ await ({LAID_OUT})(page); return ({AUDIT})(room); }}"
IS_DISPLAY: Final = re.compile(r'<body class="[^"]*\bdisplay\b')


class Size(NamedTuple):
    """A window, how large its text is, and whether the band of a lost line lies over its end."""

    width: int
    height: int
    text: int = PLAIN
    is_lost: bool = False

    def __str__(self) -> str:
        """Write it as people say it."""
        text = f" at {self.text} %" if self.text != PLAIN else ""
        return f"{self.width}x{self.height}{text}{' without a line' if self.is_lost else ''}"


SIZES: Final[dict[Device, tuple[Size, ...]]] = {
    "phone": (
        *(
            Size(*size, text)
            for size in ((360, 740), (320, 640), (740, 360))
            for text in (PLAIN, 125, 150, 200)
        ),
        Size(320, 640, is_lost=True),
    ),
    "display": (
        *(Size(*size) for size in ((800, 480), (1024, 600), (1366, 768), (1920, 1080))),
        Size(1920, 1080, 200),
    ),
}
"""A display's letters grow with its window, so whoever wants them larger zooms: it is as if the
window were smaller. Twice as large, the smallest windows have no room for a table any more."""


class Screens:
    """A page of each device, kept for all scenes: only what it shows and its size change."""

    def __init__(self, browser: Browser, app: Flask) -> None:
        self._assets: Assets = app.extensions["referee"].renderer.assets
        self._pages = {
            device: self._opened(browser, is_phone=device == "phone") for device in SIZES
        }

    def _opened(self, browser: Browser, *, is_phone: bool) -> Page:
        context = browser.new_context(
            is_mobile=is_phone, has_touch=is_phone, reduced_motion="reduce"
        )
        context.route("**/*", self._answer)
        page = context.new_page()
        page.goto(ORIGIN)
        return page

    def _answer(self, route: Route) -> None:
        """Serve static files from memory, and an empty page for whatever else is asked for."""
        found = self._assets.find(re.sub(r"^/static/\w+/", "", urlsplit(route.request.url).path))
        if found is None:
            route.fulfill(body="<!doctype html>", content_type="text/html")
        else:
            route.fulfill(body=found.body, content_type=found.mimetype)

    def show(self, scene: Scene) -> Page:
        """Show a scene, without scripts: it is as it is born."""
        page = self._pages[scene.device]
        page.evaluate(LAID_OUT, {"html": self._still(scene.html)})
        return page

    @property
    def blank(self) -> Page:
        """Give a page for whatever its user makes of it; it can load every script."""
        return self._pages["phone"]

    def page(self, scene: Scene) -> Page:
        """Give the page of a scene's device, as it shows now."""
        return self._pages[scene.device]

    def _still(self, html: str) -> str:
        """Take scripts out, and put stylesheets in: one thing less to wait for."""
        html = re.sub(r"<script[^>]*></script>", "", html)
        # What a page says of itself where its scripts did not come, which these did as it were.
        html = re.sub(r'<p class="offline" id="unready">.*?</p>', "", html, flags=re.DOTALL)
        return re.sub(r'<link rel="stylesheet" href="/static/\w+/([^"]+)">', self._style, html)

    def _style(self, link: re.Match[str]) -> str:
        found = self._assets.find(link[1])
        assert found is not None, link[1]
        return f"<style>{found.body.decode()}</style>"

    def close(self) -> None:
        """Close all pages."""
        for page in self._pages.values():
            page.context.close()

    def faults(self, scene: Scene, sizes: tuple[Size, ...] = ()) -> dict[str, list[str]]:
        """Say what is wrong with a scene, and at which sizes; at all of its device if none is told.

        A device's sizes differ in what they can hold, so the same fault at several is told once.
        """
        page, html = self.page(scene), self._still(scene.html)
        is_display = bool(IS_DISPLAY.search(html))
        found: dict[str, list[str]] = {}
        for size in sizes or SIZES[scene.device]:
            window = self._window(page, size, is_display=is_display)
            limits = {
                "device": scene.device,
                "width": window["width"],
                "height": window["height"],
                "isAsked": scene.is_asked,
                "isBig": size.text != PLAIN,
                "mayBeCut": MAY_BE_CUT,
                "firstRank": FIRST_RANK,
                "leastType": LEAST_TYPE.get(size.width, 0) if size.text == PLAIN else 0,
            }
            shown = {"html": html, **_looks(size, is_display=is_display)}
            for fault in page.evaluate(AUDITED, [shown, limits]):
                found.setdefault(fault, []).append(str(size))
            html = ""  # it is there
        return found

    @staticmethod
    def _window(page: Page, size: Size, *, is_display: bool) -> ViewportSize:
        """Give a page's window a size, before it shows anything: it is laid out once."""
        width, height = size.width, size.height
        if is_display:
            width, height = width * PLAIN // size.text, height * PLAIN // size.text
        window: ViewportSize = {"width": width, "height": height}
        if page.viewport_size != window:
            page.set_viewport_size(window)
        return window

    @classmethod
    def resize(cls, page: Page, size: Size) -> None:
        """Give a page another size of window and of text."""
        is_display = "display" in (page.locator("body").get_attribute("class") or "")
        cls._window(page, size, is_display=is_display)
        page.evaluate(LAID_OUT, _looks(size, is_display=is_display))


def _looks(size: Size, *, is_display: bool) -> dict[str, Any]:
    return {"text": f"{PLAIN if is_display else size.text}%", "isLost": size.is_lost}

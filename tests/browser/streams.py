"""The event streams of a page, counted where its browser's network stack sees them."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import CDPSession, Page


class Streams:
    """Counts the event streams that a page has open, as its browser's network stack sees them."""

    def __init__(self, page: Page) -> None:
        self._session: CDPSession = page.context.new_cdp_session(page)
        self.page = page
        self._opened = 0
        self._open: set[str] = set()
        self._session.on("Network.requestWillBeSent", self._begins)
        self._session.on("Network.loadingFinished", self._ends)
        self._session.on("Network.loadingFailed", self._ends)
        self._session.send("Network.enable")

    def _begins(self, event: dict[str, Any]) -> None:
        if event["type"] == "Document":  # what another document had open ended with it
            self._open.clear()
        if urlsplit(event["request"]["url"]).path.endswith("/stream"):
            self._opened += 1
            self._open.add(event["requestId"])

    def _ends(self, event: dict[str, Any]) -> None:
        self._open.discard(event["requestId"])

    def so_far(self) -> int:
        """Give how many were opened so far."""
        self.page.evaluate("0")
        return self._opened

    def are_more_than(self, before: int) -> bool:
        """Say whether another one was opened."""
        return self.so_far() > before

    def now(self) -> int:
        """Give how many are open, once the browser has reported all that happened."""
        self.page.evaluate("0")
        return len(self._open)

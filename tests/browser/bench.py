"""A bench for whole tables: the real server, a display, phones, and a line that can be cut.

Pages are opened under a made-up name instead of 127.0.0.1, because a browser trusts loopback more
than it trusts an address in somebody's Wi-Fi. Whatever a page complains of is kept, and fails the
test unless the test said that it expects it; so does a fault that the server prints.

Servers are in `serving`, what a finger does in `touching`; both are had from here as well.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, overload
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page

from .serving import HOST, SLOW_MS, Api, Server, until
from .streams import Streams
from .touching import (
    NOTE_TOUCHES,
    begin,
    bid_sealed,
    cookie,
    elsewhere,
    fits,
    follow,
    form,
    held,
    jab,
    money,
    peeked,
    set_visibility,
    settled,
    shown,
    sit_down,
    tap,
    token,
    touch,
)

__all__ = [
    "APP",
    "DISPLAY",
    "HOST",
    "NAMES",
    "PHONE",
    "SLOW_MS",
    "Api",
    "Bench",
    "Server",
    "Streams",
    "begin",
    "bid_sealed",
    "cookie",
    "elsewhere",
    "fits",
    "follow",
    "form",
    "held",
    "jab",
    "money",
    "peeked",
    "set_visibility",
    "settled",
    "shown",
    "sit_down",
    "tap",
    "token",
    "touch",
    "until",
]

PHONE: Final[dict[str, Any]] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
}
DISPLAY: Final[dict[str, Any]] = {"viewport": {"width": 1920, "height": 1080}}
APP: Final = {"preset": "app", "board": "practice"}
NAMES: Final = ("Ann", "Ben", "Cleo", "Dan", "Eve")
WATCH_POLICY: Final = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
"""
LATER_MS: Final = 1_000_000
"""When time begins where it stands: it may be laid down to come, and not to have been."""
SILENT: Final = "delete globalThis.AudioContext;"
"""For every page that was touched may sound, and a browser that may sound never rests."""
SET_VEIL: Final = """addEventListener("DOMContentLoaded", () => {
  const { dataset } = document.body;
  if (dataset.veil) dataset.veil = dataset.laidVeil = "SECONDS";
});"""


class Bench:
    """Opens screens on one server, listens to what they complain of, and closes them."""

    def __init__(self, browser: Browser, server: Server) -> None:
        self.browser = browser
        self.server = server
        self.base = server.base
        self.complaints: list[str] = []
        self.expected: list[str] = []
        self.logged = server.logged()
        self.contexts: list[BrowserContext] = []
        self.has_clocks = False
        """Whether the time of pages opened from now on goes on as always, or faster if told to."""

    def expect(self, *patterns: str) -> None:
        """Say which complaints belong to this test, as regular expressions."""
        self.expected.extend(patterns)

    def judge(self) -> None:
        """Fail on any complaint that was not expected, and on any fault that the server met."""
        unexpected = [
            said
            for said in self.complaints
            if not any(re.search(pattern, said) for pattern in self.expected)
        ]
        self.complaints.clear()
        assert unexpected == []
        assert self.server.faults(self.logged) == ""

    def close(self) -> None:
        """Close every screen."""
        for context in self.contexts:
            context.close()

    def context(
        self,
        kind: dict[str, Any],
        *,
        veil_s: int = 3600,
        sounds: bool = False,
        stands: bool = False,
        **extra: Any,
    ) -> BrowserContext:
        """Start a profile of its own: nothing is shared with the others.

        People in tests stand still for long: plans are hidden only after an hour. Nothing moves or
        sounds unless a test is about it: a drawing that moves without end keeps a core busy. Where
        time `stands`, only the test lets it pass, from the first page on.
        """
        calm = {"locale": "en-GB", "reduced_motion": "reduce"}
        context = self.browser.new_context(**{**calm, **kind, **extra})
        self.contexts.append(context)
        context.set_default_timeout(SLOW_MS)
        if stands:
            context.clock.install(time=0)
            context.clock.pause_at(LATER_MS)
        elif self.has_clocks:
            context.clock.install()
        context.add_init_script(WATCH_POLICY)
        context.add_init_script(NOTE_TOUCHES)
        if not sounds:
            context.add_init_script(SILENT)
        context.add_init_script(SET_VEIL.replace("SECONDS", str(veil_s)))
        context.on("console", lambda said: self._heard(said.type, f"{said.text} {said.location}"))
        context.on("weberror", lambda error: self.complaints.append(f"page: {error.error}"))
        context.on("request", lambda request: self._asked(request.url))
        return context

    def _heard(self, kind: str, text: str) -> None:
        if kind == "error":
            self.complaints.append(f"console: {text}")

    def _asked(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme != "data" and parts.hostname != HOST:
            self.complaints.append(f"request to another host: {url}")

    def display(self, path: str = "/", **extra: Any) -> Page:
        """Open a page on a big screen."""
        page = self.context(DISPLAY, **extra).new_page()
        page.goto(self.base + path)
        return page

    def phone(self, path: str, **extra: Any) -> Page:
        """Open a page on a phone."""
        page = self.context(PHONE, **extra).new_page()
        page.goto(self.base + path)
        return page

    def host(self, game: str = "winchester", **options: str) -> tuple[Page, Api]:
        """Open a table on a big screen, as its host; without a box unless told otherwise."""
        page = self.display()
        touch(page.locator(f"button[value={game}]"))
        page.wait_for_url("**/t/*")
        api = Api(self.server, urlsplit(page.url).path.rsplit("/", 1)[1])
        api.host_token = cookie(page.context, "_host")
        # All but the menu, which lies over other things.
        folds = "document.querySelectorAll('details:not(.menu)')"
        page.evaluate(f"{folds}.forEach((node) => node.open = true)")
        # Who deals comes last: it moves what nobody chose yet, and the form is drawn anew.
        for name, value in sorted((APP | options).items(), key=lambda pair: pair[0] == "preset"):
            if page.locator(f"#o-{name}").input_value() == value:
                continue
            with page.expect_response("**/options"):
                page.locator(f"#o-{name}").select_option(value)
        return page, api

    def join(self, code: str, name: str, **extra: Any) -> Page:
        """Sit down at a table with a phone of one's own."""
        page = self.phone(f"/j/{code}", **extra)
        sit_down(page, name)
        return page

    def open(
        self, seats: int, game: str = "winchester", *, seed: str | None = None, **options: str
    ) -> Api:
        """Open a table and take its seats through the HTTP interface."""
        wanted = {"game": game, "options": APP | options, "seed": seed}
        status, found = self.server.call("POST", "/api/v1/tables", wanted)
        assert status == 201, found
        api = Api(self.server, found["table"])
        api.host_token = found["host_token"]
        api.tokens = [api.join(name) for name in NAMES[:seats]]
        return api

    def seat(self, api: Api, seat: int, *, port: int = 0, **extra: Any) -> Page:
        """Open the page of a seat on a phone that holds its key, through another port if given."""
        context = self.context(PHONE, **extra)
        self.give(context, f"{api.code}_{seat}", api.tokens[seat])
        page = context.new_page()
        base = f"http://{HOST}:{port}" if port else self.base
        page.goto(f"{base}/s/{api.code}/{seat}")
        return page

    def screen(self, api: Api, **extra: Any) -> Page:
        """Open a table's display in a browser that holds the host's key."""
        context = self.context(DISPLAY, **extra)
        self.give(context, f"{api.code}_host", api.host_token)
        page = context.new_page()
        page.goto(f"{self.base}/t/{api.code}")
        return page

    def give(self, context: BrowserContext, name: str, key: str) -> None:
        """Put a key into a browser, as the server would."""
        name = f"referee_{self.server.port}_{name}"
        context.add_cookies([{"name": name, "value": key, "url": self.base, "httpOnly": True}])

    def auction(self, seats: int, **options: str) -> tuple[Page, Phones, Api]:
        """Begin a game whose first plot is up: a display, a phone for each seat, the interface."""
        phones, api = self.bidding(seats, **options)
        return self.screen(api), phones, api

    def bidding(self, seats: int, **options: str) -> tuple[Phones, Api]:
        """Begin a game whose first plot is up, at a table without a display."""
        api = self.open(seats, **options)
        api.start()
        api.draw_plot()
        return Phones(self, api), api


class Phones(Sequence[Page]):
    """A phone for each seat of a table, opened when a test first asks for it: opening costs most.

    What has to be there before something happens is asked for before.
    """

    def __init__(self, bench: Bench, api: Api) -> None:
        self._bench = bench
        self._api = api
        self._opened: dict[int, Page] = {}

    def __len__(self) -> int:
        """Count the seats."""
        return len(self._api.tokens)

    @overload
    def __getitem__(self, seat: int) -> Page: ...
    @overload
    def __getitem__(self, seat: slice) -> list[Page]: ...
    def __getitem__(self, seat: int | slice) -> Page | list[Page]:
        """Give the phone of a seat, or of several."""
        seats = range(len(self))[seat]
        return self._of(seats) if isinstance(seats, int) else [self._of(each) for each in seats]

    def _of(self, seat: int) -> Page:
        if seat not in self._opened:
            self._opened[seat] = self._bench.seat(self._api, seat)
        return self._opened[seat]

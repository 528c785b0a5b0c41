"""A bench for whole tables: the real server, a display, phones, and a line that can be cut.

Pages are opened under a made-up name instead of 127.0.0.1, because a browser trusts loopback more
than it trusts an address in somebody's Wi-Fi. Whatever a page complains of is kept, and fails the
test unless the test said that it expects it.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, CDPSession, Locator, Page, expect

from tests.ports import free_port

HOST: Final = "table.test"
TOP: Final = Path(__file__).resolve().parent.parent.parent
PHONE: Final[dict[str, Any]] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
}
DISPLAY: Final[dict[str, Any]] = {"viewport": {"width": 1920, "height": 1080}}
SMALLEST_BUTTON: Final = 40
SMALLEST_INPUT: Final = 16
SLOW_MS: Final = 10_000
APP: Final = {"preset": "app", "board": "practice"}
NAMES: Final = ("Ann", "Ben", "Cleo", "Dan", "Eve")

WATCH_POLICY: Final = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
"""
SET_VEIL: Final = """addEventListener("DOMContentLoaded", () => {
  if (document.body.dataset.veil) document.body.dataset.veil = "SECONDS";
});"""
TOO_SMALL: Final = """([button, input]) => {
  const seen = (node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest(".sr");
  const name = (node) => node.outerHTML.slice(0, 160);
  const found = [];
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) {
    found.push(`wider than the screen: ${root.scrollWidth} of ${innerWidth}`);
    for (const node of document.querySelectorAll("body *")) {
      const right = node.getBoundingClientRect().right;
      if (right > innerWidth + 1) found.push("sticks out: " + name(node));
    }
  }
  for (const node of document.querySelectorAll("button, a.btn, summary")) {
    const high = node.getBoundingClientRect().height;
    if (seen(node) && high < button) found.push(`${high} px high: ${name(node)}`);
  }
  for (const node of document.querySelectorAll("input:not([type=hidden]), select, textarea")) {
    const size = parseFloat(getComputedStyle(node).fontSize);
    if (seen(node) && size < input) found.push(`${size} px letters: ${name(node)}`);
  }
  return found.slice(0, 6);
}"""
SHOWS: Final = """(newest) => document.body
  && (!document.body.dataset.stream || Number(document.body.dataset.version) >= newest)"""
MIDDLE: Final = """(node) => {
  node.scrollIntoView({ block: "nearest" });
  const box = node.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}"""
SET_VISIBILITY: Final = """(state) => {
  Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
  Object.defineProperty(document, "hidden", { configurable: true, get: () => state === "hidden" });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def until(question: Callable[[], object], *, within_s: float) -> None:
    """Ask again and again until the answer is yes."""
    end = time.monotonic() + within_s
    while not question():
        assert time.monotonic() < end, "the answer stayed no"
        time.sleep(0.02)


def _call(
    port: int | None, method: str, path: str, body: object = None, *, token: str = ""
) -> tuple[int, Any]:
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    connection = HTTPConnection("127.0.0.1", port, timeout=SLOW_MS / 1000)
    try:
        payload = None if body is None else json.dumps(body)
        connection.request(method, path, body=payload, headers=headers)
        answer = connection.getresponse()
        text = answer.read().decode()
    finally:
        connection.close()
    kind = answer.headers.get_content_type()
    is_json = kind in {"application/json", "application/problem+json"}
    return answer.status, json.loads(text) if is_json else text


class Server:
    """`referee serve` as a process of its own; `module` is what Python runs."""

    def __init__(self, data: Path, *, module: str = "referee") -> None:
        self._module = module
        self.data = data
        self.port = free_port()
        self.base = f"http://{HOST}:{self.port}"
        self._log = (data / "server.log").open("ab")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start, or start again on the same port and data, and wait until it answers."""
        command = (
            *(sys.executable, "-m", self._module, "serve", "--no-browser", "--lang", "en"),
            *("--port", str(self.port), "--url", self.base, "--data", str(self.data)),
        )
        quiet = {k: v for k, v in os.environ.items() if k != "FLASK_DEBUG"}
        self._process = subprocess.Popen(
            command, cwd=TOP, env=quiet, stdout=self._log, stderr=subprocess.STDOUT
        )
        until(lambda: self._answers() or self._has_ended(), within_s=30)
        assert not self._has_ended(), self.log()

    def _answers(self) -> bool:
        try:
            return self.call("GET", "/healthz")[0] == 200
        except (OSError, HTTPException):
            return False

    def _has_ended(self) -> bool:
        return self._process is None or self._process.poll() is not None

    def log(self) -> str:
        """Give the end of what the server printed."""
        return (self.data / "server.log").read_text(errors="replace")[-2000:]

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End the process and give its exit code; SIGKILL is the pulled plug."""
        assert self._process is not None
        self._process.send_signal(how)
        code = self._process.wait(10)
        self._process = None
        return code

    def close(self) -> None:
        """End the process if it still runs."""
        if self._process is not None:
            self.end(signal.SIGKILL)
        self._log.close()

    def call(
        self, method: str, path: str, body: object = None, *, token: str = ""
    ) -> tuple[int, Any]:
        """Ask over HTTP, past any browser; give the status and the decoded body."""
        return _call(self.port, method, path, body, token=token)


class Api:
    """One table through the HTTP interface: what the pages must agree with."""

    def __init__(self, server: Server, code: str) -> None:
        self.server = server
        self.code = code
        self.host_token = ""
        self.tokens: list[str] = []

    def see(self, token: str = "") -> dict[str, Any]:
        """Give the table as the holder of a token sees it, without one as the display does."""
        return self._ok("GET", "", token=token)

    def act(self, token: str, action: dict[str, Any], *, version: int | None = None) -> int:
        """Play an action on the version of now, if no other is named, and give the next."""
        at = self.see(token)["version"] if version is None else version
        wanted = {"version": at, "id": os.urandom(8).hex()}
        version: int = self._ok("POST", "/actions", wanted | {"action": action}, token)["version"]
        return version

    def join(self, name: str) -> str:
        """Take a seat and give its token."""
        token: str = self._ok("POST", "/seats", {"name": name})["token"]
        return token

    def start(self) -> None:
        """Begin the game."""
        self._ok("POST", "/start", token=self.host_token)

    def public(self) -> dict[str, Any]:
        """Give what everybody may see of the game."""
        found: dict[str, Any] = self.see()["view"]["public"]
        return found

    def own(self, seat: int) -> dict[str, Any]:
        """Give what only a seat may see of the game."""
        found: dict[str, Any] = self.see(self.tokens[seat])["view"]["own"]
        return found

    def draw_plot(self) -> None:
        """Let the star's holder turn over the next plot."""
        self.act(self.tokens[self.public()["star"]], {"type": "draw_plot"})

    def submit(self, seat: int, amount: int) -> None:
        """Hand in a sealed bid, or change it."""
        self.act(self.tokens[seat], {"type": "submit_bid", "amount": amount})

    def ask_for_star(self, seat: int) -> None:
        """Ask the table to set right who holds the star."""
        wanted = {"correction": {"star": seat}, "reason": "it lies here"}
        self._ok("POST", "/corrections", wanted, self.tokens[seat])

    def never_mind(self, seat: int) -> None:
        """Take back what a seat asked of the table."""
        self._ok("POST", "/ask", {"agree": False}, self.tokens[seat])

    def result(self) -> dict[str, Any]:
        """Give the final result."""
        return self._ok("GET", "/result")

    def journal(self) -> list[dict[str, Any]]:
        """Give the journal's entries, public ones while the game goes on."""
        status, text = self.server.call("GET", f"/api/v1/tables/{self.code}/journal")
        assert status == 200, text
        return [json.loads(line) for line in text.splitlines()[1:]]

    def actions(self) -> list[int]:
        """Give the seats whose actions the journal holds, in order."""
        return [entry["seat"] for entry in self.journal() if entry["kind"] == "action"]

    def _ok(self, method: str, path: str, body: object = None, token: str = "") -> dict[str, Any]:
        status, found = self.server.call(
            method, f"/api/v1/tables/{self.code}{path}", body, token=token
        )
        assert status in {200, 201}, found
        answer: dict[str, Any] = found
        return answer


class Bench:
    """Opens screens on one server, listens to what they complain of, and closes them."""

    def __init__(self, browser: Browser, server: Server) -> None:
        self.browser = browser
        self.server = server
        self.base = server.base
        self.complaints: list[str] = []
        self.expected: list[str] = []
        self.contexts: list[BrowserContext] = []

    def expect(self, *patterns: str) -> None:
        """Say which complaints belong to this test, as regular expressions."""
        self.expected.extend(patterns)

    def judge(self) -> None:
        """Fail on any complaint that was not expected."""
        unexpected = [
            said
            for said in self.complaints
            if not any(re.search(pattern, said) for pattern in self.expected)
        ]
        self.complaints.clear()
        assert unexpected == []

    def close(self) -> None:
        """Close every screen."""
        for context in self.contexts:
            context.close()

    def context(self, kind: dict[str, Any], *, veil_s: int = 3600, **extra: Any) -> BrowserContext:
        """Start a profile of its own: nothing is shared with the others.

        People in tests stand still for long: plans are hidden only after an hour. Nothing moves
        unless a test is about it, for a drawing that moves without end keeps a core busy.
        """
        calm = {"locale": "en-GB", "reduced_motion": "reduce"}
        context = self.browser.new_context(**{**calm, **kind, **extra})
        self.contexts.append(context)
        context.set_default_timeout(SLOW_MS)
        context.add_init_script(WATCH_POLICY)
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
        page.evaluate("document.querySelectorAll('details').forEach((node) => node.open = true)")
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

    def auction(self, seats: int, **options: str) -> tuple[Page, list[Page], Api]:
        """Begin a game whose first plot is up: a display, a phone for each seat, the interface."""
        api = self.open(seats, **options)
        api.start()
        api.draw_plot()
        return self.screen(api), [self.seat(api, seat) for seat in range(seats)], api


def sit_down(page: Page, name: str) -> None:
    """Fill in the join form."""
    page.locator("#name").fill(name)
    touch(page.locator("form[data-mix] .btn-primary"))
    page.wait_for_url("**/s/**")


def begin(display: Page) -> None:
    """Start the game on the display."""
    touch(display.locator("#begin .btn-primary:enabled"))
    display.locator("#question").wait_for()


def cookie(context: BrowserContext, ending: str) -> str:
    """Give the key that a browser keeps under a name with this ending."""
    found = [c["value"] for c in context.cookies() if c["name"].endswith(ending)]
    assert len(found) == 1, ending
    return found[0]


def token(page: Page) -> str:
    """Give the key of the seat that a page shows."""
    code, seat = urlsplit(page.url).path.split("/")[2:4]
    return cookie(page.context, f"_{code}_{seat}")


def form(page: Page, kind: str) -> Locator:
    """Find the form of an action on a seat's page."""
    return page.locator(f"#ask form:has(input[name=type][value={kind}])")


def settled(page: Page) -> Page:
    """Wait until a page shows all that its viewer may notice by now, and give it.

    People look before they tap. A form that another screen's tap has just made old is refused, so
    whoever taps, holds or counts after others acted does it on a page that is settled.
    """
    at = urlsplit(page.url)
    match at.path.strip("/").split("/"):
        case ["t", code]:
            key = ""
        case ["s", code, _]:
            key = token(page)
        case _:
            return page  # not live: it shows what was so when it was opened
    newest = _see(at.port, code, key)["version"]
    page.wait_for_function(SHOWS, arg=newest)
    return page


def _see(port: int | None, code: str, key: str) -> dict[str, Any]:
    status, found = _call(port, "GET", f"/api/v1/tables/{code}", token=key)
    assert status == 200, found
    answer: dict[str, Any] = found
    return answer


def jab(place: Locator) -> None:
    """Touch something without a look at the page: with a finger, or a mouse where it has one."""
    if place.page.evaluate("navigator.maxTouchPoints"):
        place.tap()
    else:
        place.click()


def touch(place: Locator) -> None:
    """Touch something on a page that is settled."""
    settled(place.page)
    jab(place)


def tap(page: Page, button: Locator, *, to: str = "act", answer: int = 204) -> None:
    """Touch a button that sends a form, and wait until the server has answered, with yes."""
    settled(page)
    with page.expect_response(f"**/{to}") as answered:
        jab(button)
    assert answered.value.status == answer, answered.value.status


def follow(page: Page, link: Locator) -> None:
    """Touch something that leads to another page, and wait until that one is there."""
    settled(page)
    with page.expect_navigation():
        jab(link)


def bid_sealed(page: Page, amount: int) -> None:
    """Type a sealed bid and hand it in."""
    wanted = form(page, "submit_bid").first
    fold = page.locator("#ask details[data-shuts]")
    if fold.count():
        touch(fold.locator("summary"))
    wanted.locator("[data-amount]").fill(str(amount))
    tap(page, wanted.locator("[data-sends]"))


@contextmanager
def held(page: Page, button: Locator) -> Iterator[None]:
    """Hold a finger on something on a page that is settled, as a touch screen reports it."""
    settled(page)
    session = page.context.new_cdp_session(page)
    # In one go: a part may be drawn anew between two questions about it.
    spot = button.evaluate(MIDDLE)
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [spot]})
    try:
        yield
    finally:
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        session.detach()


def peeked(page: Page) -> str:
    """Hold to look, and give the secrets as they are shown, on one line."""
    secret = page.locator("#own .peek-secret")
    expect(secret).to_be_hidden()
    with held(page, page.locator("#own .peek-btn")):
        expect(secret).to_be_visible()
        text = " ".join(secret.inner_text().split())
    expect(secret).to_be_hidden()
    return text


def money(amount: int) -> str:
    """Write dollars as English pages do."""
    return f"${amount:,}"


def fits(page: Page, *, is_phone: bool = True) -> None:
    """Check that a page is made for thumbs: nothing sticks out, buttons and letters are big."""
    settled(page)  # one that is about to load anew cannot be measured
    limits = [SMALLEST_BUTTON if is_phone else 0, SMALLEST_INPUT if is_phone else 0]
    assert page.evaluate(TOO_SMALL, limits) == [], page.url


def set_visibility(page: Page, state: str) -> None:
    """Make a page believe that it went out of sight, or came back."""
    page.evaluate(SET_VISIBILITY, state)


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

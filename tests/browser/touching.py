"""What people do with a page: look, touch, type, hold a finger on something, put it away."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from typing import Any, Final
from urllib.parse import parse_qs, urljoin, urlsplit

from playwright.sync_api import BrowserContext, Locator, Page, Request, expect
from playwright.sync_api import TimeoutError as TookTooLong

from .serving import SLOW_MS, ask

SMALLEST_BUTTON: Final = 40
SMALLEST_INPUT: Final = 16
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
SHOWS: Final = """(newest) => document.body && (!document.body.dataset.stream
  || Number(document.body.dataset.version) >= newest
  && document.documentElement.dataset.ready !== "")"""
"""And has all that it does: people look for longer than what comes late takes."""
MAY_BE_TOUCHED: Final = f"""{SHOWS} && !document.querySelector("[data-fresh]")"""
MIDDLE: Final = """async (node) => {
  const middle = () => {
    const box = node.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const isUnder = ({ x, y }) => {
    const top = document.elementFromPoint(x, y);
    return top && !node.contains(top) && !top.contains(node);
  };
  const before = middle(), once = { capture: true, once: true };
  const scrolled = new Promise((done) => addEventListener("scroll", done, once));
  node.scrollIntoView({ block: "nearest" });
  if (isUnder(middle())) node.scrollIntoView({ block: "center" });
  const after = middle();
  if (after.x !== before.x || after.y !== before.y) await scrolled;
  return after;
}"""
"""Where a finger touches: people scroll what lies under the bar. A page hears of a scroll at its
next frame, and takes a finger that lies there by then for one that scrolls: nobody is as quick."""
NOTE_TOUCHES: Final = """addEventListener("DOMContentLoaded", () => {
  const noted = globalThis.noted = [];
  const note = (event) => {
    const what = event.target.outerHTML || event.target.nodeName || "window";
    noted.push(`${Math.round(performance.now())} ${event.type} ${what.slice(0, 120)}`);
    noted.splice(0, noted.length - 30);
  };
  const touched = ["pointerdown", "pointerup", "pointercancel", "contextmenu", "click", "scroll"];
  const sent = ["submit", "htmx:beforeRequest", "htmx:afterRequest", "htmx:abort"];
  for (const name of [...touched, ...sent]) addEventListener(name, note, true);
});"""
"""A page keeps what was last done to it, for whoever asks why a touch came to nothing."""
WAS_HELD: Final = """() => {
  const last = (type) => parseFloat(noted.findLast((each) => each.split(" ")[1] === type));
  return document.querySelector("dialog[open]") && last("pointerup") - last("pointerdown") >= 500;
}"""
"""A browser that stood still between a finger's coming down and its going up saw one that rests."""
SET_VISIBILITY: Final = """(state) => {
  Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
  Object.defineProperty(document, "hidden", { configurable: true, get: () => state === "hidden" });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


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
    return shown(page, so_that=MAY_BE_TOUCHED)


def shown(page: Page, *, so_that: str = SHOWS) -> Page:
    """Wait as `settled` does for whoever only looks, at what came too quickly to be touched too."""
    now = seen(page)
    if now:  # else not live: it shows what was so when it was opened
        page.wait_for_function(so_that, arg=now["version"])
    return page


@contextmanager
def elsewhere(*pages: Page) -> Iterator[None]:
    """Let pages look at something else meanwhile: each change would be drawn on each of them."""
    places = [page.url for page in pages]
    for page in pages:
        page.goto(urljoin(page.url, "/help"))
    yield
    for page, place in zip(pages, places, strict=True):
        page.goto(place)


def seen(page: Page) -> dict[str, Any]:
    """Ask for a page's table as its viewer may see it by now; nothing for a page of none."""
    at = urlsplit(page.url)
    match at.path.strip("/").split("/"):
        case ["t", code]:
            key = ""
        case ["s", code, _]:
            key = token(page)
        case _:
            return {}
    status, found = ask(at.port, "GET", f"/api/v1/tables/{code}", token=key)
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
    sends(page, lambda: jab(button), to=to, answer=answer)


def sends(page: Page, do: Callable[[], object], *, to: str = "act", answer: int = 204) -> None:
    """Do what sends a form, and wait until the server has answered, with yes.

    The end of a game loads every page anew, and may be quicker than the answer to the tap that
    brought it: a browser drops what a page that it leaves has asked for. Then the server is asked
    by the same tap again.
    """
    try:
        with page.expect_request(f"**/{to}") as asked:
            do()
    except TookTooLong:
        if not page.evaluate(WAS_HELD):
            noted = page.evaluate("[performance.now(), document.body.className, ...noted]")
            said = "\n".join(map(str, ["the touch came to nothing", *noted]))
            raise AssertionError(said) from None
        page.keyboard.press("Escape")
        with page.expect_request(f"**/{to}") as asked:
            do()
    answered = asked.value.response()
    if answered is None:
        assert seen(page)["status"] == "over", asked.value.failure
    status = sent_again(page, asked.value) if answered is None else answered.status
    assert status == answer, status


def sent_again(page: Page, tapped: Request) -> int:
    """Send past the browser what a tap sent, id and all, and give the status of the answer.

    The game is over: all that is not refused is what was answered already.
    """
    at, form = urlsplit(tapped.url), tapped.post_data or ""
    assert parse_qs(form).get("id"), "a tap without an id is the same as none"
    keys = "; ".join(f"{each['name']}={each['value']}" for each in page.context.cookies(page.url))
    headers = {**tapped.headers, "Host": at.netloc, "Cookie": keys}
    connection = HTTPConnection("127.0.0.1", at.port, timeout=SLOW_MS / 1000)
    with closing(connection):
        connection.request("POST", at.path, body=form, headers=headers)
        return connection.getresponse().status


@contextmanager
def unanswered(page: Page, *, to: str = "act") -> Iterator[None]:
    """Hold the answer to a tap back until what is waited for here is there: the stream is first."""
    answers: list[str] = []
    line = page.context.new_cdp_session(page)
    line.on("Fetch.requestPaused", lambda held: answers.append(held["requestId"]))
    line.send("Fetch.enable", {"patterns": [{"urlPattern": f"*/{to}", "requestStage": "Response"}]})
    yield
    while not answers:
        page.wait_for_timeout(20)
    line.send("Fetch.continueRequest", {"requestId": answers[0]})


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


class Finger:
    """A finger whose times are those of the screen, however late the page hears of it."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)

    def down(self, spot: dict[str, float], at: float) -> None:
        """Lay it somewhere at a time."""
        self._send("touchStart", [spot], at)

    def up(self, at: float) -> None:
        """Lift it at a time."""
        self._send("touchEnd", [], at)

    def tap(self, spot: dict[str, float], at: float) -> None:
        """Do both, quickly."""
        self.down(spot, at)
        self.up(at + 0.05)

    def _send(self, kind: str, points: list[dict[str, float]], at: float) -> None:
        given: dict[str, Any] = {"type": kind, "touchPoints": points, "timestamp": at}
        self._session.send("Input.dispatchTouchEvent", given)


def middle(place: Locator) -> dict[str, float]:
    """Say where something lies."""
    spot: dict[str, float] = place.evaluate(MIDDLE)
    return spot


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
    shown(page)  # one that is about to load anew cannot be measured
    page.wait_for_load_state("domcontentloaded")  # nor one that was just left for another
    limits = [SMALLEST_BUTTON if is_phone else 0, SMALLEST_INPUT if is_phone else 0]
    assert page.evaluate(TOO_SMALL, limits) == [], page.url


def set_visibility(page: Page, state: str) -> None:
    """Make a page believe that it went out of sight, or came back."""
    page.evaluate(SET_VISIBILITY, state)

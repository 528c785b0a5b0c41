"""Which elements a script goes by: of each kind that it names, one where nothing else decides."""

from __future__ import annotations

from typing import Any, Final

import pytest
from playwright.sync_api import Page

from tests.walk.screens import ORIGIN, Screens

from .bench import Bench, settled

pytestmark = pytest.mark.browser

HEAD: Final = '<header id="head"><a class="q" href="#t-asked">?</a></header>'
SIGNS: Final = "<svg><use href='#hat'/></svg><svg><use href='#bank'/></svg>"
BESIDE: Final = '<i data-term="beside"></i>'
TARGET: Final = "<b id='target'>word</b>"
BID: Final = '<form><input type="hidden" name="type" value="bid"></form>'
MEANT: Final = """async ([html, number]) => {
  document.body.dataset.signs = "hat:token bank:bank";
  document.body.dataset.acts = "bid:auction";
  document.body.innerHTML = html;
  const { termAt } = await import(`/static/0/js/meaning.js?${number}`);
  return termAt(document.getElementById("target"), 0, 0) ?? null;
}"""
FRAMES: Final = {
    name: f"<div>{BESIDE}{html}</div>"
    for name, html in {
        "section": f"<section>{TARGET}</section>",
        "ul": f"<ul>{TARGET}</ul>",
        "ol": f"<ol>{TARGET}</ol>",
        "dl": f"<dl>{TARGET}</dl>",
        "table": f"<table><tr><td>{TARGET}</table>",
        "nav": f"<nav>{TARGET}</nav>",
        "main": f"<main>{TARGET}</main>",
        "part": f"<div data-part='log'>{TARGET}</div>",
    }.items()
}
"""Frames, inside of which nothing beside them is meant."""
ROWS: Final = {
    tag: f"<{tag}>{SIGNS}{TARGET}<a class='q' href='#t-row'>?</a></{tag}>"
    for tag in ("li", "article", "header")
}
"""Rows of several signs: their "?" is theirs."""
CARRIERS: Final = {
    "q": ("row", f"<p>{TARGET}<a class='q' href='#t-row'>?</a></p>"),
    "term": ("beside", f"<p>{TARGET}{BESIDE}</p>"),
    "use": ("token", f"<p>{TARGET}<svg><use href='#hat'/></svg></p>"),
    "form": ("auction", f"<div>{TARGET}{BID}</div>"),
    "fold": ("auction", f"<details><summary>{TARGET}</summary>{BESIDE}{BID}</details>"),
    "two": (None, f"<p>{TARGET}{SIGNS}</p>"),
}
ACTS: Final = {
    name: f"{HEAD}<div data-part='ask'>{html}</div>"
    for name, html in {
        "button": f"<button>{TARGET}</button>",
        "label": f"<label>{TARGET}</label>",
        "summary": f"<details><summary>{TARGET}</summary></details>",
        "role": f"<div role='button'>{TARGET}</div>",
        "place": f"<div data-for='k'>{TARGET}</div>",
    }.items()
}
"""What acts and says no more itself is of what is asked."""
PLAIN: Final = f"{HEAD}<div data-part='ask'><p>{TARGET}</p></div>"

HELD: Final = (
    '<a href="#x">x</a>',
    '<button class="peek-btn">x</button>',
    '<div data-peek role="button">x</div>',
    "<div data-hold>x</div>",
    "<div data-strokes>x</div>",
    "<select></select>",
    "<textarea></textarea>",
    '<input type="text">',
)
"""What a finger holds or touches for something else than to ask."""
ASKED: Final = ('<input type="radio">', '<input type="checkbox">', "<div data-peek>x</div>")
ASKS: Final = """async (all) => {
  let asked = 0;
  globalThis.fetch = () => { asked += 1; return Promise.reject(); };
  const found = [];
  for (const html of all) {
    const host = document.createElement("div");
    host.dataset.term = "plot";
    host.dataset.peek = "";
    host.innerHTML = html;
    document.body.append(host);
    asked = 0;
    const touched = { bubbles: true, isPrimary: true, pointerType: "touch" };
    host.firstChild.dispatchEvent(new PointerEvent("pointerdown", touched));
    host.firstChild.dispatchEvent(new PointerEvent("pointercancel", touched));
    found.push(asked);
    await new Promise((done) => setTimeout(done));
    host.remove();
  }
  return found;
}"""

KEPT_PLACES: Final = (
    '<a href="/x">a</a>',
    "<button>a</button>",
    '<input name="a">',
    "<select name='a'></select>",
    "<textarea name='a'></textarea>",
    "<details><summary>a</summary></details>",
    '<div tabindex="0">a</div>',
)
STAYS: Final = """async (all) => {
  const { keepPlace } = await import("/static/0/js/focus.js?stays");
  const focusable = "a, button, input, select, textarea, summary, [tabindex='0']";
  return all.map((html) => {
    document.body.innerHTML = `<div id="ask" data-part="ask"><p>words</p>${html}</div>`;
    const part = document.getElementById("ask"), drawn = part.innerHTML;
    part.querySelector(focusable).focus();
    const { goOn } = keepPlace(part);
    part.innerHTML = drawn;
    goOn();
    return document.activeElement === part.querySelector(focusable);
  });
}"""
WORDS: Final = (
    "<h1>words</h1>",
    '<div class="ask">words</div>',
    "<h2>words</h2>",
    "<p>words</p>",
    "<fieldset><legend>words</legend></fieldset>",
    "<details><summary>words</summary></details>",
    "<label>words</label>",
)
GOES_ON: Final = """async (all) => {
  const { keepPlace } = await import("/static/0/js/focus.js?goes-on");
  return all.map((html) => {
    document.body.innerHTML = `<main>x<div data-part="ask"><button>gone</button></div></main>`;
    const part = document.querySelector("[data-part]");
    part.firstChild.focus();
    const { goOn } = keepPlace(part);
    part.innerHTML = `<div>${html}</div>`;
    goOn();
    return part.contains(document.activeElement) && document.activeElement.textContent === "words";
  });
}"""
FIELDS: Final = """async () => {
  const { keep } = await import("/static/0/js/kept.js?fields");
  const drawn = `<form action="/act"><input name="a" value="0">
    <input type="hidden" name="b" value="0">
    <select name="c"><option>0</option><option>1</option></select><textarea name="d">0</textarea>
    <input type="checkbox" name="e" value="1"></form>`;
  document.body.innerHTML = `<div data-part="ask">${drawn}</div>`;
  const part = document.querySelector("[data-part]");
  const fields = () => Array.from(part.querySelectorAll("[name]"));
  for (const field of fields()) {
    if (field.type === "checkbox") field.checked = true;
    else field.value = "1";
  }
  const { putBack } = keep(part);
  part.innerHTML = drawn;
  putBack();
  return fields().map((field) => field.type === "checkbox" ? field.checked : field.value);
}"""

BROUGHT: Final = ("<textarea></textarea>", "<input>", '<input type="number">')
LEFT: Final = ('<input type="radio">', '<input type="checkbox">', "<select></select>")
"""Where a keyboard comes up, and where none does."""
BRINGS: Final = """async (all) => {
  const found = [];
  for (const [number, html] of all.entries()) {
    document.body.innerHTML = `<form style="padding-top: 200px">${html}
      <p style="height: 3000px"></p><button>Send</button></form>`;
    scrollTo(0, 0);
    document.querySelector("form").firstElementChild.focus();
    await import(`/static/0/js/keyboard.js?brings-${number}`);
    found.push(scrollY > 0);
  }
  return found;
}"""
OPENED: Final = (
    "<div data-peek><button class='peek-btn' id='target'>x</button></div>",
    "<div data-peek class='reveal' id='target'>x</div>",
)
SHUT: Final = (
    "<div data-peek id='target'>x</div>",
    "<div data-peek><button id='target'>x</button></div>",
    "<div data-peek><p class='reveal' id='target'>x</p></div>",
)
"""What opens a secret while it is held, and what beside it does not."""
OPENS: Final = """async (all) => {
  await import("/static/0/js/secrets.js?opens");
  return all.map((html) => {
    document.body.innerHTML = html;
    const held = document.querySelector("[data-peek]"), target = document.getElementById("target");
    const isOpen = (down, up) => {
      target.dispatchEvent(down);
      const is = held.hasAttribute("data-open");
      target.dispatchEvent(up);
      return is && !held.hasAttribute("data-open");
    };
    const far = { bubbles: true };
    return [
      isOpen(new PointerEvent("pointerdown", far), new PointerEvent("pointerup", far)),
      isOpen(new KeyboardEvent("keydown", { ...far, key: " " }), new KeyboardEvent("keyup", far)),
    ];
  });
}"""


@pytest.fixture
def blank(screens: Screens) -> Page:
    """Give a page that shows nothing, and can load every script."""
    page: Page = screens.blank
    page.goto(ORIGIN)
    return page


@pytest.mark.parametrize("html", FRAMES.values(), ids=FRAMES)
def test_what_lies_in_a_frame_means_nothing_beside_it(blank: Page, html: str) -> None:
    """A word in a list of its own is not of the term that stands above the list."""
    assert blank.evaluate(MEANT, [html, "frame"]) is None


@pytest.mark.parametrize("html", ROWS.values(), ids=ROWS)
def test_a_row_of_many_signs_is_of_its_own_question_mark(blank: Page, html: str) -> None:
    """No sign of it is guessed."""
    assert blank.evaluate(MEANT, [html, "row"]) == "row"


@pytest.mark.parametrize(("term", "html"), CARRIERS.values(), ids=CARRIERS)
def test_a_word_is_of_the_one_term_beside_it(blank: Page, term: Any, html: str) -> None:
    """A link, a term, a sign that is drawn, what a form does; of a fold what it sends."""
    assert blank.evaluate(MEANT, [html, "carrier"]) == term


@pytest.mark.parametrize("html", ACTS.values(), ids=ACTS)
def test_what_acts_is_of_what_is_asked(blank: Page, html: str) -> None:
    """As the head says it; what only stands there is not."""
    assert blank.evaluate(MEANT, [html, "act"]) == "asked"
    assert blank.evaluate(MEANT, [PLAIN, "act"]) is None


def test_what_is_held_or_typed_into_is_not_asked_about(bench: Bench) -> None:
    """No explanation is even fetched; a choice, and what is beside these, has one."""
    api = bench.open(3)
    api.start()
    page = settled(bench.seat(api, 0))
    assert page.evaluate(ASKS, [*HELD, *ASKED]) == [0] * len(HELD) + [1] * len(ASKED)


def test_the_focus_stays_at_each_kind_of_control(blank: Page) -> None:
    """Its part is drawn anew, and the same control is there again."""
    assert blank.evaluate(STAYS, [*KEPT_PLACES]) == [True] * len(KEPT_PLACES)


def test_where_a_control_is_gone_one_goes_on_at_each_kind_of_words(blank: Page) -> None:
    """Whatever a part begins with."""
    assert blank.evaluate(GOES_ON, [*WORDS]) == [True] * len(WORDS)


def test_each_kind_of_field_keeps_what_was_typed(blank: Page) -> None:
    """What is hidden is the server's, and of now."""
    assert blank.evaluate(FIELDS) == ["1", "0", "1", "1", True]


def test_each_kind_of_field_that_is_typed_into_brings_its_button_into_sight(blank: Page) -> None:
    """Half of the window is the keyboard's; a choice or a list has none."""
    wanted = [True] * len(BROUGHT) + [False] * len(LEFT)
    assert blank.evaluate(BRINGS, [*BROUGHT, *LEFT]) == wanted


def test_each_kind_of_button_opens_its_secret_while_it_is_held(blank: Page) -> None:
    """By finger and by key; what lies beside it there opens nothing."""
    wanted = [[True, True]] * len(OPENED) + [[False, False]] * len(SHUT)
    assert blank.evaluate(OPENS, [*OPENED, *SHUT]) == wanted

"""Nobody who plays by keys or by ear loses their place, whatever is drawn anew around them."""

from __future__ import annotations

import random
from itertools import cycle
from typing import Any, Final

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from referee.games import GAMES
from tests.table import APP, LANGUAGES, play, tables_at
from tests.walk.kinds import acting, met
from tests.walk.scenes import Walk
from tests.walk.screens import ORIGIN, Screens

from .bench import Bench, form, settled, shown, tap, touch
from .unseen import reach

pytestmark = pytest.mark.browser

HTMX: Final = f"{ORIGIN}/static/0/vendor/htmx-2.0.11.min.js"
PLACES: Final = """async ([number, other]) => {
  const { onDraw, parts, receive } = await import(`/static/0/js/parts.js?${number}`);
  onDraw((await import(`/static/0/js/focus.js?${number}`)).keepPlace);
  onDraw((await import(`/static/0/js/kept.js?${number}`)).keep);
  const name = parts.has("ask") ? "ask" : "desk";
  const part = parts.get(name);
  if (!part) return [];
  const wrong = [];
  const now = () => document.activeElement;
  const draw = (html) => receive(name, { data: html, lastEventId: "" });
  const unfold = () => {
    const shut = part.querySelectorAll("details:not([open])");
    shut.forEach((fold) => { fold.open = true; });
    return shut.length > 0;
  };
  const kinds = "a[href], button, input:not([type=hidden]), select, summary";
  const acts = () => Array.from(part.querySelectorAll(kinds))
    .filter((node) => node.checkVisibility() && !node.disabled);
  // All are opened at once here, and by no tap that a page would note.
  part.querySelectorAll("details").forEach((fold) => {
    for (const what of ["name", "data-fold"]) fold.removeAttribute(what);
  });
  const whole = part.innerHTML;
  unfold();
  let drawn = acts();
  for (let at = 0; at < drawn.length; at += 1) {
    const before = drawn[at].outerHTML, text = before.slice(0, 160);
    drawn[at].focus();
    if (now() !== drawn[at]) continue;
    draw(`${whole}<i hidden>${at}</i>`);
    drawn = acts();
    if (now().outerHTML !== before || drawn.indexOf(now()) !== at) wrong.push(`kept: ${text}`);
    if (unfold()) drawn = acts();
  }
  for (const html of [other, ""]) {
    draw(whole);
    if (acts().length) acts()[0].focus();
    const had = part.contains(now());
    draw(html);
    if (had && now().matches("body, button")) wrong.push(`lost: ${html.slice(0, 60)}`);
  }
  return wrong;
}"""


FOLDS: Final = """async () => {
  const own = document.querySelector("script[type=module]").src;
  const of = (file) => import(own.replace(/\\w+\\/\\w+\\.js$/, `js/${file}.js`));
  const { onDraw, parts, receive } = await of("parts");
  onDraw((await of("kept")).keep);
  const fold = "<details><summary>Another road</summary></details>";
  const draw = (more) => receive("ask", { data: fold + fold + more, lastEventId: "" });
  draw("");
  const folds = () => Array.from(parts.get("ask").querySelectorAll("details"));
  folds()[0].open = true;
  draw("<i></i>");
  return folds().map((fold) => fold.open);
}"""


@pytest.mark.parametrize("key", GAMES)
def test_every_control_is_kept_while_its_question_is_drawn_anew(
    screens: Screens, app: Flask, key: str
) -> None:
    """At every kind of question; where another one comes one goes on at its words, no button."""
    walk, languages = Walk(app), cycle(LANGUAGES)
    wrong: dict[str, Any] = {}
    other = "<h1>Another question</h1><form><button>Do it</button></form>"
    for number, one in enumerate(acting(met(key)).values()):
        scene = walk.of(one, next(languages))
        page = screens.show(scene)
        if not page.evaluate("Boolean(window.htmx)"):
            page.add_script_tag(url=HTMX)
        if found := page.evaluate(PLACES, [f"{key}-{number}", other]):
            wrong[scene.name] = found
    assert wrong == {}


def focused(page: Page) -> str:
    """Name what has the focus."""
    name: str = page.evaluate("`${document.activeElement.tagName} ${document.activeElement.id}`")
    return name


def test_a_refused_answer_leaves_the_focus_on_its_button(bench: Bench) -> None:
    """The server says no; the button wakes up again, and whoever pressed it is still there."""
    api = bench.open(3)
    api.start()
    api.draw_plot()
    page = settled(bench.seat(api, api.public()["star"]))
    bench.expect("422")
    field = page.locator("#ask form:has(input[value=bid]) [data-amount]")
    field.fill("99000")
    button = page.locator("#ask form:has(input[value=bid]) [data-sends]")
    reach(page, button)
    with page.expect_response("**/act") as answered:
        page.keyboard.press("Enter")
    assert answered.value.status == 422
    expect(button).to_be_focused()


def test_the_next_question_comes_into_sight_and_nothing_moves_for_who_reads(bench: Bench) -> None:
    """The last of all cities is tapped for the Marshal and a Sheriff; then others act."""
    api = bench.open(3, "desperados")
    api.start()
    marshal, cities = bench.seat(api, 0), "form:has(input[name=city]) label"
    for kind in ("place_marshal", "place_sheriff"):
        words = marshal.locator("#ask h1").inner_text()
        touch(form(settled(marshal), kind).locator("label").last)
        tap(marshal, form(marshal, kind).locator(".btn-primary"))
        expect(marshal.locator("#ask h1")).not_to_have_text(words)
        expect(marshal.locator("#ask h1")).to_be_in_viewport(ratio=1)

    api.act(api.tokens[0], api.see(api.tokens[0])["legal"][0])
    reader = settled(bench.seat(api, 1))
    city = reader.locator(cities).last
    city.scroll_into_view_if_needed()
    assert reader.evaluate("scrollY") > 0
    before = city.evaluate("(node) => Math.round(node.getBoundingClientRect().top)")
    api.act(api.tokens[2], api.see(api.tokens[2])["legal"][0])
    shown(reader)
    assert city.evaluate("(node) => Math.round(node.getBoundingClientRect().top)") == before


def test_of_two_folds_that_say_the_same_each_stays_as_it_was_left(bench: Bench) -> None:
    """As with two Sheriffs, each with a fold for roads that the referee does not know."""
    api = bench.open(3)
    api.start()
    page = settled(bench.seat(api, api.public()["star"]))
    assert page.evaluate(FOLDS) == [True, False]


def test_the_ceremony_and_the_replay_keep_the_focus(own_bench: Bench) -> None:
    """Next is pressed until there is no next; the last step's words have the focus then."""
    own_bench.server.end()
    with tables_at(own_bench.server.data) as tables:
        table, token = tables.open("moon_river", options=APP, seed="focus")
        for name in ("Ann", "Ben"):
            tables.lobby.join(table, name)
        tables.lobby.start(table)
        play(tables, table, random.Random(1))
    own_bench.server.start()
    page = own_bench.display(f"/t/{table.code}")
    following = page.locator("[data-next]")
    following.focus()
    while following.is_visible():
        page.keyboard.press("Enter")
        assert focused(page) != "BODY "
    page.goto(f"{own_bench.base}/t/{table.code}/replay?step=2")
    page.locator("#prev").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#prev")).to_have_count(0)
    expect(page.locator("#next")).to_be_focused()
    for _ in range(2):
        page.keyboard.press("Enter")
        expect(page.locator("#next")).to_be_focused()
    assert token

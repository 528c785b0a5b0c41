"""What is sent in pieces shows what a page that is loaded anew shows."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from benchmarks.scripts import SEATS, script

from .bench import Bench, settled

pytestmark = pytest.mark.browser

PLAYED, LOOK_EVERY = 40, 5
DIFFERENCES = """async () => {
  const answer = await fetch(location.href);
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const bare = (root) => {
    const copy = root.cloneNode(true);
    // Who is asleep is a matter of time; what scripts say of cells and choices is theirs.
    for (const node of copy.querySelectorAll(".state, [data-echo]")) node.remove();
    for (const node of copy.querySelectorAll(".spot")) {
      node.classList.remove("lit", "begins", "ends", "now");
      const said = ["role", "tabindex", "aria-label", "data-name"];
      for (const name of said) node.removeAttribute(name);
    }
    for (const node of copy.querySelectorAll("[class]")) {
      node.classList.remove("away", "chosen", "on");
      const names = Array.from(node.classList).join(" ");
      if (names) node.setAttribute("class", names);
      else node.removeAttribute("class");
    }
    return copy.innerHTML.replace(/\\s+/g, " ").trim();
  };
  const common = ["players", "strip", "table", "overview", "rows", "lying"];
  const names = [...common, "map", "where", "ask", "gang", "own", "coaches"];
  return names.flatMap((name) => {
    const found = [document, fresh].map((page) => page.getElementById(name));
    const [now, then] = found.map((part) => part && bare(part));
    const at = Array.from(now || "").findIndex((sign, place) => sign !== then[place]);
    return now === then ? [] : [now, then].map((text) => text.slice(Math.max(0, at - 99), at + 99));
  });
}"""


def asked_for(page: Page) -> list[str]:
    """Keep the names of all events that a page takes, from now on."""
    found: list[str] = []

    def take(name: str) -> None:
        found.append(name)

    page.expose_function("taken", take)
    page.add_init_script("""
      const listen = EventSource.prototype.addEventListener;
      EventSource.prototype.addEventListener = function (name, call) {
        listen.call(this, name, (event) => { window.taken(name); call(event); });
      };
    """)
    page.reload()
    return found


@pytest.mark.parametrize("game", [*SEATS])
def test_pieces_make_the_page_that_a_reload_would(bench: Bench, game: str) -> None:
    """On the display and on phones, also after many of them."""
    api = bench.open(SEATS[game], game, seed="pieces")
    api.start()
    pages = [bench.screen(api), bench.seat(api, 0), bench.seat(api, 1)]
    taken = asked_for(pages[0])
    for number, move in enumerate(script(game, "pieces").moves[:PLAYED]):
        api.act(api.tokens[move.seat], move.action, version=move.before)
        if number % LOOK_EVERY == 0:
            assert [settled(page).evaluate(DIFFERENCES) for page in pages] == [[], [], []]
    assert taken.count("players+") > taken.count("players")

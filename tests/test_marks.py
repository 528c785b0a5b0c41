"""Seats' marks: a page holds each of them once, and whatever stands on it points there."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping

import pytest
from flask import Flask

from referee.games import GAMES
from referee.web.render import here
from referee.web.site import Site
from tests.pages import pages_of
from tests.table import Browser, Evening, Stream, act, choose, streaming

DRAWN = re.compile(r'<use [^>]*?href="#([^"]+)"')
IDS = re.compile(r'\sid="([^"]+)"')
BESIDE = ("/told", "/terms", "/box")
"""Pages that a table has beside the game, on its display and on each phone."""
MARK = re.compile(r'<symbol id="m(\d+)".*?<text[^>]*>(.*?)</text></symbol>', re.DOTALL)


@pytest.mark.parametrize("game", GAMES)
def test_all_that_a_page_points_at_is_on_it(app: Flask, game: str) -> None:
    """In the lobby, in play and at the end; what belongs to no table draws its marks itself."""
    rng = random.Random(game)
    evening = Evening(app, game=game)
    look_everywhere(evening)
    evening.start()
    for _ in range(5):
        evening.play(rng, most=12)
        look_everywhere(evening)
    evening.play(rng)
    look_everywhere(evening)
    code = evening.code
    for path in (f"/t/{code}/keep", f"/t/{code}/replay?step=9", "/evenings", "/records"):
        look(evening.laptop, path)
    marked = evening.laptop.get("/evenings").text
    assert marked.count('class="mark-letter"') >= 3


def look_everywhere(evening: Evening) -> None:
    """Open every page that there is now."""
    for who, path in pages_of(evening):
        look(who, path)
    for rest in BESIDE:
        look(evening.laptop, f"/t/{evening.code}{rest}")
        for seat, phone in enumerate(evening.phones):
            look(phone, evening.seat(seat, rest))
    check(evening.phones[0].post(evening.seat(0, "/transfer")).text)


def look(who: Browser, path: str) -> None:
    """Open a page."""
    answer = who.get(path)
    assert answer.status_code in {200, 404}, path
    check(answer.text)


def check(page: str) -> None:
    """Check that a page points at nothing that is not on it, or on it twice."""
    ids = IDS.findall(page)
    assert {*DRAWN.findall(page)} <= {*ids}
    assert len(ids) == len({*ids})


@pytest.mark.parametrize("game", GAMES)
def test_all_that_a_stream_points_at_is_on_its_page(app: Flask, game: str) -> None:
    """At every change, on the page as it was born: only its live parts are others by then."""
    rng = random.Random(f"{game} streams")
    site: Site = app.extensions["referee"]
    evening = Evening(app, game=game).start()
    table = evening.table
    seats = table.ledger.seating.order
    bare = {None: unlived(site, evening, None), **{s: unlived(site, evening, s) for s in seats}}
    pointed = 0
    for _ in range(120):
        act(site.tables, table, *choose(table.ledger, rng))
        if table.ledger.status != "playing":
            break
        for viewer, page in bare.items():
            parts = site.parts.draw(table, site.parts.frame(table, viewer, "en"))
            live = "".join(map(str, parts.values()))
            check(page + live)
            pointed += len(DRAWN.findall(live))
    assert pointed > 1000


def unlived(site: Site, evening: Evening, viewer: int | None) -> str:
    """Give a page without its live parts."""
    if viewer is None:
        page = evening.laptop.get(f"/t/{evening.code}").text
    else:
        page = evening.phones[viewer].get(evening.seat(viewer)).text
    frame = site.parts.frame(evening.table, viewer, "en", is_host=viewer is None)
    for part in site.parts.draw(evening.table, frame).values():
        page = page.replace(str(part), "", 1) if part else page
    return page


@pytest.mark.parametrize("viewer", [None, 1])
def test_a_new_name_in_mid_game_is_a_new_letter_on_every_page(
    app: Flask, viewer: int | None
) -> None:
    """Sent before whatever else changed by it, and never while people just play."""
    evening = Evening(app).start()
    site: Site = app.extensions["referee"]
    who = evening.laptop if viewer is None else evening.phones[viewer]
    path = f"/t/{evening.code}" if viewer is None else evening.seat(viewer)
    born = who.get(path).text
    assert letters(born) == {"0": "A", "1": "B", "2": "C"}
    address = found(r'data-stream="([^"]+)"', born).replace("&amp;", "&")
    with streaming(who.client, address) as stream:
        read(stream)
        assert "marks" not in read(stream)
        act(site.tables, evening.table, *choose(evening.table.ledger, random.Random(1)))
        assert "marks" not in read(stream)
        evening.phones[0].post(evening.seat(0, "/rename"), {"name": "Zed"})
        changed = read(stream)
    assert next(iter(changed)) == "marks"
    assert letters(changed["marks"]) == {"0": "Z", "1": "B", "2": "C"}
    assert letters(who.get(path).text) == {"0": "Z", "1": "B", "2": "C"}


def test_marks_come_and_go_with_the_seats_of_the_lobby(app: Flask) -> None:
    """Whoever sits down is drawn on all screens, and nobody's mark stays."""
    evening = Evening(app, seats=2)
    with streaming(evening.laptop.client, f"/t/{evening.code}/stream") as stream:
        read(stream)
        assert {*letters(read(stream)["marks"])} == {"0", "1"}
        Browser(app).join(evening.code, "Cleo")
        assert {*letters(read(stream)["marks"])} == {"0", "1", "2"}
        evening.phones[0].post(evening.seat(0, "/leave"))
        assert {*letters(read(stream)["marks"])} == {"1", "2"}


def letters(html: str) -> Mapping[str, str]:
    """Give the letter of each mark that is drawn, by its seat."""
    return dict(MARK.findall(html))


def found(pattern: str, text: str) -> str:
    """Give what a pattern's group matches first."""
    match = re.search(pattern, text)
    assert match is not None, pattern
    return match[1]


def read(stream: Stream) -> dict[str, str]:
    """Give what comes next, by the events' names."""
    return {name: data for name, _, data in stream.read()}


def test_no_style_hangs_on_where_a_mark_stands() -> None:
    """A mark is drawn far from where it is used: only what is inherited reaches it there.

    Nor is there one for all symbols: in Firefox it would reach into pictures of other files too.
    """
    sheets = here("static").rglob("*.css")
    rule = re.compile(r"[^\s,{}][\s>+~]+\.mark-(?:shape|letter)|(?<![\w.#-])symbol\s*[,{]")
    assert [sheet.name for sheet in sheets if rule.search(sheet.read_text())] == []

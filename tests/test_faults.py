"""A part that cannot be drawn: logged once, said in its place, and nobody else's trouble."""

from __future__ import annotations

import random
from contextlib import ExitStack
from typing import Any, Final

import pytest
from flask import Flask

from referee.entries import SeatId
from referee.web.events import RETRY, event
from referee.web.faults import Faults
from referee.web.keys import seat_cookie
from referee.web.render import Renderer
from referee.web.site import Site
from tests.table import APP, act, choose, client_of, events, play
from tests.test_publisher import Phone, pages_of, reach, table_of

NOTE: Final = Faults.note
"""Read before any test begins, in which a fault is loud."""
SORRY: Final = "This cannot be shown just now"
PART: Final = "own"

ONE_PAGE: Final = "seat 0"


@pytest.fixture(autouse=True)
def _faults_are_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Faults, "note", NOTE)


@pytest.fixture
def table_and_pages(app: Flask) -> Any:
    """Open a table with a page for each seat, and a display, all of which are written to."""
    with table_of(app, "winchester", "fault") as (table, tokens), ExitStack() as stack:
        pages = pages_of(app, table, tokens)
        for page in pages:
            page.page.changes()
            reach(app.extensions["referee"], page, stack)
        yield table, pages, tokens


def spoil(patch: pytest.MonkeyPatch, seat: int) -> None:
    """Let a part of one seat's page raise."""
    render = Renderer.render

    def broken(self: Renderer, template: str, lang: str, context: dict[str, Any]) -> Any:
        if template.endswith(f"/_{PART}.html") and context["s"].me.seat == seat:
            raise ZeroDivisionError("a part")
        return render(self, template, lang, context)

    patch.setattr(Renderer, "render", broken)


def taken(page: Phone) -> dict[str, str]:
    """Read what a page was sent since it was last asked, by part."""
    told = b"".join(page.taken).decode()
    page.taken.clear()
    return {name: data for name, _, data in events(told)}


def test_a_part_that_cannot_be_drawn_says_so_and_all_else_is_sent(
    app: Flask,
    table_and_pages: Any,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Logged once with table and page; the tap is stored, and the part is sent when it can be."""
    here: Site = app.extensions["referee"]
    table, pages, _ = table_and_pages
    rng = random.Random(2)
    with monkeypatch.context() as patch:
        spoil(patch, 0)
        # What is one's own is drawn anew when one's cash is another: after a purchase.
        sent: list[dict[str, str]] = []
        while not any(SORRY in each.get(PART, "") for each in sent):
            before = table.ledger.length
            act(here.tables, table, *choose(table.ledger, rng))
            assert table.ledger.length > before
            sent.append(taken(pages[0]))
            assert "version" in sent[-1]
            assert not any(SORRY in html for page in pages[1:] for html in taken(page).values())
            assert not any(page.is_woken for page in pages)
        assert set(sent[-1]) > {PART, "version"}
        (said,) = caplog.records
        assert all(word in said.message for word in (table.code, ONE_PAGE, PART, "ZeroDivision"))
        assert said.exc_info
        assert here.live.publish([pages[0].watcher]) == []
        assert len(caplog.records) == 1
    assert here.live.publish([pages[0].watcher]) == []
    assert SORRY not in taken(pages[0])[PART]


def test_a_page_that_cannot_be_drawn_holds_up_no_other(
    app: Flask,
    table_and_pages: Any,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The tap is stored; that page's stream ends, so that it says so, and asks again."""
    here: Site = app.extensions["referee"]
    table, pages, tokens = table_and_pages
    seat = here.parts._seat  # noqa: SLF001  # what all parts of a phone are drawn by

    def broken(now: Any, frame: Any, me: Any) -> Any:
        if me.seat == SeatId(0):
            raise ZeroDivisionError("a page")
        return seat(now, frame, me)

    monkeypatch.setattr(here.parts, "_seat", broken)
    for _ in range(2):
        before = table.ledger.length
        act(here.tables, table, *choose(table.ledger, random.Random(2)))
        assert table.ledger.length > before
        assert all("version" in taken(page) for page in pages[1:])
        assert not any(page.is_woken for page in pages[1:])
    assert not pages[0].taken
    # What was begun is not gone on with: it may hold what the page was never sent.
    assert [*pages[0].page.events()][-1] == event("restart", "")
    again = pages_of(app, table, tokens, rest="page=again")[0]
    assert [*again.page.events()] == [RETRY]
    (said,) = caplog.records
    assert table.code in said.message
    assert ONE_PAGE in said.message


def test_what_all_pages_share_and_cannot_be_made_undoes_no_action(
    app: Flask,
    table_and_pages: Any,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It is stored by then: whoever acted is told so, and each page looks for itself."""
    here: Site = app.extensions["referee"]
    table, pages, _ = table_and_pages
    before = table.ledger.version(None)

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(here.parts, "now", broken)
    act(here.tables, table, *choose(table.ledger, random.Random(2)))
    assert table.ledger.version(None) > before
    assert all(page.is_woken and not page.taken for page in pages)
    assert [said.levelname for said in caplog.records] == ["ERROR"]


@pytest.mark.parametrize(
    ("status", "seat", "template"),
    [
        ("lobby", None, "table/_seats.html"),
        ("lobby", None, "table/_join.html"),
        ("lobby", 0, "table/_seats.html"),
        ("playing", None, "winchester/_map.html"),
        ("playing", None, "table/_line.html"),
        ("playing", 0, "winchester/_head.html"),
        ("over", None, "table/_again.html"),
        ("over", 0, "table/_step.html"),
    ],
)
def test_a_page_is_opened_without_the_part_that_fails(
    app: Flask, status: str, seat: int | None, template: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A phone that comes meanwhile, and a display, in the lobby, in play and at the end."""
    here: Site = app.extensions["referee"]
    table, _ = here.tables.open("winchester", options=APP, seed="a part")
    tokens = [here.tables.lobby.join(table, name)[1] for name in ("Ann", "Ben", "Cleo")]
    if status != "lobby":
        here.tables.lobby.start(table)
    if status == "over":
        play(here.tables, table, random.Random(3))
    render = Renderer.render

    def broken(self: Renderer, name: str, lang: str, context: dict[str, Any]) -> Any:
        if name == template:
            raise ZeroDivisionError
        return render(self, name, lang, context)

    monkeypatch.setattr(Renderer, "render", broken)
    client = client_of(app)
    if seat is not None:
        with app.app_context():
            client.set_cookie(seat_cookie(table.code, SeatId(seat)), tokens[seat])
    answer = client.get(f"/t/{table.code}" if seat is None else f"/s/{table.code}/{seat}")
    assert answer.status_code == 200
    assert answer.text.count(SORRY) == 1

"""Who is looking, and waking them up: newest state, never a queue."""

from __future__ import annotations

import html
import random
import re
import threading
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask import Flask
from markupsafe import Markup

from referee import lan, live
from referee.entries import SeatId
from referee.games import GAMES
from referee.live import PAGES_PER_BROWSER, Live, Watcher
from referee.telling import told_lines
from referee.web.place import Place
from tests.table import Browser, Evening, act, streaming, tables_of


def watcher(viewer: int | None = None, page: str = "", browser: str = "") -> Watcher:
    """Make a page of table T."""
    return Watcher("T", viewer, page, browser)


def test_a_wake_is_heard_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the wait or during it; after that the heartbeat is due again."""
    monkeypatch.setattr(live, "HEARTBEAT_S", 0.01)
    page = watcher()
    page.wake()
    page.wake()

    assert page.wait()
    assert not page.wait()


def test_waking_from_another_thread() -> None:
    """A waiting page goes on at once, not at its heartbeat."""
    pages = Live()
    page = watcher()
    pages.open(page)
    threading.Timer(0.02, pages.wake, args=("T",)).start()

    assert page.wait()


def test_only_the_tables_pages_wake() -> None:
    """Not those of others, and not those of viewers for whom nothing happened."""
    pages = Live()
    mine, other, theirs = watcher(0), watcher(1), Watcher("U", 0, "", "")
    for page in (mine, other, theirs):
        pages.open(page)
    pages.wake("T", but={1})

    assert [p.is_woken for p in (mine, other, theirs)] == [True, False, False]


def test_others_see_at_once_that_a_phone_is_back() -> None:
    """The first sign of life wakes the table's pages, the next ones do not."""
    pages = Live()
    display = watcher()
    pages.open(display)
    pages.seen("T", 0)

    assert display.wait()

    pages.seen("T", 0)

    assert not display.is_woken


def test_a_page_that_opens_again_closes_its_older_stream() -> None:
    """A phone that changed networks leaves no ghost."""
    pages = Live()
    old, new = watcher(0, page="p"), watcher(0, page="p")
    pages.open(old)
    pages.open(new)

    assert (old.is_closed, old.was_moved, new.is_closed) == (True, False, False)
    pages.leave(old)
    assert len(pages) == 1


def test_a_browsers_fifth_page_closes_its_first() -> None:
    """Forgotten tabs give way, and are told why; other browsers are left alone."""
    pages = Live()
    tabs = [watcher(0, page=str(n), browser="b") for n in range(PAGES_PER_BROWSER + 1)]
    stranger = watcher(None, page="x", browser="c")
    pages.open(stranger)
    for tab in tabs:
        pages.open(tab)

    assert [tab.is_closed for tab in tabs] == [True, False, False, False, False]
    assert tabs[0].was_moved
    assert not stranger.is_closed


def test_pages_are_bounded() -> None:
    """When it is full of seats nobody is thrown out."""
    pages = Live(most=2)
    assert pages.open(watcher(0, page="1"))
    assert pages.open(watcher(1, page="2"))
    assert not pages.open(watcher(2, page="3"))

    assert len(pages) == 2


def test_seats_come_before_spectators() -> None:
    """Whoever has no seat takes half of the room at most, and gives way, the oldest first."""
    pages = Live(most=4)
    guests = [watcher(page=str(n)) for n in range(3)]
    assert [pages.open(guest) for guest in guests] == [True, True, False]
    seats = [watcher(SeatId(n), page=f"s{n}") for n in range(4)]
    assert [pages.open(seat) for seat in seats] == [True] * 4

    assert [guest.is_closed for guest in guests] == [True, True, False]
    assert not any(seat.is_closed for seat in seats)
    assert len(pages) == 4


def test_leaving_twice_is_harmless() -> None:
    """A stream that ended and a connection that closed both say so."""
    pages = Live()
    page = watcher()
    pages.open(page)
    pages.leave(page)
    pages.leave(page)

    assert len(pages) == 0
    pages.wake("T")


def test_opening_and_leaving_from_many_threads() -> None:
    """Nothing is lost or left over."""
    pages = Live()

    def visit(number: int) -> None:
        for turn in range(50):
            page = watcher(number, page=f"{number} {turn}")
            assert pages.open(page)
            pages.wake("T")
            pages.leave(page)

    crowd = [threading.Thread(target=visit, args=(n,)) for n in range(8)]
    for thread in crowd:
        thread.start()
    for thread in crowd:
        thread.join()

    assert len(pages) == 0


def test_stopping_ends_every_stream(own_app: Flask) -> None:
    """The server says that it restarts, so that pages come back by themselves."""
    evening = Evening(own_app).start()
    with streaming(evening.laptop.client, f"/t/{evening.code}/stream") as stream:
        stream.read()
        stream.read()
        tables_of(own_app).live.stop()
        assert stream.read() == [("restart", "", "")]
    assert len(tables_of(own_app).live) == 0


def test_a_table_that_is_deleted_is_gone_on_every_screen(own_app: Flask) -> None:
    """Whoever still looks at it is told at once: display, phone and client."""
    evening = Evening(own_app).start()
    opened = [
        (evening.laptop, f"/t/{evening.code}/stream"),
        (evening.phones[1], evening.seat(1, "/stream")),
        (evening.laptop, f"/api/v1/tables/{evening.code}/stream"),
    ]
    with ExitStack() as stack:
        streams = [stack.enter_context(streaming(who.client, path)) for who, path in opened]
        for stream in streams:
            stream.read()
            stream.read()
        tables_of(own_app).forget(evening.code)

        assert [stream.read()[-1][0] for stream in streams] == ["gone"] * 3


# Streams of pages


def test_a_page_is_not_sent_what_it_was_born_with(app: Flask) -> None:
    """It names its parts; the stream only says which version this is."""
    evening = Evening(app).start()
    for who, path in ((evening.laptop, f"/t/{evening.code}"), (evening.phones[1], evening.seat(1))):
        page = who.get(f"{path}?open=1").text
        address = page.split('data-stream="')[1].split('"')[0].replace("&amp;", "&")
        with streaming(who.client, address) as stream:
            stream.read()
            ((name, version, data),) = stream.read()
        assert (name, version) == ("version", data)


def test_only_changed_parts_are_sent(app: Flask) -> None:
    """After an action a phone gets what differs for it, each with its version, which ends it."""
    evening = Evening(app).start()
    with streaming(evening.phones[1].client, evening.seat(1, "/stream")) as stream:
        stream.read()
        first = {name: data for name, _, data in stream.read()}
        act(tables_of(app), evening.table, 0, {"type": "draw_plot"})
        then = stream.read()
    version = str(evening.table.ledger.version(1))
    assert {number for _, number, _ in then} == {version}
    assert then[-1] == ("version", version, version)
    assert "own" in first
    assert "own" not in {name for name, _, _ in then}
    assert all(first.get(name) != data for name, _, data in then)


def test_a_menu_that_is_opened_while_somebody_acts_makes_no_page_old(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What all pages share is made of one moment, whichever thread asks for it first."""
    evening = Evening(app).start()
    screens = evening.table.game.screens
    common, draws = screens.common_parts, {"type": "draw_plot"}
    tap = threading.Thread(target=act, args=(tables_of(app), evening.table, 0, draws))

    def interrupted(public: Any) -> dict[str, Any]:
        if tap.ident is None:
            tap.start()
            tap.join(0.3)  # it has to wait for the table; else it is done by then
        return common(public)

    monkeypatch.setattr(screens, "common_parts", interrupted)
    evening.phones[1].get(evening.seat(1, "/menu"))
    tap.join()
    parts = app.extensions["referee"].parts
    assert parts.public(evening.table) is evening.table.ledger.public()


def test_a_page_that_asks_for_pieces_is_sent_those_that_changed(app: Flask) -> None:
    """Of the players on the display one gets a plot; the others' rows stay as they are."""
    evening = Evening(app).start()
    path = f"/t/{evening.code}/stream"
    with (
        streaming(evening.laptop.client, f"{path}?pieces=1&page=a") as pieces,
        streaming(evening.laptop.client, f"{path}?page=b") as parts,
    ):
        found = []
        for stream in (pieces, parts):
            stream.read()
            found.append({name: data for name, _, data in stream.read()})
        assert found[0] == found[1]
        act(tables_of(app), evening.table, 0, {"type": "draw_plot"})
        for stream in (pieces, parts):
            stream.read()
        act(tables_of(app), evening.table, 0, {"type": "pass"})
        some = {name: data for name, _, data in pieces.read()}
        all_of_it = {name: data for name, _, data in parts.read()}
    rows = re.findall(r'<li id="player-(\d)"', some.pop("players+"))
    whole = all_of_it.pop("players")
    assert 0 < len(rows) < len(re.findall(r'<li id="player-(\d)"', whole))
    assert some == all_of_it


@pytest.mark.parametrize("game", GAMES)
def test_a_page_that_knows_where_a_games_pictures_lie_is_not_told_each_time(
    app: Flask, game: str
) -> None:
    """It is sent a tilde, and puts there what its body says: then it shows what all others do."""
    evening = Evening(app, game=game).start()
    path = evening.seat(0)
    icons = re.search(r'data-icons="([^"]+)"', evening.phones[0].get(path).text)
    assert icons is not None
    assert icons[1].endswith(f"/{game}/icons.svg#")
    found = []
    for rest in ("icons=1&page=a", "page=b"):
        with streaming(evening.phones[0].client, f"{path}/stream?{rest}") as stream:
            stream.read()
            found.append({name: data for name, _, data in stream.read()})
    short, long = found
    assert any('href="~' in data for data in short.values())
    assert not any(icons[1] in data for data in short.values())
    spelt = {name: data.replace('href="~', f'href="{icons[1]}') for name, data in short.items()}
    assert spelt == long


def test_a_page_that_slept_skips_to_the_newest(app: Flask) -> None:
    """Whatever happened meanwhile, it is one answer with the present state."""
    evening = Evening(app).start()
    with streaming(evening.laptop.client, f"/t/{evening.code}/stream") as stream:
        stream.read()
        stream.read()
        act(tables_of(app), evening.table, 0, {"type": "draw_plot"})
        for seat in range(3):
            act(tables_of(app), evening.table, seat, {"type": "pass"})
        numbers = {number for _, number, _ in stream.read()}
    assert numbers == {str(evening.table.ledger.version(None))}


def test_a_page_of_another_phase_loads_anew(app: Flask) -> None:
    """From the lobby into the game, and to the ceremony."""
    evening = Evening(app)
    path = f"/t/{evening.code}/stream?status=lobby"
    with streaming(evening.laptop.client, path) as stream:
        stream.read()
        stream.read()
        evening.start()
        ((name, _, data),) = stream.read()
        assert (name, data) == ("reload", "playing")


def test_a_moved_seats_old_page_is_told(app: Flask) -> None:
    """It shows nothing more, and says why."""
    evening = Evening(app).start()
    asked = evening.phones[0].post(evening.seat(0, "/transfer")).text
    with streaming(evening.phones[0].client, evening.seat(0, "/stream")) as stream:
        stream.read()
        stream.read()
        code = asked.split("/m/")[1][:8]
        answer = Browser(app).post(f"/m/{code}")
        assert answer.location == evening.seat(0)
        assert stream.read() == [("gone", "", "gone")]


def test_a_full_house_is_said_by_an_event(own_app: Flask) -> None:
    """An error status would make a browser give up for good."""
    evening = Evening(own_app).start()
    tables_of(own_app).live.most = 0
    with streaming(evening.laptop.client, f"/t/{evening.code}/stream") as stream:
        assert stream.answer.status_code == 200
        assert ("full", "", "full") in stream.read()


def test_heartbeats_have_a_name(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a page can hear them; nothing else is sent while nothing happens."""
    monkeypatch.setattr(live, "HEARTBEAT_S", 0.005)
    evening = Evening(app).start()
    with streaming(evening.laptop.client, f"/t/{evening.code}/stream") as stream:
        stream.read()
        stream.read()
        beats = [stream.read() for _ in islice(range(5), 5)]
    assert [("hb", "", "")] in beats


@pytest.mark.parametrize("again", ["&again=1", ""])
def test_a_page_that_comes_back_learns_that_the_result_was_set_right(
    app: Flask, *, again: str
) -> None:
    """Its line was dead while the table told something anew, or the computer was started anew."""
    evening = Evening(app, claims="automatic").start()
    evening.play(random.Random(3))
    who = evening.phones[1]
    shown = who.get(evening.seat(1)).text
    path = html.unescape(re.findall(r'data-stream="([^"]+)"', shown)[0])
    back = {} if again else {"Last-Event-ID": "7"}

    def first() -> list[tuple[str, str, str]]:
        with streaming(who.client, path + again, back) as stream:
            stream.read()
            return stream.read()

    assert "reload" not in {name for name, _, _ in first()}
    lines = told_lines(evening.table.ledger, None)
    line = next(line for line in lines if getattr(line["told"], "price", 0))
    told = msgspec.to_builtins(line["told"]) | {"price": line["told"].price + 1000}
    raw = {"to": line["to"], "part": line["part"], "told": told}
    tables_of(app).consent.retell(evening.table, None, raw, reason="")
    assert evening.table.ledger.status == "over"

    assert [name for name, _, _ in first()] == ["reload"]


def test_a_room_full_of_tables_draws_each_code_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every display asks for its code at every change, in turns: none pushes another one out."""
    drawn: list[str] = []

    def draw(text: str, *, label: str) -> Markup:
        drawn.append(label)
        return Markup("{}").format(text)

    monkeypatch.setattr(lan, "qr_svg", draw)
    place = Place(tmp_path, port=1, url="http://games.example")
    for _ in range(2):
        for number in range(800):
            place.join_card(f"CAFE{number}")

    assert len(drawn) == 800

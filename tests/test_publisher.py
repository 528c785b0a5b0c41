"""The publisher: what an action changed is on every page's line before it is answered."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask

from benchmarks.scripts import SEATS
from referee.entries import SeatId
from referee.line import LINE
from referee.live import HEARTBEAT_S, Watcher
from referee.tables import Table
from referee.web import keys
from referee.web.events import HEARTBEAT
from referee.web.parts import Parts
from referee.web.pieces import Part, Pieces
from referee.web.site import Site
from referee.web.stream import Page
from tests.table import (
    APP,
    act,
    app_at,
    choose,
    client_of,
    events,
    streaming,
    tables_of,
)


class Phone:
    """A page of a table with a line that takes all, nothing, or tells that it is cut."""

    def __init__(
        self, app: Flask, table: Table, seat: int | None, key: str, *, rest: str = "", lang: str
    ) -> None:
        self.takes = True
        self.taken: list[bytes] = []
        self.flushed = 0
        self.is_resting = False
        viewer = None if seat is None else SeatId(seat)
        here: Site = app.extensions["referee"]
        self.watcher = Watcher(table.code, viewer, f"{seat} {rest} {lang}", "")
        path = f"/t/{table.code}/stream" if seat is None else f"/s/{table.code}/{seat}/stream"
        with app.test_request_context():
            cookie = "" if viewer is None else f"{keys.seat_cookie(table.code, viewer)}={key}"
        headers = {"Cookie": cookie, "Accept-Language": lang}
        with app.test_request_context(
            f"{path}?{rest}", headers=headers, environ_overrides={LINE: self}
        ):
            self.page = Page(here, table, self.watcher)
        assert here.live.open(self.watcher)

    def push(self, data: bytes) -> bool:
        """Take it, or not."""
        if self.takes:
            self.taken.append(data)
        return self.takes

    def flush(self) -> None:
        """Count."""
        self.flushed += 1

    def rest(self) -> None:
        """Note that there is nothing to say now."""
        self.is_resting = True

    def rouse(self) -> None:
        """Note that there is something to say again."""
        self.is_resting = False

    @property
    def is_woken(self) -> bool:
        """Say whether its own thread is to look for itself."""
        return self.watcher.is_woken


@contextlib.contextmanager
def table_of(app: Flask, game: str, seed: str) -> Iterator[tuple[Table, list[str]]]:
    """Open a table and seat people."""
    tables = tables_of(app)
    table, _ = tables.open(game, options=APP, seed=seed)
    tokens = [tables.lobby.join(table, f"P{number}")[1] for number in range(SEATS[game])]
    tables.lobby.start(table)
    yield table, tokens


def pages_of(
    app: Flask, table: Table, tokens: list[str], *, rest: str = "", langs: str = "en"
) -> list[Phone]:
    """Open a page for each seat, and the display; languages go round."""
    viewers = [*range(len(tokens)), None]
    spoken = langs.split()
    return [
        Phone(
            app,
            table,
            seat,
            "" if seat is None else tokens[seat],
            rest=rest,
            lang=spoken[at % len(spoken)],
        )
        for at, seat in enumerate(viewers)
    ]


def reach(here: Site, page: Phone, until: ExitStack) -> None:
    """Have the publisher write to a page."""
    here.publisher.reach(page.page)
    until.callback(here.publisher.forget, page.watcher)


@pytest.mark.long
@pytest.mark.parametrize("game", [*SEATS])
@pytest.mark.parametrize("seed", range(2))
def test_who_is_pushed_to_is_sent_what_its_own_thread_would_send(
    game: str, seed: int, tmp_path: Path
) -> None:
    """Byte for byte, in three languages, in pieces and whole; it then shows what is drawn anew."""
    rng = random.Random(seed)
    with app_at(tmp_path) as app, table_of(app, game, f"push {seed}") as (table, tokens):
        here: Site = app.extensions["referee"]
        for number in range(SEATS[game]):
            here.live.seen(table.code, SeatId(number))
        pushed = [
            page
            for rest in ("pieces=1", "")
            for page in pages_of(app, table, tokens, rest=rest, langs="en de fr")
        ]
        # Twins that the publisher does not know: they look for themselves, each at its own time.
        twins = [
            page
            for rest in ("pieces=1&x=1", "x=1")
            for page in pages_of(app, table, tokens, rest=rest, langs="en de fr")
        ]
        shown: list[dict[str, str]] = []
        with ExitStack() as stack:
            for page, twin in zip(pushed, twins, strict=True):
                first = page.page.changes()
                assert first == twin.page.changes()
                shown.append({name: data for name, _, data in events(first.decode())})
                reach(here, page, stack)
            for _ in range(60):
                if table.ledger.status != "playing":
                    break
                versions = {page: table.ledger.version(page.watcher.viewer) for page in pushed}
                act(here.tables, table, *choose(table.ledger, rng))
                check(here, table, pushed, twins, shown)
                for page in pushed:
                    knows = table.ledger.version(page.watcher.viewer) != versions[page]
                    assert knows or not page.taken, "bytes for one who may not notice"
                    assert not page.is_woken
                    page.taken.clear()


def check(
    here: Site,
    table: Table,
    pushed: list[Phone],
    twins: list[Phone],
    shown: list[dict[str, str]],
) -> None:
    """Compare what was pushed with the own thread's bytes, and what it leads to with new pages."""
    afresh = Parts(here.renderer, here.live, here.place, here.tables.store.facts, here.beside)
    for page, twin, before in zip(pushed, twins, shown, strict=True):
        told = b"".join(page.taken)
        assert told == (twin.page.changes() if twin.is_woken else b"")
        twin.watcher.is_woken = False  # it has looked
        found = {name: data for name, _, data in events(told.decode())}
        if "reload" in found:
            continue
        frame = afresh.frame(table, page.watcher.viewer, page.page.lang)
        drawn = afresh.draw(table, frame)
        for name, html in drawn.items():
            if f"{name}+" in found:
                assert isinstance(html, Pieces)
                sent = found[f"{name}+"]
                assert all(was_told(piece, sent, before[name]) for piece in html.pieces)
                before[name] = str(html)
            before.update({name: found[name]} if name in found else {})
            if told:
                assert before[name] == str(html).replace("\r", "\n"), name


def was_told(piece: Part, sent: str, before: str) -> bool:
    """Say whether a page has a piece: sent just now, or from before, or by its own pieces."""
    if str(piece) in sent or str(piece) in before:
        return True
    return isinstance(piece, Pieces) and all(was_told(p, sent, before) for p in piece.pieces)


def test_a_slow_phone_delays_nobody_and_costs_one_update(app: Flask) -> None:
    """Nothing more is made for it until it has taken that; then it is given the newest state."""
    with table_of(app, "winchester", "slow") as (table, tokens), ExitStack() as stack:
        here: Site = app.extensions["referee"]
        rng = random.Random(1)
        slow, *others = pages_of(app, table, tokens)
        for page in (slow, *others):
            page.page.changes()
            reach(here, page, stack)
        slow.takes = False
        for turn in range(20):
            act(here.tables, table, *choose(table.ledger, rng))
            assert all(len(page.taken) == turn + 1 for page in others)
            assert not any(page.is_woken for page in others)
        assert slow.is_woken
        assert slow.page.unsent == b""
        later = {name for name, _, _ in events(slow.page.changes().decode())}
        assert "version" in later


def test_a_page_that_went_on_meanwhile_is_sent_its_update_first(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own thread may be in the middle of a heartbeat: nobody else writes then."""
    with table_of(app, "winchester", "meanwhile") as (table, tokens):
        here: Site = app.extensions["referee"]
        page = pages_of(app, table, tokens)[-1]
        with ExitStack() as waiting:
            body = page.page.events()
            next(body)
            next(body)
            reach(here, page, waiting)
            changes = page.page.changes

            def interrupted(now: Any = None) -> bytes:
                waiting.close()
                return changes(now)

            monkeypatch.setattr(page.page, "changes", interrupted)
            act(here.tables, table, *choose(table.ledger, random.Random(2)))
        assert not page.taken
        assert page.is_woken
        monkeypatch.undo()
        first = next(body)
        assert events(first.decode())[-1][0] == "version"
        assert page.page.unsent == b""


def test_a_key_that_stopped_working_is_noticed_by_the_publisher(app: Flask) -> None:
    """The page is sent nothing of the table any more; its own thread says goodbye."""
    with table_of(app, "winchester", "key") as (table, tokens), ExitStack() as stack:
        here: Site = app.extensions["referee"]
        pages = pages_of(app, table, tokens)
        bodies = [page.page.events() for page in pages]
        for page, body in zip(pages, bodies, strict=True):
            next(body)
            next(body)
            reach(here, page, stack)
        here.tables.desk.new_key(table, SeatId(0), revoke=True)
        act(here.tables, table, *choose(table.ledger, random.Random(2)))
        assert not pages[0].taken
        assert pages[0].is_woken
        assert events(next(bodies[0]).decode()) == [("gone", "", "gone")]


def test_time_alone_changes_what_waiting_pages_show(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every ten seconds: a heartbeat, and who fell asleep meanwhile; nothing before its time."""
    with table_of(app, "winchester", "beats") as (table, tokens), ExitStack() as stack:
        here: Site = app.extensions["referee"]
        for seat in range(len(tokens)):
            here.live.seen(table.code, SeatId(seat))
        pages = pages_of(app, table, tokens)
        began = time.monotonic()
        for page in pages:
            page.page.changes()
            reach(here, page, stack)
        # To draw them for the first time may take a busy machine more than a second.
        now = time.monotonic()
        here.publisher.beat(began + HEARTBEAT_S - 1)
        assert not any(page.taken for page in pages)
        here.publisher.beat(now + HEARTBEAT_S + 1)
        assert [page.taken for page in pages] == [[HEARTBEAT]] * len(pages)
        here.publisher.beat(now + HEARTBEAT_S + 2)
        assert all(len(page.taken) == 1 for page in pages)
        monkeypatch.setattr("referee.live.PRESENT_S", 0.0)
        here.publisher.beat(now + 3 * HEARTBEAT_S)
        told = [page.taken[1].decode() for page in pages]
        assert all(each.endswith(HEARTBEAT.decode()) for each in told)
        assert "asleep" in told[-1]
        pages[0].takes = False
        here.publisher.beat(now + 5 * HEARTBEAT_S)
        assert pages[0].is_woken
        assert not any(page.is_woken for page in pages[1:])


def test_behind_a_path_every_byte_goes_through_the_answer(tmp_path: Path) -> None:
    """There links are rewritten on their way out, so nothing is pushed past that."""
    with app_at(tmp_path, url="http://games.example/box") as app:
        here: Site = app.extensions["referee"]
        client = client_of(app)
        client.environ_base[LINE] = SimpleNamespace(push=None, flush=None)
        with (
            table_of(app, "winchester", "path") as (table, _),
            streaming(client, f"/t/{table.code}/stream") as stream,
        ):
            stream.read()
            stream.read()
            (watcher,) = here.live._watchers[table.code]  # noqa: SLF001  # as the server would
            act(here.tables, table, *choose(table.ledger, random.Random(2)))
            assert watcher.is_woken
            assert stream.read()

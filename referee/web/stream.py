"""Live updates: server-sent events, one stream a page, always the newest state.

A page is sent the parts that changed for its viewer, each under its own event name with the
viewer's version as id. What it already has is not sent again. A named heartbeat lets the page
notice a dead line; a stream that cannot be served says so as an event, never as an error status.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from functools import partial
from typing import Final

from flask import Blueprint, Response, request

from referee.desk import hash_key
from referee.entries import SeatId
from referee.errors import NoSuchTable, NotSeated, RefereeError
from referee.line import LINE, NOTHING_NOW, Line
from referee.live import Watcher
from referee.tables import Table

from . import keys
from .curtain import is_shared
from .events import HEARTBEAT, RETRY, event, numbered
from .faults import ALL_OF_IT
from .having import FILES, OUTCOME, had, tag
from .parts import Now
from .pieces import Part, Pieces, whole
from .security import note_miss
from .site import Site, site

bp = Blueprint("stream", __name__)

OUTDATED: Final = ""
"""The status, unlike any table's, of a page that has to be made anew."""


@bp.get("/t/<code>/stream")
def display(code: str) -> Response:
    """Stream the display of a table."""
    return _answer(code, None)


@bp.get("/s/<code>/<int:seat>/stream")
def seat(code: str, seat: SeatId) -> Response:
    """Stream a seat's page to the browser that holds its key."""
    return _answer(code, seat)


def _answer(code: str, viewer: SeatId | None) -> Response:
    here = site()
    try:
        table = here.tables.find(code)
        if viewer is not None:
            keys.require_seat(request, table, viewer)
            _require_open(here, table)
    except RefereeError as error:
        if isinstance(error, NoSuchTable):
            note_miss()
        return event_stream(iter([RETRY, event("gone", "gone")]))
    page_id = request.args.get("page", "")[:40]
    is_known = viewer is not None or keys.holds_any(request, table) or keys.is_local(request)
    # Known ones come before strangers, who could else fill the room for everybody.
    watcher = Watcher(table.code, viewer, page_id, _browser(), is_known=is_known)
    if not here.live.open(watcher):
        return event_stream(iter([event("full", "full")]))
    page = Page(here, table, watcher)
    return event_stream(page.events(), partial(here.live.leave, watcher))


def _require_open(here: Site, table: Table) -> None:
    """Refuse a shared device whose curtain is down. Raises NotSeated."""
    seats = keys.seats_here(request, table)
    token = request.args.get("token", "")
    if is_shared(table, seats) and not here.curtains.is_open(token, (table.code, seats)):
        raise NotSeated


def _browser() -> str:
    """Name the browser by its oldest key, so that a forgotten tab gives way to a new one.

    A browser without any key is known by its address and its kind.

    Browsers send the oldest first, so the name stays when another seat is taken here.
    """
    looks = ("_lang", "_theme", "_felt", keys.TRIED)
    names = (n for n in request.cookies if n.startswith("referee_") and not n.endswith(looks))
    oldest = next(names, None)
    if oldest:
        return tag(request.cookies[oldest])
    agent = request.user_agent.string
    return tag(f"{request.remote_addr} {agent}") if agent else ""


def event_stream(events: Iterator[bytes], leave: Callable[[], None] | None = None) -> Response:
    """Answer with a stream that no proxy may hold back; `leave` is called when it ends.

    That must not be left to the events: a HEAD, or a phone that is gone at once, asks for none.
    """
    answer = events if leave is None else _Leaving(events, leave)
    # As it is: else a page held all of this response, of which only the events are still to come.
    response = Response(answer, mimetype="text/event-stream", direct_passthrough=True)
    response.headers["Cache-Control"] = "no-cache, no-transform"
    response.headers["X-Accel-Buffering"] = "no"
    return response


class _Leaving:
    """Events with what is to be done at their end."""

    __slots__ = ("_events", "_leave")

    def __init__(self, events: Iterator[bytes], leave: Callable[[], None]) -> None:
        self._events = events
        self._leave = leave

    def __iter__(self) -> Iterator[bytes]:
        return self._events

    def close(self) -> None:
        """End them, as WSGI has it."""
        try:
            if isinstance(self._events, Generator):
                self._events.close()
        finally:
            self._leave()


class Page:
    """One open page: who looks, in which language, and what it already shows."""

    def __init__(self, here: Site, table: Table, watcher: Watcher) -> None:
        self.site = here
        self.table = table
        self.watcher = watcher
        self.lang = keys.language()
        self.is_host = watcher.viewer is None and keys.is_host(request, table)
        self.here = keys.seats_here(request, table)
        self.status = request.args.get("status", table.ledger.status)
        self.is_unboxing = request.args.get("only") == "unboxing"
        self.version = -1
        self.line: Line | None = request.environ.get(LINE)
        self.unsent = b""
        viewer = watcher.viewer
        # As it is stored, made once: it is looked up at every change.
        self.key = hash_key(
            "" if viewer is None else keys.value(request, keys.seat_cookie(table.code, viewer))
        )
        self.takes_pieces = "pieces" in request.args
        assets = here.renderer.assets
        self.icons = assets.icons(table.game.META.key) if "icons" in request.args else ""
        self.sent: dict[str, Part | str] = {}
        self.born = had(request.args.get("have", ""))
        if self.born and self.born.pop(FILES, "") != assets.short_tag:
            # Another version of the program made it, whose scripts know nothing of these parts.
            self.status = OUTDATED
        if "Last-Event-ID" in request.headers or request.args.get("again"):
            # Its parts are others by now; the result it tells is the one it was born with.
            self.born = {name: mark for name, mark in self.born.items() if name == OUTCOME}

    def events(self) -> Iterator[bytes]:
        """Give the page its state now, then whatever changes, until it goes away."""
        watcher = self.watcher
        try:
            yield RETRY
            while not watcher.is_closed:
                # In a frame of its own: a page that rests must not keep what it was sent.
                if not (yield from self._owed()):
                    return
                if self.line is not None:
                    yield from self._rest(self.line)
                elif not watcher.wait():
                    yield HEARTBEAT
            yield event("moved" if watcher.was_moved else "restart", "")
        except NotSeated:
            yield event("gone", "gone")

    def _owed(self) -> Generator[bytes, None, bool]:
        """Give what it has to be sent now; say whether that could be made.

        If not, the page hears no more: it says that it lost its line, and asks again.
        """
        try:
            changes = self.changes()
        except NotSeated:
            raise
        except Exception as fault:  # noqa: BLE001  # logged once, and not at every time it asks
            self.site.parts.faults.note(self.table, self.watcher.viewer, ALL_OF_IT, fault)
            return False
        # What was made for it before comes before.
        if unsent := self.unsent + changes:
            self.unsent = b""
            yield unsent
        return True

    def _rest(self, line: Line) -> Iterator[bytes]:
        """Leave the page to the publisher until it is woken; no thread waits meanwhile."""
        publisher, watcher = self.site.publisher, self.watcher
        # No context managers: most pages rest most of the time, and hold here what it takes.
        publisher.reach(self)
        try:
            if watcher.rest(line.rouse):
                line.rest()
                yield NOTHING_NOW
        finally:
            watcher.go_on()
            publisher.forget(watcher)
        line.flush()

    def _tells_an_old_end(self, outcome: Part) -> bool:
        """Say whether the page tells an end that has been set right since it was drawn."""
        born = self.born.pop(OUTCOME, None)
        was = self.sent.get(OUTCOME) if born is None else born
        self.sent[OUTCOME] = tag(outcome)
        return was is not None and was != tag(outcome)

    def _written(self, name: str, html: Part) -> bytes:
        """Write a part unless the page shows it; of one in pieces only those that changed.

        Those have its name and a plus.
        """
        was, self.sent[name] = self.sent.get(name), html
        if was is None:
            born = self.born.pop(name, None)
            if born is not None and born == tag(html):
                return b""
        elif self.takes_pieces and type(html) is Pieces and type(was) is Pieces:
            pieces = html.since(was)
            if pieces is not None:
                return event(f"{name}+", pieces, self.icons) if pieces else b""
        elif was == html:
            return b""
        return event(name, whole(html), self.icons)

    def changes(self, now: Now | None = None) -> bytes:
        """Write the parts that differ from what the page shows. Raises NotSeated.

        `now` is what all pages share that are written to together.
        """
        table = self.table
        viewer = self.watcher.viewer
        # Under one lock: whoever has been sent a version has all parts of it, and none of a later.
        with table.lock:
            # At every change: a key may have stopped working since the stream began.
            if table.is_gone or (viewer is not None and table.keys.get(self.key) != viewer):
                raise NotSeated
            ledger = table.ledger
            version = ledger.version(viewer)
            if ledger.status != self.status:
                self.status = ledger.status
                return numbered(version, event("reload", ledger.status))
            parts = self.site.parts
            frame = parts.frame(table, viewer, self.lang, is_host=self.is_host, here=self.here)
            if self.is_unboxing:
                drawn = parts.unboxing(table, frame)
            else:
                drawn = parts.draw(table, frame, now)
            return self._told(version, drawn)

    def _told(self, version: int, drawn: Mapping[str, Part]) -> bytes:
        """Write what is drawn now and is not what the page was sent."""
        if OUTCOME in drawn and self._tells_an_old_end(drawn[OUTCOME]):
            return numbered(version, event("reload", self.status))
        sent = self.sent
        # The same drawings most of the time, which is quicker to see than equal ones.
        others = [name for name, html in drawn.items() if sent.get(name) is not html]
        written = [self._written(name, drawn[name]) for name in others if name != OUTCOME]
        out = [*filter(None, written)]
        # Last: a page that has it has every part as it stood at that version.
        if version != self.version:
            out.append(b"event: version\ndata: %d\n\n" % version)
        self.version = version
        return numbered(version, *out) if out else b""

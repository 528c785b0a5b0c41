"""The parts of open pages: drawn once for each distinct content, sent only when they change.

Each part is a template and the small value it is drawn from. The value is also the key under which
the drawing is kept, so two phones that see the same get the same bytes, drawn once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable
from typing import Any, Final

from markupsafe import Markup

from referee.games.base import IDLE
from referee.journal import Line, SeatId, words
from referee.live import Live
from referee.tables import Table

from .place import Place
from .render import Renderer
from .scene import Frame, Scene, by_type, cards, free, news, present, tag_of

LOG_LINES: Final = 7
KEPT: Final = 400
"""Drawings kept for a table; a whole game has a few thousand, an evening looks back at few."""


def tag(html: str) -> str:
    """Name a drawn part by its content, so that what a page has is not sent again."""
    return hashlib.blake2s(html.encode(), digest_size=6).hexdigest()


def have(parts: dict[str, Markup]) -> str:
    """Say what a page is born with, so that its stream does not send it again."""
    return ".".join(f"{name}-{tag(html)}" for name, html in parts.items())


class Sketchbook:
    """What was drawn for one table."""

    def __init__(self) -> None:
        self.frames: dict[tuple[Any, ...], Frame] = {}
        self.drawn: dict[tuple[Hashable, ...], Markup] = {}
        self.length = -1
        self.public: Any = None
        self.screen: dict[str, Any] = {}
        self.common: dict[str, Any] = {}


class Parts:
    """Draws parts of pages."""

    def __init__(self, renderer: Renderer, live: Live, place: Place) -> None:
        self.renderer = renderer
        self.place = place
        self.live = live
        self._books: dict[str, Sketchbook] = {}

    def frame(
        self,
        table: Table,
        viewer: SeatId | None,
        *,
        is_host: bool = False,
        here: tuple[SeatId, ...] = (),
    ) -> Frame:
        """Give a viewer's frame; the same one as long as the seats stay as they are."""
        book = self._books.setdefault(table.code, Sketchbook())
        key = (viewer, is_host, here, table.ledger.seating, table.ledger.status)
        found = book.frames.get(key)
        if found is None:
            found = Frame(table, cards(table), viewer, is_host=is_host, here=here)
            book.frames[key] = found
        return found

    def scene(
        self,
        table: Table,
        viewer: SeatId | None,
        lang: str,
        *,
        is_host: bool = False,
        here: tuple[SeatId, ...] = (),
    ) -> Scene:
        """Build the scene of a whole page."""
        frame = self.frame(table, viewer, is_host=is_host, here=here)
        return Scene(table, frame, self.live, lang)

    def draw(self, table: Table, frame: Frame, lang: str) -> dict[str, Markup]:
        """Draw all live parts of a viewer's page as the table stands now."""
        status = table.ledger.status
        if status == "lobby":
            scene = Scene(table, frame, self.live, lang)
            names = ("seats", "notice") if frame.me else ("seats", "begin", "notice")
            drawn = {n: self._fresh(f"table/_{n}.html", lang, scene) for n in names}
            return drawn if frame.me else drawn | self._joining(table, lang, "join")
        if status == "over":
            scene = Scene(table, frame, self.live, lang)
            return {"again": self._fresh("table/_again.html", lang, scene)}
        book = self._books[table.code]
        self._update(book, table)
        common = self.frame(table, None)
        if frame.me is None:
            return self._display(book, table, frame, common, lang)
        return self._seat(book, table, frame, common, lang)

    def _fresh(self, template: str, lang: str, scene: Scene) -> Markup:
        return self.renderer.render(template, lang, {"s": scene})

    def _update(self, book: Sketchbook, table: Table) -> None:
        """Make the values that everybody shares, once a change."""
        if book.length == table.ledger.length:
            return
        game = table.game
        book.public = game.public(table.ledger.state)
        screens = game.screens
        book.screen = screens.display_parts(book.public)
        book.common = screens.common_parts(book.public)
        book.length = table.ledger.length
        if len(book.drawn) > KEPT:
            book.drawn.clear()

    def _display(
        self, book: Sketchbook, table: Table, frame: Frame, common: Frame, lang: str
    ) -> dict[str, Markup]:
        """Draw the display's parts: its stage, then the rest in the order of the game's screens."""
        ledger, screens = table.ledger, table.game.screens
        shared: dict[str, Callable[[], Markup]] = {
            "desk": lambda: self._desk(book, table, frame, lang),
            "notice": lambda: self._notice(table, frame, lang),
            "players": lambda: self._players(book, table, common, lang),
            "log": lambda: self._log(book, table, common, lang),
        }
        drawn = {
            name: shared[name]()
            if name in shared
            else self._drawn(book, name, common, lang, book.screen[name])
            for name in (screens.STAGE, *screens.ON_DISPLAY)
        }
        return drawn | {
            **self._joining(table, lang, "join", "invite"),
            "foot": Markup('<span class="chain">{}</span>').format(words(ledger.head_for(None))),
        }

    def _desk(self, book: Sketchbook, table: Table, frame: Frame, lang: str) -> Markup:
        """Draw what the host may enter on the display itself; nobody else's display has it."""
        if not frame.is_host:
            return Markup()
        asked = table.game.screens.desk_part(book.public, fresh=table.ledger.moved)
        return self._questions(book, "desk", (frame, frame), lang, asked)

    def _seat(
        self, book: Sketchbook, table: Table, frame: Frame, common: Frame, lang: str
    ) -> dict[str, Markup]:
        """Draw a phone's parts in the order of the game's screens."""
        ledger, screens = table.ledger, table.game.screens
        me = frame.me
        assert me is not None  # noqa: S101  # the caller chose by it
        own = table.game.own(ledger.state, me.index)
        legal = ledger.legal[me.index]
        values = screens.seat_parts(
            book.public, own, legal, me.index, fresh=ledger.asked_since(me.seat)
        )
        drawn: dict[str, Markup] = {}
        for name in screens.ON_PHONE:
            if name == "notice":
                drawn[name] = self._notice(table, frame, lang)
            elif name == "ask":
                drawn[name] = self._questions(book, name, (frame, common), lang, values[name])
            elif name in values:
                drawn[name] = self._drawn(book, name, frame, lang, values[name])
            else:
                drawn[name] = self._drawn(book, name, common, lang, book.common[name])
        return drawn

    def _questions(
        self,
        book: Sketchbook,
        part: str,
        frames: tuple[Frame, Frame],
        lang: str,
        asked: tuple[Any, ...],
    ) -> Markup:
        """Draw questions one after the other, each by the template that its tag names.

        `frames` are the viewer's own, and the common one for what asks nothing.
        """
        mine, common = frames
        return Markup("").join(
            self._drawn(book, part, common if tag_of(question) == IDLE else mine, lang, question)
            for question in asked
        )

    def _drawn(
        self, book: Sketchbook, name: str, frame: Frame, lang: str, value: Any, **more: Hashable
    ) -> Markup:
        """Draw a part, or give the drawing of an equal value.

        A value of one type is drawn by `_NAME.html`, one of a tagged union by `NAME/TAG.html`.
        """
        key = (name, lang, frame, value, *more.values())
        found = book.drawn.get(key)
        if found is None:
            context = {"s": frame, "p": value, **more}
            if hasattr(value, "legal"):
                context["l"] = by_type(value.legal)
            which = value.__struct_config__.tag
            file = f"_{name}" if which is None else f"{name}/{which}"
            found = self.renderer.render(f"{frame.game}/{file}.html", lang, context)
            book.drawn[key] = found
        return found

    def _joining(self, table: Table, lang: str, *names: str) -> dict[str, Markup]:
        """Draw how to join, for the address this machine has now."""
        book = self._books[table.code]
        card = self.place.join_card(table.code)
        drawn = {}
        for name in names:
            key = (name, lang, card)
            if key not in book.drawn:
                template = f"table/_{name}.html"
                book.drawn[key] = self.renderer.render(template, lang, {"p": card})
            drawn[name] = book.drawn[key]
        return drawn

    def _players(self, book: Sketchbook, table: Table, frame: Frame, lang: str) -> Markup:
        here, unheld = present(table, self.live), free(table)
        rows = []
        for row in book.screen["players"].rows:
            seat = table.ledger.order[row.seat]
            flags = {"is_away": seat not in here, "is_free": seat in unheld}
            rows.append(self._drawn(book, "player", frame, lang, row, **flags))
        return Markup('<ol class="players">{}</ol>').format(Markup("").join(rows))

    def _log(self, book: Sketchbook, table: Table, frame: Frame, lang: str) -> Markup:
        lines = table.ledger.lines[-LOG_LINES:]
        drawn = [self._line(book, line, frame, lang) for line in lines]
        return Markup('<ol class="log">{}</ol>').format(Markup("").join(drawn))

    def _line(self, book: Sketchbook, line: Line, frame: Frame, lang: str) -> Markup:
        key = ("line", lang, frame, line.number, line.is_undone)
        found = book.drawn.get(key)
        if found is None:
            text = self.renderer.render("table/_line.html", lang, {"s": frame, "line": line})
            found = book.drawn[key] = Markup("<li>{}</li>").format(text)
        return found

    def _notice(self, table: Table, frame: Frame, lang: str) -> Markup:
        """Draw what is asked of the table beside the game; most of the time nothing."""
        others = frame.here if frame.me is None else frame.here[1:]
        if not (table.ledger.ask or others or table.requests or news(table)):
            return Markup()
        return self._fresh("table/_notice.html", lang, Scene(table, frame, self.live, lang))

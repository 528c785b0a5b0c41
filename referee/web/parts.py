"""The parts of open pages: drawn once for each distinct content, sent only when they change.

Each part is a template and the small value it is drawn from; `sketchbook.py` keeps the drawings.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from markupsafe import Markup
from msgspec import Struct

from referee.entries import SeatId
from referee.games.base import SeatIndex
from referee.games.protocol import PublicView
from referee.hints import Hints, kinds_of
from referee.live import Live
from referee.profiles import PRACTICE, name_of
from referee.seal import words
from referee.tables import Table
from referee.unboxing import Unboxing

from .frame import Frame, SeatCard, cards, free, present
from .notice import is_asked_of, notice
from .pieces import Pieces
from .place import Place
from .render import Renderer
from .sketchbook import Sketchbook

OUTCOME: Final = "outcome"
"""The part of a page at the end that is shown nowhere: which of the outcomes it tells."""


def tag(html: str) -> str:
    """Name a drawn part by its content, so that what a page has is not sent again."""
    return hashlib.blake2s(html.encode(), digest_size=6).hexdigest()


def have(parts: dict[str, Markup]) -> str:
    """Say what a page is born with, so that its stream does not send it again."""
    return ".".join(f"{name}-{tag(html)}" for name, html in parts.items())


class BeforeStart(Struct, frozen=True):
    """What the lobby asks beside its options, and the seats that were kept for somebody."""

    asks_whose_box: bool
    kept: frozenset[SeatId]


class HowFar(Struct, frozen=True):
    """How many steps of the closing ceremony were told, how many there are, and of which end."""

    told: int
    last: int
    outcome: int


class Beside(NamedTuple):
    """What pages show that is in no journal."""

    unboxing: Unboxing
    hints: Hints


class Parts:
    """Draws parts of pages; `facts` gives what a game's owner taught of a board."""

    def __init__(
        self,
        renderer: Renderer,
        live: Live,
        place: Place,
        facts: Callable[[str, str], Mapping[str, str]],
        beside: Beside,
    ) -> None:
        self._facts = facts
        self._unboxing, self._hints = beside
        self.renderer = renderer
        self.place = place
        self.live = live
        self._books: dict[str, Sketchbook] = {}

    def frame(
        self,
        table: Table,
        viewer: SeatId | None,
        lang: str,
        *,
        is_host: bool = False,
        here: tuple[SeatId, ...] = (),
    ) -> Frame:
        """Give a viewer's frame; the same one as long as the seats stay as they are."""
        book = self._books.setdefault(table.code, Sketchbook(self.renderer))
        key = (viewer, lang, is_host, here, table.ledger.seating.changed_at, table.ledger.status)
        found = book.frames.get(key)
        if found is None:
            found = Frame(table, cards(table), viewer, lang, is_host=is_host, here=here)
            book.frames[key] = found
            self.renderer.look_ahead(found.game, lang)
        return found

    def public(self, table: Table) -> PublicView | None:
        """Give what everybody may see, built once a change; None before the start."""
        book = self._books.setdefault(table.code, Sketchbook(self.renderer))
        if table.ledger.state is None:
            return None
        # Under the lock: a book that is brought up to date while somebody acts would stay behind.
        with table.lock:
            book.update(table)
            found: PublicView = book.public
        return found

    def draw(self, table: Table, frame: Frame) -> dict[str, Markup]:
        """Draw all live parts of a viewer's page as the table stands now."""
        if frame.status == "lobby":
            names = ("seats",) if frame.me else ("seats", "begin")
            seating = table.ledger.seating
            lobby = BeforeStart(self._asks_whose_box(table), seating.kept - seating.bots)
            drawn = {name: self._plain(f"table/_{name}.html", frame, p=lobby) for name in names}
            drawn["notice"] = self._notice(table, frame, ())
            box = self.unboxing(table, frame)
            # The display has a page of its own for it, as large as people stand away.
            drawn |= box if frame.me else {"unboxed": box["unboxed"]}
            return drawn if frame.me else drawn | self._joining(table, frame.lang, "join")
        if frame.status == "over":
            asked = self._notice(table, frame, ())
            # The result is told once; where it was set right since, the page is made anew.
            return {
                "step": self._step(table, frame),
                "again": self._plain(
                    "table/_again.html", frame, p=table.rematch is not None, asked=asked
                ),
                OUTCOME: Markup(str(table.ledger.moved)),  # noqa: S704  # a number
            }
        book = self._books[table.code]
        book.update(table)
        common = self.frame(table, None, frame.lang)
        if frame.me is None:
            return self._display(book, table, frame, common)
        return self._seat(book, table, frame, frame.me, common)

    def unboxing(self, table: Table, frame: Frame) -> dict[str, Markup]:
        """Draw the set-up of the box, and how far it is; nothing where there is none."""
        found = self._unboxing.of(table)
        if not found.steps:
            return {"unboxing": Markup(), "unboxed": Markup()}
        return {
            name: self._plain(f"table/_{name}.html", frame, p=found)
            for name in ("unboxing", "unboxed")
        }

    def _step(self, table: Table, frame: Frame) -> Markup:
        """Say how far the ceremony is; a phone, and the host's display, may go on."""
        outcome = table.ledger.moved
        told = self.live.told(table.code, outcome)
        last = table.game.screens.steps(self.public(table))
        return self._plain("table/_step.html", frame, p=HowFar(told, last, outcome))

    def _asks_whose_box(self, table: Table) -> bool:
        """Say whether the first game on a board asks if it is the owner's: once, and nobody did."""
        ledger = table.ledger
        board = name_of(ledger.chosen())
        is_settled = table.game.boards is None or "board" in ledger.options or board == PRACTICE
        return not is_settled and not self._facts(table.game.META.key, board)

    def _plain(self, template: str, frame: Frame, **context: Any) -> Markup:
        return self.renderer.render(template, frame.lang, {"s": frame, **context})

    def _display(
        self, book: Sketchbook, table: Table, frame: Frame, common: Frame
    ) -> dict[str, Markup]:
        """Draw the display's parts: its stage, then the rest in the order of the game's screens."""
        ledger, screens = table.ledger, table.game.screens
        shared: dict[str, Callable[[], Markup]] = {
            "desk": lambda: self._desk(book, table, frame),
            "notice": lambda: self._notice(table, frame, book.public.waiting_for),
            "players": lambda: self._players(book, table, common),
            "log": lambda: book.log(table, common),
        }
        drawn = {
            name: shared[name]() if name in shared else book.draw(name, common, book.screen[name])
            for name in (screens.STAGE, *screens.ON_DISPLAY)
        }
        return drawn | {
            "moment": book.scene(common),
            **self._joining(table, frame.lang, "join", "invite"),
            "foot": Markup('<span class="chain">{}</span>').format(
                words(ledger.noticed.head_for(None))
            ),
        }

    def _desk(self, book: Sketchbook, table: Table, frame: Frame) -> Markup:
        """Draw what the host may enter on the display itself; nobody else's display has it."""
        if not frame.is_host:
            return Markup()
        asked = table.game.screens.desk_part(book.public, fresh=table.ledger.moved)
        return book.questions("desk", (frame, frame), asked)

    def _seat(
        self, book: Sketchbook, table: Table, frame: Frame, me: SeatCard, common: Frame
    ) -> dict[str, Markup]:
        """Draw a phone's parts in the order of the game's screens."""
        ledger, screens = table.ledger, table.game.screens
        own = table.game.own(ledger.state, me.index)
        legal = ledger.legal[me.index]
        values = screens.seat_parts(
            book.public, own, legal, me.index, fresh=ledger.noticed.asked_since(me.seat)
        )
        drawn: dict[str, Markup] = {}
        shared = book.shared.get(frame.lang)
        if shared is None:
            shared = book.shared[frame.lang] = {
                name: book.draw(name, common, value) for name, value in book.common.items()
            }
        for name in screens.ON_PHONE:
            if name == "notice":
                drawn[name] = self._notice(table, frame, book.public.waiting_for)
            elif name == "moment":
                drawn[name] = book.told(frame)
            elif name == "ask":
                kinds = self._hints.shown(table, me.seat, kinds_of(values[name]))
                drawn["hint"] = book.hint(frame, kinds)
                drawn[name] = book.questions(name, (frame, common), values[name])
            elif name == "head":
                is_put = is_asked_of(table, me.seat)
                head = book.draw(name, frame, values[name], is_put=is_put)
                drawn[name] = head + self._explained(book, frame, values["ask"], screens.TERMS)
            elif name in values:
                drawn[name] = book.draw(name, frame, values[name])
            else:
                drawn[name] = shared[name]
        return drawn

    def _explained(
        self,
        book: Sketchbook,
        frame: Frame,
        asked: tuple[Any, ...],
        terms: Mapping[str, tuple[str, ...]],
    ) -> Markup:
        """Lead from what is asked to the term that explains it, or to all of them."""
        if not terms:
            return Markup()
        kinds = kinds_of(asked)
        helps = (term for kind in kinds for term, helped in terms.items() if kind in helped)
        return book.draw_alike("explain", frame, next(helps, ""))

    def _joining(self, table: Table, lang: str, *names: str) -> dict[str, Markup]:
        """Draw how to join, for the address this machine has now."""
        book = self._books[table.code]
        card = self.place.join_card(table.code)
        drawn = {}
        for name in names:
            # Not by the frame: the code and the addresses are the same for all who look.
            key = (name, lang, card)
            if key not in book.drawn:
                template = f"table/_{name}.html"
                book.drawn[key] = self.renderer.render(template, lang, {"p": card})
            drawn[name] = book.drawn[key]
        return drawn

    def _players(self, book: Sketchbook, table: Table, frame: Frame) -> Markup:
        here, unheld = present(table, self.live), free(table)
        rows = []
        for row in book.screen["players"].rows:
            seat = table.ledger.seating.at(SeatIndex(row.seat))
            flags = {"is_away": seat not in here, "is_free": seat in unheld}
            rows.append(book.draw("player", frame, row, **flags))
        between = [""] * (len(rows) - 1)
        return Pieces.of(['<ol class="players">', *between, "</ol>"], rows)

    def _notice(self, table: Table, frame: Frame, waiting_for: tuple[int, ...]) -> Markup:
        """Draw what is decided beside the game; most of the time nothing."""
        found = notice(table, frame, waiting_for, present(table, self.live))
        return Markup() if found is None else self._plain("table/_notice.html", frame, p=found)

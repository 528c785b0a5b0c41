"""The parts of open pages: drawn once for each distinct content, sent only when they change.

Each part is a template and the small value it is drawn from; `sketchbook.py` keeps the drawings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from markupsafe import Markup
from msgspec import Struct

from referee.entries import SeatId
from referee.games.base import SeatIndex
from referee.games.protocol import PublicView
from referee.hints import Hints
from referee.live import Live
from referee.profiles import PRACTICE, name_of
from referee.seal import words
from referee.tables import Table
from referee.unboxing import Unboxing

from .faults import Faults
from .frame import Frame, SeatCard, free, present
from .having import OUTCOME
from .notice import is_asked_of, notice, shared
from .pieces import Cutter, Part, Pieces
from .place import Place
from .render import Renderer
from .sketchbook import NOTHING_DRAWN, OnPhone, Sketchbook, around


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


class Now:
    """What all pages of a table share at one moment beside its ledger: whose phone is here.

    Made under the table's lock, and used no longer than that is held.
    """

    def __init__(self, table: Table, book: Sketchbook, live: Live) -> None:
        self.table = table
        self.book = book
        self.here = present(table, live)
        self.free = free(table)
        public = book.public if table.ledger.status == "playing" else None
        self.notices = shared(table, public, self.here, self.free)
        self.displays: dict[Frame, dict[str, Part]] = {}


class Parts:
    """Draws parts of pages; `facts` gives what a game's owner taught of a board.

    A part that cannot be drawn says so, and the others are drawn all the same.
    """

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
        self.faults = Faults(renderer)
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
        book = self._book(table)
        seating = table.ledger.seating
        key = (viewer, lang, is_host, here, seating.changed_at, table.ledger.status)
        found = book.frames.get(key)
        if found is None:
            is_common = key[:4] == (None, lang, False, ())
            common = None if is_common else self.frame(table, None, lang)
            found = Frame(table, viewer, lang, is_host=is_host, here=here, common=common)
            if is_common:
                # Nobody is shown those from before the seats changed any more.
                book.frames = {of: each for of, each in book.frames.items() if of[4:] == key[4:]}
            book.frames[key] = found
            self.renderer.look_ahead(found.game, lang)
        return found

    def _book(self, table: Table) -> Sketchbook:
        found = self._books.get(table.code)
        if found is None:
            found = self._books[table.code] = Sketchbook(self.renderer)
        return found

    def now(self, table: Table) -> Now:
        """Give what pages share that are drawn together; the caller holds the table's lock."""
        book = self._book(table)
        if table.ledger.status == "playing":
            book.update(table)
        return Now(table, book, self.live)

    def public(self, table: Table) -> PublicView | None:
        """Give what everybody may see, built once a change; None before the start."""
        book = self._book(table)
        if table.ledger.state is None:
            return None
        # Under the lock: a book that is brought up to date while somebody acts would stay behind.
        with table.lock:
            book.update(table)
            found: PublicView = book.public
        return found

    def draw(self, table: Table, frame: Frame, now: Now | None = None) -> dict[str, Part]:
        """Draw all live parts of a viewer's page as the table stands now."""
        now = now or self.now(table)
        if frame.status == "lobby":
            return self._lobby(now, frame)
        if frame.status == "over":
            drawn = self.faults.parts(
                table,
                frame,
                marks=lambda: self._marks(now.book, frame),
                step=lambda: self._step(table, frame),
                # The result is told once; where it was set right since, the page is made anew.
                again=lambda: self._again(now, frame),
            )
            return drawn | {OUTCOME: Markup(str(table.ledger.moved))}  # noqa: S704  # a number
        if frame.me is not None:
            return self._seat(now, frame, frame.me)
        found = now.displays.get(frame)
        if found is None:
            found = now.displays[frame] = self._display(now, frame)
        return found

    def unboxing(self, table: Table, frame: Frame) -> dict[str, Part]:
        """Draw the set-up of the box, and how far it is; nothing where there is none."""
        found = self._unboxing.of(table)
        if not found.steps:
            return {"unboxing": Markup(), "unboxed": Markup()}
        names = ("unboxing", "unboxed")
        return self.faults.parts(
            table,
            frame,
            **{n: partial(self._plain, f"table/_{n}.html", frame, p=found) for n in names},
        )

    def _lobby(self, now: Now, frame: Frame) -> dict[str, Part]:
        table = now.table
        names = ("seats",) if frame.me else ("seats", "begin")
        seating = table.ledger.seating
        lobby = BeforeStart(self._asks_whose_box(table), seating.kept - seating.bots)
        drawn = self.faults.parts(
            table,
            frame,
            marks=lambda: self._marks(now.book, frame),
            **{name: partial(self._plain, f"table/_{name}.html", frame, p=lobby) for name in names},
            notice=lambda: self._notice(now, frame),
        )
        box = self.unboxing(table, frame)
        # The display has a page of its own for it, as large as people stand away.
        drawn |= box if frame.me else {"unboxed": box["unboxed"]}
        return drawn if frame.me else drawn | self._joining(table, frame, "join")

    def _marks(self, book: Sketchbook, frame: Frame) -> Part:
        """Draw the seats' marks, which all that stands on a page points at."""
        common = frame.common
        return book.again("marks", common, None, lambda: self._plain("table/_marks.html", common))

    def _step(self, table: Table, frame: Frame) -> Part:
        """Say how far the ceremony is; a phone, and the host's display, may go on."""
        outcome = table.ledger.moved
        told = self.live.told(table.code, outcome)
        last = table.game.screens.steps(self.public(table))
        return self._plain("table/_step.html", frame, p=HowFar(told, last, outcome))

    def _again(self, now: Now, frame: Frame) -> Part:
        """Lead to the rematch, or back into the game."""
        asked, is_open = self._notice(now, frame), now.table.rematch is not None
        return self._plain("table/_again.html", frame, p=is_open, asked=asked)

    def _asks_whose_box(self, table: Table) -> bool:
        """Say whether the first game on a board asks if it is the owner's: once, and nobody did."""
        ledger = table.ledger
        board = name_of(ledger.chosen())
        is_settled = table.game.boards is None or "board" in ledger.options or board == PRACTICE
        return not is_settled and not self._facts(table.game.META.key, board)

    def _plain(self, template: str, frame: Frame, **context: Any) -> Part:
        return self.renderer.render(template, frame.lang, {"s": frame, **context})

    def _display(self, now: Now, frame: Frame) -> dict[str, Part]:
        """Draw the display's parts: its stage, then the rest in the order of the game's screens."""
        table, book, common = now.table, now.book, frame.common
        ledger, screens = table.ledger, table.game.screens
        values = book.screen(table)
        own: dict[str, Callable[[], Part]] = {
            "desk": lambda: self._desk(book, table, frame),
            "notice": lambda: self._notice(now, frame),
            "players": lambda: self._players(now, common),
            "log": lambda: book.log(table, common),
        }
        head = words(ledger.noticed.head_for(None))
        return self.faults.parts(
            table,
            frame,
            marks=lambda: self._marks(book, common),
            **{
                name: own.get(name) or partial(book.part, name, common, values[name])
                for name in (screens.STAGE, *screens.ON_DISPLAY)
            },
            moment=lambda: book.scene(common),
        ) | {
            **self._joining(table, common, "join", "invite"),
            "foot": around('<span class="chain">', [Markup.escape(head)], "</span>"),
        }

    def _desk(self, book: Sketchbook, table: Table, frame: Frame) -> Part:
        """Draw what the host may enter on the display itself; nobody else's display has it."""
        if not frame.is_host:
            return NOTHING_DRAWN
        asked = table.game.screens.desk_part(book.public, fresh=table.ledger.moved)
        return book.questions("desk", frame, asked)

    def _seat(self, now: Now, frame: Frame, me: SeatCard) -> dict[str, Part]:
        """Draw a phone's parts in the order of the game's screens."""
        table, book, screens = now.table, now.book, now.table.game.screens
        shown = book.seat(table, me.seat, me.index)
        shared = book.shared.get(frame.lang)
        if shared is None:
            shared = book.shared[frame.lang] = self.faults.parts(
                table,
                frame,
                **{
                    name: partial(book.part, name, frame.common, value)
                    for name, value in book.common(table).items()
                },
                marks=lambda: self._marks(book, frame),
            )
        drawn = {"marks": shared["marks"]}
        for name in screens.ON_PHONE:
            if name in shared:
                drawn[name] = shared[name]
                continue
            if name == "ask":
                drawn["hint"] = self._on_phone("hint", now, frame, shown, me)
            drawn[name] = self._on_phone(name, now, frame, shown, me)
        return drawn

    def _on_phone(self, name: str, now: Now, frame: Frame, shown: OnPhone, me: SeatCard) -> Part:
        """Draw a part that is a phone's own, or say that it cannot be drawn."""
        book = now.book
        try:
            match name:
                case "notice":
                    return self._notice(now, frame)
                case "moment":
                    return book.told(frame)
                case "hint":
                    return book.hint(frame, self._hints.shown(now.table, me.seat, shown.kinds))
                case "ask":
                    return book.questions(name, frame, shown.values[name])
                case "head":
                    return self._head(now, frame, shown, me)
                case _:
                    return book.part(name, frame, shown.values[name])
        except Exception as fault:  # noqa: BLE001  # whatever it is, the other parts have none
            return self.faults.said(now.table, frame, name, fault)

    def _head(self, now: Now, frame: Frame, shown: OnPhone, me: SeatCard) -> Part:
        """Draw a phone's top line, and what leads from there to what is asked."""
        book, terms = now.book, now.table.game.screens.TERMS
        is_put = is_asked_of(now.table, me.seat)
        value, kinds = shown.values["head"], shown.kinds

        def draw() -> Part:
            head = book.draw("head", frame, value, is_put=is_put)
            return around("", [head, self._explained(book, frame, kinds, terms)], "")

        return book.again("head", frame, (value, is_put, kinds), draw)

    def _explained(
        self,
        book: Sketchbook,
        frame: Frame,
        kinds: tuple[str, ...],
        terms: Mapping[str, tuple[str, ...]],
    ) -> Part:
        """Lead from what is asked to the term that explains it, or to all of them."""
        if not terms:
            return NOTHING_DRAWN
        helps = (term for kind in kinds for term, helped in terms.items() if kind in helped)
        return book.draw_alike("explain", frame, next(helps, ""))

    def _joining(self, table: Table, frame: Frame, *names: str) -> dict[str, Part]:
        """Draw how to join, for the address this machine has now."""
        book = self._books[table.code]
        card = self.place.join_card(table.code)

        def draw(name: str) -> Part:
            # Its codes are pieces: held once, and not by each part that shows them.
            cutter = Cutter(lambda piece: piece.value)
            context = {"p": card, "piece": cutter}
            return cutter.whole(self.renderer.render(f"table/_{name}.html", frame.lang, context))

        return self.faults.parts(
            table,
            frame,
            **{name: partial(book.again, name, frame, card, partial(draw, name)) for name in names},
        )

    def _players(self, now: Now, common: Frame) -> Part:
        """Draw the players' list, a piece each."""
        rows = now.book.screen(now.table)["players"].rows
        seats = [now.table.ledger.seating.at(SeatIndex(row.seat)) for row in rows]
        shown = [
            (row, seat not in now.here, seat in now.free)
            for row, seat in zip(rows, seats, strict=True)
        ]

        def draw() -> Part:
            drawn = [_player(now.book, common, each) for each in shown]
            between = [""] * (len(rows) - 1)
            return Pieces(['<ol class="players">', *between, "</ol>"], drawn)

        return now.book.again("players", common, shown, draw)

    def _notice(self, now: Now, frame: Frame) -> Part:
        """Draw what is decided beside the game; most of the time nothing."""
        found = notice(now.table, frame, now.notices)
        if found is None:
            return NOTHING_DRAWN

        def draw() -> Part:
            # A line that a notice repeats is drawn already, since the log has it.
            told = partial(now.book.line, frame=frame)
            return self._plain("table/_notice.html", frame, p=found, told=told)

        return now.book.again("notice", frame, found, draw)


def _player(book: Sketchbook, common: Frame, shown: tuple[Any, bool, bool]) -> Part:
    """Draw a row of the players' list, of whether its phone is away and its seat free as well."""
    row, is_away, is_free = shown

    def draw() -> Part:
        return book.draw("player", common, row, is_away=is_away, is_free=is_free)

    return book.again(f"player {row.seat}", common, shown, draw)

"""What was drawn for one table: once for all values that are equal, for whoever is shown them.

The value that a part is drawn from is the key under which the drawing is kept, so two phones that
see the same get the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeVar

from markupsafe import Markup

from referee.entries import SeatId
from referee.games.base import IDLE, InPieces, Piece, SeatIndex
from referee.hints import kinds_of
from referee.loglines import LogLine
from referee.tables import Table

from .compiling import safe
from .frame import Frame, tag_of
from .moments import NOTHING, Moments, moments
from .pieces import Cutter, Holes, Part, Pieces, whole
from .render import Renderer

LOG_LINES: Final = 7
NOTHING_DRAWN: Final = Markup()
KEPT: Final = 100
"""A table's drawings that make a round; a whole game has a few thousand of them."""
AROUND_KEPT: Final = 40
"""Drawings around pieces that make one: a table shows nearly as many at a time."""
PIECES_KEPT: Final = 150
"""Pieces that make one: they are small. What a page has just shown is not looked up here."""


def around(start: str, drawn: Sequence[Part], end: str) -> Markup:
    """Put drawings one after the other between two tags of ours."""
    return safe(f"{start}{''.join(map(whole, drawn))}{end}")  # each was drawn by a template


class OnPhone(NamedTuple):
    """What a seat's phone shows: the value of each part, and the kinds of what it is asked."""

    values: dict[str, Any]
    kinds: tuple[str, ...]


DrawnT = TypeVar("DrawnT")


class Drawings(Generic[DrawnT]):
    """Drawings, by all that they are drawn from: those of this round and of the one before.

    What is still shown is asked for again and again, so it stays; the rest is soon forgotten.
    """

    def __init__(self, kept: int) -> None:
        self._kept = kept
        self._now: dict[tuple[Hashable, ...], DrawnT] = {}
        self._before: dict[tuple[Hashable, ...], DrawnT] = {}

    def get(self, key: tuple[Hashable, ...]) -> DrawnT | None:
        """Give a drawing that was kept."""
        found = self._now.get(key)
        if found is None and (found := self._before.pop(key, None)) is not None:
            self._now[key] = found
        return found

    def keep(self, key: tuple[Hashable, ...], drawn: DrawnT) -> DrawnT:
        """Keep a drawing, and give it."""
        self._now[key] = drawn
        return drawn

    def has_aged(self) -> bool:
        """Begin a new round where this one is full, and say so."""
        is_full = len(self._now) >= self._kept
        if is_full:
            self._before, self._now = self._now, {}
        return is_full


class Sketchbook:
    """Values that all pages of a table share, and what was drawn of them.

    Attributes:
        frames: viewers' frames, by what makes them another one.
        drawn: drawings that are kept.
        public: what everybody may see; None before the start.
        moments: what people look up for just now.
        shared: what every phone shows alike as it is drawn now, by language.
    """

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._length = -1
        self._last: dict[tuple[str, Frame], tuple[Any, Part]] = {}
        self._before: dict[tuple[str, Frame], tuple[Any, Part]] = {}
        self._seats: dict[SeatIndex, tuple[Any, int, OnPhone]] = {}
        self.frames: dict[tuple[Any, ...], Frame] = {}
        self.drawn = Drawings[Markup](KEPT)
        self._pieces = Drawings[Part](PIECES_KEPT)
        self._around = Drawings[tuple[str, ...]](AROUND_KEPT)
        self.public: Any = None  # a PublicView of its game
        self.shared: dict[str, dict[str, Part]] = {}
        self.moments: Moments = NOTHING
        self._screen: dict[str, Any] | None = None
        self._common: dict[str, Any] | None = None

    def update(self, table: Table) -> None:
        """Make the values that everybody shares, once a change."""
        if self._length == table.ledger.length:
            return
        public = table.ledger.public()
        if public is not self.public:
            self.public = public
            self._screen = self._common = None
        # Drawn anew even so: what is entered without a move may be a seat's new name.
        self.shared.clear()
        self.moments = moments(table.ledger.log.lines, table.game.screens)
        self._length = table.ledger.length
        self._pieces.has_aged()
        self._around.has_aged()
        if self.drawn.has_aged():
            # Pages that are open ask for theirs at each change; those of others go with the next.
            self._before, self._last = self._last, {}

    def screen(self, table: Table) -> dict[str, Any]:
        """Give what the display shows, made when a display first asks."""
        if self._screen is None:
            self._screen = table.game.screens.display_parts(self.public)
        return self._screen

    def common(self, table: Table) -> dict[str, Any]:
        """Give what every phone shows alike, made when a phone first asks."""
        if self._common is None:
            self._common = table.game.screens.common_parts(self.public)
        return self._common

    def seat(self, table: Table, seat: SeatId, index: SeatIndex) -> OnPhone:
        """Give what a seat's phone shows, made once for a state and what the seat may do in it."""
        ledger = table.ledger
        fresh = ledger.noticed.asked_since(seat)
        found = self._seats.get(index)
        if found is None or found[0] is not ledger.state or found[1] != fresh:
            own = table.game.own(ledger.state, index)
            values = table.game.screens.seat_parts(
                self.public, own, ledger.legal[index], index, fresh=fresh
            )
            shown = OnPhone(values, kinds_of(values["ask"]))
            found = self._seats[index] = (ledger.state, fresh, shown)
        return found[2]

    def again(self, name: str, frame: Frame, value: Any, draw: Callable[[], Part]) -> Part:
        """Give what was last drawn of a part in this frame; draw it if its value is another now.

        To compare two values costs less than to look one up, for which all of it is hashed, and
        nothing where they are the same object.
        """
        key = (name, frame)
        last = self._last.get(key)
        if last is None and (last := self._before.pop(key, None)) is not None:
            self._last[key] = last
        if last is not None and (last[0] is value or last[0] == value):
            return last[1]
        drawn = draw()
        self._last[key] = (value, drawn)
        return drawn

    def part(self, name: str, frame: Frame, value: Any) -> Part:
        """Draw a part of which a page shows one, or give what was last drawn of it.

        Older drawings of it are not kept: a game hardly ever comes back to the same value.
        """
        return self.again(name, frame, value, lambda: self._anew(name, name, frame, value))

    def _anew(self, name: str, part: str, frame: Frame, value: Any) -> Part:
        """Draw what `again` knows by a name, with the pieces it had where they are the same."""
        if not isinstance(value, InPieces):
            return self._draw(part, frame, value, {})
        was = self._last.get((name, frame))
        return self._put_together(part, frame, value, was and was[1])

    def draw(self, name: str, frame: Frame, value: Any, **more: Hashable) -> Part:
        """Draw a part, or give the drawing of an equal value.

        A value of a union is drawn by the template that its tag names, any other by its part's.
        """
        if isinstance(value, InPieces):
            return self._put_together(name, frame, value, None)
        key = (name, frame, value, *more.values())
        found: Part | None = self.drawn.get(key)
        if found is None:
            found = self._draw(name, frame, value, more)
            # One in pieces is large, and quickly put together again of what is kept of those.
            if not isinstance(found, Pieces):
                self.drawn.keep(key, found)
        return found

    def _piece(self, frame: Frame, piece: Piece, was: Part | None = None) -> Part:
        """Draw a piece of a part, or give the drawing of an equal value; `was` stood there."""
        name, value = piece.name, piece.value
        frame = frame.common if piece.alike else frame
        key = (name, frame, value)
        found = self._pieces.get(key)
        if found is None:  # an empty drawing is one too
            if isinstance(value, InPieces):
                found = self._put_together(name, frame, value, was)
            else:
                found = self._draw(name, frame, value, {})
            self._pieces.keep(key, found)
        return found

    def _put_together(self, name: str, frame: Frame, value: InPieces, was: Part | None) -> Part:
        """Draw what is in pieces: those of which the value is the same are left as they were."""
        pieces = value.pieces
        around = self._drawn_around(name, frame, value, pieces)
        if not pieces:
            return safe(around[0])  # it was drawn by a template
        if not isinstance(was, Pieces) or len(was.made_of) != len(pieces):
            return Pieces(around, [self._piece(frame, piece) for piece in pieces], pieces)
        drawn = [
            old if piece == made_of else self._piece(frame, piece, old)
            for piece, made_of, old in zip(pieces, was.made_of, was.pieces, strict=True)
        ]
        return Pieces(around, drawn, pieces)

    def _draw(self, name: str, frame: Frame, value: Any, more: Mapping[str, Hashable]) -> Part:
        cutter = Cutter(lambda piece: self._piece(frame, piece))
        drawn = self._rendered(name, frame, value, value, {"piece": cutter, **more})
        return cutter.whole(drawn)

    def _drawn_around(
        self, name: str, frame: Frame, value: InPieces, pieces: tuple[Piece, ...]
    ) -> tuple[str, ...]:
        """Draw what stands around pieces, or give what was drawn of the same around others."""
        around = value.around
        key = (name, frame, tag_of(value), around, *[piece.name for piece in pieces])
        found = self._around.get(key)
        if found is None:
            holes = Holes()
            drawn = self._rendered(name, frame, value, around, {"piece": holes})
            found = self._around.keep(key, holes.around(drawn, pieces))
        return found

    def _rendered(
        self, name: str, frame: Frame, value: Any, shown: Any, more: Mapping[str, Any]
    ) -> Markup:
        tag = tag_of(value)
        file = f"{name}/{tag}" if tag else f"_{name}"
        context = {"s": frame, "p": shown, **more}
        return self._renderer.render(f"{frame.game}/{file}.html", frame.lang, context)

    def draw_alike(self, name: str, frame: Frame, value: Hashable) -> Markup:
        """Draw what all games show alike, or give the drawing of an equal value."""
        key = (name, frame, value)
        found = self.drawn.get(key)
        if found is None:
            context = {"s": frame, "p": value}
            drawn = self._renderer.render(f"table/_{name}.html", frame.lang, context)
            found = self.drawn.keep(key, drawn)
        return found

    def questions(self, part: str, frame: Frame, asked: tuple[Any, ...]) -> Part:
        """Draw questions one after the other, each by the template that its tag names."""

        def draw() -> Part:
            drawn = [self._question(part, at, frame, question) for at, question in enumerate(asked)]
            return drawn[0] if len(drawn) == 1 else around("", drawn, "")

        return self.again(part, frame, asked, draw)

    def _question(self, part: str, at: int, frame: Frame, question: Any) -> Part:
        name = f"{part} {at}"
        if tag_of(question) != IDLE:
            return self.again(
                name, frame, question, lambda: self._anew(name, part, frame, question)
            )
        # What was asked here is shown no more; in pieces it is soon put together again.
        if (name, frame) in self._last and not isinstance(self._last[name, frame][1], Pieces):
            del self._last[name, frame]
        # Who is asked nothing reads the same as all others, so it is drawn once; and soon again.
        common = frame.common
        return self.again(IDLE, common, question, lambda: self.draw(part, common, question))

    def hint(self, frame: Frame, kinds: tuple[str, ...]) -> Part:
        """Tell a newcomer what each new kind of question is about; most of the time nothing."""
        if not kinds:
            return NOTHING_DRAWN
        return self.again("hint", frame, kinds, lambda: self.draw_alike("hint", frame, kinds))

    def scene(self, common: Frame) -> Part:
        """Draw what just happened, large; its number lets a page show it once."""
        if not self.moments.newest:
            return NOTHING_DRAWN
        return self.again("moment", common, self.moments, lambda: self._scene(common))

    def _scene(self, common: Frame) -> Markup:
        scenes = [self.draw("moment", common, each) for each in self.moments.newest]
        sections = [around("<section>", [each], "</section>") for each in scenes]
        return around(
            f'<div class="moment" data-moment="{self.moments.number}">', sections, "</div>"
        )

    def told(self, frame: Frame) -> Part:
        """Say what just happened in the words of whoever looks."""
        told = self.moments.told
        if not told:
            return NOTHING_DRAWN

        def draw() -> Part:
            drawn = [self.draw("told", frame, each) for each in told]
            return around('<div class="told" role="status">', drawn, "</div>")

        return self.again("told", frame, told, draw)

    def log(self, table: Table, frame: Frame) -> Part:
        """Draw the newest lines of the log."""
        lines = tuple(table.ledger.log.lines[-LOG_LINES:])

        def draw() -> Markup:
            told = "</li><li>".join([self.line(line, frame) for line in lines])
            return safe(f'<ol class="log">{f"<li>{told}</li>" if lines else ""}</ol>')

        return self.again("log", frame, lines, draw)

    def line(self, line: LogLine, frame: Frame) -> Markup:
        """Draw a line of the log, which reads the same to everybody, or give what was drawn."""
        # By its number: a line that was told never changes, but for being struck out.
        key = ("line", frame.common, line.number, line.is_undone)
        found = self.drawn.get(key)
        if found is None:
            context = {"s": frame.common, "line": line}
            drawn = self._renderer.render("table/_line.html", frame.lang, context)
            found = self.drawn.keep(key, drawn)
        return found

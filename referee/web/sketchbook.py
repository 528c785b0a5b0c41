"""What was drawn for one table: once for all values that are equal, for whoever is shown them.

The value that a part is drawn from is the key under which the drawing is kept, so two phones that
see the same get the same bytes.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Final

from markupsafe import Markup

from referee.games.base import IDLE
from referee.loglines import LogLine
from referee.tables import Table

from .frame import Frame, tag_of
from .moments import NOTHING, Moments, moments
from .pieces import Cutter
from .render import Renderer

LOG_LINES: Final = 7
KEPT: Final = 400
"""Drawings kept for a table; a whole game has a few thousand, an evening looks back at few."""


def around(start: str, drawn: Sequence[Markup], end: str) -> Markup:
    """Put drawings one after the other between two tags of ours."""
    return Markup(f"{start}{''.join(drawn)}{end}")  # noqa: S704  # each was drawn by a template


class Sketchbook:
    """Values that all pages of a table share, and what was drawn of them.

    Attributes:
        frames: viewers' frames, by what makes them another one.
        drawn: drawings, by all that they are drawn from.
        public: what everybody may see; None before the start.
        moments: what people look up for just now.
        screen, common: what the display shows of it, and what every phone does.
        shared: what every phone shows alike as it is drawn now, by language.
    """

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._length = -1
        self.frames: dict[tuple[Any, ...], Frame] = {}
        self.drawn: dict[tuple[Hashable, ...], Markup] = {}
        self.public: Any = None  # a PublicView of its game
        self.screen: dict[str, Any] = {}
        self.common: dict[str, Any] = {}
        self.shared: dict[str, dict[str, Markup]] = {}
        self.moments: Moments = NOTHING

    def update(self, table: Table) -> None:
        """Make the values that everybody shares, once a change."""
        if self._length == table.ledger.length:
            return
        screens = table.game.screens
        public = table.ledger.public()
        if public is not self.public:
            self.public = public
            self.screen = screens.display_parts(public)
            self.common = screens.common_parts(public)
        # Drawn anew even so: what is entered without a move may be a seat's new name.
        self.shared.clear()
        self.moments = moments(table.ledger.log.lines, screens)
        self._length = table.ledger.length
        # Forgotten all at once: what is still shown is drawn again the next time, and nothing has
        # to keep track of which drawing was used when.
        if len(self.drawn) > KEPT:
            self.drawn.clear()

    def draw(self, name: str, frame: Frame, value: Any, **more: Hashable) -> Markup:
        """Draw a part, or give the drawing of an equal value.

        A value of a union is drawn by the template that its tag names, any other by its part's.
        """
        key = (name, frame, value, *more.values())
        found = self.drawn.get(key)
        if found is None:
            tag = tag_of(value)
            file = f"{name}/{tag}" if tag else f"_{name}"
            cutter = Cutter(lambda piece, of: self.draw(piece, frame, of))
            context = {"s": frame, "p": value, "piece": cutter, **more}
            drawn = self._renderer.render(f"{frame.game}/{file}.html", frame.lang, context)
            found = self.drawn[key] = cutter.whole(drawn)
        return found

    def draw_alike(self, name: str, frame: Frame, value: Hashable) -> Markup:
        """Draw what all games show alike, or give the drawing of an equal value."""
        key = (name, frame, value)
        found = self.drawn.get(key)
        if found is None:
            found = self.drawn[key] = self._renderer.render(
                f"table/_{name}.html", frame.lang, {"s": frame, "p": value}
            )
        return found

    def questions(self, part: str, frames: tuple[Frame, Frame], asked: tuple[Any, ...]) -> Markup:
        """Draw questions one after the other, each by the template that its tag names.

        `frames` are the viewer's own, and the common one for what asks nothing.
        """
        mine, common = frames
        drawn = [
            # Who is asked nothing reads the same as all others, so it is drawn once.
            self.draw(part, common if tag_of(question) == IDLE else mine, question)
            for question in asked
        ]
        return drawn[0] if len(drawn) == 1 else around("", drawn, "")

    def hint(self, frame: Frame, kinds: tuple[str, ...]) -> Markup:
        """Tell a newcomer what each new kind of question is about; most of the time nothing."""
        return self.draw_alike("hint", frame, kinds) if kinds else Markup()

    def scene(self, common: Frame) -> Markup:
        """Draw what just happened, large; its number lets a page show it once."""
        scenes = [self.draw("moment", common, each) for each in self.moments.newest]
        if not scenes:
            return Markup()
        sections = [around("<section>", [each], "</section>") for each in scenes]
        return around(
            f'<div class="moment" data-moment="{self.moments.number}">', sections, "</div>"
        )

    def told(self, frame: Frame) -> Markup:
        """Say what just happened in the words of whoever looks."""
        told = [self.draw("told", frame, each) for each in self.moments.told]
        if not told:
            return Markup()
        return around('<div class="told" role="status">', told, "</div>")

    def log(self, table: Table, frame: Frame) -> Markup:
        """Draw the newest lines of the log."""
        lines = table.ledger.log.lines[-LOG_LINES:]
        drawn = [self._line(line, frame) for line in lines]
        return around('<ol class="log">', drawn, "</ol>")

    def _line(self, line: LogLine, frame: Frame) -> Markup:
        # By its number: a line that was told never changes, but for being struck out.
        key = ("line", frame, line.number, line.is_undone)
        found = self.drawn.get(key)
        if found is None:
            text = self._renderer.render("table/_line.html", frame.lang, {"s": frame, "line": line})
            found = self.drawn[key] = around("<li>", [text], "</li>")
        return found

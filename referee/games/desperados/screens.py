"""What each part of a screen shows: small values made from views, equal when nothing changed.

The display's parts are made from the public view alone. A seat's parts take its own view and its
legal actions besides. Equal values are equal bytes, so a part is drawn once and sent once.
"""

from __future__ import annotations

from typing import Final

from referee.games.base import ScoreLine

from .actions import Action
from .closing import closing
from .desk import desk_part
from .events import Event, TurnBegun
from .hints import HINTS
from .moments import moments
from .own import Own
from .panels import display_parts
from .phones import common_parts, mood, seat_parts
from .terms import SIGNS, TERMS
from .view import Public

__all__ = [
    "HINTS",
    "ON_DISPLAY",
    "ON_PHONE",
    "PAGES",
    "RECORDED",
    "SIGNS",
    "STAGE",
    "TERMS",
    "VEIL_S",
    "chapter",
    "closing",
    "common_parts",
    "desk_part",
    "display_parts",
    "fortunes",
    "kind_of",
    "moments",
    "mood",
    "page",
    "seat_parts",
    "steps",
]

VEIL_S: Final = 25
"""A phone that nobody touched for so many seconds shows no plans: it may lie on the table."""
PAGES: Final[tuple[str, ...]] = ()
"""Pages of a seat's own beside the game itself."""
RECORDED: Final = ""
"""Nothing is told by the host in a form of its own."""
STAGE: Final = "map"
"""The country takes the most room."""
ON_DISPLAY: Final = ("question", "desk", "loot", "hands", "notice", "players", "log")
"""The display beside its stage, from top to bottom."""
ON_PHONE: Final = (
    "head",
    "notice",
    "moment",
    "news",
    "where",
    "ask",
    "gang",
    "lying",
    "overview",
    "coaches",
    "own",
)
"""A phone from top to bottom."""


def page(name: str, own: Own, legal: tuple[Action, ...], *, fresh: int) -> None:
    """Give nothing: PAGES names none."""


def steps(public: Public) -> int:
    """Count the steps of the ceremony: a turn each, and who won."""
    return len(public.history or ()) + 1


def chapter(events: tuple[Event, ...]) -> int | None:
    """Give the turn that begins here."""
    return next((event.turn for event in events if isinstance(event, TurnBegun)), None)


def fortunes(_public: Public) -> tuple[tuple[int, ...], ...]:
    """Give what the chart at the end shows: the gang's loot is one, and there is none."""
    return ()


def kind_of(line: ScoreLine) -> str:
    """Name the kind of a line in a score: the kind of loot."""
    return line.name

"""What each part of a screen shows: small values made from views, equal when nothing changed."""

from __future__ import annotations

from typing import Final

from .actions import Action
from .closing import closing, fortunes, kind_of
from .desk import desk_part
from .events import Event, RoundBegun
from .hints import HINTS
from .moments import moments
from .panels import display_parts
from .phones import common_parts, mood, seat_parts
from .terms import SIGNS, TERMS
from .view import Own, Public

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

VEIL_S: Final = 0
"""Nothing is secret, so nothing is hidden."""
PAGES: Final[tuple[str, ...]] = ()
RECORDED: Final = ""
STAGE: Final = "table"
"""The rows and all ranches take the most room."""
ON_DISPLAY: Final = ("question", "desk", "hands", "saloon", "notice", "players", "log")
"""The display beside its stage, from top to bottom."""
ON_PHONE: Final = ("head", "notice", "strip", "ask", "moment", "reserve", "rows")
"""A phone from top to bottom."""


def steps(public: Public) -> int:
    """Count the steps of the ceremony: a line of the pad each."""
    return len(closing(public).steps)


def chapter(events: tuple[Event, ...]) -> int | None:
    """Give the round that begins here."""
    return next((event.round for event in events if isinstance(event, RoundBegun)), None)


def page(name: str, own: Own, legal: tuple[Action, ...], *, fresh: int) -> None:
    """Give nothing: PAGES names none."""

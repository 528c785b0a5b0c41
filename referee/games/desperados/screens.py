"""What each part of a screen shows: small values made from views, equal when nothing changed.

The display's parts are made from the public view alone. A seat's parts take its own view and its
legal actions besides. Equal values are equal bytes, so a part is drawn once and sent once.
"""

from __future__ import annotations

from typing import Final

from .closing import closing
from .panels import desk_part, display_parts
from .phones import Idle, common_parts, has_to_choose, mood, seat_parts
from .view import Public

__all__ = [
    "BONUSES",
    "PAGES",
    "RECORDED",
    "VEIL_S",
    "Idle",
    "closing",
    "common_parts",
    "desk_part",
    "display_parts",
    "fortunes",
    "has_to_choose",
    "mood",
    "seat_parts",
]

VEIL_S: Final = 25
"""A phone that nobody touched for so many seconds shows no plans: it may lie on the table."""
PAGES: Final[tuple[str, ...]] = ()
"""Pages of a seat's own beside the game itself."""
RECORDED: Final = ""
"""Nothing is told by the host in a form of its own."""
BONUSES: Final[frozenset[str]] = frozenset()
"""Lines of a score that are neither the first one nor an objective."""


def fortunes(_public: Public) -> tuple[tuple[int, ...], ...]:
    """Give what the chart at the end shows: the gang's loot is one, and there is none."""
    return ()

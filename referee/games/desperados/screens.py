"""What each part of a screen shows: small values made from views, equal when nothing changed.

The display's parts are made from the public view alone. A seat's parts take its own view and its
legal actions besides. Equal values are equal bytes, so a part is drawn once and sent once.
"""

from __future__ import annotations

from typing import Final

from .closing import closing
from .panels import desk_part, display_parts
from .phones import Idle, common_parts, has_to_choose, mood, seat_parts

__all__ = [
    "PAGES",
    "VEIL_S",
    "Idle",
    "closing",
    "common_parts",
    "desk_part",
    "display_parts",
    "has_to_choose",
    "mood",
    "seat_parts",
]

VEIL_S: Final = 25
"""A phone that nobody touched for so many seconds shows no plans: it may lie on the table."""
PAGES: Final[tuple[str, ...]] = ()
"""Pages of a seat's own beside the game itself."""

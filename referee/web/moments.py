"""What everybody looks up for: scenes on the display, a sentence in each phone's own words.

All of it is read from the public log, so no screen can show more than everybody may know. What was
taken back or set right since is not shown again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from referee.games.base import QUIET
from referee.games.sides import Screens
from referee.loglines import LogLine

LOOKED_BACK: Final = 16
"""Lines of the log within which the sentences of a phone lie; a game moves on long before."""
MOST: Final = 5
"""Sentences that a phone shows at a time."""


class Moments(Struct, frozen=True):
    """What happened last that people look up for, and the number of its line in the log.

    `told` are the newest of it and of what came shortly before, oldest first.
    """

    number: int
    newest: tuple[Any, ...]
    told: tuple[Any, ...]


NOTHING: Final = Moments(0, (), ())


def moments(lines: Sequence[LogLine], screens: Screens) -> Moments:
    """Give the moments of a log as it stands."""
    number = 0
    newest: tuple[Any, ...] = ()
    told: tuple[Any, ...] = ()
    for line in reversed(lines[-LOOKED_BACK:]):
        # Nothing from before it either: what it led to may have been taken back with it.
        if line.is_undone or line.kind in {"undo", "correction"}:
            break
        found = screens.moments(line.events) if line.events else ()
        has_passed = QUIET in found
        if has_passed:
            found = found[len(found) - found[::-1].index(QUIET) :]
        if found and not newest:
            number, newest = line.number, found
        told = (*found, *told)
        if has_passed:
            break
    return Moments(number, newest, told[-MOST:]) if newest else NOTHING

"""What is told of the pebbles: how many were taken from where."""

from __future__ import annotations

from typing import Any, TypeAlias

from referee.games.again import strictly
from referee.games.base import Owed, Played, Step
from referee.games.protocol import Game

from .actions import Take

Told: TypeAlias = Take


def told(played: Played) -> Take | None:
    """Give what somebody said that they took."""
    return played.what if isinstance(played.what, Take) else None


def follow(was: Take, now: Take, played: Played) -> Any:
    """Take everything later as it was said."""
    del was, now
    return played.what


def again(rules: Game, state: Any, played: Played) -> Step:
    """Take again what was taken; where nothing lies any more, nothing was."""
    return strictly(rules, state, played)


def owed(state: Any) -> Owed | None:
    """Owe nothing: whoever's turn it is takes, now or later."""
    del state
    return None


def settled(before: Any, after: Any) -> Step:
    """Go on as it lies; everybody sees the rows."""
    del before
    return Step(after)


def beyond(told: Any, events: tuple[Any, ...]) -> tuple[Any, ...]:
    """Leave nothing out."""
    del told
    return events


def own_changes(before: Any, after: Any, seat: int) -> tuple[Any, ...]:
    """Tell nobody anything alone."""
    del before, after, seat
    return ()

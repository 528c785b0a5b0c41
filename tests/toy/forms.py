"""What people fill in."""

from __future__ import annotations

from typing import Any

from referee.games import reading
from referee.games.base import Facts, Fields


def action(fields: Fields) -> dict[str, Any]:
    """Read how many are taken from where; a button names both."""
    row, _, count = reading.text(fields, "take").partition(":")
    return {
        "type": "take",
        "row": reading.number({"row": [row]}, "row"),
        "count": reading.number({"count": [count]}, "count"),
    }


def correction(fields: Fields) -> dict[str, Any]:
    """Read what is played for."""
    return {"type": "set_goal", "goal": reading.text(fields, "goal")}


def told(fields: Fields) -> dict[str, Any]:
    """Read how many were taken from where."""
    return action(fields)


def taught(fields: Fields) -> Facts:
    """Read nothing: there is no board."""
    return reading.taught(fields)

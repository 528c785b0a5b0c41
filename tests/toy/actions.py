"""What a seat can do, and what the table can change."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

Goal: TypeAlias = Literal["most", "last"]


class Take(Struct, frozen=True, tag="take"):
    """Take pebbles from one row."""

    row: int
    count: int


class SetGoal(Struct, frozen=True, tag="set_goal"):
    """Play for something else from now on: a setting that changes in mid-game."""

    goal: Goal


Action: TypeAlias = Take
Correction: TypeAlias = SetGoal

"""Positions with the real box, on a board of which only the rulebook's lists are known."""

from __future__ import annotations

from typing import Any

from referee import profiles
from referee.games.winchester import rules as winchester
from referee.games.winchester.actions import (
    EnterSecrets,
    ForgetSecrets,
)
from referee.games.winchester.boards import read_board
from referee.games.winchester.model import State
from tests.winchester.positions import position

HUCH = read_board(profiles.load("winchester", "huch"))
PRACTICE = read_board(profiles.load("winchester", "practice"))


def boxed(phase: Any = None, **table: Any) -> State:
    """Lay out a table with the real box, on a board of which only the lists are known."""
    return position(phase, **({"preset": "boxed", "board": HUCH} | table))


def kinds(state: State, seat: int) -> set[str]:
    """Name the kinds of actions that a seat has, its secrets left out."""
    legal = winchester.legal_actions(state, seat)
    hidden = EnterSecrets | ForgetSecrets
    return {type(action).__name__ for action in legal if not isinstance(action, hidden)}

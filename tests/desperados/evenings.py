"""Tables of Desperados that are played straight through the use cases."""

from __future__ import annotations

from typing import Final

from referee.games.desperados.model import State
from referee.tables import Table

BOXED: Final = {"preset": "boxed", "board": "practice"}


def state_of(table: Table) -> State:
    """Give a table's state."""
    state: State = table.ledger.state
    return state

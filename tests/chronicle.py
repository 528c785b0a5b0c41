"""A journal of an auction game, written without a table."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from referee import profiles
from referee.entries import Draft
from referee.games.winchester import rules as winchester
from referee.journal import Ledger
from tests import journals
from tests.table import APP, choose

BOARD = profiles.load("winchester", "practice")


class Journal(journals.Journal):
    """A journal of an auction game, on the practice board."""

    def __init__(self, *, seats: int = 3, seed: str = "seed", **options: str) -> None:
        super().__init__(winchester, seats=seats, seed=seed, options=APP | options, board=BOARD)

    def undo(self, seat: int) -> None:
        """Take a seat's last action back, whoever agreed."""
        mark = self.ledger.undoing.own_last(seat)
        self.add(Draft("undo", seat, {"to": mark.seq, "by": seat, "how": "agreed"}))

    def play(self, rng: random.Random, count: int) -> None:
        """Play so many random actions, unless it ends before."""
        for _ in range(count):
            if self.ledger.status == "playing":
                self.act(*choose(self.ledger, rng))


def picture(ledger: Ledger) -> dict[str, Any]:
    """Give everything a ledger says."""
    return {k: v for k, v in vars(ledger).items() if k not in {"last_step", "_shown"}}


games = st.builds(
    Journal,
    seats=st.integers(3, 5),
    seed=st.text("abc", max_size=4),
    auction=st.sampled_from(("open", "sealed")),
    claims=st.sampled_from(("referee", "players", "automatic")),
)
randoms = st.builds(random.Random, st.integers(0, 2**32))
MANY = settings(max_examples=25, deadline=None)

"""An evening of four at which something is told wrongly, and set right later."""

from __future__ import annotations

from typing import Any

from referee import profiles
from referee.games.winchester import rules as winchester
from referee.games.winchester.actions import (
    Activate,
    ConfirmSale,
    Correction,
    DrawPlot,
    LayObjective,
    RecordSale,
    SkipLook,
)
from referee.games.winchester.model import NOTE, State, Token
from tests.retelling import Journal
from tests.winchester.positions import money, notes

SHARED = ("dry_saloon", "five_plots", "all_tokens", "four_apart", "four_alike")
"""On the piles of 3, 4, 5, 6 and 7 notes."""


class Evening(Journal):
    """Four at the practice board with real tokens and cards, the phones their purses."""

    def __init__(self, **options: str) -> None:
        options = {"preset": "boxed", "board": "practice", "auction": "spoken"} | options
        board = profiles.load("winchester", "practice")
        super().__init__(winchester, seats=4, options=options, board=board)
        for objective in SHARED:
            self.act(0, LayObjective(objective))  # type: ignore[arg-type]  # one of them
        self.drawn: dict[int, int] = {}
        self.sold: dict[int, int] = {}

    @property
    def state(self) -> State:
        """Give the state of now."""
        state: State = self.ledger.state
        return state

    def draw_plot(self, plot: int) -> None:
        """Tap which plot the star's holder turned over."""
        self.drawn[plot] = self.act(self.state.star, DrawPlot(plot))

    def buy(self, plot: int, seat: int, price: int, token: Token) -> None:
        """Let a seat buy a plot for so many notes, and take its token to no use."""
        self.draw_plot(plot)
        self.act(self.state.star, RecordSale(seat, price * NOTE))
        self.sold[plot] = self.act(seat, ConfirmSale(token))
        if token == "rumor":  # noqa: S105  # a bonus token
            self.act(seat, SkipLook())
        if token == "movement":  # noqa: S105
            self.act(seat, Activate("boat", "r6"))

    def correct(self, **changed: Any) -> tuple[Any, ...]:
        """Set right what hands did; give what everybody is told."""
        correction = Correction(**changed)
        step = winchester.correct(self.state, correction)
        self.set_right(correction, step)
        return step.events

    def told_of(self, number: int) -> tuple[Any, ...]:
        """Give what everybody was told of an entry."""
        return next(line.events for line in self.ledger.log.lines if line.seq == number)

    def money(self) -> tuple[tuple[int, ...], int]:
        """Count everybody's notes, and those of the saloon."""
        assert money(self.state) == 110 * NOTE
        return notes(self.state.cash), self.state.saloon // NOTE

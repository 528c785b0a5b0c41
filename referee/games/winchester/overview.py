"""What a phone shows beside its question: what lies open, from its own seat's point of view."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from .model import TOKENS, Sale, SharedObjective
from .objectives import Standing
from .view import PlotView, Public, SeatView

CLOSE: Final = 1
"""So much a seat may lack of an objective and still be close to it."""


class Goal(Struct, frozen=True):
    """A shared objective that lies open: how many are asked, how many this seat has.

    `close` are the others who have them all, or all but one. `mine` is None where nobody may say.
    """

    objective: SharedObjective
    amount: int
    needed: int
    mine: int | None
    close: tuple[tuple[int, int], ...]


class Overview(Struct, frozen=True):
    """One's own plots and tokens, the open objectives, and what was paid, newest first.

    `held` counts bonus tokens in the order of TOKENS, `left` plots that are yet to be sold. It
    does not hang on what is asked: a bid must not send all of it anew.
    """

    plots: tuple[PlotView, ...]
    held: tuple[int, ...]
    has_duel_token: bool
    goals: tuple[Goal, ...]
    sales: tuple[Sale, ...]
    left: int


def overview(public: Public, seat: int) -> Overview:
    """Give what lies open for one seat to look up; all of it is public."""
    mine: SeatView = public.seats[seat]
    return Overview(
        plots=tuple(public.plots[number - 1] for number in mine.plots),
        held=tuple(mine.held[token] for token in TOKENS),
        has_duel_token=mine.duel_token,
        goals=tuple(_goal(standing, seat) for standing in public.standings),
        sales=public.sales[::-1],
        left=sum(plot.owner is None for plot in public.plots),
    )


def _goal(standing: Standing, seat: int) -> Goal:
    least = standing.needed - CLOSE
    others = [
        (other, has)
        for other, has in enumerate(standing.has)
        # Of what is had or not had nobody is half way there.
        if other != seat and has >= max(least, 1)
    ]
    return Goal(
        standing.objective,
        standing.amount,
        standing.needed,
        standing.has[seat] if standing.has else None,
        tuple(sorted(others, key=lambda each: -each[1])),
    )

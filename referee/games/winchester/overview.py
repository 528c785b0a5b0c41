"""What a phone shows beside its question: what lies open, from its own seat's point of view."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from referee.games.once import kept

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


class Goals(Struct, frozen=True):
    """All shared objectives that lie open."""

    all: tuple[Goal, ...]


class Mine(Struct, frozen=True):
    """One's own plots and tokens; `held` counts bonus tokens in the order of TOKENS."""

    plots: tuple[PlotView, ...]
    held: tuple[int, ...]
    has_duel_token: bool


class Prices(Struct, frozen=True):
    """What was paid, newest first; `left` counts plots that are yet to be sold."""

    sales: tuple[Sale, ...]
    left: int


class Overview(Struct, frozen=True):
    """What lies open, in three pieces, each sent when it changes.

    It does not hang on what is asked: a bid must not send any of it anew.
    """

    mine: Mine
    goals: Goals
    prices: Prices


@kept("seats", "plots", "standings", "sales")  # a bid changes none of them
def overview(public: Public, seat: int) -> Overview:
    """Give what lies open for one seat to look up; all of it is public."""
    own: SeatView = public.seats[seat]
    return Overview(
        Mine(
            plots=tuple(public.plots[number - 1] for number in own.plots),
            held=tuple(own.held[token] for token in TOKENS),
            has_duel_token=own.duel_token,
        ),
        Goals(tuple(_goal(standing, seat) for standing in public.standings)),
        Prices(public.sales[::-1], sum(plot.owner is None for plot in public.plots)),
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

"""The questions about the owner's board, one type each, as phones and the host's display ask them.

What they tell is kept for every later game; the rules need no more than a `BoardQuestion`.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from referee.games.base import BoardQuestion, OpenFact


class PlotFact(Struct, frozen=True, kw_only=True):
    """One thing to be told of a plot: the fact's name, its possible values, and our own reading."""

    plot: str
    fact: str
    values: tuple[str, ...]
    is_likely: bool


class WhichRanch(Struct, frozen=True, kw_only=True, tag="which_ranch"):
    """Tell on which plot the ranch is."""

    fresh: int
    plots: PlotFact


class WhichTerrains(Struct, frozen=True, kw_only=True, tag="which_terrains"):
    """Tell what plots are; `more` may be told as well."""

    fresh: int
    plots: tuple[PlotFact, ...]
    more: tuple[PlotFact, ...]


class OnRiver(Struct, frozen=True, kw_only=True, tag="on_river"):
    """Tell which plots are on the river; `more` may be told as well."""

    fresh: int
    plots: tuple[PlotFact, ...]
    more: tuple[PlotFact, ...]


class OnRails(Struct, frozen=True, kw_only=True, tag="on_rails"):
    """Tell which plots are on the rails; `more` may be told as well."""

    fresh: int
    plots: tuple[PlotFact, ...]
    more: tuple[PlotFact, ...]


class WhichTouch(Struct, frozen=True, kw_only=True, tag="which_touch"):
    """Tell which of a seat's plots one of them touches; `more` are other people's."""

    fresh: int
    place: int
    seat: int
    plots: tuple[PlotFact, ...]
    more: tuple[PlotFact, ...]


BoardAsk: TypeAlias = WhichRanch | WhichTerrains | OnRiver | OnRails | WhichTouch


def about_board(question: BoardQuestion, fresh: int) -> BoardAsk:
    """Give the question about the board the form in which it is asked."""
    plots = tuple(_fact(question, part) for part in question.parts)
    more = tuple(_fact(question, part) for part in question.more)
    match question.kind:
        case "ranch":
            return WhichRanch(fresh=fresh, plots=plots[0])
        case "terrain":
            return WhichTerrains(fresh=fresh, plots=plots, more=more)
        case "river":
            return OnRiver(fresh=fresh, plots=plots, more=more)
        case "rails":
            return OnRails(fresh=fresh, plots=plots, more=more)
        case _:
            assert isinstance(question.place, int)  # noqa: S101  # asked of a plot
            assert question.seat is not None  # noqa: S101  # and of its owner
            return WhichTouch(
                fresh=fresh, place=question.place, seat=question.seat, plots=plots, more=more
            )


def _fact(question: BoardQuestion, part: OpenFact) -> PlotFact:
    return PlotFact(
        plot=plot_of(question, part.fact),
        fact=part.fact,
        values=part.values,
        is_likely=part.proposed == "yes",
    )


def plot_of(question: BoardQuestion, fact: str) -> str:
    """Name the plot that a fact is about; of two that may touch, the one that is not asked of."""
    which = fact.partition(":")[2]
    if question.kind != "touching":
        return which
    low, _, high = which.partition("-")
    return high if low == str(question.place) else low

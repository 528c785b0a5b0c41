"""Board profiles: a whole board, or what printed lists prove of one, and what was taught."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

from msgspec import Struct, convert, json
from msgspec.structs import replace

from .deduction import deduced
from .facts import write
from .lands import PLOTS, TERRAINS, VEHICLES, Board, Doubt, Plot, Space, TokenCounts


class Printed(Struct, frozen=True):
    """A list that the rulebook prints: these plots have the fact; `others` have it not."""

    fact: Literal["river", "rails", "saloon", "mine", "ranch_land", "desert", "prairie", "ranch"]
    plots: tuple[int, ...]
    source: str
    others: bool = True


class Profile(Struct, frozen=True):
    """A board profile as it is written down: whole plots, or printed lists with their sources."""

    key: str
    practice: bool
    tokens: TokenCounts
    mine_cards: tuple[int, ...]
    ranch_cards: tuple[int, ...]
    plots: tuple[Plot, ...] = ()
    touching: tuple[tuple[int, int], ...] = ()
    river_spaces: tuple[Space, ...] = ()
    rail_spaces: tuple[Space, ...] = ()
    printed: tuple[Printed, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    facts: dict[str, str] = {}


def read_board(profile: Mapping[str, Any]) -> Board:
    """Read a board profile; `facts` in it are what its owner taught.

    Raises msgspec.ValidationError for a profile of another shape.
    """
    return _board(json.encode(convert(profile, Profile)))


@lru_cache(maxsize=8)  # tables on the same board share one
def _board(profile: bytes) -> Board:
    given = json.decode(profile, type=Profile)
    is_whole = bool(given.plots)
    board = Board(
        key=given.key,
        practice=given.practice,
        plots=given.plots or _printed_plots(given),
        printed=given.plots or _printed_plots(given),
        tokens=given.tokens,
        mine_cards=given.mine_cards,
        ranch_cards=given.ranch_cards,
        touching=given.touching,
        all_pairs=is_whole,
        river_spaces=given.river_spaces,
        rail_spaces=given.rail_spaces,
        all_stops=VEHICLES if is_whole else (),
        doubts=given.doubts,
    )
    for fact, value in given.facts.items():
        board = write(board, fact, value)
    return deduced(board)


def _printed_plots(given: Profile) -> tuple[Plot, ...]:
    plots = [Plot(number) for number in range(1, PLOTS + 1)]
    for printed in given.printed:
        for index, plot in enumerate(plots):
            if plot.number in printed.plots:
                plots[index] = replace(plot, **_meaning(printed.fact, holds=True))
            elif printed.others:
                plots[index] = replace(plot, **_meaning(printed.fact, holds=False))
    doubtful = {doubt.fact for doubt in given.doubts}
    return tuple(
        replace(
            plot,
            river=None if f"river:{plot.number}" in doubtful else plot.river,
            rails=None if f"rails:{plot.number}" in doubtful else plot.rails,
        )
        for plot in plots
    )


def _meaning(fact: str, *, holds: bool) -> dict[str, Any]:
    """Say what a printed list fixes: a mine is a desert, the ranch a prairie in its own lands."""
    if not holds:
        return {} if fact in TERRAINS else {fact: False}
    if fact in TERRAINS:
        return {"terrain": fact}
    return {"mine": True, "terrain": "desert"} if fact == "mine" else {fact: True}

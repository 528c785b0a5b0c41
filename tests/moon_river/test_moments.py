"""What everybody looks up for at a ranch, and when it is told no more."""

from __future__ import annotations

from referee.games.base import QUIET
from referee.games.moon_river.actions import FormDomino, Hire, LayDomino, RemoveCattle, Rustle
from referee.games.moon_river.events import DominoReported, RoundBegun
from referee.games.moon_river.feats import most_dominoes
from referee.games.moon_river.model import Rustling, Tile, replace
from referee.games.moon_river.moments import (
    BigArea,
    FullRanch,
    Hired,
    LastRound,
    Rustled,
    Skull,
    moments,
)
from referee.games.moon_river.state import State, with_ranch

from .positions import grid, play, position
from .ranches import ranch

HERDS = ranch("Co Co Co - C", "C C C - -")
"""Six tiles of canyon with three cattle are worth 18; the seventh lies apart."""


def laying(one: Tile, two: Tile) -> State:
    """Give a position in which a domino can be laid beside the herds."""
    return position(HERDS, reserves=((one, two),))


def test_an_area_that_grows_by_much_is_called_out() -> None:
    """Two tiles, one of the cattle and the tile apart make 36 of 18; three more are no moment."""
    grown = play(laying(Tile(5, "canyon", cattle=1), Tile(1, "canyon")), FormDomino(0, 1))
    small = play(laying(Tile(1, "canyon"), Tile(2, "forest")), FormDomino(0, 1))

    assert moments(play(grown.state, LayDomino(3, 1)).events) == (
        QUIET,
        BigArea(0, "canyon", 9, 4, 36),
    )
    assert moments(play(small.state, LayDomino(3, 1)).events) == (QUIET,)


def test_an_area_is_not_praised_before_its_skull_has_taken() -> None:
    """The skull is the moment then, once it has taken."""
    state = laying(Tile(5, "canyon", cattle=1), Tile(1, "canyon", skull=True))
    laid = play(state, FormDomino(0, 1), LayDomino(3, 1))

    assert moments(laid.events) == (QUIET,)
    assert moments(play(laid.state, RemoveCattle(5)).events) == (Skull(0, 1),)


def test_two_skulls_of_a_domino_are_one_moment() -> None:
    """With one tile of cattle there is nothing to choose: both take at once."""
    state = position(
        ranch("- - Coo - -", "D - - - -"),
        reserves=((Tile(1, "canyon", skull=True), Tile(1, "canyon", skull=True)),),
    )
    laid = play(state, FormDomino(0, 1), LayDomino(2, 0))

    assert moments(laid.events) == (QUIET, Skull(0, 2))


def test_a_partner_and_what_it_does_to_somebody_are_told() -> None:
    """The side that shows is named; the victim of a theft is in it."""
    state = position(reserves=((Tile(4, "desert", circle=True), Tile(4, "forest")),))
    hired = play(state, FormDomino(0, 1), LayDomino(2, 0), Hire(2, "farmer", "cowboy"))
    raid = position((), HERDS, phase=Rustling(0))
    raid = with_ranch(raid, 0, replace(raid.ranches[0], cells=grid(ranch("D@r"), 3)))

    assert moments(hired.events)[-1] == Hired(0, "cowboy")
    assert moments(play(raid, Rustle(1, 6)).events) == (Rustled(0, 1),)


def test_the_last_domino_of_a_ranch_makes_it_full() -> None:
    """Twelve dominoes, in a big ranch twenty-four."""
    state = laying(Tile(1, "canyon"), Tile(2, "forest"))
    state = with_ranch(state, 0, replace(state.ranches[0], dominoes=11))
    laid = play(state, FormDomino(0, 1), LayDomino(3, 1))

    assert moments(laid.events)[-1] == FullRanch(0, 21)
    assert [most_dominoes(grid((), seats)) for seats in (2, 3, 4)] == [24, 12, 12]


def test_a_round_ends_what_was_told_and_the_last_one_is_announced() -> None:
    """At any level of tracking; where turns alone are tracked, who was hired is told as well."""
    assert moments((RoundBegun(5, is_last=False),)) == (QUIET,)
    assert moments((RoundBegun(24, is_last=True),)) == (QUIET, LastRound())
    assert moments((DominoReported(1, (None, None), ("farmer", None)),)) == (
        QUIET,
        Hired(1, "farmer"),
    )

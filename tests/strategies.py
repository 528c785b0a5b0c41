"""Random whole games of any game, and strategies that choose them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from hypothesis import strategies as st

from referee import profiles
from referee.games import GAMES as KNOWN
from referee.games import Games
from referee.games.base import Need, Outcome, SeatIndex, Step
from referee.games.protocol import Game
from tests.player import at_rules, choose

GAMES = Games(*(KNOWN.package(key) for key in KNOWN), "tests.toy")
"""Every registered game, and one that is as different as can be."""

LONGEST = 20_000
"""No random game takes more moves than this."""


class Table(NamedTuple):
    """A game to be played at random."""

    key: str
    options: Mapping[str, str]
    seats: int
    seed: int

    @property
    def game(self) -> Game:
        """Give the game's module."""
        return GAMES[self.key]


def sees(game: Game, state: Any, viewer: int | None) -> tuple[Any, Any]:
    """Give all that one viewer may know: what everybody sees, and what is the viewer's own."""
    own = None if viewer is None else game.own(state, SeatIndex(viewer))
    return game.public(state), own


class Played(NamedTuple):
    """One step of a game, and what led to it: a seat's action, or what chance drew."""

    before: Any
    seat: int | None
    action: Any
    step: Step


def draw(need: Need, rng: random.Random) -> Outcome:
    """Draw what is owed."""
    return Outcome(
        need.label, {pool.name: tuple(rng.sample(pool.items, pool.count)) for pool in need.pools}
    )


def board(game: Game, options: Mapping[str, str]) -> Mapping[str, Any]:
    """Give the profile of the board that these options name; nothing for a game without boards."""
    chosen = {option.key: option.default for option in game.META.options} | dict(options)
    return profiles.board(game.META.key, chosen) if "board" in chosen else {}


def play_out(table: Table) -> Iterator[Played]:
    """Play a whole game: any seat that may act takes any of its legal actions."""
    game, rng = table.game, random.Random(table.seed)
    step = game.setup(table.options, table.seats, board(game, table.options))
    yield Played(None, None, None, step)
    for _ in range(LONGEST):
        while step.needs:
            for need in step.needs:
                before, outcome = step.state, draw(need, rng)
                step = game.chance(before, outcome)
                yield Played(before, None, outcome, step)
        before = step.state
        legal = at_rules(game, before)
        able = [seat for seat, actions in legal.items() if actions]
        if not able:
            return
        # Who alone can act is waited for: only among several is all that is public drawn up.
        held_up = able if len(able) == 1 else game.public(before).waiting_for
        seat, action = choose(rng, legal, held_up=held_up)
        step = game.apply(before, SeatIndex(seat), action)
        yield Played(before, seat, action, step)
    raise AssertionError(f"{table} does not end")


def tables(*keys: str) -> st.SearchStrategy[Table]:
    """Choose a game, every option, the seats and a seed."""
    return st.sampled_from(keys or tuple(GAMES)).flatmap(_tables_of)


def _tables_of(key: str) -> st.SearchStrategy[Table]:
    meta = GAMES[key].META
    options = st.fixed_dictionaries({o.key: st.sampled_from(o.values) for o in meta.options})
    return st.builds(
        Table, st.just(key), options, st.integers(*meta.seats), st.integers(0, 2**32 - 1)
    )


def every_option() -> list[Table]:
    """Name a table for every value of every option, and for every number of seats."""
    found = []
    for key, game in GAMES.items():
        least, most = game.META.seats
        chosen = [{option.key: value} for option in game.META.options for value in option.values]
        for number, options in enumerate(chosen):
            found.append(Table(key, options, least + number % (most - least + 1), number))
        found += [Table(key, {}, seats, seats) for seats in range(least, most + 1)]
    return found

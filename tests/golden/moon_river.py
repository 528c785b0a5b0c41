"""Golden journals of Moon River: each number of players, and each way a game can be odd.

Every game is rehearsed by the rules alone until one has what is wanted; the same seed and the same
actions then make the journal.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from msgspec import Struct

from referee import chance, profiles
from referee.games.base import Result
from referee.games.moon_river import rules as moon_river
from referee.games.moon_river.actions import Discard, Pass, TellTile
from referee.games.moon_river.events import BonusLaid, NobodyToHire, TilesDiscarded
from referee.tables import Table, Tables
from tests.player import at_rules, choose
from tests.table import act, deal, tables_at

BOXED: Final = {"preset": "boxed", "board": "owned"}
APP: Final = {"preset": "app", "board": "practice"}


class Rehearsal(Struct, frozen=True):
    """A game that was played by the rules alone: who did what, what happened, how it ended."""

    actions: tuple[tuple[int, Any], ...]
    events: tuple[Any, ...]
    result: Result


Wanted: TypeAlias = Callable[[Rehearsal], bool]


def rehearse(seats: int, seed: str, options: Mapping[str, str]) -> Rehearsal:
    """Play a game at random, with the draws that a table with this seed makes."""
    rng = random.Random(seed)
    step = moon_river.setup(options, seats, profiles.board("moon_river", options))
    done: list[tuple[int, Any]] = []
    events: list[Any] = []
    while True:
        events += step.events
        if step.needs:
            step = moon_river.chance(step.state, chance.draw(seed, step.needs[0]))
            continue
        state = step.state
        legal = at_rules(moon_river, state)
        if not any(legal.values()):
            result = moon_river.score(state)
            assert result is not None
            return Rehearsal(tuple(done), tuple(events), result)
        held_up = moon_river.public(state).waiting_for
        seat, action = choose(rng, {s: _eager(legal[s]) for s in legal}, held_up=held_up)
        done.append((seat, action))
        step = moon_river.apply(state, seat, action)


def _eager(legal: Any) -> Any:
    """Pass seldom, so that ranches grow."""
    return [action for action in legal if not isinstance(action, Pass)] or legal


def has_forced_discard(game: Rehearsal) -> bool:
    """Say whether two tiles had to leave the game, for no domino could be laid."""
    return any(isinstance(action, Discard) for _, action in game.actions)


def has_leftovers(game: Rehearsal) -> bool:
    """Say whether tiles were left in somebody's very last turn, which left the game."""
    gone = [event for event in game.events if isinstance(event, TilesDiscarded)]
    chosen = [action for _, action in game.actions if isinstance(action, Discard)]
    return len(gone) > len(chosen)


def has_empty_saloon(game: Rehearsal) -> bool:
    """Say whether a circle found nobody to hire."""
    return any(isinstance(event, NobodyToHire) for event in game.events)


def has_bonus_tiles(game: Rehearsal) -> bool:
    """Say whether both players laid a bonus tile."""
    return len([event for event in game.events if isinstance(event, BonusLaid)]) == 2


def is_a_tie(game: Rehearsal) -> bool:
    """Say whether a tie was broken."""
    return game.result.tie_break in {"largest_area", "cattle"}


def is_shared(game: Rehearsal) -> bool:
    """Say whether not even the cattle broke it."""
    return game.result.tie_break == "shared"


def is_told(game: Rehearsal) -> bool:
    """Say whether tiles came from the box."""
    return any(isinstance(action, TellTile) for _, action in game.actions)


WILD: Final = APP | {"boards": "wild_west", "scenario": "random"}
WANTED: tuple[tuple[str, int, Mapping[str, str], Wanted], ...] = (
    ("two_players_bonus_tiles", 2, WILD, has_bonus_tiles),
    ("three_players", 3, APP, lambda _: True),
    ("four_players_boxed", 4, BOXED, is_told),
    ("forced_discard", 4, WILD, has_forced_discard),
    ("leftovers", 3, APP, has_leftovers),
    ("empty_saloon", 4, BOXED, has_empty_saloon),
    ("tie", 4, APP | {"tracking": "draft"}, is_a_tie),
    ("tie_shared", 2, APP | {"tracking": "score"}, is_shared),
)
"""Name, seats, options, and what the game must have had."""


def play_all(folder: Path, keep: Callable[[Tables, Table, str], None]) -> None:
    """Search for each wanted game and keep its journal."""
    for name, seats, options, is_wanted in WANTED:
        for number in range(5000):
            seed = f"{name} {number}"
            game = rehearse(seats, seed, options)
            if not is_wanted(game):
                continue
            with tables_at(folder / name) as tables:
                table = deal(
                    tables, game="moon_river", seats=seats, seed=seed, options=dict(options)
                )
                for seat, action in game.actions:
                    act(tables, table, seat, action)
                keep(tables, table, f"moon_river_{name}")
            break
        else:
            raise LookupError(name)

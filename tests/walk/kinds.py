"""Every kind of question that a game can ask, each in the fullest position that chance found.

A kind is a template that a tag picks: `ask/bid` on a phone, `desk/sale` and `question/bid` on the
display. Games are played at random by the rules alone, which is quick; the games say themselves
what each page shows, so nothing here knows any of them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from referee.games.base import SeatIndex
from referee.games.protocol import Game
from referee.web.frame import tag_of
from referee.web.render import here
from tests.strategies import GAMES, Table, play_out

from . import seldom

TRIES: Final = 30
"""Random games in which the rarest kinds have to come up."""

FRUITFUL: Final = {"moon_river": (4, 21)}
"""Games in which what seldom comes up did: played first, they spare most of the others."""

NEVER: Final = frozenset({"nothing"})
"""Tags that no page shows: a game that has not begun shows its lobby, one that is over its end."""


ACTING: Final = frozenset({"ask", "desk"})
"""Parts of a page in which people act; its other questions are there to be read."""


class Met(NamedTuple):
    """A kind of question, a position where it is asked, and whose screen asks it."""

    kind: str
    table: Table
    state: Any
    viewer: int | None
    size: int


def kinds_of(key: str) -> frozenset[str]:
    """Name every kind of question of a game: templates of its parts that show anything."""
    top: Path = here("templates") / key
    screens = GAMES[key].screens
    parts = {*screens.ON_DISPLAY, *screens.ON_PHONE} - {"moment"}
    shown = (
        path for part in parts for path in (top / part).glob("*.html") if path.read_text().strip()
    )
    return frozenset(f"{path.parent.name}/{path.stem}" for path in shown if path.stem not in NEVER)


def acting(found: Mapping[str, Met]) -> dict[str, Met]:
    """Choose those that somebody answers, on a phone or at the host's desk."""
    return {kind: one for kind, one in found.items() if kind.partition("/")[0] in ACTING}


@cache
def met(key: str, *, least: int = 1, most: int = TRIES) -> dict[str, Met]:
    """Play games at random until every kind was met, or `most` games; keep the fullest."""
    wanted = kinds_of(key)
    found: dict[str, Met] = {}
    for table, state in seldom.positions(key):
        _keep(found, table, state)
    for number, table in enumerate(islice(tables_at_random(key), most)):
        if number >= least and found.keys() >= wanted:
            break
        for played in play_out(table):
            step = played.step
            if not step.needs and table.game.score(step.state) is None:
                _keep(found, table, step.state)
    return {kind: found[kind] for kind in sorted(found)}


def tables_at_random(key: str) -> Iterator[Table]:
    """Choose every option at random; most tables are full ones, whose screens hold most."""
    meta, rng = GAMES.meta(key), random.Random(key)
    tables = []
    for number in range(TRIES):
        options = {option.key: rng.choice(option.values) for option in meta.options}
        seats = meta.seats[1] if rng.random() < 0.7 else rng.randint(*meta.seats)
        tables.append(Table(key, options, seats, number))
    first = FRUITFUL.get(key, ())
    yield from (tables[number] for number in first)
    yield from (table for table in tables if table.seed not in first)


def _keep(found: dict[str, Met], table: Table, state: Any) -> None:
    for kind, viewer, value in asked(table.game, state, table.seats):
        size = len(msgspec.json.encode(value))
        if kind not in found or found[kind].size < size:
            found[kind] = Met(kind, table, state, viewer, size)


def asked(game: Game, state: Any, seats: int) -> Iterator[tuple[str, int | None, Any]]:
    """Give every question that any screen shows in a position: its kind, where, and what it is."""
    public, screens = game.public(state), game.screens
    for name, value in screens.display_parts(public).items():
        yield from _tagged(name, None, value)
    for value in screens.desk_part(public, fresh=0):
        yield from _tagged("desk", None, value)
    able = game.to_act(state)
    for seat in map(SeatIndex, range(seats)):
        legal = game.legal_actions(state, seat) if seat in able else ()
        parts = screens.seat_parts(public, game.own(state, seat), legal, seat, fresh=0)
        for name, value in parts.items():
            for each in value if isinstance(value, tuple) else (value,):
                yield from _tagged(name, seat, each)


def _tagged(name: str, viewer: int | None, value: Any) -> Iterator[tuple[str, int | None, Any]]:
    if tag := tag_of(value):
        yield f"{name}/{tag}", viewer, value

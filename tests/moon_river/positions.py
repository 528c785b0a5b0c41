"""Positions of Moon River, and playing on from them."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from referee.games.base import Step
from referee.games.moon_river import rules
from referee.games.moon_river.grid import size_for
from referee.games.moon_river.model import (
    Box,
    Cells,
    Extending,
    Phase,
    Ranch,
    Rules,
    Specialist,
    Spot,
    Tile,
    Turn,
    replace,
)
from referee.games.moon_river.profile import read_board
from referee.games.moon_river.state import State
from tests.strategies import Table, draw


@cache
def profile(name: str) -> dict[str, Any]:
    """Give a profile that ships with the game."""
    source = files("referee.games.moon_river") / f"{name}.toml"
    return tomllib.loads(source.read_text(encoding="utf-8"))


PRACTICE: Box = read_board(profile("practice"))
UNKNOWN = Box("box", practice=False)
SALOON: tuple[Specialist, ...] = ("desperado", "rustler", "gold_digger", "trapper", "farmer")
APP = {"preset": "app", "board": "practice"}


def grid(cells: Cells, seats: int) -> Cells:
    """Fill a ranch up to its size."""
    return cells + (None,) * (size_for(seats) - len(cells))


def position(
    *ranches: Cells,
    reserves: tuple[tuple[Tile | None, ...], ...] = (),
    seats: int = 3,
    phase: Phase | None = None,
    turn: Turn | None = None,
    box: Box = PRACTICE,
    **changes: Any,
) -> State:
    """Give a position in mid-game, in which it is seat 0's turn at the last rancher of its row."""
    given = [
        Ranch(
            grid(ranches[seat] if seat < len(ranches) else (), seats),
            reserves[seat] if seat < len(reserves) else (),
        )
        for seat in range(seats)
    ]
    state = State(
        rules=Rules(preset="app"),
        box=box,
        seats=seats,
        phase=phase or Extending(),
        ranches=tuple(given),
        order=tuple(range(seats)),
        current=(Spot(is_gone=True),) * 4,
        next=tuple(Spot(tile) for tile in PRACTICE.tiles[:4]),
        at=3,
        rows=2,
        turn=turn or Turn(0),
        tables=SALOON,
        pile=15,
        bonus_left=(0, 1) if seats == 2 else (),
    )
    return replace(state, **changes)


def play(state: State, *actions: Any, seat: int | None = None) -> Step:
    """Let whoever's turn it is do some things."""
    step = Step(state)
    for action in actions:
        acting = seat if seat is not None else step.state.turn.seat
        assert action in rules.legal_actions(step.state, acting), action
        step = rules.apply(step.state, acting, action)
    return step


def table(seats: int, seed: int = 0, **options: str) -> Table:
    """Name a table that plays by the practice box."""
    return Table("moon_river", APP | options, seats, seed)


def walk(seats: int, seed: int = 0, **options: str) -> Iterator[State]:
    """Play a whole game at random, and give every state of it."""
    rng = random.Random(seed)
    chosen = APP | options
    name = "practice" if chosen["board"] == "practice" else "box"
    board = profile(name)
    step = rules.setup(chosen, seats, board)
    while True:
        yield step.state
        if step.needs:
            step = rules.chance(step.state, draw(step.needs[0], rng))
            continue
        able = sorted(rules.to_act(step.state))
        if not able:
            return
        seat = rng.choice(able)
        step = rules.apply(step.state, seat, rng.choice(rules.legal_actions(step.state, seat)))

"""The net under all secrecy: twins that differ in a secret look the same, whatever anybody does."""

from __future__ import annotations

import os
import random
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest

from referee.games import GAMES
from tests.twins import Clock, play_twins

pytestmark = [pytest.mark.long, pytest.mark.no_cover]

GAMES_EACH: Final = int(os.environ.get("TWINS", "2"))
"""How many games a game; `make twins` plays many more, and longer ones."""
STEPS: Final = 120 if "TWINS" in os.environ else 60

BOXED: Final = {"preset": "boxed", "board": "owned"}
KINDS: Final[dict[str, tuple[dict[str, str], ...]]] = {
    "winchester": (
        {"auction": "open"},
        {"auction": "sealed", "duel_shortfall": "must_afford"},
        {"auction": "proxy"},
        {"auction": "spoken"},
        BOXED | {"auction": "spoken"},
        BOXED | {"auction": "sealed", "claims": "players", "edition": "blue-orange"},
    ),
    "desperados": ({}, BOXED),
}
HIDING: Final = tuple(key for key in GAMES if GAMES.meta(key).has_secrets)


def test_every_game_with_secrets_has_twins() -> None:
    """A game that hides something is in this net."""
    assert {*HIDING} == {*KINDS}


@pytest.mark.parametrize("number", range(GAMES_EACH))
@pytest.mark.parametrize("game", HIDING)
def test_twins_look_the_same(
    game: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forms, interface, corrections, consent, undo, answers, act-for: byte by byte."""
    rng = random.Random(f"{game} {number}")
    kinds = KINDS[game]
    options = kinds[number % len(kinds)]
    least, most = GAMES.meta(game).seats
    seats = rng.randint(max(least, 3), most)
    viewer = rng.choice((None, *range(seats)))
    clock = Clock()
    clock.install(monkeypatch)
    with ExitStack() as stack:
        twins = play_twins(
            tmp_path,
            stack,
            clock,
            rng,
            game=game,
            seats=seats,
            viewer=viewer,
            most=STEPS,
            **options,
        )
    assert twins.steps > 0

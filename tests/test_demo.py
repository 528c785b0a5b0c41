"""A table that plays itself."""

from __future__ import annotations

import random

import pytest

from referee import bots
from referee.games import GAMES
from referee.tables import Tables
from tests.table import act


@pytest.mark.parametrize("key", GAMES)
def test_bots_play_every_game_to_its_end(tables: Tables, key: str) -> None:
    """They choose among what is legal, and never go round in circles."""
    table, _ = tables.open(key, options={"preset": "app", "board": "practice"}, seed="demo")
    for name in bots.NAMES[:4]:
        tables.join(table, name)
    tables.start(table)
    rng = random.Random(1)
    for _ in range(1500):
        if table.ledger.status == "over":
            break
        act(tables, table, *bots.choose(table.ledger, rng))

    assert table.ledger.status == "over"

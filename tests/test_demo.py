"""A table that plays itself."""

from __future__ import annotations

import random

import pytest
from flask import Flask

from referee import bots
from referee.games import GAMES
from referee.tables import Tables
from tests.table import APP, Browser, Evening, act, play, tables_of


@pytest.mark.parametrize("key", GAMES)
def test_bots_play_every_game_to_its_end(tables: Tables, key: str) -> None:
    """They choose among what is legal, and never go round in circles."""
    table, _ = tables.open(key, options={"preset": "app", "board": "practice"}, seed="demo")
    for name in bots.NAMES[:4]:
        tables.lobby.join(table, name)
    tables.lobby.start(table)
    rng = random.Random(1)
    for _ in range(1500):
        if table.ledger.status == "over":
            break
        act(tables, table, *bots.choose(table.ledger, rng))

    assert table.ledger.status == "over"


def test_a_table_of_bots_is_awake_and_its_ceremony_goes_on_by_itself(app: Flask) -> None:
    """Nobody there is a sleeping phone; with one person at the table, that person taps."""
    tables = tables_of(app)
    table, _ = tables.open("winchester", options=APP)
    bots.seat(tables, table, 4)
    tables.lobby.start(table)
    page = Browser(app).get(f"/t/{table.code}").text
    assert "phone is asleep" not in page
    assert "seat is free" not in page
    play(tables, table, random.Random(1))

    assert "data-alone" in Browser(app).get(f"/t/{table.code}").text
    evening = Evening(app, seats=3).start()
    evening.play(random.Random(1))
    assert "data-alone" not in evening.laptop.get(f"/t/{evening.code}").text

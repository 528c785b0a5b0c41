"""A table whose draws are known beforehand says so, and keeps its seed until the end."""

from __future__ import annotations

import random

import pytest
from flask import Flask

from referee.games import GAMES
from tests.table import Browser, Sitting

SEED = "unmistakable-seed-4711"


@pytest.mark.parametrize("key", GAMES)
def test_a_seeded_table_says_so_everywhere_and_keeps_its_seed(app: Flask, key: str) -> None:
    """On the display and on every phone, in lobby, play and menu; the seed is told at the end."""
    sitting = Sitting(app, game=key, seed=SEED)
    sitting.join("Ann", "Ben", "Cleo")
    screens = _screens(app, sitting)
    _look(sitting, screens)
    sitting.post("/start", token=sitting.host)
    sitting.play(random.Random(1), most=10)
    _look(sitting, screens)
    assert all(sitting.body(seat)["seeded"] for seat in (None, 0, 1, 2))
    assert SEED not in sitting.get("/journal").text
    assert SEED not in sitting.get(token=sitting.tokens[0]).text

    sitting.finish(random.Random(2))

    assert SEED in sitting.get("/journal").text


def _screens(app: Flask, sitting: Sitting) -> list[tuple[Browser, str]]:
    """Give the display and every phone with its page."""
    folder = app.config["REFEREE_FOLDER"]
    found = [(Browser(app), f"/t/{sitting.code}")]
    for seat, token in enumerate(sitting.tokens):
        phone = Browser(app)
        phone.client.set_cookie(f"referee_{folder}_{sitting.code}_{seat}", token)
        found.append((phone, f"/s/{sitting.code}/{seat}"))
    return found


def _look(sitting: Sitting, screens: list[tuple[Browser, str]]) -> None:
    for browser, path in screens:
        page = browser.get(path).text
        assert SEED not in page
        assert "Seeded table: the draws can be known" in page, path

"""What leaves the referee is as its page describes it."""

from __future__ import annotations

import csv
import io
import random
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from referee import export, playlog
from referee.games import GAMES
from referee.tables import Tables
from tests.table import deal, play

ROOT = Path(__file__).parent.parent
GOLDEN = sorted((ROOT / "tests" / "golden").glob("*.jsonl"))
BGG = {"winchester": 281961, "desperados": 130908, "moon_river": 378001}


@pytest.fixture(scope="module")
def line() -> Any:
    """Read the schema of a journal's line."""
    return jsonschema_rs.validator_for((ROOT / "docs" / "journal.schema.json").read_text("utf-8"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_finished_journal_is_as_it_is_described(path: Path, line: Any) -> None:
    """Every line of every whole game."""
    for raw in path.read_text(encoding="utf-8").splitlines():
        line.validate(msgspec.json.decode(raw))


@pytest.mark.parametrize("game", GAMES)
def test_a_running_journal_is_as_it_is_described(game: str, tables: Tables, line: Any) -> None:
    """Sealed lines, too; what is none is refused."""
    table = deal(tables, game=game)
    play(tables, table, random.Random(1), most=25)
    lines = [*export.journal(table, tables.store.entries(table.code), None)]
    for raw in lines:
        line.validate(msgspec.json.decode(raw))
    broken = msgspec.json.decode(lines[1]) | {"kind": "wish"}
    assert not line.is_valid(broken)


@pytest.mark.parametrize("game", GAMES)
def test_a_play_log_knows_the_game_and_its_place_in_every_log(game: str, tables: Tables) -> None:
    """Ids of the boxes, whoever wins says so, and a spreadsheet with nothing but whole numbers."""
    table = deal(tables, game=game)
    play(tables, table, random.Random(3))
    found = playlog.play_of(table, tables.store.entries(table.code), "fr")
    rows = [*csv.reader(io.StringIO(playlog.as_csv(found, separator=";")), delimiter=";")]

    assert found.bgg_id == BGG[game]
    assert any(player.is_winner for player in found.players)
    assert all(row[5].lstrip("-").isdigit() for row in rows[1:])
    assert {len(row) for row in rows} == {7}

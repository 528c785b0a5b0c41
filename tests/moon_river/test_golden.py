"""What the kept journals of Moon River are kept for is in them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from referee.entries import Entry
from referee.games import GAMES
from referee.games.moon_river import rules
from referee.journal import replay
from tests.golden.kept import journals_of, result_of

from .counting import total_of

JOURNALS = {path.stem.removeprefix("moon_river_"): path for path in journals_of("moon_river")}


def lines_of(name: str) -> list[dict[str, Any]]:
    """Give the entries of a journal."""
    _, *lines = JOURNALS[name].read_text(encoding="utf-8").split("\n")[:-1]
    return [msgspec.json.decode(line) for line in lines]


def actions_of(name: str) -> list[str]:
    """Give the types of actions in a journal."""
    return [e["payload"]["action"]["type"] for e in lines_of(name) if e["kind"] == "action"]


def test_there_is_one_for_each_number_of_players() -> None:
    """Two, three and four; dealt by the app and told from the box; each level of tracking."""
    setups = [e["payload"] for n in JOURNALS for e in lines_of(n) if e["kind"] == "setup"]

    assert {len(setup["order"]) for setup in setups} == {2, 3, 4}
    assert {setup["options"]["preset"] for setup in setups} == {"app", "boxed"}
    levels = {setup["options"].get("tracking", "full") for setup in setups}
    assert levels == {"score", "draft", "full"}


def test_ties_are_broken_or_shared() -> None:
    """By the largest area or the cattle, or not at all."""
    assert result_of(JOURNALS["tie"])["tie_break"] in {"largest_area", "cattle"}
    assert result_of(JOURNALS["tie_shared"])["tie_break"] == "shared"
    assert len(result_of(JOURNALS["tie_shared"])["winners"]) == 2


def test_what_each_is_kept_for_happened() -> None:
    """Bonus tiles, tiles that had to leave."""
    assert actions_of("two_players_bonus_tiles").count("lay_bonus") == 2
    assert "discard" in actions_of("forced_discard")
    assert "tell_tile" in actions_of("four_players_boxed")
    assert "report_domino" in actions_of("tie")


@pytest.mark.parametrize("name", JOURNALS)
def test_every_game_is_counted_as_somebody_else_counts_it(name: str) -> None:
    """What lies in the ranches at the end of a journal, counted without any of our rules."""
    _, *lines = JOURNALS[name].read_text(encoding="utf-8").split("\n")[:-1]
    entries = [msgspec.json.decode(line, type=Entry) for line in lines]
    public = msgspec.to_builtins(rules.public(replay(GAMES["moon_river"], entries).state))
    counted = [total_of(ranch["cells"], public["scenario"]) for ranch in public["ranches"]]
    assert counted == [score["total"] for score in result_of(JOURNALS[name])["scores"]]

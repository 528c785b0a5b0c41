"""What the kept journals of Moon River are kept for is in them."""

from __future__ import annotations

from typing import Any

import msgspec

from tests.golden.kept import journals_of, result_of

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

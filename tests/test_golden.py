"""Whole games kept as journals: they replay, today and tomorrow, to the same totals.

See golden/make.py for where they come from.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from referee.export import verify
from tests.golden.kept import JOURNALS, result_of

DRAWS = {"winchester": 20, "desperados": 1, "moon_river": 1}
"""How often chance is at least asked in a game."""


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_a_kept_journal_replays_to_its_score(path: Path) -> None:
    """Chain, commitment and draws are in order, and every seat's named lines are the same."""
    text = path.read_text(encoding="utf-8")
    found, expected = verify(text), result_of(path)
    scores = msgspec.to_builtins(found.result.scores)

    assert found.entries == len(text.split("\n")) - 2
    assert found.draws >= min(DRAWS[game] for game in DRAWS if path.stem.startswith(game))
    assert [list(found.result.winners), found.result.tie_break] == [
        expected["winners"],
        expected["tie_break"],
    ]
    assert [score["total"] for score in scores] == [s["total"] for s in expected["scores"]]
    for score, wanted in zip(scores, expected["scores"], strict=True):
        lines = [line | {"detail": list(line["detail"])} for line in score["lines"]]
        assert lines == wanted["lines"]

"""Whole games kept as journals: they replay, today and tomorrow, to the same totals.

See golden/make.py for where they come from.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.entries import Entry
from referee.export import verify
from referee.games.desperados import rules as desperados
from referee.games.desperados.events import MoveImpossible
from referee.journal import Ledger

JOURNALS = sorted((Path(__file__).parent / "golden").glob("*.jsonl"))
OUTLAWS = [path for path in JOURNALS if path.stem.startswith("desperados")]
AUCTIONS = [path for path in JOURNALS if path not in OUTLAWS]


def kept(path: Path) -> dict[str, Any]:
    """Give the result that is stored beside a journal."""
    return msgspec.json.decode(path.with_suffix(".result.json").read_bytes(), type=dict[str, Any])


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_a_kept_journal_replays_to_its_score(path: Path) -> None:
    """Chain, commitment and draws are in order, and every seat's named lines are the same."""
    text = path.read_text(encoding="utf-8")
    found, expected = verify(text), kept(path)
    scores = msgspec.to_builtins(found.result.scores)

    assert found.entries == len(text.split("\n")) - 2
    assert found.draws >= (1 if path in OUTLAWS else 20)
    assert [list(found.result.winners), found.result.tie_break] == [
        expected["winners"],
        expected["tie_break"],
    ]
    assert [score["total"] for score in scores] == [s["total"] for s in expected["scores"]]
    for score, wanted in zip(scores, expected["scores"], strict=True):
        lines = [line | {"detail": list(line["detail"])} for line in score["lines"]]
        assert lines == wanted["lines"]


def test_there_is_one_for_each_way_a_game_can_end() -> None:
    """Outright, by cash, by the duel token, shared; open and sealed; with and without a seed."""
    headers, breaks, auctions = [], set(), set()
    for path in AUCTIONS:
        header, *lines = path.read_text(encoding="utf-8").split("\n")[:-1]
        headers.append(msgspec.json.decode(header))
        breaks.add(kept(path)["tie_break"])
        opened = msgspec.json.decode(lines[0])["payload"]
        auctions.add((opened["options"]["auction"], opened["seeded"]))

    assert breaks == {None, "cash", "duel_token", "shared"}
    assert {auction for auction, _ in auctions} == {"open", "sealed"}
    assert all(header["status"] == "over" for header in headers)


def test_a_shared_win_has_several_winners() -> None:
    """And the other endings have one."""
    for path in AUCTIONS:
        result = kept(path)
        assert (len(result["winners"]) > 1) is (result["tie_break"] == "shared")


def test_slips_are_in_the_journal_for_good() -> None:
    """What was taken back stays in it, followed by its undo."""
    (path,) = [path for path in JOURNALS if path.stem == "slips_and_undo"]
    kinds = [msgspec.json.decode(line).get("kind") for line in path.read_bytes().splitlines()]

    assert kinds.count("undo") >= 5


def test_desperados_end_both_ways() -> None:
    """The gang wins as one, or the Marshal alone; with and without a seed."""
    winners = {path.stem: kept(path)["winners"] for path in OUTLAWS}
    assert len(winners["desperados_gang_wins"]) == 3
    assert len(winners["desperados_marshal_wins"]) == 1
    assert {*winners} >= {"desperados_impossible_move", "desperados_dry_stack"}


def test_what_the_journals_of_desperados_are_kept_for_is_in_them() -> None:
    """A move that cannot be, and a robbed bank for which no tile was left."""
    ledgers = {path.stem: Ledger(desperados) for path in OUTLAWS}
    for path in OUTLAWS:
        _, *lines = path.read_text(encoding="utf-8").split("\n")[:-1]
        for line in lines:
            raw = msgspec.json.decode(line, type=dict[str, Any])
            if "chain" in raw:
                ledgers[path.stem].take(msgspec.convert(raw, Entry))
    impossible = ledgers["desperados_impossible_move"].lines
    assert any(isinstance(e, MoveImpossible) for line in impossible for e in line.events)
    state = ledgers["desperados_dry_stack"].state
    assert state.bank_stack == ()
    assert any(state.tile(city) is None for city in state.board.banks)

"""What the kept journals of Desperados are kept for is in them."""

from __future__ import annotations

from typing import Any

import msgspec

from referee.entries import Entry
from referee.games.desperados import rules as desperados
from referee.games.desperados.events import MoveImpossible
from referee.journal import Ledger
from tests.golden.kept import journals_of, result_of

JOURNALS = journals_of("desperados")


def test_they_end_both_ways() -> None:
    """The gang wins as one, or the Marshal alone; with and without a seed."""
    winners = {path.stem: result_of(path)["winners"] for path in JOURNALS}
    assert len(winners["desperados_gang_wins"]) == 3
    assert len(winners["desperados_marshal_wins"]) == 1
    assert {*winners} >= {"desperados_impossible_move", "desperados_dry_stack"}


def test_what_they_are_kept_for_is_in_them() -> None:
    """A move that cannot be, and a robbed bank for which no tile was left."""
    ledgers = {path.stem: Ledger(desperados) for path in JOURNALS}
    for path in JOURNALS:
        _, *lines = path.read_text(encoding="utf-8").split("\n")[:-1]
        for line in lines:
            raw = msgspec.json.decode(line, type=dict[str, Any])
            if "chain" in raw:
                ledgers[path.stem].take(msgspec.convert(raw, Entry))
    impossible = ledgers["desperados_impossible_move"].log.lines
    assert any(isinstance(e, MoveImpossible) for line in impossible for e in line.events)
    state = ledgers["desperados_dry_stack"].state
    assert state.bank_stack == ()
    assert any(state.tile(city) is None for city in state.board.banks)

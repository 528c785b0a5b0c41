"""Play the golden journals: whole real games, one for each way a game can end.

`python -m tests.golden.make` from the top of a checkout writes them anew. Wins by one's total come
with nearly every seed; ties are searched for among random games. Perfect ties are too rare to be
found, so there the table sets notes right just before the count, as a real table could, until the
leaders are level: the journal is real all the same, corrections included.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from referee import export
from referee.errors import UndoRefused
from referee.games.base import Result
from referee.games.winchester import rules as winchester
from referee.games.winchester.actions import CountUp
from referee.tables import Table, Tables, Who
from tests.golden import outlaws
from tests.table import act, choose, deal, tables_at

HERE = Path(__file__).parent


def until_the_count(tables: Tables, table: Table, rng: random.Random) -> None:
    """Play at random until all that is left is to count up."""
    while table.ledger.status == "playing":
        seat, action = choose(table.ledger, rng)
        if isinstance(action, CountUp):
            return
        act(tables, table, seat, action)


def count(tables: Tables, table: Table) -> None:
    """Count up."""
    act(tables, table, table.ledger.to_act()[0], {"type": "count_up"})


def preview(table: Table) -> Result:
    """Give the result if it were counted now."""
    state = table.ledger.state
    step = winchester.apply(state, state.star, CountUp())
    found = winchester.score(step.state)
    assert found is not None
    return found


def level(tables: Tables, table: Table) -> None:
    """Let notes change place, openly, until the two best have the same total."""
    for _ in range(40):
        best = sorted(preview(table).scores, key=lambda score: -score.total)[:2]
        gap = best[0].total - best[1].total
        if not gap:
            return
        if gap >= 2000:
            move(tables, table, best[0].seat, best[1].seat, gap // 2000 * 1000)
        else:
            move(tables, table, best[0].seat, "bank", 1000)


def move(tables: Tables, table: Table, source: Any, target: Any, amount: int) -> None:
    """Set notes right as the host."""
    transfer = {"source": source, "target": target, "amount": amount}
    tables.consent.correct(table, None, {"transfers": [transfer]}, reason="notes counted again")


def play(folder: Path, name: str, *, auction: str, ending: str | None, undo: bool = False) -> None:
    """Search for a game that ends as wanted and write its journal, with its result beside it."""
    for number in range(2000):
        with tables_at(folder / f"{name}{number}") as tables:
            rng = random.Random(f"{name} {number}")
            seats = 3 + number % 3
            options = {"auction": auction}
            table = deal(
                tables,
                seats=seats,
                seed=f"{name} {number}" if number % 2 else None,
                options=options,
            )
            if undo:
                with_slips(tables, table, rng)
            until_the_count(tables, table, rng)
            if ending is not None:
                level(tables, table)
            if preview(table).tie_break != ending:
                continue
            count(tables, table)
            keep(tables, table, name)
            return
    raise LookupError(name)


def keep(tables: Tables, table: Table, name: str) -> None:
    """Write a finished game's journal, with its result beside it."""
    lines = export.journal(table, tables.store.entries(table.code), None)
    (HERE / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8", newline="\n")
    result = msgspec.json.format(msgspec.json.encode(export.result(table)), indent=2)
    (HERE / f"{name}.result.json").write_bytes(result + b"\n")


def with_slips(tables: Tables, table: Table, rng: random.Random) -> None:
    """Play a while with things taken back, alone and by the host's consent."""
    for turn in range(120):
        seat, action = choose(table.ledger, rng)
        act(tables, table, seat, action)
        if turn % 9 == 8 and table.ledger.status == "playing":
            try:
                if tables.consent.undo(table, seat) == "asked":
                    tables.consent.answer(table, Who(is_host=True), agree=True)
            except UndoRefused:
                continue


def main() -> None:
    """Play them all, or the games named: `python -m tests.golden.make desperados`."""
    wanted = sys.argv[1:] or ["winchester", "desperados"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if "desperados" in wanted:
            outlaws.play_all(folder, keep)
        if "winchester" not in wanted:
            return
        play(folder, "open_win", auction="open", ending=None)
        play(folder, "sealed_win", auction="sealed", ending=None)
        play(folder, "slips_and_undo", auction="sealed", ending=None, undo=True)
        play(folder, "tie_by_cash", auction="open", ending="cash")
        play(folder, "tie_by_duel_token", auction="open", ending="duel_token")
        play(folder, "tie_shared", auction="sealed", ending="shared")


if __name__ == "__main__":
    main()

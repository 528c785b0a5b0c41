"""Golden journals of Daddy Winchester: outright wins, each tie-breaker, a shared win, slips.

Wins by one's total come with nearly every seed; ties are searched for among random games. Perfect
ties are too rare to be found, so there the table sets notes right just before the count, as a real
table could, until the leaders are level: the journal is real all the same, corrections included.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from referee.errors import IllegalAction, UndoRefused
from referee.games.base import Result
from referee.games.winchester import rules as winchester
from referee.games.winchester.actions import CountUp
from referee.games.winchester.told import Bought, Took
from referee.tables import Table, Tables, Who
from referee.telling import told_lines
from tests.table import act, choose, deal, tables_at

Keep: TypeAlias = Callable[[Tables, Table, str], None]
"""Writes a finished game's journal under a name."""


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


def search(
    folder: Path, keep: Keep, name: str, *, auction: str, ending: str | None, undo: bool = False
) -> None:
    """Search for a game that ends as wanted and keep its journal."""
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
            keep(tables, table, f"winchester_{name}")
            return
    raise LookupError(name)


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


BOXED = {"preset": "app", "auction": "open", "bonus_tokens": "box"}
"""A table of real bonus tokens on the practice board."""


def retold_token(folder: Path, keep: Keep) -> None:
    """Tell a bonus token anew a few plots later, and what that leaves to be told; play on."""
    with tables_at(folder / "retold") as tables:
        rng = random.Random("retold token")
        table = deal(tables, seats=4, seed=None, options=BOXED)
        while table.ledger.status == "playing":
            act(tables, table, *choose(table.ledger, rng))
            if len(table.ledger.state.sales) == 6:
                break
        tell_a_token_anew(tables, table)
        finish(tables, table, rng)
        keep(tables, table, "winchester_retold_token")


def tell_a_token_anew(tables: Tables, table: Table) -> None:
    """Say that the oldest saloon or rumor token was the other of the two."""
    told = [line for line in told_lines(table.ledger, None) if isinstance(line["told"], Took)]
    line = [line for line in told if line["told"].token != "movement"][-1]  # noqa: S105  # a bonus token
    other = "rumor" if line["told"].token == "saloon" else "saloon"  # noqa: S105
    raw = {"to": line["to"], "told": {"type": "took", "plot": line["told"].plot, "token": other}}
    also: list[Any] = []
    while True:
        try:
            tables.consent.retell(table, None, raw | {"also": also}, reason="seen on the table")
        except IllegalAction as refusal:
            also.append(refusal.facts["choices"][-1])  # type: ignore[index]  # a list
        else:
            return


def finish(tables: Tables, table: Table, rng: random.Random) -> None:
    """Play at random to the end."""
    while table.ledger.status == "playing":
        act(tables, table, *choose(table.ledger, rng))


def reopened(folder: Path, keep: Keep) -> None:
    """Count up, set a price right that was told wrongly, open the game again, end it anew."""
    with tables_at(folder / "reopened") as tables:
        rng = random.Random("reopened")
        table = deal(tables, seats=3, seed=None, options={"auction": "open"})
        finish(tables, table, rng)
        line = next(
            line for line in told_lines(table.ledger, None) if isinstance(line["told"], Bought)
        )
        told = msgspec.to_builtins(line["told"]) | {"type": "bought"}
        raw = {"to": line["to"], "told": told | {"price": told["price"] + 3000}}
        tables.consent.retell(table, None, raw, reason="it was three more")
        tables.consent.reopen(table, None)
        finish(tables, table, rng)
        keep(tables, table, "winchester_reopened")


def play_all(folder: Path, keep: Keep) -> None:
    """Search for each wanted game and keep its journal."""
    search(folder, keep, "open_win", auction="open", ending=None)
    search(folder, keep, "sealed_win", auction="sealed", ending=None)
    search(folder, keep, "slips_and_undo", auction="sealed", ending=None, undo=True)
    search(folder, keep, "tie_by_cash", auction="open", ending="cash")
    search(folder, keep, "tie_by_duel_token", auction="open", ending="duel_token")
    search(folder, keep, "tie_shared", auction="sealed", ending="shared")
    retold_token(folder, keep)
    reopened(folder, keep)

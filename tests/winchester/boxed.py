"""Boxed games at a table, where something is asked about the board."""

from __future__ import annotations

from referee.tables import Table, Tables, Who
from tests.table import (
    act,
    deal,
)

BOXED = {"preset": "boxed", "board": "owned"}
SHARED = ("three_together", "five_plots", "four_alike", "last_auction", "dry_saloon")


def boxed(tables: Tables, **options: str) -> Table:
    """Begin a boxed game of four whose shared objectives are laid out."""
    table = deal(tables, seats=4, options=BOXED | {"auction": "spoken"} | options)
    for objective in SHARED:
        act(tables, table, 0, {"type": "lay_objective", "objective": objective})
    return table


def buy(tables: Tables, table: Table, plot: int, seat: int, token: str = "saloon") -> None:  # noqa: S107  # a bonus token
    """Let a seat buy a plot for 1000 in a spoken auction."""
    star = table.ledger.state.star
    act(tables, table, star, {"type": "draw_plot", "plot": plot})
    act(tables, table, star, {"type": "record_sale", "winner": seat, "price": 1000})
    act(tables, table, seat, {"type": "confirm_sale", "token": token})


def answer(tables: Tables, table: Table, who: Who, *facts: tuple[str, str]) -> int:
    """Answer the open question on the version of now."""
    version = table.ledger.version(who.seat)
    return tables.play.answer(
        table, who, facts, version=version, action_id=f"q{table.ledger.length}"
    )

"""Tables of Desperados, looked at as pages."""

from __future__ import annotations

from typing import Any, Final

from flask import Flask

from tests.table import Browser, Evening, act, tables_of

GAME: Final = "desperados"
BOXED: Final = {"preset": "boxed", "board": "owned"}


def page(browser: Browser, path: str) -> str:
    """Open a page that must be there."""
    answer = browser.get(path)
    assert answer.status_code == 200, (path, answer.text[:400])
    return answer.text


def begun(app: Flask, **options: str) -> Evening:
    """Start a game of four with everybody on the board."""
    table = Evening(app, game=GAME, seats=4, first_schedule="box", **options).start()
    do(table, 0, type="set_first_schedule", schedule="S5")
    do(table, 0, type="place_marshal", city="Tuba City")
    for city in ("Salem", "Aztec", "Aztec"):
        do(table, 0, type="place_sheriff", city=city)
    for seat, city in enumerate(("Socorro", "La Luz", "Salem"), 1):
        do(table, seat, type="place_pawn", city=city)
    return table


def do(table: Evening, seat: int, **action: Any) -> None:
    """Play an action."""
    act(tables_of(table.app), table.table, seat, action)

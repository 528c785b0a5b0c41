"""What a game is drawn with is loaded before it is needed: nobody waits for it in mid-game."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.scripts import APP, SEATS, script
from tests.table import app_at


@pytest.mark.parametrize("game", SEATS)
def test_nothing_is_loaded_in_the_middle_of_a_game(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the first page on the server looks ahead; every question finds its template there."""
    with app_at(tmp_path) as app:
        here = app.extensions["referee"]
        monkeypatch.setattr(here.renderer, "ahead", lambda work: work())
        table, _ = here.tables.open(game, options=APP, seed="look")
        for seat in range(SEATS[game]):
            here.tables.lobby.join(table, f"P{seat}")
        here.tables.lobby.start(table)

        def draw() -> None:
            for viewer in (*table.ledger.seating.order, None):
                here.parts.draw(table, here.parts.frame(table, viewer, "en"))

        draw()
        late: list[str] = []
        load = here.renderer._load  # noqa: SLF001  # counted
        monkeypatch.setattr(
            here.renderer, "_load", lambda lang, name: (late.append(name), load(lang, name))[1]
        )
        for number, move in enumerate(script(game, "look").moves[:150]):
            seat = table.ledger.seating.order[move.seat]
            here.tables.play.act(
                table, seat, move.action, version=move.before, action_id=str(number)
            )
            if table.ledger.status == "playing":
                draw()

        assert late == []

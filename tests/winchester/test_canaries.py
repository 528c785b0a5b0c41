"""Purses that hold what no other amount is: nobody else's bytes, no export, no log has it."""

from __future__ import annotations

import logging
import random

import pytest
from flask import Flask

from referee import export
from referee.games.winchester.model import State, replace
from tests.sight import sight
from tests.table import Evening, tables_of

pytestmark = [pytest.mark.long, pytest.mark.no_cover]


def canaries(state: State, seat: int) -> tuple[bytes, ...]:
    """Write what a seat's purse holds in every way a page could, as no public amount is written."""
    amount = state.cash[seat]
    thousands = amount // 1000
    return tuple(
        text.encode()
        for sign in (",", ".", "\u202f", "\u00a0", "")
        for text in (f"{thousands // 1000}{sign}{thousands % 1000:03}{sign}000",)
    )


@pytest.mark.parametrize(
    ("lang", "auction"), [("en", "open"), ("de", "sealed"), ("fr", "proxy"), ("en", "spoken")]
)
def test_what_a_purse_holds_is_nowhere_else(
    own_app: Flask, lang: str, auction: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Through half a game, with corrections: pages, streams, interface, exports and logs."""
    caplog.set_level(logging.DEBUG)
    rng = random.Random(auction)
    evening = Evening(own_app, seats=3, lang=lang, auction=auction).start()
    ledger = evening.table.ledger
    purses = (1_301_000, 2_417_000, 3_593_000)
    ledger.state = replace(ledger.state, cash=purses)
    ledger._refresh_legal()  # noqa: SLF001  # what may be bid hangs on the purse
    found = 0
    for _ in range(6):
        evening.play(rng, most=rng.randrange(2, 12))
        if ledger.status != "playing":
            break
        evening.correct({"what": "notes", "source": "0", "target": "saloon", "amount": "1000"}, 1)
        store = tables_of(own_app).store
        for viewer in (None, *range(3)):
            seen = b"\n".join(sight(evening, viewer).values())
            lines = export.journal(evening.table, store.entries(evening.code), viewer)
            seen += "".join(lines).encode()
            for seat in range(3):
                has = [canary for canary in canaries(ledger.state, seat) if canary in seen]
                assert bool(has) == (seat == viewer), (viewer, seat, has)
                found += bool(has)
    for seat in range(3):
        for canary in canaries(ledger.state, seat):
            assert canary.decode() not in caplog.text

    assert found > 6

"""No secret's own bytes are anywhere but with whoever may know it: pages, streams, files, logs."""

from __future__ import annotations

import functools
import logging
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from flask import Flask

from referee.games import GAMES
from tests import canaries
from tests.desperados import cage as desperados
from tests.sight import other_state
from tests.table import Evening, app_at, bearer, tables_of
from tests.test_twins import HIDING, KINDS
from tests.winchester import cage as winchester

pytestmark = [pytest.mark.long, pytest.mark.no_cover]

GAMES_EACH: Final = int(os.environ.get("CANARIES", "2"))
"""How many games a game; `make canaries` plays many more."""
LOOKS: Final = 4
"""How often a game is looked at, at moments of chance: many games say more than many looks."""
CAGES: Final = {"winchester": winchester, "desperados": desperados}


def test_every_game_with_secrets_has_its_cage() -> None:
    """A game that hides something is in this net."""
    assert {*HIDING} == {*CAGES}


def forgetful(**_: object) -> Callable[[Any], Any]:
    """Remember nothing of what a function gave: here what is equal is not the same."""
    return lambda called: called


@pytest.fixture
def app_of_canaries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """Give an app that can write marked words, and never takes one for another."""
    for module, name in ((msgspec.json, "encode"), (msgspec, "to_builtins")):
        marking = functools.partial(getattr(module, name), enc_hook=canaries.written)
        monkeypatch.setattr(module, name, marking)
    monkeypatch.setattr("referee.web.compiling.lru_cache", forgetful)
    with app_at(tmp_path) as app:
        yield app


@pytest.mark.parametrize(
    ("seen", "is_heard"),
    [
        ("$711,205,000", True),
        ("711\u202f205\u202f000 $", True),
        ("711.205.000 $", True),
        ('{"cash":711205000}', True),
        ("M711 205 0 0 0", False),
        ("7112050001", False),
    ],
)
def test_an_amount_is_heard_however_it_is_written(seen: str, *, is_heard: bool) -> None:
    """In every language and as a plain number; places of a drawing are none."""
    canary = canaries.Canary("711,205,000", frozenset())

    assert canaries.heard([canary], seen.encode()) == [canary] * is_heard


@pytest.mark.parametrize("number", range(GAMES_EACH))
@pytest.mark.parametrize("game", HIDING)
def test_no_canary_leaves_its_cage(
    game: str, number: int, app_of_canaries: Flask, caplog: pytest.LogCaptureFixture
) -> None:
    """Random games, random moments, every viewer; and each canary sings to its own keepers."""
    caplog.set_level(logging.DEBUG)
    rng = random.Random(f"canaries {game} {number}")
    least, most = GAMES.meta(game).seats
    options = KINDS[game][number % len(KINDS[game])]
    lang = ("en", "de", "fr")[number % 3]
    seats = rng.randint(least, min(most, 5))
    evening = Evening(app_of_canaries, game=game, seats=seats, lang=lang, **options).start()
    sung = 0
    for _ in range(LOOKS):
        evening.play(rng, most=rng.randrange(2, 40))
        if evening.table.ledger.status != "playing":
            break
        sung += look(evening, game, caplog)
    assert sung


def test_what_breaks_shows_no_secret(
    app_of_canaries: Flask, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page that says so, the interface's answer, and all that the terminal and the log have."""
    caplog.set_level(logging.DEBUG)
    evening = Evening(app_of_canaries, seats=3, auction="sealed").start()
    evening.play(random.Random(5), until="sealed_auction")
    evening.play(random.Random(5), most=1)
    ledger = evening.table.ledger
    state, made = winchester.cage(ledger.state)

    def broken(state: object, *_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(ledger.game, "apply", broken)
    with other_state(evening, state):
        for seat, phone in enumerate(evening.phones):
            form = {"type": "submit_bid", "amount": "7101", "version": ledger.version(seat)}
            page = phone.post(evening.seat(seat, "/act"), form)
            key = bearer(phone.key(evening.code, seat))
            body = {"version": ledger.version(seat), "id": "x", "action": {"type": "pass"}}
            said = phone.client.post(
                f"/api/v1/tables/{evening.code}/actions", json=body, headers=key
            )
            assert (page.status_code, said.status_code) == (500, 500)
            seen = page.data + said.data + caplog.text.encode()
            assert b"ZeroDivisionError" in seen
            assert canaries.heard(made.canaries, seen) == []


def look(evening: Evening, game: str, caplog: pytest.LogCaptureFixture) -> int:
    """Look at all that anybody gets; give how many canaries their own keepers heard."""
    secrets: Any = CAGES[game]
    state, made = secrets.cage(evening.table.ledger.state)
    entries = tables_of(evening.app).store.entries(evening.code)
    marked = canaries.marked_entries(entries, secrets.SECRET, made)
    caplog.clear()
    sung = 0
    with other_state(evening, state):
        for viewer in (None, *range(len(evening.phones))):
            seen = canaries.all_seen(evening, viewer) + canaries.exported(evening, marked, viewer)
            heard = canaries.heard(made.canaries, seen)
            assert [c for c in heard if viewer not in c.keepers] == [], viewer
            sung += len(heard)
    said = caplog.text.encode()
    assert canaries.heard(made.canaries, said) == []
    return sung

"""No byte that a viewer gets depends on what that viewer may not know.

The rules' own blindness is tested with the rules. Here it is the bytes: pages, streams, the HTTP
interface, journals, refusals, of tables that differ only in secrets.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from flask import Flask

from referee import live
from tests.secrets_of import SHUFFLE
from tests.sight import copy_of, masked, other_state, sight
from tests.table import Evening, Stream, act, app_at, bearer, streaming, tables_of

# What two tables are drawn with, the tests of one table count.
pytestmark = [pytest.mark.long, pytest.mark.no_cover]

BOXED: Final = {"preset": "boxed", "board": "owned"}
KINDS: Final[dict[str, dict[str, str]]] = {
    "open": {"auction": "open"},
    "sealed": {"auction": "sealed"},
    "proxy": {"auction": "proxy"},
    "boxed": BOXED | {"auction": "spoken"},
    "real notes": BOXED | {"money": "box", "claims": "players", "edition": "blue-orange"},
}
TABLES: Final = ((3, "open"), (5, "sealed"), (4, "proxy"), (4, "boxed"), (3, "real notes"))


# Tables that differ in secrets alone


@pytest.mark.parametrize(("seats", "kind"), TABLES)
def test_same_bytes_whatever_is_hidden(app: Flask, seats: int, kind: str) -> None:
    """With everything shuffled that a viewer may not know, the viewer gets the same bytes."""
    rng = random.Random(f"{seats} {kind}")
    evening = Evening(app, seats=seats, **KINDS[kind]).start()
    differ = 0
    for _ in range(5):
        evening.play(rng, most=rng.randrange(1, 30))
        if evening.table.ledger.status != "playing":
            break
        state = evening.table.ledger.state
        for viewer in (None, rng.randrange(seats)):
            other = SHUFFLE["winchester"](state, viewer, rng)
            expected = sight(evening, viewer)
            with other_state(evening, other):
                differ += other != state
                assert expected == sight(evening, viewer)

    assert differ > 4


@pytest.mark.parametrize("auction", ["open", "sealed"])
def test_refusals_tell_nothing(app: Flask, auction: str) -> None:
    """What the rules say no to, they say no to in the same words whatever others hold."""
    rng = random.Random(auction)
    evening = Evening(app, seats=4, auction=auction).start()
    guesses: list[dict[str, Any]] = [
        {"type": "bid", "amount": 3000},
        {"type": "bid", "amount": 90_000},
        {"type": "submit_bid", "amount": 50_000},
        {"type": "pass"},
        {"type": "call_duel"},
        {"type": "look", "card": "secret:1:0"},
        {"type": "claim", "objective": "five_plots"},
    ]

    def refusals(seat: int) -> list[bytes]:
        phone = evening.phones[seat]
        key, found = bearer(phone.key(evening.code, seat)), []
        legal = [msgspec.to_builtins(a) for a in evening.table.ledger.legal_for(seat)]
        for guess in guesses:
            if guess not in legal:
                body = {"version": evening.table.ledger.version(seat), "id": "x", "action": guess}
                path = f"/api/v1/tables/{evening.code}/actions"
                answer = phone.client.post(path, json=body, headers=key)
                assert answer.status_code == 422
                found.append(answer.data)
                page = phone.post(
                    f"/s/{evening.code}/{seat}/act", guess | {"version": body["version"]}
                )
                found.append(page.data)
        return found

    for _ in range(6):
        evening.play(rng, most=rng.randrange(1, 20))
        state = evening.table.ledger.state
        for seat in range(4):
            expected = refusals(seat)
            with other_state(evening, SHUFFLE["winchester"](state, seat, rng)):
                assert expected == refusals(seat)


# Two evenings from end to end


@contextmanager
def two_evenings(folder: Path, *, most: int = 0) -> Iterator[tuple[Evening, Evening]]:
    """Give one sealed auction twice: the same up to now, keys included, and free from here on."""
    with ExitStack() as stack:
        first = stack.enter_context(app_at(folder / "first"))
        evening = Evening(first, seats=4, auction="sealed").start()
        evening.play(random.Random(7), most=most)
        evening.play(random.Random(7), until="between")
        star = evening.table.ledger.to_act()[0]
        act(tables_of(first), evening.table, star, {"type": "draw_plot"})
        (folder / "second").mkdir()
        tables_of(first).store.backup(folder / "second" / "referee.db")
        second = stack.enter_context(app_at(folder / "second"))
        yield evening, copy_of(evening, second)


def do(evening: Evening, seat: int, **action: Any) -> None:
    """Play an action at one of the two."""
    act(tables_of(evening.app), evening.table, seat, action)


def test_sealed_bids_and_their_changes_are_nobodys_business(tmp_path: Path) -> None:
    """Other amounts, changed or not: nobody else can tell, whatever they ask for or do."""
    with two_evenings(tmp_path) as (one, two):
        do(one, 1, type="submit_bid", amount=3000)
        do(two, 1, type="submit_bid", amount=8000)
        do(two, 1, type="submit_bid", amount=2000)
        do(two, 1, type="submit_bid", amount=2000)
        for viewer in (None, 0, 2, 3):
            assert sight(one, viewer) == sight(two, viewer)
        for evening in (one, two):
            do(evening, 2, type="submit_bid", amount=1000)
        do(two, 1, type="submit_bid", amount=0)
        for viewer in (None, 0, 2, 3):
            assert sight(one, viewer) == sight(two, viewer)


def test_taking_back_beside_a_hidden_change(tmp_path: Path) -> None:
    """Whether one's bid can be taken back at once does not tell that another was changed."""
    with two_evenings(tmp_path) as (one, two):
        for evening in (one, two):
            do(evening, 1, type="submit_bid", amount=3000)
            do(evening, 2, type="submit_bid", amount=1000)
        do(two, 1, type="submit_bid", amount=5000)
        outcomes = [tables_of(e.app).consent.undo(e.table, 2) for e in (one, two)]

        assert outcomes == ["done", "done"]
        for viewer in (None, 0, 2, 3):
            assert sight(one, viewer) == sight(two, viewer)


def test_a_question_beside_a_hidden_change(tmp_path: Path) -> None:
    """What is asked of the table names entries as each viewer counts them."""
    with two_evenings(tmp_path) as (one, two):
        for evening in (one, two):
            do(evening, 1, type="submit_bid", amount=3000)
        do(two, 1, type="submit_bid", amount=5000)
        for evening in (one, two):
            do(evening, 2, type="submit_bid", amount=1000)
            do(evening, 3, type="submit_bid", amount=1000)
            assert tables_of(evening.app).consent.undo(evening.table, 2) == "asked"
        for viewer in (None, 0, 2, 3):
            assert sight(one, viewer) == sight(two, viewer)
        for evening in (one, two):
            ask = evening.table.ledger.proposal
            assert ask is not None
            number = evening.table.ledger.noticed.number(ask.number, 3)
            agreed = {"agree": "yes", "number": number}
            evening.phones[3].post(evening.seat(3, "/ask"), agreed)
            evening.laptop.post(f"/t/{evening.code}/ask", agreed)
            assert evening.table.ledger.proposal is None
        for viewer in (None, 0, 2, 3):
            assert sight(one, viewer) == sight(two, viewer)


def test_open_streams_do_not_stir_at_a_hidden_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is sent, and not even the heartbeat comes at another time."""
    with two_evenings(tmp_path) as (one, _), ExitStack() as stack:
        do(one, 1, type="submit_bid", amount=3000)
        code, watchers = one.code, tables_of(one.app).live._watchers  # noqa: SLF001
        streams = [stack.enter_context(streaming(one.laptop.client, f"/t/{code}/stream"))]
        for seat in (0, 2, 3):
            path = f"/s/{code}/{seat}/stream"
            streams.append(stack.enter_context(streaming(one.phones[seat].client, path)))
        streams.append(
            stack.enter_context(streaming(one.laptop.client, f"/api/v1/tables/{code}/stream"))
        )
        for stream in streams:
            stream.read()
            stream.read()
        do(one, 1, type="submit_bid", amount=5000)

        assert not any(watcher.is_woken for watcher in watchers[code])
        monkeypatch.setattr(live, "HEARTBEAT_S", 0.01)
        assert [stream.read() for stream in streams] == [[("hb", "", "")]] * 5


def test_streams_are_the_same_through_a_whole_auction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Event by event, from a page that was open all the time, until the bids are revealed."""
    monkeypatch.setattr(live, "HEARTBEAT_S", 0.01)
    with two_evenings(tmp_path, most=60) as (one, two), ExitStack() as stack:
        heard: list[dict[int | None, list[bytes]]] = []
        for evening, bids in ((one, (1000,)), (two, (4000, 2000, 1000))):
            streams: dict[int | None, Stream] = {}
            for viewer in (None, 0, 3):
                who = evening.laptop if viewer is None else evening.phones[viewer]
                path = (
                    f"/t/{evening.code}/stream"
                    if viewer is None
                    else evening.seat(viewer, "/stream")
                )
                streams[viewer] = stack.enter_context(streaming(who.client, path))
                streams[viewer].read()
            said: dict[int | None, list[bytes]] = {viewer: [] for viewer in streams}
            for seat, amounts in ((1, bids), (2, (0,)), (3, (0,)), (0, (0,))):
                for amount in amounts:
                    cash = evening.table.ledger.state.cash[seat]
                    do(evening, seat, type="submit_bid", amount=min(amount, cash))
                    for viewer, stream in streams.items():
                        said[viewer] += drained(stream, evening)
            heard.append(said)

        assert heard[0] == heard[1]
        assert all(len(said) > 2 for said in heard[0].values())


def drained(stream: Stream, evening: Evening) -> list[bytes]:
    """Give what a stream says before its next heartbeat."""
    said = []
    while (events := stream.read()) != [("hb", "", "")]:
        said += [masked(repr(event).encode(), evening) for event in events]
    return said


# Logs, addresses, files


def test_logs_hold_no_secret(own_app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    """Nothing of a bid is logged, not even when it is refused."""
    caplog.set_level("DEBUG")
    evening = Evening(own_app, auction="sealed").start()
    evening.phones[0].post(evening.seat(0, "/act"), {"type": "draw_plot", "version": 8})
    version = evening.table.ledger.version(1)
    for amount in ("7000", "77000", "7,7"):
        form = {"type": "submit_bid", "amount": amount, "version": version}
        evening.phones[1].post(evening.seat(1, "/act"), form)

    assert "7000" not in caplog.text
    assert "7,7" not in caplog.text


def test_a_secret_is_in_no_address(app: Flask) -> None:
    """Bids go in the body of a POST; no form of a seat's page sends them in an address."""
    evening = Evening(app, auction="sealed").start()
    evening.play(random.Random(1), until="sealed_auction")
    page = evening.phones[1].get(evening.seat(1, "?open=1")).text

    assert 'name="amount"' in page
    assert 'method="get"' not in page


def test_the_data_folder_is_the_owners_alone(tmp_path: Path) -> None:
    """Whoever else has an account on the machine cannot read the bids."""
    with app_at(tmp_path / "data") as app:
        Evening(app).start()
        files = [path for path in (tmp_path / "data").rglob("*") if path.is_file()]

        assert files
        assert {path.stat().st_mode & 0o077 for path in files} == {0}
    shutil.rmtree(tmp_path / "data")

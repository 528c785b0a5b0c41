"""The HTTP interface's streams and journals: what comes when, to whom, and how much."""

from __future__ import annotations

import random

import msgspec
import pytest
from flask import Flask

from referee import live
from tests.problems import refusal
from tests.table import Sitting, bearer, streaming, tables_of

# Streams


def test_a_stream_begins_with_the_present(app: Flask) -> None:
    """First bytes, then an event with version and the body of GET; the same for a seat."""
    sitting = Sitting(app).start()

    for token in (None, sitting.tokens[1], sitting.host):
        path = f"/api/v1/tables/{sitting.code}/stream"
        with streaming(sitting.client, path, bearer(token)) as stream:
            assert stream.answer.mimetype == "text/event-stream"
            assert stream.answer.headers["Cache-Control"] == "no-cache, no-transform"
            stream.read()
            ((name, version, data),) = stream.read()
        seen = sitting.get(token=token).json
        assert (name, version) == ("table", str(seen["version"]))
        assert msgspec.json.decode(data) == seen


def test_a_stream_tells_every_change(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an action comes an event with the new version, in between heartbeats."""
    monkeypatch.setattr(live, "HEARTBEAT_S", 0.02)
    sitting = Sitting(app).start()

    with streaming(sitting.client, f"/api/v1/tables/{sitting.code}/stream") as stream:
        stream.read()
        stream.read()
        assert stream.read() == [("hb", "", "")]
        version = sitting.act(0, {"type": "draw_plot"}).json["version"]
        ((name, number, data),) = stream.read()
        assert (name, number) == ("table", str(version))
        assert msgspec.json.decode(data)["view"]["public"]["plot"]


def test_a_stream_ends_with_its_token(app: Flask) -> None:
    """Who loses the seat is told so, and shown nothing more."""
    sitting = Sitting(app).start()
    path = f"/api/v1/tables/{sitting.code}/stream"

    with streaming(sitting.client, path, bearer(sitting.tokens[0])) as stream:
        stream.read()
        stream.read()
        sitting.post("/release", {"seat": 0}, sitting.host)
        assert stream.read() == [("gone", "", "gone")]
        with pytest.raises(StopIteration):
            stream.read()
    assert stream.answer.headers["X-Accel-Buffering"] == "no"


def test_streams_are_bounded(own_app: Flask) -> None:
    """When there is no room for another page, a program is told to wait."""
    sitting = Sitting(own_app)
    tables_of(own_app).live.most = 1
    path = f"/api/v1/tables/{sitting.code}/stream"

    with streaming(sitting.client, path):
        assert refusal(sitting.get("/stream")) == (429, "no_room")
    with streaming(sitting.client, path) as stream:
        assert stream.answer.status_code == 200


# The journal


def test_the_journal_while_playing(app: Flask) -> None:
    """A header without the seed, then entries; sealed ones without payload, none with a salt."""
    sitting = Sitting(app, seed=None, auction="sealed").start()
    sitting.act(0, {"type": "draw_plot"})
    sitting.act(1, {"type": "submit_bid", "amount": 3000})
    answer = sitting.get("/journal")
    header, *lines = [msgspec.json.decode(line) for line in answer.data.splitlines()]

    assert answer.mimetype == "application/jsonl"
    assert header["seed"] is None
    assert header["commitment"] == sitting.body()["commitment"]
    assert [line["seq"] for line in lines] == [*range(1, len(lines) + 1)]
    assert all("salt" not in line for line in lines)
    bid = lines[-1]
    assert (bid["kind"], bid["seat"], bid["sealed"]) == ("action", 1, True)
    assert "payload" not in bid
    deal = next(line for line in lines if line["kind"] == "chance")
    assert "payload" not in deal
    drawn = lines[-2]
    assert drawn["payload"]["drawn"] == {"plot": [sitting.body()["view"]["public"]["plot"]]}
    assert b"3000" not in answer.data.splitlines()[-1]


@pytest.mark.long
def test_the_journal_when_it_is_over(app: Flask) -> None:
    """Everything opens: payloads, salts, the seed."""
    sitting = Sitting(app, seed=None, auction="sealed").start()
    sitting.finish(random.Random(3))
    header, *lines = [
        msgspec.json.decode(line) for line in sitting.get("/journal").data.splitlines()
    ]

    assert header["seed"] == sitting.table.seed
    assert all(line["salt"] and line["payload"] for line in lines)
    assert len(lines) == sitting.table.ledger.length


def test_a_changed_bid_is_in_ones_own_journal_only(app: Flask) -> None:
    """Others' lines are numbered as if there were no change."""
    sitting = Sitting(app, auction="sealed").start()
    sitting.act(0, {"type": "draw_plot"})
    sitting.act(1, {"type": "submit_bid", "amount": 3000})
    before = [sitting.get("/journal", token).data for token in (None, sitting.tokens[0])]
    length = len(sitting.get("/journal", sitting.tokens[1]).data.splitlines())
    sitting.act(1, {"type": "submit_bid", "amount": 5000})

    assert [sitting.get("/journal", token).data for token in (None, sitting.tokens[0])] == before
    assert len(sitting.get("/journal", sitting.tokens[1]).data.splitlines()) == length + 1
    sitting.act(2, {"type": "submit_bid", "amount": 0})
    last = msgspec.json.decode(sitting.get("/journal").data.splitlines()[-1])
    assert last["seq"] == sitting.body()["version"]

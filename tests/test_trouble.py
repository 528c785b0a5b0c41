"""Damage stays where it is: one table's, the disk's, the machine's."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask import Flask

from referee import backups, salvage
from referee.seal import link
from referee.tables import Tables
from referee.web.place import Place
from tests.table import Browser, Evening, act, app_at, choose, deal, play, tables_at, tables_of

ELSEWHERE = {"REMOTE_ADDR": "192.168.1.77"}
HERE = {"base_url": "http://localhost:8000"}

DAMAGES = {
    "no JSON": ("entries", "payload", "{nonsense"),
    "no letters": ("entries", "payload", b"\xff\xfe{}"),
    "another kind": ("entries", "kind", "poem"),
    "another move": ("entries", "payload", '{"what": "agree", "seat": 0}'),
}


def spoil(tables: Tables, code: str, seq: int, column: str, value: Any) -> None:
    """Write something into a stored entry, as a dying card does."""
    text = value if isinstance(value, str) else None

    def change(connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA ignore_check_constraints = 1")
        expression = "?" if text is not None else f"CAST(x'{value.hex()}' AS TEXT)"
        given = (text,) if text is not None else ()
        connection.execute(
            f"UPDATE entries SET {column} = {expression} WHERE code = ? AND seq = ?",  # noqa: S608
            (*given, code, seq),
        )

    tables.store.write(change)


@pytest.fixture(params=DAMAGES.values(), ids=DAMAGES.keys())
def spoiled(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Flask, str, str]]:
    """Give an app with a good table and one that is damaged from entry 9 on."""
    with tables_at(tmp_path) as tables:
        good, bad = deal(tables), deal(tables)
        play(tables, bad, random.Random(1), most=12)
        _, column, value = request.param
        spoil(tables, bad.code, 9, column, value)
        codes = good.code, bad.code
    with app_at(tmp_path) as app:
        yield app, *codes


def test_a_damaged_table_harms_no_other(spoiled: tuple[Flask, str, str]) -> None:
    """The start page lists the others, names this one on the machine alone, and it has a page."""
    app, good, bad = spoiled
    laptop = app.test_client()

    start = laptop.get("/", **HERE)
    assert start.status_code == 200
    assert f"/t/{good}" in start.text
    assert f'href="/t/{bad}"' in start.text
    assert bad not in laptop.get("/", environ_base=ELSEWHERE).text
    assert laptop.get(f"/t/{good}").status_code == 200
    for path in (f"/t/{bad}", f"/s/{bad}/0"):
        page = laptop.get(path, **HERE)
        assert page.status_code == 500
        assert "entry 9" in page.text
    assert laptop.get(f"/api/v1/tables/{bad}").get_json()["code"] in {
        "unreadable",
        "broken_chain",
    }


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "another version"),
        ("de", "Eine andere Version"),
        ("fr", "une autre version"),
    ],
)
def test_what_another_version_played_is_not_called_damaged(
    tmp_path: Path, lang: str, said: str
) -> None:
    """Its chain holds; a new table may go on, and the version that wrote it still can."""
    with tables_at(tmp_path) as tables:
        bad = deal(tables)
        play(tables, bad, random.Random(1), most=12)
        made, entries = tables.store.entries(bad.code), bad.ledger.length
        head = made[-2].chain
        other = {"id": "x", "action": {"type": "fly"}, "by": "seat"}
        later = msgspec.structs.replace(made[-1], payload=other)
        spoil(tables, bad.code, entries, "payload", msgspec.json.encode(other).decode())
        spoil(tables, bad.code, entries, "chain", link(head, later))
    with app_at(tmp_path) as app:
        laptop = app.test_client()
        page = laptop.get(f"/t/{bad.code}", headers={"Accept-Language": lang}, **HERE)
        assert page.status_code == 500
        assert said in page.text
        assert f"({bad.code})" in page.text
        assert f"/t/{bad.code}/go-on" in page.text


def test_what_can_be_read_is_saved_and_played_on(spoiled: tuple[Flask, str, str]) -> None:
    """A new table goes on with the entries before the damage; the damaged journal stays."""
    app, _, bad = spoiled
    tables, laptop = tables_of(app), app.test_client()
    before = tables.store.readable(bad)

    assert laptop.get(f"/t/{bad}/saved", environ_base=ELSEWHERE).status_code == 403
    assert laptop.post(f"/t/{bad}/go-on", environ_base=ELSEWHERE).status_code == 403
    lines = laptop.get(f"/t/{bad}/saved", **HERE).text.splitlines()
    assert len(lines) == 1 + 8
    assert msgspec.json.decode(lines[-1])["seq"] == 8
    moved = laptop.post(f"/t/{bad}/go-on", **HERE)
    again = tables.find(moved.location.rsplit("/", 1)[-1])
    assert again.ledger.length == 8
    assert [info.name for info in again.ledger.seating.seats.values()] == ["Ann", "Ben", "Cleo"]
    seat = again.ledger.seating.order[0]
    assert tables.seats.is_free(again, seat)
    play(tables, again, random.Random(2))
    assert again.ledger.status == "over"
    assert tables.store.readable(bad) == before


def test_a_table_that_is_whole_has_nothing_to_be_saved(app: Flask) -> None:
    """Nobody copies a good table by this way."""
    evening = Evening(app).start()
    assert app.test_client().post(f"/t/{evening.code}/go-on", **HERE).status_code == 404
    with pytest.raises(Exception, match="no_such_table"):
        salvage.remains(tables_of(app), evening.code)


def test_a_date_that_is_none_is_left_out(own_app: Flask) -> None:
    """One nonsense in a row of the list of tables spoils its own line."""
    evening = Evening(own_app).start()
    tables_of(own_app).store.write(lambda c: c.execute("UPDATE tables SET played_at = 'yesterday'"))

    assert evening.code in own_app.test_client().get("/", **HERE).text


def test_what_was_brought_back_is_said_until_somebody_read_it(tmp_path: Path) -> None:
    """On the machine alone; a phone can neither read it nor take note of it."""
    with tables_at(tmp_path) as tables:
        deal(tables)
        made = tables.store.keep_backup()
    (tmp_path / "referee.db").write_bytes(b"nonsense" * 1000)
    with app_at(tmp_path) as app:
        laptop = app.test_client()
        for _ in range(2):
            assert made.name in laptop.get("/", **HERE).text
            assert made.name not in laptop.get("/", environ_base=ELSEWHERE).text
        assert laptop.post("/restored", environ_base=ELSEWHERE).status_code == 403
        assert backups.unseen(tmp_path) is not None
        laptop.post("/restored", **HERE)
        assert made.name not in laptop.get("/", **HERE).text


@pytest.mark.parametrize(
    ("says", "hears"),
    [
        ("database or disk is full", "disk of the computer is full"),
        ("database is locked", "Another program holds"),
        ("attempt to write a readonly database", "cannot be written to"),
        ("disk I/O error", "disk of the computer fails"),
    ],
)
def test_the_page_says_what_the_disk_does(
    app: Flask,
    says: str,
    hears: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """And the terminal too; the same tap counts once it is mended."""
    evening = Evening(app).start()
    phone, store = evening.phones[0], tables_of(app).store
    form = {"type": "draw_plot", "version": str(evening.table.ledger.version(0)), "id": "tap"}
    length = evening.table.ledger.length

    def refuse(_: object) -> None:
        raise sqlite3.OperationalError(says)

    with monkeypatch.context() as broken:
        broken.setattr(store, "write", refuse)
        answer = phone.post(evening.seat(0, "/act"), form)
    assert answer.status_code == 503
    assert hears in answer.text
    assert says in caplog.text
    assert evening.table.ledger.length == length
    assert phone.post(evening.seat(0, "/act"), form).status_code < 400
    assert evening.table.ledger.length > length


def test_a_key_cut_short_is_made_anew(tmp_path: Path) -> None:
    """A guessable key to everything would be worse than a new one."""
    first = Place(tmp_path, port=1, url=None).host_key
    assert Place(tmp_path, port=1, url=None).host_key == first
    for text in (first[:5], "", "\x00" * 32):
        (tmp_path / "host.key").write_text(text)
        fresh = Place(tmp_path, port=1, url=None).host_key
        assert len(fresh) == len(first)
        assert fresh not in {first, text}
    assert (tmp_path / "host.key").stat().st_mode & 0o077 == 0
    assert [*tmp_path.glob("*.partial")] == []


def test_nothing_is_said_where_nothing_happened(app: Flask) -> None:
    """The start page of an ordinary evening is quiet."""
    laptop = Browser(app)
    assert "brought back" not in laptop.get("/").text
    assert "cannot be read" not in laptop.get("/").text


def test_an_accepted_action_stays_accepted_when_reading_fails_later(app: Flask) -> None:
    """What is stored is what happened, even if nothing can be read for a while."""
    evening = Evening(app).start()
    tables = tables_of(app)
    act(tables, evening.table, *choose(evening.table.ledger, random.Random(1)))
    assert tables.store.entries(evening.code)[-1].seq == evening.table.ledger.length

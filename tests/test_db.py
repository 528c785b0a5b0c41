"""Storage: one writer, group commit, constraints that decide races, migrations."""

from __future__ import annotations

import contextlib
import random
import sqlite3
import stat
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.connecting import connect
from referee.db import Store, TableRow, insert_entries
from referee.desk import STAMP_EVERY_S
from referee.entries import Draft
from referee.errors import StaleTable
from referee.schema import migrations
from referee.seal import ROOT, seal
from referee.tables import Tables
from tests.stores import add_table, append, entry, run
from tests.table import act, choose, deal, play, tables_at


def count(store: Store, table: str = "entries") -> int:
    """Count the rows of a table."""
    with store.reading() as database:
        return int(database.table(table).count)


# Writing


def test_racing_appends_are_decided_by_the_primary_key(store: Store) -> None:
    """8 threads append 200 times each: no lock error, each number once, losers refused cleanly."""
    won: list[list[int]] = [[] for _ in range(8)]
    lost = [0] * 8

    def work(thread: int) -> None:
        for seq in range(1, 201):
            try:
                append(store, entry(seq, thread))
                won[thread].append(seq)
            except sqlite3.IntegrityError:
                lost[thread] += 1

    run(work, 8)
    assert sorted(seq for mine in won for seq in mine) == [*range(1, 201)]
    assert sum(lost) == 7 * 200
    kept = {e.seq: e.seat for e in store.entries("TABLE")}
    assert kept == {seq: thread for thread, mine in enumerate(won) for seq in mine}


def test_no_update_is_lost(store: Store) -> None:
    """8 threads read, add one and write, 200 times each: the sum is right."""
    store.write(lambda c: c.execute("CREATE TABLE sums (value INTEGER) STRICT"))
    store.write(lambda c: c.execute("INSERT INTO sums VALUES (0)"))

    def one_more(connection: sqlite3.Connection) -> int:
        (value,) = connection.execute("SELECT value FROM sums").fetchone()
        connection.execute("UPDATE sums SET value = ?", (value + 1,))
        return int(value) + 1

    seen: list[int] = []
    run(lambda _: seen.extend(store.write(one_more) for _ in range(200)), 8)
    assert sorted(seen) == [*range(1, 1601)]


@contextlib.contextmanager
def standing(tmp_path: Path) -> Iterator[tuple[Store, list[int], Callable[[], None]]]:
    """Give a store in the middle of a commit of entry 1, what commits it made, what lets it go on.

    Whoever comes meanwhile waits in its queue.
    """
    gate, is_inside = threading.Event(), threading.Event()
    gate.set()
    commits: list[int] = []

    def slowly(commit: Any) -> None:
        is_inside.set()
        assert gate.wait(60)
        commits.append(1)
        commit()

    store = Store(tmp_path / "referee.db", offload=slowly)
    add_table(store, "TABLE")
    gate.clear()
    is_inside.clear()
    commits.clear()
    first = threading.Thread(target=append, args=(store, entry(1)))
    first.start()
    assert is_inside.wait(60)
    yield store, commits, gate.set
    first.join()


def waits(store: Store, most: int) -> None:
    """Wait until so many jobs are in the queue of a store."""
    while store._jobs.qsize() < most:  # noqa: SLF001  # until all of them wait
        time.sleep(0.001)


def test_a_refusal_spares_the_others_of_its_batch(tmp_path: Path) -> None:
    """Jobs that share a commit fail or succeed each for itself."""
    outcomes: dict[int, str] = {}

    def work(number: int) -> None:
        try:
            append(store, entry(1 if number % 2 else number + 2, number))
            outcomes[number] = "stored"
        except sqlite3.IntegrityError:
            outcomes[number] = "refused"

    crowd = [threading.Thread(target=work, args=(number,)) for number in range(10)]
    with standing(tmp_path) as (store, commits, go_on):
        for thread in crowd:
            thread.start()
        waits(store, 10)
        go_on()
        for thread in crowd:
            thread.join()
        store.close()

    assert len(commits) == 2
    assert outcomes == {n: "refused" if n % 2 else "stored" for n in range(10)}


@pytest.mark.parametrize("error", [ValueError("x"), KeyError("x"), sqlite3.OperationalError("x")])
def test_an_error_inside_a_job_changes_nothing(store: Store, error: Exception) -> None:
    """Half a job is undone, its maker gets the error, and the writer goes on for the others."""

    def half(connection: sqlite3.Connection) -> None:
        insert_entries(connection, "TABLE", [entry(1)])
        raise error

    with pytest.raises(type(error)):
        store.write(half)
    assert count(store) == 0
    store.write(lambda c: insert_entries(c, "TABLE", [entry(1)]))
    assert count(store) == 1


@pytest.mark.parametrize("at", range(3))
def test_many_entries_are_stored_together_or_not_at_all(store: Store, at: int) -> None:
    """One that does not fit takes the others of its action with it."""
    store.write(lambda c: insert_entries(c, "TABLE", [entry(at + 1)]))

    with pytest.raises(sqlite3.IntegrityError):
        store.write(lambda c: insert_entries(c, "TABLE", [entry(1), entry(2), entry(3)]))
    assert [e.seq for e in store.entries("TABLE")] == [at + 1]


def test_a_full_disk_leaves_the_table_as_it_was(tmp_path: Path) -> None:
    """What could not be stored did not happen: state, version and file agree, and play goes on."""
    with tables_at(tmp_path) as tables:
        table = deal(tables)
        connection = tables.store._db.conn  # noqa: SLF001  # the writer's own
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")
        rng = random.Random(1)
        with pytest.raises(sqlite3.OperationalError, match="full"):
            play(tables, table, rng)
        before = table.ledger.state, table.ledger.length
        assert tables.store.entries(table.code)[-1].seq == table.ledger.length
        connection.execute("PRAGMA max_page_count = 100000")
        act(tables, table, *choose(table.ledger, rng))
        assert table.ledger.length > before[1]
        play(tables, table, rng)
        assert table.ledger.status == "over"


# The schema


def test_a_file_of_an_older_referee_is_opened_as_it_is(tmp_path: Path) -> None:
    """Its tables said how far they were; now their journals do, and nothing else is lost."""
    old = connect(tmp_path / "referee.db")
    migrations.apply(old, stop_before="0003_no_status")
    row = ("TABLE", "winchester", "de", "seed", "playing", "then", "later")
    old.conn.execute("INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    old.close()

    store = Store(tmp_path / "referee.db")
    found = store.table_row("TABLE")
    store.close()

    assert found == TableRow("TABLE", "winchester", "de", "seed", "then", "later")


def test_migrations_run_once(tmp_path: Path) -> None:
    """Opening again applies nothing and loses nothing."""
    for _ in range(3):
        store = Store(tmp_path / "referee.db")
        migrations.apply(store._db)  # noqa: SLF001
        store.close()
    store = Store(tmp_path / "referee.db")
    add_table(store, "TABLE")
    store.close()

    with contextlib.closing(sqlite3.connect(tmp_path / "referee.db")) as plain:
        names = {row[0] for row in plain.execute("SELECT name FROM sqlite_master")}
        assert {"tables", "keys", "entries", "keys_code"} <= names
        assert plain.execute("SELECT count(*) FROM tables").fetchone() == (1,)


def test_playing_makes_no_other_tables(tmp_path: Path) -> None:
    """After a whole game the list of tables is the schema's: no typo became a table."""
    with tables_at(tmp_path) as tables:
        with tables.store.reading() as database:
            before = sorted(database.table_names())
        play(tables, deal(tables), random.Random(1))
        with tables.store.reading() as database:
            assert sorted(database.table_names()) == before


@pytest.mark.parametrize(
    ("statement", "values"),
    [
        (
            "INSERT INTO entries VALUES (?, ?, 'at', 0, 'note', '{}', 's', 'c', NULL)",
            ("TABLE", "1x"),
        ),
        (
            "INSERT INTO entries VALUES (?, ?, 'at', '0x', 'note', '{}', 's', 'c', NULL)",
            ("TABLE", 1),
        ),
        ("INSERT INTO entries VALUES (?, ?, 'at', 0, 'note', '{}', 's', 'c', NULL)", ("TABLE", 0)),
        ("INSERT INTO entries VALUES (?, ?, 'at', 0, NULL, '{}', 's', 'c', NULL)", ("TABLE", 1)),
        ("INSERT INTO entries VALUES (?, ?, 'at', 0, 'note', '{}', 's', 'c', NULL)", ("OTHER", 1)),
        ("INSERT INTO keys VALUES (?, ?, 0)", ("hash", "OTHER")),
        ("INSERT INTO keys VALUES (?, 'TABLE', ?)", ("hash", "first")),
        ("INSERT INTO tables VALUES (?, ?, 'en', 's', 'now', 'now', 1)", ("TABLE", "chess")),
    ],
)
def test_the_schema_refuses_what_makes_no_sense(
    store: Store, statement: str, values: tuple[Any, ...]
) -> None:
    """Text for a number, an entry of no table, a second table of a code."""
    with pytest.raises(sqlite3.IntegrityError):
        store.write(lambda c: c.execute(statement, values))


def test_an_action_id_is_stored_once_a_seat(store: Store) -> None:
    """Should the memory of it fail, the database still refuses the second."""
    played = [
        seal(Draft("action", 0, {"id": "x"}), seq=seq, at="now", salt="", previous=ROOT)
        for seq in (1, 2)
    ]
    store.write(lambda c: insert_entries(c, "TABLE", played[:1]))

    with pytest.raises(sqlite3.IntegrityError):
        store.write(lambda c: insert_entries(c, "TABLE", played[1:]))


def test_every_connection_keeps_the_rules(tmp_path: Path) -> None:
    """WAL, a full sync at each commit, foreign keys, patience, and little memory."""
    database = connect(tmp_path / "a.db")
    asked = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "cache_size")
    found = [database.conn.execute(f"PRAGMA {name}").fetchone()[0] for name in asked]
    database.close()

    assert found == ["wal", 2, 1, 5000, -384]


def test_the_file_is_the_owners_alone(store: Store) -> None:
    """Nobody else on the machine reads the secrets."""
    assert stat.S_IMODE(store.path.stat().st_mode) == 0o600


def test_nothing_is_ordered_by_the_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A board computer without a clock plays its second evening in the past."""
    days = iter(f"20{year:02}-01-01T20:00:00+00:00" for year in (38, 26, 31))
    codes = []
    with tables_at(tmp_path) as tables:
        for _ in range(3):
            day = next(days)
            monkeypatch.setattr("referee.desk.now", lambda day=day: day)
            monkeypatch.setattr("referee.tables.now", lambda day=day: day)
            codes.append(tables.open("winchester")[0].code)
        assert [row.code for row in tables.store.recent_tables()] == codes[::-1]
        again = tables.find(codes[0])
        again.stamped_at -= 2 * STAMP_EVERY_S
        tables.lobby.join(again, "Ann")
        assert [row.code for row in tables.store.recent_tables()] == [codes[0], codes[2], codes[1]]
        facts = {"terrain:7": "forest", "terrain:3": "desert"}
        tables.store.set_facts("winchester", "huch", facts, "1970")
        assert [*tables.store.facts("winchester", "huch")] == [*facts]


def test_evenings_of_an_older_referee_keep_their_order(tmp_path: Path) -> None:
    """What was last is counted on from what their times said."""
    old = connect(tmp_path / "referee.db")
    migrations.apply(old, stop_before="0004_moves")
    for code, played in (("B", "2026-02-01"), ("A", "2026-01-01"), ("C", "2026-03-01")):
        row = (code, "winchester", "de", "seed", "then", played)
        old.conn.execute("INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?)", row)
    old.close()

    with tables_at(tmp_path) as tables:
        newest, _ = tables.open("winchester")
        found = [row.code for row in tables.store.recent_tables()]
    assert found == [newest.code, "C", "B", "A"]


def test_a_journal_that_somebody_else_wrote_to_is_read_again(tables: Tables) -> None:
    """The next action is refused as stale, and the one after it counts: no table is lost."""
    table = deal(tables)
    ahead = Tables(tables.store, tables.live)
    act(ahead, ahead.find(table.code), *choose(table.ledger, random.Random(1)))
    seat, action = choose(table.ledger, random.Random(1))

    with pytest.raises(StaleTable):
        act(tables, table, seat, action)
    assert table.ledger.length == ahead.find(table.code).ledger.length
    play(tables, table, random.Random(2))
    assert table.ledger.status == "over"


def test_another_program_that_writes_is_waited_for_elsewhere(tmp_path: Path) -> None:
    """Where pages are served nothing waits for a lock, and what was to be stored is stored."""
    writing: list[sqlite3.Connection] = []
    elsewhere: list[str] = []

    def offload(call: Any) -> None:
        elsewhere.append("waits for it" if writing else "stores")
        if writing:
            threading.Timer(0.05, writing.pop().execute, ["ROLLBACK"]).start()
        call()

    store = Store(tmp_path / "referee.db", offload=offload)
    add_table(store, "TABLE")
    elsewhere.clear()
    other = connect(tmp_path / "referee.db")
    other.conn.execute("BEGIN IMMEDIATE")
    writing.append(other.conn)
    append(store, entry(1))
    append(store, entry(2))

    assert elsewhere == ["waits for it", "stores", "stores"]
    assert len(store.entries("TABLE")) == 2
    store.close()
    other.close()


def test_closing_finishes_what_is_queued(tmp_path: Path) -> None:
    """Whoever waits for "stored" as the end comes is told so, and it is on the disk."""
    with standing(tmp_path) as (store, _, go_on):
        crowd = [threading.Thread(target=append, args=(store, entry(n))) for n in range(2, 30)]
        for thread in crowd:
            thread.start()
        waits(store, 28)
        crowd.append(threading.Thread(target=store.close))
        crowd[-1].start()
        waits(store, 29)
        go_on()
        for thread in crowd:
            thread.join()

    store = Store(tmp_path / "referee.db")
    assert len(store.entries("TABLE")) == 29
    store.close()


def test_what_is_written_along_waits_for_the_next_write(tmp_path: Path) -> None:
    """First in its commit, since it was said first; what fails of it fails alone."""
    store = Store(tmp_path / "referee.db")
    store.write(lambda c: c.execute("CREATE TABLE said (word TEXT) STRICT"))
    store.write_along(lambda c: c.execute("INSERT INTO said VALUES ('along')"))
    store.write_along(lambda c: c.execute("INSERT INTO nowhere VALUES ('lost')"))
    with store.reading() as database:
        assert database.table("said").count == 0
    store.write(lambda c: c.execute("UPDATE said SET word = word || ', then written'"))
    with store.reading() as database:
        assert [row["word"] for row in database.table("said").rows] == ["along, then written"]
    store.close()


def test_what_is_written_along_is_written_at_the_end(tmp_path: Path) -> None:
    """Nothing that was said while the server ran is forgotten when it stops."""
    store = Store(tmp_path / "referee.db")
    store.write(lambda c: c.execute("CREATE TABLE said (word TEXT) STRICT"))
    store.write_along(lambda c: c.execute("INSERT INTO said VALUES ('along')"))
    store.close()
    database = connect(tmp_path / "referee.db")
    assert database.table("said").count == 1
    database.close()

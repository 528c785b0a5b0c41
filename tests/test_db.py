"""Storage: one writer, group commit, constraints that decide races, backups and recovery."""

from __future__ import annotations

import contextlib
import os
import random
import sqlite3
import stat
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee import backups, db
from referee.backups import KEPT, Restored
from referee.db import Store, TableRow, connect, insert_entries, insert_table
from referee.desk import STAMP_EVERY_S
from referee.entries import Draft, Entry
from referee.errors import StaleTable
from referee.schema import migrations
from referee.seal import ROOT, seal
from referee.tables import Tables
from tests.table import act, choose, deal, play, tables_at


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Open the database of a fresh folder, with one table in it."""
    store = Store(tmp_path / "referee.db")
    add_table(store, "TABLE")
    yield store
    store.close()


def add_table(store: Store, code: str) -> None:
    """Add a row for a table."""
    row = TableRow(code, "winchester", "en", "seed", "now", "now")
    store.write(lambda connection: insert_table(connection, row))


def entry(seq: int, seat: int | None = 0, **payload: Any) -> Entry:
    """Make an entry."""
    draft = Draft("note", seat, payload)
    return seal(draft, seq=seq, at="now", salt="salt", previous=ROOT)


def append(store: Store, made: Entry) -> None:
    """Append an entry."""
    store.write(lambda connection: insert_entries(connection, "TABLE", [made]))


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


def run(work: Any, threads: int) -> None:
    """Run in several threads at once; an error in one is an error here."""
    failed: list[BaseException] = []
    gate = threading.Barrier(threads)

    def body(number: int) -> None:
        gate.wait()
        try:
            work(number)
        except BaseException as error:  # noqa: BLE001  # told below
            failed.append(error)

    crowd = [threading.Thread(target=body, args=(number,)) for number in range(threads)]
    for thread in crowd:
        thread.start()
    for thread in crowd:
        thread.join()
    assert failed == []


def test_a_refusal_spares_the_others_of_its_batch(tmp_path: Path) -> None:
    """Jobs that share a commit fail or succeed each for itself."""
    gate, is_inside = threading.Event(), threading.Event()
    gate.set()
    commits: list[int] = []

    def slowly(commit: Any) -> None:
        is_inside.set()
        gate.wait()
        commits.append(1)
        commit()

    store = Store(tmp_path / "referee.db", offload=slowly)
    add_table(store, "TABLE")
    outcomes: dict[int, str] = {}

    def work(number: int) -> None:
        try:
            append(store, entry(1 if number % 2 else number + 2, number))
            outcomes[number] = "stored"
        except sqlite3.IntegrityError:
            outcomes[number] = "refused"

    gate.clear()
    is_inside.clear()
    crowd = [threading.Thread(target=work, args=(number,)) for number in (11, *range(10))]
    crowd[0].start()
    is_inside.wait()
    for thread in crowd[1:]:
        thread.start()
    while store._jobs.qsize() < 10:  # noqa: SLF001  # until all of them wait
        time.sleep(0.001)
    commits.clear()
    gate.set()
    for thread in crowd:
        thread.join()
    store.close()

    assert len(commits) == 2
    assert outcomes == {n: "refused" if n % 2 and n < 10 else "stored" for n in (11, *range(10))}


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
    """WAL, a full sync at each commit, foreign keys, and patience."""
    database = connect(tmp_path / "a.db")
    asked = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
    found = [database.conn.execute(f"PRAGMA {name}").fetchone()[0] for name in asked]
    database.close()

    assert found == ["wal", 2, 1, 5000]


def test_the_file_is_the_owners_alone(store: Store) -> None:
    """Nobody else on the machine reads the secrets."""
    assert stat.S_IMODE(store.path.stat().st_mode) == 0o600


# Backups and damage


def test_a_backup_while_writing_is_whole(store: Store, tmp_path: Path) -> None:
    """Taken in the middle of many writes it opens, is sound, and has no gap."""
    stop = threading.Event()

    def write() -> None:
        seq = 0
        while not stop.is_set():
            seq += 1
            append(store, entry(seq))

    writer = threading.Thread(target=write)
    writer.start()
    made = [store.backup(tmp_path / f"copy{n}.db") for n in range(5)]
    stop.set()
    writer.join()

    for path in made:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        with contextlib.closing(sqlite3.connect(path)) as copy:
            assert copy.execute("PRAGMA quick_check").fetchone() == ("ok",)
            last, number = copy.execute("SELECT max(seq), count(*) FROM entries").fetchone()
            assert (last or 0) == number


def test_a_backup_that_takes_for_ever_holds_nobody_up(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stands still in the middle of its copy: a whole game is played meanwhile, and looked at.

    It holds what was so when it began, and what was played is in the next one.
    """
    table, older = deal(tables), deal(tables)
    length, stands, go_on = older.ledger.length, threading.Event(), threading.Event()
    sync = os.fsync

    def stand(file: int) -> None:
        stands.set()
        assert go_on.wait(60)
        sync(file)

    monkeypatch.setattr(backups, "PIECE", 4)
    monkeypatch.setattr(os, "fsync", stand)
    made: list[Path] = []
    backing = threading.Thread(target=lambda: made.append(tables.store.keep_backup()))
    backing.start()
    assert stands.wait(60)
    play(tables, table, random.Random(1))
    tables.store.want_backup()  # what the end of a game does; nobody waits for it either
    act(tables, older, *choose(older.ledger, random.Random(1)))
    assert tables.store.entries(older.code)[-1].seq == older.ledger.length > length
    assert backing.is_alive()
    assert tables.store.entries(table.code)[-1].seq == table.ledger.length
    go_on.set()
    backing.join()

    with contextlib.closing(sqlite3.connect(made[0])) as copy:
        assert copy.execute("PRAGMA quick_check").fetchone() == ("ok",)
        last = "SELECT max(seq) FROM entries WHERE code = ?"
        assert copy.execute(last, [older.code]).fetchone() == (length,)


def test_a_backup_into_a_folder_is_named_by_the_time(store: Store, tmp_path: Path) -> None:
    """So that it does not overwrite an older one."""
    (tmp_path / "folder").mkdir()
    made = store.backup(tmp_path / "folder")

    assert made.parent == tmp_path / "folder"
    assert made.name.startswith("referee-")
    assert [*made.parent.iterdir()] == [made]


def test_the_newest_backups_are_kept(store: Store) -> None:
    """Older ones go."""
    folder = store.path.parent / "backups"
    folder.mkdir()
    for year in range(2001, 2030):
        (folder / f"referee-{year}0101-000000.db").touch()
    made = store.keep_backup()

    left = sorted(path.name for path in folder.iterdir())
    assert len(left) == KEPT
    assert left[-1] == made.name or made.exists()


def test_a_finished_game_is_backed_up(tables: Tables) -> None:
    """The evening's result survives the SD card."""
    play(tables, deal(tables), random.Random(1))
    tables.store.close()

    assert len([*(tables.store.path.parent / "backups").glob("referee-*.db")]) == 1


def test_two_games_that_end_at_once_make_one_sound_backup(tables: Tables) -> None:
    """Backups of the same second do not step on each other."""
    run(lambda _: tables.store.keep_backup(), 6)

    for path in (tables.store.path.parent / "backups").iterdir():
        with contextlib.closing(sqlite3.connect(path)) as copy:
            assert copy.execute("PRAGMA quick_check").fetchone() == ("ok",)
        assert path.suffix == ".db"


def damage(path: Path) -> None:
    """Overwrite the middle of a file, as a dying card does."""
    raw = bytearray(path.read_bytes())
    raw[:100] = b"\x00" * 100
    raw[4096:8192] = random.Random(1).randbytes(4096)
    path.write_bytes(raw)


def test_a_damaged_file_gives_way_to_the_newest_sound_backup(tmp_path: Path) -> None:
    """It is put aside, what was backed up is back, and the table says so until it is seen.

    The newest is the one with the highest number, whatever the clock said: these were made on a
    machine whose clock was in the future once. One without content is none.
    """
    path, folder = tmp_path / "referee.db", tmp_path / "backups"
    with tables_at(tmp_path) as tables:
        old = deal(tables)
        tables.store.keep_backup().rename(folder / "referee-000001-20380101-200000.db")
        new = deal(tables)
        tables.store.keep_backup().rename(folder / "referee-000002-20260101-210000.db")
        deal(tables)
    (folder / "referee-000003-20260101-220000.db").write_bytes(b"SQLite format 3\0 no")
    (folder / "referee-000004-20260101-230000.db").touch()
    damage(path)

    with tables_at(tmp_path) as tables:
        restored = Restored("damaged", "referee-000002-20260101-210000.db", "2026-01-01")
        assert tables.store.restored == restored == backups.unseen(tmp_path)
        assert {row.code for row in tables.store.recent_tables()} == {old.code, new.code}
        assert tables.find(new.code).ledger.state == new.ledger.state
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert len([*tmp_path.glob("referee-damaged-*.db")]) == 1
        assert tables.store.keep_backup().name.startswith("referee-000005-")
    with tables_at(tmp_path) as tables:
        assert tables.store.restored is None
        assert backups.unseen(tmp_path) == restored
        backups.seen(tmp_path)
        assert backups.unseen(tmp_path) is None


@pytest.mark.parametrize("lost", ["missing", "emptier", "of another program", "of no length"])
def test_a_database_that_lost_its_evenings_is_brought_back(tmp_path: Path, lost: str) -> None:
    """Beside a good backup no evening begins empty, whatever became of the file."""
    path = tmp_path / "referee.db"
    with tables_at(tmp_path) as tables:
        table = deal(tables)
        tables.store.keep_backup()
    path.unlink()
    match lost:
        case "emptier":
            Store(tmp_path / "elsewhere" / "referee.db").close()
            (tmp_path / "elsewhere" / "referee.db").rename(path)
        case "of another program":
            with contextlib.closing(sqlite3.connect(path)) as other:
                other.execute("CREATE TABLE theirs (a)")
        case "of no length":
            path.touch()

    with tables_at(tmp_path) as tables:
        assert tables.store.restored is not None
        assert [row.code for row in tables.store.recent_tables()] == [table.code]


def test_a_damaged_file_without_any_backup(tmp_path: Path) -> None:
    """Is put aside too, and the evening begins anew."""
    with tables_at(tmp_path) as tables:
        deal(tables)
    damage(tmp_path / "referee.db")

    with tables_at(tmp_path) as tables:
        assert tables.store.restored == Restored("damaged", "", "")
        assert tables.store.recent_tables() == []
        deal(tables)


def test_a_sound_file_is_left_alone(tmp_path: Path) -> None:
    """Nothing was brought back, nothing put aside, with older backups beside it."""
    for _ in range(2):
        with tables_at(tmp_path) as tables:
            assert tables.store.restored is None
            deal(tables)
            tables.store.keep_backup()
    assert [*tmp_path.glob("*damaged*")] == []


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


def test_a_backup_that_fails_takes_nothing_back(tables: Tables) -> None:
    """The last move of a game is stored; a disk too full for its backup is the backup's matter."""
    tables.store.path.parent.joinpath("backups").write_text("in the way")
    table = deal(tables)
    play(tables, table, random.Random(1))

    assert table.ledger.status == "over"
    assert tables.store.entries(table.code)[-1].seq == table.ledger.length


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


def test_a_locked_file_is_not_taken_for_a_damaged_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody else's lock is an error to be told, not a reason to put the evening aside."""
    monkeypatch.setattr(db, "BUSY_MS", 50)
    path = tmp_path / "referee.db"
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("CREATE TABLE here (a)")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            Store(path)

    assert [*tmp_path.glob("*damaged*")] == []
    assert path.exists()


def test_closing_finishes_what_is_queued(tmp_path: Path) -> None:
    """Whoever was told "stored" finds it on disk."""
    store = Store(tmp_path / "referee.db")
    add_table(store, "TABLE")
    threads = [threading.Thread(target=append, args=(store, entry(seq))) for seq in range(1, 30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store.close()

    store = Store(tmp_path / "referee.db")
    assert len(store.entries("TABLE")) == 29
    store.close()

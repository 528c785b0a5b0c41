"""Backups and recovery: what a copy holds, and what is done with a file that is damaged."""

from __future__ import annotations

import contextlib
import os
import random
import sqlite3
import stat
import threading
from pathlib import Path

import pytest

from referee import backups, connecting
from referee.backups import KEPT, Restored, ordered
from referee.db import Store
from referee.tables import Tables
from tests.stores import append, entry, run
from tests.table import act, choose, deal, play, tables_at

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
    tables: Tables, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It stands still in the middle of its copy: a whole game is played meanwhile, and looked at.

    It holds what was so when it began, and what was played is in the next one.
    """
    table, older = deal(tables), deal(tables)
    length, stands, go_on = older.ledger.length, threading.Event(), threading.Event()
    sync = os.fsync

    def stand(file: int) -> None:
        # Not another database's: one that a test before this one wanted may still be made.
        if threading.current_thread() is backing:
            stands.set()
            assert go_on.wait(60)
        sync(file)

    monkeypatch.setattr(backups, "PIECE", 4)
    monkeypatch.setattr(os, "fsync", stand)
    made: list[Path] = []
    backing = threading.Thread(target=lambda: made.append(tables.store.keep_backup()))
    with contextlib.closing(Store(tmp_path / "other" / "referee.db")) as other:
        other.keep_backup()
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
    with contextlib.closing(sqlite3.connect(tables.store.keep_backup())) as copy:
        assert copy.execute(last, [older.code]).fetchone() == (older.ledger.length,)


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


def test_who_closes_in_the_moment_in_which_a_backup_begins_waits_for_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The keeper has heard that one is wanted, and not yet that all ends: both are, once."""
    store = Store(tmp_path / "referee.db")
    bell, has_rung = store._bell, threading.Event()  # noqa: SLF001  # nothing else is as quick
    closing = threading.Thread(target=store.close, daemon=True)
    ring, clear = bell.set, bell.clear

    def rung() -> None:
        ring()
        if threading.current_thread() is closing:
            has_rung.set()

    def cleared() -> None:
        if closing.ident is None:
            closing.start()
            assert has_rung.wait(60)
        clear()

    monkeypatch.setattr(bell, "set", rung)
    monkeypatch.setattr(bell, "clear", cleared)
    store.want_backup()
    assert has_rung.wait(60)
    closing.join(60)

    assert not closing.is_alive()
    assert len([*(tmp_path / "backups").iterdir()]) == 1


def test_backups_made_at_once_are_one_file_each(tables: Tables) -> None:
    """Those of the same second do not step on each other: each is whole, and has its own number."""
    run(lambda _: tables.store.keep_backup(), 6)

    kept = ordered(tables.store.path.parent / "backups")
    assert [path.name[8:14] for path in kept] == [f"{number:06}" for number in range(1, 7)]
    for path in (tables.store.path.parent / "backups").iterdir():
        with contextlib.closing(sqlite3.connect(path)) as copy:
            assert copy.execute("PRAGMA quick_check").fetchone() == ("ok",)
        assert path.suffix == ".db"


def test_a_backup_that_is_done_while_another_looks_for_a_number_keeps_its_own(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its file is whole by then, and no other grows in its place."""
    look, looks = Path.glob, list[str]()

    def interrupted(folder: Path, pattern: str) -> list[Path]:
        found = [*look(folder, pattern)]
        looks.append(pattern)
        if len(looks) == 1:
            tables.store.keep_backup()
        return found

    with monkeypatch.context() as patch:
        patch.setattr(Path, "glob", interrupted)
        tables.store.keep_backup()

    kept = [*(tables.store.path.parent / "backups").iterdir()]
    assert sorted(path.name[:14] for path in kept) == ["referee-000001", "referee-000002"]


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


def test_a_backup_that_fails_takes_nothing_back(tables: Tables) -> None:
    """The last move of a game is stored; a disk too full for its backup is the backup's matter."""
    tables.store.path.parent.joinpath("backups").write_text("in the way")
    table = deal(tables)
    play(tables, table, random.Random(1))

    assert table.ledger.status == "over"
    assert tables.store.entries(table.code)[-1].seq == table.ledger.length


def test_a_locked_file_is_not_taken_for_a_damaged_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody else's lock is an error to be told, not a reason to put the evening aside."""
    monkeypatch.setattr(connecting, "BUSY_MS", 50)
    monkeypatch.setattr(backups, "BUSY_S", 0.05)
    path = tmp_path / "referee.db"
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("CREATE TABLE here (a)")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            Store(path)

    assert [*tmp_path.glob("*damaged*")] == []
    assert path.exists()

"""The `referee` command, run in the test's own process; what serves is in test_server."""

from __future__ import annotations

import contextlib
import io
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import click
import msgspec
import pytest

from referee import __version__, backups, cli, connecting, demo
from referee.tables import Table, Tables
from tests.browser.serving import until
from tests.table import deal, play, tables_at


def run(*words: str) -> int:
    """Run the command and give its exit code."""
    with pytest.raises(SystemExit) as ended:
        cli.main([*words])
    return int(ended.value.code or 0)


@pytest.fixture
def evening(tmp_path: Path) -> tuple[Path, Table]:
    """Play a game to its end in a data folder."""
    with tables_at(tmp_path) as tables:
        table = deal(tables)
        tables.lobby.rename(table, 0, "Zoë 🐺")
        play(tables, table, random.Random(1))
    return tmp_path, table


def test_simulate_tells_what_it_did(capsys: pytest.CaptureFixture[str]) -> None:
    """One JSON object with counts, speeds, no violations, and shares of wins that sum to one."""
    assert run("simulate", "winchester", "--games", "3", "--seed", "x", "--json") == 0
    report = msgspec.json.decode(capsys.readouterr().out)

    assert (report["game"], report["games"], report["violations"]) == ("winchester", 9, 0)
    assert report["actions"] > 9 * 50
    for name in ("seconds", "games_per_s", "actions_per_s"):
        assert report[name] > 0
    assert {*report["win_shares"]} == {"3", "4", "5"}
    for count, shares in report["win_shares"].items():
        assert len(shares) == int(count)
        assert sum(shares) == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("auction", ["open", "sealed", "proxy"])
def test_simulate_with_options(auction: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Seats and options as chosen, told in plain lines."""
    words = (
        "simulate",
        "winchester",
        "--games",
        "2",
        "--seats",
        "4",
        "--option",
        f"auction={auction}",
    )

    assert run(*words) == 0
    out = capsys.readouterr().out
    assert "violations     0" in out
    assert "'4':" in out


@pytest.mark.parametrize(
    "words",
    [
        ("chess",),
        ("winchester", "--seats", "7"),
        ("winchester", "--option", "auction=dutch"),
        ("winchester", "--option", "nonsense"),
    ],
)
def test_simulate_refuses(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """Unknown games, seats and options are exit code 2 and one line."""
    assert run("simulate", *words, "--games", "1") == 2
    assert capsys.readouterr().err.startswith("referee: ")


def test_same_seed_same_simulation(capsys: pytest.CaptureFixture[str]) -> None:
    """So that a violation can be played again."""
    found = []
    for _ in range(2):
        run("simulate", "winchester", "--games", "2", "--seats", "3", "--json")
        found.append(msgspec.json.decode(capsys.readouterr().out))

    assert found[0]["actions"] == found[1]["actions"]
    assert found[0]["win_shares"] == found[1]["win_shares"]


@pytest.mark.parametrize(
    ("form", "sign"),
    [("csv", "table,game,seat"), ("bgstats", '"plays"'), ("journal", "commitment")],
)
def test_export(
    evening: tuple[Path, Table], form: str, sign: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Journal, spreadsheet and BG Stats, to standard output; the journal verifies."""
    folder, table = evening
    assert run("export", table.code, "--format", form, "--data", str(folder)) == 0
    out = capsys.readouterr().out
    assert sign in out
    assert "Zoë 🐺" in out
    if form == "journal":
        (folder / "out.jsonl").write_text(out, encoding="utf-8")
        assert run("verify", str(folder / "out.jsonl")) == 0


def test_export_keeps_every_sign_on_any_console(
    evening: tuple[Path, Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Piped into a file on an old code page, the journal is still whole and verifies."""
    folder, table = evening
    raw = io.BytesIO()
    with contextlib.closing(io.TextIOWrapper(raw, encoding="cp1252")) as console:
        monkeypatch.setattr("sys.stdout", console)
        assert run("export", table.code, "--data", str(folder)) == 0
        console.flush()
        (folder / "out.jsonl").write_bytes(raw.getvalue())
        monkeypatch.undo()

    assert run("verify", str(folder / "out.jsonl")) == 0


def test_export_of_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No database, no such table, no result yet: exit code 1 and a line."""
    assert run("export", "AAAAA", "--data", str(tmp_path / "none")) == 1
    assert "There is no database at" in capsys.readouterr().err
    with tables_at(tmp_path) as tables:
        table = deal(tables)
    assert run("export", "AAAAA", "--data", str(tmp_path)) == 1
    assert "There is no table AAAAA here." in capsys.readouterr().err
    assert run("export", table.code, "--format", "csv", "--data", str(tmp_path)) == 1
    assert "is not over yet" in capsys.readouterr().err


def test_backup(evening: tuple[Path, Table], capsys: pytest.CaptureFixture[str]) -> None:
    """To a file or into a folder; it opens as a data folder of its own."""
    folder, table = evening
    (folder / "copies").mkdir()
    assert run("backup", str(folder / "copies"), "--data", str(folder)) == 0
    made = Path(capsys.readouterr().out.strip())
    assert made.parent == folder / "copies"
    again = folder / "again"
    again.mkdir()
    shutil.copy(made, again / "referee.db")
    with tables_at(again) as tables:
        assert tables.find(table.code).ledger.state == table.ledger.state
    with contextlib.closing(sqlite3.connect(made)) as copy:
        assert copy.execute("PRAGMA quick_check").fetchone() == ("ok",)


@pytest.mark.parametrize("words", [("export", "AAAAA"), ("backup", "copy.db")])
def test_a_database_that_is_held_is_said_in_a_sentence(
    words: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Another program's lock is nothing that a traceback explains."""
    monkeypatch.setattr(connecting, "BUSY_MS", 20)
    monkeypatch.setattr(backups, "BUSY_S", 0.02)
    with contextlib.closing(sqlite3.connect(tmp_path / "referee.db")) as other:
        other.execute("CREATE TABLE here (a)")
        other.execute("BEGIN EXCLUSIVE")
        assert run(*words, "--data", str(tmp_path)) == 1
    assert capsys.readouterr().err.splitlines() == [
        "referee: Another program holds the database. Close it, then try again."
    ]


def test_a_spreadsheet_has_the_same_lines_on_every_system(
    evening: tuple[Path, Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a line's end is written as two signs, none becomes three."""
    folder, table = evening
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, newline="\r\n"))
    assert run("export", table.code, "--format", "csv", "--data", str(folder)) == 0
    assert raw.getvalue().count(b"\r\n") == raw.getvalue().count(b"\r") > 3


def test_doctor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Names the data folder, the port, networks, and how fast codes are drawn."""
    assert run("doctor", "--data", str(tmp_path)) in {0, 1}
    out = capsys.readouterr().out
    for word in ("Python", "Data", str(tmp_path), "Port", "Network", "QR"):
        assert word in out


def test_debug_is_refused_where_others_reach_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A debugger open to the table would open the machine."""
    monkeypatch.setenv("FLASK_DEBUG", "1")

    assert run("--data", str(tmp_path)) == 2
    assert "FLASK_DEBUG" in capsys.readouterr().err


def test_unknown_words(capsys: pytest.CaptureFixture[str]) -> None:
    """Are refused with the usage; help and version are told."""
    assert run("simulate") == 2
    assert run("demo", "chess") == 2
    assert run("--nonsense") == 2
    assert "usage" in capsys.readouterr().err
    assert run("--version") == 0
    assert __version__ in capsys.readouterr().out
    assert run("--help") == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("sevre", "'serve'"),
        ("dcotor", "Did you mean 'doctor'?"),
        ("serve --no-browse", "Did you mean '--no-browser'?"),
        ("simulate winchestr", "Did you mean winchester?"),
        ("demo chess", "There is no game chess. There are: winchester"),
        ("simulate winchester --games 0", "0 is not in the range"),
        ("simulate winchester --seats 0", "0 is not in the range"),
        ("simulate winchester --seats 7", "This game takes 3 to 5 players."),
        ("simulate winchester --option auction", "One looks like preset=app"),
        ("simulate winchester --option auction=dutch", "no option auction=dutch"),
        ("serve --port 0", "0 is not in the range"),
        ("doctor --port 65536", "65536 is not in the range"),
        ("demo --pace -1", "is not in the range"),
        ("serve --proxy -1", "is not in the range"),
        ("serve --url foo\\bar", "is no address"),
        ("serve --url http://", "is no address"),
        ("serve --url http://a:99999", "is no address"),
        ("serve --url ftp://a.example", "is no address"),
        ("export", "Missing argument 'CODE'"),
        ("export A --format pdf", "is not one of 'journal', 'csv', 'bgstats'"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(
    words: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence, where to read more, exit code 2, and no traceback."""
    assert run(*words.split()) == 2
    first, second, *more = capsys.readouterr().err.splitlines()

    assert first.startswith("referee: ")
    assert sentence in first
    assert "--help" in second
    assert more == []


def test_a_space_is_in_no_address(capsys: pytest.CaptureFixture[str]) -> None:
    """No phone could open it."""
    assert run("serve", "--url", "foo bar") == 2
    assert "foo bar is no address" in capsys.readouterr().err


def test_help_tells_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    """Of every command, in a sentence; and numbers say what they are without it."""
    for name, command in cli.commands.commands.items():
        assert command.help, name
        for found in command.params:
            assert not isinstance(found, click.Option) or found.help, f"{name} {found.name}"
    assert run("serve", "--help") == 0
    assert "[default: 8000; 1<=x<=65535]" in " ".join(capsys.readouterr().out.split())


def test_whoever_reads_may_stop() -> None:
    """`| head` ends it with a sentence and no traceback."""
    command = [sys.executable, "-m", "referee", "simulate", "winchester", "--games", "1"]
    reading, writing = os.pipe()
    os.close(reading)
    ran = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)

    assert ran.returncode == 1
    assert ran.stderr.decode() == "referee: Whoever was reading this has stopped.\n"


@pytest.mark.parametrize(
    ("lang", "usage", "refused"),
    [
        ("de_DE.UTF-8", "Aufruf:", "Es gibt keinen Befehl"),
        ("fr_FR", "Usage\u202f:", "pas de commande"),
    ],
)
def test_the_terminal_speaks_the_machines_language(lang: str, usage: str, refused: str) -> None:
    """Our sentences and click's own."""
    command = [sys.executable, "-m", "referee"]
    environ = os.environ | {"LC_ALL": lang, "PYTHONUTF8": "1"}
    helped, failed = (
        subprocess.run([*command, word], env=environ, check=False, capture_output=True)
        for word in ("--help", "sevre")
    )

    assert usage in helped.stdout.decode()
    assert refused in failed.stderr.decode()


def test_the_journal_of_a_running_game_says_what_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is given, sealed, and a sentence beside it says so; verify does as well."""
    with tables_at(tmp_path) as tables:
        table = deal(tables)
    assert run("export", table.code, "--data", str(tmp_path)) == 0
    given = capsys.readouterr()
    assert "still being played" in given.err
    (tmp_path / "out.jsonl").write_text(given.out, encoding="utf-8")
    assert run("verify", str(tmp_path / "out.jsonl")) == 1
    assert "This game goes on" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("environment", "lang"),
    [
        ({"LANG": "de_CH.UTF-8"}, "de"),
        ({"LC_ALL": "fr_FR", "LANG": "de_DE"}, "fr"),
        ({"LC_ALL": "C.UTF-8", "LANG": "de_DE"}, "en"),
        ({"LANG": "pt_BR"}, "en"),
        ({}, "en"),
    ],
)
def test_the_machines_language(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], lang: str
) -> None:
    """If it is one of ours."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert cli.system_language() == lang


def test_where_data_lives(tmp_path: Path) -> None:
    """Where one says, else in the checkout's instance folder."""
    assert cli.data_folder(tmp_path) == tmp_path
    assert cli.data_folder(None).name in {"instance", "referee"}


def test_the_demo_plays_by_itself(tables: Tables) -> None:
    """Bots finish a game while one looks on."""
    path = demo.begin(tables, "winchester", pace=0.0, lang="en")
    table = tables.find(path.removeprefix("t/"))
    until(lambda: table.ledger.status == "over", within_s=200)

    assert len(table.ledger.seating.order) == 4

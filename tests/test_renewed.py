"""The program is renewed while pages stay open: by a new version, in the middle of an evening."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask

from referee.connecting import connect
from referee.db import Store
from referee.errors import NewerData
from referee.schema import migrations, unknown
from tests.table import Evening, streaming
from tests.test_cli import run

TOMORROW = "9999_tomorrow"
AS_IT_IS = "SELECT sql FROM sqlite_master UNION SELECT name FROM _sqlite_migrations"


@pytest.fixture
def newer(tmp_path: Path) -> Path:
    """Give a folder that a version of the referee wrote which there is not yet."""
    path = tmp_path / "referee.db"
    Store(path).close()
    with closing(connect(path)) as db, db.conn:
        made = ("referee", TOMORROW, "2027-01-01")
        db.conn.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES (?, ?, ?)",
            made,
        )
    return tmp_path


def test_what_a_newer_version_wrote_is_left_alone(newer: Path) -> None:
    """Nothing is added to it, nothing put aside, and no copy of it pushes an older one out."""
    path = newer / "referee.db"
    with closing(connect(path)) as db:
        before = [*db.conn.execute(AS_IT_IS)]
    with pytest.raises(NewerData) as refused:
        Store(path)
    assert refused.value.facts == {"path": str(path)}
    with closing(connect(path)) as db:
        assert [*db.conn.execute(AS_IT_IS)] == before
        assert unknown(db) == {TOMORROW}
    assert not [*newer.glob("backups/*"), *newer.glob("*damaged*")]


@pytest.mark.server
def test_a_start_on_what_a_newer_version_wrote_says_so(newer: Path) -> None:
    """In a sentence, and not as a trace; so do other commands."""
    words = [sys.executable, "-m", "referee", "serve", "--no-browser", "--data", str(newer)]
    english = os.environ | {"LC_ALL": "C"}
    ended = subprocess.run(  # ours
        words, capture_output=True, text=True, timeout=60, check=False, env=english
    )
    assert ended.returncode == 1
    assert ended.stderr.startswith("referee: A newer version of the referee wrote ")
    assert "Traceback" not in ended.stderr


def test_no_command_opens_what_a_newer_version_wrote(
    newer: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They end with the same sentence."""
    assert run("export", "ABCDE", "--data", str(newer)) == 1
    assert capsys.readouterr().err.startswith("referee: A newer version of the referee wrote ")


def test_what_an_older_version_wrote_is_copied_before_it_is_changed(tmp_path: Path) -> None:
    """So that the older one can go on from there; a start that changes nothing copies nothing."""
    path = tmp_path / "referee.db"
    with closing(connect(path)) as old:
        migrations.apply(old, stop_before="0009_hints")
    for _ in range(2):
        Store(path).close()
    (copy,) = tmp_path.glob("backups/referee-*.db")
    with closing(connect(copy)) as kept:
        assert "0009_hints" in {migration.name for migration in migrations.pending(kept)}
    with closing(connect(path)) as now:
        assert migrations.pending(now) == []


def test_a_first_start_copies_nothing(tmp_path: Path) -> None:
    """There is nothing yet."""
    Store(tmp_path / "referee.db").close()
    assert [*tmp_path.glob("backups/*")] == []


def test_a_page_of_another_version_of_the_program_is_made_anew(app: Flask) -> None:
    """Its scripts know nothing of what the parts are by now; one of this version goes on."""
    evening = Evening(app).start()
    short = app.extensions["referee"].renderer.assets.short_tag
    for who, path in ((evening.laptop, f"/t/{evening.code}"), (evening.phones[1], evening.seat(1))):
        page = who.get(f"{path}?open=1").text
        address = page.split('data-stream="')[1].split('"')[0].replace("&amp;", "&")
        assert f"have=of-{short}." in address
        for again in ("", "&again=1"):
            with streaming(who.client, address + again) as stream:
                stream.read()
                assert "reload" not in [name for name, _, _ in stream.read()]
            for old in (f"of-{short[::-1]}.", ""):
                was = address.replace(f"of-{short}.", old) + again
                with streaming(who.client, was) as stream:
                    stream.read()
                    assert [name for name, _, _ in stream.read()] == ["reload"]

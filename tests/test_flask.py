"""The application as people know Flask: a factory, its commands, settings, an instance folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask import url_for
from werkzeug.routing import Rule

from referee.folder import Folder
from referee.web import create_app
from referee.where import data_folder
from tests.ports import free_port

ROOT = Path(__file__).parent.parent
FLASK = (sys.executable, "-m", "flask", "--app", "referee.web")
PATIENCE = 60.0


def flask(*words: str, data: Path, said: str = "") -> str:
    """Run Flask's own command line on our application."""
    ran = subprocess.run(
        [*FLASK, *words],
        env=os.environ | {"REFEREE_DATA": str(data)},
        input=said,
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_flask_routes(tmp_path: Path) -> None:
    """It lists the areas."""
    told = flask("routes", data=tmp_path)

    assert "lobby.start" in told
    assert "stream" in told


def test_flask_shell(tmp_path: Path) -> None:
    """The use cases are at hand, also beside a referee that runs."""
    home = Folder(tmp_path)
    home.claim()
    try:
        told = flask("shell", data=tmp_path, said="print(len(tables.store.recent_tables()) + 41)\n")
    finally:
        home.release()

    assert "41" in told


def asked(url: str) -> str:
    """Read a page."""
    with urllib.request.urlopen(url, timeout=PATIENCE) as page:  # noqa: S310  # ours
        read: bytes = page.read()
    return read.decode()


def test_flask_run_serves(tmp_path: Path) -> None:
    """As a folder's only server, and codes lead to the port that it was asked at."""
    port = free_port()
    command = [*FLASK, "run", "--port", str(port)]
    environ = os.environ | {"REFEREE_DATA": str(tmp_path), "REFEREE_LANG": "de"}
    with subprocess.Popen(command, env=environ, cwd=ROOT, stderr=subprocess.PIPE) as process:
        try:
            assert process.stderr is not None
            for line in process.stderr:
                if b"Running on" in line:
                    break
            drain = threading.Thread(target=process.stderr.read, daemon=True)
            drain.start()
            address = f"http://127.0.0.1:{port}"
            told, helped = (asked(f"{address}{path}") for path in ("/", "/help"))
            assert f":{port}" in helped
            with pytest.raises(Exception, match="already_running"):
                Folder(tmp_path).claim()
        finally:
            process.terminate()
            process.wait(PATIENCE)
            drain.join(PATIENCE)
    assert re.search(r'<html lang="de"', told)


def test_what_writes_an_address_is_made_when_one_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A start does not wait for it; who extends the referee may ask Flask for one all the same."""
    made: list[Rule] = []
    compiled = Rule._compile_builder  # noqa: SLF001  # what takes its time

    def noted(self: Rule, append_unknown: bool = True) -> Any:  # noqa: FBT001, FBT002  # as it is
        made.append(self)
        return compiled(self, append_unknown)

    monkeypatch.setattr(Rule, "_compile_builder", noted)
    app = create_app({"DATA": str(tmp_path)})
    app.extensions["referee"].tables.store.close()
    assert made == []

    with app.test_request_context("/"):
        address = url_for("stream.seat", code="ABCDE", seat=2, have="log-1")
    assert address == "/s/ABCDE/2/stream?have=log-1"


def test_the_data_folder_is_the_instance_folder(tmp_path: Path) -> None:
    """Whoever asks Flask where things are kept is told the truth."""
    app = create_app({"DATA": str(tmp_path), "SOMETHING_ELSE": 1})
    app.extensions["referee"].tables.store.close()

    assert app.instance_path == str(tmp_path)
    assert (tmp_path / "referee.db").is_file()
    assert app.config["SOMETHING_ELSE"] == 1


def test_what_was_given_goes_before_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the environment before what is usual."""
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path))
    monkeypatch.setenv("REFEREE_PORT", "8123")
    monkeypatch.setenv("REFEREE_LANG", "fr")
    app = create_app({"LANG": "de"})
    app.extensions["referee"].tables.store.close()

    assert (app.config["PORT"], app.config["LANG"]) == (8123, "de")


@pytest.mark.parametrize(("name", "value"), [("PORT", "no"), ("PORT", "0"), ("LANG", "nl")])
def test_a_setting_that_cannot_be_is_refused(
    name: str, value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At once and by its name, before anything is stored."""
    monkeypatch.setenv(f"REFEREE_{name}", value)
    with pytest.raises(msgspec.ValidationError, match=name):
        create_app({"DATA": str(tmp_path / "new")})
    assert not (tmp_path / "new").exists()


def test_a_checkout_keeps_its_evenings_in_its_instance_folder() -> None:
    """The folder is there from the beginning, and what comes into it stays out of git."""
    assert data_folder() == ROOT / "instance"
    assert (ROOT / "instance" / ".gitignore").read_text(encoding="utf-8").splitlines()[1:] == [
        "*",
        "!.gitignore",
    ]

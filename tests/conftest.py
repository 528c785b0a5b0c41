"""What all tests share: apps, and tables that are closed again."""

from __future__ import annotations

import gc
import os
import random
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from coverage import Coverage
from flask import Flask
from hypothesis import settings

from referee import live
from referee.db import Store
from referee.tables import Tables
from referee.web.faults import Faults
from tests.stores import add_table
from tests.table import app_at, tables_at

LONG: Final = ("browser", "server", "long")
"""Marks of tests that take long, the longest first."""

UNCOUNTED: Final = LONG
"""Marks of tests that are not counted: another process runs our code, or what they run through at
length others run through as well."""

FOREIGN: Final = ("de", "fr")

ROOM: Final = 1 << 30

NAMES_A_FILE: Final = 4
"""Bytes of chance in the name of a file that is being written; whatever a game draws has more."""

# Files of tests lie in memory where there is enough: what is tested is what is written and in which
# order, and a disk that others keep busy makes the tests wait for it thousands of times.
_memory = Path("/dev/shm")  # noqa: S108  # pytest makes a folder of its own there, for its owner
if _memory.is_dir() and shutil.disk_usage(_memory).free > ROOM:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_memory))

# Templates are compiled once for all tests, and not into the cache of whoever runs them.
os.environ["XDG_CACHE_HOME"] = str(Path(__file__).parent.parent / ".pytest_cache" / "home")

# What the terminal says is looked at in English, whatever this machine speaks.
os.environ["LC_ALL"] = "C.UTF-8"
os.environ.pop("LANGUAGE", None)

# How long an example takes says how busy the machine is, not whether something is wrong.
settings.register_profile("referee", deadline=None)
settings.load_profile("referee")

# The collector looks as often as in the server: a process of three thousand tests holds so much
# that looking through it took a fifth of the time.
gc.set_threshold(50_000, 20, 50)


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """Make one app for all tests that only need tables of their own; one takes half a second."""
    with app_at(tmp_path_factory.mktemp("shared")) as app:
        yield app


@pytest.fixture
def own_app(tmp_path: Path) -> Iterator[Flask]:
    """Make the app of a fresh data folder."""
    with app_at(tmp_path) as app:
        yield app


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    """Open the tables of a fresh data folder."""
    with tables_at(tmp_path) as tables:
        yield tables


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Open the database of a fresh folder, with one table in it."""
    store = Store(tmp_path / "referee.db")
    add_table(store, "TABLE")
    yield store
    store.close()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Count each line once: pytest-cov begins to count before it knows that it is a worker.

    It begins again when it does, forgets the first count, and lets it slow every test down.
    """
    counting = Coverage.current()
    if counting and hasattr(session.config, "workerinput"):
        counting.stop()


@pytest.hookimpl(trylast=True)  # after pytest-randomly: what weighs the same stays in random order
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what takes long where tests are shared out, so that all cores end together.

    Nothing of ours is counted where only another process runs it, nor in tests that take long:
    counting doubles the time, and all they run through others count as well, which the gate of
    coverage holds. Of the same test in three languages English is counted.
    """
    counted = {_but_for_language(item) for item in items if _language_of(item) == "en"}
    for item in items:
        is_again = _language_of(item) in FOREIGN and _but_for_language(item) in counted
        if is_again or any(item.get_closest_marker(mark) for mark in UNCOUNTED):
            item.add_marker(pytest.mark.no_cover)
    if hasattr(config, "workerinput"):
        items.sort(key=_place_in_line)


def pytest_collection_finish() -> None:
    """Let the collector pass over what lives as long as the process: modules, tests and fixtures.

    Looked through first: what an import left behind is not kept for ever.
    """
    gc.collect()
    gc.freeze()


def _language_of(item: pytest.Item) -> str:
    """Give the language that a test was asked to run in, "" for none in particular."""
    return str(_asked(item).get("lang", ""))


def _but_for_language(item: pytest.Item) -> tuple[str, str]:
    others = {name: value for name, value in _asked(item).items() if name != "lang"}
    return item.nodeid.partition("[")[0], repr(sorted(others.items()))


def _asked(item: pytest.Item) -> dict[str, object]:
    callspec = getattr(item, "callspec", None)  # only what is parametrized has one
    return {} if callspec is None else dict(callspec.params)


def _place_in_line(item: pytest.Item) -> int:
    return next((n for n, mark in enumerate(LONG) if item.get_closest_marker(mark)), len(LONG))


@pytest.fixture(autouse=True, scope="session")
def _nobody_falls_asleep() -> Iterator[None]:
    """Let no page depend on how fast a test is: a phone that was heard of once is awake."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("PRESENT_S", "ABSENT_S"):
            patch.setattr(live, name, 3600.0)
        yield


@pytest.fixture(autouse=True, scope="session")
def _faults_are_loud() -> Iterator[None]:
    """Let a fault in a drawing fail the test that met it, instead of being one part's alone."""

    def note(_self: object, _table: object, _viewer: object, _part: object, fault: object) -> None:
        assert isinstance(fault, Exception)
        raise fault

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Faults, "note", note)
        yield


@pytest.fixture(autouse=True)
def _chance_repeats_itself(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test's tables draw the same each time: what fails fails again, what passes passes.

    Seeds, what phones mix in and salts come of its name; keys and codes are as random as ever.
    """
    rng, draw = random.Random(request.node.nodeid), secrets.token_hex

    def token_hex(size: int = 32) -> str:
        # The short ones name files that a backup writes, in its own time: they are no part of it.
        return draw(size) if size <= NAMES_A_FILE else rng.randbytes(size).hex()

    monkeypatch.setattr(secrets, "token_hex", token_hex)

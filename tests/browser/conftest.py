"""One Chromium for all browser tests, one server for those that leave it alone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Playwright, expect, sync_playwright

from tests import browsers
from tests.walk.screens import Screens

from .bench import APP, HOST, NAMES, SLOW_MS, Api, Bench, Server
from .chromium import Chromium

NO_CHROMIUM = "NO BROWSER TEST WAS RUN: no Chromium found (python -m tests.browsers)"
NO_ZBAR = "NO CODE WAS READ: no zbarimg found (Debian's package zbar-tools)"


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Start what talks to browsers."""
    expect.set_options(timeout=SLOW_MS)
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Chromium]:
    """Keep a Chromium; without one skip loudly, or fail where nothing may be skipped."""
    path = browsers.chromium()
    if path is None:
        if browsers.IS_CI:
            pytest.fail(NO_CHROMIUM)
        pytest.skip(NO_CHROMIUM)
    kept = Chromium(playwright, path, f"--host-resolver-rules=MAP {HOST} 127.0.0.1")
    yield kept
    kept.close()


@pytest.fixture(scope="session")
def zbarimg() -> str:
    """Find the scanner; without one skip loudly, or fail where nothing may be skipped."""
    found = shutil.which("zbarimg")
    if found is None:
        if browsers.IS_CI:
            pytest.fail(NO_ZBAR)
        pytest.skip(NO_ZBAR)
    return found


@pytest.fixture(scope="module")
def screens(chromium: Chromium, app: Flask) -> Iterator[Screens]:
    """Keep a phone and a display for all scenes."""
    screens = Screens(chromium.browser(), app)
    yield screens
    with chromium.closing():
        screens.close()


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve for all tests that only open tables."""
    with closing(Server(tmp_path_factory.mktemp("data"))) as server:
        server.start()
        _teach(server)
        yield server


def _teach(server: Server) -> None:
    """Let nobody be a newcomer, who is shown how: else the first test would look at other pages."""
    status, found = server.call("POST", "/api/v1/tables", {"game": "winchester", "options": APP})
    assert status == 201, found
    api = Api(server, found["table"])
    api.tokens = [api.join(name) for name in NAMES]
    for seat in range(len(NAMES)):
        api.show_how(seat, "off")


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """Serve for one test, which may stop it."""
    with closing(Server(tmp_path)) as server:
        server.start()
        yield server


@pytest.fixture
def bench(chromium: Chromium, shared_server: Server) -> Iterator[Bench]:
    """Give a bench on the shared server; any complaint of a page fails the test."""
    yield from _bench(chromium, shared_server)


@pytest.fixture
def own_bench(chromium: Chromium, own_server: Server) -> Iterator[Bench]:
    """Give a bench on a server of its own."""
    yield from _bench(chromium, own_server)


@pytest.fixture
def early_bench(chromium: Chromium, tmp_path: Path) -> Iterator[Bench]:
    """Give a bench whose server is not started yet: its tables can be played to an end before."""
    with closing(Server(tmp_path)) as server:
        yield from _bench(chromium, server)


def _bench(chromium: Chromium, server: Server) -> Iterator[Bench]:
    bench = Bench(chromium.browser(), server)
    yield bench
    with chromium.closing():
        bench.close()
    bench.judge()

"""A Chromium for every browser test, one server for those that leave it alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

from tests.browsers import ARGUMENTS, IS_CI, chromium

from .bench import HOST, SLOW_MS, Bench, Server

NO_CHROMIUM = "NO BROWSER TEST WAS RUN: no Chromium found (python -m tests.browsers)"


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Start what talks to browsers."""
    expect.set_options(timeout=SLOW_MS)
    with sync_playwright() as started:
        yield started


@pytest.fixture
def browser(playwright: Playwright) -> Browser:
    """Start a Chromium of its own; without one skip loudly, or fail where nothing may be skipped.

    Closing pages waits for ever when Chromium stands still, closing a browser does not.
    """
    path = chromium()
    if path is None:
        if IS_CI:
            pytest.fail(NO_CHROMIUM)
        pytest.skip(NO_CHROMIUM)
    named = f"--host-resolver-rules=MAP {HOST} 127.0.0.1"
    return playwright.chromium.launch(executable_path=path, args=[*ARGUMENTS, named])


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve for all tests that only open tables."""
    server = Server(tmp_path_factory.mktemp("data"))
    server.start()
    yield server
    server.close()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """Serve for one test, which may stop it."""
    server = Server(tmp_path)
    server.start()
    yield server
    server.close()


@pytest.fixture
def bench(browser: Browser, shared_server: Server) -> Iterator[Bench]:
    """Give a bench on the shared server; any complaint of a page fails the test."""
    yield from _bench(browser, shared_server)


@pytest.fixture
def own_bench(browser: Browser, own_server: Server) -> Iterator[Bench]:
    """Give a bench on a server of its own."""
    yield from _bench(browser, own_server)


def _bench(browser: Browser, server: Server) -> Iterator[Bench]:
    bench = Bench(browser, server)
    yield bench
    bench.close()
    bench.judge()

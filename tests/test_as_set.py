"""What a server sets at its start is so in the process that serves."""

from __future__ import annotations

import io
import resource
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from tests.browser.serving import Server, until

pytestmark = [
    pytest.mark.server,
    pytest.mark.skipif("sys.platform != 'linux'", reason="Linux tells what a connection is set to"),
]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """Give what a running server tells once it has calmed down."""
    told: dict[str, Any] = {}
    with closing(Server(tmp_path_factory.mktemp("set"), module="tests.as_set")) as server:
        server.start()

        def is_calm() -> bool:
            told.update(server.call("GET", "/as-set")[1])
            return bool(told["is_frozen"])

        until(is_calm, within_s=30)
        yield told


def test_a_commit_waits_for_no_drawing(found: dict[str, Any]) -> None:
    """Threads change ten times as often as Python has it."""
    assert found["switch_s"] == pytest.approx(0.0005)


def test_the_collector_looks_at_what_is_new_only(found: dict[str, Any]) -> None:
    """A second after the start, when all modules are read."""
    assert found["thresholds"] == [1_000, 1_000_000_000, 1_000_000_000]


def test_as_many_files_may_be_open_as_the_system_allows(found: dict[str, Any]) -> None:
    """Up to those of all pages that may be open."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    soft, hard = found["files"]
    assert hard in {most, resource.RLIM_INFINITY}
    assert soft == resource.RLIM_INFINITY or soft >= (8192 if most < 0 else min(8192, most))


@pytest.mark.parametrize(("who", "patience_ms"), [("writes", 0), ("reads", 5000)])
def test_the_database_is_open_as_it_has_to_be(
    found: dict[str, Any], who: str, patience_ms: int
) -> None:
    """Durable, with little memory; the writer asks once, and waits where it holds up nobody."""
    assert found[who] == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "busy_timeout": patience_ms,
        "cache_size": -384,
        "journal_size_limit": 4 << 20,
    }


def test_a_connection_takes_little_and_sends_at_once(found: dict[str, Any]) -> None:
    """Two kilobytes are read at a time; who cannot be reached is given up after three minutes."""
    empty = io.BufferedReader(io.BytesIO(), 1)  # type: ignore[arg-type]  # one that reads nothing
    assert found["buffer"] == 2048 + empty.__sizeof__() - object.__sizeof__(empty) - 1
    assert found["no_delay"]
    assert found["gone_ms"] == 180_000
    assert found["resend_ms"] in {1000, None}

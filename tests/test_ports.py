"""Ports: one that is taken gives way to the next."""

from __future__ import annotations

import errno
import socket
import sys
from typing import TYPE_CHECKING

import pytest

from referee import lan

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def taken() -> Iterator[int]:
    """Give a port on which another server answers, on loopback only."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.mark.parametrize("host", ["0.0.0.0", "127.0.0.1", "localhost"])  # noqa: S104  # the default
def test_a_taken_port_gives_way_to_the_next(host: str, taken: int) -> None:
    """A neighbour on loopback counts too, and the port found can be had."""
    found = lan.free_port(host, taken)
    assert taken < found <= taken + 49
    with socket.create_server((host, found)):
        pass


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux owns all of 127.0.0.0/8")
def test_a_neighbour_on_loopback_counts_where_both_could_bind(taken: int) -> None:
    """The host's own browser would reach the neighbour, so the port is not ours."""
    assert taken != lan.free_port("127.0.0.2", taken)


def test_a_port_taken_elsewhere_gives_way_too() -> None:
    """A socket that is bound but does not listen yet holds its port as well."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
        assert port != lan.free_port("127.0.0.1", port)


def test_a_free_port_is_taken_as_wanted() -> None:
    """Nobody is moved without need, also right after another server closed there."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):
            server.accept()[0].close()
    assert port == lan.free_port("127.0.0.1", port)


def test_no_free_port_is_said_plainly(taken: int) -> None:
    """The error names the ports that were tried."""
    with pytest.raises(OSError, match=f"no free port from {taken} to {taken} on 127.0.0.1"):
        lan.free_port("127.0.0.1", taken, tries=1)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps no ports for root")
def test_a_port_that_is_kept_for_root_is_no_taken_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said at once; above 1023 others may hold a port in the same words."""
    monkeypatch.setattr(lan, "_is_answered", lambda _port: False)
    monkeypatch.setattr(lan, "_bind_error", lambda *_: errno.EACCES)
    with pytest.raises(PermissionError, match="port 80 is kept for root"):
        lan.free_port("127.0.0.1", 80)
    with pytest.raises(OSError, match="no free port from 1024 to 1073"):
        lan.free_port("127.0.0.1", 1024)


def test_there_is_no_port_past_the_last() -> None:
    """The search ends at 65535 instead of asking for what cannot be."""
    with pytest.raises(OSError, match="no free port from 65536 to 65535"):
        lan.free_port("127.0.0.1", 65536)


def test_a_host_that_is_not_ours_is_no_matter_of_ports() -> None:
    """An address of another machine is an error at once, not fifty refusals."""
    with pytest.raises(OSError) as refusal:  # noqa: PT011  # systems word it differently
        lan.free_port("203.0.113.7", 8000)
    assert errno.EADDRNOTAVAIL == refusal.value.errno

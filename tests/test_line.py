"""The line of the real server: pushed to, kept while it is full, left alone while it rests."""

from __future__ import annotations

import contextlib
import gc
import socket
import struct
import weakref
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import gevent.socket
import pytest

from referee import handling
from referee.line import LINE, NOTHING_NOW, ChunkedLine, Wire


@contextlib.contextmanager
def wires() -> Iterator[tuple[Any, socket.socket]]:
    """Give gevent's end of a connection with little room, and the phone's."""
    ours, theirs = socket.socketpair()
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    with gevent.socket.socket(fileno=ours.detach()) as near, theirs:
        theirs.settimeout(5)
        yield near, theirs


@pytest.mark.parametrize("chunked", [True, False])
def test_a_line_keeps_what_it_could_not_send(*, chunked: bool) -> None:
    """A push never waits; what is left goes out first when the line has room, nothing twice."""
    with wires() as (near, theirs):
        line = ChunkedLine(SimpleNamespace(socket=near, response_use_chunked=chunked))
        assert line.push(b"first")
        long = b"x" * 40_000
        assert not line.push(long)
        wanted = b"5\r\nfirst\r\n9c40\r\n%b\r\n" % long if chunked else b"first" + long
        flushing = gevent.spawn(line.flush)
        read = b""
        theirs.setblocking(False)  # noqa: FBT003  # the standard library's own
        while len(read) < len(wanted):
            gevent.sleep(0.001)
            with contextlib.suppress(BlockingIOError):
                read += theirs.recv(65536)
        flushing.join(5)
        assert read == wanted
        line.flush()
        assert line.push(b"again")


def test_a_phone_that_is_gone_is_found_out_by_its_own_thread() -> None:
    """Who pushes is told no more than that it did not go; the flush says why."""
    with wires() as (near, theirs):
        line = ChunkedLine(SimpleNamespace(socket=near, response_use_chunked=True))
        theirs.close()
        assert not line.push(b"first")
        with pytest.raises(OSError, match=r"pipe|reset"):
            line.flush()


class Rope:
    """An answer that rests between its words."""

    def __init__(self, line: ChunkedLine, *words: bytes) -> None:
        self.line = line
        self.words = list(words)
        self.is_closed = False

    def __iter__(self) -> Iterator[bytes]:
        """Give a word, then rest."""
        while self.words:
            yield self.words.pop(0)
            self.line.rest()
            yield NOTHING_NOW

    def close(self) -> None:
        """Note it."""
        self.is_closed = True


def left(near: Any, *words: bytes) -> tuple[ChunkedLine, Rope, list[str]]:
    """Give a line to whose answer a handler has listened until its first rest."""
    line = ChunkedLine(SimpleNamespace(socket=near, response_use_chunked=True))
    rope, ends = Rope(line, *words), list[str]()
    answer = iter(rope)
    for word in answer:
        if not word:
            break
        line.push(word)

    class Rest:
        def __iter__(self) -> Iterator[bytes]:
            return answer

        def close(self) -> None:
            rope.close()

    line.take_over(Rest(), Wire(near, True, gevent.spawn, lambda: ends.append("ended")))  # noqa: FBT003
    return line, rope, ends


def test_an_answer_that_rests_goes_on_when_it_is_roused_and_only_then() -> None:
    """Without a thread until then; roused twice before it could go on, it goes on once."""
    with wires() as (near, theirs):
        line, rope, ends = left(near, b"one", b"two", b"three")
        assert theirs.recv(99) == b"3\r\none\r\n"
        assert rope.words == [b"two", b"three"]
        line.rouse()
        line.rouse()
        gevent.sleep(0.01)
        assert rope.words == [b"three"]
        assert theirs.recv(99) == b"3\r\ntwo\r\n"
        assert line.push(b"between")
        assert theirs.recv(99) == b"7\r\nbetween\r\n"
        line.rouse()
        gevent.sleep(0.01)
        assert not rope.is_closed
        line.rouse()
        gevent.sleep(0.01)
        assert theirs.recv(99) == b"5\r\nthree\r\n0\r\n\r\n"
        assert theirs.recv(99) == b""
        assert rope.is_closed
        assert ends == ["ended"]
        line.rouse()
        gevent.sleep(0.01)
        assert ends == ["ended"]


def test_an_answer_whose_phone_went_away_while_it_rested_ends() -> None:
    """It says what it has to say, finds nobody, and lets go of all that it holds."""
    with wires() as (near, theirs):
        line, rope, ends = left(near, b"one", b"two")
        theirs.close()
        line.rouse()
        gevent.sleep(0.01)
        assert rope.is_closed
        assert ends == ["ended"]


def hang_up(clients: list[Any], lines: list[ChunkedLine], *, left: int) -> None:
    """Close connections without a word, and have every line find out until so many are left."""
    for client in clients:
        with contextlib.suppress(OSError):
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()

    def rouse() -> None:
        for line in [*lines]:
            line.rouse()

    in_the_end(lambda: len(lines) == left, rouse)


def in_the_end(is_so: Callable[[], bool], meanwhile: Callable[[], None] = lambda: None) -> None:
    """Let everything else go on until something is so."""
    with gevent.Timeout(60):
        while not is_so():
            meanwhile()
            gevent.sleep(0.001)


@contextlib.contextmanager
def serving(app: Any, handler: type[handling.Handler] = handling.Handler) -> Iterator[Any]:
    """Serve an application to whoever connects, as strangers."""
    server = handling.Server(
        ("127.0.0.1", 0),
        app,
        is_trusted=lambda _: False,
        handler_class=handler,
        log=None,
        environ={"wsgi.multithread": True},
    )
    server.start()
    try:
        yield server
    finally:
        server.stop()


def test_lines_that_rest_count_among_the_connections_of_an_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No guest takes all connections by opening pages; who closes one may open another."""
    monkeypatch.setattr(handling, "PER_ADDRESS", 2)
    lines: list[ChunkedLine] = []

    def app(environ: dict[str, Any], start: Any) -> Iterator[bytes]:
        start("200 OK", [("Content-Type", "text/plain")])
        line = environ[LINE]
        lines.append(line)
        try:
            while True:
                yield b"here"
                line.rest()
                yield NOTHING_NOW
        finally:
            lines.remove(line)

    def is_served() -> bool:
        client = gevent.socket.create_connection(("127.0.0.1", server.server_port), 5)
        clients.append(client)
        client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        try:
            return b"200 OK" in client.recv(999)
        except ConnectionResetError:
            return False

    clients: list[Any] = []
    with serving(app) as server:
        try:
            assert [is_served() for _ in range(3)] == [True, True, False]
            hang_up(clients[:1], lines, left=1)
            assert [is_served(), is_served()] == [True, False]
        finally:
            hang_up(clients, lines, left=0)


def test_no_name_server_is_asked_for_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A start does not wait for one that a hotspot has not."""
    names: list[str] = []
    monkeypatch.setattr(gevent.socket, "getfqdn", lambda *_: pytest.fail("asked"))

    def app(environ: dict[str, Any], start: Any) -> list[bytes]:
        start("200 OK", [("Content-Type", "text/plain")])
        names.append(environ["SERVER_NAME"])
        return [b"here"]

    with serving(app) as server:
        where = ("127.0.0.1", server.server_port)
        with gevent.socket.create_connection(where, 5) as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert b"200 OK" in client.recv(999)

    assert names == ["127.0.0.1"]


def test_who_hung_up_is_forgotten_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was needed for a request or a connection goes with it, without a look for garbage.

    A connection that is kept is kept for longer than this waits.
    """
    monkeypatch.setattr(handling, "KEEP_ALIVE_S", 600.0)
    handlers: list[weakref.ref[handling.Handler]] = []
    lines: list[weakref.ref[ChunkedLine]] = []

    class Handler(handling.Handler):
        def handle(self) -> None:
            handlers.append(weakref.ref(self))
            super().handle()

    def app(environ: dict[str, Any], start: Any) -> list[bytes]:
        start("200 OK", [("Content-Type", "text/plain")])
        lines.append(weakref.ref(environ[LINE]))
        return [b"here"]

    gc.disable()
    try:
        with serving(app, Handler) as server:
            where = ("127.0.0.1", server.server_port)
            with gevent.socket.create_connection(where, 5) as client:
                for _ in range(2):
                    client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                    assert b"200 OK" in client.recv(999)
                in_the_end(lambda: [line() for line in lines] == [None, None])
            in_the_end(lambda: [handler() for handler in handlers] == [None])
    finally:
        gc.enable()

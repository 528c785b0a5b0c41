"""The production server: gevent's WSGI server in one process.

A page is a greenlet, not a thread, so open pages are cheap on a Pi; commits run in gevent's own
native threads, so a slow disk holds up nobody. Only this module and the command line know gevent:
everything else is plain `threading`, which `monkey.patch_all` makes cooperative.
"""

from __future__ import annotations

import contextlib
import gc
import signal
import socket
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import metadata
from typing import TYPE_CHECKING, Any, Final

from referee.heads import Head, Lines
from referee.line import LINE, ChunkedLine

if TYPE_CHECKING:
    from flask import Flask  # not before the patching

KEEP_ALIVE_S: Final = 5.0
HEADERS_S: Final = 10.0
"""How long a request may take to say what it wants: phones need some milliseconds."""
SILENCE_S: Final = 20.0
"""How long a line may stand still in the middle of a body or an answer."""
PER_ADDRESS: Final = 64
"""Connections that one address may hold open: a phone needs six, a table on one phone a dozen."""
FILES: Final = 8192
RESEND_MS: Final = 1000
GONE_MS: Final = 180_000
"""How long a connection may lead nowhere before it is given up."""
TCP_RTO_MAX_MS: Final = 44
"""Linux' number, which Python does not name yet."""


def make_cooperative() -> None:
    """Patch the standard library, before anything else of the program is imported.

    gevent looks for plugins among all installed packages, once for each module it patches. None is
    wanted here, and looking takes a tenth of a second of everybody's start.
    """
    from gevent import monkey  # noqa: PLC0415  # only where gevent serves

    look_up = metadata.entry_points
    metadata.entry_points = lambda **_: ()  # type: ignore[assignment]  # for a moment
    try:
        monkey.patch_all()
    finally:
        metadata.entry_points = look_up


def offload(call: Callable[[], None]) -> None:
    """Run a blocking call in a native thread while other pages go on."""
    from gevent import get_hub  # noqa: PLC0415  # only where gevent serves

    get_hub().threadpool.apply(call)


def serve(app: Flask, host: str, port: int, *, ready: Callable[[], None]) -> None:
    """Serve until SIGINT or SIGTERM, then let go of every page and stop at once.

    `ready` is called once the port answers.
    """
    import gevent  # noqa: PLC0415
    from gevent.pywsgi import WSGIServer  # noqa: PLC0415

    raise_file_limit()
    server = _server_class(WSGIServer, app.extensions["referee"].place.is_trusted)(
        _listen(host, port),
        app,
        handler_class=_handler(),
        log=None,
        error_log=None,
        # What goes wrong is told in the terminal, in words that a host can send to somebody.
        environ={"wsgi.multithread": True, "wsgi.errors": sys.stderr},
    )
    live = app.extensions["referee"].live
    app.extensions["referee"].renderer.ahead = gevent.spawn

    def stop() -> None:
        live.stop()
        server.stop(timeout=1)

    for name in (signal.SIGINT, signal.SIGTERM):
        gevent.signal_handler(name, stop)
    server.start()
    gevent.spawn(ready)
    gevent.spawn_later(1, _calm_collector)
    server.serve_forever()
    # Only when nobody can ask for anything any more: what was accepted is still written.
    app.extensions["referee"].tables.store.close()


def _calm_collector() -> None:
    """Let the collector pass over what lives as long as the process, and look less often.

    Full collections had cost pauses of 22-34 ms.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def raise_file_limit() -> None:
    """Ask for as many open files as pages may be open: systems give a program few by default."""
    try:
        import resource  # noqa: PLC0415  # not on Windows, which has no such limit
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _server_class(base: Any, is_trusted: Callable[[str], bool]) -> Any:
    """Make the server that lets no single address take all connections, but for trusted ones."""

    class Server(base):  # type: ignore[misc]  # gevent ships no types
        def __init__(self, *args: Any, **named: Any) -> None:
            super().__init__(*args, **named)
            self._open: Counter[str] = Counter()

        def handle(self, client: Any, address: Any) -> None:
            if is_trusted(address[0]):
                super().handle(client, address)
                return
            if self._open[address[0]] >= PER_ADDRESS:
                client.close()
                return
            self._open[address[0]] += 1
            try:
                super().handle(client, address)
            finally:
                self._open[address[0]] -= 1

    return Server


def _handler() -> Any:
    """Make the handler that hangs up on whoever keeps a connection and does not use it.

    A phone whose line died would first try every one it still believes in, for seconds each; and a
    guest who never finishes a sentence would keep others from being heard.
    """
    from gevent import Timeout  # noqa: PLC0415  # only where gevent serves
    from gevent.pywsgi import WSGIHandler  # noqa: PLC0415

    class Handler(WSGIHandler):  # type: ignore[misc]  # gevent ships no types
        def get_environ(self) -> Any:
            environ = super().get_environ()
            environ[LINE] = ChunkedLine(self)
            return environ

        def read_requestline(self) -> str:
            line = ""
            with Timeout(KEEP_ALIVE_S, False):  # noqa: FBT003  # gevent's: end quietly
                line = str(super().read_requestline())
            return line  # noqa: RET504  # empty when the time was up

        def read_request(self, line: str) -> Any:
            # A ValueError is answered with 400, and the connection ends.
            with Timeout(HEADERS_S, ValueError("headers took too long")):
                found = super().read_request(line)
            self.socket.settimeout(SILENCE_S)
            return found

        def MessageClass(self, lines: Lines, _seekable: int) -> Head:  # noqa: N802  # pywsgi's
            return Head(lines)

        def _headers(self) -> Iterator[tuple[str, str]]:
            head: Head = self.headers
            return head.environ()

        def _sendall(self, data: Any) -> None:
            """Send at once what the system takes, which is all of it but for a slow phone.

            gevent's own way asks the socket for the size of its buffer before each packet.
            """
            sent = self.socket.send(data)
            self.response_length += sent
            if sent < len(data):
                super()._sendall(memoryview(data)[sent:])

        def log_request(self) -> None:
            """Write no log of requests, nor a line for one: it would be made all the same."""

    return Handler


def _resend_soon(listener: socket.socket) -> None:
    """Have what was lost with a cable sent again within a second of its return.

    Systems wait twice as long each time, half a minute in the end. Kernels before 6.15 do not know
    this; phones find out by themselves then, a little later.
    """
    with contextlib.suppress(OSError):
        listener.setsockopt(socket.IPPROTO_TCP, TCP_RTO_MAX_MS, RESEND_MS)
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_MS)


def _listen(host: str, port: int) -> Any:
    """Open the port with small packets sent at once; accepted connections inherit it.

    A host with a colon is an IPv6 address; "::" is every address of both kinds.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    # A server that is started again finds its port free while old connections still fade out.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if family == socket.AF_INET6:
        listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    if sys.platform == "linux":
        _resend_soon(listener)
    listener.bind((host, port))
    listener.listen(256)
    return listener

"""The production server: gevent's WSGI server in one process.

A page is a greenlet, not a thread, so open pages are cheap on a Pi; commits wait for the disk in
gevent's own native threads, so a slow disk holds up nobody. Only this module, `handling` and the
command line know gevent: everything else is plain `threading`, which `monkey.patch_all` makes
cooperative.
"""

from __future__ import annotations

import contextlib
import signal
import socket
import sys
from collections.abc import Callable
from importlib import metadata
from typing import TYPE_CHECKING, Any, Final

from referee import collecting

if TYPE_CHECKING:
    from flask import Flask  # not before the patching

FILES: Final = 8192
SWITCH_S: Final = 0.0005
"""How long a commit's thread waits at each of its half a dozen steps while pages are drawn."""
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

    from referee.handling import Handler, Server  # noqa: PLC0415

    raise_file_limit()
    # Python's own 5 ms would be 30 for a commit in the middle of much drawing, and longer than the
    # disk takes.
    sys.setswitchinterval(SWITCH_S)
    server = Server(
        _listen(host, port),
        app,
        is_trusted=app.extensions["referee"].place.is_trusted,
        handler_class=Handler,
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
    # Not before: until then modules are read, all of which stay.
    gevent.spawn_later(1, collecting.calm)
    gevent.spawn(collecting.keep_tidy, lambda: len(live) == 0)
    gevent.spawn(app.extensions["referee"].publisher.keep_beating)
    server.serve_forever()
    # Only when nobody can ask for anything any more: what was accepted is still written.
    app.extensions["referee"].tables.store.close()


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

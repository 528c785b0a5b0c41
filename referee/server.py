"""The production server: gevent's WSGI server in one process.

A page is a greenlet, not a thread, so open pages are cheap on a Pi; commits run in gevent's own
native threads, so a slow disk holds up nobody. Only this module and the command line know gevent:
everything else is plain `threading`, which `monkey.patch_all` makes cooperative.
"""

from __future__ import annotations

import gc
import signal
import socket
import sys
from collections.abc import Callable
from importlib import metadata
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from flask import Flask  # not before the patching

KEEP_ALIVE_S: Final = 5.0


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

    server = WSGIServer(
        _listen(host, port),
        app,
        handler_class=_handler(),
        log=None,
        error_log=None,
        # What goes wrong is told in the terminal, in words that a host can send to somebody.
        environ={"wsgi.multithread": True, "wsgi.errors": sys.stderr},
    )
    live = app.extensions["referee"].live

    def stop() -> None:
        live.stop()
        server.stop(timeout=1)

    for name in (signal.SIGINT, signal.SIGTERM):
        gevent.signal_handler(name, stop)
    server.start()
    gevent.spawn(ready)
    gevent.spawn_later(1, _calm_collector)
    server.serve_forever()
    app.extensions["referee"].tables.store.close()


def _calm_collector() -> None:
    """Let the collector pass over what lives as long as the process, and look less often.

    Full collections had cost pauses of 22-34 ms.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def _handler() -> Any:
    """Make the handler that hangs up on a connection nobody uses.

    A phone whose line died would first try every one it still believes in, for seconds each.
    """
    from gevent import Timeout  # noqa: PLC0415
    from gevent.pywsgi import WSGIHandler  # noqa: PLC0415

    class Handler(WSGIHandler):  # type: ignore[misc]  # gevent ships no types
        def read_requestline(self) -> str:
            line = ""
            with Timeout(KEEP_ALIVE_S, False):  # noqa: FBT003  # gevent's: end quietly
                line = str(super().read_requestline())
            return line  # noqa: RET504  # empty when the time was up

    return Handler


def _listen(host: str, port: int) -> Any:
    """Open the port with small packets sent at once; accepted connections inherit it."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listener.bind((host, port))
    listener.listen(256)
    return listener

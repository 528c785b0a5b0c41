"""The referee with one more address: what the process that serves is set to."""

from __future__ import annotations

import gc
import resource
import socket
import sys
from typing import Any

from flask import Flask, request

from referee import server
from referee.cli import main

PRAGMAS = (
    *("journal_mode", "synchronous", "foreign_keys"),
    *("busy_timeout", "cache_size", "journal_size_limit"),
)
serve = server.serve


def pragmas(connection: Any) -> dict[str, Any]:
    """Ask a connection to the database how it was opened."""
    return {name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in PRAGMAS}


def told(app: Flask) -> dict[str, Any]:
    """Tell what is set, of the process and of the connection that asks."""
    store = app.extensions["referee"].tables.store
    with store.reading() as reader:
        reads = pragmas(reader.conn)
    rfile = request.environ["wsgi.input"].rfile
    line = rfile.raw._sock  # noqa: SLF001  # nothing else leads to the connection
    return {
        "switch_s": sys.getswitchinterval(),
        "thresholds": gc.get_threshold(),
        "is_frozen": gc.get_freeze_count() > 0,
        "files": resource.getrlimit(resource.RLIMIT_NOFILE),
        "writes": pragmas(store._db.conn),  # noqa: SLF001  # likewise, to the writer's
        "reads": reads,
        "buffer": rfile.__sizeof__() - object.__sizeof__(rfile),
        "no_delay": line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY),
        "gone_ms": line.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT),
        "resend_ms": resend_ms(line),
    }


def resend_ms(line: Any) -> int | None:
    """Ask how long is waited at most before lost bytes are sent again; None where none is set."""
    try:
        return int(line.getsockopt(socket.IPPROTO_TCP, server.TCP_RTO_MAX_MS))
    except OSError:
        return None


def telling(app: Flask, *args: Any, **named: Any) -> None:
    """Serve, and tell whoever asks."""
    app.add_url_rule("/as-set", "as_set", lambda: told(app))
    serve(app, *args, **named)


if __name__ == "__main__":
    # As systems give it, whatever the one that tests gives.
    resource.setrlimit(resource.RLIMIT_NOFILE, (512, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    server.serve = telling
    sys.exit(main())

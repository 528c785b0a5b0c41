"""Ports for servers of tests, of which several processes run at once."""

from __future__ import annotations

import os
import socket
from itertools import count
from typing import Final

FIRST: Final = 20_000
"""Below what systems hand out to whoever connects, so that nobody gets one by chance meanwhile."""
EACH: Final = 30
SLICES: Final = 400

_number = count()


def free_port() -> int:
    """Give a port that nobody uses, from the few that are this process's own to try."""
    first = FIRST + EACH * (os.getpid() % SLICES)
    for _ in range(EACH):
        port = first + next(_number) % EACH
        with socket.socket() as probe:
            if hasattr(socket, "SO_REUSEPORT"):  # Windows would share a port that is in use
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise LookupError(first)

"""Server-sent events, as they are written on the line."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

RETRY: Final = b"retry: 2000\n\n"
"""How soon a browser tries again, in milliseconds."""


def written(name: str, data: str, icons: str = "") -> bytes:
    """Write one server-sent event.

    Every line of data gets its own field. Only these three end a line in a stream. `icons` is the
    address that the page itself puts in the place of a tilde: a game's pictures are many.
    """
    if icons:
        # As plain text: a safe one would look for what to escape in what is put in.
        data = str.replace(data, f'href="{icons}', 'href="~')
    if "\r" in data:
        data = data.replace("\r\n", "\n").replace("\r", "\n")
    if "\n" in data:
        data = str.replace(data, "\n", "\ndata: ")
    return f"event: {name}\ndata: {data}\n\n".encode()


event = lru_cache(maxsize=128)(written)
"""Writes one too, but once for several pages that are sent the same."""
HEARTBEAT: Final = written("hb", "")


def numbered(version: int, *events: bytes) -> bytes:
    """Write events with the version that a page has when it has read them all."""
    return b"id: %d\n%b" % (version, b"".join(events))

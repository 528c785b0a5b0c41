"""The line to an open page, for who has something to say while the page's own thread sleeps.

A server that can send without waiting puts one into the environment of each request, as `LINE`; it
may be one only where nothing else runs meanwhile, as among gevent's greenlets. Without one, each
page is woken and gives its server what it has to say.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

LINE: Final = "referee.line"
"""Where in a request's environment its line is."""


class Line(Protocol):
    """Sends whole pieces of a body whose beginning the server has sent."""

    def push(self, data: bytes) -> bool:
        """Send what the line takes at once; say whether that was all. Never waits nor raises.

        What it did not take is kept, and has to be flushed before anything else is sent.
        """

    def flush(self) -> None:
        """Send what was kept, and wait for it. Raises OSError where nobody is there any more."""


class ChunkedLine:
    """A line of gevent's WSGI server: each piece is a chunk of the answer that `handler` gives."""

    def __init__(self, handler: Any) -> None:
        self._handler = handler
        self._kept = b""

    def push(self, data: bytes) -> bool:
        """Send at once, as a chunk where the answer is made of chunks."""
        if self._handler.response_use_chunked:
            data = b"%x\r\n%b\r\n" % (len(data), data)
        try:
            taken = self._handler.socket.send(data, 0, 0.0)
        except OSError:
            # A full line, or one that is broken: whoever flushes it finds out which.
            taken = 0
        self._kept = data[taken:]
        return not self._kept

    def flush(self) -> None:
        """Send what was kept, for as long as the server waits for a client."""
        if self._kept:
            kept, self._kept = self._kept, b""
            self._handler.socket.sendall(kept)

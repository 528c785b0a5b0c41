"""The line to an open page, for who has something to say while the page has nothing to say itself.

A server that can send without waiting puts one into the environment of each request, as `LINE`; it
may be one only where nothing else runs meanwhile, as among gevent's greenlets. Without one, each
page is woken and gives its server what it has to say.

An answer that rests on such a line goes on when the line is roused. Until then no thread sleeps for
it: a thread's stack would be most of what an open page costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple, Protocol

LINE: Final = "referee.line"
"""Where in a request's environment its line is."""
NOTHING_NOW: Final = b""
"""What an answer gives when it rests."""


class Line(Protocol):
    """Sends whole pieces of a body whose beginning the server has sent."""

    def push(self, data: bytes) -> bool:
        """Send what the line takes at once; say whether that was all. Never waits nor raises.

        What it did not take is kept, and has to be flushed before anything else is sent.
        """

    def flush(self) -> None:
        """Send what was kept, and wait for it. Raises OSError where nobody is there any more."""

    def rest(self) -> None:
        """Say that the answer gives `NOTHING_NOW` next, and is to be roused after that."""

    def rouse(self) -> None:
        """Have an answer that rests go on, soon and in a thread of its own."""


class Wire(NamedTuple):
    """Where the answer's bytes go: what a line needs of the handler that began it.

    Attributes:
        spawn: runs a call in a thread of its own, soon.
        ended: called when the wire is closed.
    """

    socket: Any
    response_use_chunked: bool
    spawn: Callable[[Callable[[], None]], object]
    ended: Callable[[], None]


class ChunkedLine:
    """A line of gevent's WSGI server: each piece is a chunk of the answer that a handler gives.

    Attributes:
        is_resting: the answer's next piece says that there is nothing to say now.
    """

    def __init__(self, handler: Any) -> None:
        # Of the handler what is said of it in `Wire`, which takes its place in the end.
        self._wire = handler
        self._kept = b""
        self.is_resting = False
        self._answer: Iterable[bytes] = ()

    def push(self, data: bytes) -> bool:
        """Send at once, as a chunk where the answer is made of chunks."""
        data = self._framed(data)
        try:
            taken = self._wire.socket.send(data, 0, 0.0)
        except OSError:
            # A full line, or one that is broken: whoever flushes it finds out which.
            taken = 0
        self._kept = data[taken:]
        return not self._kept

    def _framed(self, data: bytes) -> bytes:
        if self._wire.response_use_chunked:
            return b"%x\r\n%b\r\n" % (len(data), data)
        return data

    def flush(self) -> None:
        """Send what was kept, for as long as the server waits for a client."""
        if self._kept:
            kept, self._kept = self._kept, b""
            self._wire.socket.sendall(kept)

    def rest(self) -> None:
        """Say that the answer gives `NOTHING_NOW` next."""
        self.is_resting = True

    def take_over(self, answer: Iterable[bytes], wire: Wire) -> None:
        """Go on with an answer that rests, without the handler that began it.

        Nobody else reads, writes or closes the wire from here on; the answer is closed at its end.
        """
        self._answer = answer
        self._wire = wire

    def rouse(self) -> None:
        """Have an answer that rests go on; of several that say so before it does, the first."""
        if self.is_resting:
            self.is_resting = False
            self._wire.spawn(self._go_on)

    def _go_on(self) -> None:
        try:
            for data in self._answer:
                if data:
                    self._wire.socket.sendall(self._framed(data))
                elif self.is_resting:
                    return
            if self._wire.response_use_chunked:
                self._wire.socket.sendall(b"0\r\n\r\n")
        except OSError:
            pass  # nobody is there any more, which is how most pages end
        finally:
            if not self.is_resting:
                self._end()

    def _end(self) -> None:
        answer, self._answer = self._answer, ()
        try:
            close = getattr(answer, "close", None)  # as WSGI has it
            if close is not None:
                close()
        finally:
            self._wire.socket.close()
            self._wire.ended()

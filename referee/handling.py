"""How gevent's WSGI server serves one connection here; imported only where it serves.

Who keeps a connection and does not use it is hung up on: a phone whose line died would first try
every one it still believes in, for seconds each; and a guest who never finishes a sentence would
keep others from being heard.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

from gevent import Timeout, spawn
from gevent.pywsgi import WSGIHandler, WSGIServer
from gevent.socket import socket as GeventSocket  # noqa: N812  # a class, as gevent calls it

from referee.heads import Head, Lines
from referee.line import LINE, ChunkedLine, Wire

KEEP_ALIVE_S: Final = 5.0
HEADERS_S: Final = 10.0
"""How long a request may take to say what it wants: phones need some milliseconds."""
SILENCE_S: Final = 20.0
"""How long a line may stand still in the middle of a body or an answer."""
READ_BYTES: Final = 2048
"""What is read of a connection at once: most requests are shorter, and Python would take 8 kB."""
PER_ADDRESS: Final = 64
"""Connections that one address may hold open: a phone needs six, a table on one phone a dozen."""


class Server(WSGIServer):  # type: ignore[misc]  # gevent ships no types
    """Lets no single address take all connections, but for trusted ones."""

    def __init__(self, *args: Any, is_trusted: Callable[[str], bool], **named: Any) -> None:
        super().__init__(*args, **named)
        self._is_trusted = is_trusted
        self._open: Counter[str] = Counter()

    def update_environ(self) -> None:
        """Say where it serves. gevent asks for the machine's name, and a hotspot has no answer."""
        self.environ["SERVER_NAME"] = self.address[0]
        super().update_environ()

    def handle(self, client: Any, address: Any) -> None:
        """Serve a connection until it ends, or rests in the hands of its line."""
        if self._is_trusted(address[0]):
            super().handle(client, address)
            return
        if self._open[address[0]] >= PER_ADDRESS:
            client.close()
            return
        ended = self.count(address)
        try:
            super().handle(client, address)
        finally:
            ended()

    def count(self, address: Any) -> Callable[[], None]:
        """Count a connection of an address; give what says that it has ended."""
        self._open[address[0]] += 1

        def ended() -> None:
            self._open[address[0]] -= 1

        return ended


class Handler(WSGIHandler):  # type: ignore[misc]  # likewise
    """Serves the requests of one connection."""

    socket: Any
    result: Any
    environ: Any
    headers: Any
    line: Any
    wsgi_input: Any

    def __init__(self, client: Any, address: Any, server: Server) -> None:
        super().__init__(client, address, server, client.makefile("rb", READ_BYTES))

    def get_environ(self) -> Any:
        """Give an application its line as well."""
        environ = super().get_environ()
        # Another may take it out on the way, where every byte has to go through the answer.
        environ[LINE] = self.line = ChunkedLine(self)
        return environ

    def read_requestline(self) -> str:
        """Read what is wanted; nothing when the time is up."""
        line = ""
        with Timeout(KEEP_ALIVE_S, False):  # noqa: FBT003  # gevent's: end quietly
            line = str(super().read_requestline())
        return line  # noqa: RET504  # empty when the time was up

    def read_request(self, line: str) -> Any:
        """Read the head. Raises ValueError, which is answered with 400 and ends the connection."""
        with Timeout(HEADERS_S, ValueError("headers took too long")):
            found = super().read_request(line)
        self.socket.settimeout(SILENCE_S)
        return found

    def MessageClass(self, lines: Lines, _seekable: int) -> Head:  # noqa: N802  # pywsgi's
        """Read the fields of a head strictly."""
        return Head(lines)

    def _headers(self) -> Iterator[tuple[str, str]]:
        head: Head = self.headers
        return head.environ()

    def process_result(self) -> None:
        """Send the answer; one that rests is left to its line."""
        for data in self.result:
            if data:
                self.write(data)
            elif self.line.is_resting:
                self._leave()
                return
        if self.status and not self.headers_sent:
            self.write(b"")
        if self.response_use_chunked:
            self._sendall(b"0\r\n\r\n")

    def _leave(self) -> None:
        """Go away without hanging up: a page that has nothing to say needs no thread."""
        # This socket is closed with the handler, so the line gets another to the same phone.
        family, kind, proto = self.socket.family, self.socket.type, self.socket.proto
        near = GeventSocket(family, kind, proto, self.socket.detach())
        near.settimeout(SILENCE_S)
        ended = self.server.count(self.client_address)
        self.line.take_over(self.result, Wire(near, self.response_use_chunked, spawn, ended))
        # Nobody here closes what goes on, and the next request comes on another connection.
        self.result = self.socket = None

    def _sendall(self, data: Any) -> None:
        """Send at once what the system takes, which is all of it but for a slow phone.

        gevent's own way asks the socket for the size of its buffer before each packet.
        """
        sent = self.socket.send(data)
        self.response_length += sent
        if sent < len(data):
            super()._sendall(memoryview(data)[sent:])

    def log_request(self) -> None:
        """Let go of a request; write no log of it, nor a line: it would be made all the same."""
        # Also since these lead back here: who hung up would be kept until Python looks for garbage.
        self.environ = self.headers = self.line = self.result = self.wsgi_input = None

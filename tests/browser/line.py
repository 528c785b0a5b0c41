"""A line between phones and server that can go dead the way radio does: without a word."""

from __future__ import annotations

import select
import socket
import threading
from contextlib import suppress
from typing import Final, NamedTuple

CHUNK: Final = 65536
LOOK_S: Final = 0.1


class Fate(NamedTuple):
    """When a connection dies: once it has asked for a path and so many bytes came back.

    None: what it asks for never arrives.
    """

    path: bytes
    after: int | None


class Line:
    """Carries connections to a port. A dead one stays open and carries nothing any more."""

    def __init__(self, port: int) -> None:
        self._target = ("127.0.0.1", port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(LOOK_S)
        self.port: int = self._listener.getsockname()[1]
        self._is_closed = threading.Event()
        self._is_whole = threading.Event()
        self._is_whole.set()
        self._age = 0
        self._fate: Fate | None = None
        self.deaths = 0
        """Connections that met their fate."""
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def __len__(self) -> int:
        """Count the connections that are open."""
        return sum(thread.is_alive() for thread in self._threads) - 1

    def deaden(self) -> None:
        """Let all connections of now go dead; new ones work."""
        self._age += 1

    def cut(self) -> None:
        """Carry nothing, on new connections neither, until it is mended."""
        self._is_whole.clear()

    def mend(self) -> None:
        """Carry what was sent meanwhile, and go on: senders send again what was lost."""
        self._is_whole.set()

    def doom(self, path: str, after: int | None) -> None:
        """Let the next connection that asks for a path go dead after so many bytes of the answer.

        None swallows what it asks.
        """
        self._fate = Fate(path.encode(), after)

    def close(self) -> None:
        """Hang up everything."""
        self._is_closed.set()
        self._is_whole.set()
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        with self._listener:
            while not self._is_closed.is_set():
                try:
                    near, _ = self._listener.accept()
                except TimeoutError:
                    continue
                thread = threading.Thread(target=self._carry, args=(near, self._age))
                self._threads.append(thread)
                thread.start()

    def _carry(self, near: socket.socket, age: int) -> None:
        """Carry a connection until an end hangs up, of which a dead one hears nothing."""
        with near, socket.create_connection(self._target) as far, suppress(ConnectionError):
            left: int | None = None  # so many bytes still come back; None: all that there are
            while not self._is_closed.is_set():
                is_dead = self._age != age or left == 0
                ready = select.select([near] if is_dead else [near, far], [], [], LOOK_S)[0]
                self._is_whole.wait()
                # What came in only now is lost as well: it went dead while this looked.
                is_dead = is_dead or self._age != age
                for source in ready:
                    data = source.recv(CHUNK)
                    if not data and is_dead:
                        self._is_closed.wait()
                    if not data:
                        return
                    if not is_dead and source is near:
                        left = self._ask(data, far, left)
                    elif not is_dead:
                        near.sendall(data[:left])
                        left = None if left is None else max(0, left - len(data))
                if left == 0 and not is_dead:
                    self.deaths += 1

    def _ask(self, data: bytes, far: socket.socket, left: int | None) -> int | None:
        """Carry what is asked, unless its fate swallows it; give how much still comes back."""
        fate = self._met(data)
        if fate is None or fate.after is not None:
            far.sendall(data)
        return left if fate is None else fate.after or 0

    def _met(self, data: bytes) -> Fate | None:
        """Give the fate of a connection that asks for its path, once."""
        fate = self._fate
        if fate is None or fate.path not in data.partition(b"\r\n")[0]:
            return None
        self._fate = None
        return fate

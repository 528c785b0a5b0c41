"""A line between phones and server that can go dead the way radio does: without a word."""

from __future__ import annotations

import select
import socket
import threading
from typing import Final

CHUNK: Final = 65536
LOOK_S: Final = 0.1


class Line:
    """Carries connections to a port. A dead one stays open and carries nothing any more."""

    def __init__(self, port: int) -> None:
        self._target = ("127.0.0.1", port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(LOOK_S)
        self.port: int = self._listener.getsockname()[1]
        self._is_closed = threading.Event()
        self._age = 0
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def __len__(self) -> int:
        """Count the connections that are open."""
        return sum(thread.is_alive() for thread in self._threads) - 1

    def deaden(self) -> None:
        """Let all connections of now go dead; new ones work."""
        self._age += 1

    def close(self) -> None:
        """Hang up everything."""
        self._is_closed.set()
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
        with near, socket.create_connection(self._target) as far:
            ends = [near, far]
            while not self._is_closed.is_set():
                ready = select.select(ends, [], [], LOOK_S)[0]
                if self._age != age:
                    ends = [near]
                for source in ready:
                    try:
                        data = source.recv(CHUNK)
                        if data and far in ends:
                            (far if source is near else near).sendall(data)
                    except ConnectionError:
                        return
                    if not data and source in ends:
                        return

"""The curtain of a device that several seats share: it opens for one look, and no address opens it.

A curtain is drawn with a token that is good once. Whoever holds its button sends the token and is
answered with the seat's page itself, so neither going back, nor a reload, nor a typed address shows
it again. Drawing another curtain on the same device closes what is open there.
"""

from __future__ import annotations

import secrets
import threading
from typing import Final

from referee.entries import SeatId
from referee.tables import Table

MOST: Final = 500
"""Curtains that are remembered; the oldest are forgotten, and drawn again when somebody comes."""

Device = tuple[str, tuple[SeatId, ...]]
"""A table, and the seats that one browser holds there."""


def is_shared(table: Table, here: tuple[SeatId, ...]) -> bool:
    """Say whether a browser with these seats needs a curtain: only where there is a secret."""
    is_secret = table.game.META.has_secrets and table.ledger.status == "playing"
    return is_secret and len(here) > 1


class Curtains:
    """Who may look at which seat of a shared device just now."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._drawn: dict[str, tuple[Device, SeatId]] = {}
        self._open: dict[Device, str] = {}

    def draw(self, device: Device, seat: SeatId) -> str:
        """Close what is open on a device, and give the token that opens this seat once."""
        token = secrets.token_urlsafe(16)
        with self._lock:
            self._open.pop(device, None)
            # With the device and its seats: carried to another phone, or after one seat more, it
            # opens nothing.
            self._drawn[token] = (device, seat)
            while len(self._drawn) > MOST:
                self._drawn.pop(next(iter(self._drawn)))
        return token

    def lift(self, token: str, device: Device, seat: SeatId) -> bool:
        """Open a seat if the token was drawn for it and is unspent; it is spent either way."""
        with self._lock:
            # Spent even by a wrong guess: a token that somebody reads over a shoulder opens once at
            # most.
            if self._drawn.pop(token, None) != (device, seat):
                return False
            # Out and in again: the one that is forgotten first is the one opened longest ago.
            self._open.pop(device, None)
            self._open[device] = token
            while len(self._open) > MOST:
                self._open.pop(next(iter(self._open)))
            return True

    def is_open(self, token: str, device: Device) -> bool:
        """Say whether what this token opened is still open."""
        with self._lock:
            return bool(token) and self._open.get(device) == token

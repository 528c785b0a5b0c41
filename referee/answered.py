"""What was answered to whatever carried an id, so that the same id again gets the same answer."""

from __future__ import annotations

from msgspec import Struct

from referee.entries import Entry, SeatId
from referee.noticed import Noticed


class Answered(Struct):
    """The version that each id was answered with, by who sent it (None: the host)."""

    _versions: dict[tuple[SeatId | None, str], int] = {}
    _last: tuple[SeatId | None, str] | None = None
    _asker: SeatId | None = None

    def version(self, by: SeatId | None, action_id: str) -> int | None:
        """Give what was answered to this id, None if it never came."""
        return self._versions.get((by, action_id))

    def take(self, entry: Entry, noticed: Noticed) -> None:
        """Keep the version once an id's entry is noticed, and again after the chance it called for.

        What counts is the asker's version: a host who acts for a seat looks at the display.
        """
        if "id" in entry.payload:
            self._last = (entry.seat, entry.payload["id"])
            self._asker = None if entry.payload.get("by") == "host" else entry.seat
        # Whatever else comes is no part of that answer; what chance gives for an action is.
        elif entry.kind != "chance":
            self._last = None
        if self._last is not None:
            self._versions[self._last] = noticed.version(self._asker)

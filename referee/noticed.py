"""Who may notice what: each viewer counts the entries, and knows the chain, in a way of its own.

That a step happened can tell a secret as well as what it was. A step with an audience therefore
leaves no trace for anybody else: no number that jumps, no four words that change, no page woken.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from referee.entries import Entry, SeatId
from referee.seal import ROOT


class Noticed(Struct):
    """A journal's length and head: as they are, and as each viewer knows them.

    A viewer is a seat, or None for the display, and so for whoever is nobody in particular.

    Attributes:
        length: how many entries there are.
        head: the chain value of the last one.
        audiences: the entries that only these seats may notice until the game is over, by number.
    """

    length: int = 0
    head: str = ROOT
    audiences: dict[int, frozenset[SeatId]] = {}
    _hidden: dict[SeatId | None, list[int]] = {}
    _heads: dict[SeatId | None, str] = {}
    _since: dict[SeatId, int] = {}

    def version(self, viewer: SeatId | None) -> int:
        """Count the entries that this viewer may notice."""
        return self.length - len(self._hidden.get(viewer, ()))

    def head_for(self, viewer: SeatId | None) -> str:
        """Give the chain's head as of the last entry that this viewer may notice."""
        return self._heads.get(viewer, self.head)

    def number(self, seq: int, viewer: SeatId | None) -> int:
        """Give an entry's number as this viewer counts: entries not to be noticed have none."""
        return seq - bisect_right(self._hidden.get(viewer, ()), seq)

    def seq(self, number: int, viewer: SeatId | None) -> int:
        """Give the entry that has this number as this viewer counts."""
        # In order: each one that is passed moves all that come after it.
        for at in self._hidden.get(viewer, ()):
            number += at <= number
        return number

    def shown(self, payload: dict[str, Any], viewer: SeatId | None) -> dict[str, Any]:
        """Give a payload with the entry that it points at numbered as this viewer counts."""
        shown = dict(payload)
        if isinstance(payload.get("to"), int):
            shown["to"] = self.number(payload["to"], viewer)
        if isinstance(payload.get("payload"), dict):
            shown["payload"] = self.shown(payload["payload"], viewer)
        return shown

    def may_notice(self, seq: int, viewer: SeatId | None) -> bool:
        """Say whether an entry exists for this viewer while the game goes on."""
        audience = self.audiences.get(seq)
        return audience is None or viewer in audience

    def asked_since(self, seat: SeatId) -> int:
        """Give the version at which what this seat may do last changed."""
        return self._since.get(seat, 0)

    def take(
        self, entry: Entry, audience: frozenset[SeatId] | None, seats: Iterable[SeatId]
    ) -> None:
        """Count an entry for whoever may notice it; None is everybody."""
        previous, self.head = self.head, entry.chain
        self.length = entry.seq
        if audience is None:
            # Whoever missed something catches up here, with one change that has a reason of its
            # own; nothing in it says whether there was anything before.
            self._heads.clear()
            return
        self.audiences[entry.seq] = audience
        for viewer in (None, *seats):
            if viewer not in audience:
                self._hidden.setdefault(viewer, []).append(entry.seq)
                # The first unnoticed entry stops the head this viewer knows; more leave it there.
                self._heads.setdefault(viewer, previous)
            else:
                # For them this is the change by which they catch up.
                self._heads.pop(viewer, None)

    def ask_anew(self, seat: SeatId) -> None:
        """Note that what this seat may do has just changed."""
        self._since[seat] = self.version(seat)

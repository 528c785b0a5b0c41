"""What was told at a table, line by line, each numbered as whoever looks counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from referee import retelling
from referee.entries import SeatId
from referee.journal import Ledger


def told_lines(ledger: Ledger, viewer: SeatId | None) -> list[dict[str, Any]]:
    """List what was told and can be told anew, newest first."""
    if ledger.status == "lobby" or ledger.game.telling is None:
        return []
    number = ledger.noticed.number
    found = retelling.all_told(ledger.undoing.stages, ledger.game, ledger.seating.order)
    return [
        {"to": number(at.seq, viewer), "part": at.part, "seat": at.entry.seat, "told": told}
        for at, told in found
    ]


def wanted_of(ledger: Ledger, by: SeatId | None, raw: Mapping[str, Any]) -> retelling.Wanted:
    """Read what is to be told anew; the entry's number is its asker's. Raises MalformedAction."""
    wanted = retelling.read(ledger.game, raw)
    return msgspec.structs.replace(wanted, to=ledger.noticed.seq(wanted.to, by))


def told_at(ledger: Ledger, wanted: retelling.Wanted) -> Any:
    """Give what was told on the line that is told anew. Raises IllegalAction if nothing was."""
    stages, order = ledger.undoing.stages, ledger.seating.order
    return retelling.told_at(stages, ledger.game, order, wanted.to, wanted.part)[1]


def seen_before(
    ledger: Ledger, viewer: SeatId | None, *, to: int, part: int
) -> tuple[Any, tuple[Any, ...]]:
    """Give what everybody saw before a line that counts, and what was owed there, if anything."""
    # A number counts as its viewer does: what it may not notice leaves no gap in an address.
    seq = ledger.noticed.seq(to, viewer)
    stages, order = ledger.undoing.stages, ledger.seating.order
    return retelling.seen_before(stages, ledger.game, order, seq, part)

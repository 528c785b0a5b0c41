"""What a seat proposes to the table: one thing at a time, until it is done, refused or lapsed."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct

from referee.entries import Entry, SeatId


class Proposal(Struct, frozen=True):
    """Something one seat asks of the others. `agreed` holds who said yes."""

    number: int
    by: SeatId
    what: Literal["undo", "correction", "retelling"]
    payload: dict[str, Any]
    agreed: frozenset[SeatId]


def after(note: Entry, proposal: Proposal | None) -> Proposal | None:
    """Give the proposal as it stands after a note; in a journal it is an "ask"."""
    payload = note.payload
    match payload["what"]:
        case "ask":
            # Whoever proposes it has said yes.
            by: SeatId = payload["by"]
            return Proposal(note.seq, by, payload["ask"], payload["payload"], frozenset((by,)))
        case "agree" if proposal:
            return msgspec.structs.replace(proposal, agreed=proposal.agreed | {payload["seat"]})
        case "agree" | "refuse" | "lapsed":
            return None
        case _:
            return proposal

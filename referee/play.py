"""Playing: actions, and what is told of the owner's board; each once, on the picture it names."""

from __future__ import annotations

import secrets
from typing import Any

from referee import deciding
from referee.desk import Desk, Seen, Table, Who
from referee.entries import Draft, SeatId
from referee.errors import RuleViolation
from referee.games.base import Answer, Facts, SeatIndex
from referee.seats import Seats
from referee.steps import decode_action


class Play:
    """What a seat does in its game, and what the host may do for one that is away.

    Args:
        desk: stores and tells.
        seats: knows which of them no phone holds.
    """

    def __init__(self, desk: Desk, seats: Seats) -> None:
        self._desk = desk
        self._seats = seats

    def act(
        self,
        table: Table,
        seat: SeatId,
        raw: object,
        *,
        version: int,
        action_id: str,
        exact: bool = True,
    ) -> int:
        """Play an action once and give the seat's version after it.

        Raises MalformedAction, StaleTable, RuleViolation. The same id again changes nothing and
        gets the same answer.
        """
        action = decode_action(table.game, raw)

        def decide() -> list[Draft]:
            return deciding.action(table.ledger, seat, action, action_id=action_id, draw=table.draw)

        return self._desk.once(table, seat, action_id, decide, seen=Seen(seat, version, exact))

    def act_for(
        self,
        table: Table,
        seat: SeatId,
        raw: object,
        *,
        version: int,
        action_id: str,
        exact: bool = True,
    ) -> int:
        """Let the host act for an absent seat, in the open; only what needs none of its secrets.

        What everybody may tell just now, the host tells for any seat. `version` is the display's.
        Raises RuleViolation ("not_for_others", "not_absent").
        """
        action = decode_action(table.game, raw)

        def decide() -> list[Draft]:
            ledger = table.ledger
            index = ledger.seating.index(seat)
            # Only what is listed: to try it out would tell the host what the seat holds.
            allowed = table.game.stand_in(ledger.state, index) if ledger.state else ()
            if action not in allowed and not _is_filled_in(table, action):
                raise RuleViolation("not_for_others")
            if not self.may_stand_in(table, seat) and not table.is_told_aloud:
                raise RuleViolation("not_absent")
            return deciding.action(
                ledger, seat, action, action_id=action_id, draw=table.draw, by="host"
            )

        return self._desk.once(table, seat, action_id, decide, seen=Seen(None, version, exact))

    def may_stand_in(self, table: Table, seat: SeatId) -> bool:
        """Say whether the host may act for a seat: it is not there, nor who may do it as well.

        A phone that is silent for long is not there, nor is a seat without one. What each does for
        themselves waits for nobody else; what one of several settles, for all who are there.
        """
        public = table.ledger.public()
        asked = public.waiting_for if public.is_anybodys or public.is_shared else ()
        seats = {seat, *(table.ledger.seating.at(SeatIndex(index)) for index in asked)}
        return seat not in table.bots and not any(
            not self._desk.live.is_absent(table.code, one) and not self._seats.is_free(table, one)
            for one in seats
        )

    def answer(
        self,
        table: Table,
        who: Who,
        raw: object,
        *,
        version: int,
        action_id: str,
        exact: bool = True,
    ) -> int:
        """Settle the open question about the board, as a seat or as the host.

        Raises RuleViolation ("no_question", "not_asked"), StaleTable, MalformedAction.
        """
        told: Answer = decode_action(table.game, {"type": "answer", "facts": raw})

        def decide() -> list[Draft]:
            by: deciding.By = "host" if who.seat is None else "seat"
            return deciding.answer(
                table.ledger, who.seat, told.facts, action_id=action_id, draw=table.draw, by=by
            )

        seen = Seen(who.seat, version, exact)
        return self._desk.once(table, who.seat, action_id, decide, seen=seen)

    def teach(self, table: Table, who: Who, facts: Facts) -> None:
        """Tell more about the board than is asked, such as while others think."""
        with table.lock:
            # Never the same twice: what is told again is a fact again, and does no harm.
            action_id = f"teach {secrets.token_hex(8)}"
            by: deciding.By = "host" if who.seat is None else "seat"
            drafts = deciding.told(
                table.ledger, who.seat, facts, action_id=action_id, draw=table.draw, by=by
            )
            self._desk.append(table, drafts)


def _is_filled_in(table: Table, action: Any) -> bool:
    """Say whether an action is filled in freely, in a game without secrets to be found out by it.

    Of these no list names all; the rules say whether this one may be done.
    """
    meta = table.game.META
    return not meta.has_secrets and action.__struct_config__.tag in meta.free

"""Taking back and setting right: at once where nobody loses by it, else by the table's consent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

import msgspec

from referee import deciding, names, retelling
from referee.desk import Desk, Table, Who
from referee.entries import Draft, SeatId
from referee.errors import (
    MalformedAction,
    NotSeated,
    RuleViolation,
    StaleTable,
    TableError,
    UndoRefused,
)
from referee.journal import Ledger
from referee.telling import told_at, wanted_of

LONGEST_REASON: Final = 200

Told: TypeAlias = Literal["done", "asked"]
"""Whether it was done at once, or the others are asked."""


class Consent:
    """What one seat asks of the others, and what they agree on.

    Args:
        desk: stores and tells.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def undo(self, table: Table, seat: SeatId, *, to: int | None = None) -> Told:
        """Take back one's own last action: "done" at once, or "asked" of the others.

        `to` is its number, as the seat counts. The same one twice is taken back once. Raises
        StaleTable if it is not the last one any more, UndoRefused.
        """
        with table.lock:
            ledger = table.ledger
            # A second tap of the same finger: what it wanted has been done.
            if to is not None and ledger.has_taken_back(seat, to):
                return "done"
            mark = ledger.undoing.own_last(seat)
            if to is not None and to != ledger.noticed.number(mark.seq, seat):
                raise StaleTable(version=ledger.version(seat))
            if ledger.undoing.may_alone(mark):
                undo = {"to": mark.seq, "by": seat, "how": "own"}
                self._desk.append(table, [Draft("undo", seat, undo)])
                return "done"
            wanted = {"to": mark.seq}
            open_one = ledger.proposal
            is_repeated = open_one is not None and (open_one.by, open_one.payload) == (seat, wanted)
            if to is None or not is_repeated:
                note = {"what": "ask", "ask": "undo", "by": seat, "payload": wanted}
                self._desk.append(table, _proposed(ledger, seat, note))
            return "asked"

    def correct(
        self, table: Table, by: SeatId | None, raw: object, *, reason: str, action_id: str = ""
    ) -> Told:
        """Set what the real board shows to be different.

        A seat asks the others ("asked"); the host (`by` None) does it, publicly noted ("done"), as
        long as it takes from nobody what they alone know.
        The same id again changes nothing; without one, nothing is the same. Raises
        MalformedAction, RuleViolation, TableError.
        """
        once = {"id": action_id} if action_id else {}

        def decide() -> Sequence[Draft]:
            ledger = table.ledger
            _check_begun(ledger)
            correction = _decoded(table, raw)
            # Tried now, so that nobody agrees to what cannot be; it is done on the state of then.
            step = table.game.correct(ledger.state, correction)
            owners = ledger.owners(correction)
            # The host acts in the open, and what a purse holds is its owner's secret.
            if owners and by is None:
                raise UndoRefused("owners_ask")
            _check_owner(owners, by)
            payload = {
                "correction": msgspec.to_builtins(correction),
                "reason": names.sentence(reason, LONGEST_REASON),
                "effects": msgspec.to_builtins(step.events[1:]),
            }
            if by is None:
                return _correction(table, payload | once, how="host", by=None)
            note = {"what": "ask", "ask": "correction", "by": by, "payload": payload, **once}
            return _proposed(ledger, by, note)

        self._desk.once(table, by, action_id or None, decide)
        return "done" if by is None else "asked"

    def retell(
        self,
        table: Table,
        by: SeatId | None,
        raw: Mapping[str, Any],
        *,
        reason: str,
        action_id: str = "",
    ) -> Told:
        """Tell anew what was told wrongly: `raw` names the entry, as its asker counts, and `told`.

        A seat asks the others ("asked"); the host (`by` None) does it, publicly noted ("done").
        The same id again changes nothing. Raises as `correct` does, and RuleViolation
        ("more_to_tell") for what leaves something else to be told.
        """
        once = {"id": action_id} if action_id else {}

        def decide() -> Sequence[Draft]:
            ledger = table.ledger
            _check_begun(ledger)
            wanted = wanted_of(ledger, by, raw)
            payload = retelling.written(wanted) | {
                "was": msgspec.to_builtins(told_at(ledger, wanted)),
                "reason": names.sentence(reason, LONGEST_REASON),
            }
            # Refused at once if it cannot be, or more has to be told: nobody could agree to it.
            drafts = _retelling(table, payload | once, how="host", by=by)
            if by is None:
                return drafts
            note = {"what": "ask", "ask": "retelling", "by": by, "payload": payload, **once}
            return _proposed(ledger, by, note)

        self._desk.once(table, by, action_id or None, decide)
        return "done" if by is None else "asked"

    def reopen(self, table: Table, by: SeatId | None) -> Told:
        """Open a finished game again, as it was before what ended it; nothing else changes.

        A seat asks the others ("asked"); the host does it, publicly noted ("done"). Raises
        TableError for a game that is not over.
        """
        with table.lock:
            ledger = table.ledger
            if ledger.status != "over":
                raise TableError("not_over")
            wanted = {"to": ledger.undoing.ending(table.game).seq}
            if by is None:
                self._desk.append(table, [Draft("undo", None, wanted | {"how": "host", "by": by})])
                return "done"
            note = {"what": "ask", "ask": "undo", "by": by, "payload": wanted}
            self._desk.append(table, _proposed(ledger, by, note))
            return "asked"

    def answer(self, table: Table, who: Who, *, agree: bool, number: int | None = None) -> None:
        """Agree to what is proposed, or refuse it. All present must agree; the host may decide.

        Whoever it takes secret things from must agree in any case, and alone hears why they cannot.

        `number` is the proposal's, as this viewer counts. Raises StaleTable if it is another one
        by now, UndoRefused without one, NotSeated.
        """
        with table.lock:
            ledger = table.ledger
            proposal = ledger.proposal
            if proposal is None:
                raise UndoRefused("nothing_asked")
            if who.seat is None and not who.is_host:
                raise NotSeated
            # A slow finger must not agree to what was proposed after the page was drawn.
            shown = ledger.noticed.number(proposal.number, who.seat)
            if number is not None and number != shown:
                raise StaleTable(version=ledger.version(who.seat))
            owners = ledger.owners_of(proposal)
            if agree and who.seat is None:
                # Not even the host decides over what somebody alone knows of.
                if not owners.keys() <= proposal.agreed:
                    raise UndoRefused("owners_agree")
                self._do(table, how="host")
                return
            if agree:
                _check_owner(owners, who.seat)
            note = {"what": "agree" if agree else "refuse", "seat": who.seat}
            self._desk.append(table, [Draft("note", who.seat, note)])
            if agree:
                self.settle(table)

    def settle(self, table: Table) -> None:
        """Do what is proposed once every seat that is present has agreed, another one at least.

        Phones that fall asleep are waited for no longer.
        """
        with table.lock:
            proposal = table.ledger.proposal
            if proposal is None:
                return
            is_present = self._desk.live.is_present
            # Whoever proposed it counts as agreeing, and alone is not enough: a table of sleeping
            # phones agrees to nothing.
            present = {seat for seat in table.ledger.seating.order if is_present(table.code, seat)}
            # Owners are waited for even asleep: nobody can say yes to their secret for them.
            asked = present | table.ledger.owners_of(proposal).keys()
            if asked <= proposal.agreed and len(proposal.agreed) > 1:
                self._do(table, how="agreed")

    def _do(self, table: Table, *, how: str) -> None:
        """Do what is proposed, in the name of whoever proposed it."""
        proposal = table.ledger.proposal
        assert proposal is not None  # noqa: S101  # both callers looked, under the table's lock
        by, payload = proposal.by, proposal.payload
        try:
            match proposal.what:
                case "undo":
                    drafts = [Draft("undo", by, payload | {"how": how, "by": by})]
                case "retelling":
                    drafts = _retelling(table, payload, how=how, by=by)
                case "correction":
                    drafts = _correction(table, payload, how=how, by=by)
        except RuleViolation:
            # Play has gone on, and it does not fit any more: nothing is done half, nobody is stuck.
            drafts = [Draft("note", None, {"what": "lapsed"})]
        self._desk.append(table, drafts)


def _check_begun(ledger: Ledger) -> None:
    """Refuse to set anything right before there is anything. What is over can be set right too."""
    if ledger.status == "lobby":
        raise TableError("not_playing")


def _retelling(
    table: Table, payload: dict[str, Any], *, how: str, by: SeatId | None
) -> list[Draft]:
    """Tell it anew in the game of now: play may have gone on since it was proposed."""
    entry = payload | {"how": how, "by": by}
    return deciding.retold(table.ledger, by, entry, draw=table.draw)


def _check_owner(owners: Mapping[SeatId, RuleViolation | None], seat: SeatId | None) -> None:
    """Refuse what this seat's own secret forbids; what another's does is that one's to say."""
    refusal = None if seat is None else owners.get(seat)
    if refusal is not None:
        raise refusal


def _decoded(table: Table, raw: object) -> Any:
    try:
        return msgspec.convert(raw, table.game.Correction)
    except msgspec.ValidationError as error:
        raise MalformedAction(detail=str(error)) from error


def _proposed(ledger: Ledger, by: SeatId, note: dict[str, Any]) -> list[Draft]:
    """Propose something to the table; one thing at a time."""
    if ledger.proposal is not None:
        raise UndoRefused("already_asked")
    return [Draft("note", by, note)]


def _correction(
    table: Table, payload: dict[str, Any], *, how: str, by: SeatId | None
) -> list[Draft]:
    """Correct the state of now: play may have gone on since it was proposed."""
    correction = msgspec.convert(payload["correction"], table.game.Correction)
    step = table.game.correct(table.ledger.state, correction)
    return [Draft("correction", by, payload | {"how": how, "by": by}, step)]

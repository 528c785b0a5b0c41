"""The journal of a table: append-only entries, and everything that follows from them.

Pure: no clock, no storage, no drawing. `Ledger` is what a journal says so far; `Ledger.take` adds
one entry. Whatever decides something new (`deciding.py`) returns `Draft`s, which a caller stores
first and takes afterwards, so what phones see is never ahead of what is safe.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal, TypeAlias

import msgspec

from referee import proposals, retelling
from referee.answered import Answered
from referee.course import tells_anew
from referee.entries import Entry, SeatId
from referee.errors import CorruptJournal, RefereeError, RuleViolation, UndoRefused
from referee.games.base import Need, Outcome, SeatIndex, Step
from referee.games.protocol import Game, PublicView
from referee.loglines import IN_THE_LOG, Log
from referee.noticed import Noticed
from referee.options import all_chosen
from referee.proposals import Proposal
from referee.seal import link
from referee.seating import Seating
from referee.steps import outcome_of, step_of
from referee.undoing import Undoing

Status: TypeAlias = Literal["lobby", "playing", "over"]

CONTRADICTIONS: Final = (
    RefereeError,
    msgspec.MsgspecError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)
"""What an entry that nobody of ours wrote can raise while it is replayed."""


class Ledger:
    """What a journal says: seats, options, the game's state, its log, and who may do what.

    Attributes:
        seating: who sits at the table.
        log: what everybody at the table reads of it.
        noticed: what each viewer may notice of it.
        undoing: what can be taken back.
        answered: what was answered to each id.
        sealed: entries whose payload stays closed until the game is over.
        last_step: what the newest game entry led to.
        outcomes: what chance gave, by label and number.
        newly_drawn: what the newest entry drew because something was told anew.
        moved: the display's version at which the game last changed.
        rematch: where the same people play again; only older journals say it.
        state: the game's state, None in the lobby.
        legal: each seat's legal actions by game index, kept for the pages.
        proposal: what is being asked of the table, if anything.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.status: Status = "lobby"
        self.options: dict[str, str] = {}
        self.rematch: str | None = None
        self.commitment = ""
        self.is_seeded = False
        self.state: Any = None
        self.legal: tuple[tuple[Any, ...], ...] = ()
        self.proposal: Proposal | None = None
        self.seating = Seating()
        self.log = Log()
        self.noticed = Noticed()
        self.undoing = Undoing()
        self.answered = Answered()
        self.sealed: set[int] = set()
        self.last_step: Step | None = None
        self.outcomes: dict[tuple[str, int], Outcome] = {}
        self.newly_drawn: list[tuple[Need, Outcome]] = []
        self.moved = 0
        self._shown: tuple[Any, PublicView] | None = None

    @property
    def length(self) -> int:
        """Count the entries."""
        return self.noticed.length

    @property
    def head(self) -> str:
        """Give the chain value of the last entry."""
        return self.noticed.head

    def version(self, viewer: SeatId | None) -> int:
        """Count the entries that this viewer may notice."""
        return self.noticed.version(viewer)

    def public(self) -> PublicView:
        """Give what everybody may see of a game that has begun, built once a state."""
        shown, state = self._shown, self.state
        # Kept beside its state, in one assignment: readers without the lock get a pair that fits.
        if shown is None or shown[0] is not state:
            shown = self._shown = (state, self.game.public(state))
        return shown[1]

    def to_act(self) -> tuple[SeatId, ...]:
        """Name the seats that may act, clockwise."""
        if self.status != "playing":
            return ()
        asked = self.game.to_act(self.state)
        return tuple(seat for i, seat in enumerate(self.seating.order) if i in asked)

    def legal_for(self, seat: SeatId) -> tuple[Any, ...]:
        """Give a seat's legal actions."""
        return self.legal[self.seating.index(seat)] if self.status == "playing" else ()

    def chosen(self) -> dict[str, str]:
        """Give every option with its value, defaults included."""
        return all_chosen(self.game.META, self.options)

    def own_last(self, seat: SeatId) -> int | None:
        """Give the number of a seat's last action that still counts, as the seat itself counts."""
        try:
            return self.noticed.number(self.undoing.own_last(seat).seq, seat)
        except UndoRefused:
            return None

    def has_taken_back(self, seat: SeatId, to: int) -> bool:
        """Say whether a seat has taken back its action of this number already."""
        return to in [self.noticed.number(s, seat) for s in self.undoing.taken_back_by(seat)]

    # Taking entries

    def take(self, entry: Entry, step: Step | None = None) -> None:
        """Add one entry. Raises CorruptJournal if it does not follow."""
        # The chain before the content: what was tampered with is not even read.
        if entry.seq != self.length + 1 or entry.chain != link(self.head, entry):
            raise CorruptJournal("broken_chain", seq=entry.seq)
        try:
            self._take(entry, step)
        except CONTRADICTIONS as error:
            raise CorruptJournal("does_not_replay", seq=entry.seq) from error

    def _take(self, entry: Entry, step: Step | None) -> None:
        before = self.state
        audience: frozenset[SeatId] | None = None
        match entry.kind:
            case "correction" if tells_anew(entry):
                self._take_retelling(entry)
            case "action" | "chance" | "correction" | "answer" | "setup":
                # What was decided a moment ago is not worked out again; a replay has nothing else.
                step = step or step_of(self.game, self.state, self.seating.order, entry)
                audience = self._take_step(entry, step)
            case "undo":
                self._take_undo(entry)
            case "join":
                self.seating.join(entry)
            case "note":
                self._take_note(entry)
        # Versions count from here on: what follows notes at which of them something changed.
        self.noticed.take(entry, audience, self.seating.order)
        if audience is None and entry.kind not in {"note", "join"}:
            self.moved = self.version(None)
        self.answered.take(entry, self.noticed)
        # Once a state: a note leaves it as it is, and asks nobody anything new.
        if self.state is not before:
            self._refresh_legal()

    def _take_step(self, entry: Entry, step: Step) -> frozenset[SeatId] | None:
        """Take what the game did; give who alone may notice it."""
        payload = entry.payload
        if entry.kind == "setup":
            self.options = dict(payload["options"])
            self.seating.order = tuple(payload["order"])
            self.status = "playing"
        elif entry.kind == "chance":
            self.outcomes[payload["label"], payload["number"]] = outcome_of(entry)
        self.undoing.note(entry, step, self.state)
        self.last_step = step
        # Sealed is what it was; who may know that it was, is the audience's matter.
        if step.secret:
            self.sealed.add(entry.seq)
        if entry.kind == "correction":
            self.proposal = None
        if self.proposal is not None and step.audience is None:
            # What they alone know may be less by now: their yes was to what it was then.
            agreed = self.proposal.agreed - self.owners_of(self.proposal).keys()
            self.proposal = msgspec.structs.replace(self.proposal, agreed=agreed)
        self.state = step.state
        self._log(entry, step)
        self._see_whether_over()
        if step.audience is None:
            return None
        return frozenset(self.seating.at(SeatIndex(index)) for index in step.audience)

    def _see_whether_over(self) -> None:
        """Tell the end, or that it is open again."""
        is_over = self.game.score(self.state) is not None
        self.status = "over" if is_over else "playing"
        self.undoing.is_over = is_over
        if is_over:
            self.proposal = None

    def retold(
        self, wanted: retelling.Wanted, *, entry: Entry, draw: retelling.Draw
    ) -> retelling.Retold:
        """Work out the true course, if something was told otherwise; see `retelling.retold`."""
        return retelling.retold(
            self.game,
            self.seating.order,
            self.undoing.stages,
            self.state,
            wanted,
            entry=entry,
            draw=draw,
            seen=self.outcomes,
        )

    def _take_retelling(self, entry: Entry) -> None:
        """Take up the true course from what an entry tells anew."""
        kept = retelling.drawn_in(entry.payload)
        true = self.retold(
            retelling.read(self.game, entry.payload),
            entry=entry,
            draw=lambda need: kept[need.label, need.number],
        )
        # It was complete when it was written: an entry that is not comes from elsewhere.
        if true.owed is not None:
            raise UndoRefused("more_to_tell")
        self.newly_drawn = true.drawn
        self.outcomes |= kept
        self.last_step = true.step
        self.undoing.retell(entry, true, self.state)
        if true.step.secret:
            self.sealed.add(entry.seq)
        self.state = true.step.state
        self.proposal = None
        self.log.strike_out({stage.seq for stage in self.undoing.stages})
        self._log(entry, true.step)
        self._see_whether_over()

    def _log(self, entry: Entry, step: Step) -> None:
        note = entry.payload if entry.kind == "correction" else None
        if entry.kind == "action" and entry.payload.get("by") == "host":
            note = {"what": "by_host"}
        if step.events or note:
            self.log.write(entry, step.events, note)

    def owners(self, correction: Any) -> dict[SeatId, RuleViolation | None]:
        """Name the seats out of whose secret a correction takes, each with what forbids it."""
        found = self.game.owners(self.state, correction)
        return {self.seating.at(SeatIndex(index)): refusal for index, refusal in found.items()}

    def owners_of(self, proposal: Proposal) -> dict[SeatId, RuleViolation | None]:
        """Name those of what is proposed; nobody for taking something back."""
        if proposal.what != "correction":
            return {}
        return self.owners(msgspec.convert(proposal.payload["correction"], self.game.Correction))

    def _take_undo(self, entry: Entry) -> None:
        self.state = self.undoing.take_back(entry, self.state, self.game, self.seating.order)
        self.proposal = None
        self.log.strike_out({stage.seq for stage in self.undoing.stages})
        self.log.write(entry, note=entry.payload)
        self._see_whether_over()

    def _take_note(self, entry: Entry) -> None:
        payload = entry.payload
        self.seating.note(entry)
        self.proposal = proposals.after(entry, self.proposal)
        match payload["what"]:
            case "opened":
                self.options = dict(payload["options"])
                self.commitment = payload["commitment"]
                self.is_seeded = payload["seeded"]
            case "options":
                self.options = dict(payload["options"])
            case "rematch":
                self.rematch = payload.get("table")
            case _:
                pass
        if payload["what"] in IN_THE_LOG and self.status != "lobby":
            self.log.write(entry, note=payload)

    def _refresh_legal(self) -> None:
        # Here, not on each page: six phones and the display would each ask the game again.
        able = self.game.to_act(self.state)
        legal = tuple(
            self.game.legal_actions(self.state, SeatIndex(index)) if index in able else ()
            for index in range(len(self.seating.order))
        )
        for index, seat in enumerate(self.seating.order):
            if not self.legal or legal[index] != self.legal[index]:
                self.noticed.ask_anew(seat)
        self.legal = legal


def replay(game: Game, entries: Iterable[Entry]) -> Ledger:
    """Rebuild a ledger from its journal."""
    ledger = Ledger(game)
    for entry in entries:
        ledger.take(entry)
    return ledger

"""The journal of a table: append-only entries, and everything that follows from them.

Pure: no clock, no storage, no drawing. `Ledger` is what a journal says so far; `Ledger.take` adds
one entry. Whatever decides something new returns `Draft`s, which a caller stores first and takes
afterwards, so what phones see is never ahead of what is safe.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from referee.entries import Draft, Entry, Kind, SeatId
from referee.errors import (
    CorruptJournal,
    GameOver,
    MalformedAction,
    NotSeated,
    RefereeError,
    RuleViolation,
    StaleTable,
    TableError,
    UndoRefused,
)
from referee.games.base import (
    Answer,
    Facts,
    Need,
    Outcome,
    SeatIndex,
    Step,
)
from referee.games.protocol import Game

Status: TypeAlias = Literal["lobby", "playing", "over"]

ROOT: Final = "0" * 64
CONTRADICTIONS: Final = (
    RefereeError,
    msgspec.MsgspecError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)
"""What an entry that nobody of ours wrote can raise while it is replayed."""
COLOURS: Final = ("red", "blue", "green", "yellow", "purple", "teal")
SHAPES: Final = ("circle", "square", "triangle", "diamond", "hexagon", "cross")


def link(previous: str, entry: Entry) -> str:
    """Hash an entry onto the chain. The salt keeps anyone from trying all possible bids."""
    body = msgspec.json.encode(
        [entry.seq, entry.at, entry.seat, entry.kind, entry.payload], order="sorted"
    )
    return hashlib.sha256(b"\0".join((previous.encode(), entry.salt.encode(), body))).hexdigest()


def seal(draft: Draft, *, seq: int, at: str, salt: str, previous: str) -> Entry:
    """Make a draft the next link of the chain."""
    entry = Entry(seq, at, draft.seat, draft.kind, draft.payload, salt, "")
    return msgspec.structs.replace(entry, chain=link(previous, entry))


def words(head: str) -> str:
    """Say the chain's head as four words: each is 16 bits as consonant, vowel, consonant ..."""
    return " ".join(_word(int(head[4 * i : 4 * i + 4], 16)) for i in range(4))


def _word(bits: int) -> str:
    consonants, vowels = "bdfghjklmnprstvz", "aiou"
    return (
        consonants[bits >> 12]
        + vowels[bits >> 10 & 3]
        + consonants[bits >> 6 & 15]
        + vowels[bits >> 4 & 3]
        + consonants[bits & 15]
    )


class SeatInfo(Struct, frozen=True):
    """Who sits here: shown everywhere as colour, shape and letter."""

    seat: SeatId
    name: str
    colour: str
    letter: str
    mix: str = ""

    @property
    def shape(self) -> str:
        """Give the shape that goes with the colour."""
        return SHAPES[COLOURS.index(self.colour)]


class LogLine(Struct, frozen=True):
    """One line of the public log: game events, or what the table agreed on."""

    number: int
    seq: int
    at: str
    seat: SeatId | None
    kind: Kind
    events: tuple[Any, ...] = ()
    note: dict[str, Any] | None = None
    is_undone: bool = False


class Mark(Struct, frozen=True):
    """A game step that can be taken back, and the state before it.

    `reveals`: it gave something away, or all agreed on it, so it is not one seat's to take back.
    """

    seq: int
    seat: SeatId | None
    before: Any
    reveals: bool


class Proposal(Struct, frozen=True):
    """Something one seat asks of the others. `agreed` holds who said yes."""

    number: int
    by: SeatId
    what: Literal["undo", "correction"]
    payload: dict[str, Any]
    agreed: frozenset[SeatId]


Draw: TypeAlias = Callable[[Need], Outcome]


class Ledger:
    """What a journal says: seats, options, the game's state, its log, and who may do what.

    Attributes:
        done: answers by seat and action id, so that the same id gets the same answer.
        sealed: entries whose payload stays closed until the game is over.
        last_step: what the newest game entry led to.
        unnoticed: entries that only these seats may notice until then.
        outcomes: what chance gave, by label and number.
        moved: the display's version at which the game last changed.
        seating: the entry that last changed who sits where, or how the table plays.
        rematch: the code of the table where the same people play again.
        order: seats clockwise; a seat's index in it is its number in the game.
        next_seat: the number of whoever joins next; numbers of those who left stay unused.
        state: the game's state, None in the lobby.
        legal: each seat's legal actions by game index, kept for the pages.
        lines: the public log.
        ask: what is being asked of the table, if anything.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.status: Status = "lobby"
        self.options: dict[str, str] = {}
        self.seats: dict[SeatId, SeatInfo] = {}
        self.order: tuple[SeatId, ...] = ()
        self.next_seat = SeatId(0)
        self.seating = 0
        self.rematch: str | None = None
        self.commitment = ""
        self.is_seeded = False
        self.state: Any = None
        self.legal: tuple[tuple[Any, ...], ...] = ()
        self.lines: list[LogLine] = []
        self.proposal: Proposal | None = None
        self.length = 0
        self.head = ROOT
        self.done: dict[tuple[SeatId | None, str], int] = {}
        self._hidden: dict[SeatId | None, int] = {}
        self._heads: dict[SeatId | None, str] = {}
        self._since: dict[SeatId, int] = {}
        self._marks: list[Mark] = []
        self._quiet: list[Entry] = []
        self._settings: set[int] = set()
        self._taken_back: set[tuple[SeatId | None, int]] = set()
        self._last_done: tuple[SeatId | None, str] | None = None
        self._last_asker: SeatId | None = None
        self.sealed: set[int] = set()
        self.last_step: Step | None = None
        self.unnoticed: dict[int, frozenset[SeatId]] = {}
        self.outcomes: dict[tuple[str, int], Outcome] = {}
        self.moved = 0

    # What a viewer may notice

    def version(self, viewer: SeatId | None) -> int:
        """Count the entries that this viewer may notice."""
        return self.length - self._hidden.get(viewer, 0)

    def head_for(self, viewer: SeatId | None) -> str:
        """Give the chain's head as of the last entry that this viewer may notice."""
        return self._heads.get(viewer, self.head)

    def number(self, seq: int, viewer: SeatId | None) -> int:
        """Give an entry's number as this viewer counts: entries not to be noticed have none."""
        hidden = (at for at, audience in self.unnoticed.items() if viewer not in audience)
        return seq - sum(at <= seq for at in hidden)

    def shown(self, payload: dict[str, Any], viewer: SeatId | None) -> dict[str, Any]:
        """Give a payload with the entry that it points at numbered as this viewer counts."""
        shown = dict(payload)
        if isinstance(payload.get("to"), int):
            shown["to"] = self.number(payload["to"], viewer)
        if isinstance(payload.get("payload"), dict):
            shown["payload"] = self.shown(payload["payload"], viewer)
        return shown

    def asked_since(self, seat: SeatId) -> int:
        """Give the version at which what this seat may do last changed."""
        return self._since.get(seat, 0)

    def index(self, seat: SeatId) -> SeatIndex:
        """Give a seat's number in the game. Raises NotSeated for a seat that left."""
        if seat not in self.order:
            raise NotSeated
        return SeatIndex(self.order.index(seat))

    def seat_at(self, index: SeatIndex) -> SeatId:
        """Give the seat that has this place in the game."""
        return self.order[index]

    def to_act(self) -> tuple[SeatId, ...]:
        """Name the seats that are asked something, clockwise."""
        if self.status != "playing":
            return ()
        asked = self.game.to_act(self.state)
        return tuple(seat for i, seat in enumerate(self.order) if i in asked)

    def legal_for(self, seat: SeatId) -> tuple[Any, ...]:
        """Give a seat's legal actions."""
        return self.legal[self.index(seat)] if self.status == "playing" else ()

    # Deciding

    def decide(
        self, seat: SeatId, action: Any, *, action_id: str, draw: Draw, by: str = "seat"
    ) -> list[Draft]:
        """Play an action and whatever chance it calls for. Raises what the rules refuse."""
        if self.status != "playing":
            raise GameOver if self.status == "over" else TableError("not_started")
        step = self.game.apply(self.state, self.index(seat), action)
        if isinstance(action, Answer):
            payload = {"id": action_id, "facts": msgspec.to_builtins(action.facts), "by": by}
            return [Draft("answer", seat, payload, step), *self._settle(step, draw)]
        payload = {"id": action_id, "action": msgspec.to_builtins(action), "by": by}
        return [Draft("action", seat, payload, step), *self._settle(step, draw)]

    def tell(self, who: SeatId | None, facts: Facts, *, action_id: str, draw: Draw) -> list[Draft]:
        """Take in facts about the board, asked for or not, from a seat or the host (None).

        Raises what the game refuses.
        """
        if self.status != "playing":
            raise GameOver if self.status == "over" else TableError("not_started")
        step = self.game.answer(self.state, facts)
        by = "host" if who is None else "seat"
        payload = {"id": action_id, "facts": msgspec.to_builtins(facts), "by": by}
        return [Draft("answer", who, payload, step), *self._settle(step, draw)]

    def _settle(self, step: Step, draw: Draw) -> list[Draft]:
        """Draw what is owed until nobody waits for chance. What was seen once comes again."""
        drafts = []
        needs = list(step.needs)
        state = step.state
        while needs:
            need = needs.pop(0)
            seen = self.outcomes.get((need.label, need.number))
            outcome = seen if seen is not None and fits(seen, need) else draw(need)
            step = self.game.chance(state, outcome)
            payload = {
                "label": need.label,
                "number": need.number,
                "drawn": msgspec.to_builtins(outcome.drawn),
            }
            drafts.append(Draft("chance", None, payload, step))
            state = step.state
            needs.extend(step.needs)
        return drafts

    def begin(self, board: Mapping[str, Any], *, draw: Draw) -> list[Draft]:
        """Start the game with the seats as they sit. The board's facts go into the journal."""
        least, most = self.game.META.seats
        if self.status != "lobby":
            raise TableError("already_started")
        if not least <= len(self.order) <= most:
            raise TableError("wrong_number_of_seats", least=least, most=most)
        options = self._settled_options()
        step = self.game.setup(options, len(self.order), board)
        payload = {"options": options, "order": list(self.order), "board": dict(board)}
        return [Draft("setup", None, payload, step), *self._settle(step, draw)]

    def chosen(self) -> dict[str, str]:
        """Give every option with its value, defaults included."""
        return {option.key: option.default for option in self.game.META.options} | self.options

    def _settled_options(self) -> dict[str, str]:
        options = self.chosen()
        star = int(options.get("star", "-1"))
        return options | {"star": str(self.order.index(star) if star in self.order else 0)}

    def own_last_mark(self, seat: SeatId) -> Mark:
        """Find a seat's last action that still counts. Raises UndoRefused without one."""
        if self.status == "over":
            raise UndoRefused("game_over")
        for mark in reversed(self._marks):
            if mark.seat == seat:
                return mark
        raise UndoRefused("nothing_to_undo")

    def own_last(self, seat: SeatId) -> int | None:
        """Give the number of a seat's last action that still counts, as the seat itself counts."""
        try:
            return self.number(self.own_last_mark(seat).seq, seat)
        except UndoRefused:
            return None

    def is_taken_back(self, seat: SeatId, to: int) -> bool:
        """Say whether a seat has taken back its action of this number already."""
        return to in [self.number(seq, seat) for by, seq in self._taken_back if by == seat]

    def may_undo_alone(self, mark: Mark) -> bool:
        """Say whether nothing was learnt from a step and nobody acted on it."""
        return not mark.reveals and self._marks[-1] is mark

    # Taking entries

    def take(self, entry: Entry, step: Step | None = None) -> None:
        """Add one entry. Raises CorruptJournal if it does not follow."""
        if entry.seq != self.length + 1 or entry.chain != link(self.head, entry):
            raise CorruptJournal("broken_chain", seq=entry.seq)
        try:
            self._take(entry, step)
        except CONTRADICTIONS as error:
            raise CorruptJournal("does_not_replay", seq=entry.seq) from error

    def _take(self, entry: Entry, step: Step | None) -> None:
        audience: frozenset[SeatId] | None = None
        self.length = entry.seq
        match entry.kind:
            case "action" | "chance" | "correction" | "answer" | "setup":
                audience = self._take_game(entry, step or self._replayed(entry))
            case "undo":
                self._take_undo(entry)
            case "join":
                self._take_join(entry)
            case "note":
                self._take_note(entry)
        self._notice(entry, audience)
        if audience is None and entry.kind not in {"note", "join"}:
            self.moved = self.version(None)
        self._answer(entry)
        if self.status != "lobby":
            self._refresh_legal()

    def _answer(self, entry: Entry) -> None:
        """Keep what was answered to whatever has an id: the version once its chance is settled."""
        if "id" in entry.payload:
            self._last_done = (entry.seat, entry.payload["id"])
            self._last_asker = None if entry.payload.get("by") == "host" else entry.seat
        elif entry.kind != "chance":
            self._last_done = None
        if self._last_done is not None:
            self.done[self._last_done] = self.version(self._last_asker)

    def _replayed(self, entry: Entry) -> Step:
        payload = entry.payload
        match entry.kind:
            case "setup":
                return self.game.setup(payload["options"], len(payload["order"]), payload["board"])
            case "action":
                action = decode_action(self.game, payload["action"])
                return self.game.apply(self.state, self.index(entry.seat or SeatId(0)), action)
            case "chance":
                drawn = {k: tuple(v) for k, v in payload["drawn"].items()}
                return self.game.chance(self.state, Outcome(payload["label"], drawn))
            case "answer":
                return self.game.answer(self.state, msgspec.convert(payload["facts"], Facts))
            case "correction":
                correction = msgspec.convert(payload["correction"], self.game.Correction)
                return self.game.correct(self.state, correction)
            case _:
                raise CorruptJournal("unknown_kind", seq=entry.seq)

    def _take_game(self, entry: Entry, step: Step) -> frozenset[SeatId] | None:
        payload = entry.payload
        if entry.kind == "setup":
            self.options = dict(payload["options"])
            self.order = tuple(payload["order"])
            self.status = "playing"
        elif entry.kind == "chance":
            drawn = {k: tuple(v) for k, v in payload["drawn"].items()}
            self.outcomes[payload["label"], payload["number"]] = Outcome(payload["label"], drawn)
            self._note_reveal(step)
        elif entry.kind == "answer":
            self._note_reveal(step)  # what is known of the board is not taken back, only corrected
        elif step.audience is None:
            is_common = step.reveals or entry.kind == "correction"
            self._marks.append(Mark(entry.seq, entry.seat, self.state, is_common))
        else:
            self._quiet.append(entry)
            if step.keeps:
                self._settings.add(entry.seq)
        self.last_step = step
        if step.secret:
            self.sealed.add(entry.seq)
        if entry.kind == "correction":
            self.proposal = None
        self.state = step.state
        self._log(entry, step)
        if self.game.score(step.state) is not None:
            self.status = "over"
            self.proposal = None
        if step.audience is None:
            return None
        audience = frozenset(self.seat_at(SeatIndex(i)) for i in step.audience)
        self.unnoticed[entry.seq] = audience
        return audience

    def _note_reveal(self, step: Step) -> None:
        """Let what chance showed count for the action that called for it."""
        if self._marks and step.reveals:
            self._marks[-1] = msgspec.structs.replace(self._marks[-1], reveals=True)

    def _log(self, entry: Entry, step: Step) -> None:
        note = entry.payload if entry.kind == "correction" else None
        by_host = entry.kind == "action" and entry.payload.get("by") == "host"
        if step.events or note or by_host:
            note = {"what": "by_host"} if by_host else note
            line = LogLine(
                len(self.lines) + 1, entry.seq, entry.at, entry.seat, entry.kind, step.events, note
            )
            self.lines.append(line)

    def _take_undo(self, entry: Entry) -> None:
        to = entry.payload["to"]
        at = [mark.seq for mark in self._marks].index(to)
        undone = {mark.seat for mark in self._marks[at:]}
        self._taken_back.add((entry.seat, to))
        self.state = self.game.remember(self._marks[at].before, self.state)
        self._marks = self._marks[:at]
        self._keep_quiet(to, undone)
        self.proposal = None
        self.lines = [
            msgspec.structs.replace(line, is_undone=True)
            if line.seq >= to and not _outlives_undo(line)
            else line
            for line in self.lines
        ]
        self.lines.append(self._plain_line(entry))

    def _keep_quiet(self, to: int, undone: set[SeatId | None]) -> None:
        """Do again what others changed unnoticed since, or they would lose it and everyone see.

        Such a step cannot be taken back by itself: that could be noticed. One that the game no
        longer allows, back where it is now, is gone. A seat's settings stay, whoever takes back
        what.
        """
        self._quiet = [
            e for e in self._quiet if e.seq < to or e.seat not in undone or e.seq in self._settings
        ]
        kept = []
        for entry in self._quiet:
            if entry.seq > to:
                try:
                    self.state = self._replayed(entry).state
                except RuleViolation:
                    if entry.seq not in self._settings:
                        continue
            kept.append(entry)
        self._quiet = kept

    def _plain_line(self, entry: Entry) -> LogLine:
        return LogLine(
            len(self.lines) + 1, entry.seq, entry.at, entry.seat, entry.kind, note=entry.payload
        )

    def _take_join(self, entry: Entry) -> None:
        info = msgspec.convert(entry.payload, SeatInfo)
        self.seats[info.seat] = info
        self.order = (*self.order, info.seat)
        self.seating = entry.seq
        self.next_seat = SeatId(max(self.next_seat, info.seat + 1))

    def _take_note(self, entry: Entry) -> None:
        payload = entry.payload
        match payload["what"]:
            case "opened":
                self.options = dict(payload["options"])
                self.commitment = payload["commitment"]
                self.is_seeded = payload["seeded"]
            case "options":
                self.options = dict(payload["options"])
            case "left":
                self.seats.pop(payload["seat"])
                self.order = tuple(seat for seat in self.order if seat != payload["seat"])
            case "renamed":
                info = self.seats[payload["seat"]]
                self.seats[payload["seat"]] = msgspec.structs.replace(
                    info, name=payload["name"], letter=payload["letter"]
                )
            case "order":
                self.order = tuple(payload["order"])
            case "ask":
                self.proposal = Proposal(
                    entry.seq,
                    payload["by"],
                    payload["ask"],
                    payload["payload"],
                    frozenset((payload["by"],)),
                )
            case "agree" if self.proposal:
                self.proposal = msgspec.structs.replace(
                    self.proposal, agreed=self.proposal.agreed | {payload["seat"]}
                )
            case "refuse":
                self.proposal = None
            case "rematch":
                self.rematch = payload["table"]
            case _:
                pass
        if payload["what"] in {"left", "renamed", "order", "options"}:
            self.seating = entry.seq
        if payload["what"] in {"ask", "refuse", "released", "moved", "seat_given", "renamed"} and (
            self.status != "lobby"
        ):
            self.lines.append(self._plain_line(entry))

    def _notice(self, entry: Entry, audience: frozenset[SeatId] | None) -> None:
        previous, self.head = self.head, entry.chain
        if audience is None:
            self._heads.clear()
            return
        for viewer in (None, *self.order):
            if viewer not in audience:
                self._hidden[viewer] = self._hidden.get(viewer, 0) + 1
                self._heads.setdefault(viewer, previous)
            else:
                self._heads.pop(viewer, None)

    def _refresh_legal(self) -> None:
        able = self.game.to_act(self.state)
        legal = tuple(
            self.game.legal_actions(self.state, SeatIndex(index)) if index in able else ()
            for index in range(len(self.order))
        )
        for index, seat in enumerate(self.order):
            if not self.legal or legal[index] != self.legal[index]:
                self._since[seat] = self.version(seat)
        self.legal = legal


def _outlives_undo(line: LogLine) -> bool:
    """Say whether a line is no game action; an answer that led to more than knowing is one."""
    is_bare_answer = line.kind == "answer" and len(line.events) == 1
    return is_bare_answer or line.kind in {"note", "join", "undo"}


def fits(outcome: Outcome, need: Need) -> bool:
    """Say whether an outcome seen before can be what is owed now; a correction may forbid it."""
    return outcome.drawn.keys() == {pool.name for pool in need.pools} and all(
        len(outcome.drawn[pool.name]) == pool.count
        and not Counter(outcome.drawn[pool.name]) - Counter(pool.items)
        for pool in need.pools
    )


def decode_action(game: Game, raw: object) -> Any:
    """Read an action from JSON-able data. Raises MalformedAction."""
    try:
        return msgspec.convert(raw, game.Action)
    except msgspec.ValidationError as error:
        raise MalformedAction(detail=str(error)) from error


def check_version(ledger: Ledger, seat: SeatId, version: int, *, exact: bool) -> None:
    """Refuse what was decided on an outdated picture. Raises StaleTable.

    Programs name the version they saw, exactly. A person's page is fresh enough as long as what
    the seat was asked has not changed since.
    """
    now = ledger.version(seat)
    oldest = now if exact else ledger.asked_since(seat)
    if not oldest <= version <= now:
        raise StaleTable(version=now)


def replay(game: Game, entries: Iterable[Entry]) -> Ledger:
    """Rebuild a ledger from its journal."""
    ledger = Ledger(game)
    for entry in entries:
        ledger.take(entry)
    return ledger

"""What people do at a table: open it, sit down, play, take back, set right, move a seat.

Joins the pure parts (games, journal) with storage and waiting pages. Each table is guarded by a
lock of its own; everything is stored before anyone hears of it.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import msgspec

from referee import chance, names, profiles
from referee.db import Store, TableRow, insert_entries
from referee.desk import DISPLAY, Desk, SeatRequest, Table, Who, hash_key, now, sealed
from referee.entries import Draft, SeatId
from referee.errors import (
    CorruptJournal,
    MalformedAction,
    NoSuchTable,
    NotSeated,
    RuleViolation,
    SeatTaken,
    StaleTable,
    TableError,
    UndoRefused,
)
from referee.games import GAMES
from referee.games.base import LANGUAGES, Answer, Facts
from referee.games.protocol import Game
from referee.journal import COLOURS, Ledger, SeatInfo, check_version, decode_action, replay
from referee.live import Live
from referee.seats import CODE_SIGNS, Seats

__all__ = ["DISPLAY", "SeatRequest", "Table", "Tables", "Who", "check_options", "hash_key"]

CODE_LENGTH: Final = 5
ID_LENGTH: Final = 64
LONGEST_REASON: Final = 200


class Tables:
    """Every table of this machine."""

    def __init__(self, store: Store, live: Live) -> None:
        self.store = store
        self.live = live
        self.desk = Desk(store, live)
        self.seats = Seats(self.desk, self.find)
        self._tables: dict[str, Table] = {}
        self._lock = threading.Lock()

    # Opening and finding

    def open(
        self,
        game: str,
        *,
        options: Mapping[str, str] | None = None,
        seed: str | None = None,
        lang: str = "en",
    ) -> tuple[Table, str]:
        """Open a table and give it with the host's token. Raises MalformedAction."""
        if game not in GAMES:
            raise MalformedAction("no_such_game", game=game)
        if lang not in LANGUAGES:
            raise MalformedAction("no_such_language", lang=lang)
        chosen = check_options(GAMES[game], options or {})
        row = TableRow(
            self._free_code(), game, lang, seed or chance.new_seed(), "lobby", now(), now()
        )
        token = secrets.token_urlsafe(16)
        opened = {
            "what": "opened",
            "game": game,
            "options": chosen,
            "commitment": chance.commitment(row.seed),
            "seeded": bool(seed),
        }
        table = Table(row, Ledger(GAMES[game]), {hash_key(token): None})
        drafts = [Draft("note", None, opened)]
        entries = sealed(table.ledger, drafts)

        def insert(connection: Any) -> None:
            connection.execute(
                "INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?)", msgspec.structs.astuple(row)
            )
            connection.execute("INSERT INTO keys VALUES (?, ?, NULL)", (hash_key(token), row.code))
            insert_entries(connection, row.code, entries)

        self.store.write(insert)
        table.ledger.take(entries[0])
        self._tables[row.code] = table
        return table, token

    def _free_code(self) -> str:
        while True:
            code = "".join(secrets.choice(CODE_SIGNS) for _ in range(CODE_LENGTH))
            if code not in self._tables and self.store.table_row(code) is None:
                return code

    def find(self, code: str) -> Table:
        """Give a table, replaying its journal the first time. Raises NoSuchTable."""
        code = code.upper()
        table = self._tables.get(code)
        if table is not None:
            return table
        with self._lock:
            if code in self._tables:
                return self._tables[code]
            row = self.store.table_row(code)
            if row is None or row.game not in GAMES:
                raise NoSuchTable(table=code)
            try:
                ledger = replay(GAMES[row.game], self.store.entries(code))
            except CorruptJournal as error:
                error.facts["table"] = code
                raise
            self._tables[code] = Table(row, ledger, self.store.keys(code))
            return self._tables[code]

    # Sitting down

    def join(
        self, table: Table, name: str, *, colour: str | None = None, mix: str = "", nonce: str = ""
    ) -> tuple[SeatInfo, str]:
        """Take a new seat and give it with its token. The same nonce twice is one seat.

        Raises MalformedAction for an empty name, SeatTaken for a full table or a taken colour,
        TableError once play has begun.
        """
        with table.lock:
            seat, token = table.nonces.get(nonce, (None, ""))
            if seat in table.ledger.seats:
                return table.ledger.seats[seat], token
            info = self._new_seat(table.ledger, name, colour, mix)
            token = self.desk.new_key(table, info.seat)
            payload = msgspec.to_builtins(info)
            self.desk.append(table, [Draft("join", info.seat, payload)])
            if nonce:
                table.nonces[nonce] = (info.seat, token)
            return info, token

    def hold(self, table: Table, name: str) -> SeatInfo:
        """Keep a seat for somebody who comes later: no phone holds it, whoever comes takes it."""
        with table.lock:
            info, _ = self.join(table, name, mix=secrets.token_hex(8))
            self.desk.revoke(table, info.seat)
            return info

    @staticmethod
    def _new_seat(ledger: Ledger, name: str, colour: str | None, mix: str) -> SeatInfo:
        if ledger.status != "lobby":
            raise TableError("already_started")
        if len(ledger.order) >= ledger.game.META.seats[1]:
            raise SeatTaken("table_full", most=ledger.game.META.seats[1])
        others = ledger.seats.values()
        free = [c for c in COLOURS if c not in {other.colour for other in others}]
        if colour and colour not in COLOURS:
            raise MalformedAction("no_such_colour", colour=colour)
        if colour and colour not in free:
            raise SeatTaken("colour_taken", colour=colour)
        name = names.distinct(names.clean(name), {other.name for other in others})
        return SeatInfo(
            seat=ledger.next_seat,
            name=name,
            colour=colour or free[0],
            letter=names.letter(name, {other.letter for other in others}),
            mix="".join(sign for sign in mix[:ID_LENGTH] if sign in "0123456789abcdef"),
        )

    def leave(self, table: Table, seat: SeatId) -> None:
        """Get up again, before the game starts."""
        with table.lock:
            self._lobby_only(table, seat)
            self.desk.revoke(table, seat)
            self.desk.append(table, [Draft("note", seat, {"what": "left", "seat": seat})])

    def rename(self, table: Table, seat: SeatId, name: str) -> None:
        """Change a seat's name."""
        with table.lock:
            ledger = table.ledger
            ledger.index(seat)
            others = [info for info in ledger.seats.values() if info.seat != seat]
            name = names.distinct(names.clean(name), {other.name for other in others})
            letter = names.letter(name, {other.letter for other in others})
            payload = {"what": "renamed", "seat": seat, "name": name, "letter": letter}
            self.desk.append(table, [Draft("note", seat, payload)])

    def reorder(self, table: Table, order: Sequence[SeatId]) -> None:
        """Set the seats' order, clockwise. Raises MalformedAction unless it names each once."""
        with table.lock:
            self._lobby_only(table, None)
            if sorted(order) != sorted(table.ledger.order):
                raise MalformedAction("bad_order")
            self.desk.append(table, [Draft("note", None, {"what": "order", "order": list(order)})])

    def set_options(self, table: Table, options: Mapping[str, str]) -> None:
        """Change options before the start. Raises MalformedAction for unknown ones."""
        with table.lock:
            self._lobby_only(table, None)
            chosen = table.ledger.options | check_options(table.game, options)
            self.desk.append(table, [Draft("note", None, {"what": "options", "options": chosen})])

    @staticmethod
    def _lobby_only(table: Table, seat: SeatId | None) -> None:
        if table.ledger.status != "lobby":
            raise TableError("already_started")
        if seat is not None:
            table.ledger.index(seat)

    def start(self, table: Table) -> None:
        """Begin the game with the seats as they sit. Raises TableError."""
        with table.lock:
            self.desk.append(table, table.ledger.begin(self.board(table), draw=table.draw))

    def board(self, table: Table) -> dict[str, Any]:
        """Give the board that a table's options name, with what its owner has taught so far."""
        if table.game.boards is None:
            return {}
        key, options = table.game.META.key, table.ledger.chosen()
        return profiles.board(key, options, self.store.facts(key, profiles.name_of(options)))

    # Playing

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
        return self._act(table, seat, raw, version, action_id, exact=exact, by="seat")

    def _act(
        self,
        table: Table,
        seat: SeatId,
        raw: object,
        version: int,
        action_id: str,
        *,
        exact: bool,
        by: str,
    ) -> int:
        if not 0 < len(action_id) <= ID_LENGTH:
            raise MalformedAction("bad_id")
        action = decode_action(table.game, raw)
        with table.lock:
            ledger = table.ledger
            if (seat, action_id) in ledger.done:
                return ledger.done[seat, action_id]
            check_version(ledger, seat, version, exact=exact)
            drafts = ledger.decide(seat, action, action_id=action_id, draw=table.draw, by=by)
            self.desk.append(table, drafts)
            return ledger.done[seat, action_id]

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

        `version` is the display's; unless it must be exact, it is fresh enough as long as nothing
        happened in the game since. Raises RuleViolation ("not_for_others") for anything else.
        """
        with table.lock:
            ledger = table.ledger
            index = ledger.index(seat)
            if (seat, action_id) in ledger.done:
                return ledger.done[seat, action_id]
            check_display(ledger, version, exact=exact)
            action = decode_action(table.game, raw)
            allowed = table.game.stand_in(ledger.state, index) if ledger.state else ()
            if action not in allowed:
                raise RuleViolation("not_for_others")
            now = ledger.version(seat)
            return self._act(table, seat, raw, now, action_id, exact=True, by="host")

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
        action = {"type": "answer", "facts": raw}
        if who.seat is not None:
            return self.act(
                table, who.seat, action, version=version, action_id=action_id, exact=exact
            )
        with table.lock:
            ledger = table.ledger
            if (None, action_id) in ledger.done:
                return ledger.done[None, action_id]
            check_display(ledger, version, exact=exact)
            if ledger.status != "playing":
                raise TableError("not_playing")
            answer = decode_action(table.game, action)
            if not {*answer.facts} <= {fact for a in self._askable(ledger) for fact in a.facts}:
                raise RuleViolation("not_asked")
            drafts = ledger.tell(None, answer.facts, action_id=action_id, draw=table.draw)
            self.desk.append(table, drafts)
            return ledger.version(None)

    @staticmethod
    def _askable(ledger: Ledger) -> list[Answer]:
        """List the answers to a question that everybody may see, one for each fact."""
        question = ledger.game.question(ledger.state)
        if question is None:
            raise RuleViolation("no_question")
        parts = (*question.parts, *question.more)
        return [Answer(((part.fact, value),)) for part in parts for value in part.values]

    def teach(self, table: Table, who: Who, facts: Facts) -> None:
        """Tell more about the board than is asked, such as while others think."""
        with table.lock:
            action_id = f"teach {secrets.token_hex(8)}"
            drafts = table.ledger.tell(who.seat, facts, action_id=action_id, draw=table.draw)
            self.desk.append(table, drafts)

    def teach_board(self, game: str, name: str, facts: Mapping[str, str]) -> None:
        """Add to what an owner's board is known to be; later games begin with it.

        Raises IllegalAction for what no board can have.
        """
        known = self.store.facts(game, name)
        boards = GAMES[game].boards
        if boards is None:
            raise MalformedAction("no_such_game", game=game)
        boards.corrected(
            boards.read_board(profiles.load(game, name) | {"facts": known}), tuple(facts.items())
        )
        self.store.set_facts(game, name, known | dict(facts), now())

    def forget_board(self, game: str, name: str) -> None:
        """Forget all that an owner taught; games under way keep what they know."""
        self.store.set_facts(game, name, {}, now())

    # Taking back and setting right

    def undo(self, table: Table, seat: SeatId, *, to: int | None = None) -> str:
        """Take back one's own last action: "done" at once, or "asked" of the others.

        `to` is its number, as the seat counts. The same one twice is taken back once. Raises
        StaleTable if it is not the last one any more, UndoRefused.
        """
        with table.lock:
            ledger = table.ledger
            if to is not None and ledger.is_taken_back(seat, to):
                return "done"
            mark = ledger.own_last_mark(seat)
            if to is not None and to != ledger.number(mark.seq, seat):
                raise StaleTable(version=ledger.version(seat))
            if ledger.may_undo_alone(mark):
                undo = {"to": mark.seq, "by": seat, "how": "own"}
                self.desk.append(table, [Draft("undo", seat, undo)])
                return "done"
            wanted = {"to": mark.seq}
            ask = ledger.proposal
            if to is None or ask is None or (ask.by, ask.payload) != (seat, wanted):
                self._ask(table, seat, "undo", wanted)
            return "asked"

    def correct(
        self, table: Table, by: SeatId | None, raw: object, *, reason: str, action_id: str = ""
    ) -> str:
        """Set what the real board shows to be different.

        A seat asks the others ("asked"); the host (`by` None) does it, publicly noted ("done").
        The same id again changes nothing. Raises MalformedAction,
        RuleViolation, TableError.
        """
        if len(action_id) > ID_LENGTH:
            raise MalformedAction("bad_id")
        with table.lock:
            ledger = table.ledger
            if ledger.status != "playing":
                raise TableError("not_playing")
            try:
                correction = msgspec.convert(raw, table.game.Correction)
            except msgspec.ValidationError as error:
                raise MalformedAction(detail=str(error)) from error
            wanted = msgspec.to_builtins(correction)
            if (by, action_id) in ledger.done:
                return "done" if by is None else "asked"
            once = {"id": action_id} if action_id else {}
            step = table.game.correct(ledger.state, correction)
            effects = msgspec.to_builtins(step.events[1:])
            reason = names.sentence(reason, LONGEST_REASON)
            payload = {"correction": wanted, "reason": reason, "effects": effects}
            if by is None:
                self._settle(table, "correction", payload | once, how="host", by=None)
                return "done"
            self._ask(table, by, "correction", payload, once)
            return "asked"

    def _ask(
        self,
        table: Table,
        by: SeatId,
        what: str,
        payload: dict[str, Any],
        once: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        if table.ledger.proposal is not None:
            raise UndoRefused("already_asked")
        note = {"what": "ask", "ask": what, "by": by, "payload": payload, **once}
        self.desk.append(table, [Draft("note", by, note)])

    def answer_ask(self, table: Table, who: Who, *, agree: bool, number: int | None = None) -> None:
        """Agree to what is asked, or refuse it. All present must agree; the host may decide.

        `number` is the question's, as this viewer counts. Raises StaleTable if it is another one
        by now, UndoRefused without one, NotSeated.
        """
        with table.lock:
            ask = table.ledger.proposal
            if ask is None:
                raise UndoRefused("nothing_asked")
            if who.seat is None and not who.is_host:
                raise NotSeated
            if number is not None and number != table.ledger.number(ask.number, who.seat):
                raise StaleTable(version=table.ledger.version(who.seat))
            if not agree:
                self.desk.append(
                    table, [Draft("note", who.seat, {"what": "refuse", "seat": who.seat})]
                )
                return
            if who.seat is None:
                self._settle(table, ask.what, ask.payload, how="host", by=ask.by)
                return
            self.desk.append(table, [Draft("note", who.seat, {"what": "agree", "seat": who.seat})])
            self.settle_ask(table)

    def settle_ask(self, table: Table) -> None:
        """Do what was asked once every seat that is present has agreed, another one at least.

        Phones that fall asleep are waited for no longer.
        """
        with table.lock:
            ask = table.ledger.proposal
            if ask is None:
                return
            present = {s for s in table.ledger.order if self.live.is_present(table.code, s)}
            if present <= ask.agreed and len(ask.agreed) > 1:
                self._settle(table, ask.what, ask.payload, how="agreed", by=ask.by)

    def _settle(
        self, table: Table, what: str, payload: dict[str, Any], *, how: str, by: SeatId | None
    ) -> None:
        payload = payload | {"how": how, "by": by}
        if what == "undo":
            self.desk.append(table, [Draft("undo", by, payload)])
            return
        correction = msgspec.convert(payload["correction"], table.game.Correction)
        step = table.game.correct(table.ledger.state, correction)
        payload["unbalanced"] = bool(table.game.violations(step.state))
        self.desk.append(table, [Draft("correction", by, payload, step)])

    # Again

    def play_again(self, table: Table) -> Table:
        """Give the table of the rematch: same game, options, seats; made by whoever asks first."""
        with table.lock:
            if table.ledger.status != "over":
                raise TableError("not_over")
            if table.ledger.rematch is not None:
                return self.find(table.ledger.rematch)
            options = {k: v for k, v in table.ledger.options.items() if k != "star"}
            again, _ = self.open(table.game.META.key, options=options, lang=table.lang)
            with again.lock:
                for seat in table.ledger.order:
                    info = msgspec.structs.replace(
                        table.ledger.seats[seat], mix=secrets.token_hex(8)
                    )
                    self.desk.append(again, [Draft("join", info.seat, msgspec.to_builtins(info))])
            note = {"what": "rematch", "table": again.code}
            self.desk.append(table, [Draft("note", None, note)])
            return again


def check_display(ledger: Ledger, version: int, *, exact: bool) -> None:
    """Refuse what the host decided on an outdated display. Raises StaleTable."""
    now = ledger.version(None)
    if not (now if exact else ledger.moved) <= version <= now:
        raise StaleTable(version=now)


def check_options(game: Game, options: Mapping[str, str]) -> dict[str, str]:
    """Give the options if all are known. "star" names the seat that begins."""
    known = {option.key: option.values for option in game.META.options}
    for key, value in options.items():
        is_star = key == "star" and value.isdecimal() and len(value) < ID_LENGTH
        if not is_star and value not in known.get(key, ()):
            raise MalformedAction("bad_option", option=key, value=str(value))
    return dict(options)

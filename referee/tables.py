"""What people do at a table: open it, sit down, play; `consent` and `seats` are beside it.

Joins the pure parts (games, journal) with storage and waiting pages. Each table is guarded by a
lock of its own; everything is stored before anyone hears of it.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from referee import chance, deciding, names, profiles
from referee.consent import Consent
from referee.db import Store, TableRow, delete_table, insert_entries, insert_table
from referee.desk import (
    DISPLAY,
    ID_LENGTH,
    Desk,
    SeatRequest,
    Seen,
    Table,
    Who,
    hash_key,
    now,
    sealed,
)
from referee.entries import Draft, SeatId
from referee.errors import (
    CorruptJournal,
    MalformedAction,
    NoSuchTable,
    RuleViolation,
    SeatTaken,
    TableError,
)
from referee.games import GAMES
from referee.games.base import LANGUAGES, Answer, Facts, SeatIndex
from referee.journal import COLOURS, Ledger, SeatInfo, replay
from referee.live import Live
from referee.options import check_options, without_starter
from referee.seats import CODE_SIGNS, Seats
from referee.steps import decode_action
from referee.taught import Taught

__all__ = ["DISPLAY", "SeatRequest", "Table", "Tables", "Who", "hash_key"]

CODE_LENGTH: Final = 5


class Tables:
    """Every table of this machine.

    Attributes:
        woken: called with each table that somebody comes back to.
    """

    def __init__(self, store: Store, live: Live) -> None:
        self.store = store
        self.live = live
        self.desk = Desk(store, live)
        self.seats = Seats(self.desk, self.find)
        self.consent = Consent(self.desk)
        self.taught = Taught(store)
        self.woken: Callable[[Table], None] = lambda _table: None
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
        chosen = check_options(GAMES.meta(game), options or {})
        row = TableRow(self.free_code(), game, lang, seed or chance.new_seed(), now(), now())
        token = secrets.token_urlsafe(16)
        opened = {
            "what": "opened",
            "game": game,
            "options": chosen,
            # A chosen seed may be a word: whoever guesses could try it against a commitment.
            "commitment": "" if seed else chance.commitment(row.seed),
            "seeded": bool(seed),
        }
        table = Table(row, Ledger(GAMES[game]), {hash_key(token): None})
        drafts = [Draft("note", None, opened)]
        entries = sealed(table.ledger, drafts)

        def insert(connection: Any) -> None:
            insert_table(connection, row)
            connection.execute("INSERT INTO keys VALUES (?, ?, NULL)", (hash_key(token), row.code))
            insert_entries(connection, row.code, entries)

        # Row, host's key and first entry in one transaction: no table without a host, and none that
        # a start page lists before its journal can be replayed.
        self.store.write(insert)
        table.ledger.take(entries[0])
        self._tables[row.code] = table
        return table, token

    def free_code(self) -> str:
        """Make up a code that no table has."""
        while True:
            code = "".join(secrets.choice(CODE_SIGNS) for _ in range(CODE_LENGTH))
            if code not in self._tables and self.store.table_row(code) is None:
                return code

    def find(self, code: str) -> Table:
        """Give a table whose bots play on, replayed the first time. Raises NoSuchTable."""
        table = self.look(code)
        if table.is_asleep:
            with self._lock:
                was_asleep, table.is_asleep = table.is_asleep, False
            if was_asleep:
                self.woken(table)
        return table

    def look(self, code: str) -> Table:
        """Give a table as it lies: nobody came back to it who is only shown that it is there."""
        code = code.upper()
        # Without the lock first, since every request comes here; a second look under it keeps two
        # phones that wake a table at once from replaying it into two ledgers.
        if table := self._tables.get(code):
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
            table = self._tables[code] = Table(row, ledger, self.store.keys(code))
            table.rematch = table.rematch or self.store.rematch(code)
            table.is_asleep = True
        return table

    def forget(self, code: str) -> None:
        """Delete a table for good; whoever still looks at it is told that it is gone."""
        code = code.upper()
        self.store.write(lambda connection: delete_table(connection, code))
        with self._lock:
            if gone := self._tables.pop(code, None):
                gone.is_gone = True
        self.live.wake(code)

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
            # The key before the seat: a key to a seat that nobody took opens nothing, but a seat
            # without its key would have to be given away by the host.
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
            self.desk.append(table, [Draft("note", None, {"what": "kept", "seat": info.seat})])
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
            # Hex alone: what parts the mixes from each other when they are hashed is in none.
            mix="".join(sign for sign in mix[:ID_LENGTH] if sign in "0123456789abcdef"),
        )

    def leave(self, table: Table, seat: SeatId) -> None:
        """Get up again, before the game starts."""
        with table.lock:
            self._lobby_only(table, seat)
            # Locked out first, then gone: no phone ever holds a key to a seat that is not there.
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
            chosen = table.ledger.options | check_options(table.game.META, options)
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
            self.desk.append(
                table, deciding.start(table.ledger, self.board(table), draw=table.draw)
            )

    def board(self, table: Table) -> dict[str, Any]:
        """Give the board that the options name, with all its owner taught; empty where none is."""
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
        action = decode_action(table.game, raw)

        def decide() -> list[Draft]:
            return deciding.action(table.ledger, seat, action, action_id=action_id, draw=table.draw)

        return self.desk.once(table, seat, action_id, decide, seen=Seen(seat, version, exact))

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
            index = ledger.index(seat)
            # Only what is listed: to try it out would tell the host what the seat holds.
            allowed = table.game.stand_in(ledger.state, index) if ledger.state else ()
            if action not in allowed:
                raise RuleViolation("not_for_others")
            if not self.may_stand_in(table, seat) and not table.is_told_aloud:
                raise RuleViolation("not_absent")
            return deciding.action(
                ledger, seat, action, action_id=action_id, draw=table.draw, by="host"
            )

        return self.desk.once(table, seat, action_id, decide, seen=Seen(None, version, exact))

    def may_stand_in(self, table: Table, seat: SeatId) -> bool:
        """Say whether the host may act for a seat: neither it nor anybody who is asked is there.

        A phone that is silent for long is not there, nor is a seat without one. What is asked of
        several may be settled by one of them, so whoever is there is waited for.
        """
        asked = table.game.public(table.ledger.state).waiting_for
        seats = {seat, *(table.ledger.seat_at(SeatIndex(index)) for index in asked)}
        return seat not in table.bots and not any(
            not self.live.is_absent(table.code, one) and not self.seats.is_free(table, one)
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
        return self.desk.once(table, who.seat, action_id, decide, seen=seen)

    def teach(self, table: Table, who: Who, facts: Facts) -> None:
        """Tell more about the board than is asked, such as while others think."""
        with table.lock:
            action_id = f"teach {secrets.token_hex(8)}"
            by: deciding.By = "host" if who.seat is None else "seat"
            drafts = deciding.told(
                table.ledger, who.seat, facts, action_id=action_id, draw=table.draw, by=by
            )
            self.desk.append(table, drafts)

    # Again

    def play_again(self, table: Table) -> Table:
        """Give the table of the rematch: same game, options, seats; made by whoever asks first."""
        with table.lock:
            if table.ledger.status != "over":
                raise TableError("not_over")
            if table.rematch is not None and self.store.table_row(table.rematch) is not None:
                return self.find(table.rematch)
            meta = table.game.META
            chosen = without_starter(meta, table.ledger.options)
            again, _ = self.open(meta.key, options=chosen, lang=table.lang)
            # No keys yet: each seat waits for its phone to come over.
            with again.lock:
                for seat in table.ledger.order:
                    was = table.ledger.seats[seat]
                    info = msgspec.structs.replace(was, mix=secrets.token_hex(8))
                    kept = {"what": "kept", "seat": info.seat}
                    drafts = [Draft("join", info.seat, msgspec.to_builtins(info))]
                    self.desk.append(again, [*drafts, Draft("note", None, kept)])
            # Not in the journal, which everybody may read: it is theirs who played.
            pair = (table.code, again.code)
            self.store.write(lambda db: db.execute("INSERT INTO rematches VALUES (?, ?)", pair))
            table.rematch = again.code
            self.desk.append(table, [Draft("note", None, {"what": "rematch"})])
            return again

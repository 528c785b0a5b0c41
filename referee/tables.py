"""What people do at a table: open it, sit down, play, take back, set right, move a seat.

Joins the pure parts (games, journal) with storage and waiting pages. Each table is guarded by a
lock of its own; everything is stored before anyone hears of it.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from msgspec import Struct

from referee import chance, names, profiles
from referee.db import Store, TableRow, insert_entries
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
from referee.games.base import LANGUAGES, Game, Need, Outcome
from referee.journal import (
    COLOURS,
    Draft,
    Entry,
    Ledger,
    SeatId,
    SeatInfo,
    check_version,
    decode_action,
    replay,
    seal,
)
from referee.live import Live

CODE_SIGNS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
CODE_LENGTH: Final = 5
ID_LENGTH: Final = 64
TRANSFER_S: Final = 300.0
STAMP_EVERY_S: Final = 60.0
LONGEST_REASON: Final = 200


class Who(Struct, frozen=True):
    """Who is looking: a seat, the host, both, or neither (the display)."""

    seat: SeatId | None = None
    is_host: bool = False


DISPLAY: Final = Who()


class SeatRequest(Struct):
    """Another phone that says it is somebody's. `number` is shown on both screens."""

    seat: SeatId
    number: int
    secret: str
    state: str = "asked"


class Table:
    """One table in memory: its ledger, its keys, and who asks to be let in."""

    def __init__(self, row: TableRow, ledger: Ledger, keys: dict[str, int | None]) -> None:
        self.code = row.code
        self.lang = row.lang
        self.seed = row.seed
        self.opened_at = row.opened_at
        self.ledger = ledger
        self.keys = keys
        self.requests: list[SeatRequest] = []
        self.nonces: dict[str, tuple[SeatId, str]] = {}
        self.asked_at = time.monotonic()
        self.stamped_at = time.monotonic()
        self.lock = threading.RLock()

    @property
    def game(self) -> Game:
        """Give the rules played here."""
        return self.ledger.game

    def draw(self, need: Need) -> Outcome:
        """Draw from this table's seed; phones' randomness is mixed in unless it is seeded."""
        if self.ledger.is_seeded:
            return chance.draw(self.seed, need)
        mixes = (self.ledger.seats[seat].mix for seat in self.ledger.order)
        return chance.draw(chance.stir(self.seed, mixes), need)

    def who(self, token: str) -> Who:
        """Say who holds this token; nobody known is the display."""
        hashed = hash_key(token)
        if hashed not in self.keys:
            return DISPLAY
        seat = self.keys[hashed]
        return Who(is_host=True) if seat is None else Who(seat=seat)


def hash_key(token: str) -> str:
    """Give what is stored of a token. Tokens are 128 random bits, so one plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _seal(ledger: Ledger, drafts: Sequence[Draft]) -> list[Entry]:
    """Make drafts the next links of a ledger's chain, each with a salt of its own."""
    at = _now()
    entries: list[Entry] = []
    previous = ledger.head
    for seq, draft in enumerate(drafts, ledger.length + 1):
        entry = seal(draft, seq=seq, at=at, salt=secrets.token_hex(16), previous=previous)
        entries.append(entry)
        previous = entry.chain
    return entries


class Tables:
    """Every table of this machine."""

    def __init__(self, store: Store, live: Live) -> None:
        self.store = store
        self.live = live
        self._tables: dict[str, Table] = {}
        self._lock = threading.Lock()
        self._transfers: dict[str, tuple[str, SeatId, float]] = {}

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
            self._free_code(), game, lang, seed or chance.new_seed(), "lobby", _now(), _now()
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
        entries = _seal(table.ledger, drafts)

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

    # Storing

    def _append(self, table: Table, drafts: Sequence[Draft]) -> None:
        """Seal, store, take, then tell: in this order."""
        ledger = table.ledger
        entries = _seal(ledger, drafts)
        is_stale = time.monotonic() - table.stamped_at > STAMP_EVERY_S

        def insert(connection: Any) -> None:
            insert_entries(connection, table.code, entries)
            if is_stale:
                values = (_now(), table.code)
                connection.execute("UPDATE tables SET played_at = ? WHERE code = ?", values)

        self.store.write(insert)
        if is_stale:
            table.stamped_at = time.monotonic()
        was = ledger.status
        before = {viewer: ledger.version(viewer) for viewer in (None, *ledger.order)}
        for entry, draft in zip(entries, drafts, strict=True):
            ledger.take(entry, draft.step)
        unaware = {viewer for viewer in before if ledger.version(viewer) == before[viewer]}
        if None not in unaware:
            table.asked_at = time.monotonic()
        if ledger.status != was:
            self._store_status(table)
        self.live.wake(table.code, but=unaware)

    def _store_status(self, table: Table) -> None:
        values = (table.ledger.status, _now(), table.code)
        self.store.write(
            lambda connection: connection.execute(
                "UPDATE tables SET status = ?, played_at = ? WHERE code = ?", values
            )
        )
        if table.ledger.status == "over":
            self.store.keep_backup()

    # Sitting down

    def join(
        self, table: Table, name: str, *, colour: str | None = None, mix: str = "", nonce: str = ""
    ) -> tuple[SeatInfo, str]:
        """Take a new seat and give it with its token. The same nonce twice is one seat.

        Raises MalformedAction for an empty name, SeatTaken for a full table or a taken colour,
        TableError once play has begun.
        """
        with table.lock:
            seat, token = table.nonces.get(nonce, (-1, ""))
            if seat in table.ledger.seats:
                return table.ledger.seats[seat], token
            info = self._new_seat(table.ledger, name, colour, mix)
            token = self._new_key(table, info.seat)
            payload = msgspec.to_builtins(info)
            self._append(table, [Draft("join", info.seat, payload)])
            if nonce:
                table.nonces[nonce] = (info.seat, token)
            return info, token

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

    def _new_key(self, table: Table, seat: SeatId, *, revoke: bool = False) -> str:
        """Make a key to a seat; with `revoke` all its older keys stop working."""
        token = secrets.token_urlsafe(16)
        hashed = hash_key(token)

        def change(connection: Any) -> None:
            if revoke:
                connection.execute(
                    "DELETE FROM keys WHERE code = ? AND seat = ?", (table.code, seat)
                )
            connection.execute("INSERT INTO keys VALUES (?, ?, ?)", (hashed, table.code, seat))

        self.store.write(change)
        if revoke:
            self._forget_keys(table, seat)
        table.keys[hashed] = seat
        return token

    def _revoke(self, table: Table, seat: SeatId) -> None:
        """Make all keys to a seat stop working."""
        self.store.write(
            lambda connection: connection.execute(
                "DELETE FROM keys WHERE code = ? AND seat = ?", (table.code, seat)
            )
        )
        self._forget_keys(table, seat)

    def _forget_keys(self, table: Table, seat: SeatId) -> None:
        """Forget a seat's keys, and the transfer codes that were made with them."""
        table.keys = {k: s for k, s in table.keys.items() if s != seat}
        self._transfers = {k: v for k, v in self._transfers.items() if v[:2] != (table.code, seat)}

    def leave(self, table: Table, seat: SeatId) -> None:
        """Get up again, before the game starts."""
        with table.lock:
            self._lobby_only(table, seat)
            self._revoke(table, seat)
            self._append(table, [Draft("note", seat, {"what": "left", "seat": seat})])

    def rename(self, table: Table, seat: SeatId, name: str) -> None:
        """Change a seat's name."""
        with table.lock:
            ledger = table.ledger
            ledger.index(seat)
            others = [info for info in ledger.seats.values() if info.seat != seat]
            name = names.distinct(names.clean(name), {other.name for other in others})
            letter = names.letter(name, {other.letter for other in others})
            payload = {"what": "renamed", "seat": seat, "name": name, "letter": letter}
            self._append(table, [Draft("note", seat, payload)])

    def reorder(self, table: Table, order: Sequence[SeatId]) -> None:
        """Set the seats' order, clockwise. Raises MalformedAction unless it names each once."""
        with table.lock:
            self._lobby_only(table, None)
            if sorted(order) != sorted(table.ledger.order):
                raise MalformedAction("bad_order")
            self._append(table, [Draft("note", None, {"what": "order", "order": list(order)})])

    def set_options(self, table: Table, options: Mapping[str, str]) -> None:
        """Change options before the start. Raises MalformedAction for unknown ones."""
        with table.lock:
            self._lobby_only(table, None)
            chosen = table.ledger.options | check_options(table.game, options)
            self._append(table, [Draft("note", None, {"what": "options", "options": chosen})])

    @staticmethod
    def _lobby_only(table: Table, seat: SeatId | None) -> None:
        if table.ledger.status != "lobby":
            raise TableError("already_started")
        if seat is not None:
            table.ledger.index(seat)

    def start(self, table: Table) -> None:
        """Begin the game with the seats as they sit. Raises TableError."""
        with table.lock:
            profile = profiles.load(table.game.META.key, table.ledger.chosen()["board"])
            facts = {key: value for key, value in profile.items() if key != "drawing"}
            self._append(table, table.ledger.begin(facts, draw=table.draw))

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
            self._append(table, drafts)
            return ledger.done[seat, action_id]

    def act_for(
        self, table: Table, seat: SeatId, raw: object, *, version: int, action_id: str
    ) -> int:
        """Let the host act for an absent seat, in the open; only what needs none of its secrets.

        `version` is the display's. Raises RuleViolation ("not_for_others") for anything else.
        """
        with table.lock:
            ledger = table.ledger
            index = ledger.index(seat)
            if (seat, action_id) in ledger.done:
                return ledger.done[seat, action_id]
            if version != ledger.version(None):
                raise StaleTable(version=ledger.version(None))
            action = decode_action(table.game, raw)
            allowed = table.game.stand_in(ledger.state, index) if ledger.state else ()
            if action not in allowed:
                raise RuleViolation("not_for_others")
            now = ledger.version(seat)
            return self._act(table, seat, raw, now, action_id, exact=True, by="host")

    # Taking back and setting right

    def undo(self, table: Table, seat: SeatId) -> str:
        """Take back one's own last action: "done" at once, or "asked" of the others."""
        with table.lock:
            ledger = table.ledger
            mark = ledger.own_last_mark(seat)
            if ledger.may_undo_alone(mark):
                undo = {"to": mark.seq, "by": seat, "how": "own"}
                self._append(table, [Draft("undo", seat, undo)])
                return "done"
            self._ask(table, seat, "undo", {"to": mark.seq})
            return "asked"

    def correct(self, table: Table, by: SeatId | None, raw: object, *, reason: str) -> str:
        """Set what the real board shows to be different.

        A seat asks the others ("asked"); the host (`by` None) does it, publicly noted ("done").
        """
        with table.lock:
            ledger = table.ledger
            if ledger.status != "playing":
                raise TableError("not_playing")
            try:
                correction = msgspec.convert(raw, table.game.Correction)
            except msgspec.ValidationError as error:
                raise MalformedAction(detail=str(error)) from error
            table.game.correct(ledger.state, correction)
            reason = names.sentence(reason, LONGEST_REASON)
            payload = {"correction": msgspec.to_builtins(correction), "reason": reason}
            if by is None:
                self._settle(table, "correction", payload, how="host", by=None)
                return "done"
            self._ask(table, by, "correction", payload)
            return "asked"

    def _ask(self, table: Table, by: SeatId, what: str, payload: dict[str, Any]) -> None:
        if table.ledger.ask is not None:
            raise UndoRefused("already_asked")
        note = {"what": "ask", "ask": what, "by": by, "payload": payload}
        self._append(table, [Draft("note", by, note)])

    def answer_ask(self, table: Table, who: Who, *, agree: bool) -> None:
        """Agree to what is asked, or refuse it. All present must agree; the host may decide."""
        with table.lock:
            ask = table.ledger.ask
            if ask is None:
                raise UndoRefused("nothing_asked")
            if who.seat is None and not who.is_host:
                raise NotSeated
            if not agree:
                self._append(table, [Draft("note", who.seat, {"what": "refuse", "seat": who.seat})])
                return
            if who.seat is None:
                self._settle(table, ask.what, ask.payload, how="host", by=ask.by)
                return
            self._append(table, [Draft("note", who.seat, {"what": "agree", "seat": who.seat})])
            self._settle_if_agreed(table)

    def _settle_if_agreed(self, table: Table) -> None:
        """Do what was asked once every seat that is present has agreed, another one at least."""
        ask = table.ledger.ask
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
            self._append(table, [Draft("undo", by, payload)])
            return
        correction = msgspec.convert(payload["correction"], table.game.Correction)
        step = table.game.correct(table.ledger.state, correction)
        payload["unbalanced"] = bool(table.game.violations(step.state))
        self._append(table, [Draft("correction", by, payload, step)])

    # Moving a seat to another phone

    def transfer_code(self, table: Table, seat: SeatId) -> str:
        """Give a code, good for five minutes and one use, that moves a seat to another phone."""
        table.ledger.index(seat)
        code = "".join(secrets.choice(CODE_SIGNS) for _ in range(8))
        now = time.monotonic()
        self._transfers = {k: v for k, v in self._transfers.items() if v[2] > now}
        self._transfers[code] = (table.code, seat, now + TRANSFER_S)
        return code

    def transfer(self, code: str) -> tuple[Table, SeatId]:
        """Look a transfer code up without using it. Raises NoSuchTable."""
        found = self._transfers.get(code.upper())
        if found is None or found[2] < time.monotonic():
            raise NoSuchTable("no_such_transfer")
        return self.find(found[0]), found[1]

    def redeem(self, code: str) -> tuple[Table, SeatId, str]:
        """Move the seat here: the older phone loses it, every screen is told."""
        table, seat = self.transfer(code)
        if self._transfers.pop(code.upper(), None) is None:
            raise NoSuchTable("no_such_transfer")
        return table, seat, self._move(table, seat, "moved")

    def _move(self, table: Table, seat: SeatId, what: str) -> str:
        with table.lock:
            token = self._new_key(table, seat, revoke=True)
            self._append(table, [Draft("note", seat, {"what": what, "seat": seat})])
            return token

    def release(self, table: Table, seat: SeatId) -> None:
        """Free a seat whose phone is gone: its keys stop working, anyone may take it."""
        with table.lock:
            table.ledger.index(seat)
            self._revoke(table, seat)
            self._append(table, [Draft("note", seat, {"what": "released", "seat": seat})])

    def is_free(self, table: Table, seat: SeatId) -> bool:
        """Say whether no phone holds a seat."""
        return seat not in table.keys.values()

    def take_free(self, table: Table, seat: SeatId) -> str:
        """Sit down on a released seat. Raises SeatTaken if somebody was quicker."""
        with table.lock:
            table.ledger.index(seat)
            if not self.is_free(table, seat):
                raise SeatTaken("seat_taken")
            return self._move(table, seat, "seat_given")

    def request_seat(self, table: Table, seat: SeatId) -> SeatRequest:
        """Ask for a seat that another phone holds; the host or that phone must say yes."""
        with table.lock:
            table.ledger.index(seat)
            others = table.requests[-9:]
            free = [n for n in range(10, 100) if n not in {other.number for other in others}]
            request = SeatRequest(seat, secrets.choice(free), secrets.token_urlsafe(16))
            table.requests = [*others, request]
            self.live.wake(table.code)
            return request

    def settle_request(self, table: Table, number: int, who: Who, *, agree: bool) -> None:
        """Let a phone in, or not. Only the host or the seat itself may."""
        with table.lock:
            for request in table.requests:
                if request.number == number and request.state == "asked":
                    if not who.is_host and who.seat != request.seat:
                        raise NotSeated
                    request.state = "given" if agree else "refused"
                    self.live.wake(table.code)
                    return
        raise UndoRefused("nothing_asked")

    def collect_request(self, table: Table, secret: str) -> tuple[SeatRequest, str | None]:
        """Give a waiting phone the state of its request, with the new key once it was given."""
        with table.lock:
            request = self.find_request(table, secret)
            if request is None:
                raise NoSuchTable("no_such_transfer")
            if request.state != "given":
                return request, None
            table.requests.remove(request)
            return request, self._move(table, request.seat, "seat_given")

    @staticmethod
    def find_request(table: Table, secret: str) -> SeatRequest | None:
        """Find a waiting phone's request by its secret."""
        wanted = secret.encode()
        return next(
            (r for r in table.requests if secrets.compare_digest(r.secret.encode(), wanted)), None
        )

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
                    self._append(again, [Draft("join", info.seat, msgspec.to_builtins(info))])
            note = {"what": "rematch", "table": again.code}
            self._append(table, [Draft("note", None, note)])
            return again

    def host_key(self, table: Table) -> str:
        """Make another host's key to a table, for the host of the table before it."""
        token = secrets.token_urlsafe(16)
        self.store.write(
            lambda connection: connection.execute(
                "INSERT INTO keys VALUES (?, ?, NULL)", (hash_key(token), table.code)
            )
        )
        table.keys[hash_key(token)] = None
        return token


def check_options(game: Game, options: Mapping[str, str]) -> dict[str, str]:
    """Give the options if all are known. "star" names the seat that begins."""
    known = {option.key: option.values for option in game.META.options}
    for key, value in options.items():
        is_star = key == "star" and value.isdecimal() and len(value) < ID_LENGTH
        if not is_star and value not in known.get(key, ()):
            raise MalformedAction("bad_option", option=key, value=str(value))
    return dict(options)

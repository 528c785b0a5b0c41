"""A table in memory, and the desk that stores what happens there before anybody hears of it."""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from msgspec import Struct

from referee import chance, deciding, profiles
from referee.db import Store, TableRow, insert_entries, keep_facts, note_played
from referee.entries import Draft, Entry, SeatId
from referee.errors import MalformedAction, NoSuchTable, StaleTable
from referee.games.base import Need, Outcome
from referee.games.protocol import Game
from referee.journal import Ledger, replay
from referee.live import Live
from referee.seal import seal

ID_LENGTH: Final = 64
STAMP_EVERY_S: Final = 60.0
"""When a table was last played is for people: not worth a page more to write at each tap."""
SITTINGS: Final = frozenset({"join", "note", "setup"})
"""The kinds of entries that tell who sits where, and that play began."""


class Who(Struct, frozen=True):
    """Who is looking: a seat, the host, both, or neither (the display)."""

    seat: SeatId | None = None
    is_host: bool = False


DISPLAY: Final = Who()


class Seen(Struct, frozen=True):
    """The picture that somebody decided on: whose it was, and its version.

    `exact`: it must be the newest; else it is enough that it still asked the same.
    """

    viewer: SeatId | None
    version: int
    exact: bool


class SeatRequest(Struct):
    """Another phone that says it is somebody's. `number` is shown on both screens.

    `by` is the address that asked.
    """

    seat: SeatId
    number: int
    secret: str
    by: str = ""
    state: str = "asked"


class Table:
    """One table in memory: its ledger, its keys, and who asks to be let in.

    Attributes:
        rematch: the code of the table where the same people play again.
        is_gone: it was deleted; whoever still has it in hand is told so.
        is_asleep: nobody has come back to it since the server was started.
    """

    def __init__(self, row: TableRow, ledger: Ledger, keys: dict[str, SeatId | None]) -> None:
        self.code = row.code
        self.lang = row.lang
        self.seed = row.seed
        self.opened_at = row.opened_at
        self.ledger = ledger
        self.keys = keys
        self.requests: list[SeatRequest] = []
        self.nonces: dict[str, tuple[SeatId, str]] = {}
        self.rematch = ledger.rematch
        self.is_gone = False
        self.is_asleep = False
        self.asked_at = time.monotonic()
        self.stamped_at = time.monotonic()
        # Re-entrant: whoever agrees to a proposal holds it already when that is settled.
        self.lock = threading.RLock()

    @property
    def game(self) -> Game:
        """Give the rules played here."""
        return self.ledger.game

    @property
    def bots(self) -> frozenset[SeatId]:
        """Name the seats on which a bot sits, and nobody since."""
        return self.ledger.seating.bots - {seat for seat in self.keys.values() if seat is not None}

    @property
    def is_told_aloud(self) -> bool:
        """Say whether anybody at the table may tell now what happened there."""
        return bool(self.game.screens.desk_part(self.ledger.public(), fresh=0))

    def draw(self, need: Need) -> Outcome:
        """Draw from this table's seed; phones' randomness is mixed in unless it is seeded."""
        if self.ledger.is_seeded:
            return chance.draw(self.seed, need)
        mixes = (self.ledger.seating.seats[seat].mix for seat in self.ledger.seating.order)
        return chance.draw(chance.stir(self.seed, mixes), need)

    def who(self, token: str) -> Who:
        """Say who holds this token; nobody known is the display."""
        # Looked up by its hash: how long that takes says nothing of how much of a key was right.
        hashed = hash_key(token)
        if hashed not in self.keys:
            return DISPLAY
        seat = self.keys[hashed]
        return Who(is_host=True) if seat is None else Who(seat=seat)


def hash_key(token: str) -> str:
    """Give what is stored of a token. Tokens are 128 random bits, so one plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def _drop(held: str) -> str:
    return f"DELETE FROM {held} WHERE code = ? AND seat = ?"  # noqa: S608  # a name of ours


def now() -> str:
    """Give the time for people to read; nothing is ordered by it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def sealed(ledger: Ledger, drafts: Sequence[Draft]) -> list[Entry]:
    """Make drafts the next links of a ledger's chain, each with a salt of its own."""
    at = now()
    entries: list[Entry] = []
    previous = ledger.head
    for seq, draft in enumerate(drafts, ledger.length + 1):
        entry = seal(draft, seq=seq, at=at, salt=secrets.token_hex(16), previous=previous)
        entries.append(entry)
        previous = entry.chain
    return entries


class Desk:
    """Stores a table's entries and keys, each in one durable transaction, then tells the pages."""

    def __init__(self, store: Store, live: Live) -> None:
        self.store = store
        self.live = live
        self.transfers: dict[str, tuple[str, SeatId, float]] = {}

    def once(
        self,
        table: Table,
        by: SeatId | None,
        action_id: str | None,
        decide: Callable[[], Sequence[Draft]],
        *,
        seen: Seen | None = None,
    ) -> int:
        """Do what `decide` gives, once for each id, and give its sender's version after it.

        `by` is a seat or the host (None); without an id nothing is the same as anything. `seen` is
        the picture it was decided on, if that matters. Raises MalformedAction, StaleTable, and
        whatever `decide` refuses.
        """
        if action_id is not None and not 0 < len(action_id) <= ID_LENGTH:
            raise MalformedAction("bad_id")
        # One lock from the look-up to the store: of two taps that race, one finds the other's
        # answer. The id comes before the version, since a repeated tap is late by its nature.
        with table.lock:
            ledger = table.ledger
            known = None if action_id is None else ledger.answered.version(by, action_id)
            if known is not None:
                return known
            if seen is not None:
                deciding.check_fresh(ledger, seen.viewer, seen.version, exact=seen.exact)
            self.append(table, decide())
            answered = None if action_id is None else ledger.answered.version(by, action_id)
            return ledger.version(by) if answered is None else answered

    def append(self, table: Table, drafts: Sequence[Draft]) -> None:
        """Seal, store, take, then tell: in this order.

        Whatever a page shows is on the disk by then. If storing fails, nothing was taken, so the
        ledger is as it was and the same tap can be tried again.
        """
        entries = sealed(table.ledger, drafts)
        is_noticed = any(d.step is None or d.step.audience is None for d in drafts)
        self._store(table, entries, drafts, is_noticed=is_noticed)
        unaware = self._take(table, entries, drafts, is_noticed=is_noticed)
        self.live.wake(table.code, but=unaware)

    def _store(
        self, table: Table, entries: list[Entry], drafts: Sequence[Draft], *, is_noticed: bool
    ) -> None:
        """Store entries, and in the same transaction what hangs on them. Raises StaleTable."""
        # When a table was played last is public, and orders the start page.
        is_stale = is_noticed and time.monotonic() - table.stamped_at > STAMP_EVERY_S
        learnt = tuple(fact for d in drafts if d.step is not None for fact in d.step.learnt)
        board = profiles.name_of(table.ledger.chosen()) if learnt else profiles.PRACTICE

        def insert(connection: Any) -> None:
            insert_entries(connection, table.code, entries)
            # What a journal says was learnt is known to the next game too.
            if board != profiles.PRACTICE:
                keep_facts(connection, table.game.META.key, board, learnt, now(), table.code)
            if is_stale:
                note_played(connection, table.code, now())

        try:
            self.store.write(insert)
        except sqlite3.IntegrityError as conflict:
            self._read_again(table)
            raise StaleTable(version=table.ledger.version(None)) from conflict
        if any(draft.kind in SITTINGS for draft in drafts):
            self.store.sittings += 1
        if is_stale:
            table.stamped_at = time.monotonic()

    def _take(
        self, table: Table, entries: list[Entry], drafts: Sequence[Draft], *, is_noticed: bool
    ) -> set[SeatId | None]:
        """Let entries be the state; give the viewers who may notice nothing of them.

        Pages are woken by what their viewer may notice: a wake-up alone would tell others that
        somebody just made a secret choice.
        """
        ledger = table.ledger
        was = ledger.status
        viewers = () if is_noticed else (None, *ledger.seating.order)
        before = {viewer: ledger.version(viewer) for viewer in viewers}
        for entry, draft in zip(entries, drafts, strict=True):
            ledger.take(entry, draft.step)
        unaware = {viewer for viewer in before if ledger.version(viewer) == before[viewer]}
        if None not in unaware:
            table.asked_at = time.monotonic()
        if was != "over" and ledger.status == "over":
            self.store.want_backup()
        return unaware

    def _read_again(self, table: Table) -> None:
        """Take what is stored for true: somebody else wrote to this table's journal.

        One server holds a folder, so this should not be; but a table whose memory is behind its
        journal would refuse every action from then on. Raises NoSuchTable for one that was deleted
        while somebody tapped.
        """
        if self.store.table_row(table.code) is None:
            raise NoSuchTable(table=table.code)
        table.ledger = replay(table.game, self.store.entries(table.code))
        table.keys = self.store.keys(table.code)
        self.live.wake(table.code)

    def new_key(self, table: Table, seat: SeatId, *, revoke: bool = False) -> str:
        """Make a key to a seat; with `revoke` all its older keys stop working."""
        token = secrets.token_urlsafe(16)
        hashed = hash_key(token)

        def change(connection: Any) -> None:
            if revoke:
                for held in ("keys", "freed"):
                    connection.execute(_drop(held), (table.code, seat))
            connection.execute("INSERT INTO keys VALUES (?, ?, ?)", (hashed, table.code, seat))

        # Stored first: a key that a phone holds must open its seat after any crash.
        self.store.write(change)
        if revoke:
            self._forget_keys(table, seat)
        table.keys[hashed] = seat
        return token

    def revoke(self, table: Table, seat: SeatId) -> None:
        """Make all keys to a seat stop working for good."""

        def change(connection: Any) -> None:
            for held in ("keys", "freed"):
                connection.execute(_drop(held), (table.code, seat))

        self.store.write(change)
        self._forget_keys(table, seat)

    def lay_by(self, table: Table, seat: SeatId) -> None:
        """Make all keys to a seat stop working, and keep them until somebody else has one."""

        def change(connection: Any) -> None:
            connection.execute(
                "INSERT INTO freed SELECT hash, code, seat FROM keys WHERE code = ? AND seat = ?",
                (table.code, seat),
            )
            connection.execute(_drop("keys"), (table.code, seat))

        self.store.write(change)
        # Only what is stored is forgotten: after a crash in between the older phone still has its
        # seat, instead of nobody.
        self._forget_keys(table, seat)

    def restore(self, table: Table, seat: SeatId) -> bool:
        """Let the keys open a seat again that were laid by; say whether there were any."""

        def change(connection: Any) -> list[str]:
            found = connection.execute(
                "SELECT hash FROM freed WHERE code = ? AND seat = ?", (table.code, seat)
            )
            hashes = [hashed for (hashed,) in found]
            connection.executemany(
                "INSERT INTO keys VALUES (?, ?, ?)", [(each, table.code, seat) for each in hashes]
            )
            connection.execute(_drop("freed"), (table.code, seat))
            return hashes

        hashes = self.store.write(change)
        table.keys |= dict.fromkeys(hashes, seat)
        return bool(hashes)

    def _forget_keys(self, table: Table, seat: SeatId) -> None:
        """Forget a seat's keys, and the transfer codes that were made with them."""
        table.keys = {k: s for k, s in table.keys.items() if s != seat}
        self.transfers = {k: v for k, v in self.transfers.items() if v[:2] != (table.code, seat)}

    def new_host_key(self, table: Table) -> str:
        """Make another host's key to a table, for the host of the table before it."""
        token = secrets.token_urlsafe(16)
        self.store.write(
            lambda connection: connection.execute(
                "INSERT INTO keys VALUES (?, ?, NULL)", (hash_key(token), table.code)
            )
        )
        table.keys[hash_key(token)] = None
        return token

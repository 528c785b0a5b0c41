"""All tables that were ever played here, and the people who played: what a shelf remembers."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from referee.db import Store
from referee.entries import SeatId

PER_PAGE: Final = 20
TOLD: Final = """
    SELECT code, payload FROM entries WHERE kind IN ('join', 'note') AND (kind = 'join'
    OR CASE WHEN json_valid(payload) THEN json_extract(payload, '$.what') END
    IN ('renamed', 'left', 'bots')) ORDER BY code, seq
"""
"""What tells who sits where. Not AND: SQLite may look into what is no JSON before it asks that."""
PLAYED: Final = """
    SELECT code FROM tables WHERE game = ? AND rowid < (SELECT rowid FROM tables WHERE code = ?)
    AND EXISTS (SELECT 1 FROM entries e WHERE e.code = tables.code AND e.kind = 'setup')
"""
"""The tables of a game, opened before one, at which play has begun."""


class Sitter(Struct, frozen=True):
    """Somebody at a table: the name that was typed, the person that it stands for, the mark."""

    name: str
    person: str
    colour: str


class Evening(Struct, frozen=True):
    """A table as it is listed. The times are for people; `length` counts its entries."""

    code: str
    game: str
    opened_at: str
    played_at: str
    length: int
    people: tuple[Sitter, ...]


class Person(Struct, frozen=True):
    """Somebody known over evenings: by this name, these typed ones, and the mark they take most."""

    name: str
    names: tuple[str, ...]
    colour: str
    evenings: int


class _Told(Struct):
    """What an entry tells about a seat, or about those of bots."""

    seat: SeatId = SeatId(-1)
    what: str = ""
    name: str = ""
    colour: str = ""
    seats: tuple[SeatId, ...] = ()


class Evenings:
    """The evenings of a data folder. `store` is its database."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._sittings = -1
        self._sat: dict[str, frozenset[str]] = {}
        self._played: dict[tuple[str, str], frozenset[str]] = {}

    def all(self, *, game: str = "", person: str = "") -> list[Evening]:
        """List tables, the last played at first: all, or those of a game or a person."""
        known = self._known()
        with self._store.reading() as db:
            rows = list(
                db.query(
                    "SELECT code, game, opened_at, played_at,"
                    " (SELECT count(*) FROM entries WHERE entries.code = tables.code) AS length"
                    " FROM tables ORDER BY moved DESC"
                )
            )
            seated = list(db.query(TOLD))
        people = _people(((row["code"], row["payload"]) for row in seated), known)
        found = [msgspec.convert({**row, "people": ()}, Evening) for row in rows]
        whole = [msgspec.structs.replace(e, people=people.get(e.code, ())) for e in found]
        wanted = person.casefold()
        return [
            evening
            for evening in whole
            if game in {"", evening.game}
            and (not wanted or any(who.person.casefold() == wanted for who in evening.people))
        ]

    def people(self) -> list[Person]:
        """List everybody who ever sat down, who came most often first."""
        sat: dict[str, list[Sitter]] = defaultdict(list)
        came: dict[str, set[str]] = defaultdict(set)
        for evening in self.all():
            for who in evening.people:
                sat[who.person.casefold()].append(who)
                came[who.person.casefold()].add(evening.code)
        found = [
            Person(
                name=sitters[0].person,
                names=tuple(sorted({who.name for who in sitters})),
                colour=Counter(who.colour for who in sitters).most_common(1)[0][0],
                evenings=len(came[key]),
            )
            for key, sitters in sat.items()
        ]
        return sorted(found, key=lambda person: (-person.evenings, person.name.casefold()))

    def call(self, person: str, name: str) -> None:
        """Let a person be known by another name; somebody else's makes the two one."""
        was = person.casefold()
        # Whoever was known by the name that is given up comes along.
        typed = {key for key, known in self._known().items() if known.casefold() == was} | {was}

        def change(connection: sqlite3.Connection) -> None:
            for key in typed:
                connection.execute("DELETE FROM people WHERE typed = ?", (key,))
                connection.execute("INSERT INTO people VALUES (?, ?)", (key, name))

        self._store.write(change)

    def names_of(self, name: str) -> frozenset[str]:
        """Give all typed names, folded, by which whoever typed this one is known."""
        known = self._known()
        person = known.get(name.casefold(), name).casefold()
        return frozenset(key for key, who in known.items() if who.casefold() == person) | {
            name.casefold(),
            person,
        }

    def played(self, game: str, *, before: str) -> frozenset[str]:
        """Give the typed names, folded, of those who played a game before a table was opened.

        Ruling: somebody has played a game if they sat at an earlier table of it when play began.
        """
        # Asked for each seat of each table; who sits where changes a dozen times an evening.
        if self._sittings != self._store.sittings:
            self._sittings = self._store.sittings
            self._played.clear()
            self._sat.clear()
        found = self._played.get((game, before))
        if found is None:
            with self._store.reading() as db:
                earlier = [row["code"] for row in db.query(PLAYED, [game, before])]
                if earlier and not self._sat:
                    told = ((row["code"], row["payload"]) for row in db.query(TOLD))
                    self._sat = {
                        code: frozenset(who.name.casefold() for who in people)
                        for code, people in _people(told, {}).items()
                    }
            names = (self._sat.get(code, frozenset()) for code in earlier)
            found = self._played[game, before] = frozenset().union(*names)
        return found

    def size(self) -> int:
        """Give the bytes that the database and its backups take."""
        folder = self._store.path.parent
        return sum(_size(path) for path in (*folder.glob("referee.db*"), *folder.glob("backups/*")))

    def _known(self) -> Mapping[str, str]:
        with self._store.reading() as db:
            return {row["typed"]: row["person"] for row in db.table("people").rows}


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _people(
    told: Iterable[tuple[str, str]], known: Mapping[str, str]
) -> dict[str, tuple[Sitter, ...]]:
    """Give who sits at each table at last, by what was told of its seats in order.

    Bots are nobody, and what is damaged tells nothing.
    """
    seats: dict[str, dict[SeatId, tuple[str, str]]] = defaultdict(dict)
    bots: dict[str, set[SeatId]] = defaultdict(set)
    for code, raw in told:
        try:
            entry = msgspec.json.decode(raw, type=_Told)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            continue
        # In the order of the journal: a name that was changed later replaces the one before it.
        table = seats[code]
        if entry.what == "left":
            table.pop(entry.seat, None)
        elif entry.what == "bots":
            bots[code].update(entry.seats)
        elif entry.name:
            colour = entry.colour or table.get(entry.seat, ("", ""))[1]
            table[entry.seat] = (entry.name, colour)
    return {
        code: tuple(
            Sitter(name, known.get(name.casefold(), name), colour)
            for seat, (name, colour) in table.items()
            if seat not in bots[code]
        )
        for code, table in seats.items()
    }

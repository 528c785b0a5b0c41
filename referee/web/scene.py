"""What a page shows to one viewer, made from the ledger and the game's views alone.

A `Frame` is what stays the same while people play: seats with their marks, the board's drawing.
A `Scene` adds everything a whole page may need. What changes with every action is in the parts.
"""

from __future__ import annotations

import time
from typing import Any

import msgspec
from msgspec import Struct

from referee import profiles
from referee.entries import SeatId
from referee.games.base import Game, SeatIndex
from referee.journal import Proposal
from referee.live import Live
from referee.loglines import LogLine
from referee.seal import words
from referee.tables import SeatRequest, Table


class SeatCard(Struct, frozen=True):
    """A seat as it is shown everywhere: its mark and its name."""

    seat: SeatId
    index: SeatIndex
    name: str
    colour: str
    shape: str
    letter: str


class Frame:
    """One viewer's unchanging surroundings. Frames are compared by identity.

    Attributes:
        me: the viewer's own card, None on the display.
        base: where this page's forms go.
        here: the seats that this browser holds.
    """

    def __init__(
        self,
        table: Table,
        cards: tuple[SeatCard, ...],
        viewer: SeatId | None,
        *,
        is_host: bool,
        here: tuple[SeatId, ...],
    ) -> None:
        meta = table.game.META
        profile = profiles.load(meta.key, profiles.name_of(table.ledger.chosen()))
        self.code = table.code
        self.game = meta.key
        self.seats = cards
        self.me = next((card for card in cards if card.seat == viewer), None)
        self.base = f"/t/{table.code}" if self.me is None else f"/s/{table.code}/{viewer}"
        self.is_host = is_host
        self.here = here
        self.board = profile
        self.drawing = profile.get("drawing")

    def by_index(self, index: int) -> SeatCard:
        """Give the seat with this number in the game."""
        return self.seats[index]

    def by_id(self, seat: SeatId) -> SeatCard:
        """Give the seat with this id."""
        return next(card for card in self.seats if card.seat == seat)


class Groups(dict[str, tuple[Any, ...]]):
    """Legal actions by type; a type that is not legal now has none."""

    def __missing__(self, key: str) -> tuple[Any, ...]:
        return ()


def tag_of(action: Any) -> str:
    """Name the type of an action."""
    return str(action.__struct_config__.tag)


def by_type(legal: tuple[Any, ...]) -> Groups:
    """Group actions by their tag, in order."""
    lists: dict[str, list[Any]] = {}
    for action in legal:
        lists.setdefault(tag_of(action), []).append(action)
    return Groups({tag: tuple(actions) for tag, actions in lists.items()})


class Scene:
    """All that one viewer's whole page may show.

    Attributes:
        awaited: seats that hold up the table, by id.
        present, free: seats whose phone was heard of lately, and seats nobody holds.
        since_s: seconds since anything happened.
        news: what the table just agreed on, or what happened to a seat.
        ask_number: the number of what is asked of the table, as this viewer counts.
        ask_effects: what a correction that is asked for would change.
        veil_s: after how many seconds without a touch a phone hides its plans; 0 is never.
        undo_lines: what an undo that is asked for would strike out.
    """

    def __init__(self, table: Table, frame: Frame, live: Live, lang: str) -> None:
        ledger = table.ledger
        game: Game = table.game
        viewer = frame.me.seat if frame.me else None
        self.frame = frame
        self.code, self.game, self.base = frame.code, frame.game, frame.base
        self.title = game.META.title(ledger.chosen(), lang)
        self.seats, self.me = frame.seats, frame.me
        self.is_host, self.here = frame.is_host, frame.here
        self.board, self.drawing = frame.board, frame.drawing
        self.by_index, self.by_id = frame.by_index, frame.by_id
        self.status = ledger.status
        self.version = ledger.version(viewer)
        self.words = words(ledger.noticed.head_for(viewer))
        self.is_seeded = ledger.is_seeded
        self.options = ledger.chosen()
        self.least, self.most = game.META.seats
        self.public: Any = None if ledger.state is None else game.public(ledger.state)
        awaited = () if self.public is None else self.public.waiting_for
        self.awaited = frozenset(ledger.seat_at(SeatIndex(index)) for index in awaited)
        self.present = present(table, live)
        self.free = free(table)
        self.since_s = int(time.monotonic() - table.asked_at)
        asked = ledger.proposal
        self.ask: Proposal | None = asked
        self.ask_number = 0 if asked is None else ledger.noticed.number(asked.number, viewer)
        self.requests: tuple[SeatRequest, ...] = open_requests(table)
        self.ask_effects: tuple[Any, ...] = _ask_effects(table)
        self.undo_lines: tuple[LogLine, ...] = _undo_lines(table)
        self.news = news(table)
        self.rematch = ledger.rematch
        self.mood = self._mood(table)
        self.veil_s: int = game.screens.VEIL_S

    def _mood(self, table: Table) -> str:
        if self.me is None or self.public is None:
            return ""
        legal = table.ledger.legal_for(self.me.seat)
        mood: str = table.game.screens.mood(self.public, legal, self.me.index)
        return mood


def cards(table: Table) -> tuple[SeatCard, ...]:
    """Give the seats clockwise."""
    ledger = table.ledger
    return tuple(
        SeatCard(seat, SeatIndex(index), info.name, info.colour, info.shape, info.letter)
        for index, seat in enumerate(ledger.order)
        for info in (ledger.seats[seat],)
    )


def present(table: Table, live: Live) -> frozenset[SeatId]:
    """Name the seats whose phone was heard of lately."""
    return frozenset(s for s in table.ledger.order if live.is_present(table.code, s))


def free(table: Table) -> frozenset[SeatId]:
    """Name the seats that no phone holds."""
    return frozenset(table.ledger.order) - {s for s in table.keys.values() if s is not None}


def open_requests(table: Table) -> tuple[SeatRequest, ...]:
    """List the phones that wait to be let in."""
    return tuple(request for request in table.requests if request.state == "asked")


def news(table: Table) -> LogLine | None:
    """Give the newest line of the log if it is about the table and not the game.

    Every screen shows it until play goes on: a seat that moved, something taken back or set right.
    """
    line = table.ledger.lines[-1] if table.ledger.lines else None
    is_asked = line is not None and line.note is not None and line.note.get("what") == "ask"
    return line if line and line.kind in {"note", "undo", "correction"} and not is_asked else None


def _ask_effects(table: Table) -> tuple[Any, ...]:
    """Give what a correction that is asked for would change in the running game."""
    ask = table.ledger.proposal
    if ask is None or ask.what != "correction":
        return ()
    effects = ask.payload.get("effects", [])
    return tuple(msgspec.convert(effects, list[table.game.Event]))  # type: ignore[name-defined]  # a game names its own events


def _undo_lines(table: Table) -> tuple[LogLine, ...]:
    ask = table.ledger.proposal
    if ask is None or ask.what != "undo":
        return ()
    return tuple(
        line
        for line in table.ledger.lines
        if line.seq >= ask.payload["to"] and line.events and not line.is_undone
    )

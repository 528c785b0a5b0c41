"""Who looks, at which table, in which language: what stays the same while people play.

A `Frame` is `s` in every template of a table. What changes while people play is `p` there: the
small value of a part or of a page.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from referee import profiles
from referee.entries import SeatId
from referee.games.base import SeatIndex
from referee.live import Live
from referee.tables import SeatRequest, Table


class SeatCard(Struct, frozen=True, cache_hash=True):
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
        common: the frame of somebody without a seat who reads the same language.
        me: the viewer's own card, None on the display.
        base: where this page's forms go.
        here: the seats that this browser holds.
        board: the shipped profile of the board, empty for a game without one; drawing: of it.
        starter: the option that names a seat, "" if there is none.
        least, most: how many seats the game takes.
    """

    def __init__(
        self,
        table: Table,
        viewer: SeatId | None,
        lang: str,
        *,
        is_host: bool,
        here: tuple[SeatId, ...],
        common: Frame | None = None,
    ) -> None:
        ledger, meta = table.ledger, table.game.META
        self.common = common or self
        self.code = table.code
        self.game = meta.key
        self.lang = lang
        if common is None:
            self.options, self.seats = ledger.chosen(), cards(table)
            self._by_id = {card.seat: card for card in self.seats}
        else:
            self.options, self.seats = common.options, common.seats
            self._by_id = common._by_id  # noqa: SLF001  # of its own class
        self.title = meta.title(self.options, lang)
        self.status = ledger.status
        self.is_seeded = ledger.is_seeded
        self.starter = meta.starter
        self.least, self.most = meta.seats
        self.me = None if viewer is None else self._by_id.get(viewer)
        # The seat in the address: of several seats in one browser each page acts for its own.
        self.base = f"/t/{table.code}" if self.me is None else f"/s/{table.code}/{viewer}"
        self.is_host = is_host
        self.tells = table.game.telling is not None
        self.here = here
        self.board = profiles.load(meta.key, profiles.name_of(self.options))
        self.is_practice = bool(self.board.get("practice"))
        self.drawing = self.board.get("drawing")

    def by_index(self, index: int) -> SeatCard:
        """Give the seat with this number in the game."""
        return self.seats[index]

    def by_id(self, seat: SeatId) -> SeatCard:
        """Give the seat with this id."""
        return self._by_id[seat]


def tag_of(value: Any) -> str:
    """Name the type of an action or a question; "" for a struct that is of no union."""
    tag = value.__struct_config__.tag
    return "" if tag is None else str(tag)


def cards(table: Table) -> tuple[SeatCard, ...]:
    """Give the seats clockwise."""
    ledger = table.ledger
    return tuple(
        SeatCard(seat, SeatIndex(index), info.name, info.colour, info.shape, info.letter)
        for index, seat in enumerate(ledger.seating.order)
        for info in (ledger.seating.seats[seat],)
    )


def present(table: Table, live: Live) -> frozenset[SeatId]:
    """Name the seats whose phone was heard of lately; bots never sleep."""
    # By what its page asks for, not by open streams: a phone that fell asleep leaves its own open.
    return table.bots | {s for s in table.ledger.seating.order if live.is_present(table.code, s)}


def free(table: Table) -> frozenset[SeatId]:
    """Name the seats that no phone holds, and no bot."""
    held = {s for s in table.keys.values() if s is not None}
    return frozenset(table.ledger.seating.order) - held - table.bots


def open_requests(table: Table) -> tuple[SeatRequest, ...]:
    """List the phones that wait to be let in."""
    return tuple(request for request in table.requests if request.state == "asked")

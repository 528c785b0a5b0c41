"""Who sits at a table: names, colours and letters, in which order, and which seats are kept."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Struct

from referee.entries import Entry, SeatId
from referee.games.base import SeatIndex
from referee.steps import index_of

COLOURS: Final = ("red", "blue", "green", "yellow", "purple", "teal")
SHAPES: Final = ("circle", "square", "triangle", "diamond", "hexagon", "cross")


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


class Seating(Struct):
    """The seats of a table, as its journal has them by now.

    Attributes:
        seats: who sits there.
        order: seats clockwise; a seat's place in it is its `SeatIndex`.
        next_seat: the number of whoever joins next; numbers of those who left stay unused.
        kept: the seats that were kept for somebody, and which nobody took yet.
        bots: the seats on which bots sat down; whoever takes one plays there instead.
        changed_at: the entry that last changed who sits where, or how the table plays.
    """

    seats: dict[SeatId, SeatInfo] = {}
    order: tuple[SeatId, ...] = ()
    next_seat: SeatId = SeatId(0)
    kept: frozenset[SeatId] = frozenset()
    bots: frozenset[SeatId] = frozenset()
    changed_at: int = 0

    def index(self, seat: SeatId) -> SeatIndex:
        """Give a seat's place in the game. Raises NotSeated for a seat that left."""
        return index_of(seat, self.order)

    def at(self, index: SeatIndex) -> SeatId:
        """Give the seat that has this place in the game."""
        return self.order[index]

    def join(self, entry: Entry) -> None:
        """Take a new seat, last in the order."""
        info = msgspec.convert(entry.payload, SeatInfo)
        self.seats[info.seat] = info
        self.order = (*self.order, info.seat)
        # Never given twice: in the journal, and on a page that is still open, it means one person.
        self.next_seat = SeatId(max(self.next_seat, info.seat + 1))
        self.changed_at = entry.seq

    def note(self, entry: Entry) -> None:
        """Take what a note says of seats; most notes say nothing of them."""
        payload: dict[str, Any] = entry.payload
        match payload["what"]:
            case "left":
                self.seats.pop(payload["seat"])
                self.order = tuple(seat for seat in self.order if seat != payload["seat"])
                self.kept -= {payload["seat"]}
            case "renamed":
                info = self.seats[payload["seat"]]
                self.seats[payload["seat"]] = msgspec.structs.replace(
                    info, name=payload["name"], letter=payload["letter"]
                )
            case "order":
                self.order = tuple(payload["order"])
            case "kept":
                self.kept |= {payload["seat"]}
            case "sat_down" | "seat_given" | "moved":
                # However a phone came to it: from then on it is held, and released like any other.
                self.kept -= {payload["seat"]}
            case "bots":
                self.bots = frozenset(payload["seats"])
            case _:
                pass
        # Pages keep what they drew for a frame; with this number a name that is new is another
        # frame.
        if payload["what"] in {"left", "renamed", "order", "options"}:
            self.changed_at = entry.seq

"""Whoever reads beside the game is still at the table, and is told there when it waits for them.

A page that a seat opens beside its own, such as the menu or what the words mean, has no stream. It
says every few seconds that its phone is here, and the answer is all that it has to show of the
game: nothing, or one line that leads back.
"""

from __future__ import annotations

from flask import request
from markupsafe import Markup
from msgspec import Struct

from referee.entries import SeatId
from referee.errors import RefereeError
from referee.tables import Table

from . import keys
from .notice import is_asked_of, is_waited_for
from .site import site


class Reader(Struct, frozen=True):
    """What a page beside the game has to say that it is read at the table.

    `here` is where it says so, `wanted` what it shows of the game when it is opened.
    """

    here: str
    wanted: Markup


class Wanted(Struct, frozen=True):
    """A seat of this browser that is waited for.

    `is_put`: the table is asked something. `is_named`: several seats are in this browser, so it is
    said which. `is_home`: it plays at the display, which comes back after it.
    """

    seat: SeatId
    is_put: bool
    is_named: bool
    is_home: bool


def reader_of(table: Table, seat: SeatId | None = None, *, is_home: bool = False) -> Reader | None:
    """Let the page that is asked for count as read at the table; None where this is no seat's.

    Args:
        table: at which it is read.
        seat: whose page it is; where it is no seat's own, whoever sits in this browser reads it.
        is_home: it is the display's.
    """
    held = keys.seats_here(request, table)
    if not held:
        return None
    reader = held[0] if seat is None else seat
    here = f"/s/{table.code}/{reader}/reading{'?home=1' if is_home else ''}"
    return Reader(here, drawn(table, reader, is_home=is_home))


def reader_at(code: str, seat: SeatId | None = None, *, is_home: bool = False) -> Reader | None:
    """Do the same for a page that knows a table by its address alone.

    An address is anybody's to write: a seat that is not in this browser is as good as none.
    """
    try:
        table = site().tables.find(code)
    except RefereeError:
        return None
    is_here = seat in keys.seats_here(request, table)
    return reader_of(table, seat if is_here else None, is_home=is_home)


def drawn(table: Table, seat: SeatId, *, is_home: bool) -> Markup:
    """Draw what a page beside the game shows of it: most of the time nothing."""
    here = site()
    held = keys.seats_here(request, table)
    with table.lock:
        found = _wanted(table, seat, held, is_home=is_home)
        frame = here.parts.frame(table, seat, keys.language(), here=held)
    return here.render("table/_wanted.html", s=frame, p=found)


def _wanted(
    table: Table, seat: SeatId, held: tuple[SeatId, ...], *, is_home: bool
) -> Wanted | None:
    """Say for which seat of a browser the table waits, the reader's first, by public facts."""
    public = site().parts.public(table) if table.ledger.status == "playing" else None
    for each in sorted(held, key=lambda one: one != seat):
        is_put = is_asked_of(table, each)
        if is_put or is_waited_for(table, public, each):
            return Wanted(each, is_put, len(held) > 1, is_home)
    return None

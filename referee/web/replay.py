"""A finished game again, step by step on the display, from its journal."""

from __future__ import annotations

from functools import lru_cache

from flask import Blueprint, Response, make_response, redirect, request
from msgspec import Struct

from referee.desk import Table
from referee.entries import Entry, SeatId
from referee.errors import TableError
from referee.journal import Ledger, replay
from referee.live import Live

from . import keys
from .parts import Parts
from .reader import reader_of
from .site import site

bp = Blueprint("replay", __name__, url_prefix="/t/<code>/replay")

Reply = Response | str


class Replay(Struct, frozen=True):
    """One step of so many, as the display showed it then; `parts` as everywhere."""

    parts: dict[str, object]
    stage: str
    decks: bool
    step: int
    steps: int


class _Everybody(Live):
    """Nobody is away from a game that is over."""

    def is_present(self, table: str, viewer: SeatId | None) -> bool:  # noqa: ARG002  # as it is asked
        """Say yes."""
        return True


@bp.get("")
def show(code: str) -> Reply:
    """Show the display as it was after a step, the first one unless another is asked for.

    Only of a finished game: while it goes on, the display shows where it stands.
    """
    here = site()
    table = here.tables.find(code)
    if table.ledger.status != "over":
        raise TableError("not_over")
    entries = here.tables.store.entries(table.code)
    ends = _ends(table, table.ledger.length)
    step = min(max(request.args.get("step", 1, type=int), 1), len(ends))
    if not ends:
        return make_response(redirect(f"/t/{table.code}", 303))
    then = _as_it_was(table, entries[: ends[step - 1]])
    parts = Parts(here.renderer, _Everybody(), here.place, here.tables.store.facts, here.beside)
    frame = parts.frame(then, None, keys.language())
    drawn = parts.draw(then, frame)
    public = parts.public(then)
    page = Replay(
        parts={**drawn, "moment": ""},
        stage=then.game.screens.STAGE,
        decks=public is not None and public.practice_decks,
        step=step,
        steps=len(ends),
    )
    return here.render("replay.html", s=frame, p=page, reader=reader_of(table))


def _as_it_was(table: Table, entries: list[Entry]) -> Table:
    """Give the table as it was when it had only these entries; nobody can act at it."""
    row = site().tables.store.table_row(table.code)
    if row is None:
        raise TableError("not_over")
    return Table(row, replay(table.game, entries), table.keys)


@lru_cache(maxsize=32)
def _ends(table: Table, length: int) -> tuple[int, ...]:
    """Say with how many entries each step ends: a step is a line of the log that still counts.

    Remembered for a journal of this length, since every step asks for it.
    """
    told = [line.seq for line in table.ledger.log.lines if line.events and not line.is_undone]
    ends = (*(seq - 1 for seq in told[1:]), length)
    playing = _while_playing(table, site().tables.store.entries(table.code)[:length])
    return tuple(end for end in ends if end in playing)


def _while_playing(table: Table, entries: list[Entry]) -> frozenset[int]:
    """Name the lengths of the journal at which the game went on."""
    ledger = Ledger(table.game)
    found = set()
    for count, entry in enumerate(entries, 1):
        ledger.take(entry)
        if ledger.status == "playing":
            found.add(count)
    return frozenset(found)

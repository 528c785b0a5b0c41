"""Telling anew what was told wrongly: pick the line, say what it should have been, see, ask."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import msgspec
from flask import Blueprint, Response, abort, make_response, redirect, request

from referee import deciding, retelling
from referee.entries import SeatId
from referee.errors import MalformedAction
from referee.games import reading
from referee.tables import Table
from referee.telling import seen_before, told_lines, wanted_of

from . import keys, pages
from .forms import correction_words
from .frame import Frame, tag_of
from .notice import foreseen
from .reader import Reader, reader_of
from .site import site

bp = Blueprint("retell", __name__)

Reply = Response | str
LINES = 80


def _looked_up(code: str, seat: SeatId | None) -> tuple[Table, Frame]:
    """Find the table, for the seat whose key this browser holds or for the host."""
    here = site()
    table = here.tables.find(code)
    if seat is None:
        # The one path without a seat in it is the host's.
        keys.require_host(request, table)
    else:
        keys.require_seat(request, table, seat)
        here.live.seen(table.code, seat)
    seats = keys.seats_here(request, table)
    frame = here.parts.frame(table, seat, keys.language(), is_host=seat is None, here=seats)
    return table, frame


@bp.get("/s/<code>/<int:seat>/told")
@bp.get("/t/<code>/told")
def show(code: str, seat: SeatId | None = None) -> Reply:
    """Show what was told, newest first."""
    table, frame = _looked_up(code, seat)
    with table.lock:
        lines = [_line(raw, frame) for raw in told_lines(table.ledger, seat)[:LINES]]
        begun = _begun(table, seat)
    parted = groupby(lines, key=lambda line: _chapter(begun, line.to))
    told = pages.Told(tuple(pages.ToldChapter(number, tuple(its)) for number, its in parted))
    return site().render("told.html", s=frame, p=told, reader=_reader(table, frame))


def _begun(table: Table, seat: SeatId | None) -> list[tuple[int, int]]:
    """Give where each chapter of the game begins, as this viewer counts, and its number."""
    number, chapter = table.ledger.noticed.number, table.game.screens.chapter
    lines = [line for line in table.ledger.log.lines if line.events and not line.is_undone]
    found = [(number(line.seq, seat), chapter(line.events)) for line in lines]
    return [(at, begins) for at, begins in found if begins is not None]


def _chapter(begun: list[tuple[int, int]], to: int) -> int | None:
    """Give the chapter in which a line was told, None before the first."""
    before = [begins for at, begins in begun if at <= to]
    return before[-1] if before else None


def _reader(table: Table, frame: Frame) -> Reader | None:
    """Let a seat's page count as read at the table; the host is no seat here."""
    return None if frame.me is None else reader_of(table, frame.me.seat)


def _line(raw: dict[str, Any], frame: Frame) -> pages.ToldLine:
    by = None if raw["seat"] is None else frame.by_id(raw["seat"])
    return pages.ToldLine(raw["to"], raw["part"], msgspec.to_builtins(raw["told"]), by)


@bp.get("/s/<code>/<int:seat>/told/<int:to>/<int:part>")
@bp.get("/t/<code>/told/<int:to>/<int:part>")
def form(code: str, to: int, part: int, seat: SeatId | None = None) -> Reply:
    """Ask what a line should have told."""
    table, frame = _looked_up(code, seat)
    with table.lock:
        page = _page(table, frame, to, part)
    return site().render("retell.html", s=frame, p=page, reader=_reader(table, frame))


def _page(table: Table, frame: Frame, to: int, part: int) -> pages.Retell:
    seat = None if frame.me is None else frame.me.seat
    lines = told_lines(table.ledger, seat)
    found = [raw for raw in lines if (raw["to"], raw["part"]) == (to, part)]
    public = site().parts.public(table)
    if not found or public is None:
        abort(404)
    # As it was when the line was told: what could be told then is offered, not what can be now.
    then, choices = seen_before(table.ledger, seat, to=to, part=part)
    return pages.Retell(
        line=_line(found[0], frame),
        tag=tag_of(found[0]["told"]),
        public=public,
        then=then,
        choices=choices,
        version=table.ledger.version(seat),
    )


@bp.post("/s/<code>/<int:seat>/told/<int:to>/<int:part>")
@bp.post("/t/<code>/told/<int:to>/<int:part>")
def foresee(code: str, to: int, part: int, seat: SeatId | None = None) -> Reply:
    """Show what would be different, or ask for what then has to be told as well.

    Nothing is done yet.
    """
    table, frame = _looked_up(code, seat)
    raw = _raw(table) | {"to": to, "part": part}
    with table.lock:
        page = _page(table, frame, to, part)
        ledger = table.ledger
        wanted = wanted_of(ledger, seat, raw)
        payload = retelling.written(wanted)
        true = deciding.foresee(ledger, payload, draw=table.draw)
        page = msgspec.structs.replace(
            page,
            # Carried by the page itself: nothing is kept here for a question that nobody goes on
            # with.
            raw=msgspec.json.encode(payload | {"to": to}).decode(),
            note={"told": payload["told"], "was": page.line.told},
        )
        if true.owed is not None:
            actions = tuple((msgspec.json.encode(a).decode(), a) for a in true.owed.actions)
            by = frame.by_index(true.owed.seat)
            page = msgspec.structs.replace(page, by=by, owed=actions)
        else:
            page = msgspec.structs.replace(page, foreseen=foreseen(table, payload, seat))
    return site().render("retell.html", s=frame, p=page, reader=_reader(table, frame))


def _raw(table: Table) -> dict[str, Any]:
    """Read the form: what should have been told, or one thing more that has to be told as well."""
    sent = request.form.get("raw")
    if sent is None:
        return {"told": table.game.forms.told(request.form.to_dict(flat=False)), "also": []}
    raw: dict[str, Any] = _json(sent)
    also = request.form.get("also")
    if not isinstance(raw, dict):
        raise MalformedAction
    return raw if also is None else raw | {"also": [*raw.get("also", ()), _json(also)]}


def _json(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise MalformedAction(detail=str(error)) from error


@bp.post("/s/<code>/<int:seat>/retell")
@bp.post("/t/<code>/retell")
def retell(code: str, seat: SeatId | None = None) -> Reply:
    """Ask the table to let it have been told otherwise; the host decides, in the open."""
    table, frame = _looked_up(code, seat)
    raw = _json(reading.text(request.form.to_dict(flat=False), "raw"))
    if not isinstance(raw, dict):
        raise MalformedAction
    # With an id made of its words and the sender's key: a second tap asks the table nothing new.
    words = correction_words(raw, keys.key_of(request, table, seat))
    site().tables.consent.retell(table, seat, raw, **words)
    return make_response(redirect(frame.base, 303))


@bp.post("/s/<code>/<int:seat>/reopen")
@bp.post("/t/<code>/reopen")
def reopen(code: str, seat: SeatId | None = None) -> Reply:
    """Ask the table to open a finished game again; the host decides, in the open."""
    table, frame = _looked_up(code, seat)
    site().tables.consent.reopen(table, seat)
    return make_response(redirect(frame.base, 303))

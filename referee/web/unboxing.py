"""Setting up the box together: each step is ticked on the display or any phone of the table."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, redirect, request

from referee.entries import SeatId
from referee.errors import NotSeated
from referee.tables import Table

from . import keys, pages
from .frame import Frame
from .reader import reader_of
from .site import htmx, site

bp = Blueprint("unboxing", __name__)

Reply = Response | str


@bp.get("/t/<code>/box")
def show(code: str) -> Reply:
    """Show the set-up on the display."""
    return _page(site().tables.find(code), None)


@bp.get("/s/<code>/<int:seat>/box")
def show_seat(code: str, seat: SeatId) -> Reply:
    """Show the set-up on a phone."""
    table = site().tables.find(code)
    keys.require_seat(request, table, seat)
    return _page(table, seat)


def _page(table: Table, seat: SeatId | None) -> Reply:
    here = site()
    with table.lock:
        frame = _frame(table, seat)
        drawn = here.parts.unboxing(table, frame)
        version = table.ledger.version(seat)
    page = pages.Streamed(drawn, here.have(drawn), version)
    beside = reader_of(table, seat, is_home=seat is None)
    return here.render("unboxing.html", s=frame, p=page, reader=beside)


def _frame(table: Table, seat: SeatId | None) -> Frame:
    return site().parts.frame(table, seat, keys.language(), here=keys.seats_here(request, table))


@bp.post("/t/<code>/box")
def tick(code: str) -> Reply:
    """Tick a step off on the display. Raises NotSeated for whoever is not at the table."""
    table = site().tables.find(code)
    if not (keys.holds_any(request, table) or keys.is_local(request)):
        raise NotSeated
    return _tick(table, f"/t/{table.code}/box")


@bp.post("/s/<code>/<int:seat>/box")
def tick_seat(code: str, seat: SeatId) -> Reply:
    """Tick a step off on a phone."""
    table = site().tables.find(code)
    keys.require_seat(request, table, seat)
    return _tick(table, f"/s/{table.code}/{seat}/box")


def _tick(table: Table, back: str) -> Response:
    # What it shall be is said, not turned round: tapped twice, or by two at once, it stays so.
    mark, is_done = request.form.get("mark", ""), request.form.get("done") == "yes"
    site().unboxing.tick(table, mark, is_done=is_done)
    return make_response("", 204) if htmx else make_response(redirect(back, 303))

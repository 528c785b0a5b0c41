"""What the words mean: each game's glossary, as a page and for the "?" beside what it explains.

It is one and the same for everybody who plays a game in a language, and always the whole of it:
which of its terms somebody reads, that of a secret of theirs or another, no request says.
"""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, abort, make_response, request

from referee.entries import SeatId
from referee.games import GAMES
from referee.tables import Table

from . import keys
from .reader import reader_of
from .render import LANGUAGES
from .site import site

bp = Blueprint("terms", __name__)

KEPT: Final = "public, max-age=600"
"""A browser keeps it for a look or two; longer, and it would outlive a better sentence."""


@bp.get("/terms/<game>/<lang>")
def whole(game: str, lang: str) -> Response:
    """Give a game's glossary alone, for a page that shows one of its terms."""
    if game not in GAMES or lang not in LANGUAGES:
        abort(404)
    context = {"game": game, "terms": tuple(GAMES[game].screens.TERMS), "is_page": False}
    response = make_response(site().renderer.render("_terms.html", lang, context))
    response.headers["Cache-Control"] = KEPT
    return response


@bp.get("/t/<code>/terms")
def show(code: str) -> Response | str:
    """Show the glossary on the display."""
    return _page(site().tables.find(code), None)


@bp.get("/s/<code>/<int:seat>/terms")
def show_seat(code: str, seat: SeatId) -> Response | str:
    """Show the glossary on a phone."""
    table = site().tables.find(code)
    keys.require_seat(request, table, seat)
    return _page(table, seat)


def _page(table: Table, seat: SeatId | None) -> Response | str:
    here = site()
    held = keys.seats_here(request, table)
    frame = here.parts.frame(table, seat, keys.language(), here=held)
    # What all phones are shown alike leads to the display's; a phone goes back to its own seat.
    back = f"/s/{table.code}/{held[0]}" if seat is None and held else frame.base
    terms = tuple(table.game.screens.TERMS)
    beside = reader_of(table, seat)
    return here.render(
        "terms.html", s=frame, game=frame.game, terms=terms, back=back, reader=beside
    )

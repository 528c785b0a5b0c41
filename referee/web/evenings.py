"""All evenings of this machine: found again, gone on with, cleared away; and who played."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, make_response, redirect, request
from msgspec import Struct

from referee import names
from referee.errors import CorruptJournal, NoSuchTable
from referee.evenings import PER_PAGE, Evening, Evenings, Person
from referee.games import GAMES

from . import keys, trouble
from .frame import SeatCard, cards
from .site import site

LONGEST = 400
"""As many letters as a name can have, whose signs may be of several each."""

bp = Blueprint("evenings", __name__, url_prefix="/evenings")


class Listed(Struct, frozen=True):
    """A table of the list; `status` is "damaged" where its journal cannot be read."""

    code: str
    title: str
    status: str
    played_at: str
    cards: tuple[SeatCard, ...]


class Shelf(Struct, frozen=True):
    """What the page shows: `total` tables on so many pages, of which this is one."""

    rows: tuple[Listed, ...]
    total: int
    page: int
    pages: int
    game: str
    person: str
    people: tuple[Person, ...]
    size: int
    is_machine: bool


@bp.get("")
def show() -> str:
    """Show a page of the tables that whoever asks may see."""
    shelf = Evenings(site().tables.store)
    game = request.args.get("game", "")
    person = request.args.get("person", "")[:LONGEST]
    # Sorted out before they are counted: how many others there are is for the machine to know.
    found = [e for e in shelf.all(game=game, person=person) if may_list(e)]
    pages = max(1, -(-len(found) // PER_PAGE))
    page = min(max(request.args.get("page", 1, type=int), 1), pages)
    chosen = found[(page - 1) * PER_PAGE : page * PER_PAGE]
    shown = Shelf(
        rows=tuple(_row(evening) for evening in chosen),
        total=len(found),
        page=page,
        pages=pages,
        game=game if game in GAMES else "",
        person=person,
        people=tuple(shelf.people()) if trouble.may_mend() else (),
        size=shelf.size() if trouble.may_mend() else 0,
        is_machine=trouble.may_mend(),
    )
    return site().render("evenings.html", p=shown, metas=GAMES.metas())


def may_list(evening: Evening) -> bool:
    """Say whether to show it: all on the machine itself, elsewhere what one has a key to."""
    if trouble.may_mend():
        return True
    # By the names of cookies first: a look at each would replay all journals for a stranger.
    if not any(f"_{evening.code}_" in name for name in request.cookies):
        return False
    try:
        return keys.holds_any(request, site().tables.look(evening.code))
    except (NoSuchTable, CorruptJournal):
        return False


def _row(evening: Evening) -> Listed:
    common: dict[str, Any] = {"code": evening.code, "played_at": evening.played_at}
    try:
        table = site().tables.look(evening.code)
    except (NoSuchTable, CorruptJournal):
        return Listed(title=evening.game, status="damaged", cards=(), **common)
    title = table.game.META.title(table.ledger.chosen(), keys.language())
    return Listed(title=title, status=table.ledger.status, cards=cards(table), **common)


@bp.post("/<code>/delete")
def delete(code: str) -> Response:
    """Delete a table for good: on the machine itself, by whoever was asked once more."""
    trouble.require_machine()
    store = site().tables.store
    # Asked of the store: a damaged table can be deleted too, and could not be replayed.
    if store.table_row(code.upper()) is None:
        raise NoSuchTable(table=code)
    site().tables.forget(code)
    return make_response(redirect("/evenings", 303))


@bp.post("/people")
def call() -> Response:
    """Let somebody be known by another name, or as somebody who is known already."""
    trouble.require_machine()
    person = request.form.get("person", "")
    name = names.clean(request.form.get("name", ""))
    if person:
        Evenings(site().tables.store).call(person, name)
        site().hints.met()
    return make_response(redirect("/evenings", 303))

"""The owner's board: how much of it is known, teaching it, and its profile as one small file."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from flask import Blueprint, Response, abort, make_response, redirect, request

from referee import profiles
from referee.entries import SeatId
from referee.errors import NoSuchTable, NotSeated, RefereeError
from referee.games import GAMES
from referee.games.protocol import Game
from referee.games.sides import Boards
from referee.tables import Table, Who
from referee.taught import EVERYWHERE

from . import keys, pages
from .forms import taught_from_form
from .frame import cards
from .reader import reader_of
from .site import site

bp = Blueprint("boards", __name__, url_prefix="/board/<game>/<name>")

Reply = Response | str


def _game(key: str, name: str) -> tuple[Game, Boards]:
    """Find a game, and what can be taught of its boards."""
    game = GAMES.get(key)
    if game is None or game.boards is None or name not in game.boards.NAMES:
        abort(404)
    return game, game.boards


def _table() -> Table | None:
    """Find the table this page was opened from, if any."""
    code = request.values.get("table", "")
    if not code.isalnum():
        return None
    try:
        return site().tables.find(code)
    except NoSuchTable:
        return None


def _is_owner() -> bool:
    """Say whether the machine itself asks: it keeps what its owner taught."""
    return keys.is_local(request) or keys.is_machine_host(request)


def _require_owner() -> None:
    """Refuse anybody but the machine itself. Raises NotSeated."""
    if not _is_owner():
        raise NotSeated("not_owner")


def _who(table: Table | None, game: str, name: str) -> Who:
    """Say who looks or teaches: somebody at a table with this board, or the machine itself.

    Raises NotSeated.
    """
    if table is not None and _is_for(table, game, name):
        held = keys.seats_here(request, table)
        # As the host first: what it sets right is done in the open, and needs nobody's consent.
        if keys.is_host(request, table):
            return Who(is_host=True)
        if held:
            return Who(seat=held[0])
    if _is_owner():
        return Who(is_host=True)
    raise NotSeated("not_owner")


def _is_for(table: Table, game: str, name: str) -> bool:
    is_here = profiles.name_of(table.ledger.chosen()) == name
    return table.game.META.key == game and is_here


def _board(game: Game, boards: Boards, name: str, table: Table | None) -> Any:
    """Give what is known: by the running game of this table, else by the owner's profile."""
    if table is not None and _plays_here(table, game.META.key, name):
        return boards.board_of(table.ledger.state)
    profile = profiles.load(game.META.key, name)
    facts = site().tables.store.facts(game.META.key, name)
    return boards.read_board(profile | {"facts": facts})


def _plays_here(table: Table, game: str, name: str) -> bool:
    return table.ledger.status == "playing" and _is_for(table, game, name)


@bp.get("")
def show(game: str, name: str) -> Reply:
    """Show what is known of a board, and one place of it to be taught."""
    (rules, boards), table = _game(game, name), _table()
    _who(table, game, name)
    board = _board(rules, boards, name, table)
    chosen = request.args.get("at", "")
    page = pages.OwnersBoard(
        name=name,
        path=f"/board/{game}/{name}",
        board=board,
        known=boards.progress(board),
        at=chosen if chosen in boards.places(board) else "",
        place=boards.place(board, chosen),
        drawing=profiles.load(game, name).get("drawing"),
        code="" if table is None else table.code,
        seats=keys.seats_here(request, table) if table else (),
        is_owner=_is_owner(),
        lessons=_lessons(game, name),
        gone=site().tables.taught.gone(game, name),
        is_playing=table is not None and _plays_here(table, game, name),
    )
    beside = None if table is None else reader_of(table)
    return site().render(f"{game}/board.html", game=game, p=page, reader=beside)


@bp.post("/teach")
def teach(game: str, name: str) -> Reply:
    """Take in what somebody read off the board. A running game learns it too.

    What it takes to be otherwise is set right there, with the table's consent.
    """
    (rules, boards), table = _game(game, name), _table()
    who = _who(table, game, name)
    board = _board(rules, boards, name, table)
    facts = taught_from_form(rules)
    code = "" if table is None else table.code
    if table is not None and _plays_here(table, game, name):
        known = {fact: boards.value_of(board, fact) for fact, _ in facts}
        new_here = tuple(pair for pair in facts if known[pair[0]] is None)
        otherwise = [pair for pair in facts if known[pair[0]] not in (None, pair[1])]
        # What nobody knew is just learnt; what is known is in play, and only the table changes
        # that.
        if new_here:
            site().tables.play.teach(table, who, new_here)
        if otherwise:
            by = None if who.is_host else who.seat
            site().tables.consent.correct(
                table, by, {"type": "set_board", "facts": otherwise}, reason=""
            )
            return make_response(redirect(_home(table, by), 303))
    else:
        new = dict(facts)
        # Guests add what is missing; what the owner said about the own box they leave alone.
        if not _is_owner():
            new = {fact: value for fact, value in facts if boards.value_of(board, fact) is None}
        site().tables.taught.teach(game, name, new)
    at = request.form.get("next", "")
    return make_response(redirect(f"/board/{game}/{name}?table={code}&at={quote(at)}", 303))


def _home(table: Table, seat: SeatId | None) -> str:
    """Give the page on which the table is asked."""
    return f"/t/{table.code}" if seat is None else f"/s/{table.code}/{seat}"


@bp.post("/forget")
def forget(game: str, name: str) -> Reply:
    """Forget what one game taught about a board, or everything; it can be brought back."""
    _game(game, name)
    _require_owner()
    site().tables.taught.forget(game, name, request.form.get("source", EVERYWHERE))
    return make_response(redirect(f"/board/{game}/{name}#lessons", 303))


@bp.post("/recall")
def recall(game: str, name: str) -> Reply:
    """Bring back what was forgotten last."""
    _game(game, name)
    _require_owner()
    site().tables.taught.recall(game, name)
    return make_response(redirect(f"/board/{game}/{name}#lessons", 303))


def _lessons(game: str, name: str) -> tuple[pages.BoardLesson, ...]:
    """Tell in which game what was learnt, and by whom, as far as its table is still there."""
    found = []
    for lesson in site().tables.taught.lessons(game, name):
        try:
            order = cards(site().tables.find(lesson.source)) if lesson.source else ()
        # A table that is gone, or damaged, takes its names along, but not what it taught.
        except RefereeError:
            order = ()
        found.append(pages.BoardLesson(lesson, tuple(card.name for card in order)))
    return tuple(found)


@bp.get("/profile.toml")
def export(game: str, name: str) -> Reply:
    """Give what was taught as one small file, for others who own the same box."""
    _game(game, name)
    text = profiles.write(game, name, site().tables.store.facts(game, name))
    response = Response(text, mimetype="application/toml")
    response.headers["Content-Disposition"] = f'attachment; filename="{game}-{name}.toml"'
    return response


@bp.post("/import")
def import_(game: str, name: str) -> Reply:
    """Add what another owner taught. Raises MalformedAction for a file of something else."""
    _game(game, name)
    _require_owner()
    upload = request.files.get("file")
    text = upload.read().decode(errors="replace") if upload else ""
    site().tables.taught.teach(game, name, profiles.read(text, game, name))
    return make_response(redirect(f"/board/{game}/{name}", 303))

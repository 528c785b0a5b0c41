"""The HTTP interface for people's own clients, bots and tests: JSON in, JSON or a problem out.

It is another face of the same use cases as the pages. `Authorization: Bearer TOKEN` says who is
looking; without one it is the display.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, TypeVar

import msgspec
from flask import Blueprint, Response, request

from referee import export
from referee.entries import SeatId
from referee.errors import MalformedAction, NotSeated, RefereeError, TooMany
from referee.games import GAMES
from referee.live import Watcher
from referee.seal import words
from referee.tables import Table, Who
from referee.telling import told_lines

from .bodies import (
    ActFor,
    AskAnswer,
    BoardAnswer,
    NewAction,
    NewCorrection,
    NewSeat,
    NewTable,
    ReleasedSeat,
    Undo,
)
from .events import HEARTBEAT, RETRY, event, numbered
from .openapi import document
from .security import count_opening
from .site import site
from .stream import event_stream

bp = Blueprint("api", __name__, url_prefix="/api/v1")

T = TypeVar("T")


def _body(kind: type[T]) -> T:
    try:
        return msgspec.json.decode(request.get_data() or b"{}", type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MalformedAction(detail=str(error)) from error


def _json(value: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, mimetype="application/json")


def problem(error: RefereeError) -> Response:
    """Answer with a problem document (RFC 9457) that carries the error's stable code."""
    body = {
        "type": "about:blank",
        "title": type(error).__name__.lstrip("_"),
        "status": error.status,
        "code": error.code,
        "facts": error.facts,
    }
    if section := getattr(error, "section", ""):
        body["section"] = section
    response = Response(
        msgspec.json.encode(body), error.status, mimetype="application/problem+json"
    )
    if error.status == 401:  # noqa: PLR2004  # unauthorised
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def _who(table: Table) -> Who:
    """Say who asks. Raises NotSeated for a token that opens nothing here."""
    # In a header, never in an address, which logs and histories would keep.
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if not scheme:
        return Who()
    who = table.who(token.strip())
    # Refused, and not served as the display: its program believes that it is a seat.
    if scheme.lower() != "bearer" or who == Who():
        raise NotSeated("bad_token")
    return who


def _seat(table: Table) -> SeatId:
    who = _who(table)
    if who.seat is None:
        raise NotSeated
    site().live.seen(table.code, who.seat)
    return who.seat


def _host(table: Table) -> Who:
    who = _who(table)
    if not who.is_host:
        raise NotSeated("not_host")
    return who


def body(table: Table, who: Who) -> dict[str, Any]:
    """Give what a viewer may know of a table, as JSON-able data."""
    ledger = table.ledger
    seat = who.seat if who.seat in ledger.seating.order else None
    is_lobby = ledger.state is None
    return {
        "table": table.code,
        "game": table.game.META.key,
        "version": ledger.version(seat),
        "status": ledger.status,
        "you": {
            "seat": seat,
            "index": None if seat is None else ledger.seating.index(seat),
            "host": who.is_host,
        },
        "seats": [
            {
                "seat": info.seat,
                "index": index,
                "name": info.name,
                "color": info.colour,
                "shape": info.shape,
                "letter": info.letter,
            }
            for index, info in enumerate(ledger.seating.seats[s] for s in ledger.seating.order)
        ],
        "options": ledger.chosen(),
        "seeded": ledger.is_seeded,
        "commitment": ledger.commitment,
        "chain": words(ledger.noticed.head_for(seat)),
        "to_act": list(ledger.to_act()),
        "ask": None
        if ledger.proposal is None
        else {
            "number": ledger.noticed.number(ledger.proposal.number, seat),
            "by": ledger.proposal.by,
            "what": ledger.proposal.what,
            "payload": ledger.noticed.shown(ledger.proposal.payload, seat),
            "agreed": sorted(ledger.proposal.agreed),
        },
        "undo": None if seat is None else ledger.own_last(seat),
        "view": None if is_lobby else _view(table, seat),
        "legal": [] if seat is None else list(ledger.legal_for(seat)),
        "question": None if is_lobby else table.game.question(ledger.state),
    }


def _view(table: Table, seat: SeatId | None) -> dict[str, Any]:
    """Give all that one viewer may know: what everybody sees, and what is the viewer's own."""
    ledger = table.ledger
    own = None if seat is None else table.game.own(ledger.state, ledger.seating.index(seat))
    return {"public": ledger.public(), "own": own}


@bp.get("/openapi.json")
def openapi() -> Response:
    """Describe this interface."""
    return _json(document())


@bp.get("/games")
def games() -> Response:
    """List the games: keys, titles, seats, options."""
    return _json([*GAMES.metas()])


@bp.post("/tables")
def open_table() -> Response:
    """Open a table."""
    wanted = _body(NewTable)
    count_opening()
    seed = None if wanted.seed is None else str(wanted.seed)
    table, token = site().tables.open(
        wanted.game, options=wanted.options, seed=seed, lang=wanted.lang
    )
    base = site().place.base() or request.host_url.rstrip("/")
    return _json({"table": table.code, "host_token": token, "url": f"{base}/j/{table.code}"}, 201)


@bp.get("/tables/<code>")
def show(code: str) -> Response:
    """Show a table to whoever asks."""
    table = site().tables.find(code)
    who = _who(table)
    if who.seat is not None:
        site().live.seen(table.code, who.seat)
    # Version and view of one moment: a program that acts on them is told so if they are old.
    with table.lock:
        return _json(body(table, who))


@bp.post("/tables/<code>/seats")
def take_seat(code: str) -> Response:
    """Take a seat."""
    wanted = _body(NewSeat)
    table = site().tables.find(code)
    info, token = site().tables.lobby.join(table, wanted.name, colour=wanted.color, mix=wanted.mix)
    return _json({"seat": info.seat, "token": token, "color": info.colour}, 201)


@bp.post("/tables/<code>/start")
def start(code: str) -> Response:
    """Begin the game, as the host."""
    table = site().tables.find(code)
    _host(table)
    site().tables.lobby.start(table)
    return _json({"version": table.ledger.version(None)})


@bp.post("/tables/<code>/options")
def set_options(code: str) -> Response:
    """Change options in the lobby, as the host."""
    table = site().tables.find(code)
    _host(table)
    site().tables.lobby.set_options(table, _body(dict[str, str]))
    return _json({"version": table.ledger.version(None)})


@bp.post("/tables/<code>/actions")
def act(code: str) -> Response:
    """Play an action."""
    wanted = _body(NewAction)
    table = site().tables.find(code)
    version = site().tables.play.act(
        table, _seat(table), wanted.action, version=wanted.version, action_id=wanted.id
    )
    return _json({"version": version})


@bp.post("/tables/<code>/act-for")
def act_for(code: str) -> Response:
    """Act for an absent seat, as the host."""
    wanted = _body(ActFor)
    table = site().tables.find(code)
    _host(table)
    version = site().tables.play.act_for(
        table, wanted.seat, wanted.action, version=wanted.version, action_id=wanted.id
    )
    return _json({"version": version})


@bp.post("/tables/<code>/undo")
def undo(code: str) -> Response:
    """Take back one's last action, or ask the others."""
    table = site().tables.find(code)
    seat = _seat(table)
    outcome = site().tables.consent.undo(table, seat, to=_body(Undo).to)
    return _json({"outcome": outcome, "version": table.ledger.version(seat)})


@bp.post("/tables/<code>/corrections")
def correct(code: str) -> Response:
    """Set right what the real board shows, or what was told wrongly.

    A seat asks the others, the host does it in the open.
    """
    wanted = _body(NewCorrection)
    table = site().tables.find(code)
    who = _who(table)
    # A host's key is no seat's: it acts in the open, and is asked for nobody's consent.
    by = None if who.is_host else _seat(table)
    consent = site().tables.consent
    if (wanted.correction is None) == (wanted.retelling is None):
        raise MalformedAction("nothing_to_correct")
    if wanted.retelling is not None:
        raw = msgspec.to_builtins(wanted.retelling)
        outcome = consent.retell(table, by, raw, reason=wanted.reason, action_id=wanted.id)
    else:
        raw = wanted.correction
        outcome = consent.correct(table, by, raw, reason=wanted.reason, action_id=wanted.id)
    return _json({"outcome": outcome, "version": table.ledger.version(by)})


@bp.get("/tables/<code>/told")
def told(code: str) -> Response:
    """List what was told and can be told anew, newest first."""
    table = site().tables.find(code)
    who = _who(table)
    with table.lock:
        lines = told_lines(table.ledger, who.seat)
    return _json(lines)


@bp.post("/tables/<code>/reopen")
def reopen(code: str) -> Response:
    """Open a finished game again: a seat asks the others, the host does it in the open."""
    table = site().tables.find(code)
    who = _who(table)
    by = None if who.is_host else _seat(table)
    outcome = site().tables.consent.reopen(table, by)
    return _json({"outcome": outcome, "version": table.ledger.version(by)})


@bp.post("/tables/<code>/ask")
def answer_proposal(code: str) -> Response:
    """Agree to what is asked of the table, or not; the host decides."""
    wanted = _body(AskAnswer)
    table = site().tables.find(code)
    who = _who(table)
    site().tables.consent.answer(table, who, agree=wanted.agree, number=wanted.number)
    return _json({"version": table.ledger.version(who.seat)})


@bp.post("/tables/<code>/answers")
def answer(code: str) -> Response:
    """Settle the open question about the board, as a seat or as the host."""
    wanted = _body(BoardAnswer)
    table = site().tables.find(code)
    who = _who(table)
    if not who.is_host:
        _seat(table)
    version = site().tables.play.answer(
        table, who, wanted.facts, version=wanted.version, action_id=wanted.id
    )
    return _json({"version": version})


@bp.post("/tables/<code>/release")
def release(code: str) -> Response:
    """Free a seat whose phone is gone, as the host."""
    table = site().tables.find(code)
    _host(table)
    site().tables.seats.release(table, _body(ReleasedSeat).seat)
    return _json({"version": table.ledger.version(None)})


@bp.post("/tables/<code>/give-back")
def give_back(code: str) -> Response:
    """Let the phone have its seat again that was freed, as the host."""
    table = site().tables.find(code)
    _host(table)
    site().tables.seats.give_back(table, _body(ReleasedSeat).seat)
    return _json({"version": table.ledger.version(None)})


@bp.get("/tables/<code>/stream")
def stream(code: str) -> Response:
    """Stream the table to a viewer: one event a change, with the body of GET as data."""
    table = site().tables.find(code)
    who = _who(table)
    page = request.args.get("page", "")[:40]
    # Strangers count apart: they cannot take the places of those who play.
    watcher = Watcher(table.code, who.seat, page, "", is_known=who != Who())
    live = site().live
    if not live.open(watcher):
        raise TooMany("no_room")
    token = request.headers.get("Authorization", "").partition(" ")[2].strip()
    return event_stream(_events(table, who, token, watcher), partial(live.leave, watcher))


def _events(table: Table, who: Who, token: str, watcher: Watcher) -> Iterator[bytes]:
    sent = -1
    yield RETRY
    while not watcher.is_closed:
        if table.is_gone or (token and table.who(token) != who):
            yield event("gone", "gone")
            return
        with table.lock:
            version = table.ledger.version(who.seat)
            data = body(table, who) if version != sent else None
        if data is not None:
            sent = version
            yield numbered(version, event("table", msgspec.json.encode(data).decode()))
        if not watcher.wait():
            yield HEARTBEAT


@bp.get("/tables/<code>/journal")
def journal(code: str) -> Response:
    """Give the journal as JSON Lines: the public part while playing, everything when over."""
    table = site().tables.find(code)
    who = _who(table)
    with table.lock:
        # Entries and the ledger that says which of them are sealed, of one moment.
        entries = site().tables.store.entries(table.code)
        lines = export.journal(table, entries, who.seat)
    return Response("".join(lines), mimetype="application/jsonl")


@bp.get("/tables/<code>/result")
def result(code: str) -> Response:
    """Give totals, named lines, winners and the tie-breaker of a finished game."""
    table = site().tables.find(code)
    _who(table)
    return _json(export.result(table))

"""A player's own page: what is asked, what is secret, taking back, moving to another phone."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from flask import Blueprint, Request, Response, abort, make_response, redirect, request

from referee import lan
from referee.entries import SeatId
from referee.errors import NotSeated
from referee.games import reading
from referee.games.base import BOARD_ANSWER, Fields
from referee.games.sides import Screens
from referee.loglines import LogLine
from referee.seal import words
from referee.tables import Table, Who

from . import keys, notice, pages
from .again import come_over
from .curtain import is_shared
from .forms import (
    action_of,
    answers_from_form,
    correction_from_form,
    correction_words,
    fields,
    number_field,
)
from .frame import Frame, cards
from .reader import drawn, reader_of
from .site import htmx, site

bp = Blueprint("seat", __name__, url_prefix="/s/<code>/<int:seat>")

Reply = Response | str


def _seated(code: str, seat: SeatId) -> Table:
    return seated(request, code, seat)


def seated(request: Request, code: str, seat: SeatId) -> Table:
    """Find the table if a browser holds the seat's key, and note that it was heard of.

    Raises NoSuchTable, NotSeated.
    """
    here = site()
    table = here.tables.find(code)
    seats = keys.seats_here(request, table)
    if seat not in seats:
        raise NotSeated
    # All seats that it holds: one in another's hands is neither asleep nor absent.
    for held in seats:
        here.live.seen(table.code, held)
    return table


def _back(table: Table, seat: SeatId, version: int | None = None) -> Response:
    """Answer htmx with nothing (the stream brings the change), a plain form with the page."""
    if not htmx:
        return make_response(redirect(f"/s/{table.code}/{seat}", 303))
    response = make_response("", 204)
    # The page looks for a dead line if its stream does not bring this version soon.
    response.headers["X-Version"] = str(table.ledger.version(seat) if version is None else version)
    return response


@bp.get("")
def show(code: str, seat: SeatId) -> Reply:
    """Show the seat's page; on a shared phone a curtain first, with nothing behind it."""
    here = site()
    table = _seated(code, seat)
    frame = _frame(table, seat)
    if is_shared(table, frame.here):
        token = here.curtains.draw((table.code, frame.here), seat)
        return here.render("curtain.html", s=frame, p=pages.Drawn(token, "home" in request.args))
    return _page(table, seat, "")


@bp.post("")
def lift(code: str, seat: SeatId) -> Reply:
    """Open the curtain for one look; the answer is the page itself, which no address shows."""
    table = _seated(code, seat)
    token = request.form.get("token", "")
    device = (table.code, keys.seats_here(request, table))
    if table.ledger.status != "playing" or not site().curtains.lift(token, device, seat):
        return redirect(f"/s/{table.code}/{seat}", 303)  # type: ignore[return-value]  # werkzeug's Response is Flask's here
    return _page(table, seat, token)


def _page(table: Table, seat: SeatId, token: str) -> Reply:
    """Give a seat's page; `token` opened it where a device is shared."""
    here = site()
    # Of one moment: a page whose parts are older than its version would never be sent the newer.
    with table.lock:
        frame = _frame(table, seat)
        born = here.born(table, frame)
        public, legal = here.parts.public(table), table.ledger.legal_for(seat)
    if public is None:
        return here.render("seat_lobby.html", s=frame, p=pages.Streamed(**born))
    if public.result is not None:
        result = pages.OwnResult(**born, public=public, result=public.result)
        return here.render(f"{frame.game}/own_result.html", s=frame, p=result)
    screens = table.game.screens
    mood = screens.mood(public, legal, table.ledger.seating.index(seat))
    mood = "asked" if notice.is_asked_of(table, seat) else mood
    is_home = "home" in request.args
    page = pages.Seat(
        **born,
        mood=mood,
        veil_s=screens.VEIL_S,
        token=token,
        home=f"/t/{table.code}" if is_home else "",
        # A curtain was opened by whoever looks alone.
        is_veiled=is_home and bool(screens.VEIL_S) and not token and "open" not in request.args,
    )
    return here.render("seat.html", s=frame, p=page)


def _frame(table: Table, seat: SeatId) -> Frame:
    return site().parts.frame(table, seat, keys.language(), here=keys.seats_here(request, table))


@bp.post("/here")
def here_(code: str, seat: SeatId) -> Reply:
    """Note that this phone is awake; others that sleep hold up no question to the table."""
    site().tables.consent.settle(_seated(code, seat))
    return make_response("", 204)


@bp.post("/reading")
def read(code: str, seat: SeatId) -> Reply:
    """Note it of a phone on which something is read beside the game, and say if it is wanted."""
    table = _seated(code, seat)
    site().tables.consent.settle(table)
    return drawn(table, seat, is_home="home" in request.args)


@bp.post("/act")
def act(code: str, seat: SeatId) -> Reply:
    """Play what the form says."""
    table = _seated(code, seat)
    version = play(table, seat, fields())
    if request.form.get("next") in table.game.screens.PAGES:
        target = f"/s/{table.code}/{seat}/page/{request.form['next']}"
        return make_response(redirect(target, 303))
    return _back(table, seat, version)


def play(table: Table, seat: SeatId, form: Fields) -> int:
    """Play what a form says, once, and give the seat's version after it.

    Raises MalformedAction, StaleTable, RuleViolation.
    """
    here = site()
    action = action_of(table, form)
    # What was asked, before the action leads on to another question.
    told = here.hints.asked(table, seat, str(action["type"]))
    version = here.tables.play.act(
        table,
        seat,
        action,
        version=reading.number(form, "version"),
        action_id=reading.text(form, "id") or secrets.token_hex(8),
        exact=False,
    )
    here.hints.answered(table, seat, told)
    return version


@bp.post("/answer")
def answer(code: str, seat: SeatId) -> Reply:
    """Answer what the table is asked about the board."""
    here = site()
    table = _seated(code, seat)
    told = here.hints.asked(table, seat, BOARD_ANSWER)
    version = here.tables.play.answer(
        table,
        Who(seat=seat),
        answers_from_form(table),
        version=number_field("version"),
        action_id=request.form.get("id") or secrets.token_hex(8),
        exact=False,
    )
    here.hints.answered(table, seat, told)
    return _back(table, seat, version)


@bp.post("/hints")
def wish_hints(code: str, seat: SeatId) -> Reply:
    """Switch off for good that one is shown how, or on again."""
    table = _seated(code, seat)
    site().hints.wish(table, seat, is_on=request.form.get("hints") == "on")
    return _back(table, seat)


@bp.get("/page/<name>")
def page(code: str, seat: SeatId, name: str) -> Reply:
    """Show another page of the seat's own, such as where it tells its real cards."""
    here = site()
    table = _seated(code, seat)
    ledger = table.ledger
    if name not in table.game.screens.PAGES or ledger.status != "playing":
        abort(404)
    with table.lock:
        frame = _frame(table, seat)
        own = table.game.own(ledger.state, ledger.seating.index(seat))
        shown = table.game.screens.page(
            name, own, ledger.legal_for(seat), fresh=ledger.noticed.asked_since(seat)
        )
    beside = reader_of(table, seat)
    return here.render(f"{frame.game}/{name}.html", s=frame, p=shown, reader=beside)


@bp.post("/undo")
def undo(code: str, seat: SeatId) -> Reply:
    """Take one's last action back, or ask the others whether one may."""
    table = _seated(code, seat)
    site().tables.consent.undo(table, seat, to=number_field("to"))
    return _back(table, seat)


@bp.post("/ask")
def answer_proposal(code: str, seat: SeatId) -> Reply:
    """Agree to what somebody asks of the table, or not."""
    table = _seated(code, seat)
    agree = request.form.get("agree") == "yes"
    number = number_field("number")
    site().tables.consent.answer(table, Who(seat=seat), agree=agree, number=number)
    return _back(table, seat)


@bp.post("/correct")
def correct(code: str, seat: SeatId) -> Reply:
    """Ask the table to set right what the real board shows."""
    table = _seated(code, seat)
    correction = correction_from_form(table)
    words_ = correction_words(correction, keys.key_of(request, table, seat))
    site().tables.consent.correct(table, seat, correction, **words_)
    return make_response(redirect(f"/s/{table.code}/{seat}", 303))


@bp.post("/leave")
def leave(code: str, seat: SeatId) -> Reply:
    """Get up in the lobby."""
    table = _seated(code, seat)
    site().tables.lobby.leave(table, seat)
    response = make_response(redirect(f"/j/{table.code}", 303))
    return keys.drop(response, keys.seat_cookie(table.code, seat))


@bp.post("/rename")
def rename(code: str, seat: SeatId) -> Reply:
    """Change one's name."""
    table = _seated(code, seat)
    before = table.ledger.seating.seats[seat].name
    site().tables.lobby.rename(table, seat, request.form.get("name", ""))
    site().hints.renamed(table, seat, before)
    return make_response(redirect(f"/s/{table.code}/{seat}", 303))


@bp.get("/menu")
def menu(code: str, seat: SeatId) -> Reply:
    """Show what can be done beside playing: log, take back, set right, rules, move."""
    here = site()
    table = _seated(code, seat)
    frame = _frame(table, seat)
    ledger = table.ledger
    public = here.parts.public(table)
    menu = pages.Menu(
        chapters=_chapters(ledger.log.lines, table.game.screens),
        last=ledger.own_last(seat),
        last_line=notice.last_line(table, seat),
        chain=words(ledger.noticed.head_for(seat)),
        corrections=here.corrections(table, frame),
        # Values and not drawings: a menu shows them in words of its own.
        common={} if public is None else table.game.screens.common_parts(public),
        has_box=bool(here.unboxing.of(table).steps),
        is_shown_how=here.hints.is_on(table, seat),
    )
    return here.render("menu.html", s=frame, p=menu, reader=reader_of(table, seat))


def _chapters(lines: Sequence[LogLine], screens: Screens) -> tuple[pages.Chapter, ...]:
    """Part the log by what the game tells apart, newest first."""
    found: list[tuple[int | None, list[LogLine]]] = []
    for line in lines:
        number = screens.chapter(line.events) if line.events else None
        if number is not None or not found:
            found.append((number, []))
        found[-1][1].insert(0, line)
    return tuple(pages.Chapter(number, tuple(its)) for number, its in reversed(found))


@bp.get("/rules")
def rules(code: str, seat: SeatId) -> Reply:
    """Show how this table plays: every ruling in force."""
    table = _seated(code, seat)
    frame = _frame(table, seat)
    rules = pages.Rules(table.game.META)
    beside = reader_of(table, seat)
    return site().render(f"{frame.game}/rulings.html", s=frame, p=rules, reader=beside)


@bp.post("/transfer")
def transfer(code: str, seat: SeatId) -> Reply:
    """Show a QR code that moves this seat to the phone that scans it."""
    here = site()
    table = _seated(code, seat)
    move = here.tables.seats.transfer_code(table, seat)
    base = here.place.base() or request.host_url.rstrip("/")
    svg = lan.qr_svg(f"{lan.compact(base)}/M/{move}", label=move)
    text = f"{base}/m/{move}".removeprefix("http://")
    page = pages.Transfer(svg, text, move)
    frame = _frame(table, seat)
    return here.render("transfer.html", s=frame, p=page, reader=reader_of(table, seat))


@bp.get("/transfer/<move>")
def transferred(code: str, seat: SeatId, move: str) -> Reply:
    """Say to the phone that shows a code that the seat has moved, or that the code is too old."""
    here = site()
    table = here.tables.find(code)
    card = cards(table)[table.ledger.seating.index(seat)]
    is_here = seat in keys.seats_here(request, table)
    if is_here and here.tables.seats.is_good(move):
        return make_response("", 204)
    frame = here.parts.frame(table, None, keys.language())
    return here.render("table/_transferred.html", s=frame, card=card, is_here=is_here)


@bp.post("/request")
def settle_request(code: str, seat: SeatId) -> Reply:
    """Let another phone take this seat, or not."""
    table = _seated(code, seat)
    agree = request.form.get("agree") == "yes"
    site().tables.seats.settle_request(table, number_field("number"), Who(seat=seat), agree=agree)
    return _back(table, seat)


@bp.post("/next")
def next_(code: str, seat: SeatId) -> Reply:
    """Let the closing ceremony go on, on all screens."""
    table = _seated(code, seat)
    site().tables.tell_the_end(table, number_field("to"))
    return _back(table, seat)


@bp.post("/rematch")
def rematch(code: str, seat: SeatId) -> Reply:
    """Sit down again with the same people, under a key of the new table."""
    here = site()
    table = _seated(code, seat)
    again = here.tables.play_again(table)
    # Somebody else may have taken it meanwhile; then this phone asks for a seat like any newcomer.
    is_ours = seat in keys.seats_here(request, again) or here.tables.seats.is_free(again, seat)
    target = f"/s/{again.code}/{seat}" if is_ours else f"/j/{again.code}"
    response = make_response(redirect(target, 303))
    return come_over(response, table, again)

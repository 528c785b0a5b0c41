"""The way in: start page, opening a table, joining, moving a seat from phone to phone."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import wraps
from string import ascii_uppercase
from typing import Any

from flask import Blueprint, Response, abort, make_response, redirect, request

from referee import bots, lan
from referee.entries import SeatId
from referee.errors import CorruptJournal, KeepsNothing, MalformedAction, NoSuchTable, SeatTaken
from referee.games import GAMES
from referee.games.base import SeatIndex
from referee.options import known_options
from referee.profiles import PRACTICE
from referee.seating import COLOURS, SHAPES
from referee.tables import Table

from . import keys, pages, security, trouble
from .forms import number_field
from .frame import Frame, SeatCard, cards, free
from .reader import reader_of
from .render import LANGUAGES
from .site import site

bp = Blueprint("lobby", __name__)

Reply = Response | str


def _gives_a_key(view: Callable[..., Reply]) -> Callable[..., Reply]:
    """Give a seat or a table only to a browser that keeps cookies.

    One that holds nothing of ours is given something to keep and told to send the form once more;
    whoever then comes without it would lose each seat at once, and leave a ghost at the table.
    """

    @wraps(view)
    def tried(**named: Any) -> Reply:
        if keys.keeps_cookies(request):
            return view(**named)
        if "tried" in request.args:
            raise KeepsNothing
        # 307: the browser sends the same form again.
        return keys.try_cookies(make_response(redirect(f"{request.path}?tried=1", 307)))

    return tried


@bp.get("/")
def start() -> Reply:
    """Show the start page: pick a game, go on with a table, or join one."""
    here = site()
    tables, damaged = [], []
    for row in here.tables.store.recent_tables():
        try:
            table = here.tables.look(row.code)
        except NoSuchTable:
            continue
        except CorruptJournal:
            damaged.append(row.code)
            continue
        if _may_list(table):
            tables.append((row, table, cards(table)))
    return here.render(
        "start.html",
        tables=tables,
        metas=GAMES.metas(),
        restored=trouble.restored(),
        damaged=damaged if trouble.may_mend() else (),
    )


def _may_list(table: Table) -> bool:
    """Say whether to show a table's code: on the machine itself, to its host, to its seats."""
    return (
        keys.is_local(request)
        or keys.is_host(request, table)
        or bool(keys.seats_here(request, table))
    )


@bp.post("/tables")
@_gives_a_key
def open_table() -> Reply:
    """Open a table; whoever opens it is its host, and may try it alone at once."""
    here = site()
    security.count_opening()
    lang = keys.language()
    key = request.form.get("game", "")
    how = request.form.get("how")
    options = dict(GAMES.meta(key).usual.get(lang, {})) if key in GAMES else {}
    if how == "try" and key in GAMES:
        options |= known_options(GAMES.meta(key), {"preset": "app", "board": PRACTICE})
    if how == "alone" and key in GAMES:
        options |= GAMES.meta(key).alone
    table, token = here.tables.open(key, options=options, lang=lang)
    match how:
        case "try":
            response = _tried(table)
        case "alone":
            response = _alone(table)
        case _:
            response = make_response(redirect(f"/t/{table.code}", 303))
    return keys.keep(response, keys.host_cookie(table.code), token)


def _tried(table: Table) -> Response:
    """Begin at once: one person on this device, bots on all other seats."""
    tables = site().tables
    info, key = tables.lobby.join(table, request.form.get("name") or "1", mix=secrets.token_hex(8))
    bots.seat(tables, table, table.game.META.seats[0])
    tables.lobby.start(table)
    bots.wake(tables, table)
    return _seated(table, info.seat, key)


def _alone(table: Table) -> Response:
    """Begin at once: one person on this device, in whose hands all seats are.

    The other seats are kept for whoever comes with a phone.
    """
    tables = site().tables
    count = min(max(number_field("seats"), table.game.META.seats[0]), table.game.META.seats[1])
    info, key = tables.lobby.join(table, ascii_uppercase[0], mix=secrets.token_hex(8))
    for letter in ascii_uppercase[1:count]:
        tables.lobby.hold(table, letter)
    tables.lobby.start(table)
    return _seated(table, info.seat, key)


@bp.post("/look")
def set_look() -> Reply:
    """Keep the language, the theme or the sound a person chose for this browser."""
    lang = request.form.get("lang", "")
    theme = request.form.get("theme", "")
    felt = request.form.get("felt", "")
    is_known = lang in {"", *LANGUAGES} and theme in {"", *keys.THEMES} and felt in {"", *keys.FELT}
    if not is_known:
        raise MalformedAction("no_such_look")
    back = request.form.get("back", "/")
    target = back if _is_our_path(back) else "/"
    response = make_response(redirect(target, 303))
    if lang:
        keys.keep_choice(response, "lang", lang)
    if theme:
        keys.keep_choice(response, "theme", theme)
    if felt:
        keys.keep_choice(response, "felt", felt)
    return response


def _is_our_path(target: str) -> bool:
    """Say whether this leads to a page of ours; browsers drop tabs and line ends from it."""
    is_plain = target.isprintable() and "\\" not in target
    return is_plain and target.startswith("/") and not target.startswith("//")


@bp.get("/join")
def join_by_code() -> Reply:
    """Send a typed code on to its table."""
    code = "".join(request.args.get("code", "").upper().split())
    site().tables.find(code)
    return redirect(f"/j/{code}", 303)  # type: ignore[return-value]  # werkzeug's Response is Flask's here


# Both cases: the QR code's address is upper-case, which makes it smaller.
@bp.get("/j/<code>")
@bp.get("/J/<code>")
def join(code: str) -> Reply:
    """Show the form of a newcomer, or which seat a returning phone may be."""
    here = site()
    table = here.tables.find(code)
    mine = keys.seats_here(request, table)
    if mine and "more" not in request.args:
        return redirect(f"/s/{table.code}/{mine[0]}", 303)  # type: ignore[return-value]
    return _join_page(table)


def _join_page(table: Table, *, error: str = "", name: str = "") -> str:
    here = site()
    ledger = table.ledger
    most = ledger.game.META.seats[1]
    page = pages.Join(
        marks=tuple(
            SeatCard(SeatId(-1), SeatIndex(-1), "", colour, shape, "")
            for colour, shape in zip(COLOURS, SHAPES, strict=True)
        ),
        taken=frozenset(ledger.seating.seats[seat].colour for seat in ledger.seating.order),
        free=free(table) - here.tables.seats.awaited(table),
        is_open=ledger.status == "lobby" and len(ledger.seating.order) < most,
        nonce=secrets.token_urlsafe(12),
        error=error,
        name=name,
        is_embedded=_is_embedded(request.user_agent.string),
        is_home="home" in request.values,
    )
    beside = reader_of(table, is_home=page.is_home)
    return here.render("join.html", s=_frame(table), p=page, reader=beside)


def _frame(table: Table) -> Frame:
    """Give the frame of somebody without a seat yet."""
    mine = keys.seats_here(request, table)
    return site().parts.frame(table, None, keys.language(), here=mine)


def _is_embedded(agent: str) -> bool:
    """Say whether this is a browser inside another app, which forgets its cookies."""
    signs = ("Instagram", "FBAN", "FBAV", "MicroMessenger", "Line/", "CaptiveNetworkSupport")
    return any(sign in agent for sign in signs)


@bp.post("/j/<code>")
@bp.post("/J/<code>")
@_gives_a_key
def take_seat(code: str) -> Reply:
    """Give a newcomer a seat; the form's nonce makes a double tap one seat."""
    here = site()
    table = here.tables.find(code)
    name = request.form.get("name", "")
    try:
        info, token = here.tables.lobby.join(
            table,
            name,
            colour=request.form.get("colour") or None,
            mix=request.form.get("mix") or secrets.token_hex(8),
            nonce=request.form.get("nonce", "")[:64],
        )
    except (MalformedAction, SeatTaken) as error:
        page = make_response(_join_page(table, error=error.code, name=name), error.status)
        # Going back must not bring a refusal again that may be no longer so.
        page.headers["Cache-Control"] = "no-store"
        return page
    seated = _seated(table, info.seat, token)
    if "home" in request.form:  # on the table's own screen, which shows the seat's button
        seated.location = f"/t/{table.code}"
    return seated


def _seated(table: Table, seat: SeatId, token: str) -> Response:
    response = make_response(redirect(f"/s/{table.code}/{seat}", 303))
    return keys.keep(response, keys.seat_cookie(table.code, seat), token)


# A phone that lost its key


@bp.post("/j/<code>/seats/<int:seat>")
@_gives_a_key
def ask_for_seat(code: str, seat: SeatId) -> Reply:
    """Take a released seat at once; for any other, ask the table."""
    here = site()
    table = here.tables.find(code)
    seats = here.tables.seats
    # At the machine itself all come from one address: there no wish takes another's place.
    by = "" if keys.is_local(request) else request.remote_addr or ""
    if seats.is_free(table, seat) and seat not in seats.awaited(table):
        return _seated(table, seat, seats.take_free(table, seat, by=by))
    asked = seats.request_seat(table, seat, by=by)
    return redirect(f"/j/{table.code}/wait/{asked.secret}", 303)  # type: ignore[return-value]


@bp.get("/j/<code>/wait/<secret>")
def wait_for_seat(code: str, secret: str) -> Reply:
    """Show a waiting phone how its request stands; it looks again by itself."""
    here = site()
    table = here.tables.find(code)
    asked = here.tables.seats.find_request(table, secret)
    return here.render("wait.html", s=_frame(table), p=pages.Waiting(asked, secret))


@bp.post("/j/<code>/wait/<secret>")
@_gives_a_key
def collect_seat(code: str, secret: str) -> Reply:
    """Hand the key over once the table said yes."""
    here = site()
    table = here.tables.find(code)
    asked, token = here.tables.seats.collect_request(table, secret)
    if token is None:
        return redirect(f"/j/{table.code}/wait/{secret}", 303)  # type: ignore[return-value]
    return _seated(table, asked.seat, token)


@bp.post("/j/<code>/wait/<secret>/withdraw")
def withdraw_wish(code: str, secret: str) -> Reply:
    """Ask no longer, and show all names again: it was the wrong one."""
    here = site()
    table = here.tables.find(code)
    here.tables.seats.withdraw_request(table, secret)
    return redirect(f"/j/{table.code}", 303)  # type: ignore[return-value]


@bp.get("/m/<code>")
@bp.get("/M/<code>")
def moving(code: str) -> Reply:
    """Ask whether the seat shall move to this phone. Looking changes nothing."""
    here = site()
    table, seat = here.tables.seats.transfer(code)
    frame = _frame(table)
    page = pages.Moving(frame.by_id(seat), code.upper())
    return here.render("move.html", s=frame, p=page)


@bp.post("/m/<code>")
@bp.post("/M/<code>")
@_gives_a_key
def move(code: str) -> Reply:
    """Move the seat to this phone; the older one loses it."""
    table, seat, token = site().tables.seats.redeem(code)
    return _seated(table, seat, token)


@bp.get("/host/<key>")
def be_host(key: str) -> Reply:
    """Give the host's rights on all tables to a browser with the key from the terminal."""
    # A wrong key is no such page: nothing says that there would be a right one.
    if not keys.is_machine_key(key):
        raise NoSuchTable("no_such_transfer")
    return keys.keep(make_response(redirect("/", 303)), keys.machine_cookie(), key)


@bp.get("/qr/<code>.svg")
def qr(code: str) -> Reply:
    """Draw a table's join code for the address now in use."""
    here = site()
    table = here.tables.find(code)
    base = here.place.base()
    if base is None:
        abort(404)
    # Drawn from the address of now: it changes with the network while the page stays open.
    svg = lan.qr_svg(lan.join_url(base, table.code), label=lan.join_text(base, table.code))
    return Response(svg, mimetype="image/svg+xml")

"""The keys a browser holds: a long-lived cookie a seat, one for the host, one for the language.

Cookies ignore ports, so each name carries an id of our data folder: two programs on one machine do
not overwrite each other, and a program that comes back on another port finds every seat in place.
Names with the port, as older referees gave them, go on working. A cookie a seat (instead of one
list) cannot be lost to two answers that race.
"""

from __future__ import annotations

from secrets import compare_digest
from typing import Final

from flask import Request, Response, current_app
from flask import request as flask_request

from referee.entries import SeatId
from referee.errors import NotSeated
from referee.games.base import SeatIndex
from referee.tables import Table, Who

from .place import Place
from .render import LANGUAGES
from .wire import cookies

MONTHS_13: Final = 400 * 24 * 3600
"""No cookie may live longer, by RFC 6265bis."""
HANDED_ON: Final = ("Forwarded", "X-Forwarded-For")
TRIED: Final = "_tried"
_LANG: Final = "referee.lang"
THEMES: Final = frozenset({"auto", "light", "dark", "contrast"})

FELT: Final = ("both", "sound", "buzz", "none")
"""How one's turn is felt beside being seen; the first is how it is where nobody chose."""


def _prefix() -> str:
    return f"referee_{current_app.config['REFEREE_FOLDER']}"


def value(request: Request, name: str) -> str:
    """Give a cookie of ours, also one that an older referee named with its port; "" for none."""
    held = cookies(request)
    found = held.get(name)
    if found or not held:
        return found or ""
    # A phone that holds a seat from before keeps it after the machine's referee is brought up to
    # date.
    older = name.replace(_prefix(), f"referee_{current_app.config['PORT']}", 1)
    return held.get(older, "")


def seat_cookie(code: str, seat: SeatId) -> str:
    """Name the cookie that holds a seat's key."""
    return f"{_prefix()}_{code}_{seat}"


def host_cookie(code: str) -> str:
    """Name the cookie that holds the host's key."""
    return f"{_prefix()}_{code}_host"


def keeps_cookies(request: Request) -> bool:
    """Say whether this browser brought back anything that a referee gave it."""
    return any(name.startswith("referee_") for name in cookies(request))


def try_cookies(response: Response) -> Response:
    """Give the browser something worthless to keep, to see whether it does."""
    return keep(response, f"{_prefix()}{TRIED}", "1")


def keep(response: Response, name: str, token: str) -> Response:
    """Put a key into the browser, out of reach of scripts."""
    # Lax: a link that was sent in a chat opens a table with its keys. Not secure: at home there is
    # no certificate, and over plain http such a cookie would never come back.
    response.set_cookie(name, token, max_age=MONTHS_13, httponly=True, samesite="Lax", path="/")
    return response


def drop(response: Response, name: str) -> Response:
    """Take a key out of the browser."""
    response.delete_cookie(name, path="/", httponly=True, samesite="Lax")
    return response


def seats_here(request: Request, table: Table) -> tuple[SeatId, ...]:
    """Name the seats of a table that this browser holds, clockwise."""
    # Most browsers hold one, or none: those of which they have no cookie need no look.
    ends = {name.rpartition("_")[2] for name in cookies(request)}
    order = table.ledger.seating.order
    return tuple(seat for seat in order if str(seat) in ends and _holds(request, table, seat))


def _holds(request: Request, table: Table, seat: SeatId) -> bool:
    token = value(request, seat_cookie(table.code, seat))
    # What the cookie opens counts, not what it is called: its name anybody can write.
    return bool(token) and table.who(token).seat == seat


def require_seat(request: Request, table: Table, seat: SeatId) -> None:
    """Refuse a browser without this seat's key. Raises NotSeated."""
    if not _holds(request, table, seat):
        raise NotSeated


def is_host(request: Request, table: Table) -> bool:
    """Say whether this browser holds the host's key."""
    token = value(request, host_cookie(table.code))
    return (bool(token) and table.who(token).is_host) or is_machine_host(request)


def machine_cookie() -> str:
    """Name the cookie that holds the machine's host key."""
    return f"{_prefix()}_host"


def is_machine_host(request: Request) -> bool:
    """Say whether this browser was opened with the key shown in the terminal."""
    return is_machine_key(value(request, machine_cookie()))


def is_machine_key(token: str) -> bool:
    """Say whether this is the key shown in the terminal."""
    # As bytes: text with an accent, which anybody may send, cannot be compared in constant time.
    wanted: str = current_app.config["REFEREE_HOST_KEY"]
    return compare_digest(token.encode(errors="replace"), wanted.encode())


def holds_any(request: Request, table: Table) -> bool:
    """Say whether this is a seat of a table, or its host, by cookie or by token."""
    token = request.headers.get("Authorization", "").partition(" ")[2].strip()
    is_known = bool(token) and table.who(token) != Who()
    # A seat first: most requests are a phone's, and it needs no look at the others it may hold.
    return is_known or bool(seats_here(request, table)) or is_host(request, table)


def is_local(request: Request) -> bool:
    """Say whether a page of the machine itself asks: by its address, and by the name it used.

    A page from elsewhere can send a browser here under a name of its own; that is not local. Nor is
    what a proxy of the machine hands on that nobody told us of: it speaks for anybody.
    """
    name = request.host.rsplit(":", 1)[0].strip("[]")
    place: Place = current_app.extensions["referee"].place
    if not place.proxies and any(name in request.headers for name in HANDED_ON):
        return False
    is_own = place.is_own
    return is_own(request.remote_addr or "") and (name == "localhost" or is_own(name))


def is_opposed(request: Request, table: Table, seat: SeatId) -> bool:
    """Say whether this browser holds a seat that plays against this one, so never acts for it."""
    meta, ledger = table.game.META, table.ledger
    if meta.roles is None or ledger.status == "lobby":
        return False
    # Once the game has begun its options name a place in it, and not a seat's id.
    one = ledger.seating.at(SeatIndex(int(ledger.options[meta.starter])))
    return any((here == one) != (seat == one) for here in seats_here(request, table))


def key_of(request: Request, table: Table, seat: SeatId | None) -> str:
    """Give the key with which this browser holds a seat, or hosts the table; "" without one."""
    names = (
        (host_cookie(table.code), machine_cookie())
        if seat is None
        else (seat_cookie(table.code, seat),)
    )
    return next((held for name in names if (held := value(request, name))), "")


def require_host(request: Request, table: Table) -> Who:
    """Refuse a browser without the host's key. Raises NotSeated."""
    if not is_host(request, table):
        raise NotSeated("not_host")
    return Who(is_host=True)


def language() -> str:
    """Give the language of the page being answered, chosen once a request."""
    environ = flask_request.environ
    found: str = environ.get(_LANG) or environ.setdefault(_LANG, _choose_language())
    return found


def _choose_language() -> str:
    """Pick a language: what this browser chose here, else what it prefers, else the machine's."""
    chosen = value(flask_request, f"{_prefix()}_lang")
    if chosen in LANGUAGES:
        return chosen
    fallback: str = current_app.config["LANG"]
    return flask_request.accept_languages.best_match([*LANGUAGES], fallback) or fallback


def theme() -> str:
    """Give the theme this browser chose, "" for the device's own."""
    chosen = value(flask_request, f"{_prefix()}_theme")
    return chosen if chosen in THEMES - {"auto"} else ""


def felt() -> str:
    """Say how this browser lets one's turn be felt: by sound, in the hand, both, neither."""
    chosen = value(flask_request, f"{_prefix()}_felt")
    return chosen if chosen in FELT else FELT[0]


def keep_choice(response: Response, name: str, value: str) -> Response:
    """Remember how this browser likes to look."""
    return keep(response, f"{_prefix()}_{name}", value)

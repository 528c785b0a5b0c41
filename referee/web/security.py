"""What every answer carries and every request must pass: headers, origin, size, rate."""

from __future__ import annotations

import gzip
import time
from typing import Final
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, request

from referee.errors import NotSeated, RefereeError, TooMany

from . import keys
from .site import site

CSP: Final = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
)
LARGEST_REQUEST: Final = 64 * 1024
MISSES_A_MINUTE: Final = 30
MOST_OPENINGS: Final = 30
OPENINGS_S: Final = 3600.0
WORTH_PACKING: Final = 600
UNSAFE: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class Misses:
    """Counts wrong codes and keys by address, so that nobody can try them all.

    Whoever missed too often is told nothing of any table for a while. Seats behind the same address
    play on: what they hold is no guess. The machine itself is never shut out.
    """

    def __init__(self) -> None:
        self._seen: dict[str, list[float]] = {}

    def note(self, address: str) -> None:
        """Remember a miss."""
        now = time.monotonic()
        recent = [at for at in self._seen.get(address, []) if now - at < 60]  # noqa: PLR2004  # a minute
        self._seen[address] = [*recent, now][-MISSES_A_MINUTE:]

    def are_too_many(self, address: str) -> bool:
        """Say whether this address missed too often within a minute."""
        now = time.monotonic()
        seen = self._seen.get(address, [])
        return len([at for at in seen if now - at < 60]) >= MISSES_A_MINUTE  # noqa: PLR2004


def note_miss() -> None:
    """Remember that the asker named a table that is not there."""
    misses: Misses = current_app.extensions["misses"]
    misses.note(request.remote_addr or "")


def count_opening() -> None:
    """Let an address open a few tables in a while, lest it push the evening's own out of sight.

    The machine itself may open as many as it likes. Raises TooMany.
    """
    if (request.remote_addr or "").startswith("127."):
        return
    openings: Openings = current_app.extensions["openings"]
    openings.note(request.remote_addr or "")


class Openings:
    """Counts the tables that each address opened lately."""

    def __init__(self) -> None:
        self._seen: dict[str, list[float]] = {}

    def note(self, address: str) -> None:
        """Count one more. Raises TooMany."""
        now = time.monotonic()
        recent = [at for at in self._seen.get(address, []) if now - at < OPENINGS_S]
        if len(recent) >= MOST_OPENINGS:
            raise TooMany
        self._seen[address] = [*recent, now]


def protect(app: Flask) -> None:
    """Install the checks and headers."""
    misses = app.extensions["misses"] = Misses()
    app.extensions["openings"] = Openings()
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_REQUEST

    @app.before_request
    def check() -> None:
        address = request.remote_addr or ""
        if not address.startswith("127."):
            site().place.remote_hits += 1
        if is_a_guess() and misses.are_too_many(address) and not keys.is_local(request):
            raise TooMany
        if request.method in UNSAFE and not is_same_origin():
            raise NotSeated("cross_site")

    @app.after_request
    def finish(response: Response) -> Response:
        headers = response.headers
        headers.setdefault("Content-Security-Policy", CSP)
        headers.setdefault("X-Content-Type-Options", "nosniff")
        headers.setdefault("Referrer-Policy", "same-origin")
        if request.is_secure:  # over plain http browsers ignore it and complain on every page
            headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
        headers.setdefault("Cache-Control", "no-store")
        if response.mimetype == "text/html":
            headers["Vary"] = "HX-Request, Accept-Language, Accept-Encoding, Cookie"
        return pack(response)


def is_a_guess() -> bool:
    """Say whether this request names something that opens a door, without holding a key to it."""
    named = request.view_args or {}
    code = named.get("code") or named.get("table") or request.args.get("code", "")
    if not code and "key" not in named:
        return False
    try:
        table = site().tables.find(code)
    except RefereeError:
        return True
    return not keys.holds_any(request, table)


def is_same_origin() -> bool:
    """Say whether an unsafe request came from our own pages, or from no browser page at all."""
    fetched = request.headers.get("Sec-Fetch-Site")
    if fetched is not None and fetched not in {"same-origin", "none"}:
        return False
    origin = request.headers.get("Origin")
    try:
        return origin is None or urlsplit(origin).netloc == request.host
    except ValueError:
        return False  # no browser sends what is no address


def pack(response: Response) -> Response:
    """Gzip a whole page; never a stream, which would be held back."""
    if (
        response.is_streamed
        or response.direct_passthrough
        or "Content-Encoding" in response.headers
        or "gzip" not in request.headers.get("Accept-Encoding", "")
        or response.mimetype not in {"text/html", "application/json"}
    ):
        return response
    body = response.get_data()
    if len(body) >= WORTH_PACKING:
        response.set_data(gzip.compress(body, 5, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
    return response

"""What every answer carries and every request must pass: headers, origin, size, rate."""

from __future__ import annotations

import time
from typing import Final
from urllib.parse import urlsplit

import deflate
from flask import Flask, Request, Response, current_app, request

from referee.errors import NotSeated, RefereeError, TooMany

from . import keys
from .site import site

CSP: Final = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
)
CARRIED: Final = (
    ("Content-Security-Policy", CSP),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
)
CARRIED_SECURELY: Final = (
    *CARRIED,
    # Over plain http browsers ignore it and complain on every page.
    ("Cross-Origin-Opener-Policy", "same-origin"),
)
VARY: Final = "HX-Request, Accept-Language, Accept-Encoding, Cookie"
"""What a page hangs on beside its address."""
LARGEST_REQUEST: Final = 64 * 1024
MINUTE_S: Final = 60.0
MISSES_A_MINUTE: Final = 30
MOST_ADDRESSES: Final = 1000
"""Of so many addresses it is counted what they did lately; a home has some dozens."""
MOST_OPENINGS: Final = 30
OPENINGS_S: Final = 3600.0
WORTH_PACKING: Final = 600
PACKED: Final = 8
"""How hard a page is packed: harder takes eight times as long for one byte in seventy."""
UNSAFE: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class Lately:
    """Counts by address what was done within a while, and forgets what is longer ago.

    Args:
        window: how many seconds count.
        most: how many times are many.
    """

    def __init__(self, window: float, most: int) -> None:
        self._window = window
        self._most = most
        self._seen: dict[str, list[float]] = {}

    def __len__(self) -> int:
        return len(self._seen)

    def note(self, address: str) -> None:
        """Count one more."""
        # The newest last: what is dropped is whoever was silent for longest.
        recent = [*self._recent(self._seen.pop(address, [])), time.monotonic()]
        self._seen[address] = recent[-self._most :]
        for oldest in [*self._seen]:
            if len(self._seen) <= MOST_ADDRESSES and self._recent(self._seen[oldest]):
                break
            del self._seen[oldest]

    def are_many(self, address: str) -> bool:
        """Say whether this address has reached the limit."""
        return len(self._recent(self._seen.get(address, []))) >= self._most

    def _recent(self, times: list[float]) -> list[float]:
        now = time.monotonic()
        return [at for at in times if now - at < self._window]


def note_miss() -> None:
    """Remember that the asker named a table that is not there, so that nobody can try all codes.

    Whoever missed too often is told nothing of any table for a while. Seats behind the same address
    play on: what they hold is no guess. The machine itself is never shut out.
    """
    misses: Lately = current_app.extensions["misses"]
    misses.note(request.remote_addr or "")


def count_opening() -> None:
    """Let an address open a few tables in a while, lest it push the evening's own out of sight.

    The machine itself may open as many as it likes. Raises TooMany.
    """
    address = request.remote_addr or ""
    if site().place.is_own(address):
        return
    openings: Lately = current_app.extensions["openings"]
    if openings.are_many(address):
        raise TooMany
    openings.note(address)


def protect(app: Flask) -> None:
    """Install the checks and headers."""
    misses = app.extensions["misses"] = Lately(MINUTE_S, MISSES_A_MINUTE)
    app.extensions["openings"] = Lately(OPENINGS_S, MOST_OPENINGS)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_REQUEST

    @app.before_request
    def check() -> None:
        address = request.remote_addr or ""
        count_asker(address)
        # Who guesses is asked last: of most addresses nothing is known that would make it matter.
        if misses.are_many(address) and is_a_guess() and not keys.is_local(request):
            raise TooMany
        if request.method in UNSAFE and not is_same_origin(request):
            raise NotSeated("cross_site")

    @app.after_request
    def finish(response: Response) -> Response:
        headers = response.headers
        for name, value in carried(is_secure=request.is_secure):
            headers.setdefault(name, value)
        if response.mimetype == "text/html":
            headers["Vary"] = VARY
        return pack(response)


def count_asker(address: str) -> None:
    """Note that another machine found this one, which is asked when phones cannot."""
    if not site().place.is_own(address):
        site().place.remote_hits += 1


def carried(*, is_secure: bool) -> tuple[tuple[str, str], ...]:
    """Give the headers of every answer that has none of its own by these names."""
    return CARRIED_SECURELY if is_secure else CARRIED


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


def is_same_origin(request: Request) -> bool:
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
        # No time is in it: what is equal stays equal byte by byte.
        response.set_data(bytes(deflate.gzip_compress(body, PACKED)))
        response.headers["Content-Encoding"] = "gzip"
    return response

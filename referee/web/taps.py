"""The short way of a tap: what goes well is not passed through all of Flask.

Most of what phones send is one kind of request, what a seat does, and half of what it cost beside
the game was routing, contexts, signals and the making of an empty answer. So it is looked at first:
by the same functions, with the same checks and the same answer. Whatever is not as always, such as
a refusal, another origin, a lost key, or a form without htmx, goes Flask's way, which decides it
and says why. A tap has an id, so what was stored already is not done again there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from io import BytesIO
from typing import TYPE_CHECKING, Final

from flask import Flask

from referee.entries import SeatId
from referee.folder import Folder
from referee.games import reading

from .seat import play, seated
from .security import VARY, carried, count_asker, is_same_origin
from .wire import FORM, Asked, fields_of

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

TAP: Final = re.compile(r"/s/([^/]+)/(\d{1,9})/act")
MOST: Final = 4096
"""Bytes of a tap's form that are read here; most have less than a hundred."""
ELSEWHERE: Final = ("next",)
"""Fields of a form that leads to another page than the one it came from."""


class Taps:
    """Stands before an application and plays what its seats tap.

    Args:
        app: whose it is.
        unheld: a data folder that is claimed at the first request, which nothing is played before.
    """

    def __init__(self, app: Flask, unheld: Folder | None) -> None:
        self._app = app
        self._unheld = unheld
        self._long_way: WSGIApplication = app.wsgi_app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a tap that goes well; let Flask answer all else."""
        version = None
        if environ["REQUEST_METHOD"] == "POST" and environ.get("HTTP_HX_REQUEST") == "true":
            where = TAP.fullmatch(environ["PATH_INFO"])
            if where is not None and (self._unheld is None or self._unheld.is_held):
                version = self._played(environ, where[1], SeatId(int(where[2])))
        if version is None:
            return self._long_way(environ, start_response)
        headers = [
            ("Content-Type", "text/html; charset=utf-8"),
            ("X-Version", str(version)),
            *carried(is_secure=environ["wsgi.url_scheme"] == "https"),
            ("Vary", VARY),
        ]
        start_response("204 NO CONTENT", headers)
        return ()

    def _played(self, environ: WSGIEnvironment, code: str, seat: SeatId) -> int | None:
        """Play it, and give the seat's version; None where Flask has to look."""
        size = environ.get("CONTENT_LENGTH", "")
        kind = environ.get("CONTENT_TYPE", "").partition(";")[0]
        if not size.isdecimal() or int(size) > MOST or kind != FORM:
            return None
        body = environ["wsgi.input"].read(int(size))
        environ["wsgi.input"] = BytesIO(body)
        form = fields_of(body)
        is_whole = len(body) == int(size) and bool(reading.text(form, "id"))
        if not is_whole or not form.keys().isdisjoint(ELSEWHERE):
            return None
        # Alone: what its own environment leads to goes only when Python looks for garbage.
        request = Asked(environ, populate_request=False)
        try:
            with self._app.app_context():
                if not is_same_origin(request):
                    return None
                version = play(seated(request, code, seat), seat, form)
                count_asker(request.remote_addr or "")
        except Exception:  # noqa: BLE001  # Flask meets it as well, and says or logs what it is
            return None
        return version

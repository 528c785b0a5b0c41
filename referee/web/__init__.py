"""The web face: create_app wires blueprints, errors, languages and the running Site."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from functools import partial
from gettext import NullTranslations, translation
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from flask import Flask, Response, jsonify, make_response, redirect, request
from werkzeug.exceptions import HTTPException, InternalServerError
from werkzeug.middleware.proxy_fix import ProxyFix

from referee import bots, lan
from referee.connecting import Offload
from referee.db import Store
from referee.errors import CorruptJournal, NoSuchTable, NotSeated, RefereeError
from referee.folder import Folder
from referee.games import GAMES
from referee.live import Live
from referee.tables import Tables
from referee.where import data_folder

from . import (  # named for its area
    api,
    boards,
    captive,
    display,
    evenings,
    help,  # noqa: A004  # named for its area
    keep,
    keys,
    lobby,
    records,
    replay,
    retell,
    seat,
    stream,
    terms,
    trouble,
    unboxing,
)
from .addresses import Address
from .place import Place
from .prefix import Prefix
from .reader import reader_at
from .render import LANGUAGES, Renderer
from .security import note_miss, protect
from .settings import settings_of
from .site import Site, htmx, site
from .taps import Taps
from .wire import Asked

IMMUTABLE = "public, max-age=31536000, immutable"


def create_app(
    config: Mapping[str, Any] | None = None,
    *,
    home: Folder | None = None,
    offload: Offload | None = None,
) -> Flask:
    """Make the application of one data folder, which is Flask's instance folder.

    Args:
        config: what goes before REFEREE_* in the environment; `settings.py` has all names.
        home: the data folder, if the caller sees to it that no other server has it.
        offload: how the server at hand runs a blocking commit.
    """
    chosen, config = settings_of(config)
    data = home.path if home else data_folder(Path(chosen.data) if chosen.data else None)
    app = Flask(
        __name__, static_folder=None, template_folder=None, instance_path=str(data.absolute())
    )
    app.request_class, app.url_rule_class = Asked, Address
    app.config.update(config)
    app.config.update(msgspec.to_builtins(chosen))
    htmx.init_app(app)
    url = lan.given_url(chosen.url)
    place = Place(data, port=chosen.port, url=url, proxies=chosen.proxies)
    app.config.update(REFEREE_HOST_KEY=place.host_key, REFEREE_FOLDER=place.folder)
    tables = Tables(Store(data / "referee.db", offload=offload), Live(most=chosen.pages))
    tables.woken = partial(bots.wake, tables)
    app.extensions["referee"] = Site(tables, Renderer(_translations, _catalogues), place)
    app.shell_context_processor(lambda: {"site": app.extensions["referee"], "tables": tables})
    unheld = None if home else Folder(data)
    if unheld is not None:
        _hold_when_asked(app, unheld)
    protect(app)
    play = (lobby, display, seat, retell, stream, api)
    for area in (*play, boards, keep, evenings, records, replay, help, terms, trouble, unboxing):
        app.register_blueprint(area.bp)
    if chosen.captive:
        app.register_blueprint(captive.bp)
    app.add_url_rule("/healthz", view_func=_health)
    app.add_url_rule("/static/<tag>/<path:name>", view_func=_static)
    app.add_url_rule("/favicon.ico", view_func=lambda: redirect(_icon_url(), 301))
    # Behind what stands before: a proxy's word about who asks has to be heard first.
    app.wsgi_app = Taps(app, unheld)  # type: ignore[method-assign]  # Flask's way of wrapping
    _stand_behind(app, chosen.proxies, urlsplit(url or "").path.rstrip("/"))
    _answer_errors(app)
    return app


def _hold_when_asked(app: Flask, home: Folder) -> None:
    """Take the folder at the first request: Flask's other commands only look."""

    @app.before_request
    def hold() -> None:
        if not home.is_held:
            home.claim()


def _answer_errors(app: Flask) -> None:
    """Say which error becomes which answer: refusals, a disk that refuses, HTTP's own."""

    @app.errorhandler(RefereeError)
    def refuse(error: RefereeError) -> Response:
        if isinstance(error, NoSuchTable):
            note_miss()
        return _refusal(error)

    @app.errorhandler(sqlite3.OperationalError)
    @app.errorhandler(OSError)
    def refuse_disk(error: sqlite3.OperationalError | OSError) -> Response:
        refusal = trouble.of_disk(error)
        if refusal is None:
            raise error
        # Nothing was taken in: the page says what the disk does, and the terminal how it put it.
        app.logger.error("%s at %s %s: %s", refusal.code, request.method, request.path, error)
        return _refusal(refusal)

    @app.errorhandler(HTTPException)
    def fail(error: HTTPException) -> Response:
        if isinstance(error, InternalServerError):
            app.logger.error("at %s %s", request.method, request.path)
        return _refusal(_WebError(error))


def _stand_behind(app: Flask, proxies: int, path: str) -> None:
    """Let proxies say who asks, and put a path before every link where there is one."""
    # To replace wsgi_app is Flask's own way of wrapping an application.
    if proxies or path:
        app.wsgi_app = Prefix(app.wsgi_app, path)  # type: ignore[method-assign, assignment]
    if proxies:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=proxies, x_proto=proxies, x_host=proxies, x_prefix=proxies
        )


CATALOGUES: Final = Path(__file__).resolve().parent.parent / "translations"


def _translations(lang: str) -> NullTranslations:
    return translation("messages", CATALOGUES, [lang], fallback=True)


def _catalogues() -> Iterator[bytes]:
    return (path.read_bytes() for path in sorted(CATALOGUES.rglob("*.mo")))


FORMS_OF_HOST: Final = {"act-for", "release", "give-back"}
"""What is sent by the page on which a host helps the table, and by none other."""


def _back() -> str:
    """Give the page that a refused plain form came from: the seat's, the table's, or the start."""
    where = request.view_args or {}
    if "code" not in where or where["code"] == "host":
        return "/"
    if request.path.rpartition("/")[2] in FORMS_OF_HOST:
        return f"/t/{where['code']}/host"
    return f"/s/{where['code']}/{where['seat']}" if "seat" in where else f"/t/{where['code']}"


def _game_here() -> str:
    """Name the game of the table or the board that was asked for; "" where there is none."""
    where = request.view_args or {}
    if "code" not in where:
        return where["game"] if where.get("game") in GAMES else ""
    try:
        return site().tables.find(where["code"]).game.META.key
    except RefereeError:
        return ""


class _Facts(dict[str, object]):
    """A refusal's facts for the template; one that is not given is empty."""

    def __missing__(self, key: str) -> str:
        return ""


class _WebError(RefereeError):
    """An HTTP error in the shape of our own."""

    def __init__(self, error: HTTPException) -> None:
        super().__init__(f"http_{error.code}")
        self.status = error.code or 500  # type: ignore[misc]  # this one's status is its own


def _refusal(error: RefereeError) -> Response:
    """Answer a refusal as the asker can read it: problem JSON, one sentence, or a page."""
    if request.path.startswith("/api/"):
        return api.problem(error)
    if request.path.endswith("/stream"):
        # An error status would end a page's stream for good; this one tries again later.
        return stream.event_stream(iter([b"retry: 20000\n\n"]))
    here = site()
    lang = keys.language()
    context = {
        "code": error.code,
        "facts": _Facts(error.facts),
        "status": error.status,
        "theme": keys.theme(),
        "felt": keys.felt(),
        "back": _back(),
        "game": _game_here(),
    }
    if htmx:
        sentence = here.renderer.render("_refusal.html", lang, context)
        return make_response(sentence, error.status)
    table = request.view_args.get("code", "") if request.view_args else ""
    is_stranger = isinstance(error, NotSeated) and error.code != "not_machine"
    if is_stranger and table and request.method == "GET":
        return make_response(redirect(f"/j/{table}", 303))
    if isinstance(error, CorruptJournal):
        return trouble.damaged_page(error)
    # Not where something broke: it may be just what draws a table.
    if error.status < HTTPStatus.INTERNAL_SERVER_ERROR:
        context["reader"] = reader_at(table, (request.view_args or {}).get("seat"))
    return make_response(here.renderer.render("refused.html", lang, context), error.status)


def _health() -> Response:
    return jsonify(status="ok")


def _icon_url() -> str:
    return site().renderer.assets.url("icon.svg")


def _static(tag: str, name: str) -> Response:
    """Send a file; under the address of what all files hold now it may be kept for ever."""
    assets = site().renderer.assets
    asset = assets.find(name)
    if asset is None:
        return make_response("", 404)
    wants_packed = "gzip" in request.headers.get("Accept-Encoding", "") and asset.packed
    response = Response(asset.packed if wants_packed else asset.body, mimetype=asset.mimetype)
    response.headers["Cache-Control"] = IMMUTABLE if tag == assets.tag else "no-cache"
    response.headers["Vary"] = "Accept-Encoding"
    if wants_packed:
        response.headers["Content-Encoding"] = "gzip"
    return response


__all__ = ["LANGUAGES", "create_app"]

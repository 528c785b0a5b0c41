"""What `referee serve` and `referee demo` do, from the folder's lock to the last page let go."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.saying import gettext as _
from referee.saying import reserved_port
from referee.where import data_folder

if TYPE_CHECKING:
    from referee.folder import Folder


@dataclass(frozen=True, kw_only=True)
class Serving:
    """What was said on the command line. `bots` is the game they play, "" for people."""

    host: str
    port: int
    url: str
    proxies: int
    captive: bool = False
    is_browser_wanted: bool
    lang: str
    data: Path | None
    bots: str = ""
    pace: float = 0.0


def serve(said: Serving) -> int:
    """Serve until stopped, and give the exit code."""
    # Its debugger runs whatever anybody types into an error page.
    if os.environ.get("FLASK_DEBUG", "0") not in {"", "0"} and said.host != "127.0.0.1":
        _complain(_("FLASK_DEBUG is refused on an address that others reach."))
        return 2
    from referee import server  # noqa: PLC0415  # patches before anything else is imported

    server.make_cooperative()
    from referee import lan  # noqa: PLC0415
    from referee.errors import AlreadyRunning  # noqa: PLC0415
    from referee.folder import Folder  # noqa: PLC0415
    from referee.web import create_app  # noqa: PLC0415

    # The folder before the port: a second start opens the pages of the first, wherever those are.
    home = Folder(_own_folder(said))
    try:
        home.claim()
    except AlreadyRunning as other:
        return _open_other(str(other.facts["address"]), is_wanted=said.is_browser_wanted)
    try:
        port = lan.free_port(said.host, said.port)
    except PermissionError:
        home.release()
        _complain(reserved_port(said.port))
        return 1
    if port != said.port:
        taken = _("Port %(taken)s is taken, using %(port)s.")
        print(taken % {"taken": said.port, "port": port}, flush=True)
    config = {
        "PORT": port,
        "URL": said.url,
        "LANG": said.lang,
        "PROXIES": said.proxies,
        "CAPTIVE": said.captive,
    }
    app = create_app(config, home=home, offload=server.offload)
    _say_what_was_brought_back(app)
    _serve(said, app, home, port)
    return 0


def _serve(said: Serving, app: Any, home: Folder, port: int) -> None:
    from referee import lan, server, terminal  # noqa: PLC0415

    here = app.extensions["referee"]
    here.place.watch = lan.Watch(partial(lan.reached, said.host))
    base = lan.own_url(said.host, port)
    path = ""
    if said.bots:
        from referee import demo  # noqa: PLC0415

        path = "/" + demo.begin(here.tables, said.bots, pace=said.pace, lang=said.lang)

    def ready() -> None:
        terminal.banner(
            (here.place.base() or base) + path,
            None,
            stream=sys.stdout,
            addresses=here.place.watch.addresses(),
            lang=said.lang,
            where=lan.environment(),
        )
        words = _("Host rights for a browser here: %(url)s")
        print(words % {"url": f"{base}/host/{here.place.host_key}"}, flush=True)
        if said.is_browser_wanted:
            terminal.open_browser(base + (path or "/"))

    # Only now that the port is known: until here a second start is told that this one begins.
    home.announce(f"{base}/", shown=said.url)
    try:
        server.serve(app, said.host, port, ready=ready)
    finally:
        home.release()


def _own_folder(said: Serving) -> Path:
    """Give the folder to serve: bots have one of their own, beside people's evenings."""
    folder = data_folder(said.data)
    return folder / "demo" if said.bots and said.data is None else folder


def _say_what_was_brought_back(app: Any) -> None:
    restored = app.extensions["referee"].tables.store.restored
    if restored is not None:
        words = _("The database was %(why)s; brought back: %(backup)s.")
        print(words % {"why": restored.why, "backup": restored.backup or _("nothing")}, flush=True)


def _open_other(address: str, *, is_wanted: bool) -> int:
    """Say that another referee serves these tables, and open that one."""
    from referee import terminal  # noqa: PLC0415

    if not address:
        _complain(_("The referee is already running on this data, and just starting."))
        return 1
    print(_("The referee is already running at %(address)s") % {"address": address}, flush=True)
    if is_wanted:
        terminal.open_browser(address)
    return 0


def _complain(sentence: str) -> None:
    print(f"referee: {sentence}", file=sys.stderr)

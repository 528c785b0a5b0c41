"""Firefox and WebKit, as Debian ships them: join, sit down, begin, act, see what others do."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from referee import lan
from tests import browsers

from .bench import APP
from .remote import WAIT_S, Firefox, Remote, WebKit
from .serving import Api, Server, until
from .test_desperados import CLEO, ROUTES, take_places
from .touching import SET_VISIBILITY

pytestmark = pytest.mark.browser

NO_FIREFOX = "NOTHING WAS TRIED IN FIREFOX: none found (Debian's package firefox-esr)"
NO_WEBKIT = "NOTHING WAS TRIED IN WEBKIT: not found (Debian's webkit2gtk-driver and xvfb)"
SEALED = APP | {"auction": "sealed"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Serve under an address as phones use it: these browsers know no made-up names."""
    here = next(iter(lan.candidates()), None)
    with closing(Server(tmp_path, host=here.ip if here else "127.0.0.1")) as server:
        server.start()
        yield server


@pytest.fixture(params=["firefox", "webkit"])
def remote(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Remote]:
    """Start one of the two, with a profile of its own; without it skip loudly."""
    folder = tmp_path / "profile"
    folder.mkdir()
    remote = _firefox(folder) if request.param == "firefox" else _webkit(folder)
    try:
        remote.start()
        yield remote
    finally:
        remote.close()


def _firefox(folder: Path) -> Remote:
    path = browsers.firefox()
    if path is None:
        pytest.skip(NO_FIREFOX)
    return Firefox(folder, path)


def _webkit(folder: Path) -> Remote:
    paths = browsers.webkit()
    if paths is None:
        pytest.skip(NO_WEBKIT)
    return WebKit(folder, *paths)


def key(remote: Remote, ending: str) -> str:
    """Give the key that the browser keeps under a name with this ending."""
    found = [c["value"] for c in remote.ask("GetCookies") if c["name"].endswith(ending)]
    assert len(found) == 1, ending
    return str(found[0])


def scanned(remote: Remote, zbarimg: str, folder: Path) -> str:
    """Read the code that the window shows, as a phone's camera does."""
    picture = folder / "shown.png"
    picture.write_bytes(remote.picture())
    command = (zbarimg, "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", str(picture))
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout.strip()


def test_evenings_in_another_engine(
    remote: Remote, server: Server, zbarimg: str, tmp_path: Path
) -> None:
    """Two evenings in one browser, for starting one takes longest."""
    _winchester(remote, server, zbarimg, tmp_path)
    _desperados(remote, server)


def _winchester(remote: Remote, server: Server, zbarimg: str, folder: Path) -> None:
    """Open a table on a laptop; a phone scans its code, sits down, bids, looks; all is live."""
    remote.ask("SetWindowRect", x=0, y=0, width=1280, height=1000)
    remote.goto(server.base)
    remote.tap("button[value=winchester]")
    remote.await_sight("#join .qr")
    api = Api(server, urlsplit(remote.where()).path.rsplit("/", 1)[1])
    api.host_token = key(remote, "_host")
    server.call("POST", f"/api/v1/tables/{api.code}/options", SEALED, token=api.host_token)
    link = scanned(remote, zbarimg, folder)

    screen = remote.open_window()
    remote.goto(link)
    remote.fill("#name", "Zoë")
    remote.tap("form[data-mix] .btn-primary")
    remote.await_sight(".seat *", "Zoë")
    phone = remote.ask("GetWindowHandle")
    api.tokens = [key(remote, f"_{api.code}_0"), api.join("Ben"), api.join("Cleo")]

    remote.look_at(screen)
    remote.await_sight("#seats li", "Zoë")
    remote.await_sight("#seats li", "Cleo")
    remote.tap("#begin .btn-primary:not(:disabled)")
    remote.await_sight("#question *")
    api.draw_plot()

    remote.look_at(phone)
    remote.tap("#ask button[aria-label$=more]")
    remote.tap("#ask form:has(input[value=submit_bid]) [data-sends]")
    remote.await_sight("#ask details[data-shuts] summary")
    assert 1000 == api.own(0)["bid"]
    assert not remote.sees("#own .peek-secret")
    with remote.held("#own .peek-btn"):
        remote.await_sight("#own .peek-secret", "$1,000")
    assert not remote.sees("#own .peek-secret")
    for seat in (1, 2):
        api.submit(seat, 0)
    until(lambda: not remote.sees("#ask details[data-shuts] summary"), within_s=WAIT_S)
    assert remote.complaints() == []

    remote.look_at(screen)
    remote.await_sight("#log *", "$1,000")
    assert remote.complaints() == []


def _desperados(remote: Remote, server: Server) -> None:
    """Put a phone out of sight: it shows neither place nor plans until it is tapped."""
    _, found = server.call("POST", "/api/v1/tables", {"game": "desperados", "options": APP})
    api = Api(server, found["table"])
    api.host_token = found["host_token"]
    api.tokens = [api.join(name) for name in ("Ann", "Ben", "Cleo", "Dan")]
    api.start()
    take_places(api)
    for seat in (0, 1):
        api.act(api.tokens[seat], {"type": "lay_card", "card": ROUTES[seat][0]})
    remote.goto(server.base)
    name = f"referee_{server.port}_{api.code}_{CLEO}"
    remote.ask("AddCookie", cookie={"name": name, "value": api.tokens[CLEO]})
    remote.goto(f"{server.base}/s/{api.code}/{CLEO}")
    remote.script("document.body.dataset.veil = 3600")  # not by itself: this machine may be slow
    remote.await_sight("#gang *", "La Luz")
    assert not remote.sees(".veil")
    remote.script(f"({SET_VISIBILITY})('hidden')")
    remote.await_sight(".veil")
    assert not remote.sees("#gang *", "La Luz")
    assert not remote.sees("#ask .btn-primary")
    remote.script(f"({SET_VISIBILITY})('visible')")
    remote.tap(".veil")
    remote.await_sight("#gang *", "La Luz")
    remote.await_sight("#ask .btn-primary")
    assert remote.complaints() == []

"""Every code that a phone's camera has to read can be read, whatever stands beside it."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from flask import Flask
from playwright.sync_api import FloatRect, Page

from referee import lan
from referee.web.place import LONELY_S, Place
from tests.table import BASE, LANGUAGES, Evening
from tests.walk.scenes import Scene, page
from tests.walk.screens import Screens, Size

from .chromium import Chromium

pytestmark = pytest.mark.browser

SIZES = tuple(
    Size(*size)
    for size in (
        *((800, 480), (1024, 600), (1280, 720), (1280, 800)),
        *((1366, 768), (1440, 900), (1600, 900), (1920, 1080)),
    )
)
WIFI = ("Zum durstigen Kaktus, 1. Stock", "Klapperschlangen & Kojoten; sehr geheim")
TWO = (lan.Address("192.168.1.50", "wlan0", "wifi"), lan.Address("10.0.0.5", "eth0", "ethernet"))
DATA = "{http://zbar.sourceforge.net/2008/barcode}data"
OPEN = "document.querySelector('dialog').showModal()"


@pytest.fixture
def screens(chromium: Chromium, own_app: Flask) -> Iterator[Screens]:
    """Keep a phone and a display."""
    screens = Screens(chromium.browser(), own_app)
    yield screens
    with chromium.closing():
        screens.close()


def unread(
    zbarimg: str,
    shown: Page,
    where: str,
    wanted: set[str],
    folder: Path,
    sizes: tuple[Size, ...] = SIZES,
) -> dict[str, set[str]]:
    """Say which codes a camera cannot read at which sizes, looking at one piece of the page."""
    for size in sizes:
        Screens.resize(shown, size)
        shown.screenshot(path=folder / f"{size}.png", clip=_in_window(shown, where, size))
    command = (zbarimg, "--quiet", "--xml", "-Sdisable", "-Sqrcode.enable")
    pictures = [str(folder / f"{size}.png") for size in sizes]
    done = subprocess.run((*command, *pictures), capture_output=True, check=False)
    sources = ET.fromstring(done.stdout)  # noqa: S314  # the scanner wrote it
    found = {Path(one.attrib["href"]).stem: one for one in sources}
    read = {size: {data.text for data in one.iter(DATA)} for size, one in found.items()}
    return {str(size): lost for size in sizes if (lost := wanted - read.get(str(size), set()))}


def _in_window(shown: Page, where: str, size: Size) -> FloatRect:
    """Give what of a piece of a page is in the window, nothing scrolled."""
    box = shown.locator(where).bounding_box()
    assert box is not None
    left, top = max(box["x"], 0), max(box["y"], 0)
    right, bottom = (
        min(box["x"] + box["width"], size.width),
        min(box["y"] + box["height"], size.height),
    )
    return {"x": left, "y": top, "width": right - left, "height": bottom - top}


@pytest.mark.parametrize(("has_wifi", "is_lonely"), [*product((False, True), repeat=2)])
def test_the_code_to_join_is_read_with_whatever_stands_beside_it(
    screens: Screens,
    own_app: Flask,
    zbarimg: str,
    tmp_path: Path,
    *,
    has_wifi: bool,
    is_lonely: bool,
) -> None:
    """In the lobby and over the board: with the Wi-Fi's code, with the word that no phone came."""
    evening = Evening(own_app, seats=3)
    evening.laptop.client.environ_base["REMOTE_ADDR"] = "127.0.0.1"
    place = own_app.extensions["referee"].place
    lang = LANGUAGES[has_wifi + is_lonely]
    # With one of the two there is more room than with both: there the narrowest screens say enough.
    sizes = SIZES if has_wifi == is_lonely else SIZES[:2]
    wanted = {lan.join_url(BASE, evening.code)}
    if has_wifi:
        wanted.add(lan.wifi_payload(*WIFI))

    _stand(place, has_wifi=has_wifi, is_lonely=is_lonely)
    lobby = screens.show(page(evening, "lobby", None, lang))
    assert lobby.locator("#addr option").count() == 2
    assert lobby.locator("#join .note").count() == is_lonely
    assert unread(zbarimg, lobby, ".join", wanted, tmp_path, sizes) == {}
    evening.start()
    _stand(place, has_wifi=has_wifi, is_lonely=is_lonely)
    table = screens.show(page(evening, "display", None, lang))
    small = {lan.join_url(BASE, evening.code)}
    assert unread(zbarimg, table, "footer", small, tmp_path, sizes) == {}
    table.evaluate(OPEN)
    assert unread(zbarimg, table, "dialog", wanted, tmp_path, sizes) == {}


def _stand(place: Place, *, has_wifi: bool, is_lonely: bool) -> None:
    """Let a machine have two addresses, and optional things to say of them."""
    place.remote_hits = 0 if is_lonely else 1
    place._began = time.monotonic() - 2 * LONELY_S  # noqa: SLF001  # nobody waits for a minute
    place.wifi = WIFI if has_wifi else None
    place.watch = lan.Watch(lambda: list(TWO))


def test_the_code_that_moves_a_seat_is_read_on_every_screen_where_it_may_stand(
    screens: Screens, own_app: Flask, zbarimg: str, tmp_path: Path
) -> None:
    """On a laptop that is a seat too, and on a phone, held upright or lying on its side."""
    evening = Evening(own_app).start()
    html = evening.phones[0].post(evening.seat(0, "/transfer")).text
    code = re.findall(r"/m/(\w+)", html)[0]
    wanted = {f"{lan.compact(BASE)}/M/{code}"}

    on_phone = screens.show(Scene("transfer", "phone", "en", html))
    assert (
        unread(zbarimg, on_phone, "main", wanted, tmp_path, (Size(360, 740), Size(740, 360))) == {}
    )
    on_laptop = screens.show(Scene("transfer", "display", "en", html))
    assert unread(zbarimg, on_laptop, "main", wanted, tmp_path) == {}

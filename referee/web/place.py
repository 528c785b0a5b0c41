"""Where this machine is to be found: its address on the network, its join codes, its Wi-Fi."""

from __future__ import annotations

import secrets
import time
from functools import lru_cache
from pathlib import Path
from typing import Final

from flask import has_request_context, request
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from referee import lan, wifi
from referee.folder import read_small, write_small

DEFAULT_PORT: Final = 8000
LONELY_S: Final = 60.0
MOST_CARDS: Final = 1024
"""More tables than ever have pages open at once: with fewer each page would be drawn a new code."""
KEY_BYTES: Final = 24
ID_BYTES: Final = 6


class JoinCard(Struct, frozen=True):
    """What a newcomer needs: QR codes as SVG, the address as text.

    `qr` is None without a network. `is_lonely`: for a minute no phone has reached this machine.
    """

    code: str
    qr: Markup | None
    text: str
    wifi: Markup | None
    wifi_name: str
    is_lonely: bool


class Place:
    """The addresses of this machine, and what the host said about its Wi-Fi.

    Attributes:
        remote_hits: how many requests came from other machines.
        host_key: opens the host's rights on every table; shown in the terminal alone.
        folder: names the data folder in cookies, so that they outlive a change of port.
    """

    def __init__(self, data: Path, *, port: int | None, url: str | None, proxies: int = 0) -> None:
        self._port = port
        self.proxies = proxies
        self.fixed_url = url
        self.watch = lan.Watch()
        self.remote_hits = 0
        self._data = data
        self.wifi = wifi.read(data)
        self.host_key = _kept(data / "host.key", KEY_BYTES)
        self.folder = _kept(data / "folder.id", ID_BYTES)
        self._began = time.monotonic()

    def show_wifi(self, said: tuple[str, str] | None) -> None:
        """Show a code of this Wi-Fi, by name and password, this evening and the next."""
        self.wifi = said
        wifi.keep(self._data, said)

    def is_own(self, address: str) -> bool:
        """Say whether an address is this machine's: loopback, or one that phones reach it by.

        Behind a proxy only loopback is: who asks is then what the proxy says.
        """
        if lan.is_loopback(address):
            return True
        plain = address.removeprefix("::ffff:")  # IPv4 at a listener of both kinds
        return not self.proxies and plain in {own.ip for own in self.watch.addresses()}

    def is_trusted(self, peer: str) -> bool:
        """Say whether a peer may hold any number of connections.

        The machine itself is never shut out, nor is a proxy, which speaks for many.
        """
        return bool(self.proxies) or self.is_own(peer)

    @property
    def port(self) -> int:
        """Give the port phones use, as it was said or as the first request came in."""
        if self._port is None and has_request_context():
            self._port = int(request.environ["SERVER_PORT"])
        return DEFAULT_PORT if self._port is None else self._port

    def base(self) -> str | None:
        """Give the address phones should open, or None without a network."""
        if self.fixed_url:
            return self.fixed_url
        address = self.watch.shown()
        return lan.base_url(address.ip, self.port) if address else None

    def join_card(self, code: str) -> JoinCard:
        """Give a table's join card for the address now in use."""
        is_lonely = self.remote_hits == 0 and time.monotonic() - self._began > LONELY_S
        card = _join_card(self.base(), code, self.wifi)
        return replace(card, is_lonely=True) if is_lonely else card


@lru_cache(maxsize=MOST_CARDS)
def _join_card(base: str | None, code: str, joined: tuple[str, str] | None) -> JoinCard:
    """Draw a card; every open display asks for it at every change, and it rarely changes."""
    qr = text = None
    if base is not None:
        text = lan.join_text(base, code)
        qr = lan.qr_svg(lan.join_url(base, code), label=text)
    name = joined[0] if joined else ""
    return JoinCard(
        code,
        qr,
        (text or "").removeprefix("http://"),
        lan.qr_svg(lan.wifi_payload(*joined), label=name) if joined else None,
        name,
        is_lonely=False,
    )


def _kept(path: Path, size: int) -> str:
    """Read something random that the machine keeps, making it where it is missing or cut short."""
    found = read_small(path)
    if found is not None and len(found) == len(secrets.token_urlsafe(size)):
        return found
    made = secrets.token_urlsafe(size).replace("_", "-")
    write_small(path, made)
    return made

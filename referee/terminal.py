"""What the terminal says at the start, and the host's own browser."""

from __future__ import annotations

import ipaddress
import os
import sys
import threading
import webbrowser
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TextIO
from urllib.parse import urlsplit

from referee import lan
from referee.saying import N_, words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

BLOCKS: Final = "█▀▄"
# White blocks on black whatever the terminal's theme: scanners need the quiet zone to be light.
PAINT: Final = "\x1b[97;40m"
PLAIN: Final = "\x1b[0m"

JOIN: Final = N_("Open this address on every phone at the table.")
NOWHERE: Final = N_("Phones cannot join yet: connect this computer to Wi-Fi or open a hotspot.")
IN_WSL: Final = N_(
    "Phones probably cannot reach this address, because it is inside WSL. Run referee with "
    "Windows' own Python, or set networkingMode=mirrored and allow the port in the "
    "firewall, or give the right address with --url."
)
IN_CONTAINER: Final = N_(
    "Phones probably cannot reach this address, because it is inside a container. "
    "Start it with --network host, or give the right address with --url."
)


def banner(
    base: str,
    code: str | None,
    *,
    stream: TextIO,
    addresses: Sequence[lan.Address],
    lang: str,
    where: lan.Environment = "plain",
) -> None:
    """Say where phones join: the plain link first, then the other addresses, then a QR code.

    No code is drawn on a stream that cannot hold it, nor for an address that phones cannot
    reach; that is said instead. What the stream cannot encode becomes a question mark.
    """
    _ = words(lang).gettext
    obstacle = _obstacle(base, where)
    link = lan.join_text(base, code) if code else base
    _say(link, stream)
    _say(_(obstacle or JOIN), stream)
    others = [address for address in addresses if address.ip != _host(base)]
    # A host that is none of ours was named on purpose, with a port of its own.
    if others and len(others) < len(addresses):
        _say(_("If phones cannot open it, try another address of this computer:"), stream)
        for address in others:
            _say(f"  {_moved(link, address.ip)}  {address.nic}", stream)
    if not obstacle and can_draw(stream):
        _say(_("Or scan this code:"), stream)
        _draw(lan.join_url(base, code) if code else lan.compact(base), stream)
    stream.flush()


def can_draw(stream: TextIO) -> bool:
    """Tell whether the stream's encoding has the half blocks of a QR code; cp1252 has not."""
    try:
        BLOCKS.encode(_encoding(stream))
    except UnicodeEncodeError:
        return False
    return True


def open_browser(
    url: str,
    *,
    platform: str = sys.platform,
    environ: Mapping[str, str] = os.environ,
    find: Callable[[], webbrowser.BaseBrowser] = webbrowser.get,
) -> bool:
    """Show ``url`` on the host's own screen if there is one, and give whether that was tried.

    Comes back at once and never raises; the browser is looked for in the background, because
    asking the desktop for it can hang.
    """
    if not _has_screen(platform, environ):
        return False
    threading.Thread(target=_show, args=(url, find), name="browser", daemon=True).start()
    return True


def _has_screen(platform: str, environ: Mapping[str, str]) -> bool:
    """Look for a desktop of the host's own; whoever came in by ssh sits at another screen."""
    if "SSH_CONNECTION" in environ:
        return False
    if platform in {"win32", "darwin"}:
        return True
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def _show(url: str, find: Callable[[], webbrowser.BaseBrowser]) -> None:
    # A malformed BROWSER variable is a ValueError.
    with suppress(OSError, ValueError, webbrowser.Error):
        browser = find()
        # Exactly this class takes over the terminal: lynx, w3m and the like.
        if type(browser) is not webbrowser.GenericBrowser:
            browser.open(url)


def _obstacle(base: str, where: lan.Environment) -> str | None:
    """Say why phones cannot open the base, if they cannot."""
    host = _host(base)
    if host == "localhost":
        return NOWHERE
    try:
        ip = ipaddress.IPv4Address(host)
    except ValueError:
        return None
    if ip.is_loopback or ip.is_unspecified:
        return NOWHERE
    if where == "plain" or not lan.is_bridge(host):
        return None
    return IN_WSL if where == "wsl" else IN_CONTAINER


def _host(base: str) -> str:
    return urlsplit(base).hostname or ""


def _moved(link: str, ip: str) -> str:
    """Give the same page at another address of this machine."""
    parts = urlsplit(link)
    return parts._replace(netloc=f"{ip}:{parts.port}" if parts.port else ip).geturl()


def _draw(text: str, stream: TextIO) -> None:
    is_painted = stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    for line in lan.qr_lines(text):
        _say(f"{PAINT}{line}{PLAIN}" if is_painted else line, stream)


def _say(line: str, stream: TextIO) -> None:
    encoding = _encoding(stream)
    print(line.encode(encoding, errors="replace").decode(encoding), file=stream)


def _encoding(stream: TextIO) -> str:
    """Read the stream's encoding; one that names none keeps text as it is."""
    return stream.encoding or "utf-8"

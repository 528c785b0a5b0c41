"""What keeps phones from joining, as far as this machine can see it.

Beside a running referee every address that it shows is asked, and only those are printed at which
somebody listens; without one none is.
"""

from __future__ import annotations

import http.client
import shutil
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TextIO
from urllib.parse import urlsplit

from msgspec import Struct

from referee import lan
from referee.folder import announced
from referee.saying import gettext as _
from referee.saying import reserved_port

PATIENCE_S: Final = 2.0


class Way(Struct, frozen=True):
    """A way by which phones come: the address, how it is known here, and whether it answered."""

    url: str
    name: str
    is_answered: bool


def examine(
    folder: Path,
    wanted: int,
    out: TextIO,
    *,
    platform: str = sys.platform,
    has: Callable[[str], bool] = lambda program: shutil.which(program) is not None,
) -> int:
    """Say what this machine looks like to phones, and give the exit code."""
    free = shutil.disk_usage(folder if folder.exists() else Path.cwd()).free
    began = time.perf_counter()
    lan.qr_svg("HTTP://192.168.1.50:8000/J/K7QXW", label="test")
    drawn = 1000 * (time.perf_counter() - began)
    lines = [
        f"Python     {sys.version.split()[0]}",
        f"Machine    {lan.environment()}",
        f"Data       {folder} ({free // 2**20} MiB free)",
        f"QR         drawn in {drawn:.0f} ms",
    ]
    addresses = lan.candidates()
    networks = ", ".join(f"{a.nic} ({a.kind})" for a in addresses)
    networks = networks or _("none: connect this machine to a network")
    lines.append(f"Network    {networks}")
    home, shown = announced(folder)
    if home and is_answered(home):
        ways = ways_of(home, shown, addresses)
        lines += [*_running(home, ways), "", *_advice(urlsplit(home).port or 80, platform, has)]
        is_well = any(way.is_answered for way in ways)
    else:
        lines += _idle(wanted)
        is_well = bool(addresses)
    print("\n".join(lines), file=out)
    return 0 if is_well else 1


def ways_of(home: str, shown: str, addresses: list[lan.Address]) -> list[Way]:
    """Ask a running referee over every address that it shows to phones."""
    port = urlsplit(home).port or 80
    urls = {lan.base_url(a.ip, port): f"{a.nic} ({a.kind})" for a in addresses}
    if shown:
        urls = {shown: "--url"} | urls
    return [Way(url, name, is_answered(url)) for url, name in urls.items()]


def is_answered(url: str) -> bool:
    """Say whether a referee answers there within two seconds."""
    # A proxy that the system names leads away from this network.
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(f"{url.rstrip('/')}/healthz", timeout=PATIENCE_S) as answer:
            return b'"ok"' in answer.read(100)
    except (OSError, ValueError, http.client.HTTPException):
        return False


def _running(home: str, ways: list[Way]) -> Iterator[str]:
    yield _("Running    %(address)s") % {"address": home}
    for way in ways:
        if way.is_answered:
            words = _("Answers    %(address)s  %(name)s")
            yield words % {"address": way.url, "name": way.name}
        else:
            yield _("Silent     %(name)s: nobody answers there") % {"name": way.name}
    if not any(way.is_answered for way in ways):
        yield _("It answers on this machine alone. Was it started with --host 127.0.0.1?")


def _idle(wanted: int) -> Iterator[str]:
    yield _("Running    no referee on this data. Start it, then ask again what phones reach.")
    try:
        port = lan.free_port("0.0.0.0", wanted)  # noqa: S104  # what serve would bind
    except PermissionError:
        yield f"Port       {reserved_port(wanted)}"
        return
    if port == wanted:
        yield f"Port       {port}"
    else:
        words = _("Port       %(taken)s is taken by another program, it will be %(port)s")
        yield words % {"taken": wanted, "port": port}


def _advice(port: int, platform: str, has: Callable[[str], bool]) -> Iterator[str]:
    """Say what to try when phones cannot open what answers here."""
    yield _("If a phone cannot open an address that answers here:")
    yield "- " + _(
        "Is it on the same Wi-Fi? Guest networks keep devices apart; use the normal one."
    )
    yield "- " + _("A VPN on this machine or on the phone may lead elsewhere: switch it off.")
    for command in commands(port, platform, has):
        yield "- " + _("Let phones through the firewall:") + f" {command}"
    if platform == "darwin":
        yield "- " + _("Allow incoming connections for Python in the firewall settings.")
    yield "- " + _("Else open a hotspot on this machine or on a phone, and play on that.")


def commands(port: int, platform: str, has: Callable[[str], bool]) -> Iterator[str]:
    """Give the commands that open a port in this platform's firewalls."""
    if platform == "win32":
        yield (
            'netsh advfirewall firewall add rule name="referee" dir=in action=allow '
            f"protocol=TCP localport={port} profile=private"
        )
    elif platform.startswith("linux"):
        if has("ufw"):
            yield f"sudo ufw allow {port}/tcp"
        if has("firewall-cmd"):
            yield f"sudo firewall-cmd --add-port={port}/tcp"

"""How phones on the same network reach this machine: addresses, join links, QR codes, the port.

The addresses come from the interfaces themselves, never from a request's Host header or from the
way out to the internet, so a VPN, a hotspot without internet or a big screen opened at localhost
still give a link that phones can open. IPv4 numbers only: old Androids resolve no ``.local`` names.
"""

from __future__ import annotations

import errno
import ipaddress
import math
import re
import socket
import sys
import threading
import time
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import urlsplit

import ifaddr
from markupsafe import Markup
from qrcode.constants import ERROR_CORRECT_L, ERROR_CORRECT_M
from qrcode.main import QRCode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Kind = Literal["wifi", "ethernet", "other", "virtual"]
Environment = Literal["plain", "wsl", "container"]
Matrix = tuple[tuple[bool, ...], ...]

# Linux, macOS and BSD name an interface in short, by these beginnings.
VIRTUAL_PREFIXES: Final = (
    *("tun", "tap", "utun", "ppp", "ipsec", "wg", "wt0", "tailscale", "zt", "feth", "ham", "nord"),
    *("proton", "mullvad", "docker", "br-", "veth", "vmnet", "vmenet", "vboxnet", "virbr", "vnet"),
    *("vnic", "lxc", "lxd", "podman", "cni", "flannel", "cali", "hassio", "dummy", "gif", "stf"),
)
# Only a Mac has an en0, and on most of them it is the radio.
WIFI_PREFIXES: Final = ("wl", "wifi", "ath", "ap", "uap", "en0")
ETHERNET_PREFIXES: Final = ("eth", "en", "em", "lan")

# Windows describes the device and lets people name the connection, in their own language.
HOTSPOT_WORDS: Final = ("wi-fi direct", "hosted network")
VIRTUAL_WORDS: Final = (
    *("vethernet", "hyper-v", "virtu", "vmware", "parallels", "docker", "vpn", "tunnel", "wintun"),
    *("tap-windows", "wireguard", "tailscale", "zerotier", "hamachi", "nordlynx", "anyconnect"),
    *("fortinet", "loopback"),
)
WIFI_WORDS: Final = ("wi-fi", "wifi", "wlan", "wireless", "802.11", "drahtlos", "sans fil")
ETHERNET_WORDS: Final = ("ethernet", "gigabit", "gbe", "local area connection", "lan-verbindung")

# Phones come in by radio, so of two good addresses the one on Wi-Fi is the likelier.
PREFERENCE: Final[tuple[Kind, ...]] = ("wifi", "ethernet", "other", "virtual")

HOME_NETWORKS: Final = tuple(
    ipaddress.IPv4Network(block) for block in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")
)
BRIDGES: Final = ipaddress.IPv4Network("172.16.0.0/12")

REREAD_SECONDS: Final = 5.0
BORDER: Final = 4
LIGHT_VERSION: Final = 3
FIRST_OPEN_PORT: Final = 1024
LAST_PORT: Final = 65535
LOOPBACK: Final = "127.0.0.1"
ANSWER_SECONDS: Final = 0.25


@dataclass(frozen=True)
class Address:
    """One IPv4 address of this machine, under the name its owner knows the interface by."""

    ip: str
    nic: str
    kind: Kind


def candidates(adapters: Iterable[ifaddr.Adapter] | None = None) -> list[Address]:
    """List every address a phone might reach, likeliest first, equals in the system's order.

    Loopback and self-assigned addresses are left out. VPN, container and VM interfaces go last
    but stay: on some networks they are all there is. A system that will not list its interfaces
    has no candidates.
    """
    if adapters is None:
        adapters = _adapters()
    found = [
        Address(str(ip.ip), ip.nice_name or adapter.nice_name, _kind(adapter, ip))
        for adapter in adapters
        for ip in adapter.ips
        if ip.is_IPv4 and _is_usable(str(ip.ip))
    ]
    return sorted(found, key=_rank)


def _adapters() -> Iterable[ifaddr.Adapter]:
    try:
        return ifaddr.get_adapters()
    except OSError:
        return ()


def _is_usable(ip: str) -> bool:
    address = ipaddress.IPv4Address(ip)
    return not (
        address.is_loopback
        or address.is_link_local
        or address.is_unspecified
        or address.is_multicast
    )


def _kind(adapter: ifaddr.Adapter, ip: ifaddr.IP) -> Kind:
    """Go by the names. A hotspot opened by Windows is radio, though its device is virtual."""
    short = adapter.name.lower()
    words = f"{adapter.name} {adapter.nice_name} {ip.nice_name}".lower()
    if any(word in words for word in HOTSPOT_WORDS):
        return "wifi"
    if short.startswith(VIRTUAL_PREFIXES) or any(word in words for word in VIRTUAL_WORDS):
        return "virtual"
    if short.startswith(WIFI_PREFIXES) or any(word in words for word in WIFI_WORDS):
        return "wifi"
    if short.startswith(ETHERNET_PREFIXES) or any(word in words for word in ETHERNET_WORDS):
        return "ethernet"
    return "other"


def _rank(address: Address) -> tuple[bool, bool, int, bool]:
    ip = ipaddress.IPv4Address(address.ip)
    is_home = any(ip in network for network in HOME_NETWORKS)
    return (
        address.kind == "virtual",
        not is_home,
        PREFERENCE.index(address.kind),
        is_bridge(address.ip),
    )


def is_bridge(ip: str) -> bool:
    """Tell whether this is in 172.16-31, where containers and WSL hide from the network.

    Ask only when ``environment()`` is not plain: an iPhone's hotspot gives out 172.20.10.x too.
    """
    return ipaddress.IPv4Address(ip) in BRIDGES


def environment(root: Path = Path("/")) -> Environment:
    """Find out where we run from ``proc/version`` and the container marks under ``root``.

    A container is named first: on Windows it runs on WSL's kernel, and its own wall is nearer.
    """
    if (root / ".dockerenv").exists() or (root / "run/.containerenv").exists():
        return "container"
    version = root / "proc/version"
    if version.is_file() and "microsoft" in version.read_text(errors="replace").lower():
        return "wsl"
    return "plain"


def is_loopback(address: str) -> bool:
    """Say whether this names the machine to itself."""
    return address.startswith("127.") or address in {"::1", "::ffff:127.0.0.1"}


def reached(host: str) -> list[Address]:
    """List the candidates that lead to what listens on a host's address: one, if it names one."""
    found = candidates()
    return [address for address in found if address.ip == host] or found


class Watch:
    """The addresses of this machine as they are now, and the one that the join code shows."""

    def __init__(self, read: Callable[[], list[Address]] = candidates) -> None:
        self._read = read
        self._read_at = -math.inf
        self._addresses: list[Address] = []
        self._chosen: str | None = None
        self._lock = threading.Lock()

    def addresses(self, now: float | None = None) -> list[Address]:
        """List the candidates, best first, read again when the last look is 5 s old.

        ``now`` is in seconds of the monotonic clock, which no correction of the time can move.
        """
        moment = time.monotonic() if now is None else now
        with self._lock:
            if moment - self._read_at >= REREAD_SECONDS:
                self._addresses = self._read()
                self._read_at = moment
            return list(self._addresses)

    def choose(self, ip: str | None) -> None:
        """Show this address from now on; None goes back to the best.

        A choice that is not here at the moment is kept: Wi-Fi that comes back is shown again.
        """
        self._chosen = ip

    def shown(self, now: float | None = None) -> Address | None:
        """Give the chosen address while it exists, else the best; None without a network."""
        addresses = self.addresses(now)
        chosen = [address for address in addresses if address.ip == self._chosen]
        return next(iter(chosen + addresses), None)


def base_url(ip: str, port: int) -> str:
    """Give the start page's address, such as ``http://192.168.1.50:8000``, without a slash."""
    return f"http://{ip}:{port}"


def own_url(host: str, port: int) -> str:
    """Give the address by which this machine itself reaches what listens on a host's address."""
    is_everywhere = host in {"", "0.0.0.0", "::"}  # noqa: S104  # asked, not bound
    name = LOOPBACK if is_everywhere else host
    return base_url(f"[{name}]" if ":" in name else name, port)


def given_url(url: str) -> str | None:
    """Read an address that somebody named, with or without http://; None for "".

    Raises ValueError for what no phone could open.
    """
    if not url:
        return None
    whole = url.rstrip("/") if "://" in url else f"http://{url.rstrip('/')}"
    parts = urlsplit(whole)
    is_plain = whole.isprintable() and not any(char in ' "<>\\^`{|}' for char in whole)
    is_address = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    if not is_plain or not is_address or parts.query or parts.fragment:
        raise ValueError(url)
    return whole


def join_text(base: str, code: str) -> str:
    """Give the join link for people to read and type."""
    return f"{base.rstrip('/')}/j/{code}"


def join_url(base: str, code: str) -> str:
    """Give the join link for a QR code: where ``join_text`` leads, in the fewest modules."""
    return f"{compact(base)}/J/{code.upper()}"


def compact(base: str) -> str:
    """Put the base in capitals, which a QR code packs tighter, if it is nothing but a host.

    Scheme and host mean the same in capitals; a proxy's path in front of ours may not.
    """
    bare = base.rstrip("/")
    return bare if urlsplit(bare).path else bare.upper()


def wifi_payload(ssid: str, password: str, *, hidden: bool = False) -> str:
    """Give the text by which a phone's camera joins a Wi-Fi network, open if without password.

    Names that look like hexadecimal are not quoted, as the first scanners asked: iPhones take
    the quotes for a part of the name.
    """
    fields = [("T", "WPA" if password else "nopass"), ("S", _escaped(ssid))]
    if password:
        fields.append(("P", _escaped(password)))
    if hidden:
        fields.append(("H", "true"))
    return "WIFI:" + "".join(f"{key}:{value};" for key, value in fields) + ";"


def _escaped(text: str) -> str:
    return re.sub(r'([\\;,:"])', r"\\\1", text)


def qr_version(text: str) -> int:
    """Give the size class of the text's QR code, 1 to 40; up to 3 scans across a room."""
    return (len(_matrix(text)) - 2 * BORDER - 17) // 4


def qr_svg(text: str, *, label: str) -> Markup:
    """Draw the text's QR code as an SVG for inline use, as large as its container.

    Black on white with the standard's quiet zone whatever the page's theme, since many scanners
    read nothing else. ``label`` is what a screen reader says.
    """
    matrix = _matrix(text)
    path = "".join(
        f"M{start} {y}h{length}v1h-{length}z"
        for y, row in enumerate(matrix)
        for start, length in _dark_runs(row)
    )
    return Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" role="img"'
        ' aria-label="{label}" shape-rendering="crispEdges">'
        '<rect width="{size}" height="{size}" fill="#fff"/><path d="{path}" fill="#000"/></svg>'
    ).format(size=len(matrix), label=label, path=path)


def _dark_runs(row: tuple[bool, ...]) -> Iterator[tuple[int, int]]:
    """Yield start and length of each stretch of dark modules."""
    for is_dark, run in groupby(enumerate(row), key=lambda module: module[1]):
        columns = [x for x, _ in run]
        if is_dark:
            yield columns[0], len(columns)


def qr_lines(text: str) -> list[str]:
    """Draw the text's QR code for a dark terminal, two rows of modules a line."""
    matrix = _matrix(text)
    below = (*matrix[1:], (False,) * len(matrix))
    glyphs = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    return [
        "".join(glyphs[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in list(zip(matrix, below, strict=True))[::2]
    ]


@lru_cache(maxsize=2)  # the terminal's; a table's card is kept as it is drawn
def _matrix(text: str) -> Matrix:
    """Lay out the modules row by row, quiet zone included; dark is True."""
    code = _encoded(text, ERROR_CORRECT_M)
    if code.version > LIGHT_VERSION:
        lighter = _encoded(text, ERROR_CORRECT_L)
        code = lighter if lighter.version <= LIGHT_VERSION else code
    return tuple(tuple(bool(module) for module in row) for row in code.get_matrix())


def _encoded(text: str, level: int) -> QRCode:
    code = QRCode(error_correction=level, border=BORDER)
    # One segment, for readers that guess the character set of each segment anew.
    code.add_data(text, optimize=0)
    code.make()
    return code


def free_port(host: str, wanted: int, *, tries: int = 50) -> int:
    """Find the first port from ``wanted`` on that a server on ``host`` can have.

    Raises:
        PermissionError: the system keeps the port for root.
        OSError: none of them can be had, or ``host`` is not an address of this machine.
    """
    last = min(wanted + tries - 1, LAST_PORT)
    for port in range(wanted, last + 1):
        if _is_answered(port):
            continue
        refused = _bind_error(host, port)
        if refused is None:
            return port
        # Windows keeps no ports for anybody, and says this of those that are taken.
        if refused == errno.EACCES and port < FIRST_OPEN_PORT and sys.platform != "win32":
            raise PermissionError(errno.EACCES, f"port {wanted} is kept for root")
    raise OSError(errno.EADDRINUSE, f"no free port from {wanted} to {last} on {host}")


def _is_answered(port: int) -> bool:
    """Try whether something listens on loopback already; some systems let both bind."""
    with socket.socket() as probe:
        probe.settimeout(ANSWER_SECONDS)
        return probe.connect_ex((LOOPBACK, port)) == 0


def _bind_error(host: str, port: int) -> int | None:
    """Try to have a port. Gives the errno that says that others have it, None if it is free."""
    family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    # As servers do, so that a restart gets its port back; Windows would share a taken one.
    option: int = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
    with socket.socket(family, kind, protocol) as probe:
        probe.setsockopt(socket.SOL_SOCKET, option, 1)
        try:
            probe.bind(place)
        except OSError as error:
            if error.errno in {errno.EADDRINUSE, errno.EACCES}:
                return error.errno
            raise
    return None

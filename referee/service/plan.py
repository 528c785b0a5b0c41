"""What an installation consists of: a user unit, a kiosk for the screen, a hotspot."""

from __future__ import annotations

import getpass
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from referee.service.steps import Delete, Run, Step, Write
from referee.wifi import FILE as WIFI
from referee.wifi import text_of

UNIT: Final = "referee.service"
HOTSPOT: Final = "referee-hotspot"
CONNECTIONS: Final = "/etc/NetworkManager/system-connections"
FIRST_PORT: Final = "net.ipv4.ip_unprivileged_port_start"
SYSCTL_FILE: Final = "/etc/sysctl.d/60-referee.conf"
BROWSERS: Final = ("chromium-browser", "chromium", "google-chrome", "firefox")
EASY: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits that nobody takes for each other when they are typed from a screen."""


class Wish(Struct, frozen=True, kw_only=True):
    """What somebody wants installed.

    Attributes:
        hotspot: the name of the Wi-Fi to open, "" for none; `password` of eight signs or more.
        radio: the name of the machine's Wi-Fi device.
        captive: whether phones on a hotspot without internet are told that it is there.
        kiosk: whether a screen of the machine's own shows the table.
    """

    data: Path
    port: int
    lang: str
    hotspot: str = ""
    password: str = ""
    radio: str = "wlan0"
    captive: bool = False
    kiosk: bool = False


def plan(wish: Wish) -> tuple[Step, ...]:
    """Give the steps in their order."""
    return (
        *_low_port(wish),
        *_at_boot(wish),
        *(_kiosk(wish) if wish.kiosk else ()),
        *(_hotspot(wish)),
    )


def _low_port(wish: Wish) -> tuple[Step, ...]:
    """Let this account open a port that Linux keeps for root, now and after every start."""
    first = first_open_port()
    if wish.port >= first or os.geteuid() == 0:
        return ()
    root = _as_root()
    keep = (*root, "install", "-m", "644", "/dev/stdin", SYSCTL_FILE)
    return (
        Step(Run(keep, f"{FIRST_PORT}={wish.port}\n"), Run((*root, "rm", "-f", SYSCTL_FILE))),
        Step(
            Run((*root, "sysctl", "-w", f"{FIRST_PORT}={wish.port}")),
            Run((*root, "sysctl", "-w", f"{FIRST_PORT}={first}")),
        ),
    )


def first_open_port() -> int:
    """Give the first port that everybody may open; 0 where the system does not say."""
    said = Path("/proc/sys", *FIRST_PORT.split("."))
    return int(said.read_text(encoding="ascii")) if said.is_file() else 0


def _at_boot(wish: Wish) -> tuple[Step, ...]:
    """Start it with the machine, whoever logs in: a user's units wait for them without linger."""
    unit = _config() / "systemd" / "user" / UNIT
    user = getpass.getuser()
    linger = Step(
        Run((*_as_root(), "loginctl", "enable-linger", user)),
        Run((*_as_root(), "loginctl", "disable-linger", user)),
    )
    reload = Run(("systemctl", "--user", "daemon-reload"))
    return (
        *(() if _lingers(user) else (linger,)),
        Step(Write(str(unit), unit_text(wish)), reload),
        Step(reload, Delete(str(unit))),
        Step(
            Run(("systemctl", "--user", "enable", "--now", UNIT)),
            Run(("systemctl", "--user", "disable", "--now", UNIT)),
        ),
    )


def unit_text(wish: Wish) -> str:
    """Write the unit. It comes back by itself, and a table that is full of phones has room."""
    words = [
        *(sys.executable, "-m", "referee", "serve", "--no-browser"),
        *("--port", str(wish.port), "--lang", wish.lang, "--data", str(wish.data)),
        *(("--captive",) if wish.captive else ()),
    ]
    return f"""[Unit]
Description=referee, the companion of the game table

[Service]
ExecStart={" ".join(map(quoted, words))}
Restart=on-failure
RestartSec=3
LimitNOFILE=8192
Environment=PYTHONUNBUFFERED=1

[Install]
WantedBy=default.target
"""


def quoted(word: str) -> str:
    """Write a word as systemd reads it back."""
    plain = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{plain}"'


def _kiosk(wish: Wish) -> tuple[Step, ...]:
    """Show the table on the machine's own screen when its desktop starts."""
    entry = _config() / "autostart" / "referee-kiosk.desktop"
    words = (
        *(sys.executable, "-m", "referee", "service", "kiosk"),
        *("--port", str(wish.port), "--data", str(wish.data)),
    )
    text = f"""[Desktop Entry]
Type=Application
Name=referee
Exec={" ".join(map(_desktop_quoted, words))}
X-GNOME-Autostart-enabled=true
"""
    return (Step(Write(str(entry), text), Delete(str(entry))),)


def _desktop_quoted(word: str) -> str:
    """Write a word as desktop entries read it back, which undo two layers of quoting."""
    inner = word.replace("\\", "\\\\").replace('"', '\\"').replace("`", "\\`").replace("$", "\\$")
    return '"' + inner.replace("\\", "\\\\").replace("%", "%%") + '"'


def _hotspot(wish: Wish) -> tuple[Step, ...]:
    """Open a Wi-Fi of the machine's own, and let the display show its code."""
    if not wish.hotspot:
        return ()
    wifi = wish.data / WIFI
    nmcli = (*_as_root(), "nmcli", "connection")
    keep = (
        *_as_root(),
        "install",
        "-m",
        "600",
        "/dev/stdin",
        f"{CONNECTIONS}/{HOTSPOT}.nmconnection",
    )
    return (
        Step(Run(keep, connection_text(wish)), Run((*nmcli, "delete", HOTSPOT))),
        Step(Run((*nmcli, "reload"))),
        Step(Run((*nmcli, "up", HOTSPOT))),
        Step(Write(str(wifi), text_of(wish.hotspot, wish.password)), Delete(str(wifi))),
        Step(Run(("systemctl", "--user", "restart", UNIT))),
    )


def connection_text(wish: Wish) -> str:
    """Write the Wi-Fi as NetworkManager keeps it; the name in bytes, which need no quoting.

    A channel that every phone has; and no protected frames (pmf), for the radios of a Pi refuse
    whoever asks for them as if the password were wrong.
    """
    name = "".join(f"{byte};" for byte in wish.hotspot.encode())
    password = wish.password.replace("\\", "\\\\").replace(" ", "\\s")
    return f"""[connection]
id={HOTSPOT}
type=wifi
interface-name={wish.radio}
autoconnect=true

[wifi]
mode=ap
band=bg
channel=6
ssid={name}

[wifi-security]
key-mgmt=wpa-psk
pmf=1
psk={password}

[ipv4]
method=shared

[ipv6]
method=disabled
"""


def new_password() -> str:
    """Make one that can be typed from a screen."""
    return "".join(secrets.choice(EASY) for _ in range(10))


def has_desktop() -> bool:
    """Say whether this machine starts with a desktop, and has a browser for it."""
    return bool(browser()) and _said("systemctl", "get-default") == "graphical.target"


def browser() -> str | None:
    """Find a browser that can fill a screen."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


def kiosk_words(found: str, url: str) -> list[str]:
    """Say how that browser fills the screen with a page."""
    if Path(found).name.startswith("firefox"):
        return [found, "--kiosk", url]
    return [found, "--kiosk", "--noerrdialogs", "--password-store=basic", "--no-first-run", url]


def status() -> tuple[str, str]:
    """Give how the unit and the hotspot stand, in systemd's and NetworkManager's own words."""
    unit = _said("systemctl", "--user", "is-active", UNIT)
    active = _said("nmcli", "-g", "NAME", "connection", "show", "--active").splitlines()
    return unit or "unknown", "active" if HOTSPOT in active else "inactive"


def _lingers(user: str) -> bool:
    return _said("loginctl", "show-user", user, "--property=Linger", "--value") == "yes"


def _said(*words: str) -> str:
    """Ask a program something; "" if it is not there."""
    try:
        ran = subprocess.run(words, check=False, capture_output=True, text=True)  # noqa: S603  # our own words
    except OSError:
        return ""
    return ran.stdout.strip()


def _as_root() -> Sequence[str]:
    # Windows, where a plan can be shown too, knows no such id, nor sudo.
    return () if getattr(os, "geteuid", lambda: 0)() == 0 else ("sudo",)


def _config() -> Path:
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")

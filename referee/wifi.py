"""The Wi-Fi that phones join first, as the machine keeps it beside its evenings."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from referee.folder import read_small, write_small

FILE: Final = "wifi.json"


def text_of(name: str, password: str) -> str:
    """Write it in one line."""
    return msgspec.json.encode((name, password)).decode()


def read(data: Path) -> tuple[str, str] | None:
    """Give the name and the password; None if nobody said them."""
    try:
        return msgspec.json.decode(read_small(data / FILE) or "", type=tuple[str, str])
    except msgspec.MsgspecError:
        return None


def keep(data: Path, wifi: tuple[str, str] | None) -> None:
    """Remember it for the next evening, or forget it."""
    if wifi is None:
        (data / FILE).unlink(missing_ok=True)
    else:
        write_small(data / FILE, text_of(*wifi))

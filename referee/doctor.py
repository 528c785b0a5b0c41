"""What keeps phones from joining, as far as this machine can see it."""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path
from typing import TextIO

from referee import lan


def examine(folder: Path, wanted: int, out: TextIO) -> int:
    """Say what this machine looks like to phones, and give the exit code."""
    free = shutil.disk_usage(folder if folder.exists() else Path.cwd()).free
    port = lan.free_port("0.0.0.0", wanted)  # noqa: S104  # what serve would bind
    addresses = lan.candidates()
    lines = [
        f"Python     {sys.version.split()[0]}",
        f"Machine    {lan.environment()}",
        f"Data       {folder} ({free // 2**20} MiB free)",
        f"Port       {port}" + ("" if port == wanted else f" ({wanted} is taken)"),
        *(f"Address    {lan.base_url(a.ip, port)}  {a.nic} ({a.kind})" for a in addresses),
    ]
    if not addresses:
        lines.append("Address    none: connect this machine to a network")
    began = time.perf_counter()
    lan.qr_svg("HTTP://192.168.1.50:8000/J/K7QXW", label="test")
    lines.append(f"QR         drawn in {1000 * (time.perf_counter() - began):.0f} ms")
    print("\n".join(lines), file=out)
    return 0 if addresses else 1

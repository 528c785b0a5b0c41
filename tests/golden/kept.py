"""The golden journals, and what is kept beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

JOURNALS = sorted(Path(__file__).parent.glob("*.jsonl"))
"""Every kept journal; its name begins with its game's."""


def journals_of(game: str) -> list[Path]:
    """Give the kept journals of a game."""
    return [path for path in JOURNALS if path.stem.startswith(f"{game}_")]


def result_of(path: Path) -> dict[str, Any]:
    """Give the result that is stored beside a journal."""
    return msgspec.json.decode(path.with_suffix(".result.json").read_bytes(), type=dict[str, Any])

"""What a page says that it has: its stream does not send that again, and knows one that is old."""

from __future__ import annotations

import hashlib
from typing import Final

from .pieces import Part

OUTCOME: Final = "outcome"
"""The part of a page at the end that is shown nowhere: which of the outcomes it tells."""
FILES: Final = "of"
"""What a page says beside its parts: which scripts and styles it is made of."""


def tag(html: Part | str) -> str:
    """Name a drawn part by its content, so that what a page has is not sent again."""
    return hashlib.blake2s(str(html).encode(), digest_size=6).hexdigest()


def have(parts: dict[str, Part], files: str) -> str:
    """Say what a page is born with; `files` names the scripts and styles it was made with."""
    return ".".join((f"{FILES}-{files}", *(f"{name}-{tag(html)}" for name, html in parts.items())))


def had(said: str) -> dict[str, str]:
    """Read what a page said that it was born with: tags by name, that of its files by FILES."""
    each = (part.partition("-") for part in said.split("."))
    return {name: mark for name, _, mark in each if mark}

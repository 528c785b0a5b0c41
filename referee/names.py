"""Names as people type them, made safe to show anywhere."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from typing import Final

from referee.errors import MalformedAction

LONGEST: Final = 24
MOST_MARKS: Final = 2
_JOINER: Final = "\u200d"
_EXTENDERS: Final = {"\ufe0e", "\ufe0f", _JOINER, *(chr(c) for c in range(0x1F3FB, 0x1F400))}
_MOST_PARTS: Final = 12
_BLANK: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
    + "".join(map(chr, (*range(0xFE00, 0xFE0E), *range(0xE0100, 0xE01F0))))
)
"""Letters and marks that show nothing: with them two names could look the same, or like none."""


def clean(raw: str) -> str:
    """Give a name in NFC, one line, without control or direction characters, 24 signs at most.

    A sign is what a person counts as one: a base character with at most two marks, or an emoji
    with its joined parts. Raises MalformedAction ("no_name") if nothing visible is left.
    """
    text = " ".join(unicodedata.normalize("NFC", raw[:400]).split())
    signs: list[str] = []
    marks = 0
    for char in text:
        category = unicodedata.category(char)
        if char in _BLANK or (char == " " and signs[-1:] in ([], [" "])):
            continue
        if char in _EXTENDERS:
            if signs and _is_picture(signs[-1]):
                signs[-1] += char
        elif category.startswith("M"):
            marks += 1
            if signs and signs[-1] != " " and marks <= MOST_MARKS:
                signs[-1] += char
        elif category in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}:
            continue
        elif category == "So" and signs and signs[-1].endswith(_JOINER):
            signs[-1] += char
            marks = 0
        else:
            signs.append(char)
            marks = 0
    name = unicodedata.normalize(
        "NFC", "".join(sign.rstrip(_JOINER) for sign in signs[:LONGEST]).strip()
    )
    if not any(unicodedata.category(char)[0] in "LNSP" for char in name):
        raise MalformedAction("no_name")
    return name


def _is_picture(sign: str) -> bool:
    """Say whether a sign can be joined or varied further: an emoji, and not without end."""
    return unicodedata.category(sign[0]) == "So" and len(sign) < _MOST_PARTS


def sentence(raw: str, longest: int) -> str:
    """Give text in one line, without control or direction characters, and not too long."""
    line = " ".join(raw.split())
    return "".join(char for char in line if unicodedata.category(char)[0] != "C")[:longest]


def distinct(name: str, taken: Collection[str]) -> str:
    """Give the name, with a number behind it if somebody at the table has it already."""
    folded = {other.casefold() for other in taken}
    number = 2
    candidate = name
    while candidate.casefold() in folded:
        candidate = f"{name} {number}"
        number += 1
    return candidate


def letter(name: str, taken: Collection[str]) -> str:
    """Give the one sign that stands for a name: its first free letter, else a free one."""
    own = [char.upper()[0] for char in name if char.isalnum()]
    spare = [chr(code) for code in range(ord("A"), ord("Z") + 1)]
    return next(char for char in (*own, *spare) if char not in taken)

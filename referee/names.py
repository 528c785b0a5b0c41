"""Names as people type them, made safe to show anywhere."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from referee.errors import MalformedAction

LONGEST: Final = 24
"""Of a name, in signs as a person counts them; the fields where names are typed allow as much."""
MOST_MARKS: Final = 2
_JOINER: Final = "\u200d"
_VARIANTS: Final = frozenset({"\ufe0e", "\ufe0f", _JOINER})
_MOST_PARTS: Final = 12
_BLANK: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
    + "".join(map(chr, (*range(0xFE00, 0xFE0E), *range(0xE0100, 0xE01F0))))
)
"""Letters and marks that show nothing: with them two names could look the same, or like none."""
_FIRST_MARK: Final = "\u0300"
"""Each letter before it is a sign by itself."""


def clean(raw: str) -> str:
    """Give a name in NFC, one line, without control or direction characters, 24 signs at most.

    A sign is a grapheme, what a person counts as one; it has at most two marks, and an emoji a
    dozen joined parts. Raises MalformedAction ("no_name") if nothing visible is left.
    """
    text = " ".join(unicodedata.normalize("NFC", raw[:400]).split())
    shown = "".join(char for char in text if char in _VARIANTS or not _is_unseen(char))
    # Spaces are put in order again: what stood on one of them is gone.
    kept = " ".join("".join(map(_one, _signs(" ".join(shown.split())))).split())
    name = unicodedata.normalize("NFC", "".join(_signs(kept)[:LONGEST]).strip())
    if not any(unicodedata.category(char)[0] in "LNSP" for char in name):
        raise MalformedAction("no_name")
    return name


def _signs(text: str) -> list[str]:
    """Part text in which all can be seen into what a person counts as one."""
    if all(char < _FIRST_MARK for char in text):
        return list(text)
    from grapheme import graphemes  # noqa: PLC0415  # half a megabyte, which most names need not

    return list(graphemes(text))


def _is_unseen(char: str) -> bool:
    return char in _BLANK or unicodedata.category(char) in {
        "Cc",
        "Cf",
        "Cs",
        "Co",
        "Cn",
        "Zl",
        "Zp",
    }


def _one(sign: str) -> str:
    """Give a grapheme as it may stand in a name; "" for marks that stand on nothing."""
    base, others = sign[0], sign[1:]
    if base.isspace():
        return base
    if unicodedata.category(base)[0] == "M" or base in _VARIANTS:
        return ""
    if unicodedata.category(base) == "So":
        return sign[:_MOST_PARTS].rstrip(_JOINER)
    return base + "".join(_few_marks(others))


def _few_marks(chars: Iterable[str]) -> Iterator[str]:
    """Leave out what stacks up on a letter; letters that belong together stay."""
    marks = 0
    for char in chars:
        is_mark = unicodedata.category(char)[0] == "M"
        marks += is_mark
        if char not in _VARIANTS and not (is_mark and marks > MOST_MARKS):
            yield char


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

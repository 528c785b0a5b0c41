"""French: *de* before a name, as people say it."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from markupsafe import Markup

from .compiling import safe

_OF_NAME: Final = re.compile(r"\b([Dd])e (<bdi[^>]*>)(.)(.)?")


def elided(html: Markup) -> Markup:
    """Write d’Anna for de Anna; an H is left alone, for nobody knows how strangers say it."""
    return safe(_OF_NAME.sub(_short, html))


def _short(found: re.Match[str]) -> str:
    letter, article, mark, first, second = found[0], *found.groups(default="")
    is_vowel = _bare(first) in "aeiou" or (_bare(first) == "y" and _bare(second) not in "aeiouy<")
    return f"{article}’{mark}{first}{second}" if is_vowel else letter


def _bare(letter: str) -> str:
    return unicodedata.normalize("NFD", letter.lower())[:1]

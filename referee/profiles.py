"""Board profiles: TOML files beside each game's rules, read once."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def load(game: str, board: str) -> dict[str, Any]:
    """Give a profile as parsed TOML. Callers must not change it.

    `board` is the file's stem, such as "practice". Raises FileNotFoundError for an unknown one.
    """
    source = files("referee.games") / game / f"{board}.toml"
    return tomllib.loads(source.read_text(encoding="utf-8"))

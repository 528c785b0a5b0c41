"""The registry: every game the referee knows, by key.

What a lobby asks is in a game's `META`, which loads none of its rules; those are loaded when
somebody first plays it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Final, cast

from .base import Meta
from .protocol import Game

_PACKAGES: Final = (
    "referee.games.winchester",
    "referee.games.desperados",
    "referee.games.moon_river",
)


def folder(package: str) -> Path:
    """Give the folder of a game's package: what lies beside its rules is found there."""
    return Path(str(import_module(package).__file__)).parent


class Games(Mapping[str, Game]):
    """Games by key, in the order in which a start page shows them."""

    def __init__(self, *packages: str) -> None:
        self._packages: dict[str, str] = {}
        for package in packages:
            self.add(package)

    def add(self, package: str) -> Meta:
        """Register a game by its package, which may lie anywhere that Python finds it."""
        meta = cast("Meta", import_module(package).META)
        self._packages[meta.key] = package
        return meta

    def remove(self, key: str) -> None:
        """Forget a game again. Raises KeyError."""
        del self._packages[key]

    def package(self, key: str) -> str:
        """Name the package of a game. Raises KeyError."""
        return self._packages[key]

    def meta(self, key: str) -> Meta:
        """Give what a lobby needs, without loading the rules. Raises KeyError."""
        return cast("Meta", import_module(self._packages[key]).META)

    def metas(self) -> tuple[Meta, ...]:
        """Give what a lobby needs of every game."""
        return tuple(self.meta(key) for key in self)

    def __getitem__(self, key: str) -> Game:
        """Load a game's rules. Raises KeyError."""
        return cast("Game", import_module(f"{self._packages[key]}.rules"))

    def __contains__(self, key: object) -> bool:
        """Say whether a game is registered, without loading it."""
        return key in self._packages

    def __iter__(self) -> Iterator[str]:
        """Go through the keys."""
        return iter(self._packages)

    def __len__(self) -> int:
        """Count the games."""
        return len(self._packages)


GAMES: Final = Games(*_PACKAGES)
"""Every game by its key."""

"""The registry: every game the referee knows, by key."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from . import desperados, winchester
from .base import Game

GAMES: Final[MappingProxyType[str, Game]] = MappingProxyType(
    {game.META.key: game for game in (winchester, desperados)}
)
"""Game key to game module."""

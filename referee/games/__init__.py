"""The registry: every game the referee knows, by key."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from . import winchester
from .base import Game

GAMES: Final[MappingProxyType[str, Game]] = MappingProxyType({winchester.META.key: winchester})
"""Game key to game module."""

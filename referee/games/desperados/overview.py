"""What a phone shows beside its question: what lies open, and how the turn stands."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from . import maps
from .model import City
from .panels import Loots, Player, loots, player
from .view import Public


class Overview(Struct, frozen=True):
    """What everybody sees: how far the game is, the loot, who laid how much, the map.

    `banks` are cities whose bank has a tile, `poker` those where the poker tile lies; the stacks
    are tiles that can still come. `map` is None where a choice has one of its own.
    """

    turn: int
    move: int
    loot: Loots
    players: tuple[Player, ...]
    banks: tuple[City, ...]
    poker: tuple[City, ...]
    bank_stack: int
    coach_stack: int
    map: maps.Map | None


def overview(public: Public, legal: tuple[Any, ...]) -> Overview:
    """Give what lies open; none of it is about whose phone it is, but whether it has a map."""
    lying = [tile for tile in public.tiles if tile.lies]
    return Overview(
        turn=public.turn,
        move=public.move,
        loot=loots(public),
        players=tuple(player(public, seat) for seat in public.seats),
        banks=tuple(tile.city for tile in lying if tile.kind == "bank"),
        poker=tuple(tile.city for tile in lying if tile.kind == "poker"),
        bank_stack=public.bank_stack,
        coach_stack=public.coach_stack,
        map=None if legal else maps.draw(public, public.shown),
    )

"""What a phone shows beside its question: what lies open, and how the turn stands."""

from __future__ import annotations

from msgspec import Struct

from .model import City
from .panels import Loots, Player, loots, player
from .view import Public


class Overview(Struct, frozen=True):
    """What everybody sees: how far the game is, the loot, who laid how much, the map.

    `banks` are cities whose bank has a tile, `poker` those where the poker tile lies; the stacks
    are tiles that can still come.
    """

    turn: int
    move: int
    loot: Loots
    players: tuple[Player, ...]
    banks: tuple[City, ...]
    poker: tuple[City, ...]
    bank_stack: int
    coach_stack: int


def overview(public: Public) -> Overview:
    """Give what lies open; none of it is about whose phone it is, so it is drawn once for all."""
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
    )

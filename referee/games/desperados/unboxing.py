"""What hands lay out of the box before play: the set-up of the rulebook, step by step.

The cards stay in the box: the phones stand for them, as `rulings.html` tells.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from msgspec import Struct, convert

from .model import (
    BANKS,
    CITIES,
    COACH_TILES,
    HIGH_BANK_TILES,
    HIGH_TILES_OUT,
    LAST_BANK_TILES,
    LOW_BANK_TILES,
    LOW_TILES_OUT,
    TILES,
    Rules,
)

SHERIFFS: Final = 5
SCHEDULES: Final = 5


class Board(Struct, frozen=True, tag="board"):
    """The board in the middle."""


class BankStacks(Struct, frozen=True, tag="bank_stacks"):
    """So many tiles of this value put aside, the others in two stacks from this to that."""

    aside: int
    value: int
    low: tuple[int, int]
    high: tuple[int, int]


class Banks(Struct, frozen=True, tag="banks"):
    """So many low and so many high tiles, mixed, on the banks."""

    low: int
    high: int
    banks: int


class BankStack(Struct, frozen=True, tag="bank_stack"):
    """The rest is one stack with so many tiles of this value at the bottom."""

    rest: int
    bottom: int
    value: int


class PokerTiles(Struct, frozen=True, tag="poker_tiles"):
    """One in each city without a bank."""

    cities: int


class CoachTiles(Struct, frozen=True, tag="coach_tiles"):
    """One stack."""

    tiles: int


class Schedules(Struct, frozen=True, tag="schedules"):
    """The schedules in their order; `is_drawn` by the referee which one is first."""

    schedules: int
    is_drawn: bool


class Coaches(Struct, frozen=True, tag="coaches"):
    """Where the brown coach stands, and where the blue one waits."""


class Law(Struct, frozen=True, tag="law"):
    """The Marshal's star, pawn, and so many Sheriffs; the others are not needed."""

    sheriffs: int
    left: int


class Gang(Struct, frozen=True, tag="gang"):
    """Each desperado's poster, pawn and disc."""

    desperados: int


Unboxing: TypeAlias = (
    Board
    | BankStacks
    | Banks
    | BankStack
    | PokerTiles
    | CoachTiles
    | Schedules
    | Coaches
    | Law
    | Gang
)


def unboxing(options: Mapping[str, str], seats: int) -> tuple[Unboxing, ...]:
    """Give the set-up's steps for so many players, without what the app deals.

    With a practice map no board is on the table, nor anything that stands on it.
    """
    chosen = {key: value for key, value in options.items() if key in Rules.__struct_fields__}
    rules = convert(chosen, Rules, strict=False)
    is_on_table = options.get("board") != "practice"
    rest = len(TILES["bank"]) - BANKS - len(LAST_BANK_TILES)
    aside, value = len(LAST_BANK_TILES), LAST_BANK_TILES[0]
    low = (LOW_BANK_TILES[0], LOW_BANK_TILES[-1])
    high = (HIGH_BANK_TILES[0], HIGH_BANK_TILES[-1])
    are_banks_real = is_on_table and rules.origin("bank") == "box"
    steps: tuple[tuple[bool, Unboxing], ...] = (
        (is_on_table, Board()),
        (are_banks_real, BankStacks(aside, value, low, high)),
        (are_banks_real, Banks(LOW_TILES_OUT, HIGH_TILES_OUT, BANKS)),
        (are_banks_real, BankStack(rest, aside, value)),
        (is_on_table and rules.origin("poker") == "box", PokerTiles(len(CITIES) - BANKS)),
        (is_on_table and rules.origin("coach") == "box", CoachTiles(len(COACH_TILES))),
        (is_on_table, Schedules(SCHEDULES, rules.origin("schedule") == "app")),
        (is_on_table, Coaches()),
        (is_on_table, Law(seats - 1, SHERIFFS - (seats - 1))),
        (is_on_table, Gang(seats - 1)),
    )
    return tuple(step for is_there, step in steps if is_there)

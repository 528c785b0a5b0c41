"""What hands lay out of the box before play: the set-up of the rulebook, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct, convert

from .model import (
    BRIDGES,
    CATTLE,
    CHARACTERS,
    FOR_TWO,
    PARTNERS,
    PER_ROW,
    SPACES,
    TABLES,
    TILES,
    Character,
    Rules,
)


class Legend(Struct, frozen=True):
    """A character's side of a board: its bridges and spaces."""

    character: Character
    bridges: int
    spaces: int


class Boards(Struct, frozen=True, tag="boards"):
    """Everybody's board and ranchers; `legends` are the sides to choose from, none for camp."""

    ranchers: int
    legends: tuple[Legend, ...]


class Herd(Struct, frozen=True, tag="herd"):
    """The cattle's supply."""

    cattle: int


class Saloon(Struct, frozen=True, tag="saloon"):
    """The partners in two piles, and so many of them on the tables."""

    partners: int
    tables: int


class Tiles(Struct, frozen=True, tag="tiles"):
    """All tiles in the box."""

    tiles: int


class BonusTiles(Struct, frozen=True, tag="bonus_tiles"):
    """The bonus tiles of two players."""


class FirstRow(Struct, frozen=True, tag="first_row"):
    """The first row."""

    tiles: int


class Ranchers(Struct, frozen=True, tag="ranchers"):
    """The ranchers onto the first row: two for each of two players, else one.

    `leaves_one`: a tile is left on which nobody stands.
    """

    are_pairs: bool
    leaves_one: bool


class SecondRow(Struct, frozen=True, tag="second_row"):
    """The second row."""

    tiles: int


class Ready(Struct, frozen=True, tag="ready"):
    """Rows and ranchers wait: the referee asks for each after the start."""


Unboxing: TypeAlias = (
    Boards | Herd | Saloon | Tiles | BonusTiles | FirstRow | Ranchers | SecondRow | Ready
)


def unboxing(options: Mapping[str, str], seats: int) -> tuple[Unboxing, ...]:
    """Give the set-up's steps for so many players; none where the app deals.

    Where the referee keeps track of the rows it asks for them itself, one by one.
    """
    chosen = {key: value for key, value in options.items() if key in Rules.__struct_fields__}
    rules = convert(chosen, Rules, strict=False)
    # Nothing of a box that the app stands in for.
    if rules.preset == "app" or options.get("board") == "practice":
        return ()
    is_for_two = seats == FOR_TWO
    legends = (
        tuple(Legend(each, BRIDGES[each], SPACES[each]) for each in CHARACTERS)
        if rules.boards == "wild_west"
        else ()
    )
    is_by_hand = rules.tracking == "score"
    steps: tuple[tuple[bool, Unboxing], ...] = (
        (True, Boards(1 + is_for_two, legends)),
        (True, Herd(CATTLE)),
        (True, Saloon(PARTNERS, TABLES)),
        (True, Tiles(TILES)),
        (is_for_two, BonusTiles()),
        (is_by_hand, FirstRow(PER_ROW)),
        (is_by_hand, Ranchers(is_for_two, leaves_one=not is_for_two and seats < PER_ROW)),
        (is_by_hand, SecondRow(PER_ROW)),
        (not is_by_hand, Ready()),
    )
    return tuple(step for is_there, step in steps if is_there)

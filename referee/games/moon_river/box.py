"""The box: tiles that can be, tiles that are known, and facts with their names.

Facts about a box, name and value both text:

- `tile:3:desert:gold1+cattle2:1` is `yes`: a first such tile was seen (number, landscape, symbols)
- `bridges:mary` is `4`, `bridges:camp` is `1-3-5`: the columns with a bridge, from 1 at the left
- `partners:rustler` is how many of the twenty there are
- `bonus:1:front` is a landscape: a side of the first bonus tile
- `covered:cell` is `none`, or column and row of a cell that the board covers of the big grid
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import combinations
from typing import Any, Final, cast

from msgspec import ValidationError, convert

from referee.errors import IllegalAction
from referee.games.base import Facts

from .grid import BIG
from .model import (
    BRIDGES,
    LANDSCAPES,
    MOST_CATTLE,
    MOST_SHOWN,
    NUMBERS,
    PARTNERS,
    RESOURCE_OF,
    RESOURCES,
    SIDES,
    SPECIALISTS,
    TILES,
    WIDTH,
    BonusTile,
    Box,
    Landscape,
    Side,
    Specialist,
    Tile,
    replace,
    swap,
)

YES: Final = "yes"
NO: Final = "no"
PLAIN: Final = "plain"
NONE: Final = "none"
_BONUS: Final = tuple(f"bonus:{tile}:{side}" for tile in (1, 2) for side in ("front", "back"))
_COUNTED: Final = (*RESOURCES, "cattle")


@cache
def possible_tiles() -> tuple[Tile, ...]:
    """Give every tile that can be told: symbols where the rulebook allows them."""
    return tuple(
        Tile(number, landscape, cattle=cattle, skull=skull, circle=circle, **shown)
        for number in NUMBERS
        for landscape in LANDSCAPES
        for shown in _shown(landscape)
        for cattle in range(MOST_CATTLE + 1 if "cattle" in symbols_on(landscape) else 1)
        for skull in (False, True)
        for circle in (False, True)
    )


def symbols_on(landscape: Landscape) -> tuple[str, ...]:
    """Name what a landscape may show some of: its resource, and cattle but on a cornfield."""
    resource = RESOURCE_OF[landscape]
    cattle = () if landscape == "corn" else ("cattle",)
    return cattle if resource is None else (resource, *cattle)


def _shown(landscape: Landscape) -> tuple[dict[str, Any], ...]:
    resource = RESOURCE_OF[landscape]
    if resource is None:
        return ({},)
    return tuple({resource: count} for count in range(MOST_SHOWN[resource] + 1))


@cache
def _possible() -> frozenset[Tile]:
    return frozenset(possible_tiles())


def is_possible(tile: Tile) -> bool:
    """Say whether the rulebook allows such a tile."""
    return tile in _possible()


def is_whole(box: Box) -> bool:
    """Say whether all tiles of a box are known."""
    return len(box.tiles) == TILES


def known_left(box: Box, seen: Counter[Tile]) -> tuple[tuple[Tile, int], ...]:
    """Give the known tiles that were not seen in this game yet, with how many there are."""
    return tuple((Counter(box.tiles) - seen).items()) if box.tiles else ()


@cache
def _examples() -> tuple[Tile, ...]:
    """Give one tile of each number and landscape that shows nothing, and one for each symbol."""
    return tuple(
        tile
        for tile in possible_tiles()
        if sum(tile.shows(resource) for resource in RESOURCES)
        + tile.cattle
        + tile.skull
        + tile.circle
        <= 1
    )


def tellable(box: Box, seen: Counter[Tile]) -> tuple[Tile, ...]:
    """Give the known tiles that may be turned up next, and some that are like unknown ones.

    There are more than a thousand faces a tile could have; any of them may be told.
    """
    left = Counter(box.tiles) - seen
    if _is_full(box, seen):
        return tuple(left)
    return tuple(dict.fromkeys((*left, *_examples())))


def may_be_told(box: Box, seen: Counter[Tile], tile: Tile) -> bool:
    """Say whether such a tile may be turned up next.

    Once a box's tiles are all known or seen, it must be one that is left of it: more than 96 there
    are not, and one that is told beyond them points out that another one was told wrongly before.
    """
    if box.tiles.count(tile) > seen[tile]:
        return True
    return is_possible(tile) and not _is_full(box, seen)


def _is_full(box: Box, seen: Counter[Tile]) -> bool:
    return (Counter(box.tiles) | seen).total() == TILES


@lru_cache(maxsize=4096)
def symbols_of(tile: Tile) -> str:
    """Write a tile's symbols as facts name them."""
    counted = [f"{what}{n}" for what in _COUNTED if (n := getattr(tile, what))]
    flags = [what for what in ("skull", "circle") if getattr(tile, what)]
    return "+".join((*counted, *flags)) or PLAIN


def tile_facts(tiles: Iterable[Tile], known: Counter[Tile] | None = None) -> Facts:
    """Name each tile as a fact, equal ones numbered from 1; `known` are those before."""
    count = Counter(known or ())
    facts = []
    for tile in tiles:
        count[tile] += 1
        face = f"{tile.number}:{tile.landscape}:{symbols_of(tile)}"
        facts.append((f"tile:{face}:{count[tile]}", YES))
    return tuple(facts)


def _read_tile(fact: str) -> tuple[Tile, int]:
    """Read a tile and which copy of it a fact names. Raises IllegalAction."""
    parts = fact.split(":")
    if len(parts) != 5 or not (_is_count(parts[1]) and _is_count(parts[4])):  # noqa: PLR2004  # as above
        raise _bad(fact)
    fields: dict[str, Any] = {"number": int(parts[1]), "landscape": parts[2]}
    for symbol in parts[3].split("+") if parts[3] != PLAIN else ():
        name = symbol.rstrip("0123456789")
        fields[name] = True if name == symbol else int(symbol[len(name) :])
    try:
        tile = convert(fields, Tile)
    except ValidationError as error:
        raise _bad(fact) from error
    # One spelling for each tile: two of them would be counted as two tiles.
    if tile.number not in NUMBERS or symbols_of(tile) != parts[3] or int(parts[4]) < 1:
        raise _bad(fact)
    return tile, int(parts[4])


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 2  # noqa: PLR2004  # none has three


def bridges_value(columns: tuple[int, ...]) -> str:
    """Write columns as facts do, from 1."""
    return "-".join(str(column + 1) for column in columns)


def cell_value(at: int) -> str:
    """Write a cell of the big grid as facts do: its column and its row, from 1."""
    return f"{at % WIDTH + 1}-{at // WIDTH + 1}"


def values_of(fact: str) -> tuple[str, ...]:
    """Give the values that a fact can have. Raises IllegalAction for no fact at all."""
    kind, _, which = fact.partition(":")
    match kind:
        case "bridges" if which in SIDES:
            count = BRIDGES[which]
            return tuple(bridges_value(c) for c in combinations(range(WIDTH), count))
        case "partners" if which in SPECIALISTS:
            return tuple(map(str, range(PARTNERS + 1)))
        case "bonus" if fact in _BONUS:
            return LANDSCAPES
        case "covered" if which == "cell":
            return (NONE, *map(cell_value, range(BIG)))
        case "tile":
            _read_tile(fact)
            return YES, NO
        case _:
            raise _bad(fact)


def value_of(box: Box, fact: str) -> str | None:
    """Give a fact's value, None if unknown. Raises IllegalAction for no fact of a box."""
    values_of(fact)
    kind, _, which = fact.partition(":")
    match kind:
        case "bridges":
            columns = box.bridges[_side(which)]
            return None if columns is None else bridges_value(columns)
        case "partners":
            count = box.partners[_specialist(which)]
            return None if count is None else str(count)
        case "bonus":
            number, _, side = which.partition(":")
            shown: str | None = getattr(box.bonus[int(number) - 1], side)
            return shown
        case "covered":
            if box.covered is None:
                return None
            return next(map(cell_value, box.covered), NONE)
        case _:
            tile, copy = _read_tile(fact)
            return YES if box.tiles.count(tile) >= copy else None


def _side(name: str) -> int:
    return [*SIDES].index(cast("Side", name))


def _specialist(name: str) -> int:
    return [*SPECIALISTS].index(cast("Specialist", name))


def learn(box: Box, facts: Facts) -> Box:
    """Add facts. Raises IllegalAction for one that cannot be, or is known to be otherwise."""
    for fact, value in facts:
        known = value_of(box, fact)
        if known is not None and known != value:
            raise IllegalAction("fact_known", section="box", fact=fact, value=known)
    box = corrected(box, facts)
    if len(box.tiles) > TILES:
        raise IllegalAction("too_many_tiles", section="box", count=len(box.tiles))
    if sum(count or 0 for count in box.partners) > PARTNERS:
        raise IllegalAction("too_many_partners", section="box")
    return box


def corrected(box: Box, facts: Facts) -> Box:
    """Set facts to be otherwise than they were thought to be. Raises IllegalAction."""
    for fact, value in facts:
        if value not in values_of(fact):
            raise _bad(fact, value)
        box = _write(box, fact, value)
    # With each fact, so that nobody is asked for what follows from the others.
    return _concluded(box)


def _write(box: Box, fact: str, value: str) -> Box:
    kind, _, which = fact.partition(":")
    match kind:
        case "bridges":
            columns = tuple(int(column) - 1 for column in value.split("-"))
            place = _side(which)
            return replace(box, bridges=swap(box.bridges, place, columns))
        case "partners":
            place = _specialist(which)
            return replace(box, partners=swap(box.partners, place, int(value)))
        case "bonus":
            number, _, side = which.partition(":")
            bonus = replace(box.bonus[int(number) - 1], **{side: value})
            if bonus.front is not None and bonus.front == bonus.back:
                raise IllegalAction("same_sides", section="box", value=value)
            return replace(box, bonus=swap(box.bonus, int(number) - 1, bonus))
        case "covered":
            if value == NONE:
                return replace(box, covered=())
            column, _, row = value.partition("-")
            return replace(box, covered=((int(row) - 1) * WIDTH + int(column) - 1,))
        case _:
            tile, copy = _read_tile(fact)
            known = box.tiles.count(tile)
            # A second copy implies the first; without a first there is no second.
            return with_tiles(box, tile, max(copy, known) if value == YES else min(copy - 1, known))


def with_tiles(box: Box, tile: Tile, count: int) -> Box:
    """Give the box with so many of a tile."""
    others = [t for t in box.tiles if t != tile]
    return replace(box, tiles=tuple(sorted((*others, *(tile,) * count), key=sort_key)))


@lru_cache(maxsize=4096)
def sort_key(tile: Tile) -> tuple[int, int, str]:
    """Sort tiles by number, landscape and symbols."""
    return tile.number, LANDSCAPES.index(tile.landscape), symbols_of(tile)


def _concluded(box: Box) -> Box:
    """Conclude from the twenty partners how many of the last kind there are."""
    unknown = [place for place, count in enumerate(box.partners) if count is None]
    rest = PARTNERS - sum(count or 0 for count in box.partners)
    if len(unknown) == 1 and rest >= 0:
        return replace(box, partners=swap(box.partners, unknown[0], rest))
    return box


def all_facts(box: Box) -> dict[str, str]:
    """Write everything that is known of a box down as facts."""
    names = [f"bridges:{side}" for side in SIDES]
    names += [f"partners:{kind}" for kind in SPECIALISTS]
    names += [*_BONUS, "covered:cell"]
    found = {name: value for name in names if (value := value_of(box, name)) is not None}
    return found | dict(tile_facts(box.tiles))


def impossible(box: Box) -> tuple[tuple[str, str], ...]:
    """Name what cannot be in any box: a code, and what it is about.

    A list that came from elsewhere may hold anything.
    """
    found = []
    if len(box.tiles) > TILES:
        found.append(("too_many_tiles", str(len(box.tiles))))
    if sum(count or 0 for count in box.partners) > PARTNERS:
        found.append(("too_many_partners", str(sum(count or 0 for count in box.partners))))
    found += [
        ("odd_tile", f"{tile.number}:{tile.landscape}:{symbols_of(tile)}")
        for tile in dict.fromkeys(box.tiles)
        if not is_possible(tile)
    ]
    return tuple(found)


def sides_known(bonus: BonusTile) -> bool:
    """Say whether both sides of a bonus tile are known."""
    return bonus.front is not None and bonus.back is not None


def _bad(fact: str, value: str = "") -> IllegalAction:
    return IllegalAction("bad_fact", section="box", fact=fact[:60], value=value[:40])

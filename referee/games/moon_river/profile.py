"""Box profiles: what is known of a box, each fact with its source, and what its owner saw."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct, convert

from .box import corrected
from .model import Box


class _Profile(Struct, frozen=True):
    """A profile as it is written down. `tiles` names each tile once, with how many there are."""

    key: str
    practice: bool
    source: str
    tiles: dict[str, int] = {}
    told: dict[str, str] = {}
    facts: dict[str, str] = {}


def read_board(profile: Mapping[str, Any]) -> Box:
    """Read a profile, and what its owner told. Raises ValidationError for another shape.

    A list of tiles that no box can hold is read all the same: `box.impossible` points it out.
    """
    read = convert(profile, _Profile)
    facts = {f"tile:{name}:{count}": "yes" for name, count in read.tiles.items()}
    facts |= read.told | read.facts
    return _boxed(read.key, read.practice, tuple(facts.items()))


@lru_cache(maxsize=8)
def _boxed(key: str, practice: bool, facts: tuple[tuple[str, str], ...]) -> Box:  # noqa: FBT001  # read
    return corrected(Box(key, practice), facts)

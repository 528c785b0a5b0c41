"""Positions that chance hardly ever comes to, so that what they ask is walked through as well."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from msgspec.structs import replace

from referee.games.base import Step
from referee.games.moon_river.model import TakingStock
from tests.desperados import positions as outlaws
from tests.moon_river import positions as ranches
from tests.strategies import Table
from tests.table import APP

SEATS: Final = 5
ROUTES: Final = {
    0: "saloon, Globe, Tucson, Sweet Water, Payson",
    1: "St. Johns, Gallup, Los Lunas, saloon, Socorro",
    2: "Shiprock, Aztec, saloon, Los Lunas, Santa Fe",
    3: "saloon, El Paso, Salem, La Luz, Red Cloud",
    4: "saloon, El Paso, Salem, La Luz, Red Cloud",
}
"""Two of the gang end in a city with a bank, and the others far away from them."""
BEGIN: Final = ("Tucson", "Silver City", "Gallup", "La Luz", "La Luz")
STEPS: Final = 6
"""Five cards and the banks."""


ASTRAY: Final = "Red Cloud, Los Lunas, Gallup, St. Johns, Payson"
"""A way that begins where no road from Tucson leads."""


def steps(key: str) -> Iterator[tuple[Table, Step]]:
    """Give what happens at a game's tables when somebody erred as people hardly ever do."""
    if key == "desperados":
        yield Table(key, APP, SEATS, 0), outlaws.examine(outlaws.evening({1: ASTRAY}), 1)[-1]


def positions(key: str) -> Iterator[tuple[Table, Any]]:
    """Give positions of a game, and tables at which they can be."""
    match key:
        case "desperados":
            robbed = outlaws.examine(outlaws.evening(ROUTES, pawns=BEGIN), STEPS)[-1].state
            yield Table(key, APP, SEATS, 0), robbed
        case "moon_river":
            at = ranches.position()
            yield Table(key, APP, at.seats, 0), replace(at, phase=TakingStock(), resume=at.phase)
        case _:
            return

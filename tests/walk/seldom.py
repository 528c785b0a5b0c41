"""Positions that chance hardly ever comes to, so that what they ask is walked through as well."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from msgspec.structs import replace

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

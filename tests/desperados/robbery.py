"""The rulebook's long example of an examination."""

from __future__ import annotations

from typing import Any

from referee.games.desperados.model import Activity, State
from tests.desperados.positions import GREGOR, LEON, MATTHIAS, PATRICK, SABINE, evening

SALEM_COACH = Activity("brown", "Salem", 4, 1, (GREGOR, PATRICK, SABINE))


def robbery(**changed: Any) -> State:
    """Lay out the rulebook's long example: cards 3 to 5 are its own, what it leaves open is ours.

    Patrick and the Marshal meet in La Luz, which Sabine has just left.
    """
    routes = {
        MATTHIAS: "Santa Fe, Red Cloud, La Luz, saloon, Salem",
        GREGOR: "Gallup, St. Johns, Socorro, Salem, Silver City",
        PATRICK: "Tombstone, El Paso, La Luz, Salem, Socorro",
        SABINE: "Red Cloud, La Luz, Salem, saloon, Socorro",
        LEON: "Flagstaff, St. Johns, Globe, Silver City, saloon",
    }
    table: dict[str, Any] = {
        "pawns": ("Los Lunas", "Shiprock", "Silver City", "Santa Fe", "Payson"),
        "sheriffs": ("Salem", "Silver City", "Socorro", "Aztec"),
        "activities": (SALEM_COACH,),
    }
    return evening(routes | changed.pop("routes", {}), **(table | changed))

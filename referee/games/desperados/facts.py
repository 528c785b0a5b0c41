"""Facts: what people read from the board, and what follows from the printed counts.

Names of facts: `road:A-B` and `bank:A` with "yes" or "no", `map` with "complete" or "incomplete",
and `schedule:blue:S1` with six stops joined by ">". A road's cities stand in the order of `CITIES`.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import ValidationError, convert
from msgspec.structs import replace

from referee.errors import IllegalAction
from referee.games.base import Facts

from .roads import BANKS, CITIES, STOPS, Board, City, Road, pair, road_fact


def learn(board: Board, facts: Facts, *, overrule: bool = False) -> Board:
    """Take in facts, which may overrule what is known.

    Raises IllegalAction for a fact that cannot be, or that is known to be otherwise.
    """
    # Counted when all are in: one fact may take back what another one adds.
    for fact, value in facts:
        board = _learn_one(board, fact, value, overrule=overrule)
    if len(board.banks) > BANKS or len(board.poker) > len(CITIES) - BANKS:
        raise IllegalAction("wrong_number_of_banks", section="map", banks=len(board.banks))
    return conclude(board)


def _learn_one(board: Board, fact: str, value: str, *, overrule: bool) -> Board:
    kind, _, which = fact.partition(":")
    known = known_value(board, fact)
    if known == value:
        return board
    if known is not None and not overrule and _is_proven(board, kind, which):
        raise IllegalAction("fact_known", section="map", fact=fact, known=known)
    match kind, value:
        case "road", ("yes" | "no"):
            return _learn_road(board, _road(which), is_there=value == "yes")
        case "bank", ("yes" | "no"):
            return _learn_bank(board, _city(which), is_there=value == "yes")
        case "map", ("complete" | "incomplete") if not which:
            return replace(board, complete=value == "complete")
        case "schedule", _ if which.startswith("blue:"):
            return _learn_schedule(board, which.removeprefix("blue:"), value)
        case _:
            raise _unknown(fact, value)


def _is_proven(board: Board, kind: str, which: str) -> bool:
    """Say whether a known fact is more than our own reading.

    Ruling: that a city's roads are all named in the rulebook is a reading, which anyone who looks
    at the board may overrule; so is what the blue side of a schedule shows.
    """
    if kind == "road":
        return board.complete or _road(which) in {*board.roads, *board.gaps}
    return kind == "bank"


def known_value(board: Board, fact: str) -> str | None:
    """Give what is known of a fact, None if nothing. Raises IllegalAction for no such fact."""
    kind, _, which = fact.partition(":")
    match kind:
        case "road":
            one, other = _road(which)
            if (one, other) in board.roads:
                return "yes"
            return None if other in board.links[one].unknown else "no"
        case "bank":
            city = _city(which)
            return "yes" if city in board.banks else "no" if city in board.poker else None
        case "map":
            return "complete" if board.complete else "incomplete"
        case "schedule":
            name = which.removeprefix("blue:")
            sides = [">".join(s.blue) for s in board.schedules if s.name == name]
            return sides[0] if sides else None
        case _:
            raise IllegalAction("no_such_fact", section="map", fact=fact)


def _unknown(fact: str, value: str) -> IllegalAction:
    return IllegalAction("no_such_fact", section="map", fact=fact, value=value)


def _city(name: str) -> City:
    try:
        city: City = convert(name, City)
    except ValidationError as error:
        raise IllegalAction("no_such_city", section="map", city=name) from error
    return city


def road_fact_of(one: str, other: str) -> str:
    """Name the fact whether a road joins two cities. Raises IllegalAction for no such city."""
    return road_fact(_city(one), _city(other))


def _road(which: str) -> Road:
    one, _, other = which.partition("-")
    road = (_city(one), _city(other))
    if pair(*road) != road or one == other:
        raise IllegalAction("no_such_fact", section="map", fact=f"road:{which}")
    return road


def _learn_road(board: Board, road: Road, *, is_there: bool) -> Board:
    roads, gaps = {*board.roads} - {road}, {*board.gaps} - {road}
    (roads if is_there else gaps).add(road)
    return replace(board, roads=sort_roads(roads), gaps=sort_roads(gaps))


def _learn_bank(board: Board, city: City, *, is_there: bool) -> Board:
    banks, poker = {*board.banks} - {city}, {*board.poker} - {city}
    (banks if is_there else poker).add(city)
    return replace(board, banks=in_order(banks), poker=in_order(poker))


def _learn_schedule(board: Board, name: str, value: str) -> Board:
    stops = tuple(_city(stop) for stop in value.split(">"))
    if len(stops) != STOPS or name not in {s.name for s in board.schedules}:
        raise _unknown(f"schedule:blue:{name}", value)
    schedules = tuple(
        replace(schedule, blue=stops) if schedule.name == name else schedule
        for schedule in board.schedules
    )
    return replace(board, schedules=schedules)


def conclude(board: Board) -> Board:
    """Draw the conclusion from the printed counts: five banks, the rest poker tiles."""
    if len(board.banks) == BANKS:
        return replace(board, poker=tuple(c for c in CITIES if c not in board.banks))
    if len(board.poker) == len(CITIES) - BANKS:
        return replace(board, banks=tuple(c for c in CITIES if c not in board.poker))
    return board


def in_order(cities: Iterable[City]) -> tuple[City, ...]:
    """Give cities in the order of CITIES."""
    return tuple(sorted(cities, key=CITIES.index))


def sort_roads(roads: Iterable[Road]) -> tuple[Road, ...]:
    """Give roads in order, each once and written in the order of CITIES."""
    ordered = {pair(*road) for road in roads}
    return tuple(sorted(ordered, key=lambda road: (CITIES.index(road[0]), CITIES.index(road[1]))))

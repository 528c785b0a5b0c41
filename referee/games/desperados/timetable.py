"""The coaches' schedules as they lie beside the board: where each coach goes next, turn by turn."""

from __future__ import annotations

from msgspec import Struct

from referee.games.once import kept

from .model import TURNS, City, Coach
from .view import Public


class Leg(Struct, frozen=True):
    """A coach in this turn: where it stands, and the stops that lie ahead of it.

    `is_held` by discs, which keep it where it is. `then` is where it begins the next turn.
    """

    coach: Coach
    city: City | None
    ahead: tuple[City, ...]
    is_held: bool
    then: City | None


class Day(Struct, frozen=True):
    """The stops of both coaches in one turn; in the first turn the blue one has none."""

    turn: int
    brown: tuple[City, ...]
    blue: tuple[City, ...]


class Legs(Struct, frozen=True):
    """Where both coaches go in this turn."""

    legs: tuple[Leg, ...]


class Days(Struct, frozen=True):
    """The stops of every turn, and which turn it is."""

    turn: int
    days: tuple[Day, ...]


class Timetable(Struct, frozen=True):
    """Both coaches now, and their stops in every turn of the game. `turn` 0 is before the first."""

    turn: int
    legs: tuple[Leg, ...]
    days: tuple[Day, ...]

    @property
    def now(self) -> Legs:
        """Give what changes with every stop."""
        return Legs(self.legs)

    @property
    def later(self) -> Days:
        """Give what changes with a turn."""
        return Days(self.turn, self.days)


@kept("order", "schedules", "phase", "coaches", "turn", "move")
def timetable(public: Public) -> Timetable:
    """Lay out the schedules; empty until it is known which comes first."""
    if not public.order:
        return Timetable(public.turn, (), ())
    by_name = {schedule.name: schedule for schedule in public.schedules}
    order = [by_name[name] for name in public.order]
    days = tuple(
        Day(turn, order[turn - 1].brown, order[turn - 2].blue if turn > 1 else ())
        for turn in range(1, TURNS + 1)
    )
    is_riding = public.phase in ("riding", "laying", "acting")
    legs = []
    for coach in public.coaches:
        later = days[public.turn] if public.turn < TURNS else None
        starts = () if later is None else later.brown if coach.coach == "brown" else later.blue
        stops = days[0].brown if not public.turn and coach.coach == "brown" else coach.stops
        ahead = stops[public.move + 1 :] if is_riding or not public.turn else ()
        legs.append(
            Leg(
                coach.coach,
                coach.city,
                () if coach.is_held else ahead,
                coach.is_held,
                starts[0] if starts and public.turn else None,
            )
        )
    return Timetable(public.turn, tuple(legs), days)

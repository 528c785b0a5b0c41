"""What the host may tell on the display in everybody's place: facts that all at the table see.

The forms are those of the phones, sent as the Marshal's.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from referee.games.base import BoardQuestion

from .model import City, Due
from .roads import Schedule
from .tiles import values_left
from .view import Public


class BoardFacts(Struct, frozen=True, tag="board_facts"):
    """Something about the owner's board."""

    fresh: int
    question: BoardQuestion


class FirstSchedule(Struct, frozen=True, tag="first_schedule"):
    """Which schedule was drawn first."""

    fresh: int
    marshal: int
    schedules: tuple[Schedule, ...]


class ReportTile(Struct, frozen=True, tag="report_tile"):
    """What a tile shows that the gang took."""

    fresh: int
    marshal: int
    due: Due
    values: tuple[int, ...]


class RefillBank(Struct, frozen=True, tag="refill_bank"):
    """Which robbed bank gets the next tile."""

    fresh: int
    marshal: int
    cities: tuple[City, ...]


class GoOn(Struct, frozen=True, tag="go_on"):
    """Whether the table is done with a step of the examination."""

    fresh: int
    marshal: int
    step: int


Told: TypeAlias = BoardFacts | FirstSchedule | ReportTile | RefillBank | GoOn


def desk_part(public: Public, *, fresh: int) -> tuple[Told, ...]:
    """Give what may be told now: one thing at most."""
    marshal = public.marshal
    if public.question is not None:
        return (BoardFacts(fresh=fresh, question=public.question),)
    match public.phase:
        case "first_schedule":
            return (FirstSchedule(fresh=fresh, marshal=marshal, schedules=public.schedules),)
        case "turning":
            due = public.due[0]
            values = values_left(public.loot, due.kind)
            return (ReportTile(fresh=fresh, marshal=marshal, due=due, values=values),)
        case "refilling":
            return (RefillBank(fresh=fresh, marshal=marshal, cities=public.robbed),)
        case "examining":
            return (GoOn(fresh=fresh, marshal=marshal, step=public.examined),)
        case _:
            return ()

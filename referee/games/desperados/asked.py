"""What the display asks of whom: a struct for each question, made from the public view alone."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from referee.games.base import BoardQuestion

from .model import Due
from .verdicts import Verdict, verdict
from .view import Public


class BoardFacts(Struct, frozen=True, tag="board_facts"):
    """Something about the owner's board, of anybody."""

    question: BoardQuestion


class FirstSchedule(Struct, frozen=True, tag="first_schedule"):
    """Which schedule was drawn first, of anybody."""


class LawPosts(Struct, frozen=True, tag="law_posts"):
    """Where the Marshal and the Sheriffs begin."""

    marshal: int


class GangPlaces(Struct, frozen=True, tag="gang_places"):
    """Where the desperadoes begin. `only` is the last one who has not said it."""

    only: int | None


class LawRides(Struct, frozen=True, tag="law_rides"):
    """Where the Sheriffs ride, and the Marshal's card."""

    marshal: int
    turn: int
    move: int


class CardsLie(Struct, frozen=True, tag="cards_lie"):
    """Everybody's card: so many of `all` are `laid`. `only` is the last seat without one."""

    only: int | None
    laid: int
    all: int
    turn: int
    move: int


class GangDecides(Struct, frozen=True, tag="gang_decides"):
    """What the gang does after a move."""

    turn: int
    move: int


class CardsWait(Struct, frozen=True, tag="cards_wait"):
    """The first step of the examination."""

    marshal: int
    turn: int


class StepShown(Struct, frozen=True, tag="step_shown"):
    """The next step of the examination, below what the newest one showed."""

    marshal: int
    turn: int
    verdict: Verdict
    is_more: bool


class TileDue(Struct, frozen=True, tag="tile_due"):
    """What a tile shows that the gang took, of anybody."""

    turn: int
    due: Due
    verdict: Verdict
    is_more: bool


class BankWaits(Struct, frozen=True, tag="bank_waits"):
    """Which robbed bank gets the next tile."""

    marshal: int
    turn: int
    verdict: Verdict
    is_more: bool


class Nothing(Struct, frozen=True, tag="nothing"):
    """Nothing: the game has not begun, or it is over."""


Asked: TypeAlias = (
    BoardFacts
    | FirstSchedule
    | LawPosts
    | GangPlaces
    | LawRides
    | CardsLie
    | GangDecides
    | CardsWait
    | StepShown
    | TileDue
    | BankWaits
    | Nothing
)


def asked(public: Public) -> Asked:
    """Say what holds up the table."""
    if public.question is not None:
        return BoardFacts(public.question)
    found = verdict(public)
    return _of_a_move(public) if found is None else _of_the_examination(public, found)


def _of_a_move(public: Public) -> Asked:
    """Give what is asked before anything of the turn came to light."""
    marshal, turn, move, waiting = public.marshal, public.turn, public.move, public.waiting_for
    only = waiting[0] if len(waiting) == 1 else None
    match public.phase:
        case "first_schedule":
            return FirstSchedule()
        case "placing":
            return LawPosts(marshal) if waiting == (marshal,) else GangPlaces(only)
        case "riding":
            return LawRides(marshal=marshal, turn=turn, move=move)
        case "laying":
            laid = sum(seat.has_laid for seat in public.seats)
            return CardsLie(only=only, laid=laid, all=len(public.seats), turn=turn, move=move)
        case "acting":
            return GangDecides(turn=turn, move=move)
        case "examining":
            return CardsWait(marshal=marshal, turn=turn)
        case _:
            return Nothing()


def _of_the_examination(public: Public, found: Verdict) -> StepShown | TileDue | BankWaits:
    """Give what is asked below a step, whose decisions are listed unless its headline is all.

    What an arrest costs no headline says. Below a tile that is due all are listed, for there the
    headline is about the tile.
    """
    is_more = found.count > 1 or bool(found.endings)
    marshal, turn = public.marshal, public.turn
    if public.due:
        return TileDue(turn=turn, due=public.due[0], verdict=found, is_more=found.count > 0)
    if public.robbed:
        return BankWaits(marshal=marshal, turn=turn, verdict=found, is_more=is_more)
    return StepShown(marshal=marshal, turn=turn, verdict=found, is_more=is_more)

"""What a phone asks: a struct for each kind of question, which carries exactly what it shows.

`fresh` is the version from which on an answer still counts. What can be tapped on the map has an
id, which is that of the choice in the form below it: a tap on one is a tap on the other.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from referee.games.base import BoardQuestion, InPieces, Piece
from referee.games.once import once

from . import actions, maps
from .activities import Hindrance
from .model import Card, Choice, City, Due
from .own import Own, Raid
from .roads import Schedule
from .tapping import Sheriff, cards_of, path_of, sheriffs_of
from .verdicts import Verdict, verdict
from .view import Public

Doing: TypeAlias = Literal[
    "law_posts", "gang_places", "law_rides", "gang_plans", "law_refills", "cards_turn", "others"
]
"""What goes on while a phone waits."""

Trouble: TypeAlias = Literal["", "broken", "no_card", "no_sure_card"]
"""Why a seat's turn ends with the card that it lays now: one before failed, or none now fits;
with no card that surely fits one may still confirm a road.
"""


Legal: TypeAlias = tuple[actions.Action, ...]


class Idle(Struct, frozen=True, tag="idle"):
    """What a phone says while others act. `only` is the one seat that all wait for."""

    doing: Doing
    only: int | None
    marshal: int


class BoardFacts(Struct, frozen=True, tag="board_facts"):
    """Something about the owner's board."""

    fresh: int
    question: BoardQuestion


class FirstSchedule(Struct, frozen=True, tag="first_schedule"):
    """Which schedule was drawn first from the box."""

    fresh: int
    schedules: tuple[Schedule, ...]


class PlaceMarshal(Struct, frozen=True, tag="place_marshal"):
    """Where the Marshal begins: cities with their ids."""

    fresh: int
    map: maps.Map
    cities: tuple[tuple[City, str], ...]


class PlaceSheriff(Struct, frozen=True, tag="place_sheriff"):
    """Where Sheriff `number` of `of` stands."""

    fresh: int
    map: maps.Map
    cities: tuple[tuple[City, str], ...]
    number: int
    of: int


class PlacePawn(Struct, frozen=True, tag="place_pawn"):
    """Where a desperado begins."""

    fresh: int
    map: maps.Map
    cities: tuple[tuple[City, str], ...]


class MoveSheriffs(Struct, frozen=True, tag="move_sheriffs"):
    """Where the Sheriffs ride before the Marshal lays a card; none has to."""

    fresh: int
    sheriffs: tuple[Sheriff, ...]


class LayCard(Struct, frozen=True, tag="lay_card"):
    """Which card to lay, or to change to.

    `at` is where this seat is, None if it cannot say. `sure` are cards that can be played, with
    their ids, `unsure` those to which an unknown road may lead, `laid` the card of this move that
    lies there. After one of the `dead_ends` the turn's later moves cannot all be made.
    """

    fresh: int
    at: City | None
    sure: tuple[tuple[Card, str], ...]
    unsure: tuple[City, ...]
    laid: Card | None
    dead_ends: tuple[Card, ...]
    trouble: Trouble


class Offer(Struct, frozen=True):
    """What a desperado may do where it is, and what it `chose` so far.

    `offers` are empty if nothing needs to be said. `needed` is how many discs an activity takes
    here against the `sheriffs` who stand here, 0 if none is offered; `hindrance` is why none is.
    `raid` is the bank robbed at the end.
    """

    fresh: int
    at: City | None
    is_free: bool
    offers: tuple[Choice, ...]
    chose: Choice | None
    sheriffs: int
    needed: int
    hindrance: Hindrance
    raid: Raid | None


class Declare(InPieces, frozen=True, tag="declare"):
    """What a desperado wants to do where it is; on the map its way, and where the mates are."""

    offer: Offer
    map: maps.Layers
    way: maps.Way
    ghosts: maps.Ghosts

    @property
    def around(self) -> None:
        """Give nothing: it is always the same."""

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Give what can be done, and the layers of the map."""
        return (
            Piece("offer", self.offer),
            Piece("below", self.map.below, alike=True),
            Piece("way", self.way),
            Piece("over", self.map.over, alike=True),
            Piece("ghosts", self.ghosts),
        )


class ReportTile(Struct, frozen=True, tag="report_tile"):
    """What a tile shows that the gang took."""

    fresh: int
    due: Due
    values: tuple[int, ...]


class RefillBank(Struct, frozen=True, tag="refill_bank"):
    """Which robbed bank gets the next tile."""

    fresh: int
    cities: tuple[City, ...]


class BeginExamination(Struct, frozen=True, tag="begin_examination"):
    """Whether the cards of the turn may come to light now."""

    fresh: int


class GoOn(Struct, frozen=True, tag="go_on"):
    """Whether the table is done with what the examination just showed; pawns are seen to ride."""

    fresh: int
    map: maps.Layers
    verdict: Verdict


Question: TypeAlias = (
    Idle
    | BoardFacts
    | FirstSchedule
    | PlaceMarshal
    | PlaceSheriff
    | PlacePawn
    | MoveSheriffs
    | LayCard
    | Declare
    | ReportTile
    | RefillBank
    | BeginExamination
    | GoOn
)


@once  # of each who waits
def idle(public: Public) -> Idle:
    """Say what others do: the same on every phone that waits."""
    waiting = public.waiting_for
    only = waiting[0] if len(waiting) == 1 else None
    return Idle(doing=_doing(public), only=only, marshal=public.marshal)


def _doing(public: Public) -> Doing:
    match public.phase:
        case "placing" if public.waiting_for == (public.marshal,):
            return "law_posts"
        case "placing":
            return "gang_places"
        case "riding":
            return "law_rides"
        case "acting":
            return "gang_plans"
        case "refilling":
            return "law_refills"
        case "examining":
            return "cards_turn"
        case _:
            return "others"


def questions(
    public: Public, own: Own, legal: Legal, seat: int, fresh: int
) -> tuple[Question, ...]:
    """Give what a seat is asked that may act, most urgent first."""
    if public.question is not None:
        return (BoardFacts(fresh=fresh, question=public.question),)
    match public.phase:
        case "first_schedule":
            return (FirstSchedule(fresh=fresh, schedules=public.schedules),)
        case "placing":
            return (_place(public, legal, fresh),)
        case "riding" | "laying":
            return _ride(public, own, legal, seat, fresh)
        case "acting":
            return (_declare(public, own, legal, seat, fresh),)
        case "turning":
            values = tuple(a.value for a in legal if isinstance(a, actions.ReportTile))
            return (ReportTile(fresh=fresh, due=public.due[0], values=values),)
        case "refilling":
            return (RefillBank(fresh=fresh, cities=public.robbed),)
        case _:
            return (_go_on(public, fresh),)


def _go_on(public: Public, fresh: int) -> BeginExamination | GoOn:
    found = verdict(public)
    if found is None:
        return BeginExamination(fresh=fresh)
    lain = maps.lain(public, "ask", is_moving=True)
    return GoOn(fresh=fresh, map=lain, verdict=found)


def _place(public: Public, legal: Legal, fresh: int) -> PlaceMarshal | PlaceSheriff | PlacePawn:
    """Ask for one pawn at a time: the Marshal's comes before the Sheriffs."""
    pawns = actions.PlaceMarshal | actions.PlaceSheriff | actions.PlacePawn
    placed = [action for action in legal if isinstance(action, pawns)]
    first, drawn = placed[0], maps.draw(public)
    same = [action.city for action in placed if type(action) is type(first)]
    cities = tuple((city, f"c{number}") for number, city in enumerate(same, 1))
    if isinstance(first, actions.PlaceMarshal):
        return PlaceMarshal(fresh=fresh, map=drawn, cities=cities)
    if isinstance(first, actions.PlacePawn):
        return PlacePawn(fresh=fresh, map=drawn, cities=cities)
    number, of = len(public.sheriffs) + 1, len(public.seats) - 1
    return PlaceSheriff(fresh=fresh, map=drawn, cities=cities, number=number, of=of)


# A move


def _ride(public: Public, own: Own, legal: Legal, seat: int, fresh: int) -> tuple[Question, ...]:
    """Ask for a card; the Marshal may move Sheriffs before."""
    has_laid = public.seats[seat].has_laid
    path = path_of(public, own, seat)
    offered = cards_of(legal)
    card = LayCard(
        fresh=fresh,
        at=path[-1] if path and not own.is_broken else None,
        sure=offered.sure,
        unsure=offered.unsure,
        laid=own.route[-1].card if has_laid else None,
        dead_ends=own.dead_ends,
        trouble=_trouble(own, has_road=bool(offered.unsure)),
    )
    sheriffs = sheriffs_of(public, legal)
    return (MoveSheriffs(fresh=fresh, sheriffs=sheriffs), card) if sheriffs else (card,)


def _trouble(own: Own, *, has_road: bool) -> Trouble:
    if own.is_broken:
        return "broken"
    if own.is_stuck:
        return "no_sure_card" if has_road else "no_card"
    return ""


def _declare(public: Public, own: Own, legal: Legal, seat: int, fresh: int) -> Declare:
    """Ask what a desperado does after its move.

    Who hides a plan is offered even nothing alone: having declared tells the gang that there is
    no need to wait.
    """
    offers = tuple([action.choice for action in legal if isinstance(action, actions.Declare)])
    is_free = len(offers) > 1
    has_activity = not {"nothing", "spy"}.issuperset(offers)
    sheriffs = public.sheriffs.count(own.at) if own.at else 0
    offer = Offer(
        fresh=fresh,
        at=own.at,
        is_free=is_free,
        offers=offers if is_free or own.is_hidden else (),
        chose=own.choice,
        sheriffs=sheriffs,
        needed=sheriffs + 1 if own.at and has_activity else 0,
        # Beside a bank to spy on it is no news that there is nothing for a disc.
        hindrance="" if is_free and own.hindrance == "nothing_here" else own.hindrance,
        raid=own.raid,
    )
    path = () if own.is_broken else maps.follow(public.seats[seat].pawn, own.route)
    return Declare(
        offer=offer,
        map=maps.lain(public, "ask"),
        way=maps.Way("ask", path, own.at),
        ghosts=maps.ghosts("ask", own.mates),
    )

"""What a seat can do, as imperatives. The tags are the stable names of the HTTP API."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from referee.games.base import Answer, Facts

from .model import Card, Choice, City, Coach, Kind, Venue


class SetFirstSchedule(Struct, frozen=True, tag="set_first_schedule"):
    """Say which schedule was drawn first from the box."""

    schedule: str


class PlaceMarshal(Struct, frozen=True, tag="place_marshal"):
    """Put the Marshal's pawn on the board."""

    city: City


class PlaceSheriff(Struct, frozen=True, tag="place_sheriff"):
    """Put the next Sheriff on the board."""

    city: City


class PlacePawn(Struct, frozen=True, tag="place_pawn"):
    """Put one's own desperado on the board."""

    city: City


class MoveSheriff(Struct, frozen=True, tag="move_sheriff"):
    """Move a Sheriff to a neighbouring city, or back to where the move found it.

    `confirmed` says that the board shows the road, which the referee does not know.
    """

    sheriff: int
    city: City
    confirmed: bool = False


class LayCard(Struct, frozen=True, tag="lay_card"):
    """Lay a card face down, or change the one laid in this move.

    `confirmed` says that the board shows the road, which the referee does not know.
    """

    card: Card
    confirmed: bool = False


# The referee draws: a host who stands in for a seat must not choose, nor know, its card.
class LayAny(Struct, frozen=True, tag="lay_any"):
    """Let the referee draw a card among those that can surely be played, and lay it."""


class HidePlan(Struct, frozen=True, tag="hide_plan"):
    """Keep one's cards from the gang."""


class ShowPlan(Struct, frozen=True, tag="show_plan"):
    """Share one's cards with the gang again."""


class Suggest(Struct, frozen=True, tag="suggest"):
    """Suggest to the gang, silently, to meet in a city after a move of this turn.

    `turn` says which that is, so that no undo takes it into an earlier one; 0 is whichever it is.
    """

    city: City
    move: int
    turn: int = 0


# All of what was seen is named: a mate may have suggested something else by now.
class Agree(Struct, frozen=True, tag="agree"):
    """Agree to what a mate suggested: where, and after which move of this turn; 0 is whichever."""

    mate: int
    city: City
    move: int
    turn: int = 0


class DropSuggestion(Struct, frozen=True, tag="drop_suggestion"):
    """Take back what one suggested in this turn; 0 is whichever it is."""

    turn: int = 0


class Declare(Struct, frozen=True, tag="declare"):
    """Tell the gang what one wants to do where one is now."""

    choice: Choice


class PlaceDiscs(Struct, frozen=True, tag="place_discs", omit_defaults=True):
    """Lay all discs that are enough, let spies look, and end the move for the gang.

    `plan` stands for all that whoever says so saw planned, see `activities.mark_of`; None is the
    host, who sees nothing of it, or a program, which names the version that it saw.
    """

    plan: str | None = None


# The step is named: a second tap must not turn a card that nobody has looked at yet.
class Next(Struct, frozen=True, tag="next"):
    """Go on with the examination, from the step that is shown."""

    step: int


class ReportTile(Struct, frozen=True, tag="report_tile"):
    """Say what the tile shows that the gang took in a city or from a coach, in dollars."""

    place: City | Coach
    value: int


# The city alone: which bank is chosen before anybody sees the tile.
class RefillBank(Struct, frozen=True, tag="refill_bank"):
    """Lay the next tile of the bank stack, unseen, on this robbed bank."""

    city: City


Action: TypeAlias = (
    SetFirstSchedule
    | PlaceMarshal
    | PlaceSheriff
    | PlacePawn
    | MoveSheriff
    | LayCard
    | LayAny
    | HidePlan
    | ShowPlan
    | Suggest
    | Agree
    | DropSuggestion
    | Declare
    | PlaceDiscs
    | Next
    | ReportTile
    | RefillBank
    | Answer
)


class PawnAt(Struct, frozen=True):
    """Where a seat's pawn stands."""

    seat: int
    city: City


class SheriffAt(Struct, frozen=True):
    """Where a Sheriff stands."""

    sheriff: int
    city: City


class CoachAt(Struct, frozen=True):
    """Where a coach stands; None is beside the board."""

    coach: Coach
    city: City | None


class DiscAt(Struct, frozen=True):
    """Where a seat's disc lies since which move; `venue` None is before its owner."""

    seat: int
    venue: Venue | None = None
    city: City | None = None
    move: int = 1


# Lies or not, and no value: who could say it would have looked under it.
class TileAt(Struct, frozen=True):
    """Whether a tile lies face down at a city; what it shows is nobody's to say."""

    city: City
    lies: bool


class LootIs(Struct, frozen=True):
    """What the gang's tile `number`, counted from 0, shows; None is a tile that they do not have.

    It then lies again where they took it.
    """

    number: int
    value: int | None


class LootMore(Struct, frozen=True):
    """A tile that the gang has besides: of a city's bank or poker, or of a coach robbed there.

    `value` is what the real tile shows; None where the app dealt it.
    """

    kind: Kind
    city: City
    value: int | None = None


class OutIs(Struct, frozen=True):
    """Why a seat's turn ended in the examination, at the card of `step`; None: it rides on."""

    seat: int
    why: Literal["arrested", "impossible"] | None
    step: int = 1


class CardLost(Struct, frozen=True):
    """Whether a seat lost a city's card for good."""

    seat: int
    city: City
    lost: bool


class Correction(Struct, frozen=True):
    """What the real table shows, where the referee has it differently."""

    pawns: tuple[PawnAt, ...] = ()
    sheriffs: tuple[SheriffAt, ...] = ()
    coaches: tuple[CoachAt, ...] = ()
    discs: tuple[DiscAt, ...] = ()
    tiles: tuple[TileAt, ...] = ()
    loot: tuple[LootIs, ...] = ()
    more_loot: tuple[LootMore, ...] = ()
    outs: tuple[OutIs, ...] = ()
    cards: tuple[CardLost, ...] = ()
    facts: Facts = ()

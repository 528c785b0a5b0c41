"""What happened, in the past tense. Every event is public: none says what a seat may not know."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from referee.games.base import Facts

from .actions import CoachAt, Correction, DiscAt, SheriffAt, TileAt
from .model import Card, City, Coach, Kind, Loot, Venue


class Dealt(Struct, frozen=True, tag="dealt"):
    """Everything that the app deals is laid out."""

    marshal: int


class BoardLearnt(Struct, frozen=True, tag="board_learnt"):
    """The table told something about its board."""

    facts: Facts


class ScheduleSet(Struct, frozen=True, tag="schedule_set"):
    """The first schedule is known, and the brown coach stands at its start."""

    schedule: str
    city: City


class MarshalPlaced(Struct, frozen=True, tag="marshal_placed"):
    """The Marshal's pawn was put on the board."""

    seat: int
    city: City


class SheriffPlaced(Struct, frozen=True, tag="sheriff_placed"):
    """A Sheriff was put on the board."""

    sheriff: int
    city: City


class PawnPlaced(Struct, frozen=True, tag="pawn_placed"):
    """A desperado was put on the board."""

    seat: int
    city: City


class TurnBegun(Struct, frozen=True, tag="turn_begun"):
    """A turn began, with the coaches at the start of their schedules."""

    turn: int
    brown: City
    blue: City | None


class MoveBegun(Struct, frozen=True, tag="move_begun"):
    """A move began, and the coaches went on. `stayed`: those with discs on them."""

    move: int
    brown: City | None
    blue: City | None
    stayed: tuple[Coach, ...]


class SheriffMoved(Struct, frozen=True, tag="sheriff_moved"):
    """A Sheriff went to another city."""

    sheriff: int
    source: City
    target: City


# Not which: it lies face down until the examination turns it.
class CardLaid(Struct, frozen=True, tag="card_laid"):
    """A seat laid a card face down."""

    seat: int


class MoveClosed(Struct, frozen=True, tag="move_closed"):
    """All cards of the move lie there."""

    move: int


# What was only wanted has no event: who planned what, and where, is the gang's own.
class DiscsPlaced(Struct, frozen=True, tag="discs_placed"):
    """Discs were laid on a poker tile or a coach; `needed` of them were enough."""

    venue: Venue
    city: City
    seats: tuple[int, ...]
    needed: int


class BankSpied(Struct, frozen=True, tag="bank_spied"):
    """A desperado looked at a bank's tile. What it shows is not public."""

    seat: int
    city: City


class GangDone(Struct, frozen=True, tag="gang_done"):
    """The gang did all it wanted to do in this move."""

    move: int


class Turned(Struct, frozen=True):
    """A card that was turned, and where its pawn stands now."""

    seat: int
    card: Card
    city: City


class CardsTurned(Struct, frozen=True, tag="cards_turned"):
    """Everybody who is not out turned the next card."""

    step: int
    cards: tuple[Turned, ...]


# Told when the card is turned and not when it was laid: its player alone looked at that road.
class RoadLearnt(Struct, frozen=True, tag="road_learnt"):
    """A road that the referee did not know came to light."""

    one: City
    other: City


class MoveImpossible(Struct, frozen=True, tag="move_impossible"):
    """A card could not be played; its player's turn is over."""

    seat: int
    card: Card
    city: City


class Arrested(Struct, frozen=True, tag="arrested"):
    """The Marshal caught a desperado. `lost`: the city's card is gone for good."""

    seat: int
    city: City
    lost: bool


class ActivitySettled(Struct, frozen=True, tag="activity_settled"):
    """Discs were judged: who of their owners was there and free, and how many it took."""

    venue: Venue
    city: City
    seats: tuple[int, ...]
    needed: int
    success: bool


class BankHeldUp(Struct, frozen=True, tag="bank_held_up"):
    """Desperadoes were at a bank at the end: who, and how many it took."""

    city: City
    seats: tuple[int, ...]
    needed: int
    success: bool


class TileTaken(Struct, frozen=True, tag="tile_taken"):
    """The gang took a tile."""

    kind: Kind
    city: City
    value: int


class BankRefilled(Struct, frozen=True, tag="bank_refilled"):
    """A robbed bank got the next tile, unseen."""

    city: City


class TurnClosed(Struct, frozen=True, tag="turn_closed"):
    """A turn is over: cards and discs go back."""

    turn: int


class Counted(Struct, frozen=True, tag="counted"):
    """The game is over."""

    winners: tuple[int, ...]
    loot: int
    goal: int


class Corrected(Struct, frozen=True, tag="corrected"):
    """The table set something to what the real board shows."""

    correction: Correction


class LootDiffers(Struct, frozen=True, tag="loot_differs"):
    """What was told anew took tiles from the gang or gave it some; what they show is not said."""

    gone: tuple[Loot, ...]
    come: tuple[Loot, ...]


class Retold(Struct, frozen=True, tag="retold", omit_defaults=True):
    """What lies elsewhere since something was told anew."""

    sheriffs: tuple[SheriffAt, ...] = ()
    coaches: tuple[CoachAt, ...] = ()
    discs: tuple[DiscAt, ...] = ()
    tiles: tuple[TileAt, ...] = ()


# Suggesting, agreeing, hiding and declaring are none of these: nobody but the gang may notice that
# they happened, and the gang reads them in its own view.
Event: TypeAlias = (
    Dealt
    | BoardLearnt
    | ScheduleSet
    | MarshalPlaced
    | SheriffPlaced
    | PawnPlaced
    | TurnBegun
    | MoveBegun
    | SheriffMoved
    | CardLaid
    | MoveClosed
    | DiscsPlaced
    | BankSpied
    | GangDone
    | CardsTurned
    | RoadLearnt
    | MoveImpossible
    | Arrested
    | ActivitySettled
    | BankHeldUp
    | TileTaken
    | BankRefilled
    | TurnClosed
    | Counted
    | Corrected
    | LootDiffers
    | Retold
)

"""What happened, in the past tense. Everything is public."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from referee.games.base import Facts

from .actions import Correction
from .model import Character, Landscape, Partner, Row, Scenario, Specialist, Tile


class RanchersDropped(Struct, frozen=True, tag="ranchers_dropped"):
    """Seats in the order in which their ranchers fell, and the scenario of this game."""

    order: tuple[int, ...]
    scenario: Scenario


class BoardTaken(Struct, frozen=True, tag="board_taken"):
    """A seat said whose board lies before it."""

    seat: int
    character: Character


class BoxLearnt(Struct, frozen=True, tag="box_learnt"):
    """The table told something about its box."""

    facts: Facts


class PartnerTold(Struct, frozen=True, tag="partner_told"):
    """A partner was turned up for the saloon."""

    partner: Specialist


class TablesFilled(Struct, frozen=True, tag="tables_filled"):
    """So many tables got a partner from the piles; which ones, if that is known."""

    count: int
    partners: tuple[Specialist, ...] = ()


class TileTold(Struct, frozen=True, tag="tile_told"):
    """A tile of the new row was turned up."""

    tile: Tile


class RowLaid(Struct, frozen=True, tag="row_laid"):
    """A row lies there, nearest to the box first; `number` counts the rows."""

    number: int
    tiles: tuple[Tile | None, ...]


class TileLeft(Struct, frozen=True, tag="tile_left"):
    """A tile that nobody chose left the game, from this place of a row."""

    place: int
    tile: Tile | None


class RancherPlaced(Struct, frozen=True, tag="rancher_placed"):
    """A rancher was put on a tile; places count from the box, from 0."""

    seat: int
    place: int


class RoundBegun(Struct, frozen=True, tag="round_begun"):
    """A round began; the last one has no row to move to."""

    round: int
    is_last: bool


class TileTaken(Struct, frozen=True, tag="tile_taken"):
    """A seat's turn began: it took its rancher, and the tile from this place of the row.

    `is_beside`: there was no free space for it on the board.
    """

    seat: int
    place: int
    tile: Tile | None
    is_beside: bool


class DominoFormed(Struct, frozen=True, tag="domino_formed"):
    """A seat joined two tiles."""

    seat: int
    tiles: tuple[Tile | None, Tile | None]


# A step of its own and no undo: nobody has to agree to it, and nothing was laid.
class DominoSplit(Struct, frozen=True, tag="domino_split"):
    """A seat took its domino apart again."""

    seat: int


class DominoLaid(Struct, frozen=True, tag="domino_laid"):
    """A domino lies in a ranch, each tile with its cell."""

    seat: int
    tiles: tuple[Tile, Tile]
    cells: tuple[int, int]


class AreaGrew(Struct, frozen=True, tag="area_grew"):
    """A domino made an area worth much more at once: tiles times the cattle that count."""

    seat: int
    landscape: Landscape
    tiles: int
    cattle: int
    points: int


class RanchFull(Struct, frozen=True, tag="ranch_full"):
    """A seat laid the last domino that a ranch can have; it has these points."""

    seat: int
    points: int


class DominoReported(Struct, frozen=True, tag="domino_reported"):
    """A seat laid a domino in a ranch that nobody tracks."""

    seat: int
    tiles: tuple[Tile | None, Tile | None]
    hired: tuple[Specialist | None, ...]


class CattleCame(Struct, frozen=True, tag="cattle_came"):
    """Cattle were put on a cell; `short` are symbols for which none was left."""

    seat: int
    at: int
    landscape: Landscape
    count: int
    short: int = 0


class CattleRemoved(Struct, frozen=True, tag="cattle_removed"):
    """A skull took one of the cattle."""

    seat: int
    at: int
    landscape: Landscape


class SkullIdle(Struct, frozen=True, tag="skull_idle"):
    """A skull found no cattle in its area."""

    seat: int
    at: int


class PartnerHired(Struct, frozen=True, tag="partner_hired"):
    """A partner came from the saloon to a cell, with this side up."""

    seat: int
    at: int
    partner: Specialist
    shown: Partner


class NobodyToHire(Struct, frozen=True, tag="nobody_to_hire"):
    """A circle found the saloon empty."""

    seat: int


class CattleDriven(Struct, frozen=True, tag="cattle_driven"):
    """A cowboy drove one of the cattle one step."""

    seat: int
    source: int
    target: int


class TilesSwapped(Struct, frozen=True, tag="tiles_swapped"):
    """A desperado swapped tiles: what the seat gave, and what it got."""

    seat: int
    other: int
    gave: Tile | None
    got: Tile | None


class CattleRustled(Struct, frozen=True, tag="cattle_rustled"):
    """A rustler took one of the cattle from another ranch to her own cell."""

    seat: int
    victim: int
    source: int
    target: int


class EffectDeclined(Struct, frozen=True, tag="effect_declined"):
    """A seat left the rest of a partner's effect."""

    seat: int


class BonusLaid(Struct, frozen=True, tag="bonus_laid"):
    """A bonus landscape tile lies in a ranch."""

    seat: int
    landscape: Landscape
    at: int


class BonusDropped(Struct, frozen=True, tag="bonus_dropped"):
    """A bonus landscape tile could not be laid, and left the game."""

    seat: int


class TilesDiscarded(Struct, frozen=True, tag="tiles_discarded"):
    """Tiles of a seat left the game, for no domino could be laid with them."""

    seat: int
    tiles: tuple[Tile | None, ...]


class RanchPainted(Struct, frozen=True, tag="ranch_painted"):
    """A seat painted in a ranch, its own or another one."""

    seat: int
    ranch: int


class RanchHandedIn(Struct, frozen=True, tag="ranch_handed_in"):
    """A ranch is painted, with these points; `odd` counts what was strange and confirmed."""

    seat: int
    ranch: int
    points: int
    odd: int = 0


class RanchCountersigned(Struct, frozen=True, tag="ranch_countersigned"):
    """Another player looked, and agrees."""

    seat: int
    ranch: int


class StockTaken(Struct, frozen=True, tag="stock_taken"):
    """The table told all that it wanted to, and goes on."""


class CattleTooMany(Struct, frozen=True, tag="cattle_too_many"):
    """Before the count so many cattle went back that stood on a tile with others."""

    seat: int
    count: int


class Counted(Struct, frozen=True, tag="counted"):
    """The game is over."""

    winners: tuple[int, ...]


# From here on what differs after something was told anew, as hands have to make it; all that was in
# between nobody has to do again.
class RanchNow(Struct, frozen=True, tag="ranch_now"):
    """Something was told anew, and these cells of a ranch are otherwise; it has these points."""

    seat: int
    cells: tuple[int, ...]
    points: int


class ReserveNow(Struct, frozen=True, tag="reserve_now"):
    """Something was told anew, and these tiles lie in a reserve."""

    seat: int
    tiles: tuple[Tile | None, ...]


class RowNow(Struct, frozen=True, tag="row_now"):
    """Something was told anew, and a row is otherwise, or a rancher stands elsewhere in it."""

    row: Literal["current", "next"]
    spots: Row


class SaloonNow(Struct, frozen=True, tag="saloon_now"):
    """Something was told anew, and these partners lie on the saloon's tables."""

    tables: tuple[Specialist | None, ...]


class Corrected(Struct, frozen=True, tag="corrected"):
    """The table set the referee right."""

    correction: Correction


Event: TypeAlias = (
    RanchersDropped
    | BoardTaken
    | BoxLearnt
    | PartnerTold
    | TablesFilled
    | TileTold
    | RowLaid
    | TileLeft
    | RancherPlaced
    | RoundBegun
    | TileTaken
    | DominoFormed
    | DominoSplit
    | DominoLaid
    | AreaGrew
    | RanchFull
    | DominoReported
    | CattleCame
    | CattleRemoved
    | SkullIdle
    | PartnerHired
    | NobodyToHire
    | CattleDriven
    | TilesSwapped
    | CattleRustled
    | EffectDeclined
    | BonusLaid
    | BonusDropped
    | TilesDiscarded
    | RanchPainted
    | RanchHandedIn
    | RanchCountersigned
    | StockTaken
    | CattleTooMany
    | Counted
    | RanchNow
    | ReserveNow
    | RowNow
    | SaloonNow
    | Corrected
)

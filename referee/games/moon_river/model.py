"""The pieces of the game: printed numbers, tiles, ranches, the state and its phases.

A cell of a ranch is one number, `row * WIDTH + column`; row 0 lies on the river. A tile that the
referee has not been told is None. Tuples "by seat" are indexed by seat.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct
from msgspec.structs import replace

from referee.games.tuples import swap

__all__ = ["replace", "swap"]

WIDTH: Final = 5
FOR_TWO: Final = 2
"""So many players have big ranches, two ranchers each, and bonus tiles."""
ROWS: Final = 24
"""Rows of tiles in a game: every tile is drawn."""
PER_ROW: Final = 4
TILES: Final = 96
CATTLE: Final = 32
PARTNERS: Final = 20
TABLES: Final = 5
NUMBERS: Final = (1, 2, 3, 4, 5, 6)
STEPS: Final = 3
"""Steps that a cowboy may drive cattle."""
MANY: Final = 4
"""Whoever has so many tiles in a turn may lay two dominoes."""

Landscape: TypeAlias = Literal["desert", "corn", "buildings", "canyon", "prairie", "forest"]
LANDSCAPES: Final[tuple[Landscape, ...]] = get_args(Landscape)

Resource: TypeAlias = Literal["gold", "beaver", "corn"]
RESOURCES: Final[tuple[Resource, ...]] = get_args(Resource)
RESOURCE_OF: Final[dict[Landscape, Resource | None]] = {
    "desert": "gold",
    "corn": "corn",
    "buildings": None,
    "canyon": "gold",
    "prairie": "gold",
    "forest": "beaver",
}
"""The one resource that a landscape may show."""
MOST_SHOWN: Final[dict[Resource, int]] = {"gold": 1, "beaver": 2, "corn": 9}
"""The most symbols that a tile is told with. The rulebook speaks of one gold a tile; Clara's
eighteen corn lie on four tiles at most; more than these can be set right by a correction."""
MOST_CATTLE: Final = 2
"""Cattle symbols on one tile."""

Specialist: TypeAlias = Literal["desperado", "rustler", "gold_digger", "trapper", "farmer"]
SPECIALISTS: Final[tuple[Specialist, ...]] = get_args(Specialist)
OUTLAWS: Final[tuple[Specialist, ...]] = ("desperado", "rustler")
Partner: TypeAlias = Specialist | Literal["cowboy"]
COWBOY: Final = "cowboy"
COLLECTORS: Final[dict[Specialist, Resource]] = {
    "gold_digger": "gold",
    "trapper": "beaver",
    "farmer": "corn",
}
"""What these partners bring points for at the end, one a symbol."""

Character: TypeAlias = Literal["mary", "wesley", "calamity", "big_jo"]
CHARACTERS: Final[tuple[Character, ...]] = get_args(Character)
Side: TypeAlias = Character | Literal["camp"]
"""A side of a player board. Ruling: the camp sides of all four boards are alike, for the rulebook
shows one and says only of the other sides that they differ."""
SIDES: Final[tuple[Side, ...]] = ("camp", *CHARACTERS)
BRIDGES: Final[dict[Side, int]] = {"camp": 3, "mary": 1, "wesley": 2, "calamity": 2, "big_jo": 3}
SPACES: Final[dict[Side, int]] = {"camp": 3, "mary": 4, "wesley": 3, "calamity": 3, "big_jo": 2}

Tracking: TypeAlias = Literal["score", "draft", "full"]
Scenario: TypeAlias = Literal["none", "rafting", "gold_rush", "wild_bunch", "moon_river_city"]
SCENARIOS: Final[tuple[Scenario, ...]] = get_args(Scenario)


class Rules(Struct, frozen=True):
    """The options in force. `scenario` may be "random" until it is drawn."""

    preset: Literal["boxed", "app"] = "boxed"
    tracking: Tracking = "full"
    boards: Literal["camp", "wild_west"] = "camp"
    scenario: Scenario | Literal["random"] = "none"


class Tile(Struct, frozen=True, omit_defaults=True, cache_hash=True):
    """A half domino: its number on the back, its landscape, and the symbols on it.

    Number 0 is none: a bonus tile, or one that was painted and never turned up.
    """

    number: int
    landscape: Landscape
    gold: int = 0
    beaver: int = 0
    corn: int = 0
    cattle: int = 0
    skull: bool = False
    circle: bool = False

    def shows(self, resource: Resource) -> int:
        """Count the symbols of a resource."""
        match resource:
            case "gold":
                return self.gold
            case "beaver":
                return self.beaver
            case "corn":
                return self.corn


class Cell(Struct, frozen=True, omit_defaults=True, cache_hash=True):
    """A tile in a ranch, the cattle that stand on it, and the partner that lies on it.

    `domino` counts the dominoes of this ranch from 1; 0 is none: a bonus tile, or painted.
    """

    tile: Tile
    cattle: int = 0
    partner: Partner | None = None
    domino: int = 0


Cells: TypeAlias = tuple[Cell | None, ...]
"""A ranch's grid, cell by cell."""


class Ranch(Struct, frozen=True, omit_defaults=True, cache_hash=True):
    """What one seat has: its grid, the tiles on its board, and which board that is.

    If `reserve` holds more tiles than the board has spaces, the last one lies beside it.
    `dominoes` counts those laid. `elsewhere` are tiles that were laid and are on no cell here.
    `past` and `future` are the grids that painting can go back and forth to. `is_done`: it is
    handed in for the count; `signed_by` is the neighbour who countersigned it.
    """

    cells: Cells
    reserve: tuple[Tile | None, ...] = ()
    character: Character | None = None
    dominoes: int = 0
    # Laid where nobody kept track: out of the box all the same, so what is left can be counted.
    elsewhere: tuple[Tile | None, ...] = ()
    # In the state and not on a page: several phones may paint one ranch.
    past: tuple[Cells, ...] = ()
    future: tuple[Cells, ...] = ()
    is_done: bool = False
    signed_by: int | None = None

    @property
    def side(self) -> Side:
        """Name the side of the board that lies before its seat."""
        return self.character or "camp"


class Spot(Struct, frozen=True, omit_defaults=True):
    """A place in a row. `rancher` is the seat whose rancher stands there.

    `is_gone`: its tile was taken, or left the game.
    """

    tile: Tile | None = None
    rancher: int | None = None
    is_gone: bool = False


Row: TypeAlias = tuple[Spot, ...]
"""Four places, nearest to the box first."""


class Turn(Struct, frozen=True, omit_defaults=True):
    """What is left to do in the turn that goes on.

    `left` is how many dominoes may still be laid; None is as many as can be, in the last round.
    `skulls` and `circles` are cells whose effect is still owed, `is_bonus_due` the bonus tile.
    """

    seat: int
    left: int | None = 1
    skulls: tuple[int, ...] = ()
    circles: tuple[int, ...] = ()
    is_bonus_due: bool = False


class Dealing(Struct, frozen=True, tag="dealing"):
    """Something is owed to chance: the set-up, a row, or partners for the saloon."""


# A phase of its own, so that effects are a loop in `flow` and no calls within calls: a domino can
# set off several, and each of them more.
class Resolving(Struct, frozen=True, tag="resolving"):
    """Something was done whose effects follow by themselves; no state is left like this."""


class Boarding(Struct, frozen=True, tag="boarding"):
    """Everybody says whose board lies before them."""


class Refilling(Struct, frozen=True, tag="refilling"):
    """The table tells which partners it turns up for the saloon, one at a time."""


class TurningUp(Struct, frozen=True, tag="turning_up"):
    """The table tells the tiles of a new row, one at a time, those of one number as drawn."""

    told: tuple[Tile, ...] = ()


class Placing(Struct, frozen=True, tag="placing"):
    """Before the first round ranchers are placed; `queue` are the seats still to place one."""

    queue: tuple[int, ...]


class Extending(Struct, frozen=True, tag="extending"):
    """A seat has taken its tile, and may or must form a domino."""


class Laying(Struct, frozen=True, tag="laying"):
    """A domino is formed of two tiles of the reserve, and has to be laid."""

    first: int
    second: int


class Discarding(Struct, frozen=True, tag="discarding"):
    """Two tiles have to leave the game, for no domino can be laid."""


class Removing(Struct, frozen=True, tag="removing"):
    """A skull takes one of the cattle of its area; its owner chooses which."""

    skull: int


class Hiring(Struct, frozen=True, tag="hiring"):
    """A circle takes a partner from the saloon."""


class Driving(Struct, frozen=True, tag="driving"):
    """A cowboy may drive cattle so many steps more."""

    steps: int


class Swapping(Struct, frozen=True, tag="swapping"):
    """A desperado may swap a tile with another seat."""


class Rustling(Struct, frozen=True, tag="rustling"):
    """A rustler may take unguarded cattle onto her own cell."""

    cell: int


class LayingBonus(Struct, frozen=True, tag="laying_bonus"):
    """A bonus landscape tile has to be laid at once."""


class Choosing(Struct, frozen=True, tag="choosing"):
    """The rancher goes onto a free tile of the other row."""


class TakingStock(Struct, frozen=True, tag="taking_stock"):
    """The table tracks more from now on, and tells what the referee does not know yet."""


class Painting(Struct, frozen=True, tag="painting"):
    """The ranches are painted as they lie there, and handed in for the count."""


class Ended(Struct, frozen=True, tag="ended"):
    """Everything is counted."""


Phase: TypeAlias = (
    Dealing
    | Resolving
    | Boarding
    | Refilling
    | TurningUp
    | Placing
    | Extending
    | Laying
    | Discarding
    | Removing
    | Hiring
    | Driving
    | Swapping
    | Rustling
    | LayingBonus
    | Choosing
    | TakingStock
    | Painting
    | Ended
)


class BonusTile(Struct, frozen=True):
    """A bonus landscape tile: what its sides show, None where nobody told."""

    front: Landscape | None = None
    back: Landscape | None = None

    @property
    def sides(self) -> tuple[Landscape, ...]:
        """Give the landscapes that are known."""
        return tuple(side for side in (self.front, self.back) if side is not None)


class Box(Struct, frozen=True):
    """What is known of the box on the table.

    `tiles` are those seen so far, sorted. `bridges` are the columns, from 0, by side in the order
    of SIDES; `partners` the copies by specialist in the order of SPECIALISTS; None is unknown.
    `covered` are cells of the big grid that the board itself covers, None where nobody told.
    """

    key: str
    practice: bool
    tiles: tuple[Tile, ...] = ()
    # By column where told: the rulebook counts the bridges and does not say where they are.
    bridges: tuple[tuple[int, ...] | None, ...] = (None,) * len(SIDES)
    partners: tuple[int | None, ...] = (None,) * len(SPECIALISTS)
    bonus: tuple[BonusTile, BonusTile] = (BonusTile(), BonusTile())
    covered: tuple[int, ...] | None = None

"""The board: plots, spaces, and what is known of them. None and "maybe" are not known yet."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from referee.games.base import Facts

PLOTS: Final = 19
TERRAIN_COUNTS: Final = {"desert": 7, "prairie": 6, "forest": 6}
MOST_AT_A_SPACE: Final = 4
"""No space of the river or the rails has more sides than this with plots."""

Terrain: TypeAlias = Literal["desert", "prairie", "forest"]
Vehicle: TypeAlias = Literal["boat", "locomotive"]
TERRAINS: Final[tuple[Terrain, ...]] = ("desert", "prairie", "forest")
VEHICLES: Final[tuple[Vehicle, ...]] = ("boat", "locomotive")


class Plot(Struct, frozen=True):
    """What is printed on and around one plot of the board; None is not known yet."""

    number: int
    terrain: Terrain | None = None
    river: bool | None = None
    rails: bool | None = None
    saloon: bool = False
    mine: bool = False
    ranch: bool | None = None
    ranch_land: bool = False


class Space(Struct, frozen=True):
    """A river or rail space, and the numbers of the plots with a side on it."""

    name: str
    touches: tuple[int, ...]


class TokenCounts(Struct, frozen=True):
    """How many bonus tokens of each kind are in the box."""

    movement: int
    saloon: int
    rumor: int


class Lands(Struct, frozen=True):
    """The board's plots sorted by what the objectives ask.

    `near` is by plot: what touches it. Sets that begin with `maybe` hold what is not known:
    `maybe_terrain` the plots whose terrain, `maybe_near` by plot what may touch it.
    """

    terrains: tuple[frozenset[int], ...] = ()
    river: frozenset[int] = frozenset()
    rails: frozenset[int] = frozenset()
    near: tuple[frozenset[int], ...] = ()
    maybe_terrain: frozenset[int] = frozenset()
    maybe_river: frozenset[int] = frozenset()
    maybe_rails: frozenset[int] = frozenset()
    maybe_near: tuple[frozenset[int], ...] = ()
    maybe_ranch: frozenset[int] = frozenset()
    ranch: int | None = None
    is_known: bool = True


class Doubt(Struct, frozen=True):
    """A fact that contradictory lists leave open, and our own reading of it.

    `on`: the list of what lies on the river (or rails) names the plot; `off`: so does the other.
    """

    fact: str
    proposed: str
    on: bool
    off: bool


class Board(Struct, frozen=True):
    """A board as far as it is known.

    `touching` and `apart` hold pairs (low, high) that do, and do not, share a side with nothing
    between; `all_pairs` says that every pair not named is apart. `all_stops` names the vehicles
    all of whose spaces are known. `tokens`, `mine_cards` and `ranch_cards` are what the app deals:
    made up, for no rulebook tells them; `seen_mines` and `seen_ranches` came out of the box.
    `doubts` are what an edition's lists contradict each other on. `printed` are the plots as the
    profile has them and `told` what was told of them: `plots` and `lands` follow from the rest.
    """

    key: str
    practice: bool
    plots: tuple[Plot, ...]
    tokens: TokenCounts
    mine_cards: tuple[int, ...]
    ranch_cards: tuple[int, ...]
    touching: tuple[tuple[int, int], ...] = ()
    apart: tuple[tuple[int, int], ...] = ()
    all_pairs: bool = False
    river_spaces: tuple[Space, ...] = ()
    rail_spaces: tuple[Space, ...] = ()
    all_stops: tuple[Vehicle, ...] = ()
    seen_mines: tuple[int, ...] = ()
    seen_ranches: tuple[int, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    printed: tuple[Plot, ...] = ()
    told: Facts = ()
    lands: Lands = Lands()

    def spaces(self, vehicle: Vehicle) -> tuple[Space, ...]:
        """Give the known spaces that this vehicle can stand on."""
        return self.river_spaces if vehicle == "boat" else self.rail_spaces

    def beside(self, vehicle: Vehicle) -> frozenset[int]:
        """Give the plots that a space of this vehicle may touch."""
        lands = self.lands
        if vehicle == "boat":
            return lands.river | lands.maybe_river
        return lands.rails | lands.maybe_rails

    def kind_of_card(self, plot: int) -> Literal["mine", "ranch"] | None:
        """Say which card lies on a plot at the start; a plot that may be the ranch has none."""
        if self.plots[plot - 1].mine:
            return "mine"
        return "ranch" if self.lands.ranch == plot else None


def space_name(touches: Iterable[int]) -> str:
    """Name a space by the plots it touches; "none" touches no plot."""
    return "-".join(map(str, sorted(touches))) or "none"


@lru_cache(maxsize=64)
def possible_spaces(plots: frozenset[int]) -> tuple[Space, ...]:
    """Name every space there can be along these plots."""
    ordered = sorted(plots)
    return tuple(
        Space(space_name(touches), touches)
        for count in range(MOST_AT_A_SPACE + 1)
        for touches in combinations(ordered, count)
    )

"""The pieces of the game: printed numbers, the board, the state and its phases.

Money is in whole dollars, always a multiple of `NOTE`. Plots are numbered 1 to 19 as on the board;
tuples "by plot" are indexed by number - 1, tuples "by seat" by seat.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias, get_args

from msgspec import Struct, convert
from msgspec.structs import replace

__all__ = ["replace"]

NOTE: Final = 1000
NOTES: Final = 110
PLOTS: Final = 19
STARTING_CASH: Final = 8 * NOTE
STARTING_TIPS: Final = NOTE
PILES: Final = (3 * NOTE, 4 * NOTE, 5 * NOTE, 6 * NOTE, 7 * NOTE)
SECRETS_EACH: Final = 2
MINE_PLOTS: Final = 3
FORCED_PRICE: Final = NOTE
VEHICLE_PAY: Final = NOTE
MOST_PLOTS_PAY: Final = 5 * NOTE
A_PAIR: Final = 2

Terrain: TypeAlias = Literal["desert", "prairie", "forest"]
Token: TypeAlias = Literal["movement", "saloon", "rumor"]
Vehicle: TypeAlias = Literal["boat", "locomotive"]
How: TypeAlias = Literal["auction", "duel", "forced", "free"]

TERRAINS: Final[tuple[Terrain, ...]] = ("desert", "prairie", "forest")
TOKENS: Final[tuple[Token, ...]] = ("movement", "saloon", "rumor")
VEHICLES: Final[tuple[Vehicle, ...]] = ("boat", "locomotive")

SharedObjective: TypeAlias = Literal[
    "all_terrains",
    "all_tokens",
    "five_plots",
    "last_auction",
    "three_together",
    "three_off_river",
    "three_off_rails",
    "dry_saloon",
    "four_apart",
    "four_alike",
]
SHARED_OBJECTIVES: Final[tuple[SharedObjective, ...]] = get_args(SharedObjective)

SecretObjective: TypeAlias = Literal[
    "forests",
    "deserts",
    "prairies",
    "riverside",
    "railside",
    "saloon_square",
    "mines",
    "ranch_lands",
    "rumors",
    "movements",
]
SECRET_OBJECTIVES: Final[tuple[SecretObjective, ...]] = get_args(SecretObjective)


class Plot(Struct, frozen=True):
    """What is printed on and around one plot of the board."""

    number: int
    terrain: Terrain
    river: bool
    rails: bool
    saloon: bool
    mine: bool
    ranch: bool
    ranch_land: bool


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
    """The board's plots sorted by what the objectives ask; `near` is by plot: what touches it."""

    terrains: tuple[frozenset[int], ...] = ()
    river: frozenset[int] = frozenset()
    rails: frozenset[int] = frozenset()
    near: tuple[frozenset[int], ...] = ()


class Board(Struct, frozen=True):
    """A complete board.

    `touching` holds pairs (low, high) that share a side, nothing between. `lands` follows from
    the rest; `read_board` fills it in.
    """

    key: str
    practice: bool
    plots: tuple[Plot, ...]
    touching: tuple[tuple[int, int], ...]
    river_spaces: tuple[Space, ...]
    rail_spaces: tuple[Space, ...]
    tokens: TokenCounts
    mine_cards: tuple[int, ...]
    ranch_cards: tuple[int, ...]
    lands: Lands = Lands()

    @property
    def ranch(self) -> int:
        """Give the number of the plot with the ranch."""
        return next(plot.number for plot in self.plots if plot.ranch)

    def spaces(self, vehicle: Vehicle) -> tuple[Space, ...]:
        """Give the spaces this vehicle can stand on."""
        return self.river_spaces if vehicle == "boat" else self.rail_spaces


def read_board(profile: Mapping[str, Any]) -> Board:
    """Read a board profile. Raises msgspec.ValidationError for a profile of another shape."""
    board = convert(profile, Board)
    return replace(board, lands=_sort(board))


def _sort(board: Board) -> Lands:
    near: list[set[int]] = [set() for _ in board.plots]
    for low, high in board.touching:
        near[low - 1].add(high)
        near[high - 1].add(low)
    return Lands(
        terrains=tuple(
            frozenset([p.number for p in board.plots if p.terrain == terrain])
            for terrain in TERRAINS
        ),
        river=frozenset([p.number for p in board.plots if p.river]),
        rails=frozenset([p.number for p in board.plots if p.rails]),
        near=tuple(map(frozenset, near)),
    )


class Rules(Struct, frozen=True):
    """The options in force. The first value of each is the default."""

    preset: Literal["app", "boxed"] = "app"
    edition: Literal["huch", "blue-orange"] = "huch"
    auction: Literal["open", "sealed", "proxy", "spoken"] = "open"
    claims: Literal["referee", "players", "automatic"] = "referee"
    touching: Literal["largest_group", "any_touching"] = "largest_group"
    duel_shortfall: Literal["pay_all", "must_afford"] = "pay_all"


class Dealing(Struct, frozen=True, tag="dealing"):
    """The set-up is owed."""


class Between(Struct, frozen=True, tag="between"):
    """Nothing is under auction: claims, then the star's holder draws or, after 19, counts up."""


class Drawing(Struct, frozen=True, tag="drawing"):
    """A plot token is owed."""


class OpenAuction(Struct, frozen=True, tag="open_auction"):
    """An auction by voice. `inside`: the seats still in, the one whose turn it is first."""

    plot: int
    inside: tuple[int, ...]
    standing: int = 0
    leader: int | None = None

    @property
    def pair(self) -> tuple[int, ...]:
        """Give the two between whom a duel is possible. Ruling: none before a bid stands."""
        return self.inside if self.standing and len(self.inside) == A_PAIR else ()

    @property
    def price(self) -> int:
        """Give the last bid, for which a duel is fought."""
        return self.standing


class SealedAuction(Struct, frozen=True, tag="sealed_auction"):
    """A sealed auction. `bids` by seat: None is not yet submitted. `floor` > 0 is the rebid."""

    plot: int
    bidders: tuple[int, ...]
    bids: tuple[int | None, ...]
    floor: int = 0

    @property
    def pair(self) -> tuple[int, ...]:
        """Give the two between whom a duel is possible: exactly two are tied."""
        return self.bidders if self.floor and len(self.bidders) == A_PAIR else ()

    @property
    def price(self) -> int:
        """Give the tied bid, for which a duel is fought."""
        return self.floor


class ProxyAuction(Struct, frozen=True, tag="proxy_auction"):
    """An auction that the referee runs. `ceilings` by seat: None is not yet handed in."""

    plot: int
    bidders: tuple[int, ...]
    ceilings: tuple[int | None, ...]


class LastTwo(Struct, frozen=True, tag="last_two"):
    """A proxy auction down to two: who would win and for how much is settled, not yet told.

    `pair`: the two, the winner first in secret; `asked`: those who may still call a duel.
    """

    plot: int
    pair: tuple[int, int]
    price: int
    asked: tuple[int, ...]


class SpokenAuction(Struct, frozen=True, tag="spoken_auction"):
    """An auction held aloud. `winner` and `price` as the star's holder tapped them."""

    plot: int
    winner: int | None = None
    price: int = 0


class Duel(Struct, frozen=True, tag="duel"):
    """Two seats draw for the plot. `picks`: the card (0 or 1) each of the pair has tapped."""

    plot: int
    price: int
    caller: int
    called: int
    shuffled: bool = False
    picks: tuple[int | None, int | None] = (None, None)

    @property
    def pair(self) -> tuple[int, int]:
        """Give the two duellers, the caller first."""
        return self.caller, self.called


class Moving(Struct, frozen=True, tag="moving"):
    """The buyer of `plot` owes the use of a movement token."""

    plot: int
    buyer: int


class Rumor(Struct, frozen=True, tag="rumor"):
    """The buyer of `plot` may look at a card; `card` is the one in hand."""

    plot: int
    buyer: int
    card: str | None = None


class Ended(Struct, frozen=True, tag="ended"):
    """All is counted."""


Auction: TypeAlias = OpenAuction | SealedAuction | ProxyAuction | LastTwo | SpokenAuction
AUCTIONS: Final = (OpenAuction, SealedAuction, ProxyAuction, LastTwo, SpokenAuction)
"""The phases in which a plot is under auction."""

Phase: TypeAlias = Dealing | Between | Drawing | Auction | Duel | Moving | Rumor | Ended


class Pile(Struct, frozen=True):
    """A shared objective still face up, and the notes under it."""

    objective: SharedObjective
    amount: int


class State(Struct, frozen=True):
    """Everything there is to know about a game, secrets included.

    `turn` counts drawn plots. `owners`, `tokens` and `cards` are by plot: the buyer, the bonus
    token still lying there, the amount on the mine or ranch card still face down there. `held`
    are bonus tokens by seat, `dry` who once took a saloon token for nothing. `fortunes` is
    everyone's cash after each turn.
    """

    rules: Rules
    board: Board
    seats: int
    star: int
    phase: Phase
    cash: tuple[int, ...]
    bank: int
    saloon: int
    piles: tuple[Pile, ...]
    duel_tokens: tuple[bool, ...]
    secrets: tuple[tuple[SecretObjective, ...], ...]
    owners: tuple[int | None, ...]
    tokens: tuple[Token | None, ...]
    cards: tuple[int | None, ...]
    held: tuple[tuple[Token, ...], ...]
    dry: tuple[bool, ...]
    boat: str
    locomotive: str
    turn: int = 0
    duels: int = 0
    last_buyer: int | None = None
    fortunes: tuple[tuple[int, ...], ...] = ()

    @property
    def plots_left(self) -> bool:
        """Say whether a plot is still to be sold."""
        return None in self.owners

    def plots_by_seat(self) -> list[set[int]]:
        """Give the numbers of everybody's plots."""
        plots: list[set[int]] = [set() for _ in range(self.seats)]
        for number, owner in enumerate(self.owners, 1):
            if owner is not None:
                plots[owner].add(number)
        return plots

    def plots_of(self, seat: int) -> tuple[int, ...]:
        """Give the numbers of a seat's plots, ascending."""
        return tuple([n for n, owner in enumerate(self.owners, 1) if owner == seat])

    def clockwise_from(self, seat: int) -> tuple[int, ...]:
        """Give all seats, beginning with this one."""
        return (*range(seat, self.seats), *range(seat))


def swap(values: tuple[Any, ...], index: int, value: object) -> tuple[Any, ...]:
    """Give the tuple with one place changed."""
    return (*values[:index], value, *values[index + 1 :])

"""The pieces of the game: printed numbers, the options, the state and its phases.

Money is in whole dollars, always a multiple of `NOTE`. Plots are numbered 1 to 19 as on the board;
tuples "by plot" are indexed by number - 1, tuples "by seat" by seat.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, final, get_args

from msgspec import Struct
from msgspec.structs import replace

from referee.games.once import once
from referee.games.tuples import swap

from .lands import PLOTS, TERRAINS, VEHICLES, Board, Plot, Space, Terrain, Vehicle
from .options import Component, Rules

__all__ = [
    "PLOTS",
    "TERRAINS",
    "VEHICLES",
    "Board",
    "Component",
    "Plot",
    "Rules",
    "Space",
    "Terrain",
    "Vehicle",
    "replace",
    "swap",
]

NOTE: Final = 1000
NOTES: Final = 110
STARTING_CASH: Final = 8 * NOTE
STARTING_TIPS: Final = NOTE
PILES: Final = (3 * NOTE, 4 * NOTE, 5 * NOTE, 6 * NOTE, 7 * NOTE)
SECRETS_EACH: Final = 2
MINE_PLOTS: Final = 3
FORCED_PRICE: Final = NOTE
VEHICLE_PAY: Final = NOTE
MOST_PLOTS_PAY: Final = 5 * NOTE
MOST_ON_A_CARD: Final = 20 * NOTE
"""No mine or ranch card pays more than this."""
A_PAIR: Final = 2

Token: TypeAlias = Literal["movement", "saloon", "rumor"]
How: TypeAlias = Literal["auction", "duel", "forced", "free"]

TOKENS: Final[tuple[Token, ...]] = ("movement", "saloon", "rumor")

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


class Dealing(Struct, frozen=True, tag="dealing"):
    """The set-up is owed."""


class LayingOut(Struct, frozen=True, tag="laying_out"):
    """The real shared objectives are told, pile by pile. `laid`: those told so far."""

    laid: tuple[SharedObjective, ...] = ()


@final
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


# Settled before it is told: a duel may still be called, and limits stay secret if it is.
class LastTwo(Struct, frozen=True, tag="last_two"):
    """A proxy auction down to two: who would win and for how much is settled, not yet told.

    `pair`: the two, the winner first in secret; `asked`: those who may still call a duel.
    """

    plot: int
    pair: tuple[int, int]
    price: int
    asked: tuple[int, ...]


class SpokenAuction(Struct, frozen=True, tag="spoken_auction"):
    """An auction held aloud. `winner` and `price` as the star's holder tapped them.

    Of a duel that was tapped instead, `duel` are caller and called; then `winner` is who has to
    confirm on their own phone that they can pay, and `next` who is asked after them.
    """

    plot: int
    winner: int | None = None
    price: int = 0
    duel: tuple[int, int] | None = None
    next: tuple[int, ...] = ()


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


class Taking(Struct, frozen=True, tag="taking"):
    """The buyer of `plot` owes which real bonus token lay there."""

    plot: int
    buyer: int


class Moving(Struct, frozen=True, tag="moving"):
    """The buyer of `plot` owes the use of a movement token."""

    plot: int
    buyer: int


class Rumor(Struct, frozen=True, tag="rumor"):
    """The buyer of `plot` may look at a card; `card` is the one in hand."""

    plot: int
    buyer: int
    card: str | None = None


class Turning(Struct, frozen=True, tag="turning"):
    """The buyer of `plot` turns a real card, or nobody knows yet whether the ranch is there."""

    plot: int
    buyer: int


class Claiming(Struct, frozen=True, tag="claiming"):
    """A seat claims what only a look at the board can settle."""

    seat: int
    objective: SharedObjective


class HandingIn(Struct, frozen=True, tag="handing_in"):
    """All is sold; real objectives and notes are told in secret. `counts` by seat, in dollars.

    `is_second`: two told the same objective, and those are told for the second time.
    """

    counts: tuple[int | None, ...]
    is_second: bool = False


class Counting(Struct, frozen=True, tag="counting"):
    """All is open; what the count needs of the board is asked."""


class Ended(Struct, frozen=True, tag="ended"):
    """All is counted."""


Auction: TypeAlias = OpenAuction | SealedAuction | ProxyAuction | LastTwo | SpokenAuction
AUCTIONS: Final = (OpenAuction, SealedAuction, ProxyAuction, LastTwo, SpokenAuction)
"""The phases in which a plot is under auction."""

Phase: TypeAlias = (
    Dealing
    | LayingOut
    | Between
    | Drawing
    | Auction
    | Duel
    | Taking
    | Moving
    | Rumor
    | Turning
    | Claiming
    | HandingIn
    | Counting
    | Ended
)


class Pile(Struct, frozen=True):
    """A shared objective still face up, and the notes under it."""

    objective: SharedObjective
    amount: int


class Claimed(Struct, frozen=True):
    """A pile that was paid, and the plots its claimer had then."""

    objective: SharedObjective
    seat: int
    amount: int
    plots: tuple[int, ...]


class Sale(Struct, frozen=True):
    """A plot's purchase and what came of it, in dollars.

    `share` is what each other seat got, `tip` what the saloon got, `tips` what the buyer took
    there, `card` what the mine or ranch card paid, `rides` the bank's pay by seat for a vehicle.
    """

    plot: int
    buyer: int
    price: int
    share: int
    tip: int
    how: How
    token: Token | None = None
    tips: int = 0
    card: int | None = None
    rides: tuple[tuple[int, int], ...] = ()

    @property
    def was_dry(self) -> bool:
        """Say whether a saloon token brought nothing."""
        match self.token:
            case "saloon":
                return not self.tips
            case _:
                return False


class State(Struct, frozen=True):
    """Everything there is to know about a game, secrets included.

    `turn` counts drawn plots. `owners`, `tokens` and `cards` are by plot: the buyer, the bonus
    token still lying there, the amount on the mine card still face down there; of what lies in the
    real box nothing is known. `ranch_card` is the ranch's amount until it is turned. `held`
    are bonus tokens by seat, `dry` who once took a saloon token for nothing. `boat` and
    `locomotive` name spaces, "" while nobody has said where they stand. `secrets` are by seat,
    none as long as a seat has not told its real ones. `sales` are all purchases in order,
    `fortunes` everyone's cash after each turn, `looked` which seat was shown which card by a rumor.
    """

    rules: Rules
    board: Board
    seats: int
    star: int
    phase: Phase
    # Each its own seat's secret; `view.public` is built without it, and tells it at the end.
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
    ranch_card: int | None = None
    turn: int = 0
    # Numbers the draws: what the cards of one duel gave is not what the next one gets.
    duels: int = 0
    last_buyer: int | None = None
    claimed: tuple[Claimed, ...] = ()
    sales: tuple[Sale, ...] = ()
    # Secret until the end: it is the cash of everybody, turn by turn.
    fortunes: tuple[tuple[int, ...], ...] = ()
    # Kept through an undo, as the board is: what somebody saw they still know.
    looked: tuple[tuple[int, str], ...] = ()

    @property
    def everybody(self) -> frozenset[int]:
        """Give all seats."""
        return _EVERYBODY[self.seats]

    @property
    def plots_left(self) -> bool:
        """Say whether a plot is still to be sold."""
        return None in self.owners

    def plots_of(self, seat: int) -> tuple[int, ...]:
        """Give the numbers of a seat's plots, ascending."""
        return tuple([n for n, owner in enumerate(self.owners, 1) if owner == seat])

    def clockwise_from(self, seat: int) -> tuple[int, ...]:
        """Give all seats, beginning with this one."""
        return (*range(seat, self.seats), *range(seat))


_EVERYBODY: Final = tuple(frozenset(range(seats)) for seats in range(7))


@once  # asked of each claim, and owners change once a plot
def plots_by_seat(owners: tuple[int | None, ...]) -> tuple[frozenset[int], ...]:
    """Give the numbers of everybody's plots."""
    plots: list[list[int]] = [[] for _ in _EVERYBODY]  # as many as seats there can be
    for number, owner in enumerate(owners, 1):
        if owner is not None:
            plots[owner].append(number)
    return tuple(map(frozenset, plots))

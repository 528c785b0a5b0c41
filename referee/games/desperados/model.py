"""The pieces of the game: printed numbers, the state and its phases.

Money is in whole dollars. Tuples "by seat" are indexed by seat, tuples "by city" by a city's place
in `CITIES`. A tile's value is `UNSEEN` while it lies face down on the real table.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct
from msgspec.structs import replace

from referee.games.tuples import swap

from .roads import CITIES, Board, City

__all__ = ["CITIES", "Board", "City", "replace", "swap"]

TURNS: Final = 5
MOVES: Final = 5
BANKS: Final = 5
LOW_TILES_OUT: Final = 3
HIGH_TILES_OUT: Final = 2
UNSEEN: Final = 0

LOW_BANK_TILES: Final = (500, 800, 1100, 1400, 1700, 2000)
HIGH_BANK_TILES: Final = (2300, 2600, 2900, 3200)
LAST_BANK_TILES: Final = (2000, 2000)
POKER_TILES: Final = (300,) * 5 + (400,) * 4 + (500,) * 3 + (600,) * 2
COACH_TILES: Final = (800, 800, 900, 900, 1000, 1000, 1100, 1100, 1200, 1200)

Coach: TypeAlias = Literal["brown", "blue"]
COACHES: Final[tuple[Coach, ...]] = get_args(Coach)

Venue: TypeAlias = Literal["poker", "brown", "blue"]
"""What a disc is laid on: a city's poker tile, or a coach."""

Choice: TypeAlias = Literal["nothing", "poker", "brown", "blue", "spy"]
"""What a desperado wants to do after a move."""

Saloon: TypeAlias = Literal["saloon"]
SALOON: Final[Saloon] = "saloon"
Card: TypeAlias = City | Saloon
DECK: Final[tuple[Card, ...]] = (*CITIES, SALOON)

Kind: TypeAlias = Literal["poker", "coach", "bank"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
TILES: Final[dict[Kind, tuple[int, ...]]] = {
    "poker": POKER_TILES,
    "coach": COACH_TILES,
    "bank": (*LOW_BANK_TILES, *HIGH_BANK_TILES, *LAST_BANK_TILES),
}
"""The printed values of each kind of tile."""

Origin: TypeAlias = Literal["box", "app"]
Switch: TypeAlias = Literal["preset", "box", "app"]


class Rules(Struct, frozen=True):
    """The options in force. `target` is for each desperado, in dollars."""

    preset: Literal["boxed", "app"] = "boxed"
    target: int = 4000
    bank_tiles: Switch = "preset"
    poker_tiles: Switch = "preset"
    coach_tiles: Switch = "preset"
    first_schedule: Switch = "preset"
    whereabouts: Literal["off", "on"] = "off"

    def origin(self, kind: Kind | Literal["schedule"]) -> Origin:
        """Say whether the app deals this component or it lies on the real table."""
        switches: dict[str, Switch] = {
            "bank": self.bank_tiles,
            "poker": self.poker_tiles,
            "coach": self.coach_tiles,
            "schedule": self.first_schedule,
        }
        switch = switches[kind]
        if switch != "preset":
            return switch
        return "app" if self.preset == "app" else "box"


class Laid(Struct, frozen=True):
    """A card face down on the table. `confirmed`: its player saw the road on the board."""

    card: Card
    confirmed: bool = False


class Activity(Struct, frozen=True):
    """Discs on a poker tile or a coach, and how many Sheriffs were there when they came."""

    venue: Venue
    city: City
    move: int
    sheriffs: int
    seats: tuple[int, ...]


class Judged(Struct, frozen=True):
    """What a step of the examination decided about discs, or about desperadoes at a bank.

    `seats` were there and free, `needed` of them were enough.
    """

    venue: Venue | Literal["bank"]
    city: City
    seats: tuple[int, ...]
    needed: int

    @property
    def success(self) -> bool:
        """Say whether they were enough."""
        return len(self.seats) >= self.needed


class Out(Struct, frozen=True):
    """Why a seat's turn ended early, and in which step of the examination."""

    why: Literal["arrested", "impossible"]
    step: int


class Loot(Struct, frozen=True):
    """A tile that the gang took, where and in which turn."""

    kind: Kind
    value: int
    city: City
    turn: int


class Returned(Struct, frozen=True):
    """A disc that was not laid, for there were too few."""

    seat: int
    venue: Venue
    city: City


class Look(Struct, frozen=True):
    """A bank's tile that a spy looked at."""

    seat: int
    city: City


# Kept for the whole turn, unlike a `Look`: where somebody was in a move, all have seen.
class Spying(Struct, frozen=True):
    """A bank that somebody spied on in a move of this turn: so there they were."""

    seat: int
    city: City
    move: int


class Idea(Struct, frozen=True):
    """What a desperado suggested to the gang: to meet in a city after a move; who agreed."""

    seat: int
    city: City
    move: int
    agreed: tuple[int, ...] = ()


class Post(Struct, frozen=True):
    """Where the Sheriffs, by number, and the coaches stood when a move was closed."""

    sheriffs: tuple[City, ...]
    coaches: tuple[City | None, City | None]


class Record(Struct, frozen=True):
    """A finished turn, by seat: the cards that lay there, and when it was over.

    `ways` are the cities of each pawn, at the start and after every step until it was out. What
    the turn brought is in the loot, each tile with its turn.
    """

    turn: int
    routes: tuple[tuple[Card, ...], ...]
    ways: tuple[tuple[City, ...], ...]
    out: tuple[Out | None, ...]
    sheriffs: tuple[City, ...]
    activities: tuple[Activity, ...]


class Due(Struct, frozen=True):
    """A tile that was taken and has to be turned over on the real table."""

    kind: Kind
    city: City
    coach: Coach | None = None

    @property
    def place(self) -> City | Coach:
        """Name what tells this tile from others of the same step: its coach, or its city."""
        return self.coach or self.city


class Dealing(Struct, frozen=True, tag="dealing"):
    """The set-up is owed."""


class Surveying(Struct, frozen=True, tag="surveying"):
    """Which cities have a bank is asked of the table. What was dealt for the board waits."""

    banks: tuple[int, ...]
    poker: tuple[int, ...]


class FirstSchedule(Struct, frozen=True, tag="first_schedule"):
    """Which schedule was drawn first is asked of the table."""


class Placing(Struct, frozen=True, tag="placing"):
    """Marshal and Sheriffs are placed, then every desperado."""


class Riding(Struct, frozen=True, tag="riding"):
    """The Marshal's part of a move. `stables`: where each Sheriff stood before it."""

    stables: tuple[City, ...]


class Laying(Struct, frozen=True, tag="laying"):
    """The Marshal's card lies there; the desperadoes lay theirs, and everybody may change."""


class Acting(Struct, frozen=True, tag="acting"):
    """The move is closed. `choices` by seat: what each wants to do now; None is undecided."""

    choices: tuple[Choice | None, ...]


class Examining(Struct, frozen=True, tag="examining"):
    """So many steps are examined: 1 to 5 turn cards, the 6th robs banks. `out` is by seat."""

    step: int
    out: tuple[Out | None, ...]


class Turning(Struct, frozen=True, tag="turning"):
    """Tiles were taken whose values the table still has to tell, the first one first."""

    step: int
    out: tuple[Out | None, ...]
    due: tuple[Due, ...]


class Refilling(Struct, frozen=True, tag="refilling"):
    """The Marshal decides which robbed bank gets the next tile, before seeing it."""

    out: tuple[Out | None, ...]
    robbed: tuple[City, ...]


class Ended(Struct, frozen=True, tag="ended"):
    """Five turns are over."""


Examination: TypeAlias = Examining | Turning | Refilling
EXAMINATION: Final = (Examining, Turning, Refilling)
"""The phases in which the moves of a turn come to light."""

Phase: TypeAlias = (
    Dealing | Surveying | FirstSchedule | Placing | Riding | Laying | Acting | Examination | Ended
)


class State(Struct, frozen=True):
    """Everything there is to know about a game, secrets included.

    `first` is the place of the first schedule in the cycle. `pawns`, `starts` (of this turn),
    `routes` (cards on the table in this turn, in order), `lost` (to arrests), `hidden` (plans kept
    from the gang) and `spied` (banks whose tile this seat saw) are by seat. `tiles` is by city:
    the bank or poker tile lying there. Stacks begin with the top tile. `posts` are those of this
    turn's moves that are closed; `looks` are what the gang spied in its last part of a move.
    `spyings` are all those of this turn; `is_shaken`: the table set something right in it.
    `ideas` are what the gang suggested to each other.
    `judged` is what the newest step of the examination decided.
    `drawing` is the seat for which a card is being drawn.
    """

    rules: Rules
    board: Board
    seats: int
    marshal: int
    phase: Phase
    pawns: tuple[City | None, ...]
    starts: tuple[City | None, ...]
    sheriffs: tuple[City, ...]
    # Secret until turned: a seat's own, and the gang's as well where the plan is not hidden.
    routes: tuple[tuple[Laid, ...], ...]
    lost: tuple[tuple[City, ...], ...]
    hidden: tuple[bool, ...]
    spied: tuple[tuple[City, ...], ...]
    tiles: tuple[int | None, ...]
    bank_stack: tuple[int, ...]
    coach_stack: tuple[int, ...]
    first: int | None = None
    turn: int = 0
    move: int = 0
    coaches: tuple[City | None, City | None] = (None, None)
    activities: tuple[Activity, ...] = ()
    returned: tuple[Returned, ...] = ()
    looks: tuple[Look, ...] = ()
    spyings: tuple[Spying, ...] = ()
    # Cards that lie there were laid by what was thought to be so: nothing is told by them any more.
    is_shaken: bool = False
    # Outlives an undo, as what was said does.
    ideas: tuple[Idea, ...] = ()
    posts: tuple[Post, ...] = ()
    judged: tuple[Judged, ...] = ()
    drawing: int | None = None
    loot: tuple[Loot, ...] = ()
    history: tuple[Record, ...] = ()

    @property
    def gang(self) -> tuple[int, ...]:
        """Give the desperadoes' seats."""
        return tuple([seat for seat in range(self.seats) if seat != self.marshal])

    @property
    def goal(self) -> int:
        """Give what the gang has to take to win."""
        return self.rules.target * len(self.gang)

    @property
    def taken(self) -> int:
        """Give what the gang has taken."""
        return sum([loot.value for loot in self.loot])

    def pawn(self, seat: int) -> City:
        """Give the city of a seat's pawn, which must be on the board."""
        city = self.pawns[seat]
        if city is None:
            raise LookupError(seat)
        return city

    def tile(self, city: City) -> int | None:
        """Give the tile that lies at a city, or None."""
        return self.tiles[CITIES.index(city)]

    def sheriffs_in(self, city: City) -> int:
        """Count the Sheriffs in a city."""
        return self.sheriffs.count(city)

    def activity(self, venue: Venue, city: City) -> Activity | None:
        """Give this turn's activity on a coach, or on a city's poker tile."""
        for activity in self.activities:
            # A coach is one wherever it stands; each city has a poker tile of its own.
            if activity.venue == venue and (venue != "poker" or activity.city == city):
                return activity
        return None

    def disc(self, seat: int) -> Activity | None:
        """Give the activity on which a seat's disc lies."""
        for activity in self.activities:
            if seat in activity.seats:
                return activity
        return None


def put_tile(state: State, city: City, value: int | None) -> State:
    """Lay a tile at a city, or take away what lies there."""
    return replace(state, tiles=swap(state.tiles, CITIES.index(city), value))

"""The whole of a running game."""

from __future__ import annotations

from msgspec import Struct

from .events import Event
from .model import (
    PARTNERS,
    ROWS,
    SIDES,
    SPACES,
    Box,
    Phase,
    Ranch,
    Row,
    Rules,
    Scenario,
    Side,
    Specialist,
    Tile,
    Tracking,
    Turn,
    replace,
    swap,
)


class State(Struct, frozen=True):
    """Everything there is to know about a game; nothing of it is secret.

    `order` are the seats as their ranchers fell from the hand. `current` is the row being played,
    `next` the one ranchers move to; `at` is the place of the current row whose turn it is, and
    `rows` counts the rows laid. `tables` are the partners shown in the saloon (None: nobody told
    which), `pile` counts those face down, `away` are partners whose specialist side shows nowhere:
    they lie cowboy up, or in a ranch that nobody tracks. `gone` are tiles out of the game,
    `bonus_left` the bonus tiles nobody has yet. `totals` has each seat's points after each round.
    `resume` is the phase to go back to when the table tracks more again.
    """

    rules: Rules
    box: Box
    seats: int
    phase: Phase
    ranches: tuple[Ranch, ...]
    scenario: Scenario = "none"
    order: tuple[int, ...] = ()
    current: Row = ()
    next: Row = ()
    at: int = -1
    rows: int = 0
    turn: Turn | None = None
    tables: tuple[Specialist | None, ...] = ()
    pile: int = PARTNERS
    away: tuple[Specialist | None, ...] = ()
    gone: tuple[Tile | None, ...] = ()
    bonus_left: tuple[int, ...] = ()
    totals: tuple[tuple[int, ...], ...] = ()
    resume: Phase | None = None
    deeds: tuple[Event, ...] = ()

    @property
    def tracking(self) -> Tracking:
        """Say how much the referee keeps track of."""
        return self.rules.tracking

    @property
    def is_last_round(self) -> bool:
        """Say whether no row is left to move to."""
        return self.rows >= ROWS and not self.next

    @property
    def round(self) -> int:
        """Count the rounds from 1, 0 during the set-up."""
        # The row that is played is the newest but one, as long as there is one to move to.
        number = self.rows - bool(self.next)
        is_begun = bool(self.order) and (self.at >= 0 or number > 1)
        return number if is_begun else 0

    def side(self, seat: int) -> Side:
        """Name the side of the board that lies before a seat."""
        return self.ranches[seat].side

    def spaces(self, seat: int) -> int:
        """Count the reserve spaces of a seat's board."""
        return SPACES[self.side(seat)]

    def bridges(self, seat: int) -> tuple[int, ...] | None:
        """Give the columns of a seat's bridges, None if nobody told."""
        return self.box.bridges[SIDES.index(self.side(seat))]


def with_ranch(state: State, seat: int, ranch: Ranch) -> State:
    """Give the state with one seat's ranch changed."""
    return replace(state, ranches=swap(state.ranches, seat, ranch))

"""Small readable positions of Daddy Winchester, on a board made for tests.

The board's features are the rulebook's lists. Its terrains go up in order, its plots lie in rows of
five (1-5, 6-10, 11-15, 16-19), and only neighbours in a row share a side.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any, Final

from referee.games.base import Outcome, Step
from referee.games.winchester import rules as winchester
from referee.games.winchester.actions import Action
from referee.games.winchester.model import (
    NOTES,
    PLOTS,
    Between,
    Board,
    OpenAuction,
    Phase,
    Pile,
    Rules,
    Sale,
    SealedAuction,
    State,
    Token,
    read_board,
)

RIVER: Final = (5, 6, 7, 8, 10, 11, 12, 16)
RAILS: Final = (1, 2, 7, 8, 11, 12, 13, 14, 15)
SALOON: Final = (8, 9, 14, 15)
MINES: Final = (3, 4, 5)
RANCH: Final = 17
RANCH_LANDS: Final = (12, 13, 14, 16, 17, 18)
DESERTS: Final = (1, 2, 3, 4, 5, 6, 7)
FORESTS: Final = (8, 9, 10, 11, 12, 13)
PRAIRIES: Final = (14, 15, 16, 17, 18, 19)
ROWS: Final = ((1, 2, 3, 4, 5), (6, 7, 8, 9, 10), (11, 12, 13, 14, 15), (16, 17, 18, 19))

PROFILE: Final[dict[str, Any]] = {
    "key": "rows",
    "practice": True,
    "tokens": {"movement": 7, "saloon": 6, "rumor": 6},
    "mine_cards": [1000, 2000, 3000, 4000, 5000],
    "ranch_cards": [3000, 5000, 7000],
    "touching": [pair for row in ROWS for pair in pairwise(row)],
    "river_spaces": [
        {"name": "r1", "touches": [5, 6]},
        {"name": "r2", "touches": [7, 8, 10]},
        {"name": "r3", "touches": [11, 12, 16]},
    ],
    "rail_spaces": [
        {"name": "t1", "touches": [1, 2, 7]},
        {"name": "t2", "touches": [8, 11, 12]},
        {"name": "t3", "touches": [13, 14, 15]},
    ],
    "plots": [
        {
            "number": n,
            "terrain": "desert" if n in DESERTS else "forest" if n in FORESTS else "prairie",
            "river": n in RIVER,
            "rails": n in RAILS,
            "saloon": n in SALOON,
            "mine": n in MINES,
            "ranch": n == RANCH,
            "ranch_land": n in RANCH_LANDS,
        }
        for n in range(1, PLOTS + 1)
    ],
}

BOARD: Final = read_board(PROFILE)

JEFF, MONICA, RONALD, ASHLEY = range(4)
"""The seats of the rulebook's own example."""


def position(
    phase: Phase | None = None,
    *,
    cash: tuple[int, ...] = (8, 8, 8, 8),
    owned: Mapping[int, Iterable[int]] | None = None,
    held: Mapping[int, Iterable[Token]] | None = None,
    tokens: Mapping[int, Token] | None = None,
    cards: Mapping[int, int] | None = None,
    piles: Mapping[Any, int] | None = None,
    secrets: Mapping[int, tuple[Any, ...]] | None = None,
    duel_tokens: Iterable[int] | None = None,
    dry: Iterable[int] = (),
    star: int = 0,
    saloon: int = 1,
    turn: int | None = None,
    last_buyer: int | None = None,
    board: Board = BOARD,
    preset: str = "app",
    **rules: Any,
) -> State:
    """Lay out a table. Money is in notes; the bank holds what is left of the 110.

    `owned` and `held` are by seat, `tokens` and `cards` by plot number; `duel_tokens` names who
    still has one (everybody if left out).
    """
    seats = len(cash)
    owners: list[int | None] = [None] * PLOTS
    for seat, plots in (owned or {}).items():
        for plot in plots:
            owners[plot - 1] = seat
    bought = getattr(phase, "plot", 0)
    sold = sorted(
        (plot != bought, plot, seat) for seat, plots in (owned or {}).items() for plot in plots
    )[::-1]
    piles = piles or {}
    armed = range(seats) if duel_tokens is None else duel_tokens
    return State(
        rules=Rules(preset=preset, **rules),
        board=board,
        seats=seats,
        star=star,
        phase=phase or Between(),
        cash=tuple(1000 * notes for notes in cash),
        bank=1000 * (NOTES - sum(cash) - saloon - sum(piles.values())),
        saloon=1000 * saloon,
        piles=tuple(Pile(objective, 1000 * notes) for objective, notes in piles.items()),
        duel_tokens=tuple(seat in armed for seat in range(seats)),
        secrets=tuple((secrets or {}).get(seat, ()) for seat in range(seats)),
        owners=tuple(owners),
        tokens=tuple((tokens or {}).get(n) for n in range(1, PLOTS + 1)),
        cards=tuple(None if n == RANCH else (cards or {}).get(n) for n in range(1, PLOTS + 1)),
        ranch_card=(cards or {}).get(RANCH),
        held=tuple(tuple((held or {}).get(seat, ())) for seat in range(seats)),
        dry=tuple(seat in dry for seat in range(seats)),
        boat="r1",
        locomotive="t1",
        turn=sum(owner is not None for owner in owners) if turn is None else turn,
        last_buyer=last_buyer,
        sales=tuple(Sale(plot, seat, 0, 0, 0, "auction") for _, plot, seat in sold),
    )


def auction(
    plot: int = 17,
    *,
    inside: tuple[int, ...] = (0, 1, 2, 3),
    standing: int = 0,
    leader: int | None = None,
    **table: Any,
) -> State:
    """Put a plot up by voice; `standing` in notes, the seat whose turn it is first in `inside`."""
    return position(OpenAuction(plot, inside, 1000 * standing, leader), **table)


def sealed(
    plot: int = 17, *, bidders: tuple[int, ...] = (0, 1, 2, 3), floor: int = 0, **table: Any
) -> State:
    """Put a plot up for sealed bids; `floor` in notes is the tied amount of a rebid."""
    seats = len(table.get("cash", (8, 8, 8, 8)))
    phase = SealedAuction(plot, bidders, (None,) * seats, 1000 * floor)
    return position(phase, auction="sealed", **table)


def play(state: State, *moves: tuple[int, Action]) -> Step:
    """Play moves one after the other and give the last one's step."""
    step = Step(state)
    for seat, action in moves:
        step = winchester.apply(step.state, seat, action)
    return step


def bang(state: State, card: int) -> Step:
    """Let this duel card be the one that fires."""
    return winchester.chance(state, Outcome("duel", {"bang": (card,)}))


def notes(money: Iterable[int]) -> tuple[int, ...]:
    """Count money in notes."""
    return tuple(amount // 1000 for amount in money)


def money(state: State) -> int:
    """Count all the notes there are, wherever they lie."""
    piles = sum(pile.amount for pile in state.piles)
    return state.bank + sum(state.cash) + state.saloon + piles

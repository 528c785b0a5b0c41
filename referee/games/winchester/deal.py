"""Set-up: notes, piles, cards and tokens on the board, and the draw of a plot token."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import convert
from msgspec.structs import asdict

from referee.games.base import Need, Outcome, Pool, Step

from . import auction
from .events import Dealt, PlotDrawn
from .model import (
    MINE_PLOTS,
    NOTE,
    NOTES,
    PILES,
    PLOTS,
    SECRET_OBJECTIVES,
    SECRETS_EACH,
    SHARED_OBJECTIVES,
    STARTING_CASH,
    STARTING_TIPS,
    Between,
    Board,
    Dealing,
    Drawing,
    Pile,
    Rules,
    State,
    read_board,
    replace,
)

STAR: Final = "star"


def setup(options: Mapping[str, str], seats: int, profile: Mapping[str, Any]) -> Step:
    """Lay out the notes and name everything that has to be shuffled.

    `options` may name the seat with the star under "star" (whoever watched a Western last).
    """
    board = read_board(profile)
    chosen = {key: value for key, value in options.items() if key in Rules.__struct_fields__}
    state = State(
        rules=convert(chosen, Rules),
        board=board,
        seats=seats,
        star=int(options.get(STAR, "0")) % seats,
        phase=Dealing(),
        cash=(STARTING_CASH,) * seats,
        bank=NOTES * NOTE - sum(PILES) - STARTING_TIPS - seats * STARTING_CASH,
        saloon=STARTING_TIPS,
        piles=(),
        duel_tokens=(True,) * seats,
        secrets=((),) * seats,
        owners=(None,) * PLOTS,
        tokens=(None,) * PLOTS,
        cards=(None,) * PLOTS,
        held=((),) * seats,
        dry=(False,) * seats,
        boat=board.river_spaces[0].name,
        locomotive=board.rail_spaces[0].name,
    )
    return Step(state, needs=(_deal_need(board, seats),))


def _deal_need(board: Board, seats: int) -> Need:
    tokens = tuple(kind for kind, count in asdict(board.tokens).items() for _ in range(count))
    return Need(
        "deal",
        0,
        "app",
        (
            Pool("tokens", tokens, PLOTS),
            Pool("mines", board.mine_cards, MINE_PLOTS),
            Pool("ranch", board.ranch_cards, 1),
            Pool("shared", SHARED_OBJECTIVES, len(PILES)),
            Pool("secret", SECRET_OBJECTIVES, SECRETS_EACH * seats),
            Pool("boat", tuple(space.name for space in board.river_spaces), 1),
            Pool("locomotive", tuple(space.name for space in board.rail_spaces), 1),
        ),
    )


def dealt(state: State, drawn: Mapping[str, tuple[Any, ...]]) -> Step:
    """Put the shuffled things where they belong; the star's holder begins."""
    mines = iter(drawn["mines"])
    cards = tuple(
        next(mines) if plot.mine else drawn["ranch"][0] if plot.ranch else None
        for plot in state.board.plots
    )
    secret = drawn["secret"]
    state = replace(
        state,
        phase=Between(),
        tokens=drawn["tokens"],
        cards=cards,
        piles=tuple(Pile(o, amount) for o, amount in zip(drawn["shared"], PILES, strict=True)),
        secrets=tuple(
            secret[SECRETS_EACH * seat : SECRETS_EACH * (seat + 1)] for seat in range(state.seats)
        ),
        boat=drawn["boat"][0],
        locomotive=drawn["locomotive"][0],
    )
    return Step(state, (Dealt(state.star),), secret=True)


def draw_plot(state: State) -> Step:
    """Ask for the next plot token."""
    left = tuple([n for n, owner in enumerate(state.owners, 1) if owner is None])
    need = Need("plot", state.turn + 1, "app", (Pool("plot", left, 1),))
    return Step(replace(state, phase=Drawing()), reveals=True, needs=(need,))


def plot_drawn(state: State, outcome: Outcome) -> Step:
    """Open the auction of the plot that was drawn."""
    plot = int(outcome.drawn["plot"][0])
    state = replace(state, phase=auction.begin(state, plot), turn=state.turn + 1)
    return Step(state, (PlotDrawn(state.star, plot),), reveals=True)

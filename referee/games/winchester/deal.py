"""Set-up: notes, piles, cards and tokens on the board, and the draw of a plot token."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import convert
from msgspec.structs import asdict

from referee.errors import IllegalAction, NotYourTurn
from referee.games.base import Need, Outcome, Pool, Step

from . import auction, questions
from .actions import DRAW, DRAWS, Action, LayObjective
from .events import Dealt, ObjectiveLaid, PlotDrawn
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
    VEHICLES,
    Between,
    Dealing,
    Drawing,
    LayingOut,
    Pile,
    Rules,
    SharedObjective,
    State,
    replace,
)
from .options import COMPONENTS
from .profile import read_board

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
        boat="",
        locomotive="",
    )
    pools = _pools(state)
    if not pools:
        return _begin(state)
    return Step(state, needs=(Need("deal", 0, pools),))


def _pools(state: State) -> tuple[Pool, ...]:
    """Name what the app has to shuffle: what does not lie on the real table."""
    board, rules = state.board, state.rules
    tokens = tuple(kind for kind, count in asdict(board.tokens).items() for _ in range(count))
    pools = {
        "bonus_tokens": (Pool("tokens", tokens, PLOTS),),
        "land_cards": (
            Pool("mines", board.mine_cards, MINE_PLOTS),
            Pool("ranch", board.ranch_cards, 1),
        ),
        "shared_objectives": (Pool("shared", SHARED_OBJECTIVES, len(PILES)),),
        "secret_objectives": (Pool("secret", SECRET_OBJECTIVES, SECRETS_EACH * state.seats),),
    }
    dealt = [
        p
        for component in COMPONENTS
        if not rules.from_box(component)
        for p in pools.get(component, ())
    ]
    if board.practice:
        dealt += [Pool(v, tuple(s.name for s in board.spaces(v)), 1) for v in VEHICLES]
    return tuple(dealt)


def dealt(state: State, drawn: Mapping[str, tuple[Any, ...]]) -> Step:
    """Put the shuffled things where they belong."""
    mines = iter(drawn.get("mines", ()))
    is_app = "mines" in drawn
    secret = drawn.get("secret", ())
    state = replace(
        state,
        tokens=drawn.get("tokens", state.tokens),
        cards=tuple(next(mines) if is_app and plot.mine else None for plot in state.board.plots),
        ranch_card=drawn["ranch"][0] if is_app else None,
        secrets=tuple(
            secret[SECRETS_EACH * seat : SECRETS_EACH * (seat + 1)] for seat in range(state.seats)
        ),
        boat=drawn.get("boat", ("",))[0],
        locomotive=drawn.get("locomotive", ("",))[0],
    )
    if "shared" in drawn:
        piles = zip(drawn["shared"], PILES, strict=True)
        state = replace(state, piles=tuple(Pile(o, amount) for o, amount in piles))
    # The deal stays sealed in the journal until the end, though all may know that it was made.
    return replace(_begin(state), secret=True)


def _begin(state: State) -> Step:
    """Let the star's holder begin, once the real objectives on the piles are told."""
    is_told = bool(state.piles)
    state = replace(state, phase=Between() if is_told else LayingOut())
    return Step(state, (Dealt(state.star),))


# Real shared objectives: the notes lie there, which card lies on which pile is told.


def laying_legal(phase: LayingOut) -> tuple[Action, ...]:
    """Give the objectives that do not lie on a pile yet."""
    return tuple([LayObjective(o) for o in SHARED_OBJECTIVES if o not in phase.laid])


def lay(state: State, objective: SharedObjective) -> Step:
    """Take in which card lies on the next pile, from 3 notes up to 7."""
    phase = state.phase
    if not isinstance(phase, LayingOut):
        raise NotYourTurn(section="setup")
    if objective in phase.laid:
        raise IllegalAction("objective_gone", section="setup", objective=objective)
    event = ObjectiveLaid(objective, PILES[len(phase.laid)])
    laid = (*phase.laid, objective)
    if len(laid) < len(PILES):
        return Step(replace(state, phase=LayingOut(laid)), (event,))
    piles = tuple(Pile(o, amount) for o, amount in zip(laid, PILES, strict=True))
    return Step(replace(state, phase=Between(), piles=piles), (event,))


# The draw of a plot token


def draw_legal(state: State) -> tuple[Action, ...]:
    """Give the draw, or every real token that can be drawn."""
    if not state.rules.from_box("plot_tokens"):
        return (DRAW,)
    return tuple([DRAWS[n] for n, owner in enumerate(state.owners) if owner is None])


def draw(state: State, seat: int, plot: int | None) -> Step:
    """Let the star's holder have the next plot drawn, once nothing is asked of the board."""
    if not isinstance(state.phase, Between) or seat != state.star:
        raise NotYourTurn(section="draw")
    if not state.plots_left:
        raise IllegalAction("no_plots_left", section="draw")
    if questions.question(state) is not None:
        raise IllegalAction("question_open", section="draw")
    return draw_plot(state, plot)


def draw_plot(state: State, plot: int | None) -> Step:
    """Turn over the next plot token, or take in which real one was turned over."""
    if (plot is not None) != state.rules.from_box("plot_tokens"):
        raise IllegalAction("tap_the_plot" if plot is None else "app_draws", section="draw")
    if plot is not None:
        if not 1 <= plot <= PLOTS or state.owners[plot - 1] is not None:
            raise IllegalAction("no_such_plot", section="draw", plot=plot)
        return put_up(state, plot)
    left = tuple([n for n, owner in enumerate(state.owners, 1) if owner is None])
    need = Need("plot", state.turn + 1, (Pool("plot", left, 1),))
    return Step(replace(state, phase=Drawing()), reveals=True, needs=(need,))


def plot_drawn(state: State, outcome: Outcome) -> Step:
    """Open the auction of the plot that was drawn."""
    return replace(put_up(state, int(outcome.drawn["plot"][0])), reveals=True)


def put_up(state: State, plot: int) -> Step:
    """Open a plot's auction."""
    state = replace(state, phase=auction.begin(state, plot), turn=state.turn + 1)
    return Step(state, (PlotDrawn(state.star, plot),))

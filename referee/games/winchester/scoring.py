"""The score: cash, secret objectives, $5000 for most plots; the richest wins."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.base import Result, Score, ScoreLine

from . import objectives
from .model import MOST_PLOTS_PAY, State


def touching(state: State, seat: int, *, perhaps: bool = False) -> int:
    """Measure a seat's touching plots, for the tie over most plots.

    Ruling (option `touching`): the largest group joined by shared sides, or the number of plots
    that touch another of one's own. `perhaps` counts what may touch for all that is known.
    """
    plots = {*state.plots_of(seat)}
    sizes = [len(group) for group in objectives.groups(state.board, plots, perhaps=perhaps)]
    if state.rules.touching == "largest_group":
        return max(sizes, default=0)
    return sum(size for size in sizes if size > 1)


def most_plots(state: State) -> tuple[int, ...]:
    """Name who gets the $5000: most plots, then more touching ones, then all of them."""
    standing = [(state.owners.count(s), touching(state, s)) for s in range(state.seats)]
    best = max(standing)
    return tuple([seat for seat, has in enumerate(standing) if has == best])


def undecided_ties(state: State) -> tuple[int, ...]:
    """Name the seats tied over most plots whose touching plots decide and are not known."""
    counts = [state.owners.count(seat) for seat in range(state.seats)]
    tied = [seat for seat, count in enumerate(counts) if count == max(counts)]
    if len(tied) == 1:
        return ()
    # Between what is known to touch and what may: ranges that do not meet need no question.
    least = {seat: touching(state, seat) for seat in tied}
    most = {seat: touching(state, seat, perhaps=True) for seat in tied}
    rivals = [seat for seat in tied if most[seat] >= max(least.values())]
    if len(rivals) == 1:
        return ()
    return tuple(seat for seat in rivals if least[seat] < most[seat])


def final(state: State) -> Result:
    """Add everything up and name the winner with the tie-breaker that decided.

    Ruling: in a tie the $5000 count as cash; only the secret objectives are left out.
    """
    bonus = most_plots(state)
    scores = tuple([_score(state, seat, bonus) for seat in range(state.seats)])
    totals = [score.total for score in scores]
    # Not the totals, which are level already: what secret objectives pay is no cash.
    cash = [state.cash[s] + (MOST_PLOTS_PAY if s in bonus else 0) for s in range(state.seats)]
    best = _highest(range(state.seats), totals)
    if len(best) == 1:
        return Result(scores, best, None)
    richest = _highest(best, cash)
    if len(richest) == 1:
        return Result(scores, richest, "cash")
    armed = tuple(seat for seat in richest if state.duel_tokens[seat])
    if len(armed) == 1:
        return Result(scores, armed, "duel_token")
    return Result(scores, armed or richest, "shared")


def _highest(seats: Sequence[int], values: Sequence[int]) -> tuple[int, ...]:
    highest = max(values[seat] for seat in seats)
    return tuple(seat for seat in seats if values[seat] == highest)


def _score(state: State, seat: int, bonus: tuple[int, ...]) -> Score:
    lines = [ScoreLine("cash", state.cash[seat])]
    for objective in state.secrets[seat]:
        count = objectives.counted(state, seat, objective)
        lines.append(ScoreLine(objective, count * objectives.PAY[objective], (count,)))
    if seat in bonus:
        lines.append(ScoreLine("most_plots", MOST_PLOTS_PAY, (state.owners.count(seat),)))
    return Score(seat, sum(line.amount for line in lines), tuple(lines))

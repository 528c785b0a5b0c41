"""The closing ceremony: scores as they grow line by line, and the chart of fortunes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from referee.games.base import Result, ScoreLine

from .frame import SeatCard

BAR: Final = 560
CHART_WIDTH: Final = 652
CHART_HEIGHT: Final = 420
CHART_LEFT: Final = 152
CHART_TOP: Final = 20
MARK_SIZE: Final = 32
LINES: Final = 5


class Standing(Struct, frozen=True):
    """One seat in one stage: its total so far, what it just gained, and the bar's pieces.

    At the last stage `gained` holds all its lines.
    """

    card: SeatCard
    total: int
    gained: tuple[ScoreLine, ...]
    pieces: tuple[tuple[int, int, str], ...]
    is_leading: bool
    has_overtaken: bool


class Reveal(Struct, frozen=True):
    """One step of the reveal, the richest first."""

    number: int
    rows: tuple[Standing, ...]


def stages(
    result: Result, cards: Sequence[SeatCard], kind_of: Callable[[ScoreLine], str]
) -> tuple[Reveal, ...]:
    """Add up a result line by line, with the lead changing as it did.

    `kind_of` names the kind of a line, by which its piece of a bar is drawn.
    """
    longest = max(len(score.lines) for score in result.scores)
    most = max(1, *(score.total for score in result.scores))
    found: list[Reveal] = []
    leaders: set[int] = set()
    for count in range(1, longest + 1):
        totals = {s.seat: sum(line.amount for line in s.lines[:count]) for s in result.scores}
        best = max(totals.values())
        now = {seat for seat, total in totals.items() if total == best}
        if count == longest:  # equal totals: by now the tie-breaker has decided who leads
            now = set(result.winners)
        rows = [
            Standing(
                card=cards[score.seat],
                total=totals[score.seat],
                gained=score.lines if count == longest else score.lines[count - 1 : count],
                pieces=_pieces(score.lines[:count], most, kind_of),
                is_leading=score.seat in now,
                has_overtaken=count > 1 and score.seat in now - leaders,
            )
            for score in result.scores
        ]
        rows.sort(key=lambda row: (-row.total, not row.is_leading))
        found.append(Reveal(count, tuple(rows)))
        leaders = now
    return tuple(found)


def _pieces(
    lines: Sequence[ScoreLine], most: int, kind_of: Callable[[ScoreLine], str]
) -> tuple[tuple[int, int, str], ...]:
    """Give a bar's pieces as (x, width, kind)."""
    pieces = []
    x = 0
    for line in lines:
        width = round(BAR * line.amount / most)
        pieces.append((x, width, kind_of(line)))
        x += width
    return tuple(pieces)


def _beside(spot: tuple[int, int], taken: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Move a mark to the left until it covers no other."""
    x, y = spot
    while any(max(abs(x - left), abs(y - top)) < MARK_SIZE for left, top in taken):
        x -= MARK_SIZE
    return x, y


class Curve(Struct, frozen=True):
    """One seat's line in the chart."""

    card: SeatCard
    points: str
    end: tuple[int, int]


class Chart(Struct, frozen=True):
    """Fortunes over the game: curves, and the amounts and turns to write at the axes."""

    curves: tuple[Curve, ...]
    amounts: tuple[tuple[int, int], ...]
    turns: int
    width: int
    height: int
    left: int
    top: int


def chart(fortunes: Sequence[Sequence[int]], cards: Sequence[SeatCard]) -> Chart | None:
    """Draw everyone's amounts after each turn; None if there is nothing to draw."""
    if len(fortunes) < 2:  # noqa: PLR2004  # a line needs two points
        return None
    most = max(1, *(max(row) for row in fortunes))
    step = CHART_WIDTH / (len(fortunes) - 1)

    def spot(turn: int, amount: int) -> tuple[int, int]:
        return (
            round(CHART_LEFT + turn * step),
            round(CHART_TOP + CHART_HEIGHT * (1 - amount / most)),
        )

    curves: list[Curve] = []
    for card in cards:
        spots = [spot(turn, row[card.index]) for turn, row in enumerate(fortunes)]
        end = _beside(spots[-1], [curve.end for curve in curves])
        curves.append(Curve(card, " ".join(f"{x},{y}" for x, y in spots), end))
    marks = tuple((amount, spot(0, amount)[1]) for amount in _round_steps(most))
    return Chart(
        tuple(curves), marks, len(fortunes), CHART_WIDTH, CHART_HEIGHT, CHART_LEFT, CHART_TOP
    )


def _round_steps(most: int) -> tuple[int, ...]:
    """Give round amounts to write at an axis: five or fewer above nothing."""
    sizes = (digit * 10**zeros for zeros in itertools.count() for digit in (1, 2, 5))
    size = next(size for size in sizes if most <= LINES * size)
    return tuple(range(0, most + 1, size))

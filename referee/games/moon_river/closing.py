"""What the closing ceremony shows: each ranch counted step by step, and points over the rounds."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from referee.games.base import Result, ScoreLine

from .art import RanchArt, ranch_art
from .events import CattleTooMany
from .model import LANDSCAPES, SCENARIOS, Scenario
from .panels import is_big
from .scoring import Breakdown
from .sums import Sum, sum_of
from .view import Public

# Cattle on a cornfield bring nothing: it is counted by its symbols.
COUNTED = tuple(landscape for landscape in LANDSCAPES if landscape != "corn")
"""Landscapes in whose areas cattle bring points, as they stand on the score pad."""


SINGLE = frozenset({*COUNTED, *SCENARIOS})
"""Rows of the pad that are a step by themselves."""


class CountStep(Struct, frozen=True):
    """One step of the count: cattle that go back, the areas of a landscape, symbols, and so on."""

    kind: Literal["overpopulation", "areas", "symbols", "partners", "scenario"]
    name: str = ""


class Counted(Struct, frozen=True):
    """A ranch, its points after each step and what the step brought; the last total is the end.

    `surplus` are the cattle that went back before the count, for they shared a tile.
    """

    seat: int
    art: RanchArt
    sum: Sum
    totals: tuple[int, ...]
    gains: tuple[int, ...]
    surplus: int


class PadRow(Struct, frozen=True):
    """A row of the score pad, what it brings each seat, and the step at which it is filled in."""

    line: ScoreLine
    amounts: tuple[int, ...]
    step: int


class Closing(Struct, frozen=True):
    """All ranches and the steps of the count."""

    steps: tuple[CountStep, ...]
    ranches: tuple[Counted, ...]
    pad: tuple[PadRow, ...]
    is_big: bool


def closing(public: Public) -> Closing:
    """Count every ranch landscape by landscape, then symbols, partners, and the scenario."""
    surplus = {e.seat: e.count for e in public.deeds if isinstance(e, CattleTooMany)}
    steps = _steps(public.scenario, is_crowded=bool(surplus))
    return Closing(
        steps=steps,
        ranches=tuple(
            _counted(public, seat, steps, surplus.get(seat, 0))
            for seat in range(len(public.ranches))
        ),
        pad=_pad(public.result, steps) if public.result else (),
        is_big=is_big(public),
    )


def _pad(result: Result, steps: tuple[CountStep, ...]) -> tuple[PadRow, ...]:
    """Write the score pad, whose rows are the same for every seat."""
    rows = zip(*(score.lines for score in result.scores), strict=True)
    return tuple(
        PadRow(lines[0], tuple(line.amount for line in lines), _step_of(lines[0], steps))
        for lines in rows
    )


def _step_of(line: ScoreLine, steps: tuple[CountStep, ...]) -> int:
    """Find the step that fills a row in: its own, or that of all symbols or all partners."""
    kind = "symbols" if line.name.endswith("_symbols") else "partners"
    # A scenario and a landscape are a step each; all symbols together are one, and all partners.
    return next(
        number
        for number, step in enumerate(steps)
        if step.name == line.name or (step.kind == kind and line.name not in SINGLE)
    )


def _steps(scenario: Scenario, *, is_crowded: bool) -> tuple[CountStep, ...]:
    steps = [CountStep("overpopulation")] if is_crowded else []
    steps += [CountStep("areas", landscape) for landscape in COUNTED]
    steps += [CountStep("symbols"), CountStep("partners")]
    if scenario != "none":
        steps.append(CountStep("scenario", scenario))
    return tuple(steps)


def _counted(public: Public, seat: int, steps: tuple[CountStep, ...], surplus: int) -> Counted:
    stall = public.stalls[seat]
    bridges = stall.bridges if public.rules.tracking == "full" else ()
    art = ranch_art(public.ranches[seat].cells, bridges, covered=public.covered)
    gains = tuple(_gain(stall.count, step) for step in steps)
    totals = tuple(sum(gains[: number + 1]) for number in range(len(gains)))
    return Counted(
        seat=seat,
        art=art,
        sum=sum_of(stall.count, art.rows),
        totals=(*totals, stall.count.total),
        gains=(*gains, 0),
        surplus=surplus,
    )


def _gain(count: Breakdown, step: CountStep) -> int:
    match step.kind:
        case "overpopulation":
            return 0
        case "areas":
            return sum(area.points for area in count.areas if area.landscape == step.name)
        case "symbols":
            return sum(entry.count for entry in count.symbols)
        case "partners":
            return sum(entry.points for entry in count.collected)
        case "scenario":
            return count.group_points


def fortunes(public: Public) -> tuple[tuple[int, ...], ...]:
    """Give everybody's points after each round, for a chart."""
    return public.totals


def kind_of(line: ScoreLine) -> str:
    """Name the kind of a line in a score."""
    return line.name

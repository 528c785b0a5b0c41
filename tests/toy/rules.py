"""The whole game: rows, turns, the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from referee.errors import GameOver, IllegalAction, NotYourTurn, RuleViolation
from referee.games.base import (
    BoardQuestion,
    Facts,
    Need,
    Outcome,
    Pool,
    Result,
    Score,
    ScoreLine,
    Step,
)

from . import META, forms, screens, telling
from .actions import Action, Correction, Goal, Take

__all__ = [
    "META",
    "Action",
    "Correction",
    "Event",
    "State",
    "answer",
    "apply",
    "boards",
    "chance",
    "correct",
    "forms",
    "legal_actions",
    "own",
    "owners",
    "public",
    "question",
    "remember",
    "score",
    "screens",
    "setup",
    "stand_in",
    "telling",
    "to_act",
    "unboxing",
    "violations",
]

boards: Final = None

ROWS: Final = (3, 4, 5)


class Begun(Struct, frozen=True, tag_field="type", tag="begun"):
    """Somebody was drawn to begin."""

    seat: int


class Taken(Struct, frozen=True, tag_field="type", tag="taken"):
    """Pebbles were taken."""

    seat: int
    row: int
    count: int


class GoalSet(Struct, frozen=True, tag_field="type", tag="goal_set"):
    """The table plays for something else."""

    goal: Goal


Event: TypeAlias = Begun | Taken | GoalSet


class State(Struct, frozen=True):
    """Rows as they lie, whose turn it is (None: to be drawn), and what everybody has."""

    goal: Goal
    rows: tuple[int, ...] = ROWS
    turn: int | None = None
    taken: tuple[int, int] = (0, 0)
    last: int | None = None

    @property
    def is_over(self) -> bool:
        """Say whether nothing is left."""
        return not any(self.rows)


class Public(Struct, frozen=True):
    """What everybody sees: everything."""

    phase: str
    goal: Goal
    rows: tuple[int, ...]
    waiting_for: tuple[int, ...]
    taken: tuple[int, int]
    result: Result | None
    is_anybodys: bool = False
    is_shared: bool = False
    practice: bool = False
    practice_decks: bool = False


class Own(Struct, frozen=True):
    """What one seat alone sees: nothing."""


def setup(options: Mapping[str, str], seats: int, board: Mapping[str, Any]) -> Step:
    """Lay the rows out; who begins is owed."""
    assert seats == 2
    assert not board
    goal: Goal = "last" if options.get("goal") == "last" else "most"
    return Step(State(goal), needs=(Need("begins", 0, (Pool("seat", (0, 1), 1),)),))


def unboxing(options: Mapping[str, str], seats: int) -> tuple[Any, ...]:
    """Lay nothing out: the referee has the pebbles."""
    return ()


def chance(state: State, outcome: Outcome) -> Step:
    """Take in who begins."""
    seat = int(outcome.drawn["seat"][0])
    return Step(replace(state, turn=seat), (Begun(seat),), reveals=True)


def to_act(state: State) -> frozenset[int]:
    """Name whose turn it is."""
    return frozenset() if state.turn is None or state.is_over else frozenset((state.turn,))


def legal_actions(state: State, seat: int) -> tuple[Action, ...]:
    """Give every take."""
    if seat not in to_act(state):
        return ()
    return tuple(
        Take(row, count) for row, left in enumerate(state.rows) for count in range(1, left + 1)
    )


def stand_in(state: State, seat: int) -> tuple[Action, ...]:
    """Let the host do anything: there are no secrets."""
    return legal_actions(state, seat)


def apply(state: State, seat: int, action: Action) -> Step:
    """Take pebbles. Raises NotYourTurn, IllegalAction, GameOver."""
    if state.is_over:
        raise GameOver
    if seat != state.turn:
        raise NotYourTurn
    if not 0 <= action.row < len(ROWS) or not 1 <= action.count <= state.rows[action.row]:
        raise IllegalAction("no_such_pebbles", row=action.row)
    rows = list(state.rows)
    rows[action.row] -= action.count
    taken = list(state.taken)
    taken[seat] += action.count
    after = replace(state, rows=tuple(rows), turn=1 - seat, taken=(taken[0], taken[1]), last=seat)
    return Step(after, (Taken(seat, action.row, action.count),))


def correct(state: State, correction: Correction) -> Step:
    """Change what is played for; all else stays."""
    if correction.goal == state.goal:
        raise IllegalAction("already_so")
    return Step(replace(state, goal=correction.goal), (GoalSet(correction.goal),), reveals=True)


def owners(state: State, correction: Correction) -> Mapping[int, RuleViolation | None]:
    """Name nobody: no correction takes from what a seat alone knows."""
    return {}


def question(state: State) -> BoardQuestion | None:  # there is no board
    """Ask nothing."""
    return None


def answer(state: State, facts: Facts) -> Step:
    """Refuse every fact. Raises IllegalAction."""
    raise IllegalAction("bad_fact")


def remember(state: State, known: State) -> State:
    """Keep nothing: nothing is learned of a board."""
    return state


def public(state: State) -> Public:
    """Show everything."""
    phase = "over" if state.is_over else "drawing" if state.turn is None else "taking"
    return Public(
        phase, state.goal, state.rows, tuple(sorted(to_act(state))), state.taken, score(state)
    )


def own(state: State, seat: int) -> Own:
    """Show nothing more."""
    return Own()


def violations(state: State) -> tuple[str, ...]:
    """Count the pebbles."""
    return () if sum(state.rows) + sum(state.taken) == sum(ROWS) else ("pebbles made or lost",)


def score(state: State) -> Result | None:
    """Count up once nothing is left."""
    if not state.is_over:
        return None
    scores = tuple(
        Score(seat, count, (ScoreLine("pebbles", count),)) for seat, count in enumerate(state.taken)
    )
    if state.goal == "last":
        assert state.last is not None
        return Result(scores, (state.last,), None)
    most = max(state.taken)
    return Result(scores, tuple(s for s, count in enumerate(state.taken) if count == most), None)

"""Random games without any server: a check of the rules, and a measure of their speed."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from referee import profiles
from referee.errors import MalformedAction, RefereeError, RuleViolation
from referee.games import GAMES
from referee.games.base import BoardQuestion, Facts, Need, Outcome, Result, SeatIndex
from referee.games.protocol import Game
from referee.games.sides import Boards
from referee.options import check_options, known_options

EAGER: Final = 0.8


class Report(Struct):
    """What happened: counts, seconds, and each seat's share of wins (ties shared).

    `questions`: where an owner's board is unknown, the mean and the most questions of the first,
    the second and the third game on it. The owner answers truly, all that a question offers, and
    after the first game teaches the rest before the box is packed; those are counted too.
    """

    game: str
    games: int
    actions: int
    seconds: float
    games_per_s: float
    actions_per_s: float
    violations: int
    win_shares: dict[str, list[float]]
    first_violation: str | None = None
    questions: dict[str, list[float]] = {}


def simulate(
    game: str,
    *,
    games: int,
    seats: int | None,
    seed: str,
    options: Mapping[str, str],
    preset: str = "app",
) -> Report:
    """Play random games, `games` for each number of seats, and check every state.

    Options that are not named are drawn anew for each game, so all of them are played.
    """
    if game not in GAMES:
        raise MalformedAction("no_such_game", game=game)
    rules = GAMES[game]
    least, most = rules.META.seats
    if seats is not None and not least <= seats <= most:
        raise MalformedAction("wrong_number_of_seats", least=least, most=most)
    counts = range(least, most + 1) if seats is None else (seats,)
    chosen = known_options(rules.META, {"preset": preset}) | check_options(rules.META, options)
    report = Report(game, 0, 0, 0.0, 0.0, 0.0, 0, {})
    asked: dict[str, list[int]] = {}
    for count in counts:
        shares = [0.0] * count
        rng = random.Random(f"{seed} {count}")  # noqa: S311  # play, not a secret
        # One a board: whoever owns two editions learns each by itself.
        owners: dict[str, Owner] = {}
        for _ in range(games):
            options = _drawn_options(rules, chosen, rng)
            owner = owners.setdefault(profiles.name_of(options), Owner(rules, options))
            result = _play(rules, options, count, rng, report, owner)
            owner.pack_up(asked)
            for winner in result.winners if result else ():
                shares[winner] += 1 / len(result.winners) if result else 0
        report.win_shares[str(count)] = [round(share / games, 4) for share in shares]
    report.questions = {
        which: [round(sum(counts) / len(counts), 2), max(counts)] for which, counts in asked.items()
    }
    report.seconds = round(report.seconds, 3)
    report.games_per_s = round(report.games / max(report.seconds, 1e-9), 1)
    report.actions_per_s = round(report.actions / max(report.seconds, 1e-9), 1)
    return report


class Owner:
    """Who owns a box, teaches the referee their board, and starts anew after three games.

    For want of the real one, what is printed there is like the practice board.
    """

    def __init__(self, rules: Game, options: Mapping[str, str]) -> None:
        self.rules = rules
        self.is_needed = options.get("board") == "owned"
        self.key, self.name = rules.META.key, profiles.name_of(options)
        self.facts: dict[str, str] = {}
        self.games = 0
        self.asked = 0
        self.truth = self._read() if self.is_needed else None

    def _read(self) -> Any:
        """Print the practice board's facts on this box's board, wherever its lists allow them."""
        boards = self.rules.boards
        if boards is None:
            return None
        truth = boards.read_board(profiles.load(self.key, self.name))
        practice = boards.read_board(profiles.load(self.key, profiles.PRACTICE))
        for fact in boards.all_facts(practice).items():
            with contextlib.suppress(RuleViolation):
                truth = boards.learn(truth, (fact,))
        return truth

    def board(self, options: Mapping[str, str]) -> dict[str, Any]:
        """Give the board as it is known so far."""
        return profiles.board(self.key, options, self.facts)

    def answer(self, question: BoardQuestion) -> Facts:
        """Tell all that a question offers; where the box's lists say otherwise, the first value."""
        self.asked += 1
        told = []
        # All that is offered, as a person does who has the board before them anyway.
        for part in (*question.parts, *question.more):
            value = self._known(self.truth, part.fact)
            told.append((part.fact, value if value in part.values else part.values[0]))
        return tuple(told)

    def _known(self, board: Any, fact: str) -> str | None:
        return None if self.rules.boards is None else self.rules.boards.value_of(board, fact)

    def _teach_the_rest(self, boards: Boards) -> None:
        board = boards.read_board(self.board({"edition": self.name}))
        self.asked += boards.lessons(board)
        self.facts |= {
            fact: value
            for fact, value in boards.all_facts(self.truth).items()
            if boards.value_of(board, fact) is None
        }

    def pack_up(self, asked: dict[str, list[int]]) -> None:
        """End an evening: after the first the rest is taught, after the third the box is sold."""
        boards = self.rules.boards
        if not self.is_needed or boards is None:
            return
        which = ("first", "second", "third")[self.games % 3]
        if which == "first":
            self._teach_the_rest(boards)
        asked.setdefault(which, []).append(self.asked)
        self.games, self.asked = self.games + 1, 0
        if which == "third":
            self.facts = {}


def _drawn_options(rules: Game, chosen: Mapping[str, str], rng: random.Random) -> dict[str, str]:
    """Draw every option that is not named; what may follow the preset does."""
    return {
        option.key: chosen.get(option.key)
        or ("preset" if "preset" in option.values else rng.choice(option.values))
        for option in rules.META.options
    }


def _play(
    rules: Game,
    options: Mapping[str, str],
    seats: int,
    rng: random.Random,
    report: Report,
    owner: Owner,
) -> Result | None:
    """Play one game to its end; only the rules' own time counts."""
    game = walk(rules, options, seats, owner.board(options), rng, owner)
    state: Any = None
    try:
        while True:
            began = time.perf_counter()
            found = next(game, None)
            # The rules' time alone: what a check of every state costs says nothing about play.
            report.seconds += time.perf_counter() - began
            if found is None:
                break
            state, acted = found
            report.actions += acted
            for wrong in rules.violations(state):
                _note(report, wrong)
    except RefereeError as error:
        _note(report, f"{error.code} {error.facts}")
    report.games += 1
    return None if state is None else rules.score(state)


def _note(report: Report, violation: str) -> None:
    report.violations += 1
    report.first_violation = report.first_violation or violation


def walk(
    rules: Game,
    options: Mapping[str, str],
    seats: int,
    board: Mapping[str, Any],
    rng: random.Random,
    owner: Owner | None = None,
) -> Iterator[tuple[Any, bool]]:
    """Give every state of a random game, and whether an action (not chance) led to it.

    Questions about the board are answered by its owner, or without one at random like the rest.
    """
    step = rules.setup(options, seats, board)
    # With a box people have things to tell at any time, which lead nowhere.
    is_boxed = options.get("preset", "boxed") == "boxed"
    answerer = owner if owner is not None and owner.is_needed else None
    while True:
        for need in step.needs:
            step = rules.chance(step.state, draw(need, rng))
            yield step.state, False
        state = step.state
        if step.learnt and owner is not None:
            owner.facts |= dict(step.learnt)
        # What is owed comes first, as at a table: nobody acts on a state that waits for chance.
        if step.needs:
            continue
        if answerer is not None and (question := rules.question(state)) is not None:
            step = rules.answer(state, answerer.answer(question))
            yield step.state, False
            continue
        asked = rules.to_act(state)
        if not asked:
            return
        held_up = rules.public(state).waiting_for if is_boxed and len(asked) > 1 else ()
        seat, legal = _choose(rules, state, held_up, tuple(asked), rng)
        step = rules.apply(state, seat, legal[int(rng.random() * len(legal))])
        yield step.state, True


def _choose(
    rules: Game, state: Any, held_up: tuple[int, ...], asked: tuple[int, ...], rng: random.Random
) -> tuple[SeatIndex, tuple[Any, ...]]:
    """Choose who moves: mostly whoever holds up the table, else anybody who may do something."""
    start = int(rng.random() * len(asked))
    order = asked[start:] + asked[:start] if start else asked
    if held_up and rng.random() < EAGER:
        order = (held_up[int(rng.random() * len(held_up))], *order)
    for seat in order:
        index = SeatIndex(seat)
        legal = rules.legal_actions(state, index)
        if legal:
            return index, legal
    raise RefereeError("nobody_can_act")


def draw(need: Need, rng: random.Random) -> Outcome:
    """Draw what is owed by a plain generator."""
    pools = {pool.name: tuple(rng.sample(pool.items, pool.count)) for pool in need.pools}
    return Outcome(need.label, pools)

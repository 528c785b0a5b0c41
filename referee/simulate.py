"""Random games without any server: a check of the rules, and a measure of their speed."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from referee import profiles
from referee.errors import MalformedAction, RefereeError
from referee.games import GAMES
from referee.games.base import Game, Need, Outcome, Result
from referee.tables import check_options


class Report(Struct):
    """What happened: counts, seconds, and each seat's share of wins (ties shared)."""

    game: str
    games: int
    actions: int
    seconds: float
    games_per_s: float
    actions_per_s: float
    violations: int
    win_shares: dict[str, list[float]]
    first_violation: str | None = None


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
    chosen = check_options(rules, {"preset": preset} | dict(options))
    report = Report(game, 0, 0, 0.0, 0.0, 0.0, 0, {})
    for count in counts:
        shares = [0.0] * count
        rng = random.Random(f"{seed} {count}")  # noqa: S311  # play, not a secret
        for _ in range(games):
            result = _play(rules, _drawn_options(rules, chosen, rng), count, rng, report)
            for winner in result.winners if result else ():
                shares[winner] += 1 / len(result.winners) if result else 0
        report.win_shares[str(count)] = [round(share / games, 4) for share in shares]
    report.seconds = round(report.seconds, 3)
    report.games_per_s = round(report.games / max(report.seconds, 1e-9), 1)
    report.actions_per_s = round(report.actions / max(report.seconds, 1e-9), 1)
    return report


def _drawn_options(rules: Game, chosen: Mapping[str, str], rng: random.Random) -> dict[str, str]:
    return {
        option.key: chosen.get(option.key) or rng.choice(option.values)
        for option in rules.META.options
    }


def _play(
    rules: Game, options: Mapping[str, str], seats: int, rng: random.Random, report: Report
) -> Result | None:
    """Play one game to its end; only the rules' own time counts."""
    board = profiles.load(rules.META.key, "practice")
    game = walk(rules, options, seats, board, rng)
    state: Any = None
    try:
        while True:
            began = time.perf_counter()
            found = next(game, None)
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
) -> Iterator[tuple[Any, bool]]:
    """Give every state of a random game, and whether an action (not chance) led to it."""
    step = rules.setup(options, seats, board)
    while True:
        for need in step.needs:
            step = rules.chance(step.state, draw(need, rng))
            yield step.state, False
        state = step.state
        if step.needs:
            continue
        asked = rules.to_act(state)
        if not asked:
            return
        seat, legal = _choose(rules, state, tuple(asked), rng)
        step = rules.apply(state, seat, legal[int(rng.random() * len(legal))])
        yield step.state, True


def _choose(
    rules: Game, state: Any, asked: tuple[int, ...], rng: random.Random
) -> tuple[int, tuple[Any, ...]]:
    start = int(rng.random() * len(asked))
    for seat in asked[start:] + asked[:start]:
        legal = rules.legal_actions(state, seat)
        if legal:
            return seat, legal
    raise RefereeError("nobody_can_act")


def draw(need: Need, rng: random.Random) -> Outcome:
    """Draw what is owed by a plain generator."""
    pools = {pool.name: tuple(rng.sample(pool.items, pool.count)) for pool in need.pools}
    return Outcome(need.label, pools)

"""Rules alone: random whole games, legality included, against bare arithmetic.

The yardstick is the cheapest auction one can write, on a dict and ints, played in the same run:
it says how fast this machine's Python is today.
"""

from __future__ import annotations

import random
import time

import msgspec

from referee.simulate import simulate

ROUNDS = 40_000


def bare_auction() -> float:
    """Play a bare auction and give its actions a second."""
    rng = random.Random(1)
    state = {"standing": 0, "turn": 0, "in": 4}
    began = time.perf_counter()
    for _ in range(ROUNDS):
        seat = state["turn"] % 4
        if rng.random() < 0.7:
            state = {**state, "standing": state["standing"] + 1000, "leader": seat}
        else:
            state = {**state, "in": max(1, state["in"] - 1)}
        state["turn"] += 1
    return ROUNDS / (time.perf_counter() - began)


GAMES = (
    ("winchester", 150, {"auction": "open"}),
    ("winchester", 150, {"auction": "sealed"}),
    ("desperados", 60, {}),
    ("moon_river", 60, {"tracking": "full"}),
)
"""Games, how many of each, and the options that matter; four play each on the practice board."""


def main() -> None:
    """Print one line of JSON a game."""
    for game, games, options in GAMES:
        yardstick = bare_auction()
        report = simulate(
            game, games=games, seats=4, seed="bench", options=options | {"board": "practice"}
        )
        row = {
            "game": game,
            **options,
            "actions_per_s": report.actions_per_s,
            "games_per_s": report.games_per_s,
            "bare_auction_per_s": round(yardstick),
            "ratio": round(report.actions_per_s / yardstick, 3),
            "violations": report.violations,
        }
        print(msgspec.json.encode(row).decode(), flush=True)


if __name__ == "__main__":
    main()

"""The example bot plays any game to its end, knowing none of them."""

from __future__ import annotations

import random
import runpy
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from referee.games import GAMES
from tests.browser.serving import Server, until
from tests.table import APP

pytestmark = pytest.mark.server

BOT = runpy.run_path(str(Path(__file__).parent.parent / "examples" / "bot.py"))


def test_bots_play_whole_games(tmp_path: Path) -> None:
    """As many bots as the game needs sit down, somebody starts, and all read the same result."""
    with closing(Server(tmp_path)) as server:
        server.start()
        for key in GAMES:
            play_a_whole_game(server, key)


def play_a_whole_game(server: Server, key: str) -> None:
    """Play a game at a table of a server, and compare what its bots read."""
    least = GAMES.meta(key).seats[0]
    base = f"http://127.0.0.1:{server.port}"
    host: Any = BOT["Table"](base, "")
    host.base = f"{base}/api/v1/tables"
    opened = host.call("", {"game": key, "options": APP})
    host.base, host.token = f"{base}/api/v1/tables/{opened['table']}", opened["host_token"]

    with ThreadPoolExecutor(least) as threads:
        playing = [
            threads.submit(
                BOT["play"],
                BOT["Table"](base, opened["table"]),
                name=f"Bot {seat}",
                rng=random.Random(seat),
            )
            for seat in range(least)
        ]
        until(lambda: len(host.call()["seats"]) == least, within_s=60)
        host.call("/start", {})
        results = [bot.result(timeout=200) for bot in playing]

    assert results == [results[0]] * least
    assert {score["name"] for score in results[0]["scores"]} == {f"Bot {n}" for n in range(least)}
    assert results[0]["winners"]

"""The example bot plays any game to its end, knowing none of them."""

from __future__ import annotations

import json
import random
import runpy
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, Never, TypeVar
from urllib.error import HTTPError

import pytest

from referee.games import GAMES
from tests.browser.serving import Server, until
from tests.table import APP

pytestmark = pytest.mark.server

BOT = runpy.run_path(str(Path(__file__).parent.parent / "examples" / "bot.py"))

T = TypeVar("T")
Bots = list[Future[dict[str, Any]]]


class Torn(random.Random):
    """What a bot cannot go on with."""

    def choice(self, seq: Sequence[T]) -> Never:
        """Fail, as a bot does whose author made a mistake."""
        raise ZeroDivisionError(f"torn between {len(seq)}")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve tables for bots."""
    with closing(Server(tmp_path_factory.mktemp("bots"))) as server:
        server.start()
        yield server


def test_bots_play_whole_games(server: Server) -> None:
    """As many bots as the game needs sit down, somebody starts, and all read the same result."""
    for key in GAMES:
        least = GAMES.meta(key).seats[0]
        results = played(server, key, [random.Random(seat) for seat in range(least)])
        assert results == [results[0]] * least
        assert {each["name"] for each in results[0]["scores"]} == {f"Bot {n}" for n in range(least)}
        assert results[0]["winners"]


def test_a_bot_that_fails_is_heard_at_once(server: Server) -> None:
    """The others would wait for its turn until the test's time is over."""
    with pytest.raises(ZeroDivisionError, match="torn between"):
        played(server, "winchester", [random.Random(1), random.Random(2), Torn()])


def test_a_bot_that_gets_no_seat_is_heard_at_once(server: Server) -> None:
    """Nobody waits for all to sit down who cannot."""
    most = GAMES.meta("winchester").seats[1]
    with pytest.raises(HTTPError, match="409"):
        played(server, "winchester", [random.Random(seat) for seat in range(most + 1)])


def test_a_bot_ends_with_its_table(server: Server) -> None:
    """What is refused for good is no line that breaks: no bot asks for ever."""
    with sitting(server, "winchester", [random.Random(1)]) as (host, bots):
        wait_for_all(host, bots)
    with pytest.raises(HTTPError, match="404"):
        bots[0].result()


def test_a_bot_whose_line_breaks_as_it_acts_says_the_same_again() -> None:
    """A server that is killed just then may have it or not: the same id counts once."""
    heard: list[dict[str, Any]] = []

    class Breaking(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            heard.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            if len(heard) == 1:
                return  # and the line is closed without a word
            self.send_response(200)
            # Half an answer is none, too.
            self.send_header("Content-Length", "2" if len(heard) > 2 else "9")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    with HTTPServer(("127.0.0.1", 0), Breaking) as server, ThreadPoolExecutor() as pool:
        pool.submit(server.serve_forever)
        table = BOT["Table"](f"http://127.0.0.1:{server.server_port}", "ABCDE")
        try:
            BOT["act"](table, {"version": 7}, {"type": "pass"})
        finally:
            server.shutdown()

    assert len(heard) == 3
    assert heard == [heard[0]] * 3
    assert heard[0]["version"] == 7


def played(server: Server, key: str, rngs: Sequence[random.Random]) -> list[dict[str, Any]]:
    """Play a game at a table of a server, and give what its bots read."""
    with sitting(server, key, rngs) as (host, bots):
        wait_for_all(host, bots)
        host.call("/start", {})
        done, playing = wait(bots, timeout=200, return_when=FIRST_EXCEPTION)
        results = {bot: bot.result() for bot in done}
        assert not playing, "they play on"
        return [results[bot] for bot in bots]


def wait_for_all(host: Any, bots: Bots) -> None:
    """Wait until all bots have sat down; whoever has ended by then failed, and says why."""
    until(
        lambda: len(host.call()["seats"]) == len(bots) or any(bot.done() for bot in bots),
        within_s=60,
    )
    for bot in bots:
        if bot.done():
            bot.result()


@contextmanager
def sitting(server: Server, key: str, rngs: Sequence[random.Random]) -> Iterator[tuple[Any, Bots]]:
    """Let bots sit down at a table; give the host's interface, and what is to come of each bot.

    Whoever still plays in the end is sent home: the table is gone.
    """
    base = f"http://127.0.0.1:{server.port}"
    host = BOT["Table"](base, "")
    host.base = f"{base}/api/v1/tables"
    opened = host.call("", {"game": key, "options": APP})
    code = opened["table"]
    host.base, host.token = f"{base}/api/v1/tables/{code}", opened["host_token"]

    def play(seat: int) -> dict[str, Any]:
        table = BOT["Table"](base, code)
        result: dict[str, Any] = BOT["play"](table, name=f"Bot {seat}", rng=rngs[seat])
        return result

    with ThreadPoolExecutor(len(rngs)) as threads:
        try:
            yield host, [threads.submit(play, seat) for seat in range(len(rngs))]
        finally:
            assert server.call("POST", f"/evenings/{code}/delete")[0] == 303

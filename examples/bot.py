"""A bot in plain Python: it takes a seat and plays whatever the referee says is legal.

    python examples/bot.py http://192.168.1.20:8000 K7QXW --name Robin

It knows no game. The referee lists complete actions in `legal`; the bot posts one of them, with the
version that it saw and an id of its own, so that a line that breaks makes nothing happen twice.
Standard library only: copy this file and make it cleverer in `choose`.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

PATIENCE_S = 30
"""The stream says something at least every ten seconds; silence for longer is a dead line."""

BROKEN = (OSError, http.client.HTTPException)
"""How a line breaks: it is cut, or an answer ends in its middle."""


class Table:
    """A table as one seat sees it. `token` is the seat's key: whoever has it is the seat."""

    def __init__(self, server: str, code: str) -> None:
        self.base = f"{server.rstrip('/')}/api/v1/tables/{code}"
        self.token = ""

    def call(self, path: str = "", body: object = None) -> Any:
        """Call the HTTP interface. Raises urllib.error.HTTPError for a refusal."""
        with self._open(path, body) as answer:
            return json.load(answer)

    def _open(self, path: str, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data)  # noqa: S310  # the server's own
        if data is not None:
            request.add_header("Content-Type", "application/json")
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            return urllib.request.urlopen(request, timeout=PATIENCE_S)  # noqa: S310  # likewise
        except urllib.error.HTTPError as refused:
            refused.close()
            raise

    def changes(self) -> Iterator[dict[str, Any]]:
        """Give the table now, and again whenever something changed for this seat.

        Raises urllib.error.HTTPError when that is refused for good: the table or the seat is gone.
        """
        while True:
            try:
                with self._open("/stream") as lines:
                    for line in lines:
                        if line.startswith(b"data: {"):
                            yield json.loads(line.removeprefix(b"data: "))
            except urllib.error.HTTPError as refused:
                if refused.code in {401, 403, 404}:
                    raise
                time.sleep(1)
            except BROKEN:  # the server restarts, or the Wi-Fi sleeps: what counts comes again
                time.sleep(1)


def choose(legal: list[dict[str, Any]], rng: random.Random) -> dict[str, Any]:
    """Choose an action: a random kind first, so that a thousand bids do not drown one pass."""
    kind = rng.choice(sorted({action["type"] for action in legal}))
    return rng.choice([action for action in legal if action["type"] == kind])


def play(table: Table, *, name: str, rng: random.Random, pause: float = 0.0) -> dict[str, Any]:
    """Take a seat, play until the game is over, and give its result."""
    table.token = table.call("/seats", {"name": name})["token"]
    for seen in table.changes():
        if seen["status"] == "over":
            break
        if seen["legal"]:
            time.sleep(pause)
            act(table, seen, choose(seen["legal"], rng))
    result: dict[str, Any] = table.call("/result")
    return result


def act(table: Table, seen: dict[str, Any], action: dict[str, Any]) -> None:
    """Post an action. Somebody else may have been faster (409): the stream tells what is now.

    After a broken line nobody knows whether it arrived: the same id again counts once.
    """
    body = {"version": seen["version"], "id": secrets.token_hex(8), "action": action}
    while True:
        try:
            table.call("/actions", body)
        except urllib.error.HTTPError as refused:
            if refused.code != 409:  # noqa: PLR2004  # stale
                raise
        except BROKEN:
            time.sleep(1)
            continue
        return


def main() -> None:
    """Play one game and say who won."""
    parser = argparse.ArgumentParser(description="Take a seat at a referee's table and play.")
    parser.add_argument("server", help="such as http://192.168.1.20:8000")
    parser.add_argument("code", help="the table's code")
    parser.add_argument("--name", default="Robin")
    parser.add_argument("--pause", type=float, default=1.0, help="seconds before each action")
    options = parser.parse_args()
    table = Table(options.server, options.code)
    result = play(table, name=options.name, rng=random.Random(), pause=options.pause)
    for score in result["scores"]:
        mark = "*" if score["seat"] in result["winners"] else " "
        print(mark, score["name"], score["total"])


if __name__ == "__main__":
    main()

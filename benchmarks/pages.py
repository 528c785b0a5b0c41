"""The heaviest page of each game: its bytes, and what it costs to draw when nothing is kept."""

from __future__ import annotations

import gzip
import tempfile
import time

import msgspec
from flask import Flask

from benchmarks.scripts import APP, SEATS, script
from referee.web import create_app

LOOK_EVERY = 12
PORT = 8000


def main() -> None:
    """Print one line of JSON a game."""
    for game in SEATS:
        with tempfile.TemporaryDirectory() as folder:
            app = create_app({"DATA": folder, "PORT": PORT})
            print(msgspec.json.encode(_heaviest(app, game)).decode(), flush=True)
            app.extensions["referee"].tables.store.close()


def _heaviest(app: Flask, game: str) -> dict[str, object]:
    """Play a game, look at all its pages now and then, and give the largest of them."""
    tables = app.extensions["referee"].tables
    table, _ = tables.open(game, options=APP, seed="pages")
    client = app.test_client()
    for seat in range(SEATS[game]):
        _, token = tables.lobby.join(table, f"P{seat}")
        client.set_cookie(f"referee_{PORT}_{table.code}_{seat}", token)
    tables.lobby.start(table)
    order = table.ledger.seating.order
    paths = [f"/t/{table.code}"]
    paths += [f"/s/{table.code}/{seat}{end}" for seat in order for end in ("", "/menu")]
    found: list[tuple[int, int, float, str]] = []
    for number, move in enumerate(script(game, "pages").moves):
        seat = table.ledger.seating.order[move.seat]
        tables.play.act(table, seat, move.action, version=move.before, action_id=str(number))
        if number % LOOK_EVERY and table.ledger.status == "playing":
            continue
        for path in paths:
            began = time.perf_counter()
            page = client.get(path).data
            taken = time.perf_counter() - began
            found.append((len(page), len(gzip.compress(page)), taken, path.rpartition("/")[2]))
    size, packed, taken, name = max(found)
    slowest = max(each[2] for each in found[len(paths) :])
    kind = name if name == "menu" else "display" if name == table.code else "phone"
    return {
        "game": game,
        "heaviest_page": kind,
        "bytes": size,
        "packed_bytes": packed,
        "drawn_ms": round(1000 * taken, 1),
        "slowest_page_ms": round(1000 * slowest, 1),
    }


if __name__ == "__main__":
    main()

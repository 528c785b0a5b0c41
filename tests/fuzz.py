"""`make fuzz`: schemathesis over the description of the interface, against a server of its own.

For each game a table in its lobby and one in play, tried with the key of the host and of a seat: a
table that is not there would answer all that was made up with 404.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from referee.games import GAMES
from tests.ports import free_port
from tests.table import APP
from tests.test_server import Server

LIMITS = f"""
import referee.web.security as s
s.MOST_OPENINGS = s.MISSES_A_MINUTE = {10**9}
from referee.cli import main
main()
"""
"""A referee without the limits of what a guest may do, which would end the test at once."""
CHECKS: Final = "not_a_server_error,response_schema_conformance,content_type_conformance"
EXAMPLES: Final = 40


class Place(NamedTuple):
    """A table, and the key with which it is tried."""

    name: str
    code: str
    key: str


def places(server: Server) -> Iterator[Place]:
    """Open the tables that are tried."""
    yield Place("nowhere", "", "")
    for game in GAMES:
        for status in ("lobby", "playing"):
            for role in ("host", "seat"):
                found = server.post("/api/v1/tables", {"game": game, "options": APP})
                where = f"/api/v1/tables/{found['table']}"
                names = ("Ann", "Ben", "Cleo")[: GAMES.meta(game).seats[1]]
                seats = [server.post(f"{where}/seats", {"name": name})["token"] for name in names]
                if status == "playing":
                    server.post(f"{where}/start", {}, found["host_token"])
                key = found["host_token"] if role == "host" else seats[0]
                yield Place(f"{game}, {status}, {role}", found["table"], key)


def tried(server: Server, place: Place, folder: Path, more: list[str]) -> int:
    """Try everything at one table."""
    settings = folder / "schemathesis.toml"
    settings.write_text(f'[parameters]\n"path.table" = "{place.code}"\n' if place.code else "")
    program = Path(sys.executable).with_name("schemathesis")
    command = [str(program), "--config-file", str(settings), "run"]
    command += [server.url("/api/v1/openapi.json"), "--checks", CHECKS]
    command += ["--max-examples", str(EXAMPLES), "--exclude-path-regex", "stream"]
    if place.key:
        command += ["--header", f"Authorization: Bearer {place.key}"]
    hooks = {"SCHEMATHESIS_HOOKS": "tests.fuzz_hooks", "FUZZED": place.code, "KEY": place.key}
    print(f"\n== {place.name}", flush=True)  # noqa: T201  # for who reads
    return subprocess.run(command + more, check=False, env=os.environ | hooks).returncode


def main() -> int:
    """Run it: no answer may be a fault of the server, nor another than is described."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), "serve", "--port", str(free_port()), start=LIMITS)
        try:
            server.wait()
            failed = [
                place.name
                for place in places(server)
                if tried(server, place, Path(folder), sys.argv[1:])
            ]
        finally:
            server.close()
    print(f"\nFailed at: {'; '.join(failed) or 'none'}")  # noqa: T201  # likewise
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

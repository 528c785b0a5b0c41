"""Play the golden journals: whole real games, one for each way a game can end.

`python -m tests.golden.make` from the top of a checkout writes those that are not there yet, and no
other: what is kept was played by earlier versions, as the evenings on people's disks were. What is
played and searched for is in the module named after the game.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import msgspec

from referee import export
from referee.tables import Table, Tables
from tests.golden import desperados, moon_river, winchester

HERE = Path(__file__).parent
GAMES = {
    "winchester": winchester.play_all,
    "desperados": desperados.play_all,
    "moon_river": moon_river.play_all,
}


def keep(tables: Tables, table: Table, name: str) -> None:
    """Write a finished game's journal, with its result, unless there is one of that name."""
    if (HERE / f"{name}.jsonl").exists():
        return
    lines = export.journal(table, tables.store.entries(table.code), None)
    (HERE / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8", newline="\n")
    result = msgspec.json.format(msgspec.json.encode(export.result(table)), indent=2)
    (HERE / f"{name}.result.json").write_bytes(result + b"\n")


def main() -> None:
    """Play them all, or the games named: `python -m tests.golden.make desperados`."""
    with tempfile.TemporaryDirectory() as name:
        for game in sys.argv[1:] or GAMES:
            GAMES[game](Path(name), keep)


if __name__ == "__main__":
    main()

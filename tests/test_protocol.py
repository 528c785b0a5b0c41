"""Every registered game satisfies the protocol: what is missing fails here, not on a page."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from referee.games import GAMES, folder

TOP = Path(__file__).parent.parent
PIECES = (
    "_words.html",
    "_refusals.html",
    "_options.html",
    "_head.html",
    "_player.html",
    "_correct.html",
    "rulings.html",
    "ceremony.html",
    "own_result.html",
    "scene.html",
    "teaser.html",
)
"""Templates that the core includes of every game."""


def held(number: int, package: str) -> list[str]:
    """Write down which types a game's rules and its sides have to have, each as a line of code.

    What is public, what is one's own and what a board is, the rules and boards say themselves. Each
    side is held by itself: the type checker looks into no module inside a module.
    """
    rules = import_module(f"{package}.rules")
    own, protocol, sides = f"{package}.rules", "referee.games.protocol", "referee.games.sides"
    needed = {own, protocol, sides}

    def given(function: Callable[..., Any]) -> str:
        struct = get_type_hints(function)["return"]
        needed.add(struct.__module__)
        return f"{struct.__module__}.{struct.__qualname__}"

    state, action, correction, event = (
        f"{own}.{name}" for name in ("State", "Action", "Correction", "Event")
    )
    public, private = given(rules.public), given(rules.own)
    types = {
        own: f"{protocol}.GameOf[{state}, {action}, {correction}, {event}, {public}, {private}]",
        f"{own}.screens": f"{sides}.ScreensOf[{public}, {private}, {action}, {event}]",
        f"{own}.forms": f"{sides}.Forms",
    }
    if rules.boards is not None:
        board = given(rules.boards.read_board)
        types[f"{own}.boards"] = f"{sides}.BoardsOf[{state}, {board}]"
    if rules.telling is not None:
        types[f"{own}.telling"] = f"{protocol}.TellingOf[{state}]"
    lines = [f"import {module}" for module in sorted(needed)]
    held = (f"held_{number}_{at}: {kind} = {side}" for at, (side, kind) in enumerate(types.items()))
    return [*lines, *held]


def checked(name: str, tmp_path: Path, lines: Iterable[str]) -> subprocess.CompletedProcess[str]:
    """Let the type checker read some lines with the project's own settings.

    What it knows of our modules it keeps under a name: it reads those again that changed since.
    """
    file = tmp_path / f"{name}.py"
    file.write_text("\n".join([*lines, ""]), encoding="utf-8")
    command = (
        *(sys.executable, "-m", "mypy", "--config-file", str(TOP / "pyproject.toml")),
        *("--cache-dir", str(TOP / ".pytest_cache" / "mypy" / name), str(file)),
    )
    return subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False)


def test_every_game_satisfies_the_protocol(tmp_path: Path) -> None:
    """Its rules, and each of its sides, which take just what its rules give."""
    packages = [GAMES.package(key) for key in GAMES] + ["tests.toy"]
    lines = [line for number, package in enumerate(packages) for line in held(number, package)]
    told = checked("held", tmp_path, lines)

    assert told.returncode == 0, told.stdout


WRONG = (
    "one: ScreensOf[Public, Own, Action, Event] = winchester.forms",
    "two: ScreensOf[State, Own, Action, Event] = winchester.screens",
    "three: ScreensOf[Public, Own, Action, Event] = desperados.screens",
    "four: BoardsOf[State, Public] = winchester.boards",
    "five: GameOf[State, Action, Correction, Event, Own, Own] = winchester",
)


def test_a_game_that_lacks_a_piece_fails_type_checking(tmp_path: Path) -> None:
    """Or one whose pieces do not fit each other; else the test above would prove nothing."""
    lines = (
        "from referee.games.desperados import rules as desperados",
        "from referee.games.protocol import GameOf",
        "from referee.games.sides import BoardsOf, ScreensOf",
        "from referee.games.winchester import rules as winchester",
        "from referee.games.winchester.rules import Action, Correction, Event, State",
        "from referee.games.winchester.view import Own, Public",
    )
    told = checked("wrong", tmp_path, (*lines, *WRONG))

    found = {int(line.split(":")[1]) for line in told.stdout.splitlines() if ": error:" in line}
    assert found == {*range(len(lines) + 1, len(lines) + len(WRONG) + 1)}


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("piece", PIECES)
def test_every_game_brings_its_templates(key: str, piece: str) -> None:
    """In its folder among the templates, or beside its rules."""
    own = folder(GAMES.package(key)) / "templates" / piece

    assert (TOP / "templates" / key / piece).exists() or own.exists()


def test_the_options_of_components_are_the_components() -> None:
    """A lobby knows them without the rules, which have the same list as a type."""
    from referee.games.winchester.options import COMPONENTS  # noqa: PLC0415  # loads the rules

    switches = [o.key for o in GAMES.meta("winchester").options if o.values[0] == "preset"]
    assert switches == [*COMPONENTS]

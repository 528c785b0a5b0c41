"""Every registered game satisfies the protocol: what is missing fails here, not on a page."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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


def types(tmp_path: Path, *packages: str) -> subprocess.CompletedProcess[str]:
    """Hold games against the protocol with the project's own settings of the type checker."""
    held = tmp_path / "held.py"
    lines = ["from referee.games.protocol import Game", "import referee.games"]
    for number, package in enumerate(packages):
        lines += [f"import {package}.rules", f"game_{number}: Game = {package}.rules"]
    held.write_text("\n".join([*lines, ""]), encoding="utf-8")
    command = (
        *(sys.executable, "-m", "mypy", "--config-file", str(TOP / "pyproject.toml")),
        *("--cache-dir", str(tmp_path / "cache"), str(held)),
    )
    return subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False)


def test_every_game_satisfies_the_protocol(tmp_path: Path) -> None:
    """Rules, screens, forms, boards and the public view, as the type checker sees them."""
    checked = types(tmp_path, *(GAMES.package(key) for key in GAMES))

    assert checked.returncode == 0, checked.stdout


def test_a_game_that_lacks_a_piece_fails_type_checking(tmp_path: Path) -> None:
    """Or the test above would prove nothing."""
    package = tmp_path / "halfgame"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "rules.py").write_text("STAGE = 1\n", encoding="utf-8")
    held = tmp_path / "held.py"
    lines = ("from halfgame import rules", "from referee.games.protocol import Screens")
    held.write_text("\n".join([*lines, "s: Screens = rules", ""]), encoding="utf-8")
    command = (sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache"), str(held))
    checked = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert checked.returncode == 1
    assert "Screens" in checked.stdout


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

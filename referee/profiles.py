"""Board profiles: TOML files beside each game's rules, and what a box's owner taught."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from referee.errors import MalformedAction
from referee.games import GAMES

PRACTICE = "practice"


class Drawing(dict[str, Any]):
    """How a board is drawn. There is one of each, so what is drawn on it can be kept by it."""

    def __init__(self, drawn: Mapping[str, Any]) -> None:
        inner = {k: Drawing(v) if isinstance(v, dict) else v for k, v in drawn.items()}
        super().__init__(inner)
        # Templates look for an attribute before an item, once a place on the map.
        vars(self).update(inner)

    __hash__ = object.__hash__  # type: ignore[assignment]  # a dict has none


@cache
def load(game: str, name: str) -> dict[str, Any]:
    """Give a shipped profile as parsed TOML, empty for a game without a board to learn.

    Callers must not change it. `name` is the file's stem, such as "practice". Raises
    FileNotFoundError for an unknown one.
    """
    if GAMES[game].boards is None:
        return {}
    source = files(GAMES.package(game)) / f"{name}.toml"
    profile = tomllib.loads(source.read_text(encoding="utf-8"))
    if "drawing" in profile:
        profile["drawing"] = Drawing(profile["drawing"])
    return profile


def name_of(options: Mapping[str, str]) -> str:
    """Name the profile that a table's options ask for: the practice board, or the box's edition."""
    if options.get("board") == PRACTICE:
        return PRACTICE
    return options.get("edition", "box")


def board(
    game: str, options: Mapping[str, str], facts: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Give the board a game starts with: the shipped profile and what its owner taught."""
    profile = load(game, name_of(options))
    drawn = {key: value for key, value in profile.items() if key != "drawing"}
    return drawn | {"facts": dict(facts)} if facts and not profile.get("practice") else drawn


def write(game: str, name: str, facts: Mapping[str, str]) -> str:
    """Write what an owner taught as TOML, to be shared with others who own the same box."""
    lines = [f"{json.dumps(fact)} = {json.dumps(value)}" for fact, value in facts.items()]
    head = [
        "# What one owner read off their board.",
        f"game = {json.dumps(game)}",
        f"board = {json.dumps(name)}",
    ]
    return "\n".join([*head, "", "[facts]", *lines, ""])


def read(text: str, game: str, name: str) -> dict[str, str]:
    """Read such a file. Raises MalformedAction for anything else, or another board's."""
    try:
        profile = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also a number too long, or too deep a nest
        raise MalformedAction("not_a_profile") from error
    facts = profile.get("facts", {})
    if (profile.get("game"), profile.get("board")) != (game, name):
        raise MalformedAction("other_profile", game=game, board=name)
    if not isinstance(facts, dict) or not all(isinstance(v, str) for v in facts.values()):
        raise MalformedAction("not_a_profile")
    return facts

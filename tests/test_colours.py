"""What differs by its colour differs by a shape or a word too; what moves may stand still."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from typing import Final

import pytest
from flask import Flask

from referee.seating import COLOURS
from referee.web.render import here

STATIC: Final = here("static")
COLOUR: Final = re.compile(r"^(color|fill|stroke|background|background-color|border-color)$")
CURVE: Final = ".fortunes .seat-{} polyline:last-child"
PAIRS: Final = (
    ("desperados/game.css", ".country .ahead.brown", ".country .ahead.blue"),
    ("desperados/game.css", ".key.poker", ".key.coach"),
    ("desperados/game.css", ".key.poker", ".key.bank"),
    ("desperados/game.css", ".key.coach", ".key.bank"),
    ("winchester/display.css", ".key.cash", ".key.objectives"),
    ("winchester/display.css", ".key.cash", ".key.bonus"),
    ("winchester/display.css", ".key.objectives", ".key.bonus"),
)
"""Marks in a drawing that only their style tells apart."""


def looks(path: str, selector: str) -> dict[str, str]:
    """Give what a stylesheet says of a mark, but for its colours."""
    text = re.sub(r"/\*.*?\*/", "", (STATIC / path).read_text(), flags=re.DOTALL)
    found: dict[str, str] = {}
    for names, body in re.findall(r"([^{}]+)\{([^{}]*)\}", text):
        if selector in {name.strip() for name in names.split(",")}:
            found |= dict(re.findall(r"([\w-]+):\s*([^;]+)", body))
    assert found, selector
    return {name: value for name, value in found.items() if not COLOUR.match(name)}


@pytest.mark.parametrize(("path", "one", "other"), PAIRS)
def test_marks_of_a_style_differ_by_more_than_their_colour(path: str, one: str, other: str) -> None:
    """A stroke, a corner or a height."""
    assert looks(path, one) != looks(path, other)


def test_curves_of_seats_are_strokes_of_their_own() -> None:
    """Each seat's, for they cross each other; at their end stands the seat's shape and letter."""
    strokes = [
        looks("css/display.css", CURVE.format(colour))["stroke-dasharray"] for colour in COLOURS[1:]
    ]
    assert len({"none", *strokes}) == len(COLOURS)


def drawn(app: Flask, template: str, call: str) -> str:
    """Draw a macro, and leave out what only colours it."""
    environment, shared = app.extensions["referee"].renderer._of("en")  # noqa: SLF001  # macros are no page
    source = f'{{% from "{template}" import {call.partition("(")[0]} %}}{{{{ {call} }}}}'
    html = environment.from_string(source, globals=shared).render()
    return re.sub(r' class="[^"]*"|<title>.*?</title>|<b class="sr">.*?</b>', "", html)


@pytest.mark.parametrize(
    ("template", "macro", "kinds"),
    [
        ("desperados/_country.html", "coach('{}', 0, 0)", ("brown", "blue")),
        ("desperados/words/timetable.html", "coach_mark('{}')", ("brown", "blue")),
        (
            "_ui.html",
            "shape('{}')",
            ("circle", "square", "triangle", "diamond", "hexagon", "cross"),
        ),
    ],
)
def test_pieces_are_drawn_in_shapes_of_their_own(
    app: Flask, template: str, macro: str, kinds: tuple[str, ...]
) -> None:
    """Without any colour no two of them are the same drawing."""
    shapes = [drawn(app, template, macro.format(kind)) for kind in kinds]
    for one, other in combinations(shapes, 2):
        assert one != other


def test_bars_and_stops_have_shapes_of_their_own() -> None:
    """The pieces of a ceremony's bars, and the two coaches' numbered stops on the map."""
    top = here("templates")
    for game in ("winchester", "desperados"):
        text = (top / game / "ceremony.html").read_text()
        pieces = re.findall(r'y="(\d+)" height="(\d+)"( rx)?', text.partition("bars")[2])
        assert len(set(pieces)) == 3
    stops = (top / "desperados/words/country.html").read_text().partition('class="stop')[2]
    assert re.search(r"kind == 'brown' %}<circle .*?{% else %}<path", stops)


CALM: Final = re.compile(
    r"@media \(prefers-reduced-motion: no-preference\) \{(?:[^{}]*\{[^{}]*\})*\s*\}"
)
MOVES: Final = re.compile(r"[^{}]*\{[^{}]*\b(?:animation|transition):[^{}]*\}")


@pytest.mark.parametrize("path", sorted(STATIC.rglob("*.css")), ids=lambda path: path.name)
def test_nothing_moves_for_whoever_wants_no_motion(path: Path) -> None:
    """Only where nobody asked for less does a stylesheet move anything; scripts ask the same.

    A word that appears after a while, all at once, is no motion.
    """
    found = MOVES.findall(CALM.sub("", path.read_text()))
    assert [each.strip() for each in found if " 0s " not in each] == []

"""Parts in pieces: a page that takes them is sent those that changed, and shows the same."""

from __future__ import annotations

import re
import weakref
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from markupsafe import Markup
from msgspec import Struct

from benchmarks.scripts import APP, SEATS, script
from referee.games.base import IDLE, InPieces, Piece
from referee.web import sketchbook
from referee.web.pieces import Cutter, Holes, Part, Pieces
from referee.web.site import Site
from tests.table import app_at, deal


def test_only_pieces_that_changed_are_given() -> None:
    """Where what stands around them changed, or their number, the part is sent whole."""
    was = Pieces(["<ol>", "", "</ol>"], ["<li id=a>1</li>", "<li id=b>2</li>"])
    now = Pieces(["<ol>", "", "</ol>"], ["<li id=a>1</li>", "<li id=b>3</li>"])

    assert now == "<ol><li id=a>1</li><li id=b>3</li></ol>"
    assert now.since(was) == "<li id=b>3</li>"
    assert now.since(Pieces(["<ul>", "", "</ul>"], was.pieces)) is None
    assert now.since(Pieces(["<ol>", "</ol>"], was.pieces[:1])) is None
    assert now.since(Pieces(now.around, now.pieces[::-1])) is None
    assert now.since(str(was)) is None
    assert now.since(None) is None


def test_a_piece_that_no_page_could_find_is_never_sent_alone() -> None:
    """A drawing that several parts show is held once, and has no id."""
    was = Pieces(["<p>", "", "</p>"], ["<svg>1</svg>", "<b id=a>1</b>"])

    def now(code: str, number: int) -> Pieces:
        return Pieces(was.around, [f"<svg>{code}</svg>", f"<b id=a>{number}</b>"])

    assert now("1", 2).since(was) == "<b id=a>2</b>"
    assert now("2", 1).since(was) is None


@pytest.mark.parametrize(
    ("new", "old", "is_there"),
    [
        ("<b id=a>2</b>", "<b id=a>1</b>", True),
        ("<b id=a class=new>2</b>", "<b id=a>1</b>", True),
        ("<b id=a>2</b>", "<b id=ab>1</b>", False),
        ("<b><i id=a>2</i></b>", "<b><i id=b>1</i></b>", False),
        ("<b><i id=a>2</i></b>", "<b><i id=a>1</i></b>", True),
    ],
)
def test_a_piece_goes_where_the_one_before_was(new: str, old: str, *, is_there: bool) -> None:
    """It is found by its id, whatever else its first tag says, and wherever that id stands."""
    was = Pieces(["<p>", "</p>"], [old])

    assert Pieces(["<p>", "</p>"], [new]).since(was) == (new if is_there else None)


def test_what_reads_the_same_is_the_same() -> None:
    """However it is cut, and whether it is in pieces at all."""
    part = Pieces(["<p>", "</p>"], [Markup("<b id=a>1</b>")])

    assert part == Pieces(["<p>", "</p>"], [Pieces(["<b id=a>1", "</b>"], [""])])
    assert part == Pieces(["<p><b id=a>1</b>", "</p>"], [""])
    assert part == Markup("<p><b id=a>1</b></p>")
    assert part != Pieces(["<p>", "</p>"], [Markup("<b id=a>2</b>")])
    assert part is not None
    assert Markup("<i>{}</i>").format(part) == "<i><p><b id=a>1</b></p></i>"


def test_of_a_piece_with_pieces_those_that_changed_are_given() -> None:
    """What belongs into a drawing comes in one, for it is read as a part of one only there."""
    inner = ["<g id=sky>1</g>", "<g id=sea>2</g>"]
    was = Pieces(["<svg id=a>", "", "</svg>"], inner)
    now = Pieces(["<svg id=a>", "", "</svg>"], [inner[0], "<g id=sea>3</g>"])
    other = Pieces(["<svg id=a class=b>", "", "</svg>"], now.pieces)

    def part(piece: str) -> Pieces:
        return Pieces(["<p>", "</p>"], [piece])

    assert part(now).since(part(was)) == "<svg><g id=sea>3</g></svg>"
    assert part(other).since(part(was)) == other


def test_what_changed_is_looked_for_once_and_no_drawing_keeps_all_before_it() -> None:
    """Pages that show the same are told the same; what is shown no more is let go."""
    was = Pieces(["<p>", "</p>"], ["<b id=a>0</b>"])
    first = weakref.ref(was)
    for number in range(1, 4):
        now = Pieces(["<p>", "</p>"], [f"<b id=a>{number}</b>"])
        told = now.since(was)
        assert told == f"<b id=a>{number}</b>"
        assert now.since(was) is told
        assert now.since(None) is None
        assert now.since(was) == told
        was = now
    assert first() is None


def test_a_template_says_where_its_pieces_go() -> None:
    """One that has none stays a part as any other."""

    def draw(piece: Piece) -> Markup:
        return Markup("<{0}>{1}{2}</{0}>").format(
            piece.name, piece.value, "=" if piece.alike else ""
        )

    cutter = Cutter(draw)
    drawn = Markup("<p>{}{}</p>").format(cutter("b", "<1>"), cutter("i", 2, alike=True))
    whole = cutter.whole(drawn)

    assert whole == "<p><b>&lt;1&gt;</b><i>2=</i></p>"
    assert isinstance(whole, Pieces)
    assert whole.pieces == ("<b>&lt;1&gt;</b>", "<i>2=</i>")
    assert type(Cutter(draw).whole(drawn)) is Markup


def test_what_stands_around_pieces_says_where_each_goes() -> None:
    """By its name, in the order of the pieces; whatever else it names is a fault of ours."""
    holes = Holes()
    drawn = Markup("<p>{}</p>{}").format(holes("b"), holes("i"))

    assert holes.around(drawn, [Piece("b", 1), Piece("i", 2)]) == ("<p>", "</p>", "")
    with pytest.raises(ValueError, match="b"):
        holes.around(drawn, [Piece("i", 2), Piece("b", 1)])


class Row(Struct, frozen=True):
    """A value of a piece."""

    seat: int
    count: int = 0


class Rows(InPieces, frozen=True):
    """Pieces, and one value around them."""

    word: str
    rows: tuple[Row, ...]

    @property
    def around(self) -> Row:
        """Give the value."""
        return Row(len(self.word))

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Give the pieces."""
        return tuple(Piece("row", row) for row in self.rows)


def test_only_what_changed_is_drawn_again(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither what stands around pieces, nor a piece of the same value, wherever it is kept."""
    here: Site = app.extensions["referee"]
    frame = here.parts.frame(deal(here.tables), None, "en")
    asked: list[str] = []

    def rendered(template: str, _: str, context: Any) -> Markup:
        asked.append(template.removeprefix("winchester/"))
        if template.endswith("_rows.html"):
            return Markup("<ol>{}{}</ol>").format(context["piece"]("row"), context["piece"]("row"))
        return Markup("<li id=r{}>{}</li>").format(context["p"].seat, context["p"].count)

    monkeypatch.setattr(here.renderer, "render", rendered)
    book = sketchbook.Sketchbook(here.renderer)

    first = book.part("rows", frame, Rows("a", (Row(1), Row(2))))
    assert asked == ["_rows.html", "_row.html", "_row.html"]
    book._pieces = sketchbook.Drawings(1)  # noqa: SLF001  # as after two rounds of other pieces
    then = book.part("rows", frame, Rows("b", (Row(1), Row(2, 1))))

    assert asked[3:] == ["_row.html"]
    assert isinstance(then, Pieces)
    assert then == "<ol><li id=r1>0</li><li id=r2>1</li></ol>"
    assert then.since(first) == "<li id=r2>1</li>"


class Nothing(Struct, frozen=True, tag=IDLE):
    """What is asked of whoever waits."""


def test_what_is_asked_no_more_is_let_go(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """A form is large, and the next question is another one; what is in pieces has most of it."""
    here: Site = app.extensions["referee"]
    frame = here.parts.frame(deal(here.tables), None, "en")
    book = sketchbook.Sketchbook(here.renderer)

    def rendered(_template: str, _lang: str, context: Any) -> Markup:
        piece = context["piece"]
        in_pieces = isinstance(piece, Holes) and context["p"] == Row(1)
        return piece("row") + piece("row") if in_pieces else Markup("<p>")

    def kept() -> set[str]:
        return {name for name, _ in book._last}  # noqa: SLF001  # memory is seen from nowhere else

    monkeypatch.setattr(here.renderer, "render", rendered)
    book.questions("ask", frame, (Row(1), Rows("a", (Row(1), Row(2)))))
    assert kept() == {"ask", "ask 0", "ask 1"}
    book.questions("ask", frame, (Nothing(), Nothing()))
    assert kept() == {"ask", "ask 1", IDLE}


def test_what_was_drawn_before_the_seats_changed_is_let_go(app: Flask) -> None:
    """In the lobby each who sits down gives every page other surroundings."""
    here: Site = app.extensions["referee"]
    table, _ = here.tables.open("winchester", options=APP)
    for number in range(3):
        here.tables.lobby.join(table, f"P{number}")
        for viewer in (*table.ledger.seating.order, None):
            for lang in ("en", "de"):
                here.parts.frame(table, viewer, lang)

    frames = here.parts._books[table.code].frames  # noqa: SLF001  # memory is seen from nowhere else
    assert len(frames) == 8
    assert {len(frame.seats) for frame in frames.values()} == {3}


def test_a_join_code_is_held_once_by_all_that_shows_it(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is the largest drawing of a table at rest."""
    here: Site = app.extensions["referee"]
    table = deal(here.tables)
    monkeypatch.setattr(here.place, "fixed_url", "http://192.0.2.1:8000")
    code = here.place.join_card(table.code).qr
    drawn = here.parts.draw(table, here.parts.frame(table, None, "en"))

    for name in ("join", "invite"):
        part = drawn[name]
        assert isinstance(part, Pieces)
        assert [piece is code for piece in part.pieces] == [True]
        assert str(part).count(str(code)) == 1


def drawings(game: str, folder: Path) -> Iterator[list[tuple[str, Part]]]:
    """Play a game, and give all parts of all its pages as they are drawn every few actions."""
    with app_at(folder) as app:
        here: Site = app.extensions["referee"]
        table, _ = here.tables.open(game, options=APP, seed="pieces")
        for number in range(SEATS[game]):
            here.tables.lobby.join(table, f"P{number}")
        here.tables.lobby.start(table)
        for number, move in enumerate(script(game, "pieces").moves[:120]):
            seat = table.ledger.seating.order[move.seat]
            here.tables.play.act(
                table, seat, move.action, version=move.before, action_id=str(number)
            )
            if table.ledger.status != "playing":
                return
            found: list[tuple[str, Part]] = []
            for viewer in (*table.ledger.seating.order, None):
                parts = here.parts.draw(table, here.parts.frame(table, viewer, "en"))
                found += [(f"{viewer} {name}", html) for name, html in parts.items()]
            yield found


@pytest.mark.long
@pytest.mark.parametrize("game", [*SEATS])
def test_every_piece_is_one_element_with_an_id_of_its_own(game: str, tmp_path: Path) -> None:
    """By which a page finds what it replaces; and most changes are one of a piece."""
    pieced = whole = 0
    for before, after in pairwise(drawings(game, tmp_path)):
        was = dict(before)
        for name, html in after:
            is_code = name.endswith((" join", " invite"))
            if not isinstance(html, Pieces) or name not in was or is_code:
                continue
            texts = [str(piece) for piece in html.pieces]
            roots = [re.match(r'\s*<(\w+) id="([\w-]+)"', piece) for piece in texts]
            ends = [re.search(r"</(\w+)>\s*$", piece) for piece in texts]
            assert [root and root[1] for root in roots] == [end and end[1] for end in ends]
            assert len({root[2] for root in roots if root}) == len(html.pieces)
            if was[name] != html:
                pieced += html.since(was[name]) is not None
                whole += html.since(was[name]) is None
    assert pieced > 3 * whole

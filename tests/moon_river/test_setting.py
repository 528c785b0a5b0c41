"""What lies on the table is set right on the pages: a reserve, a row, the rows laid."""

from __future__ import annotations

import random

import pytest
from flask import Flask

from referee.errors import MalformedAction
from referee.games.moon_river import setting
from referee.games.moon_river.model import Tile
from tests.forms import Form, forms_of
from tests.table import Evening


def evening(app: object, *, seats: int = 3, **options: str) -> Evening:
    """Play a game until tiles lie in reserves and two rows are laid."""
    game = Evening(app, game="moon_river", seats=seats, **options).start()  # type: ignore[arg-type]  # an app
    game.play(random.Random(3), until="choosing")
    game.play(random.Random(4), most=20)
    game.play(random.Random(5), until="choosing")
    return game


def form_of(game: Evening, what: str) -> Form:
    """Find the form of a correction on the host's page."""
    page = game.laptop.get(f"/t/{game.code}/host").text
    return next(form for form in forms_of(page) if ("what", what) in form.fixed)


def send(game: Evening, form: Form, **chosen: str) -> None:
    """Fill some fields in, leave the others as they are, and let the host send it."""
    fields = {choice.name: choice.values[0] for choice in form.choices} | dict(form.fixed) | chosen
    fields.pop("version")
    answer = game.correct(fields)
    assert answer.status_code == 303, answer.text


def held(form: Form, start: str) -> str:
    """Give what the form says lies at a place."""
    choice = next(choice for choice in form.choices if choice.name == "held")
    return next(value for value in choice.values if value.startswith(start))


def test_a_tile_of_a_reserve_is_set_right(app: Flask) -> None:
    """Another landscape has none of the old symbols; a tile comes, a tile goes."""
    game = evening(app)
    seat = next(n for n, r in enumerate(game.table.ledger.state.ranches) if r.reserve)
    form = form_of(game, "reserve")
    was = game.table.ledger.state.ranches[seat].reserve
    land = "corn" if was[0].landscape != "corn" else "forest"
    send(game, form, held=held(form, f"{seat}~0~"), landscape=land, cattle="1", skull="yes")
    now = game.table.ledger.state.ranches[seat].reserve
    assert now == (Tile(was[0].number, land, cattle=1, skull=True), *was[1:])

    form = form_of(game, "reserve")
    more = {"number": "4", "landscape": "canyon", "gold": "1"}
    send(game, form, held=held(form, f"{seat}~{len(was)}~"), **more)
    assert game.table.ledger.state.ranches[seat].reserve == (*now, Tile(4, "canyon", gold=1))

    form = form_of(game, "reserve")
    send(game, form, held=held(form, f"{seat}~0~"), landscape="none")
    kept = (*now[1:], Tile(4, "canyon", gold=1))
    assert game.table.ledger.state.ranches[seat].reserve == kept


def test_a_place_of_a_row_is_set_right(app: Flask) -> None:
    """A symbol, a rancher on another tile, and a place that is empty."""
    game = evening(app)
    row = game.table.ledger.state.next
    free = next(n for n, spot in enumerate(row) if spot.rancher is None and not spot.is_gone)
    form = form_of(game, "row")
    send(game, form, held=held(form, f"next~{free}~"), circle="yes", number="2")
    spot = game.table.ledger.state.next[free]
    assert (spot.tile.number, spot.tile.circle) == (2, True)
    assert spot.tile.landscape == row[free].tile.landscape

    form = form_of(game, "row")
    send(game, form, held=held(form, f"next~{free}~"), landscape="none")
    assert game.table.ledger.state.next[free].is_gone


def test_where_turns_alone_are_tracked_a_tile_is_one_nobody_told(app: Flask) -> None:
    """One more, one less; no landscape is asked for. Nothing changes the rows by itself."""
    game = evening(app, tracking="draft")
    state = game.table.ledger.state
    seat = next(n for n, r in enumerate(state.ranches) if r.reserve)
    count, form = len(state.ranches[seat].reserve), form_of(game, "reserve")
    assert {choice.name for choice in form.choices} == {"held", "landscape"}
    send(game, form, held=held(form, f"{seat}~{count}~"), landscape="unknown")
    assert game.table.ledger.state.ranches[seat].reserve[-1] is None

    rows = form_of(game, "round")
    assert f'value="{state.rows}"' in game.laptop.get(f"/t/{game.code}/host").text
    send(game, rows, rows=str(state.rows))
    assert game.table.ledger.state.rows == state.rows


def row(place: int, **chosen: str) -> list[tuple[int | None, bool]]:
    """Give who stands where, and where nothing lies, once a row was set right: Ann, Bob, a tile."""
    fields = {name: [value] for name, value in chosen.items()}
    lies = "1-corn-0-0-1-0-0-0"
    written = f"next~{place}~{lies}/0/0;{lies}/1/0;{lies}//0;none//1"
    raw = setting.row(fields | {"held": [written]})
    assert [spot["rancher"] for spot in raw["was"]] == [0, 1, None, None]
    return [(spot["rancher"], spot["is_gone"]) for spot in raw["spots"]]


def test_a_rancher_is_moved_to_where_she_stands() -> None:
    """She leaves her other place to whoever was thought to stand there."""
    assert row(2, rancher="0") == [(None, False), (1, False), (0, False), (None, True)]
    assert row(1, rancher="0") == [(1, False), (0, False), (None, False), (None, True)]
    assert row(1, rancher="1") == [(0, False), (1, False), (None, False), (None, True)]
    assert row(2, rancher="2") == [(0, False), (1, False), (2, False), (None, True)]


def test_a_tile_that_comes_needs_its_number() -> None:
    """Without it no row could be sorted; one that nobody tells has none."""
    with pytest.raises(MalformedAction):
        row(3, landscape="corn")
    with pytest.raises(MalformedAction):
        setting.reserve({"held": ["0~0~"], "landscape": ["corn"]})
    assert setting.reserve({"held": ["0~0~"], "landscape": ["unknown"]})["tiles"] == [None]
    raw = setting.reserve({"held": ["0~0~"], "landscape": ["corn"], "number": ["3"]})
    assert raw["tiles"] == [{"number": 3, "landscape": "corn"}]
    assert raw["was"] == []


def test_nobody_is_offered_while_all_ranchers_are_known(app: Flask) -> None:
    """A rancher is only ever somewhere else; a page that is older than the table is refused."""
    game = evening(app)
    form = form_of(game, "row")
    assert "none" not in next(c.values for c in form.choices if c.name == "rancher")
    place = held(form, "next~0~")
    send(game, form, held=place, number="6")
    fields = {"what": "row", "held": place, "number": "5"}
    answer = game.correct(fields)
    assert answer.status_code == 422
    assert "Something else lies there by now" in answer.text


def a_laid_tile(game: Evening) -> tuple[int, int]:
    """Play on until a domino lies in a ranch; give whose, and a cell of it."""
    while True:
        for seat, ranch in enumerate(game.table.ledger.state.ranches):
            for at, cell in enumerate(ranch.cells):
                if cell is not None:
                    return seat, at
        game.play(random.Random(6), most=5)


def test_a_cell_that_somebody_else_set_right_meanwhile_is_not_written_over(app: Flask) -> None:
    """Two fill in the same form; the second has not seen what the first one changed."""
    game = evening(app)
    seat, at = a_laid_tile(game)
    form = form_of(game, "cell")
    cell = next(c for c in form.choices if c.name == "cell")
    place = next(value for value in cell.values if value.startswith(f"{seat}-{at}-"))
    send(game, form, cell=place, landscape="forest", cattle="3")
    answer = game.correct({"what": "cell", "cell": place, "landscape": "corn"})
    assert answer.status_code == 422
    assert "Something else lies there by now" in answer.text
    now = game.table.ledger.state.ranches[seat].cells[at]
    assert (now.tile.landscape, now.cattle) == ("forest", 3)


PROPOSED = (
    {"what": "cell", "cattle": "2"},
    {"what": "cell", "cattle": "0", "partner": "none"},
    {"what": "cell", "cattle": "1", "partner": "farmer"},
    {"what": "cell", "landscape": "none"},
    {"what": "reserve", "landscape": "corn", "number": "4"},
    {"what": "reserve", "landscape": "none"},
    {"what": "row", "circle": "yes"},
    {"what": "tables", "tables": "farmer"},
    {"what": "round", "rows": "3"},
    {"what": "tracking", "tracking": "draft"},
)
"""What somebody asks the table to set right."""


@pytest.mark.parametrize("chosen", PROPOSED, ids=lambda chosen: "-".join(chosen.values()))
def test_what_is_asked_of_the_table_is_read_on_every_screen(
    app: Flask, chosen: dict[str, str]
) -> None:
    """While others think about it, and in the log once it is agreed."""
    game = evening(app, seats=2)
    rng = random.Random(6)
    while not any(game.table.ledger.state.ranches[0].cells):
        game.play(rng, most=1)
    game.play(rng, until="choosing")
    state = game.table.ledger.state
    at = next(n for n, cell in enumerate(state.ranches[0].cells) if cell)
    seat = next((n for n, ranch in enumerate(state.ranches) if ranch.reserve), 0)
    free = next(n for n, s in enumerate(state.next) if s.rancher is None and not s.is_gone)
    lies = {"cell": f"0-{at}-", "reserve": f"{seat}~0~", "row": f"next~{free}~"}
    form = form_of(game, chosen["what"])
    fields = dict(form.fixed) | chosen
    for choice in form.choices:
        if choice.name in {"cell", "held"}:
            start = lies[chosen["what"]]
            fields[choice.name] = next(v for v in choice.values if v.startswith(start))
    fields.pop("version", None)
    assert game.correct(fields, 0).status_code == 303
    screens = [(game.laptop, f"/t/{game.code}"), (game.phones[0], game.seat(0))]
    screens += [(game.phones[1], game.seat(1, path)) for path in ("", "/menu")]
    for phone, page in screens:
        assert phone.get(page).status_code == 200, page
    proposal = game.table.ledger.proposal
    assert proposal is not None
    answer = game.phones[1].post(
        game.seat(1, "/ask"), {"number": str(proposal.number), "agree": "yes"}
    )
    assert answer.status_code in {204, 303}, answer.text
    assert game.table.ledger.proposal is None
    for phone, page in screens:
        assert phone.get(page).status_code == 200, page


def test_a_saloon_that_filled_up_meanwhile_is_not_written_over(app: Flask) -> None:
    """Whoever sits there is set right from what was seen to sit there, unknown ones too."""
    game = evening(app)
    form = form_of(game, "tables")
    sits = {"what": "tables", "held": dict(form.fixed)["held"]}
    assert game.correct(sits | {"tables": "farmer"}).status_code == 303
    assert game.table.ledger.state.tables == ("farmer",)
    answer = game.correct(sits | {"tables": "rustler"})
    assert answer.status_code == 422
    assert game.table.ledger.state.tables == ("farmer",)
    assert setting.tables({"tables": ["empty"], "held": ["empty"]})["was"] == []
    assert setting.tables({"tables": ["", "empty"], "held": [""]})["was"] == [None]


@pytest.mark.parametrize("wrong", ["", "0", "0-x", "0-0-1-corn"])
def test_a_cell_that_no_page_names_cannot_be_read(wrong: str) -> None:
    """It is refused as unreadable, and breaks nothing."""
    with pytest.raises(MalformedAction):
        setting.cell({"cell": [wrong], "landscape": ["corn"]})


@pytest.mark.parametrize("wrong", ["", "0", "0~9~none", "0~0~1-desert", "0~x~none"])
def test_what_no_page_sends_cannot_be_read(wrong: str) -> None:
    """It is refused as unreadable, not as a rule."""
    with pytest.raises(MalformedAction):
        setting.reserve({"held": [wrong], "landscape": ["corn"]})

"""Every page of a table, in every language, as the game goes on."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from referee.entries import SeatId
from referee.games.moon_river.model import CATTLE, TABLES, Tile
from referee.games.moon_river.strip import Tally
from referee.telling import told_lines
from referee.web.frame import Frame, tag_of
from referee.web.moments import moments
from referee.web.sketchbook import Sketchbook
from tests.forms import forms_of
from tests.table import Evening, app_at, tables_of


def look(evening: Evening) -> None:
    """Open every page of everybody; none may fail."""
    for seat, phone in enumerate(evening.phones):
        for rest in ("?open=1", "/menu", "/rules"):
            page = phone.get(evening.seat(seat, rest))
            assert page.status_code == 200, page.text
    for rest in ("", "/host"):
        page = evening.laptop.get(f"/t/{evening.code}{rest}")
        assert page.status_code == 200, page.text


def going_on(evening: Evening) -> set[str]:
    """Name the phase, and what everybody looks up for."""
    ledger, game = evening.table.ledger, evening.table.game
    return {
        game.public(ledger.state).phase,
        *map(tag_of, moments(ledger.log.lines, game.screens).newest),
    }


@pytest.mark.long
@pytest.mark.parametrize(
    ("lang", "seats", "options"),
    [
        ("en", 2, {"boards": "wild_west", "scenario": "random"}),
        ("de", 3, {}),
        ("fr", 4, {"preset": "boxed", "board": "owned"}),
        ("de", 3, {"preset": "boxed", "board": "owned", "tracking": "draft"}),
        ("fr", 2, {"tracking": "score"}),
    ],
)
def test_every_page_of_a_game_is_drawn(
    app: Flask, lang: str, seats: int, options: dict[str, str]
) -> None:
    """In every phase that random play comes to, to the end."""
    evening = Evening(app, game="moon_river", seats=seats, lang=lang, **options)
    look(evening)
    evening.start()
    rng = random.Random(f"{lang}{seats}{options}")
    seen: set[str] = set()
    while evening.table.ledger.status == "playing":
        if not going_on(evening) <= seen:
            seen |= going_on(evening)
            look(evening)
        evening.play(rng, most=1)
    look(evening)


@pytest.mark.parametrize(
    ("options", "kinds"),
    [
        ({}, {"tell_tile", "tell_partner", "place_rancher", "lay_domino", "hire"}),
        ({"tracking": "draft"}, {"place_rancher", "report_domino"}),
    ],
)
def test_the_box_and_what_was_told_have_their_pages(
    app: Flask, options: dict[str, str], kinds: set[str]
) -> None:
    """The list of tiles, and a form for each kind of line, which reads what it sends."""
    evening = Evening(app, game="moon_river", preset="boxed", board="owned", **options).start()
    phone, seen, rng = evening.phones[0], set(), random.Random(5)
    while not kinds <= seen:
        evening.play(rng, most=20)
        for line in told_lines(evening.table.ledger, SeatId(0)):
            kind = tag_of(line["told"])
            if kind in seen:
                continue
            seen.add(kind)
            here = evening.seat(0, f"/told/{line['to']}/{line['part']}")
            assert here in phone.get(evening.seat(0, "/told")).text
            (form,) = forms_of(phone.get(here).text)
            assert ("type", kind) in form.fixed
            answer = phone.post(here, form.filled(rng))
            assert answer.status_code in {200, 422}, answer.text
    box = evening.laptop.get(f"/board/moon_river/box?table={evening.code}")
    assert box.status_code == 200
    assert "/icons.svg#" in box.text


def test_what_cannot_be_in_any_box_is_shown_and_taken_out(tmp_path: Path) -> None:
    """A list that came from elsewhere is put in order where it is kept, or in a running game."""
    with app_at(tmp_path) as app:
        evening = Evening(app, game="moon_river", preset="boxed", board="owned")
        evening.laptop.client.environ_base["REMOTE_ADDR"] = "127.0.0.1"
        taught = tables_of(app).taught
        facts = {"tile:1:forest:gold1:1": "yes", "tile:2:canyon:gold1:1": "yes"}
        taught.teach("moon_river", "box", facts)
        here = f"/board/moon_river/box?table={evening.code}"
        page = evening.laptop.get(here).text
        assert "This cannot be in any box" in page

        odd = next(
            form for form in forms_of(page) if ("asked", "tile:1:forest:gold1:1") in form.fixed
        )
        answer = evening.laptop.post(odd.action, dict(odd.fixed))
        assert answer.status_code == 303, answer.text
        assert "This cannot be in any box" not in evening.laptop.get(here).text

        evening.start()
        assert evening.table.ledger.state.box.tiles == (Tile(2, "canyon", gold=1),)
        (out,) = [form for form in forms_of(evening.laptop.get(here).text) if form.choices]
        chosen = {"asked": out.choices[0].values[0]}
        answer = evening.laptop.post(out.action, dict(out.fixed) | chosen)
        assert answer.status_code == 303, answer.text
        assert evening.table.ledger.state.box.tiles == ()


def test_tiles_are_told_on_a_page_row_after_row(app: Flask) -> None:
    """The form counts from all that was told before, so the second row is told like the first."""
    evening = Evening(app, game="moon_river", preset="boxed", board="practice").start()
    rng = random.Random(1)
    for row in (1, 2, 3):
        evening.play(rng, until="turning_up")
        assert evening.table.ledger.state.rows == row - 1
        page = evening.phones[0].get(evening.seat(0, "?open=1")).text
        form = next(form for form in forms_of(page) if ("type", "tell_tile") in form.fixed)
        known = next(button for button in form.buttons if button and button[0] == "known")
        answer = evening.phones[0].post(form.action, dict([*form.fixed, known]))
        assert answer.status_code in {204, 303}, answer.text
        evening.play(rng, most=4)


def test_hands_are_told_what_to_do(app: Flask) -> None:
    """Cattle on a tile, a rancher to its place: on the display, with the mark of whose hands."""
    evening = Evening(app, game="moon_river").start()
    wanted, said, rng = {"of cattle on the", "rancher", "take the", "lay "}, "", random.Random(2)
    for _ in range(400):
        page = evening.laptop.get(f"/t/{evening.code}").text
        if "By hand" in page:
            said = page.split("By hand", 1)[1].split("</ul>", 1)[0]
            wanted -= {words for words in wanted if words in said}
        if not wanted:
            break
        evening.play(rng, most=1)
    assert not wanted
    assert 'class="mark"' in said


def test_what_was_chosen_with_another_landscape_is_not_told(app: Flask) -> None:
    """The page hides it as soon as the landscape is another; it must refuse nothing unseen."""
    tables_of(app).taught.forget("moon_river", "box")
    evening = Evening(app, game="moon_river", preset="boxed", board="owned").start()
    evening.play(random.Random(1), until="turning_up")
    page = evening.phones[0].get(evening.seat(0, "?open=1")).text
    form = next(form for form in forms_of(page) if ("type", "tell_tile") in form.fixed)
    tile = {"face": "3:corn", "corn": "2", "cattle": "1", "gold": "1", "circle": "yes"}

    answer = evening.phones[0].post(form.action, dict(form.fixed) | tile)

    assert answer.status_code in {204, 303}, answer.text
    now = evening.table.ledger.public().now
    assert now.told == (Tile(3, "corn", corn=2, circle=True),)


def test_a_tile_never_seen_before_is_told_on_the_display(app: Flask) -> None:
    """The list of what may be told names some such tiles only, and none with three symbols."""
    tables_of(app).taught.forget("moon_river", "box")
    evening = Evening(app, game="moon_river", preset="boxed", board="owned").start()
    evening.play(random.Random(1), until="turning_up")
    page = evening.laptop.get(f"/t/{evening.code}").text
    form = next(form for form in forms_of(page) if ("type", "tell_tile") in form.fixed)
    tile = {"face": "1:desert", "gold": "1", "cattle": "2", "circle": "yes"}

    answer = evening.laptop.post(form.action, dict(form.fixed) | tile)

    assert answer.status_code in {204, 303}, answer.text
    now = evening.table.ledger.public().now
    assert now.told == (Tile(1, "desert", gold=1, cattle=2, circle=True),)


def test_who_sits_in_the_saloon_is_told_on_the_display(app: Flask) -> None:
    """All five of them, as a phone tells them; programs need not count them either."""
    evening = Evening(app, game="moon_river", preset="boxed", board="owned").start()
    told = 0
    while evening.table.game.public(evening.table.ledger.state).phase == "refilling":
        page = evening.laptop.get(f"/t/{evening.code}").text
        form = next(form for form in forms_of(page) if ("type", "tell_partner") in form.fixed)
        answer = evening.laptop.post(form.action, form.filled(random.Random(told)))
        assert answer.status_code in {204, 302, 303}, answer.text
        told += 1
    assert told == TABLES


def test_the_display_says_what_is_asked_about_the_box(own_app: Flask) -> None:
    """Above the answers: ten rivers without a question would be a riddle."""
    evening = Evening(own_app, game="moon_river", preset="boxed", board="owned").start()
    rng, asked = random.Random(1), None
    while asked is None or asked.kind != "bridges":
        evening.play(rng, most=1)
        asked = evening.table.ledger.public().question

    page = evening.laptop.get(f"/t/{evening.code}").text
    headline = page.split('<div class="question">')[1].split("</strong>")[0]
    assert headline.endswith("Where are the bridges on the boards?")


def test_a_number_stays_with_what_it_counts(app: Flask) -> None:
    """On the buttons for what a tile shows, and where a tile is written out."""
    evening = Evening(app, game="moon_river", lang="de", preset="boxed", board="owned").start()
    evening.play(random.Random(3), until="turning_up")
    page = evening.phones[0].get(evening.seat(0, "?open=1")).text
    evening.play(random.Random(4), most=30)
    told = evening.phones[0].get(evening.seat(0, "/told")).text
    for shown in (page, told):
        assert "&nbsp;× " in shown
        assert not re.search(r"\d ×", shown)


def test_who_acts_for_another_sees_the_rows_and_the_ranches(app: Flask) -> None:
    """What everybody sees on the display, beside the buttons that name places in it."""
    evening = Evening(app, game="moon_river").start()
    evening.play(random.Random(3), until="choosing")
    page = evening.laptop.get(f"/t/{evening.code}/host").text
    display = evening.laptop.get(f"/t/{evening.code}").text
    stage = display[
        display.index('<div class="prairie-table') : display.index("</figure></section>")
    ]
    assert "place_rancher" in page
    assert 'id="place-next-0"' in stage
    assert stage in page


def test_the_scenario_stays_in_sight(app: Flask) -> None:
    """It lies open on the table all evening; in the log it is the first line to scroll away."""
    evening = Evening(app, game="moon_river", boards="wild_west", scenario="rafting").start()
    evening.play(random.Random(1), until="choosing")
    display = evening.laptop.get(f"/t/{evening.code}").text
    assert "Rafting" in display.split('<div class="question">')[1].split("</div>")[0]
    phone = evening.phones[0].get(evening.seat(0)).text
    assert "Rafting" in phone.split('aria-label="Rows"')[1].split("</section>\n<div")[0]
    right = {"what": "scenario", "scenario": "gold_rush", "version": "0", "reason": ""}
    assert evening.laptop.post(f"/t/{evening.code}/correct", right).status_code in {204, 303}
    display = evening.laptop.get(f"/t/{evening.code}").text
    assert "Gold Rush" in display.split('<div class="question">')[1].split("</div>")[0]
    assert "Scenario: Gold Rush" in re.sub(r"\s+", " ", display)
    plain = Evening(app, game="moon_river").start()
    assert "Rafting" not in plain.phones[0].get(plain.seat(0)).text


def test_what_was_told_is_parted_by_rounds(app: Flask) -> None:
    """The newest round first, and each line in the one in which it was told."""
    evening = Evening(app, game="moon_river").start()
    rng = random.Random(5)
    while evening.table.ledger.public().round < len(evening.phones):
        evening.play(rng, most=1)
    told = evening.phones[0].get(evening.seat(0, "/told")).text.split("<h2>")[1:]

    headings = [part.split("</h2>")[0] for part in told]
    assert headings == ["Round 2", "Round 1", "At the beginning"]
    assert [part.count(">Rancher ") for part in told] == [3, 3, 3]


def test_cattle_were_stolen_where_some_stood(app: Flask) -> None:
    """A form to set it right names whose and what lies there, and no cell that had no cattle."""
    found: list[dict[str, Any]] = []
    for seed in range(40):  # in every other game nobody steals
        evening = Evening(app, game="moon_river").start()
        evening.play(random.Random(seed))
        lines = told_lines(evening.table.ledger, None)
        found = [line for line in lines if tag_of(line["told"]) == "rustle"]
        if found:
            break
    line = found[0]

    page = evening.laptop.get(f"/t/{evening.code}/told/{line['to']}/{line['part']}").text

    assert "Cattle stolen from" in page
    options = re.findall(r'<option value="seat:(\d),at:(\d+)"', page)
    assert (str(line["told"].seat), str(line["told"].at)) in options
    assert str(line["seat"]) not in {seat for seat, _ in options}
    assert len(options) < CATTLE


@pytest.mark.parametrize(("game", "times"), [("moon_river", 1), ("winchester", 0)])
def test_the_hosts_page_draws_what_it_shows(
    app: Flask, monkeypatch: pytest.MonkeyPatch, game: str, times: int
) -> None:
    """The display's stage where the game has it there, and nothing else of the display."""
    evening = Evening(app, game=game).start()
    drawn: list[str] = []
    part = Sketchbook.part

    def noted(book: Sketchbook, name: str, frame: Frame, value: object) -> object:
        drawn.append(name)
        return part(book, name, frame, value)

    monkeypatch.setattr(Sketchbook, "part", noted)
    page = evening.laptop.get(f"/t/{evening.code}/host").text
    assert len(drawn) == times
    assert ('<div class="prairie-table' in page) == bool(times)


def test_a_ranch_of_one_point_has_no_points(app: Flask) -> None:
    """As each language counts, and in French none is one."""
    renderer = app.extensions["referee"].renderer
    for lang, words in (
        ("en", ("points", "point", "points")),
        ("de", ("Punkte", "Punkt", "Punkte")),
        ("fr", ("point", "point", "points")),
    ):
        for total, word in enumerate(words):
            drawn = renderer.render("moon_river/_tally.html", lang, {"p": Tally(0, total)})
            assert f"{total}</b> {word}</span>" in drawn

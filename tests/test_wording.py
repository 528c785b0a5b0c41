"""One thing has one name, and what a screen says is so at the moment when it says it."""

from __future__ import annotations

import html
import random
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from flask import Flask

from referee.db import note_played
from referee.games import GAMES
from referee.games.desperados import events as outlaws
from referee.games.winchester import events as plots
from referee.tables import Who
from referee.web.render import when
from tests.table import LANGUAGES, Browser, Evening, act, app_at, phase_of, tables_of

SEALED: Final = {
    "en": r"sealed|your bid|highest bid|ceiling|the most you would",
    "de": r"verdeckt|dein Gebot|Höchstbetr|höchstens",
    "fr": r"offre|montants? maxima",
}
"""Other names for what a player hands in where the referee bids up to it."""
LIMIT: Final = {"en": "limit", "de": "Limit", "fr": "limite"}
EXAMPLE: Final = {
    "en": "With a limit of $5,000, and $3,000 as the next highest, you buy for $4,000.",
    "de": "Liegt es bei 5.000 $ und das nächsthöhere bei 3.000 $, kaufst du für 4.000 $.",
    "fr": "Avec une limite de 5 000 $, si la suivante est de 3 000 $, tu achètes pour 4 000 $.",
}


def plain(markup: str) -> str:
    """Give what people read."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


def parts(evening: Evening, viewer: int | None, lang: str, *names: str) -> str:
    """Give what people read in parts of a viewer's page."""
    drawer = evening.app.extensions["referee"].parts
    drawn = drawer.draw(evening.table, drawer.frame(evening.table, viewer, lang))
    return plain(" ".join(str(drawn[name]) for name in names))


@pytest.fixture
def own_app(tmp_path: Path) -> Iterator[Flask]:
    """Make an app whose folder holds nothing yet."""
    with app_at(tmp_path) as app:
        yield app


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_the_referee_bids_up_to_is_a_limit_on_every_screen(app: Flask, lang: str) -> None:
    """Where it is asked, what becomes of it is said with an example; handed in, it is no bid."""
    evening = Evening(app, auction="proxy").start()
    evening.play(random.Random(1), until="proxy_auction")
    asked = parts(evening, 0, lang, "head", "ask")
    act(tables_of(app), evening.table, 0, {"type": "submit_ceiling", "amount": 5000})
    told = parts(evening, 0, lang, "head", "ask", "own")
    seen = parts(evening, None, lang, "question", "players")

    assert EXAMPLE[lang] in asked.replace("\u202f", " ").replace("\xa0", " ")
    for words in (asked, told, seen):
        assert LIMIT[lang] in words
        assert not re.search(SEALED[lang], words.replace(EXAMPLE[lang], ""), re.IGNORECASE), words


@pytest.mark.parametrize("seats", [3, 4])
def test_who_shuffles_is_named_where_only_one_can(app: Flask, seats: int) -> None:
    """No "somebody" beside one player's mark; where several can, nobody is named or marked."""
    evening = Evening(app, seats=seats, auction="open").start()
    while phase_of(evening.table) != "duel":
        _to_a_duel(evening)
    game, state = evening.table.game, evening.table.ledger.state
    outside = game.public(state).waiting_for
    in_it = next(seat for seat in range(seats) if seat not in outside)
    first = evening.table.ledger.seating.seats[evening.table.ledger.seating.at(outside[0])].name

    assert len(outside) == seats - 2
    for viewer, part in ((None, "question"), (evening.table.ledger.seating.at(in_it), "ask")):
        said = parts(evening, viewer, "en", part)
        assert (f"{first} shuffles the duel cards" in said) == (seats == 3)
        assert ("Somebody else shuffles the duel cards" in said) == (seats > 3)


def _to_a_duel(evening: Evening) -> None:
    """Do what leads to a duel: one bids, all but one other pass, and one of the two calls it."""
    ledger = evening.table.ledger
    legal = [(seat, one) for seat in ledger.to_act() for one in ledger.legal_for(seat)]
    has_bid = getattr(ledger.state.phase, "leader", None) is not None
    order = ("call_duel", "pass" if has_bid else "bid", "draw_plot", "let_stand")
    rank = {tag: place for place, tag in enumerate(order)}
    seat, action = min(legal, key=lambda one: rank.get(one[1].__struct_config__.tag, 9))
    act(tables_of(evening.app), evening.table, seat, action)


def test_what_one_answer_told_is_one_sentence(app: Flask) -> None:
    """Five banks, not fifteen lines of cities without; and plots of a kind are told together."""
    renderer = app.extensions["referee"].renderer
    cities = ("Aztec", "El Paso", "Globe", "Salem", "Tucson")
    banks = tuple((f"bank:{city}", "yes" if city in cities[1:3] else "no") for city in cities)
    words = renderer.words("desperados", "de")
    told = plain(words.sentence(outlaws.BoardLearnt(banks), None))
    assert told == "Vom Spielbrett: Banken in El Paso, Globe"
    none = tuple((fact, "no") for fact, _ in banks[:2])
    assert plain(words.board_facts(none)) == "keine Bank in Aztec, El Paso"

    facts = (("river:3", "yes"), ("river:4", "no"), ("river:9", "yes"), ("terrain:2", "forest"))
    words = renderer.words("winchester", "en")
    told = plain(words.sentence(plots.FactsLearnt(facts), None))
    assert told == (
        "From the board: plots 3, 9 are on the river; plot 4 is off the river; plot 2 is forest"
    )
    pairs = (("touch:3-7", "yes"), ("touch:4-7", "no"), ("touch:7-9", "no"))
    assert (
        plain(words.board_facts(pairs)) == "plots 3 and 7 touch; plots that do not touch: 4–7, 7–9"
    )


def test_none_is_said_in_the_gender_of_what_there_is_none_of(app: Flask) -> None:
    """A scenario is masculine in French."""
    evening = Evening(app, game="moon_river", seats=2, lang="fr")
    lobby = evening.laptop.get(f"/t/{evening.code}", **{"Accept-Language": "fr"}).text

    assert re.search(r'value="none"[^>]*>aucun<', lobby)


def test_a_code_does_not_outlive_what_it_is_for(app: Flask) -> None:
    """The old phone says that the seat has moved, or offers a new code for one that is too old."""
    evening = Evening(app).start()
    old, page = evening.phones[0], evening.seat(0, "/transfer")
    (look,) = re.findall(r'hx-get="([^"]+)"', old.post(page).text)
    move = look.rsplit("/", 1)[1]
    assert old.get(look).status_code == 204

    assert Browser(app).post(f"/m/{move}").status_code == 303
    gone = old.get(look)
    assert gone.status_code == 200
    assert "moved to another phone" in plain(gone.text)
    assert move not in gone.text

    shown = evening.phones[1].post(evening.seat(1, "/transfer")).text
    (stale,) = re.findall(r'hx-get="([^"]+)"', shown)
    tables_of(app).desk.transfers.clear()
    again = evening.phones[1].get(stale)
    assert "too old" in again.text
    assert f'action="{evening.seat(1, "/transfer")}"' in again.text


def test_tables_of_one_evening_are_told_apart_by_time(own_app: Flask) -> None:
    """The same people at two tables on one day: the start page and the list of all say when."""
    codes = [Evening(own_app).code for _ in range(2)]
    stamps = [f"2026-11-28T{hour}:05:00+00:00" for hour in (12, 14)]

    def note(connection: sqlite3.Connection) -> None:
        for code, stamp in zip(codes, stamps, strict=True):
            note_played(connection, code, stamp)

    tables_of(own_app).store.write(note)
    times = [when(stamp, "de") for stamp in stamps]
    assert all(re.fullmatch(r"2[89]\.11\.2026, \d\d:05", time) for time in times)
    assert times[0] != times[1]
    laptop = Browser(own_app, lang="de")
    laptop.get(f"/host/{own_app.extensions['referee'].place.host_key}")
    for path in ("/", "/evenings"):
        shown = laptop.get(path).text
        assert all(time in shown for time in times)


@pytest.mark.parametrize("game", GAMES)
def test_a_screen_that_has_counted_up_is_not_said_to_count(app: Flask, game: str) -> None:
    """Whoever looks at the own result after the last step is sent nowhere any more."""
    evening = Evening(app, game=game).start()
    evening.play(random.Random(1))
    screens, state = evening.table.game.screens, evening.table.ledger.state
    last = screens.steps(evening.table.game.public(state))
    shown = []
    for to in (last - 1, last):
        evening.phones[1].post(evening.seat(1, "/next"), {"to": str(to)})
        shown.append(plain(evening.phones[0].get(evening.seat(0)).text))

    assert ["big screen counts up" in text for text in shown] == [True, False]


@pytest.mark.parametrize(
    ("lang", "marked"),
    [("en", "“it lies here”"), ("de", "„it lies here“"), ("fr", "« it lies here »")],
)
def test_a_reason_is_quoted_as_its_language_does(app: Flask, lang: str, marked: str) -> None:
    """In French with the spaces that belong to the marks; where it is asked, and in the log."""
    evening = Evening(app).start()
    tables_of(app).consent.correct(evening.table, 0, {"star": 1}, reason="it lies here")
    assert marked in parts(evening, 1, lang, "notice")

    tables_of(app).consent.answer(evening.table, Who(seat=1), agree=True)
    assert marked in parts(evening, None, lang, "log")

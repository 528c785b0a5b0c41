"""Whoever reads beside the game is still at the table, and is told there when it waits for them."""

from __future__ import annotations

import random
import re
from html import escape, unescape

import pytest
from flask import Flask

from referee import profiles
from referee.entries import SeatId
from referee.games import GAMES
from referee.games.base import SeatIndex
from referee.live import Live
from tests.table import LANGUAGES, Browser, Evening, act, client_of, tables_of

WAITS = {
    "en": "The table waits for you",
    "de": "Die Runde wartet auf dich",
    "fr": "La table t’attend",
}
BESIDE = re.compile(r' data-here="([^"]*)"')


def read_by(evening: Evening, seat: int) -> list[str]:
    """Give the pages that a seat opens beside its own while a game goes on."""
    code, meta = evening.code, evening.table.game.META
    own = [evening.seat(seat, f"/{name}") for name in ("menu", "rules", "terms", "box")]
    own += [evening.seat(seat, f"/page/{name}") for name in evening.table.game.screens.PAGES]
    if evening.table.game.telling is not None:
        told = evening.seat(seat, "/told")
        lines = re.findall(rf'"({told}/\d+/\d+)"', evening.phones[seat].get(told).text)
        own += [told, *lines[:1]]
    name = profiles.name_of(evening.table.ledger.chosen())
    board = [] if name == profiles.PRACTICE else [f"/board/{meta.key}/{name}?table={code}"]
    return [*own, *board, f"/t/{code}/terms", f"/t/{code}/box", f"/j/{code}?more=1"]


def wanted(html: str) -> str:
    """Give what a page, or the answer to its beat, shows of the game."""
    found = re.search(r'<div id="wanted" role="status">(.*?)</div>', html, re.DOTALL)
    return (found[1] if found else html).strip()


def forgotten(evening: Evening) -> Live:
    """Let nobody have been heard of yet."""
    live = tables_of(evening.app).live
    live._seen.clear()  # noqa: SLF001
    return live


def waited_for(evening: Evening) -> frozenset[int]:
    """Name the seats without whom nothing goes on."""
    ledger = evening.table.ledger
    public = ledger.game.public(ledger.state)
    waiting = () if public.is_anybodys else public.waiting_for
    return frozenset(ledger.seating.at(SeatIndex(index)) for index in waiting)


def until_one_is_wanted(evening: Evening) -> int:
    """Play until the table waits for one seat alone, and name it."""
    rng = random.Random(1)
    while len(waited_for(evening)) != 1:
        evening.play(rng, most=1)
    (seat,) = waited_for(evening)
    return seat


@pytest.mark.parametrize("game", GAMES)
def test_whoever_reads_beside_the_game_is_here(app: Flask, game: str) -> None:
    """Every page that a seat opens beats for it, and for nobody else."""
    evening = Evening(app, game=game, seats=3, board="owned").start()
    evening.play(random.Random(1), most=3)
    phone, stranger = evening.phones[1], Browser(app)
    paths = read_by(evening, 1)
    for path in paths:
        html = phone.get(path).text
        (beat,) = BESIDE.findall(html)
        live = forgotten(evening)
        assert phone.post(beat).status_code == 200, path
        assert [live.is_present(evening.code, SeatId(n)) for n in range(3)] == [0, 1, 0], path
        assert "css/reading" in html
        if not path.startswith("/s/"):
            found = stranger.get(path).text
            assert not BESIDE.findall(found), path
            assert "css/reading" not in found
        assert stranger.post(beat).status_code == 403
    assert any("/board/" in path for path in paths)


def test_who_reads_before_the_start_learns_that_it_began(app: Flask) -> None:
    """How we play it is read in the lobby; then everybody waits for whoever still reads."""
    evening = Evening(app, seats=3)
    phone = evening.phones[0]
    (beat,) = BESIDE.findall(phone.get(evening.seat(0, "/rules")).text)
    assert not phone.post(beat).text.strip()
    evening.start()
    rng = random.Random(1)
    while 0 not in waited_for(evening):
        evening.play(rng, most=1)
    assert WAITS["en"] in phone.post(beat).text


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_is_told_when_the_table_waits_for_it(app: Flask, game: str, lang: str) -> None:
    """At the next beat, in a line that leads to its page; and no longer than it is so."""
    evening = Evening(app, game=game, seats=3, lang=lang).start()
    seat = until_one_is_wanted(evening)
    others = [other for other in range(3) if other != seat]
    told = evening.phones[seat].post(evening.seat(seat, "/reading")).text
    assert WAITS[lang] in told
    assert f'href="{evening.seat(seat)}"' in told
    for path in (evening.seat(seat, "/menu"), f"/t/{evening.code}/terms"):
        assert wanted(evening.phones[seat].get(path).text) == told.strip()
    for other in others:
        assert not evening.phones[other].post(evening.seat(other, "/reading")).text.strip()
        assert wanted(evening.phones[other].get(evening.seat(other, "/menu")).text) == ""

    rng = random.Random(2)
    while seat in waited_for(evening):
        evening.play(rng, most=1)

    assert not evening.phones[seat].post(evening.seat(seat, "/reading")).text.strip()


def test_it_is_told_when_the_table_is_asked(app: Flask) -> None:
    """What somebody asks of the table waits for all whose phones are here: readers too."""
    evening = Evening(app, seats=3).start()
    by = until_one_is_wanted(evening)
    act(tables_of(app), evening.table, by, {"type": "draw_plot"})
    quiet = (by + 1) % 3
    beat, phone = evening.seat(quiet, "/reading"), evening.phones[quiet]
    assert "is asked" not in phone.post(beat).text

    menu = evening.phones[by].get(evening.seat(by, "/menu")).text
    (to,) = re.findall(r'name="to" value="(\d+)"', menu)
    evening.phones[by].post(evening.seat(by, "/undo"), {"to": to})

    assert evening.table.ledger.proposal
    told = phone.post(beat).text
    assert "The table is asked" in told
    assert f'href="{evening.seat(quiet)}"' in told
    assert "is asked" not in evening.phones[by].post(evening.seat(by, "/reading")).text
    (number,) = re.findall(r'name="number" value="(\d+)"', phone.get(evening.seat(quiet)).text)
    phone.post(evening.seat(quiet, "/ask"), {"agree": "no", "number": number})
    assert "is asked" not in phone.post(beat).text


def test_on_a_shared_phone_it_is_said_for_whom(app: Flask) -> None:
    """Whose turn it is there, not just the reader's own; and it leads to that seat's curtain."""
    evening = Evening(app, seats=2)
    shared = evening.phones[1]
    assert shared.join(evening.code, "Cleo") == 2
    evening.start()
    rng = random.Random(1)
    while waited_for(evening) != {2}:
        evening.play(rng, most=1)

    for path in (evening.seat(1, "/reading"), evening.seat(2, "/reading")):
        told = shared.post(path).text
        assert 'The table waits for <bdi translate="no">Cleo</bdi>' in told
        assert f'href="{evening.seat(2)}"' in told
    assert not evening.phones[0].post(evening.seat(0, "/reading")).text.strip()
    home = shared.get(f"/j/{evening.code}?more=1&home=1").text
    (beat,) = BESIDE.findall(home)
    assert f'href="{evening.seat(2)}?home=1"' in wanted(home)
    assert wanted(home) == shared.post(beat).text.strip()


def test_help_and_refusals_are_read_beside_the_game_too(app: Flask) -> None:
    """Help that was opened from a table, and a page that says no: both know it by their address."""
    evening = Evening(app, seats=3).start()
    phone, stranger, code = evening.phones[1], Browser(app), evening.code
    links = set(re.findall(r'"(/help[^"]*)"', evening.laptop.get(f"/t/{code}").text))
    assert links == {f"/help?table={code}&amp;home=1"}
    (link,) = (unescape(each) for each in links)
    refusals = [
        phone.post(evening.seat(1, "/undo"), {"to": "1"}),
        phone.post(evening.seat(1, "/act"), {"type": "nonsense", "version": "1", "id": "x"}),
        phone.get(evening.seat(1, "/nothing")),
        phone.get(f"/t/{code}/nothing"),
    ]
    for answer in (phone.get(link), *refusals[:2]):
        (beat,) = BESIDE.findall(answer.text)
        live = forgotten(evening)
        assert phone.post(beat).status_code == 200
        assert [live.is_present(code, SeatId(n)) for n in range(3)] == [0, 1, 0]
    assert [answer.status_code for answer in refusals] == [409, 400, 404, 404]
    assert "home=1" in BESIDE.findall(phone.get(link).text)[0]
    assert f'value="{escape(link)}"' in phone.get(link).text  # and in another language as well
    for path in (link, "/help", "/help?table=NOSUCH", f"/help?table={code}"):
        assert not BESIDE.findall(stranger.get(path).text)
    assert not BESIDE.findall(phone.get("/help").text)
    assert not BESIDE.findall(stranger.post(evening.seat(1, "/act"), {"type": "pass"}).text)
    # Whose seat an address names makes nobody that seat.
    other = phone.post(evening.seat(2, "/act"), {"type": "pass", "version": "1", "id": "y"})
    assert BESIDE.findall(other.text) == [evening.seat(1, "/reading")]


def test_after_the_end_who_looks_back_is_here_too(app: Flask) -> None:
    """To open a game again is asked of the table as well: replay and what is kept beat on."""
    evening = Evening(app, seats=3).start()
    evening.play(random.Random(1))
    for path in (f"/t/{evening.code}/replay", f"/t/{evening.code}/keep"):
        (beat,) = BESIDE.findall(evening.phones[2].get(path).text)
        assert beat == evening.seat(2, "/reading")
        assert not BESIDE.findall(evening.laptop.get(path).text)
        assert not BESIDE.findall(client_of(app).get(path).text)
    assert not evening.phones[2].post(evening.seat(2, "/reading")).text.strip()
    evening.phones[0].post(evening.seat(0, "/reopen"))
    assert "The table is asked" in evening.phones[2].post(evening.seat(2, "/reading")).text


def test_a_first_visit_goes_without(app: Flask) -> None:
    """Who joins, and a seat's own page, are sent nothing of it."""
    evening = Evening(app, seats=3)
    newcomer = Browser(app)
    pages = [newcomer.get(f"/j/{evening.code}").text, evening.phones[0].get(evening.seat(0)).text]
    evening.start()
    pages.append(evening.phones[0].get(evening.seat(0)).text)
    for html in pages:
        assert "wanted" not in html
        assert "reading" not in html

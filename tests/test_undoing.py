"""Taking back what others have acted on, or after something was seen: the table is asked."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from referee.journal import Ledger
from tests.table import Evening, act, tables_of

SEEN = {
    "en": "What lay hidden was seen since then",
    "de": "Seitdem war Verdecktes zu sehen",
    "fr": "Depuis, ce qui était caché a été vu",
}


def do(evening: Evening, kind: str, **facts: object) -> int:
    """Let whoever is waited for do a thing, and give their seat."""
    ledger: Ledger = evening.table.ledger
    (seat,) = ledger.game.public(ledger.state).waiting_for[:1]
    act(tables_of(evening.app), evening.table, seat, {"type": kind} | facts)
    return seat


def ask_to_undo(evening: Evening, seat: int) -> None:
    """Ask by the button in the phone's own menu."""
    menu = evening.phones[seat].get(evening.seat(seat, "/menu")).text
    (to,) = re.findall(r'name="to" value="(\d+)"', menu)
    assert evening.phones[seat].post(evening.seat(seat, "/undo"), {"to": to}).status_code == 303


def notice_of(text: str) -> str:
    """Give the part of a page that says what the table is asked."""
    found = re.search(r'<form class="note stack".*?</form>', text, re.DOTALL)
    assert found, "the table is asked nothing"
    return found[0]


@pytest.mark.parametrize("lang", SEEN)
def test_taking_back_after_something_was_seen_says_so_and_offers_better(
    app: Flask, lang: str
) -> None:
    """The plot that was turned up is known by now: every screen says it, beside a way to set right.

    Whoever is there and has not answered has not agreed.
    """
    evening = Evening(app, lang=lang).start()
    drawer = do(evening, "draw_plot")
    version = evening.table.ledger.version(None)
    others = [seat for seat in range(3) if seat != drawer]

    ask_to_undo(evening, drawer)

    assert evening.table.ledger.proposal
    for seat in others:
        asked = notice_of(evening.phones[seat].get(evening.seat(seat)).text)
        assert SEEN[lang] in asked
        assert evening.seat(seat, "/told") in asked
    assert SEEN[lang] in notice_of(evening.laptop.get(f"/t/{evening.code}").text)
    assert SEEN[lang] in notice_of(evening.phones[drawer].get(evening.seat(drawer)).text)
    for seat in others:
        assert not any(line.is_undone for line in evening.table.ledger.log.lines)
        evening.phones[seat].post(evening.seat(seat, "/here"))
        assert evening.table.ledger.proposal
        page = notice_of(evening.phones[seat].get(evening.seat(seat)).text)
        (number,) = re.findall(r'name="number" value="(\d+)"', page)
        answer = {"agree": "yes", "number": number}
        assert evening.phones[seat].post(evening.seat(seat, "/ask"), answer).status_code == 303
    assert evening.table.ledger.proposal is None
    assert evening.table.ledger.version(None) > version
    assert do(evening, "draw_plot") == drawer


def test_what_others_acted_on_is_asked_without_more_words(app: Flask) -> None:
    """Of two open bids the first is taken back by consent, but nothing was turned over since."""
    evening = Evening(app).start()
    do(evening, "draw_plot")
    first = do(evening, "bid", amount=2000)
    do(evening, "bid", amount=3000)
    ask_to_undo(evening, first)
    seat = (first + 1) % 3

    asked = notice_of(evening.phones[seat].get(evening.seat(seat)).text)

    assert "asks to take back" in asked
    assert SEEN["en"] not in asked


def test_what_was_set_right_in_the_open_was_not_hidden(app: Flask) -> None:
    """In a game without secrets nobody is told that what lay hidden was seen."""
    evening = Evening(app, game="moon_river").start()
    first = do(evening, "place_rancher", place=0)
    empty = {"what": "cell", "cell": "0-0", "landscape": "corn", "corn": "2"}
    assert evening.correct(empty).status_code == 303
    ask_to_undo(evening, first)
    seat = (first + 1) % 3

    asked = notice_of(evening.phones[seat].get(evening.seat(seat)).text)

    assert "asks to take back" in asked
    assert SEEN["en"] not in asked

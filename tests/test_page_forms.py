"""The forms of the pages: sent once or twice, by script or without, by whoever may."""

from __future__ import annotations

import random
import re
import unicodedata
from html.parser import HTMLParser
from typing import Any

import pytest
from babel.numbers import format_currency, format_decimal
from flask import Flask

from referee.games.reading import amount as read_amount
from referee.web.forms import id_of
from referee.web.render import money, number
from tests.sight import sight
from tests.table import (
    LANGUAGES,
    Browser,
    Evening,
    act,
    client_of,
    streaming,
    tables_of,
)

# Forms


@pytest.mark.long
def test_a_whole_game_by_forms(app: Flask) -> None:
    """Every form that a seat's page shows can be sent as it stands, without any script."""
    rng = random.Random(11)
    evening = Evening(app).start()
    sent = set()
    for _ in range(160):
        ledger = evening.table.ledger
        if ledger.status != "playing":
            break
        seat = rng.choice([s for s in ledger.to_act() if ledger.legal_for(s)])
        phone = evening.phones[seat]
        forms = Forms(phone.get(evening.seat(seat, "?open=1")).text).found
        choices = [f for f in forms if f["action"].endswith("/act")]
        assert choices
        form = rng.choice(choices)
        fields = {name: rng.choice(values) for name, values in form["fields"].items()}
        before = ledger.length
        answer = phone.post(form["action"], fields)
        assert answer.status_code == 303, (fields, answer.text)
        assert ledger.length > before
        sent.add(fields["type"])

    assert {"bid", "pass", "draw_plot"} <= sent


class Forms(HTMLParser):
    """The forms of a page with what a browser could send from each."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[dict[str, Any]] = []
        self._now: dict[str, Any] | None = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Gather fields; buttons with a name are one field with several values."""
        found = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._now = {"action": found.get("action", ""), "fields": {}}
            self.found.append(self._now)
        elif self._now is not None and tag in {"input", "button"} and "disabled" not in found:
            self._now["fields"].setdefault(found.get("name"), []).append(found.get("value", ""))

    def handle_endtag(self, tag: str) -> None:
        """Close a form; what has no name is not sent."""
        if tag == "form" and self._now is not None:
            self._now["fields"].pop(None, None)
            self._now = None


def test_a_form_sent_by_script_gets_no_page(app: Flask) -> None:
    """The stream brings the change; the answer only says how far the table is."""
    evening = Evening(app).start()
    form = {"type": "draw_plot", "version": evening.table.ledger.noticed.asked_since(0)}
    answer = evening.phones[0].post(evening.seat(0, "/act"), form, **{"HX-Request": "true"})

    assert (answer.status_code, answer.data) == (204, b"")
    assert answer.headers["X-Version"] == str(evening.table.ledger.version(0))


def test_the_same_form_twice(app: Flask) -> None:
    """With one id it is done once, and answered the same."""
    evening = Evening(app).start()
    form = {
        "type": "draw_plot",
        "version": evening.table.ledger.noticed.asked_since(0),
        "id": "tap",
    }
    answers = [
        evening.phones[0].post(evening.seat(0, "/act"), form, **{"HX-Request": "true"})
        for _ in range(3)
    ]

    assert {(a.status_code, a.headers["X-Version"]) for a in answers} == {
        (204, str(evening.table.ledger.version(0)))
    }
    assert evening.table.ledger.state.turn == 1


def test_a_stale_form_does_nothing(app: Flask) -> None:
    """The table moved on, so an old page's button is refused."""
    evening = Evening(app).start()
    form = {"type": "draw_plot", "version": evening.table.ledger.noticed.asked_since(0)}
    evening.phones[0].post(evening.seat(0, "/act"), form)
    length = evening.table.ledger.length

    again = evening.phones[0].post(evening.seat(0, "/act"), form)
    assert again.status_code == 409
    assert evening.table.ledger.length == length


@pytest.mark.parametrize(
    ("typed", "amount"),
    [
        ("7000", 7000),
        (" 7 000 ", 7000),
        ("7.000", 7000),
        ("7,000", 7000),
        ("$7,000", 7000),
        ("7'000", 7000),
        ("7’000", 7000),
        ("7\u202f000 $", 7000),
        ("１２000", 12000),
        ("٣000", 3000),
        ("0", 0),
        ("12abc", None),
        ("1e9", None),
        ("-5", None),
        ("7.5", None),
        ("1,23", None),
        ("1" * 30, None),
        ("", None),
        ("²", None),
        ("NaN", None),
        ("0x10", None),
    ],
)
def test_amounts_as_people_type_them(typed: str, amount: int | None) -> None:
    """Digits of any script and the usual separators; nothing else becomes money."""
    if amount is None:
        with pytest.raises(Exception, match="bad_amount"):
            read_amount(typed)
    else:
        assert read_amount(typed) == amount


@pytest.mark.parametrize(
    ("lang", "written"), [("en", "$7,000"), ("de", "7.000 $"), ("fr", "7 000 $")]
)
def test_amounts_as_each_language_writes_them(lang: str, written: str) -> None:
    """Dollars stand where the language puts them, with its own separators."""
    assert unicodedata.normalize("NFKC", money(7000, lang)) == written


@pytest.mark.parametrize("lang", [*LANGUAGES])
def test_numbers_are_parted_as_the_unicode_consortium_has_it(lang: str) -> None:
    """Held against babel, which pages do not ask for a sign of each language."""
    for amount in (0, 999, 1000, -3000, 110_000, 1_234_567):
        assert number(amount, lang) == format_decimal(amount, locale=lang)
        written = format_currency(amount, "USD", locale=lang, currency_digits=False)
        usual = re.sub(r"[.,]00(?!\d)|US(?=\$)|(?<=\$)US", "", written)
        assert money(amount, lang) == usual
    assert number(1.5, lang) == format_decimal(1.5, locale=lang)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("amount", [0, 1000, 12000, 110000])
def test_every_written_amount_can_be_typed_back(lang: str, amount: int) -> None:
    """What a page shows as money is understood when it is copied into the field."""
    assert read_amount(money(amount, lang)) == amount


def test_the_host_sets_things_right_by_form(app: Flask) -> None:
    """Notes, hats, tokens and the star."""
    evening = Evening(app).start()
    forms = [
        {"what": "notes", "source": "bank", "target": "0", "amount": "2 000"},
        {"what": "owner", "plot": "4", "seat": "1", "reason": "hat"},
        {"what": "owner", "plot": "4", "seat": ""},
        {"what": "held", "seat": "2", "token": "rumor", "count": "2"},
        {"what": "star", "seat": "1"},
    ]
    for form in forms:
        assert evening.correct(form).status_code == 303

    state = evening.table.ledger.state
    assert state.cash[0] == 10_000
    assert state.owners[3] is None
    assert state.held[2] == ("rumor", "rumor")
    assert state.star == 1
    wrong = {"what": "owner", "plot": "4", "seat": "nobody"}
    assert evening.correct(wrong).status_code == 400
    assert evening.correct({}).status_code == 400
    asked = evening.correct(forms[0], 0)
    assert asked.status_code == 303
    assert evening.table.ledger.proposal is not None


def test_a_correction_sent_twice_counts_once(app: Flask) -> None:
    """A double tap moves no notes twice; the same from a page that shows the first does."""
    evening = Evening(app).start()
    notes = {"what": "notes", "source": "bank", "target": "0", "amount": "2000", "version": "9"}
    for _ in range(2):
        assert evening.correct(notes).status_code == 303
    assert evening.table.ledger.state.cash[0] == 10_000
    assert evening.correct(notes | {"version": "10"}).status_code == 303
    assert evening.table.ledger.state.cash[0] == 12_000
    for _ in range(2):
        assert evening.correct(notes, 1).status_code == 303
    assert evening.laptop.post(f"/t/{evening.code}/correct", {"what": "star"}).status_code == 400


def test_an_id_is_keyed_with_what_its_sender_alone_holds(app: Flask) -> None:
    """Its version counts what others may not notice: trying numbers finds out nothing."""
    evening = Evening(app, auction="sealed").start()
    evening.play(random.Random(1), until="sealed_auction")
    table = evening.table
    for amount in (1000, 2000, 3000):
        form = {"type": "submit_bid", "amount": amount, "version": table.ledger.version(1)}
        assert evening.phones[1].post(evening.seat(1, "/act"), form).status_code == 303
    notes = {"what": "star", "seat": "2"}
    version = table.ledger.version(1)
    assert version > table.ledger.version(None)
    assert evening.correct(notes, 1).status_code == 303
    said = tables_of(app).store.entries(evening.code)[-1].payload["id"]

    wanted = table.game.forms.correction({name: [value] for name, value in notes.items()})

    def made(key: str, number: int) -> str:
        with app.test_request_context(method="POST", data={"version": str(number)}):
            return id_of(wanted, key)

    others = (evening.phones[0].key(evening.code, 0), evening.laptop.key(evening.code, "host"))
    known = ("", "0", evening.code, app.config["REFEREE_FOLDER"], *others)
    assert said == made(evening.phones[1].key(evening.code, 1) or "", version)
    assert said not in {made(key or "", n) for key in known for n in range(version + 50)}
    for viewer in (None, 0, 2):
        for name, seen in sight(evening, viewer).items():
            assert said.encode() not in seen, name


def test_acting_for_somebody_twice_counts_once(app: Flask) -> None:
    """The second tap gets the answer of the first, not a refusal."""
    evening = Evening(app).start()
    form = {"seat": "0", "type": "draw_plot", "version": evening.table.ledger.version(None)}
    for _ in range(2):
        assert evening.laptop.post(f"/t/{evening.code}/act-for", form).status_code == 303
    assert evening.table.ledger.state.turn == 1


def test_taking_back_twice_takes_back_once(app: Flask) -> None:
    """The menu names what is taken back; one that was opened before has something else."""
    evening = Evening(app).start()
    act(tables_of(app), evening.table, 0, {"type": "draw_plot"})
    act(tables_of(app), evening.table, 0, {"type": "bid", "amount": 1000})
    star, ledger = evening.phones[0], evening.table.ledger
    name = re.findall(r'name="to" value="(\d+)"', star.get(evening.seat(0, "/menu")).text)
    form = {"to": name[0]}
    for _ in range(2):
        assert star.post(evening.seat(0, "/undo"), form).status_code == 303
        assert ledger.state.turn == 1
        assert ledger.proposal is None
    act(tables_of(app), evening.table, 0, {"type": "bid", "amount": 2000})
    older = {"to": ledger.noticed.number(1, 0)}
    assert star.post(evening.seat(0, "/undo"), older).status_code == 409
    assert ledger.state.phase.standing == 2000
    assert evening.phones[1].post(evening.seat(1, "/undo")).status_code == 400


def test_the_host_moves_and_removes_seats(app: Flask) -> None:
    """One place forward at a time, around the table."""
    evening = Evening(app)
    evening.laptop.post(f"/t/{evening.code}/order", {"seat": 2})
    assert evening.table.ledger.seating.order == (0, 2, 1)
    evening.laptop.post(f"/t/{evening.code}/order", {"seat": 0})
    assert evening.table.ledger.seating.order == (1, 2, 0)
    evening.laptop.post(f"/t/{evening.code}/remove", {"seat": 1})
    assert evening.table.ledger.seating.order == (2, 0)
    assert evening.phones[1].get(evening.seat(1)).location == f"/j/{evening.code}"
    assert evening.phones[0].post(evening.seat(0, "/rename"), {"name": "Zed"}).status_code == 303
    assert evening.phones[0].post(evening.seat(0, "/rename"), {"name": " "}).status_code == 400
    assert evening.table.ledger.seating.seats[0].name == "Zed"


def test_the_join_form_says_what_was_wrong(app: Flask) -> None:
    """The name typed is still there, and so is the form."""
    host = Browser(app)
    code = host.open_table()
    host.join(code, "Ann", colour="red")
    taken = Browser(app).post(f"/j/{code}", {"name": "B<b>", "colour": "red"})
    empty = Browser(app).post(f"/j/{code}", {"name": "\u200b"})

    assert (taken.status_code, empty.status_code) == (409, 400)
    assert 'value="B&lt;b&gt;"' in taken.text
    assert 'name="nonce"' in taken.text
    again = client_of(app).get("/join", query_string={"code": f" {code.lower()} "})
    assert again.location == f"/j/{code}"


def test_a_rematch_is_announced_to_open_pages(app: Flask) -> None:
    """The host opens it; pages that were open already hear of it, without its code."""
    evening = Evening(app).start()
    evening.play(random.Random(1))
    stranger = Browser(app)
    assert "The rematch" not in stranger.get(f"/t/{evening.code}").text
    with streaming(stranger.client, f"/t/{evening.code}/stream") as stream:
        stream.read()
        stream.read()
        answer = evening.laptop.post(f"/t/{evening.code}/rematch")
        code = answer.location.removeprefix("/t/")
        (name, _, data), *rest = stream.read()
    assert name == "again"
    assert [last for last, _, _ in rest] == ["version"]
    assert "The rematch is open" in data
    assert code not in data
    assert evening.laptop.key(code, "host")


def test_a_rematch_by_phone(app: Flask) -> None:
    """One tap sits down at the new table, a second tap leads to the same seat."""
    evening = Evening(app).start()
    evening.play(random.Random(1))
    phone = evening.phones[1]
    first = phone.post(evening.seat(1, "/rematch"))
    again = phone.post(evening.seat(1, "/rematch"))

    assert first.status_code == again.status_code == 303
    assert first.location == again.location
    assert phone.get(first.location).status_code == 200

"""The pages: all of them, in every language and phase; forms; nasty names; fresh links."""

from __future__ import annotations

import gzip
import random
import re
import unicodedata
from html.parser import HTMLParser
from typing import Any

import msgspec
import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from referee.games import GAMES
from referee.games.reading import amount as read_amount
from referee.web.forms import id_of
from referee.web.render import here, money
from tests.sight import sight
from tests.table import (
    BASE,
    LANGUAGES,
    NAMES,
    Browser,
    Evening,
    Stream,
    act,
    client_of,
    phase_of,
    streaming,
    tables_of,
)

AUCTIONS = next(o.values for o in GAMES["winchester"].META.options if o.key == "auction")
OURS = (BASE, "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink")
VOID = {"meta", "link", "input", "br", "hr", "img", "use"}


class Page(HTMLParser):
    """A page taken apart: it fails on what must not be in any of ours."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.forms: list[tuple[str, str]] = []
        self.refers: list[str] = []
        self.words = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at an element."""
        found = {name: value or "" for name, value in attrs}
        assert len(found) == len(attrs), f"an attribute twice in <{tag}>"
        for name, value in found.items():
            assert not name.startswith("on"), f"{name} in <{tag}>"
            assert name != "style"
            assert not name.startswith("hx-on")
            assert name != "hx-disable-elt"
            assert not value.startswith(("js:", "javascript:"))
            if name in {"href", "src", "action", "hx-post", "hx-get", "data-stream"}:
                # An empty link leads to the page itself.
                is_itself = name == "href" and not value
                assert is_itself or value.startswith(("/", "#", BASE)), value
                assert not value.startswith("//"), value
        if tag == "script":
            assert found.get("src"), "a script of its own in the page"
        assert tag not in {"style", "iframe", "object", "embed", "base"}
        if "id" in found:
            self.ids.append(found["id"])
        if tag == "a":
            self.links.append(found["href"])
        if tag == "form":
            self.forms.append((found.get("method", "get"), found.get("action", "")))
        if tag == "label" and "for" in found:
            self.refers.append(found["for"])
        if tag not in VOID and not (self.open and self.open[-1] in {"svg", "g"} and tag == "path"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at an element that is closed at once."""
        self.handle_starttag(tag, attrs)
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        """Close an element; elements are closed in order."""
        if tag in VOID or tag == "path":
            return
        while self.open and self.open[-1] in {"li", "p", "option"} and self.open[-1] != tag:
            self.open.pop()
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Gather the text."""
        self.words += data


def check(answer: TestResponse, lang: str) -> Page:
    """Check what is true of every page of ours."""
    text = answer.text
    assert answer.status_code == 200, text
    assert text.lstrip().startswith("<!doctype html>")
    assert f'<html lang="{lang}"' in text
    for address in re.findall(r"https?://[^\s\"'<]+", text):
        assert address.startswith(OURS) or address.endswith(":"), address
    page = Page(text)
    for wrong in ("Undefined", "{{", "}}", "{%", "%(", "None", "Struct(", "object at 0x"):
        assert wrong not in page.words, f"{wrong!r} in {answer.request.path}"
    assert len({*page.ids}) == len(page.ids), "an id twice"
    assert {*page.refers} <= {*page.ids}
    return page


def pages_of(evening: Evening) -> list[tuple[Browser, str]]:
    """Name every page that can be looked at now, and by whom."""
    code = evening.code
    found = [(evening.laptop, p) for p in ("/", "/help", f"/t/{code}", f"/t/{code}/host")]
    stranger = Browser(evening.app, lang=evening.laptop.headers["Accept-Language"])
    found += [(evening.laptop, f"/j/{code}?more=1"), (stranger, f"/t/{code}")]
    found += [(stranger, f"/j/{code}")]
    for seat, phone in enumerate(evening.phones):
        found += [(phone, evening.seat(seat, rest)) for rest in ("", "/menu", "/rules")]
    return found


@pytest.mark.parametrize(
    ("lang", "auction"),
    [
        pytest.param(lang, auction, marks=() if lang == "en" else pytest.mark.long)
        for lang, auction in zip(LANGUAGES * len(AUCTIONS), AUCTIONS, strict=False)
    ],
)
def test_every_page_in_every_phase(app: Flask, lang: str, auction: str) -> None:
    """Whatever a random game comes to, all pages render soundly in all languages."""
    rng = random.Random(f"{auction}")
    claims = rng.choice(("referee", "players"))
    evening = Evening(app, seats=4, auction=auction, claims=claims)
    seen: dict[str, int] = {}
    tables = tables_of(app)
    rendered = 0
    for who, path in pages_of(evening):
        check(who.client.get(path, headers={"Accept-Language": lang}), lang)
    evening.start()
    while evening.table.ledger.status == "playing":
        phase = phase_of(evening.table)
        seen[phase] = seen.get(phase, 0) + 1
        if seen[phase] in {1, 7}:
            for who, path in pages_of(evening):
                check(who.client.get(path, headers={"Accept-Language": lang}), lang)
                rendered += 1
        if rng.random() < 0.02:
            tables.consent.correct(
                evening.table, None, {"star": rng.randrange(4)}, reason="<b>looked</b>"
            )
        evening.play(rng, most=1)
    for who, path in pages_of(evening):
        check(who.client.get(path, headers={"Accept-Language": lang}), lang)

    assert {"between", "moving"} <= {*seen}
    assert rendered > 50


@pytest.mark.parametrize("lang", LANGUAGES)
def test_pages_of_keys_and_questions(app: Flask, lang: str) -> None:
    """Curtain, transfer, waiting, being let in, being asked: they render as well."""
    evening = Evening(app, lang=lang).start()
    star, other = evening.phones[0], evening.phones[1]
    other.client._cookies.update(star.client._cookies)  # noqa: SLF001  # two on one phone
    assert NAMES[0] in check(other.get(evening.seat(0)), lang).words
    transfer = star.post(evening.seat(0, "/transfer"))
    check(transfer, lang)
    code = re.findall(r"/m/([A-Z0-9]{8})", transfer.text)[0]
    check(Browser(app, lang=lang).get(f"/m/{code}"), lang)
    newcomer = Browser(app, lang=lang)
    wait = newcomer.post(f"/j/{evening.code}/seats/2").location
    number = re.findall(r">(\d\d)<", newcomer.get(wait).text)[0]
    check(newcomer.get(wait), lang)
    for who, path in ((evening.laptop, f"/t/{evening.code}"), (evening.phones[2], evening.seat(2))):
        assert number in check(who.get(path), lang).words
    assert "/request" not in check(star.get(evening.seat(0, "?open=1")), lang).words
    evening.laptop.post(f"/t/{evening.code}/request", {"number": number, "agree": "yes"})
    check(newcomer.get(wait), lang)
    check(newcomer.get(f"/j/{evening.code}/wait/nothing"), lang)
    assert newcomer.post(wait).location == evening.seat(2)
    check(newcomer.get(evening.seat(2)), lang)
    assert evening.phones[2].get(evening.seat(2)).location == f"/j/{evening.code}"
    act(tables_of(app), evening.table, 0, {"type": "draw_plot"})
    last = evening.table.ledger.own_last(0)
    assert star.post(evening.seat(0, "/undo"), {"to": last}).status_code == 303
    assert evening.table.ledger.proposal is not None
    for who, path in pages_of(evening)[:7]:
        check(who.get(path), lang)
    check(newcomer.get(evening.seat(2, "?open=1")), lang)


def test_the_start_page_lists_tables(app: Flask) -> None:
    """With their people, the newest first."""
    evening = Evening(app)
    page = check(evening.laptop.get("/"), "en")

    assert f"/t/{evening.code}" in page.links
    assert "Cleo" in page.words


def test_one_table_that_does_not_replay_spares_the_start_page(own_app: Flask) -> None:
    """The others can be resumed; the damaged one says that it is damaged."""
    store = tables_of(own_app).store
    good, bad = Evening(own_app).start(), Evening(own_app).start()
    store.write(
        lambda c: c.execute("UPDATE entries SET salt = 'x' WHERE code = ? AND seq = 2", (bad.code,))
    )
    del tables_of(own_app)._tables[bad.code]  # noqa: SLF001  # as after a restart

    page = check(good.laptop.get("/"), "en")
    assert f"/t/{good.code}" in page.links
    assert good.laptop.get(f"/t/{bad.code}").status_code == 500
    problem = client_of(own_app).get(f"/api/v1/tables/{bad.code}")
    assert (problem.status_code, problem.json["code"]) == (500, "broken_chain")
    assert problem.json["facts"] == {"seq": 2, "table": bad.code}


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


def test_every_written_amount_can_be_typed_back() -> None:
    """What a page shows as money is understood when it is copied into the field."""
    for lang in LANGUAGES:
        for amount in (0, 1000, 12000, 110000):
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


def test_files_to_take_home(app: Flask) -> None:
    """The journal any time, results at the end, as attachments with a plain name."""
    evening = Evening(app).start()
    base = f"/t/{evening.code}/export"
    assert evening.laptop.get(f"{base}/journal").status_code == 200
    assert evening.laptop.get(f"{base}/csv").status_code == 409
    assert evening.laptop.get(f"{base}/nothing").status_code == 404
    evening.play(random.Random(1))
    for kind, ending in (("journal", "jsonl"), ("csv", "csv"), ("bgstats", "bgsplay")):
        answer = evening.laptop.get(f"{base}/{kind}")
        name = f'attachment; filename="winchester-{evening.code}.{ending}"'
        assert answer.headers["Content-Disposition"] == name


# Static files


def test_static_files_are_kept_for_ever_under_their_content(app: Flask) -> None:
    """An address with the contents' tag never changes; another tag is not kept."""
    page = client_of(app).get("/").text
    addresses = sorted({*re.findall(r'"(/static/[^"#]+)', page)})
    assert len(addresses) >= 4
    for address in addresses:
        plain = client_of(app).get(address)
        packed = client_of(app).get(address, headers={"Accept-Encoding": "gzip"})
        assert plain.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert plain.headers["Vary"] == "Accept-Encoding"
        unpacked = packed.data
        if "Content-Encoding" in packed.headers:
            unpacked = gzip.decompress(packed.data)
        assert unpacked == plain.data
    old = client_of(app).get("/static/0000000000/js/main.js")
    assert (old.status_code, old.headers["Cache-Control"]) == (200, "no-cache")
    for path in ("nothing.css", "../referee/cli.py", "vendor/SHA256SUMS"):
        assert client_of(app).get(f"/static/0/{path}").status_code == 404
    icon = client_of(app).get("/favicon.ico")
    assert icon.status_code == 301
    assert icon.location.endswith("/icon.svg")


def test_vendored_files_are_the_ones_named(app: Flask) -> None:
    """Their hashes are written beside them, and each has its licence."""
    import hashlib  # noqa: PLC0415  # for this test only

    folder = here("static") / "vendor"
    lines = (folder / "SHA256SUMS").read_text(encoding="utf-8").split("\n")
    named = dict(reversed(line.split()) for line in lines if line)
    scripts = {path.name for path in folder.glob("*.js")}

    assert scripts <= {name.removeprefix("*") for name in named}
    for name, digest in named.items():
        body = (folder / name.removeprefix("*")).read_bytes()
        assert hashlib.sha256(body).hexdigest() == digest
    assert len([*folder.glob("*.LICENSE")]) == len(scripts)


# Nasty names


NASTY = (
    "Bob 🐺",
    "\u202eevil\u202c",
    "\u2067rtl\u2069",
    "<script>alert(1)</script>",
    '" onmouseover="pwn()" x="',
    "' onfocus='pwn()' autofocus='",
    "{{ 7*7 }}{% x %}",
    "%(name)s %s",
    "&lt;b&gt;&amp;",
    "a\nb\r\nc: d\n\nevent: gone",
    "data: x",
    "Z" + "\u0300\u0301\u0302\u0303" * 40,
    "=cmd|' /C calc'!A0",
    "@SUM(1)",
    "مرحبا",
    "שלום",
    "名前",
    "👨‍👩‍👧‍👦" * 30,
    "x" * 400,
    "\u00a0 \u2003 a \u3000",
    "]]>--><!--",
    "null",
    "\\u0000\\",
    "A\u2028B\u2029C\x85D\x0bE",
)
names = st.one_of(
    st.sampled_from(NASTY),
    st.text(min_size=1, max_size=60),
    st.text("<>&\"'`={}%\n\r\t\u200b\u202e\u0301🐺a:", min_size=1, max_size=40),
)


@pytest.mark.long
@given(st.lists(names, min_size=3, max_size=5), st.integers(0, 9))
@settings(
    max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_nasty_names_everywhere(app: Flask, called: list[str], seed: int) -> None:
    """Through pages, streams, headers, journals and exports: shown as text, and nothing breaks."""
    evening = Evening(app, seats=0)
    for name in called:
        phone = Browser(app)
        answer = phone.post(f"/j/{evening.code}", {"name": name})
        if answer.status_code == 303:
            evening.phones.append(phone)
        else:
            assert answer.status_code == 400
            Page(answer.text)
    while len(evening.phones) < 3:
        evening.phones.append(Browser(app))
        evening.phones[-1].join(evening.code, "Ann")
    evening.start()
    evening.play(random.Random(seed), most=30)
    act_for_reason = {"what": "star", "seat": "1", "reason": called[0]}
    evening.correct(act_for_reason)
    look_everywhere(evening)
    evening.play(random.Random(seed))
    look_everywhere(evening)
    base = f"/t/{evening.code}/export"
    shown = evening.laptop.get(f"{base}/csv").text
    assert len(shown.split("\n")) > 10
    assert not re.search(r",[=+@-](?!\d)", shown)
    assert msgspec.json.decode(evening.laptop.get(f"{base}/bgstats").data)
    for line in evening.laptop.get(f"{base}/journal").data.split(b"\n")[:-1]:
        assert msgspec.json.decode(line)


def look_everywhere(evening: Evening) -> None:
    """Open all pages and streams of a table and check them."""
    for who, path in pages_of(evening)[2:]:
        answer = who.get(path)
        assert answer.status_code == 200
        check_text(answer.text)
        Page(answer.text)
    code = evening.code
    streams = [
        (evening.laptop, f"/t/{code}/stream"),
        (evening.phones[0], evening.seat(0, "/stream")),
    ]
    for who, path in streams:
        with streaming(who.client, path) as stream:
            check_stream(stream)
    with streaming(evening.laptop.client, f"/api/v1/tables/{code}/stream") as stream:
        stream.read()
        ((_, _, data),) = stream.read()
        assert msgspec.json.decode(data) == evening.laptop.get(f"/api/v1/tables/{code}").json


def check_stream(stream: Stream) -> None:
    """Check that nothing but our own events is in what comes first."""
    stream.read()
    for name, _, data in stream.read():
        assert re.fullmatch(r"[a-z]+", name)
        assert name != "gone"
        check_text(data)


def check_text(text: str) -> None:
    """Check that no name got out of its place: no element, attribute or direction of its own."""
    for wrong in ("<script>alert", '" onmouseover="', "' onfocus='", "{{ 7*7 }}</script>"):
        assert wrong not in text
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u0000-\u0008]", text)


def test_every_screen_is_told_when_a_seat_is_freed(own_app: Flask) -> None:
    """The notice stands on the display and on each phone until play goes on."""
    evening = Evening(own_app).start()
    tables_of(own_app).seats.release(evening.table, 1)
    told = "The host freed"
    pages = [evening.laptop.get(f"/t/{evening.code}").text]
    pages += [evening.phones[seat].get(evening.seat(seat)).text for seat in (0, 2)]

    assert [True] * 3 == [told in page for page in pages]

    star = evening.table.ledger.seating.order[0]
    play_on = {"type": "draw_plot", "version": evening.table.ledger.noticed.asked_since(star)}
    evening.phones[0].post(evening.seat(0, "/act"), {k: str(v) for k, v in play_on.items()})

    assert told not in evening.phones[2].get(evening.seat(2)).text


def test_the_host_acts_only_where_nobody_is_there(app: Flask) -> None:
    """Not for a phone that is awake, and not while another one who is asked is awake."""
    evening = Evening(app, auction="sealed").start()
    tables, table = tables_of(app), evening.table
    act(tables, table, 0, {"type": "draw_plot"})
    host = f"/t/{evening.code}/host"
    form = {"seat": "1", "type": "submit_bid", "amount": "0"}

    def shown() -> int:
        return evening.laptop.get(host).text.count('/act-for"')

    def sent() -> int:
        version = {"version": table.ledger.version(None)}
        return evening.laptop.post(f"/t/{evening.code}/act-for", form | version).status_code

    for seat in (0, 1):
        evening.phones[seat].get(evening.seat(seat))
    assert (shown(), sent()) == (0, 422)
    tables.seats.release(table, 1)
    assert (shown(), sent()) == (0, 422)

    act(tables, table, 0, {"type": "submit_bid", "amount": 0})

    assert shown() == 2
    assert sent() == 303


def test_a_side_never_acts_for_the_other(app: Flask) -> None:
    """Whoever hosts and holds the Marshal's seat is no stand-in for the gang, nor they for him."""
    evening = Evening(app, game="desperados", seats=4).start()
    table = evening.table
    marshal = int(table.ledger.options["star"])
    gang = next(seat for seat in range(4) if seat != marshal)
    for own, other in ((marshal, gang), (gang, marshal)):
        both = evening.phones[own]
        key = evening.laptop.key(evening.code, "host")
        assert key is not None
        both.client.set_cookie(f"referee_8000_{evening.code}_host", key)
        form = {"seat": str(other), "type": "lay_any", "version": "1"}
        answer = both.post(f"/t/{evening.code}/act-for", form)
        assert answer.status_code == 422
        assert "plays against" in answer.text


def test_how_a_turn_is_felt_is_chosen_for_each_screen(app: Flask) -> None:
    """Sound and vibration until somebody says otherwise, on this browser alone."""
    evening = Evening(app, seats=3).start()
    phone, other = evening.phones[:2]
    assert 'data-felt="both"' in phone.get(evening.seat(0)).text
    assert 'name="felt" value="none"' in phone.get(evening.seat(0, "/menu")).text

    phone.post("/look", {"felt": "buzz", "back": evening.seat(0, "/menu")})

    assert 'data-felt="buzz"' in phone.get(evening.seat(0)).text
    assert 'data-felt="both"' in other.get(evening.seat(1)).text
    assert phone.post("/look", {"felt": "loud"}).status_code == 400

"""The pages: all of them, in every language and phase; files; fresh links."""

from __future__ import annotations

import gzip
import random
import re

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from referee.entries import SeatId
from referee.games import GAMES
from referee.web.render import here
from tests.pages import Page, pages_of
from tests.table import (
    BASE,
    LANGUAGES,
    NAMES,
    Browser,
    Evening,
    act,
    client_of,
    phase_of,
    tables_of,
)

AUCTIONS = next(o.values for o in GAMES["winchester"].META.options if o.key == "auction")
OURS = (BASE, "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink")


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


def test_the_host_acts_for_whoever_is_not_there(app: Flask) -> None:
    """Not for a phone that is awake; for a seat without one as soon as the display says so."""
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

    def says() -> bool:
        return "the host acts for it" in evening.laptop.get(f"/t/{evening.code}").text

    for seat in range(3):
        evening.phones[seat].get(evening.seat(seat))
    assert (says(), shown(), sent()) == (False, 0, 422)
    tables.seats.release(table, 1)

    # The others think about their own bids meanwhile.
    assert (says(), shown(), sent()) == (True, 1, 303)
    assert (says(), shown(), sent()) == (False, 0, 422)


def test_nobody_acts_for_one_of_a_gang_that_is_there(app: Flask) -> None:
    """Any of them ends its part of a move: neither a notice nor the host's page says otherwise."""
    evening = Evening(app, game="desperados", seats=4).start()
    tables, table = tables_of(app), evening.table
    evening.play(random.Random(1), until="acting")
    marshal = int(table.ledger.options["star"])
    empty, here = [seat for seat in range(4) if seat != marshal][:2]
    tables.seats.release(table, SeatId(empty))
    tables.live._seen.clear()  # noqa: SLF001

    def offered() -> tuple[bool, bool]:
        says = "nobody holds this seat" in evening.laptop.get(f"/t/{evening.code}").text
        return says, '/act-for"' in evening.laptop.get(f"/t/{evening.code}/host").text

    assert offered() == (True, True)
    evening.phones[here].post(evening.seat(here, "/here"))
    assert offered() == (False, False)


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

"""All evenings of a machine: found, cleared away, people known again, and games seen again."""

from __future__ import annotations

import random
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from flask import Flask

from referee import bots
from referee.evenings import PER_PAGE, Evenings
from referee.journal import Ledger
from referee.tables import Tables
from tests.table import APP, Browser, Evening, app_at, deal, play, tables_at, tables_of


@pytest.fixture
def own_app(tmp_path: Path) -> Iterator[Flask]:
    """Give an app whose evenings are all from this test."""
    with app_at(tmp_path) as app:
        yield app


def codes(page: str) -> list[str]:
    """Read which tables a page lists."""
    return re.findall(r'<span class="code" translate="no">(\w+)</span>', page)


def machine(app: Flask) -> Browser:
    """Give a browser with the machine's own rights."""
    laptop = Browser(app)
    laptop.get(f"/host/{app.extensions['referee'].place.host_key}")
    return laptop


def sat_down(app: Flask, game: str, *names: str) -> str:
    """Open a table where these people sit, and give its code."""
    tables = tables_of(app)
    table, _ = tables.open(game, options=APP)
    for name in names:
        tables.lobby.join(table, name)
    return table.code


def play_one(tables: Tables) -> str:
    """Play a game to its end, and give its code."""
    table = deal(tables)
    play(tables, table, random.Random(1))
    return table.code


def test_a_page_lists_all_tables(own_app: Flask) -> None:
    """The last played at first, so many a page, and each once."""
    opened = [sat_down(own_app, "winchester") for _ in range(PER_PAGE + 2)]
    laptop = machine(own_app)
    first, second, beyond = (laptop.get(f"/evenings?page={n}").text for n in (1, 2, 99))

    assert codes(first) + codes(second) == opened[::-1]
    assert len(codes(second)) == 2
    assert codes(beyond) == codes(second)


def test_tables_are_found_by_game_and_by_player(own_app: Flask) -> None:
    """Whoever looks for an evening knows what was played, or with whom."""
    ours = sat_down(own_app, "winchester", "Zoë", "Ben")
    other = sat_down(own_app, "desperados", "Ben", "Ann")
    laptop = machine(own_app)

    assert codes(laptop.get("/evenings?game=desperados").text) == [other]
    assert codes(laptop.get("/evenings?person=zoë").text) == [ours]
    assert codes(laptop.get("/evenings?person=Ben&game=winchester").text) == [ours]
    assert codes(laptop.get("/evenings?person=Nobody").text) == []


def test_people_are_known_again_and_two_can_be_one(own_app: Flask) -> None:
    """By the name they type, whatever its case; a name given to both makes them one."""
    for name in ("Anna", "ANNA", "Annie"):
        sat_down(own_app, "winchester", name)
    laptop, shelf = machine(own_app), Evenings(tables_of(own_app).store)
    assert sorted(p.evenings for p in shelf.people()) == [1, 2]

    laptop.post("/evenings/people", {"person": "Annie", "name": "Anna"})
    (anna,) = shelf.people()
    assert (anna.evenings, {*anna.names}) == (3, {"Anna", "ANNA", "Annie"})
    laptop.post("/evenings/people", {"person": "Anna", "name": "Hanna"})
    (hanna,) = shelf.people()
    assert (hanna.name, hanna.evenings) == ("Hanna", 3)
    assert len(codes(laptop.get("/evenings?person=hanna").text)) == 3


def test_a_name_that_was_changed_is_the_one_that_counts(own_app: Flask) -> None:
    """And whoever left the table before the start was not there."""
    tables = tables_of(own_app)
    table = tables.find(sat_down(own_app, "winchester", "Ann", "Ben"))
    tables.lobby.rename(table, table.ledger.seating.order[0], "Zoë")
    tables.lobby.leave(table, table.ledger.seating.order[1])

    assert [p.name for p in Evenings(tables.store).people()] == ["Zoë"]


def test_bots_are_nobody_and_two_who_are_one_came_once(own_app: Flask) -> None:
    """Whoever sat at a table under both of their names was there on one evening."""
    tables = tables_of(own_app)
    table = tables.find(sat_down(own_app, "winchester", "Ida", "Ina"))
    bots.seat(tables, table, 4)
    shelf = Evenings(tables.store)
    assert {p.name for p in shelf.people()} == {"Ida", "Ina"}

    machine(own_app).post("/evenings/people", {"person": "Ina", "name": "Ida"})
    (ida,) = shelf.people()
    assert ida.evenings == 1


def test_a_person_is_found_whatever_signs_they_are_called_by(own_app: Flask) -> None:
    """A family of four in one sign, as often as a name has room for."""
    name = "👨‍👩‍👧‍👦" * 24
    code = sat_down(own_app, "winchester", name)
    sat_down(own_app, "winchester", "Ben")
    laptop = machine(own_app)
    (who,) = (p for p in Evenings(tables_of(own_app).store).people() if p.name != "Ben")

    assert codes(laptop.get(f"/evenings?person={quote(who.name)}").text) == [code]


def test_who_played_before_is_known_as_soon_as_they_did(own_app: Flask) -> None:
    """What was looked up once is looked up anew when somebody sits down, begins, or is deleted."""
    tables = tables_of(own_app)
    evenings = Evenings(tables.store)
    first, _ = tables.open("winchester", options=APP)
    second, _ = tables.open("winchester", options=APP)
    known = [evenings.played("winchester", before=second.code)]
    for name in ("Zoë", "Ben", "Ann"):
        tables.lobby.join(first, name)
    known.append(evenings.played("winchester", before=second.code))
    tables.lobby.start(first)
    known.append(evenings.played("winchester", before=second.code))
    before = [evenings.played("desperados", before=second.code)]
    before.append(evenings.played("winchester", before=first.code))
    tables.forget(first.code)
    known.append(evenings.played("winchester", before=second.code))

    assert known == [frozenset(), frozenset(), {"zoë", "ben", "ann"}, frozenset()]
    assert before == [frozenset(), frozenset()]


def test_a_list_of_tables_wakes_none_of_them(tmp_path: Path) -> None:
    """A table of bots that is only shown lies still; whoever opens it finds them playing, once."""
    with app_at(tmp_path) as app:
        tables = tables_of(app)
        table = tables.find(sat_down(app, "winchester", "Ida", "Ina"))
        bots.seat(tables, table, 4)
        tables.lobby.start(table)
    with app_at(tmp_path) as app:
        woken: list[str] = []
        tables_of(app).woken = lambda table: woken.append(table.code)
        laptop = machine(app)
        for page in ("/evenings", "/", "/records"):
            assert table.code in laptop.get(page).text or page == "/records"
        assert woken == []
        for _ in range(2):
            laptop.get(f"/t/{table.code}")
        assert woken == [table.code]


@pytest.mark.parametrize("payload", ["{nonsense", '{"seat": 0, "na', "[]", "{}", '{"name": 3}'])
@pytest.mark.parametrize("kind", ["join", "note"])
def test_a_damaged_entry_takes_no_other_evening_along(
    kind: str, payload: str, tmp_path: Path
) -> None:
    """The others are listed; the damaged table is named as such, and can be cleared away."""
    with tables_at(tmp_path) as tables:
        good, bad = deal(tables), deal(tables)

        def spoil(connection: sqlite3.Connection) -> None:
            connection.execute(
                "UPDATE entries SET payload = ? WHERE code = ? AND kind = ?",
                (payload, bad.code, kind),
            )

        tables.store.write(spoil)
    with app_at(tmp_path) as app:
        laptop = machine(app)
        page = laptop.get("/evenings")
        assert page.status_code == laptop.get("/records").status_code == 200
        assert codes(page.text) == [bad.code, good.code]
        assert page.text.count("cannot be read") == 1
        assert "hold it until newer ones" in page.text
        assert laptop.post(f"/evenings/{bad.code}/delete", {}).status_code == 303
        assert codes(laptop.get("/evenings").text) == [good.code]


def test_a_deleted_table_is_gone(tmp_path: Path) -> None:
    """From the list, the memory and the disk; what else there is stays, after a restart as well."""
    with app_at(tmp_path) as app:
        kept, gone = sat_down(app, "winchester", "Ann"), sat_down(app, "winchester", "Ben")
        tables_of(app).store.keep_backup()
        laptop = machine(app)
        assert laptop.post(f"/evenings/{gone}/delete", {}).status_code == 303
        assert laptop.get(f"/t/{gone}").status_code == 404
        assert codes(laptop.get("/evenings").text) == [kept]
        assert laptop.post(f"/evenings/{gone}/delete", {}).status_code == 404
    with tables_at(tmp_path) as tables:
        assert tables.store.restored is None
        assert [e.code for e in Evenings(tables.store).all()] == [kept]


def test_only_the_machine_clears_away_and_names_people(own_app: Flask) -> None:
    """A guest sees the tables that their phone has a key to, and nobody else's."""
    guest = Browser(own_app)
    other = sat_down(own_app, "winchester", "Ann")
    own = guest.open_table()
    guest.join(own, "Gus")
    away = {"REMOTE_ADDR": "192.168.1.77"}
    page = guest.client.get("/evenings", environ_base=away).text

    assert codes(page) == [own]
    assert "Ann" not in page
    assert "MB on this computer" not in page
    assert "MB on this computer, backups included" in machine(own_app).get("/evenings").text
    forms: tuple[tuple[str, dict[str, str]], ...] = (
        (f"/{other}/delete", {}),
        ("/people", {"person": "Ann", "name": "X"}),
    )
    for path, form in forms:
        refused = guest.client.post(f"/evenings{path}", data=form, environ_base=away)
        assert refused.status_code == 403


@pytest.mark.parametrize("game", ["winchester", "desperados", "moon_river"])
def test_a_finished_game_is_seen_again(game: str, tmp_path: Path) -> None:
    """Each step is the display of that moment, to the last one before the result."""
    with app_at(tmp_path) as app:
        tables = tables_of(app)
        table = deal(tables, game=game)
        replay, laptop = f"/t/{table.code}/replay", Browser(app)
        assert laptop.get(replay).status_code == 409
        before = laptop.get(f"/t/{table.code}").text
        play(tables, table, random.Random(1))

        first = laptop.get(replay)
        steps = int(re.findall(r'max="(\d+)"', first.text)[0])
        last = laptop.get(f"{replay}?step={steps}").text
        assert laptop.get(f"{replay}?step={steps + 50}").text == last
    stage = re.compile(r'<div class="board.*?<section class="side"', re.DOTALL)
    assert first.status_code == 200
    assert steps > 10
    assert stage.findall(first.text) != stage.findall(last)
    assert len(stage.findall(before)) == len(stage.findall(last)) == 1
    assert 'rel="next"' in first.text
    assert 'rel="next"' not in last
    assert "data-stream" not in first.text
    assert "seat is free" not in first.text


def test_a_step_back_is_no_step(app: Flask) -> None:
    """What was taken back is not shown again as if it had counted."""
    evening = Evening(app).start()
    evening.play(random.Random(1))
    table = tables_of(app).find(evening.code)
    told = [line for line in table.ledger.log.lines if line.events and not line.is_undone]
    page = evening.laptop.get(f"/t/{evening.code}/replay").text

    assert len(told) - 2 <= int(re.findall(r'max="(\d+)"', page)[0]) <= len(told)


def test_records_add_up(tmp_path: Path) -> None:
    """Every figure is that of the games themselves, and leads to one of them; bots make none."""
    with app_at(tmp_path) as app:
        tables = tables_of(app)
        first = deal(tables, seed="1")
        play(tables, first, random.Random(1))
        second = deal(tables, seed="2", game="desperados")
        play(tables, second, random.Random(2))
        running = deal(tables, seed="3")
        page = machine(app).get("/records").text
        guest = Browser(app).get("/records").text
        final = first.game.score(first.ledger.state)
    best = max(score.total for score in final.scores)
    paid = [e.price for line in first.ledger.log.lines for e in line.events if hasattr(e, "price")]

    assert f"{best:,}" in page
    assert f"${max(paid):,}" in page
    assert "Marshal" in page
    brought = page[page.index("What brings how much") :]
    for line in ("Cash", "Along the rails", "Most plots"):
        assert f'<a href="/t/{first.code}/keep">{line}</a>' in brought
    assert running.code not in page
    for table in (first, second):
        assert f"/t/{table.code}/keep" in page
        assert table.code not in guest


def test_what_a_finished_game_gave_is_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the records nor a step of the replay reads a whole journal once more."""
    with tables_at(tmp_path) as tables:
        code = play_one(tables)
    taken = []
    take = Ledger.take
    with app_at(tmp_path) as app:
        laptop, tables = machine(app), tables_of(app)
        monkeypatch.setattr(Ledger, "take", lambda self, e: taken.append(e) or take(self, e))
        woken: list[object] = []
        monkeypatch.setattr(tables, "woken", woken.append)
        first = laptop.get("/records").text
        assert code in first
        assert taken
        taken.clear()
        assert laptop.get("/records").text == first
        assert not taken
        assert not woken
        laptop.get(f"/t/{code}/replay?step=1")
        taken.clear()
        laptop.get(f"/t/{code}/replay?step=2")
        assert len(taken) < tables.find(code).ledger.length / 2


def test_a_card_for_the_box(own_app: Flask) -> None:
    """It says where the referee is and what is agreed on; the Wi-Fi is the machine's to show."""
    host, code = Browser(own_app), ""
    code = host.open_table()
    own_app.extensions["referee"].place.show_wifi(("Saloon", "sundown99"))
    mine, theirs = machine(own_app).get(f"/t/{code}/card").text, host.get(f"/t/{code}/card").text

    assert "Saloon" in mine
    assert "Saloon" not in theirs
    assert "192.168.1.50:8000" in theirs
    assert "Where the rulebook leaves room" in theirs
    assert Browser(own_app).get(f"/t/{code}/card").location == f"/j/{code}"

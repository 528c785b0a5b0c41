"""A finished game as people keep it."""

from __future__ import annotations

import csv
import html
import io
import random
import re
import urllib.parse
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from flask import Flask

from referee import playlog
from referee.entries import Entry
from referee.errors import TableError
from referee.playlog import Play
from referee.tables import Table, Tables
from tests.table import APP, Browser, Evening, deal, play, tables_at

LONG = tuple("Éléonore Ærøskøbing-Łódź"[:23] + letter for letter in "ABCDEF")
FORMULAS = ("=1+1", "+SUM(A1)", 'Quo"te, comma')


def over(tables: Tables, game: str, names: tuple[str, ...], **more: str) -> tuple[Table, Play]:
    """Play a whole game and give its table and its play."""
    table, _ = tables.open(game, options=APP | more, seed="x")
    for name in names:
        tables.lobby.join(table, name)
    tables.lobby.start(table)
    play(tables, table, random.Random(1))
    return table, playlog.play_of(table, tables.store.entries(table.code), "de")


@pytest.fixture(scope="module")
def plays(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Play]:
    """Give a play of each game, with names that are long or look like formulas."""
    with tables_at(tmp_path_factory.mktemp("over")) as tables:
        return {
            "winchester": over(tables, "winchester", FORMULAS, star="1")[1],
            "desperados": over(tables, "desperados", LONG, star="2")[1],
        }


def sent(found: Play) -> dict[str, Any]:
    """Read what the link hands over."""
    address, _, data = playlog.bgstats_link(found).partition("?data=")
    assert address == "https://app.bgstatsapp.com/createPlay.html"
    read: dict[str, Any] = msgspec.json.decode(urllib.parse.unquote(data))
    return read


def test_the_link_says_who_won_who_began_and_how_long_it_took(plays: dict[str, Play]) -> None:
    """Every player says explicitly whether they won: the app refuses a play that leaves it out."""
    found = sent(plays["winchester"])

    assert found["game"]["bggId"] == plays["winchester"].bgg_id
    assert [p["startPlayer"] for p in found["players"]] == [False, True, False]
    assert sum(p["winner"] for p in found["players"]) >= 1
    assert {p["rank"] for p in found["players"] if p["winner"]} == {1}
    assert found["durationMin"] == plays["winchester"].minutes >= 0
    assert datetime.strptime(found["playDate"], "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC) == (
        plays["winchester"].ended
    )


def test_the_link_of_a_game_with_roles_names_them(plays: dict[str, Play]) -> None:
    """Six long names with accents still fit an address, and the Marshal is alone."""
    link, found = playlog.bgstats_link(plays["desperados"]), sent(plays["desperados"])

    assert len(link) < 8000
    assert [p["name"] for p in found["players"]] == [*LONG]
    roles = [p["role"] for p in found["players"]]
    assert (roles.count("Marshal"), roles[2]) == (1, "Marshal")
    assert not any(p["startPlayer"] for p in found["players"])


def test_a_winner_by_a_tie_breaker_ranks_first(plays: dict[str, Play]) -> None:
    """Whoever has as many points and lost by the tie-breaker comes behind."""
    first = plays["winchester"].players[0]
    for player in plays["winchester"].players:
        assert (player.rank == 1) == player.is_winner or player.total < first.total


def test_the_same_player_has_the_same_id_every_evening(tables: Tables) -> None:
    """Play logs know people again by it, whatever the case their name was typed in."""
    ids = [over(tables, "winchester", names)[1].players[0].key
           for names in (("Zoë", "B", "C"), ("ZOË", "D", "E"))]  # fmt: skip

    assert ids[0] == ids[1]


def test_the_play_ends_with_its_last_move(tables: Tables) -> None:
    """What is noted afterwards, such as a rematch, is none."""
    table, _ = over(tables, "winchester", ("A", "B", "C"))
    entries = tables.store.entries(table.code)
    late = msgspec.structs.replace(entries[-1], kind="note", at="2099-01-01T00:00:00+00:00")

    assert playlog.play_of(table, [*entries, late], "en").ended.year < 2099
    early: Entry = next(entry for entry in entries if entry.kind == "setup")
    assert playlog.play_of(table, entries, "en").ended >= datetime.fromisoformat(early.at)


def test_the_file_resolves(plays: dict[str, Play]) -> None:
    """One play, references that resolve, scores as text."""
    for found in plays.values():
        read = msgspec.json.decode(playlog.bgstats_file(found))
        (only,), known = read["plays"], {player["id"] for player in read["players"]}

        assert only["gameRefId"] == read["games"][0]["id"]
        assert {score["playerRefId"] for score in only["playerScores"]} == known
        assert [s["score"] for s in only["playerScores"]] == [str(p.total) for p in found.players]
        assert only["usesTeams"] == (found.game == "desperados")


def test_where_it_was_played_goes_along_if_it_is_said(app: Flask) -> None:
    """In the link and in the file, each in its own way; unsaid it is in neither."""
    evening = Evening(app).start()
    evening.play(random.Random(2))
    keep, place = f"/t/{evening.code}", "Zoë's & Ben's"
    said = evening.laptop.client.get(f"{keep}/keep", query_string={"place": place}).text
    path = html.unescape(re.findall(r'href="([^"]*export/bgstats[^"]*)"', said)[0])
    link = html.unescape(re.findall(r'href="(https://app[^"]*)"', said)[0])
    file = msgspec.json.decode(evening.laptop.get("".join(path.split())).data)
    handed = msgspec.json.decode(urllib.parse.unquote(link.partition("?data=")[2]))

    assert handed["location"] == place
    assert file["locations"][0]["name"] == place
    assert file["plays"][0]["locationRefId"] == file["locations"][0]["id"]
    assert "location" not in urllib.parse.unquote(evening.laptop.get(f"{keep}/keep").text)


def test_a_spreadsheet(plays: dict[str, Play]) -> None:
    """One row a line, read back by any reader; accents are known by the mark; no formulas."""
    text = playlog.as_csv(plays["winchester"], separator=";")
    rows = [*csv.DictReader(io.StringIO(text.removeprefix(playlog.BOM)), delimiter=";")]
    totals = {row["name"]: int(row["amount"]) for row in rows if row["line"] == "total"}

    assert text.startswith(playlog.BOM)
    assert {*totals} == {"'=1+1", "'+SUM(A1)", 'Quo"te, comma'}
    assert [*totals.values()] == [player.total for player in plays["winchester"].players]
    assert {row["winner"] for row in rows} == {"0", "1"}


def test_nothing_to_keep_before_the_end(tables: Tables) -> None:
    """Neither in the lobby nor while playing."""
    lobby, _ = tables.open("winchester", options=APP)
    for table in (lobby, deal(tables)):
        with pytest.raises(TableError) as refused:
            playlog.play_of(table, tables.store.entries(table.code), "en")
        assert refused.value.code == "not_over"


def test_the_page_that_keeps_a_game(app: Flask) -> None:
    """Every screen of the end leads there; its words are the reader's, and so is the file."""
    evening = Evening(app).start()
    keep = f"/t/{evening.code}/keep"
    assert evening.laptop.get(keep).status_code == 409
    evening.play(random.Random(1))
    phone, page = evening.phones[0], evening.seat(0)
    for reader, shown in ((evening.laptop, f"/t/{evening.code}"), (phone, page)):
        assert f'href="{keep}"' in reader.get(shown).text
        assert "app.bgstatsapp.com" in reader.get(keep).text
    assert 'href="/s/' in phone.get(keep).text
    scores = evening.table.game.score(evening.table.ledger.state).scores
    text = html.unescape(
        re.findall(r"(?s)<textarea[^>]*>(.*?)</textarea>", phone.get(keep).text)[0]
    )
    for score, name in zip(scores, ("Ann", "Ben", "Cleo"), strict=True):
        assert f"{name}: {score.total:,}" in text
    for way in ("data-copy", "data-share"):
        assert re.search(f"<button[^>]* {way} hidden>", " ".join(phone.get(keep).text.split()))
    shown = Browser(app, lang="de").get(f"/t/{evening.code}/export/csv").text
    assert ";Bargeld;" in shown
    assert "cash" not in shown
    assert shown.splitlines()[0] == "\ufeffTisch;Spiel;Platz;Name;Wofür;Wert;Gewonnen"
    assert ";Summe;" in shown
    assert "total" not in shown

"""The board's page: what its owner teaches, profiles as files, and who may."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from flask import Flask

from referee import profiles
from referee.errors import IllegalAction, MalformedAction
from referee.games.winchester.boards import all_facts, read_board
from tests.table import (
    Browser,
    Evening,
    tables_at,
    tables_of,
)
from tests.winchester.boxed import BOXED

PRACTICE = read_board(profiles.load("winchester", "practice"))


# The page of the board


@pytest.fixture
def local(own_app: Flask) -> Browser:
    """Give a browser on the machine itself."""
    browser = Browser(own_app)
    browser.client.environ_base["REMOTE_ADDR"] = "127.0.0.1"
    return browser


HUCH = "/board/winchester/huch"


def test_the_page_says_how_much_is_known_and_teaches(local: Browser, own_app: Flask) -> None:
    """Plot by plot; untapped neighbours are no, and the next plot follows."""
    page = local.get(f"{HUCH}?at=7").text
    assert "0 / 171" in page
    assert "3 / 19" in page
    pairs = [f"touch:{min(7, n)}-{max(7, n)}" for n in range(1, 20) if n != 7]
    form = {"asked": pairs, "touch:6-7": "yes", "terrain:7": "forest", "next": "8"}

    answer = local.client.post(f"{HUCH}/teach", data=form)

    assert answer.status_code == 303
    assert answer.location == f"{HUCH}?table=&at=8"
    known = tables_of(own_app).store.facts("winchester", "huch")
    assert known["touch:6-7"] == "yes"
    assert known["touch:3-7"] == "no"
    assert known["terrain:7"] == "forest"
    page = local.get(HUCH).text
    assert "18 / 171" in page
    assert "4 / 19" in page


def test_the_ranch_and_the_places_of_vehicles_are_taught(local: Browser, own_app: Flask) -> None:
    """By a tick, and by tapping the plots beside; then these are all."""
    local.post(f"{HUCH}/teach", {"ranch": "17"})
    local.client.post(f"{HUCH}/teach", data={"boat_beside": ["8", "5"], "next": ""})
    local.post(f"{HUCH}/teach", {"boat:all": "yes"})

    known = tables_of(own_app).store.facts("winchester", "huch")
    assert known == {"ranch": "17", "boat:5-8": "yes", "boat:all": "yes"}
    assert "5 · 8" in local.get(HUCH).text


def test_the_contradiction_of_the_french_lists_is_shown_and_settled(
    local: Browser, own_app: Flask
) -> None:
    """Plot 6 is on both lists, 4 on neither; our reading is ticked until the owner says."""
    page = local.get("/board/winchester/blue-orange").text
    assert "contradicts itself" in page
    assert "both on and off" in page
    assert "our reading" in page
    form = {f"{side}:{n}": "no" for side in ("river", "rails") for n in range(2, 7)}
    form |= {"river:4": "yes", "river:5": "yes", "rails:6": "yes"}

    local.post("/board/winchester/blue-orange/teach", form)

    assert tables_of(own_app).store.facts("winchester", "blue-orange") == form
    assert "contradicts itself" not in local.get(HUCH).text


def test_a_profile_travels_as_a_file(local: Browser, own_app: Flask) -> None:
    """Exported by one owner, imported by another, who is asked nothing then."""
    store = tables_of(own_app).store
    store.set_facts("winchester", "huch", all_facts(PRACTICE), "now")
    saved = local.get(f"{HUCH}/profile.toml")
    assert saved.headers["Content-Disposition"].endswith('filename="winchester-huch.toml"')
    local.post(f"{HUCH}/forget")
    assert store.facts("winchester", "huch") == {}

    upload = {"file": (io.BytesIO(saved.data), "theirs.toml")}
    answer = local.client.post(f"{HUCH}/import", data=upload)

    assert answer.status_code == 303
    assert store.facts("winchester", "huch") == all_facts(PRACTICE)
    assert "171 / 171" in local.get(HUCH).text


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("no toml at all [", 400),
        ('game = "winchester"\nboard = "blue-orange"\n[facts]\n', 400),
        ('game = "winchester"\nboard = "huch"\n[facts]\n"terrain:7" = 3\n', 400),
        ('game = "winchester"\nboard = "huch"\n[facts]\n"terrain:77" = "forest"\n', 422),
        ("", 400),
    ],
)
def test_a_file_of_something_else_changes_nothing(
    local: Browser, own_app: Flask, text: str, status: int
) -> None:
    """It is said what is wrong, in a sentence."""
    answer = local.client.post(
        f"{HUCH}/import", data={"file": (io.BytesIO(text.encode()), "x.toml")}
    )

    assert answer.status_code == status
    assert "board" in answer.text
    assert tables_of(own_app).store.facts("winchester", "huch") == {}


def test_only_the_machine_and_people_at_a_table_may_teach(own_app: Flask) -> None:
    """A stranger in the Wi-Fi may not; a seat of a table may, through its table."""
    stranger = Browser(own_app)
    assert stranger.get(HUCH).status_code == 403
    assert stranger.post(f"{HUCH}/teach", {"ranch": "17"}).status_code == 403
    assert stranger.post(f"{HUCH}/forget").status_code == 403
    assert stranger.get("/board/winchester/elsewhere").status_code == 404
    assert stranger.get("/board/chess/huch").status_code == 404
    evening = Evening(own_app, seats=3, **BOXED).start()
    assert evening.phones[1].get(f"{HUCH}?table={evening.code}&at=3").status_code == 200
    assert evening.laptop.get(f"{HUCH}?table={evening.code}").status_code == 200
    assert stranger.get(f"{HUCH}?table={evening.code}").status_code == 403
    assert stranger.get(f"{HUCH}?table=QQQQQ").status_code == 403


def test_teaching_reaches_the_running_game(own_app: Flask) -> None:
    """What a waiting phone tells is known and logged at once; what differs, the table is asked."""
    evening = Evening(own_app, seats=3, **BOXED).start()
    phone = evening.phones[2]
    form = {"table": evening.code, "terrain:7": "forest"}
    assert phone.post(f"{HUCH}/teach", form).status_code == 303
    assert evening.table.ledger.state.board.plots[6].terrain == "forest"
    assert evening.table.ledger.log.lines[-1].seat == 2
    assert tables_of(own_app).store.facts("winchester", "huch") == {"terrain:7": "forest"}
    assert phone.post(f"{HUCH}/teach", form).status_code == 303

    wrong = phone.post(f"{HUCH}/teach", form | {"terrain:7": "desert"})

    assert wrong.status_code == 303
    assert evening.table.ledger.proposal is not None
    assert evening.table.ledger.state.board.plots[6].terrain == "forest"
    page = phone.get(f"{HUCH}?table={evening.code}&at=7").text
    assert "everybody" in page


# Profiles


def test_profiles_are_written_and_read() -> None:
    """A round trip, whatever is in the values; anything else is refused."""
    facts = {"terrain:7": "forest", 'odd "one"': "yes"}

    assert profiles.read(profiles.write("winchester", "huch", facts), "winchester", "huch") == facts
    with pytest.raises(MalformedAction):
        profiles.read("facts = 3", "winchester", "huch")


def test_a_board_that_cannot_be_is_not_taught(tmp_path: Path) -> None:
    """What no board has is refused before anything is stored."""
    with tables_at(tmp_path) as tables:
        with pytest.raises(IllegalAction):
            tables.taught.teach("winchester", "huch", {"terrain:7": "swamp"})
        assert tables.store.facts("winchester", "huch") == {}


def test_each_edition_has_its_name(app: Flask) -> None:
    """French tables begin with the French box; whoever owns another one says so."""
    french = Browser(app, lang="fr")
    code = french.post("/tables", {"game": "winchester"}).location.removeprefix("/t/")
    table = tables_of(app).find(code)
    assert table.ledger.chosen()["edition"] == "blue-orange"
    assert "Pappy Winchester" in french.get(f"/t/{code}").text
    french.post(f"/t/{code}/options", {"edition": "huch"})
    assert "<h1>Daddy Winchester</h1>" in french.get(f"/t/{code}").text
    german = Browser(app, lang="de")
    code = german.post("/tables", {"game": "winchester"}).location.removeprefix("/t/")
    assert "<h1>Daddy Winchester</h1>" in german.get(f"/t/{code}").text
    german.post(f"/t/{code}/options", {"edition": "blue-orange"})
    assert "<h1>Pappy Winchester</h1>" in german.get(f"/t/{code}").text


def test_a_strangers_own_table_opens_no_board_of_ours(own_app: Flask) -> None:
    """Anybody can open a table; only one that plays on the board, or the machine, may teach it."""
    tables_of(own_app).taught.teach("winchester", "huch", {"ranch": "17"})
    stranger = Browser(own_app)
    other = stranger.post("/tables", {"game": "desperados"}).location.removeprefix("/t/")
    mine = stranger.post("/tables", {"game": "winchester"}).location.removeprefix("/t/")
    for table in (other, mine):
        form = {"table": table}
        assert stranger.post(f"{HUCH}/forget", form).status_code == 403
        assert stranger.post(f"{HUCH}/import", form).status_code == 403
    assert stranger.post(f"{HUCH}/teach", {"table": other, "ranch": "16"}).status_code == 403
    stranger.post(f"{HUCH}/teach", {"table": mine, "ranch": "16", "terrain:7": "forest"})
    known = {"ranch": "17", "terrain:7": "forest"}
    assert tables_of(own_app).store.facts("winchester", "huch") == known


def test_a_name_from_elsewhere_is_not_the_machine_itself(local: Browser) -> None:
    """A page that sends a browser to 127.0.0.1 under its own name gets nothing."""
    there = "http://evil.example:8000"
    assert local.client.get(HUCH, base_url=there).status_code == 403
    assert local.client.get(HUCH, base_url="http://127.0.0.1:8000").status_code == 200

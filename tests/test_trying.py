"""To try it is easy, and leaves nothing behind."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask

from referee.games import GAMES
from referee.options import all_chosen, changed
from tests.table import Browser, Evening, app_at, tables_of

BOARD = "/board/winchester/huch"


@pytest.mark.parametrize("game", [meta.key for meta in GAMES.metas()])
def test_dealing_by_the_app_takes_the_practice_board_unless_somebody_says_otherwise(
    game: str,
) -> None:
    """A newcomer without a box is not asked about one; who has the board says so."""
    meta = GAMES.meta(game)

    assert all_chosen(meta, {})["board"] == "owned"
    assert all_chosen(meta, {"preset": "app"})["board"] == "practice"
    assert all_chosen(meta, {"preset": "app", "board": "owned"})["board"] == "owned"


def test_a_form_of_all_options_chooses_only_what_was_changed_in_it() -> None:
    """The lobby sends every switch at each change; what stands there unchanged was not chosen."""
    meta = GAMES.meta("winchester")
    sent = all_chosen(meta, {}) | {"preset": "app"}

    by_app = changed(all_chosen(meta, {}), sent)
    shown = all_chosen(meta, by_app)
    ours = by_app | changed(shown, shown | {"board": "owned"})

    assert by_app == {"preset": "app"}
    assert shown["board"] == "practice"
    assert all_chosen(meta, ours)["board"] == "owned"
    assert changed(shown, {"board": "practice"}) == {"board": "practice"}


def test_what_one_game_taught_is_forgotten_in_one_step_and_brought_back(own_app: Flask) -> None:
    """Each fact says in which game it was learned; the others stay."""
    first, second = (Evening(own_app, seats=3, board="owned", preset="boxed").start() for _ in "ab")
    for evening, fact in ((first, "terrain:7"), (second, "terrain:8")):
        told = evening.phones[1].post(f"{BOARD}/teach", {"table": evening.code, fact: "forest"})
        assert told.status_code == 303
    taught = tables_of(own_app).taught
    owner = Browser(own_app)
    owner.client.environ_base["REMOTE_ADDR"] = "127.0.0.1"
    assert [one.source for one in taught.lessons("winchester", "huch")] == [first.code, second.code]
    page = owner.get(BOARD).text
    assert first.code in page
    assert "plot 7 is forest" in page

    owner.post(f"{BOARD}/forget", {"source": first.code})

    assert tables_of(own_app).store.facts("winchester", "huch") == {"terrain:8": "forest"}
    assert "Bring it back" in owner.get(BOARD).text
    owner.post(f"{BOARD}/recall")
    facts = {"terrain:7": "forest", "terrain:8": "forest"}
    assert tables_of(own_app).store.facts("winchester", "huch") == facts


def test_it_is_tried_with_one_tap(tmp_path: Path) -> None:
    """A table without a box, bots on the empty seats, one seat on this device, under way."""
    with app_at(tmp_path) as app:
        browser = Browser(app)
        answer = browser.post("/tables", {"game": "winchester", "how": "try", "name": "Ann"})
        code = answer.location.split("/")[2]
        table = tables_of(app).find(code)

        assert table.ledger.status == "playing"
        assert table.ledger.chosen()["board"] == "practice"
        assert len(table.ledger.seating.order) == 3
        assert browser.get(answer.location).status_code == 200


@pytest.mark.parametrize("game", GAMES)
def test_the_first_boxed_game_asks_once_whether_this_is_the_owners_box(
    tmp_path: Path, game: str
) -> None:
    """Whoever answers is not asked again, and a box that taught something is known."""
    with app_at(tmp_path) as app:
        evening = Evening(app, game=game, seats=3, preset="boxed", board="owned")
        lobby = f"/t/{evening.code}"
        assert "Is this your own box?" in evening.laptop.get(lobby).text

        evening.laptop.post(f"{lobby}/options", {"board": "owned"})

        assert "Is this your own box?" not in evening.laptop.get(lobby).text
        trying = Evening(app, game=game, seats=3, preset="boxed", board="owned")
        trying.laptop.post(f"/t/{trying.code}/options", {"board": "practice"})
        assert "Is this your own box?" not in trying.laptop.get(f"/t/{trying.code}").text
        assert "Practice board" in trying.laptop.get(f"/t/{trying.code}").text


@pytest.mark.parametrize("game", GAMES)
def test_the_sentence_under_an_option_is_that_of_the_value_chosen(
    tmp_path: Path, game: str
) -> None:
    """One sentence shows for each; who deals never says the same of both its values."""
    meta = GAMES.meta(game)
    with app_at(tmp_path) as app:
        shown = {}
        for preset in ("boxed", "app"):
            evening = Evening(app, game=game, seats=1, preset=preset, board="owned")
            page = evening.laptop.get(f"/t/{evening.code}").text
            chosen = evening.table.ledger.chosen()
            for option in meta.options:
                row = page.split(f'<label for="o-{option.key}">', 1)[1].split("</label>", 1)[0]
                visible = re.findall(r'<small data-says="([^"]+)">', row)
                assert visible == [chosen[option.key]], option.key
            row = page.split('<label for="o-preset">', 1)[1].split("</label>", 1)[0]
            shown[preset] = re.findall(r'<small data-says="\w+">([^<]+)', row)

    assert shown["boxed"] != shown["app"]

"""Setting up the box: what each rulebook says for each number of players, and ticking it off."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import pytest
from flask import Flask

from referee.games import GAMES
from referee.games.desperados import unboxing as desperados
from referee.games.moon_river import unboxing as moon_river
from referee.games.winchester import unboxing as winchester
from referee.options import all_chosen
from referee.web.frame import tag_of
from referee.web.render import here
from tests.table import Browser, Evening, streaming, tables_of

BOXED = {"preset": "boxed", "board": "owned"}
UNIONS = {
    "winchester": winchester.Unboxing,
    "desperados": desperados.Unboxing,
    "moon_river": moon_river.Unboxing,
}


def steps(game: str, seats: int, options: Mapping[str, str] = BOXED, **more: str) -> dict[str, Any]:
    """Give the steps of a set-up by their tags."""
    chosen = all_chosen(GAMES.meta(game), {**options, **more})
    found = GAMES[game].unboxing(chosen, seats)
    assert len({tag_of(step) for step in found}) == len(found)
    return {tag_of(step): step for step in found}


@pytest.mark.parametrize("game", sorted(UNIONS))
def test_every_step_has_its_sentence(game: str) -> None:
    """And no sentence is kept for a step that is none."""
    tags = {tag_of(kind) for kind in get_args(UNIONS[game])}
    files = {path.stem for path in Path(here("templates"), game, "unboxing").glob("*.html")}

    assert tags == files


@pytest.mark.parametrize("game", sorted(UNIONS))
def test_nothing_is_laid_out_where_the_referee_deals_everything(game: str) -> None:
    """The preset alone says so: with it comes a practice board."""
    assert steps(game, 3, {"preset": "app"}) == {}


@pytest.mark.parametrize(("seats", "bank", "left"), [(3, 60, 4), (4, 52, 2), (5, 44, 0)])
def test_winchester_counts_notes_and_cards_by_players(seats: int, bank: int, left: int) -> None:
    """8 notes each of 110; 25 in piles of 3 to 7, 1 in the saloon; 2 of 10 secret objectives."""
    found = steps("winchester", seats, money="box")

    assert found["notes"] == winchester.Notes(each=8, bank=bank)
    assert found["piles"] == winchester.Piles((3, 4, 5, 6, 7))
    assert 8 * seats + bank + 25 + 1 == 110
    assert found["secret_objectives"] == winchester.SecretObjectives(each=2, left=left)
    assert found["mine_cards"] == winchester.MineCards(used=3, of=5)
    assert found["ranch_card"] == winchester.RanchCard(of=3)
    assert found["shared_objectives"] == winchester.SharedObjectives(
        used=5, of=10, notes=(3, 4, 5, 6, 7), are_notes_real=True
    )
    assert found["pieces"] == winchester.Pieces(hats=10)
    assert found["bonus_tokens"].plots == found["plot_tokens"].plots == 19


def test_winchester_lays_out_in_the_order_of_its_rulebook() -> None:
    """The notes stay in the box if the phones carry the money, as they do unless chosen."""
    order = [*steps("winchester", 4, money="box")]

    assert order == [tag_of(kind) for kind in get_args(winchester.Unboxing)]
    assert [*steps("winchester", 4)] == [
        tag for tag in order if tag not in {"saloon_note", "piles", "notes"}
    ]
    assert not steps("winchester", 4)["shared_objectives"].are_notes_real


def test_what_the_referee_deals_alone_is_left_out() -> None:
    """Component by component, with the owner's board on the table."""
    real = {"preset": "app", "board": "owned"}

    assert [*steps("winchester", 4, real)] == ["board", "pieces", "first_player"]
    assert [*steps("winchester", 4, real, duel_cards="box")] == [
        *("board", "duel_cards", "pieces", "first_player")
    ]
    assert [*steps("desperados", 4, real)] == ["board", "schedules", "coaches", "law", "gang"]
    assert steps("desperados", 4, real)["schedules"].is_drawn
    assert "coach_tiles" in steps("desperados", 4, real, coach_tiles="box")
    assert steps("moon_river", 4, real) == {}


@pytest.mark.parametrize(("seats", "left"), [(3, 3), (4, 2), (5, 1), (6, 0)])
def test_desperados_takes_as_many_sheriffs_as_desperadoes(seats: int, left: int) -> None:
    """The Marshal plays against all others; the Sheriffs that are left stay in the box."""
    found = steps("desperados", seats)

    assert found["law"] == desperados.Law(sheriffs=seats - 1, left=left)
    assert found["gang"] == desperados.Gang(desperados=seats - 1)


def test_desperados_mixes_low_and_high_bank_tiles() -> None:
    """Two of the 2000s aside, three low and two high ones on the banks, the 2000s at the bottom."""
    found = steps("desperados", 4)

    assert found["bank_stacks"] == desperados.BankStacks(2, 2000, (500, 2000), (2300, 3200))
    assert found["banks"] == desperados.Banks(low=3, high=2, banks=5)
    assert found["bank_stack"] == desperados.BankStack(rest=5, bottom=2, value=2000)
    assert found["poker_tiles"] == desperados.PokerTiles(cities=14)
    assert found["coach_tiles"] == desperados.CoachTiles(tiles=10)
    assert found["schedules"] == desperados.Schedules(schedules=5, is_drawn=False)
    assert [*found] == [tag_of(kind) for kind in get_args(desperados.Unboxing)]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_moon_river_is_laid_out_by_hand_where_only_the_count_is_kept(seats: int) -> None:
    """Two players have two ranchers each and the bonus tiles; of three one leaves a tile."""
    found = steps("moon_river", seats, tracking="score")

    assert found["boards"].ranchers == (2 if seats == 2 else 1)
    assert ("bonus_tiles" in found) == (seats == 2)
    assert found["ranchers"] == moon_river.Ranchers(are_pairs=seats == 2, leaves_one=seats == 3)
    assert found["saloon"] == moon_river.Saloon(partners=20, tables=5)
    assert found["herd"].cattle == 32
    assert found["tiles"].tiles == 96
    assert found["first_row"].tiles == found["second_row"].tiles == 4
    assert "ready" not in found


@pytest.mark.parametrize("tracking", ["draft", "full"])
def test_the_referee_asks_for_rows_that_it_keeps_track_of(tracking: str) -> None:
    """So they are no part of the set-up."""
    found = steps("moon_river", 3, tracking=tracking)

    assert {"first_row", "second_row", "ranchers"} & {*found} == set()
    assert "ready" in found


def test_the_wild_west_boards_are_told_by_their_characters() -> None:
    """Bridges and spaces as the rulebook prints them."""
    told = steps("moon_river", 4, boards="wild_west")["boards"].legends

    assert {(each.character, each.bridges, each.spaces) for each in told} == {
        ("mary", 1, 4),
        ("wesley", 2, 3),
        ("calamity", 2, 3),
        ("big_jo", 3, 2),
    }
    assert steps("moon_river", 4)["boards"].legends == ()


# Ticking off


def marks(page: str) -> list[tuple[str, bool]]:
    """Give the marks of a page's steps, and whether each is ticked."""
    found = re.findall(r'name="mark" value="(\w+)" role="checkbox" aria-checked="(\w+)"', page)
    return [(mark, done == "true") for mark, done in found]


def test_anybody_ticks_and_all_see_it_live(app: Flask) -> None:
    """The display counts, every phone shows the step, and neither journal nor version knows."""
    evening = Evening(app, game="desperados", preset="boxed", board="owned")
    evening.laptop.post(f"/t/{evening.code}/options", {"board": "owned"})
    phone, other = evening.phones[:2]
    before = evening.table.ledger.head
    first = marks(phone.get(evening.seat(0)).text)[0][0]

    with (
        streaming(other.client, evening.seat(1, "/stream")) as seat,
        streaming(evening.laptop.client, f"/t/{evening.code}/stream") as display,
    ):
        for stream in (seat, display):
            stream.read()
            stream.read()
        phone.post(evening.seat(0, "/box"), {"mark": first, "done": "yes"})
        told = {name: data for name, _, data in seat.read()}
        assert marks(told["unboxing"])[0] == (first, True)
        assert "1/10" in {name: data for name, _, data in display.read()}["unboxed"]
    assert evening.table.ledger.head == before


def test_a_step_is_what_it_was_told_to_be(app: Flask) -> None:
    """Two taps are as good as one, by one person or two; it can be taken back."""
    evening = Evening(app, preset="boxed", board="owned")
    box = f"/t/{evening.code}/box"
    first = marks(evening.laptop.get(box).text)[0][0]
    for _ in range(2):
        assert evening.laptop.post(box, {"mark": first, "done": "yes"}).status_code == 303
    assert marks(evening.laptop.get(box).text)[0] == (first, True)
    evening.phones[1].post(evening.seat(1, "/box"), {"mark": first, "done": "no"})

    assert marks(evening.laptop.get(box).text)[0] == (first, False)


def test_a_step_that_changes_has_to_be_done_anew(app: Flask) -> None:
    """A fourth player means another number of Sheriffs; all else stays ticked."""
    evening = Evening(app, game="desperados", preset="boxed", board="owned")
    box = f"/t/{evening.code}/box"
    for mark, _ in marks(evening.laptop.get(box).text):
        evening.laptop.post(box, {"mark": mark, "done": "yes"})
    late = Browser(app)
    seat = late.join(evening.code, "Late")
    open_ones = [
        n for n, (_, done) in enumerate(marks(evening.laptop.get(box).text), 1) if not done
    ]
    late.post(f"/s/{evening.code}/{seat}/leave")

    assert open_ones == [9, 10]
    assert all(done for _, done in marks(evening.laptop.get(box).text))


def test_the_set_up_is_found_again_in_the_game_and_after_a_restart(own_app: Flask) -> None:
    """In the menus of the display and of every phone, as far as it was done."""
    evening = Evening(own_app, preset="boxed", board="owned")
    first = marks(evening.laptop.get(f"/t/{evening.code}/box").text)[0][0]
    evening.laptop.post(f"/t/{evening.code}/box", {"mark": first, "done": "yes"})
    evening.start()
    own_app.extensions["referee"].unboxing._ticked.clear()  # noqa: SLF001  # as after a restart

    assert f'href="/t/{evening.code}/box"' in evening.laptop.get(f"/t/{evening.code}").text
    assert (
        f'href="{evening.seat(0, "/box")}"' in evening.phones[0].get(evening.seat(0, "/menu")).text
    )
    assert marks(evening.phones[0].get(evening.seat(0, "/box")).text)[0] == (first, True)
    tables_of(own_app).forget(evening.code)
    with tables_of(own_app).store.reading() as db:
        assert not [*db.table("ticks").rows]


def test_a_stranger_ticks_nothing(app: Flask) -> None:
    """Whoever neither sits at the table nor hosts it may look, and no more."""
    evening = Evening(app, preset="boxed", board="owned")
    box = f"/t/{evening.code}/box"
    first = marks(evening.laptop.get(box).text)[0][0]
    Browser(app).post(box, {"mark": first, "done": "yes"})
    evening.laptop.post(box, {"mark": "nothing", "done": "yes"})

    assert not any(done for _, done in marks(Browser(app).get(box).text))
    assert Browser(app).post(evening.seat(0, "/box"), {"mark": first}).status_code == 403


def test_a_table_that_deals_everything_offers_no_set_up(app: Flask) -> None:
    """Neither in the lobby nor in the game."""
    evening = Evening(app)

    assert marks(evening.phones[0].get(evening.seat(0)).text) == []
    evening.start()
    assert f"/t/{evening.code}/box" not in evening.laptop.get(f"/t/{evening.code}").text
    assert "deals everything" in evening.laptop.get(f"/t/{evening.code}/box").text

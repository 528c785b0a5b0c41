"""What lies open is shown and what is so is said: schedules, spies, banks, arrests, plans."""

from __future__ import annotations

import html
import re
from typing import Any, Final

import pytest
from flask import Flask

from referee import profiles
from referee.games.desperados.actions import Declare, PlaceDiscs, PlaceMarshal, PlaceSheriff
from referee.games.desperados.model import (
    CITIES,
    UNSEEN,
    Acting,
    Activity,
    Laying,
    Riding,
    State,
)
from tests.desperados.positions import BOARD, evening, examine, placing, play, position
from tests.sight import other_state
from tests.table import Evening

GAME: Final = "desperados"
STANDING: Final = ("Aztec", "Globe", "Globe")
AWAY: Final = "saloon, Globe, Tucson, Sweet Water, Payson"
TO_SOCORRO: Final = "Salem, Silver City, saloon, St. Johns, Socorro"


@pytest.fixture
def table(app: Flask) -> Evening:
    """Seat three: Ann is the Marshal, Ben and Cleo are the gang."""
    return Evening(app, game=GAME, seats=3, first_schedule="app").start()


def plain(markup: str) -> str:
    """Give what people read."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", markup)).split())


def shown(table: Evening, state: State, viewer: int | None, part: str) -> str:
    """Draw a part of a phone, or of the display, in this state."""
    with other_state(table, state):
        drawer = table.app.extensions["referee"].parts
        return str(drawer.draw(table.table, drawer.frame(table.table, viewer, "en"))[part])


def said(table: Evening, state: State, viewer: int | None, part: str) -> str:
    """Give what people read in a part."""
    return plain(shown(table, state, viewer, part))


def test_the_next_stops_of_both_coaches_are_on_every_screen(table: Evening) -> None:
    """They lie beside the board: on the display's map, on each phone, and in each menu."""
    by_name = {schedule.name: schedule for schedule in BOARD.schedules}
    brown, blue = by_name["S2"].brown, by_name["S1"].blue
    state = position(
        Laying(),
        pawns=STANDING,
        coaches=(brown[2], blue[2]),
        turn=2,
        move=2,
        routes={0: "saloon, Shiprock", 1: "saloon", 2: "saloon"},
    )
    ways = [" › ".join(stops[2:]) for stops in (brown, blue)]

    drawn = shown(table, state, None, "map")
    for kind in ("brown", "blue"):
        moves = re.findall(rf'class="stop {kind}".*?<text[^>]*>(\d)</text>', drawn, re.DOTALL)
        assert moves == ["3", "4", "5"]
    for seat in range(3):
        words = said(table, state, seat, "coaches")
        assert all(way in words for way in ways)
        with other_state(table, state):
            menu = plain(table.phones[seat].get(table.seat(seat, "/menu")).text)
        assert "Schedules of the coaches" in menu
        assert all(way in menu for way in ways)


@pytest.mark.parametrize(
    ("tiles", "told", "by_hand"),
    [
        (
            {},
            "Silver City: $2,300 Only you see this.",
            "Ben reads on the phone what the tile in Silver City shows",
        ),
        (
            {"preset": "boxed", "tiles": dict.fromkeys(CITIES, UNSEEN)},
            "Look under the tile of the bank in Silver City now: you alone.",
            "Ben looks under the tile of the bank in Silver City, alone",
        ),
    ],
    ids=["app", "boxed"],
)
def test_a_spy_is_told_what_the_tile_shows_or_to_look(
    table: Evening, tiles: dict[str, Any], told: str, by_hand: str
) -> None:
    """On their own phone alone; that they look is said to all, by hand too."""
    routes = {0: "saloon", 1: "Silver City", 2: "saloon"}
    state = position(
        Acting((None,) * 3), pawns=("Aztec", "Salem", "Tucson"), routes=routes, **tiles
    )
    state = play(state, (1, Declare("spy")), (2, PlaceDiscs())).state

    assert said(table, state, 1, "news") == told
    assert said(table, state, 2, "news") == said(table, state, 0, "news") == ""
    assert by_hand in said(table, state, None, "hands")


@pytest.mark.parametrize(
    ("gang", "sheriffs", "words"),
    [
        (1, 0, "Move 5: here you rob the bank, 1 of you against 0 Sheriffs."),
        (2, 1, "Move 5: here you rob the bank, 2 of you against 1 Sheriff."),
        (1, 1, "Move 5: too few to rob the bank here, 1 of you against 1 Sheriff."),
    ],
)
def test_the_last_move_says_that_a_bank_is_robbed(
    table: Evening, gang: int, sheriffs: int, words: str
) -> None:
    """With how many there are on both sides, and that it needs no disc."""
    routes = {0: AWAY, 1: TO_SOCORRO, 2: TO_SOCORRO if gang > 1 else AWAY}
    pawns = ("Tucson", "La Luz", "La Luz" if gang > 1 else "Tucson")
    posted = ("Socorro",) * sheriffs + ("Aztec",) * (2 - sheriffs)
    state = position(Acting((None,) * 3), pawns=pawns, sheriffs=posted, routes=routes, move=5)

    shown_to = said(table, state, 1, "ask")
    assert words in shown_to
    assert "It needs no disc: whoever is here and free counts." in shown_to


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (
            {"activities": (Activity("brown", "Globe", 1, 0, (1,)),)},
            "Your disc lies already: one a turn.",
        ),
        (
            {"activities": (Activity("poker", "Tucson", 1, 0, (2,)),)},
            "It began in an earlier move: nobody can join it now.",
        ),
        (
            {"sheriffs": ("Tucson", "Tucson")},
            "The gang has too few discs left against the Sheriffs here.",
        ),
        ({"tiles": {"Tucson": None}}, "No poker tile and no coach is here."),
    ],
    ids=["disc", "begun", "few", "empty"],
)
def test_why_there_is_nothing_to_do_is_said(
    table: Evening, changed: dict[str, Any], words: str
) -> None:
    """In the words of the rule that stands in the way."""
    routes = {0: "saloon, Shiprock", 1: "saloon, Tucson", 2: "saloon, Sweet Water"}
    state = position(Acting((None,) * 3), pawns=STANDING, routes=routes, move=2, **changed)

    asked = said(table, state, 1, "ask")
    assert "You are in Tucson: nothing to do here" in asked
    assert words in asked


@pytest.mark.parametrize(
    ("sheriffs", "words"),
    [
        (("Aztec",) * 4, "No Sheriff here: 1 disc is enough."),
        (("Tucson", *("Aztec",) * 3), "1 Sheriff here: it takes 2 discs."),
        ((*("Tucson",) * 2, *("Aztec",) * 2), "2 Sheriffs here: it takes 3 discs."),
    ],
)
def test_how_many_sheriffs_are_here_and_how_many_discs_it_takes_is_said(
    app: Flask, sheriffs: tuple[str, ...], words: str
) -> None:
    """Each by its own number."""
    table = Evening(app, game=GAME, seats=5, first_schedule="app").start()
    routes = dict.fromkeys(range(5), "saloon")
    state = position(
        Acting((None,) * 5), pawns=("Aztec", *("Tucson",) * 4), routes=routes, sheriffs=sheriffs
    )

    assert words in said(table, state, 1, "ask")


def test_an_arrest_is_the_headline_with_what_it_costs(table: Evening) -> None:
    """Where and who, on the display and on the phone that goes on; nobody rides on from prison."""
    way = "Globe, Sweet Water, Payson, saloon, Flagstaff"
    state = evening(
        {0: "saloon, St. Johns, Gallup, Shiprock, Aztec", 1: way, 2: way},
        pawns=("Globe", "Tucson", "Tucson"),
    )
    first, second = (step.state for step in examine(state, 2))

    for viewer, part in ((None, "question"), (0, "ask")):
        words = said(table, first, viewer, part)
        assert "Arrested in Globe: Ben, Cleo" in words
        assert "Ben is arrested" not in words
        assert "The turn is over, and the city’s card is lost for good." in words
        words = said(table, second, viewer, part)
        assert "Card 2: nobody of the gang rides any more" in words
        assert "Ben" not in words


def test_who_rides_on_is_named_while_somebody_is_in_prison(table: Evening) -> None:
    """And who was arrested in the saloon loses no card."""
    state = evening(
        {
            0: "saloon, St. Johns, Gallup, Shiprock, Aztec",
            1: "saloon, Sweet Water, Payson, Flagstaff, Tuba City",
            2: "Tucson, Tombstone, El Paso, Salem, Socorro",
        },
        pawns=("Globe", "Globe", "Globe"),
    )
    first, second = (step.state for step in examine(state, 2))

    words = said(table, first, None, "question")
    assert "Arrested in Globe: Ben" in words
    assert "The turn is over; no card is lost." in words
    assert "Card 2: still riding: Cleo" in said(table, second, None, "question")


def test_which_coach_was_robbed_and_where_is_said(table: Evening) -> None:
    """With two of them in one city too."""
    robbery = Activity("blue", "Salem", 1, 0, (1,))
    state = evening(
        {1: "Salem, saloon, Socorro, La Luz, El Paso"},
        pawns=("Tucson", "Silver City", "Tucson"),
        coaches=("Salem", "Salem"),
        activities=(robbery,),
        turn=2,
    )
    state = examine(state, 1)[0].state

    for viewer, part in ((None, "question"), (0, "ask")):
        words = said(table, state, viewer, part)
        assert "The blue coach is robbed in Salem" in words
        assert "brown" not in words


def test_the_gangs_map_and_list_show_a_mates_newest_card(table: Evening) -> None:
    """The ghost of a mate stands where the list ends, also while others still lay theirs."""
    routes = {0: "saloon, Shiprock", 1: "saloon", 2: "Tucson, Silver City"}
    state = position(Laying(), pawns=STANDING, routes=routes, move=2)

    assert "Cleo · Silver CityTucson › Silver City" in said(table, state, 1, "gang")
    drawn = shown(table, state, 1, "where")
    ghosts = re.findall(r'class="ghost" transform="translate\(([\d.]+) ([\d.]+)\)', drawn)
    spot = profiles.load(GAME, "practice")["drawing"]["cities"]["Silver City"]
    assert ghosts == [(str(spot["x"] + 62), str(spot["y"] - 62))]


@pytest.mark.parametrize("preset", ["app", "boxed"])
def test_the_marshals_tiles_are_no_nothing(table: Evening, preset: str) -> None:
    """Before his pawn stands they can be looked at: on the phone, or on the board itself."""
    unseen = dict.fromkeys(BOARD.banks, UNSEEN) if preset == "boxed" else None
    state = placing(preset=preset, tiles=unseen)

    words = said(table, state, 0, "own")
    assert "Nothing secret" not in words
    assert ("Socorro $2,600" in words) is (preset == "app")
    assert ("look beneath them there" in words) is (preset == "boxed")
    assert "Nothing secret yet." in said(table, state, 1, "own")


def test_while_sheriffs_are_posted_a_phone_asks_for_them(table: Evening) -> None:
    """Where the Marshal begins is settled by then; the gang is asked that."""
    first, stands = placing(), play(placing(), (0, PlaceMarshal("Gallup"))).state

    assert "Where do you begin?" in said(table, first, 0, "head")
    assert "Post the Sheriffs" in said(table, stands, 0, "head")
    assert "Where do you begin?" not in said(table, stands, 0, "head")
    placed = play(stands, *((0, PlaceSheriff("Salem")),) * 2).state
    assert "Where do you begin?" in said(table, placed, 1, "head")


@pytest.mark.parametrize(
    ("owners", "words"), [((1,), "lays the disc"), ((1, 2), "lay their discs")]
)
def test_one_disc_is_laid_by_one(table: Evening, owners: tuple[int, ...], words: str) -> None:
    """What hands have to do counts those who do it."""
    robbery = Activity("poker", "Globe", 1, 0, owners)
    state = position(Riding(("Aztec", "Aztec")), pawns=STANDING, activities=(robbery,), move=2)

    assert words in said(table, state, None, "hands")


def test_no_coach_covers_the_name_of_a_city(table: Evening) -> None:
    """It stands above its own city, where the name of another one may be."""
    state = position(Riding(("Aztec", "Aztec")), pawns=STANDING)

    for viewer, part in ((None, "map"), (1, "lying")):
        drawn = shown(table, state, viewer, part)
        assert drawn.rindex('href="#k-coach') < drawn.rindex('href="#k-names"')


def test_nothing_to_set_right_is_no_heading(table: Evening) -> None:
    """Before the first turn neither a menu nor the host's page has an empty part for it."""
    for state, is_there in ((placing(), False), (position(), True)):
        with other_state(table, state):
            pages = (
                table.phones[1].get(table.seat(1, "/menu")).text,
                table.laptop.get(f"/t/{table.code}/host").text,
            )
        assert [("The real table looks different" in page) for page in pages] == [is_there] * 2


def test_the_gangs_part_waits_for_none_of_them_alone(table: Evening) -> None:
    """One who is there ends it; of a seat that nobody holds it says nothing until all cards lie."""
    table.laptop.post(f"/t/{table.code}/release", {"seat": "2"})
    table.phones[1].post(table.seat(1, "/here"))
    routes = dict.fromkeys(range(3), "saloon")
    acting = position(Acting((None,) * 3), pawns=STANDING, routes=routes)
    laying = position(Laying(), pawns=STANDING, routes={0: "saloon", 1: "saloon"})

    for state, waits in ((acting, False), (laying, True)):
        for viewer in (None, 1):
            assert ("nobody holds this seat" in said(table, state, viewer, "notice")) is waits
    # Who reads beside the game is called all the same.
    with other_state(table, acting):
        called = [table.phones[n].post(table.seat(n, "/reading")).text for n in range(2)]
    assert [bool(plain(one)) for one in called] == [False, True]

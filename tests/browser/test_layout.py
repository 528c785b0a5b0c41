"""Every kind of question on phones and displays: nothing is cut off, covered or out of reach.

Here each kind is looked at in one language, the next one in the next, at the sizes that hold least;
`make look` looks at all of them at all sizes in all languages, and takes pictures.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import cycle

import pytest
from flask import Flask

from referee import profiles
from referee.games import GAMES
from tests.table import LANGUAGES, Evening
from tests.walk import moments
from tests.walk.kinds import kinds_of, met
from tests.walk.reach import THEMES, barriers
from tests.walk.scenes import Scene, Walk, around
from tests.walk.screens import Screens, Size
from tests.winchester.test_retelling_pages import Table

pytestmark = pytest.mark.browser

LEAST = {
    "phone": (
        *(Size(360, 740), Size(320, 640, 200), Size(740, 360)),
        *(Size(320, 640, is_lost=True), Size(320, 640), Size(320, 640, 125), Size(320, 640, 150)),
    ),
    "display": (Size(800, 480), Size(1366, 768), Size(1920, 1080)),
}
"""Where least fits. Neighbours on the walk take turns with them, for most of them are alike."""
SHOWN_AS_TEXT = ("&lt;svg", "&lt;bdi", "&lt;span", "&lt;b&gt;")
EVERY = 4
"""Each so many scenes axe-core is asked, in another theme; `make look` asks it of all in all."""


def wrong(screens: Screens, scenes: Iterable[Scene]) -> list[str]:
    """Give all that is wrong with scenes, and where."""
    found = []
    for number, scene in enumerate(scenes):
        sizes = LEAST[scene.device]
        size = sizes[number // len(LANGUAGES) % len(sizes)]
        faults = list(screens.faults(scene, (size,)))
        faults += [f"shows {mark} as text" for mark in SHOWN_AS_TEXT if mark in scene.html]
        if number % EVERY == 0:
            theme = THEMES[number // EVERY % len(THEMES)]
            faults += [f"{one} ({theme})" for one in barriers(screens.page(scene), theme)]
        found += [f"{scene.name} [{scene.lang}]: {fault} @ {size}" for fault in faults]
    return found


PLANTED = """<!doctype html><meta name="viewport" content="width=device-width">
<body class="seat"><header style="display: flex; flex-wrap: wrap">
<b>A</b><p style="flex: 0 0 100%">Ann</p><i>?</i></header>
<main><p style="width: 4em; overflow-wrap: anywhere">Gerüchteplättchen</p>
<p style="width: 4em; overflow-wrap: anywhere" translate="no">Maximiliana-Theodora</p></main>"""

COVERED = """<!doctype html><body class="display play"><main style="display: flex">
<b style="flex: 0 0 4em; min-width: 0; white-space: nowrap">Parzelle 13</b>
<i style="position: relative; background: white">Wald, Prärie</i></main>"""


def test_a_text_under_what_stands_beside_it_is_seen(screens: Screens) -> None:
    """It begins in sight and ends under another."""
    found = screens.faults(Scene("planted", "display", "de", COVERED), (Size(1366, 768),))

    assert 'covered: "Parzelle 13" by main i' in found


def test_a_broken_word_and_a_broken_header_are_seen(screens: Screens) -> None:
    """What people typed may break where it must."""
    found = screens.faults(Scene("planted", "phone", "de", PLANTED), (Size(360, 740),))

    assert set(found) == {
        'broken word: "Gerüchteplättchen" in main p',
        "the header is two lines",
    }


ALONE = """<!doctype html><meta name="viewport" content="width=device-width">
<body class="seat"><main><p style="display: flex; flex-wrap: wrap"><b style="width: 20em">Ann</b>
<a class="q" href="/">?</a></p><p>Bo <a class="q" href="/">?</a></p></main>"""


def test_a_question_mark_in_a_line_of_its_own_is_seen(screens: Screens) -> None:
    """What it explains stands beside it."""
    found = screens.faults(Scene("planted", "phone", "en", ALONE), (Size(320, 640),))

    assert [fault for fault in found if "a line of its own" in fault] == [
        "a line of its own: main p a.q"
    ]


NOTHING_BELOW = """<!doctype html><meta name="viewport" content="width=device-width">
<body class="seat"><main style="height: 2000px"><p>Ann</p></main>"""


def test_a_page_that_goes_on_below_its_last_is_seen(screens: Screens) -> None:
    """Whoever scrolls comes to something."""
    found = screens.faults(Scene("planted", "phone", "en", NOTHING_BELOW), (Size(360, 740),))

    assert [fault for fault in found if fault.startswith("nothing for")]


NARROW = {
    "desperados": (("ask/lay_card", Size(740, 360, 200)), ("ask/lay_card", Size(740, 360))),
    "moon_river": (("ask/take_board", Size(740, 360, 200)), ("ask/form_domino", Size(740, 360))),
}
"""Where words had no room, or room was left where nothing is: beside maps and ranches."""


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("key", NARROW)
def test_what_stands_in_a_column_has_its_room(
    screens: Screens, app: Flask, key: str, lang: str
) -> None:
    """What is part of a card stays in its column, and nothing is below the last of a page."""
    found, walk = met(key), Walk(app)

    assert [
        f"{kind} [{lang}]: {fault} @ {size}"
        for kind, size in NARROW[key]
        for fault in screens.faults(walk.of(found[kind], lang), (size,))
    ] == []


SIZED = {
    ("desperados", "ask/declare", Size(320, 640, 200), ".gang h2", "clientWidth"): (240, 320),
    ("moon_river", "ask/form_domino", Size(360, 740), ".total", "offsetHeight"): (44, 50),
    ("moon_river", "ask/take_board", Size(740, 360), "#ask .ask", "offsetLeft"): (0, 20),
    ("moon_river", "ask/idle", Size(320, 640, 200), ".strip .ranch", "clientWidth"): (200, 300),
    ("moon_river", "ask/paint", Size(740, 360), "#strip", "scrollHeight - one.clientHeight"): (
        0,
        0,
    ),
    ("winchester", "ask/idle", Size(740, 360), ".overview", "offsetLeft"): (360, 380),
    (
        "winchester",
        "ask/turn_card",
        Size(360, 740),
        ".amounts:not(details *) .btn",
        "offsetWidth",
    ): (100, 328),
    ("winchester", "ask/cannot_pay", Size(320, 640, 200), ".plotcard h2", "clientWidth"): (
        240,
        320,
    ),
    ("winchester", "ask/look", Size(320, 640, 200), ".peek-btn", "offsetWidth"): (250, 320),
}
"""Rims do not grow with the letters; what others keep stands in the line of their points; half a
window is for what is there, and stays for what lies open; few amounts share their line."""


@pytest.mark.parametrize(("of", "wanted"), SIZED.items(), ids=[of[3] for of in SIZED])
def test_what_is_there_uses_its_room(
    screens: Screens, app: Flask, of: tuple[str, str, Size, str, str], wanted: tuple[int, int]
) -> None:
    """In pixels, from the least to the most, for all that are of a kind on a page."""
    key, kind, size, shown, length = of
    page = screens.show(Walk(app).of(met(key)[kind], "fr"))
    screens.resize(page, size)
    found = page.locator(shown).evaluate_all(f"all => all.map(one => one.{length})")

    assert found
    assert wanted[0] <= min(found)
    assert max(found) <= wanted[1]


def test_a_code_has_the_room_to_be_typed_in_the_largest_letters(
    screens: Screens, app: Flask
) -> None:
    """On the start page too, where a button stands beside it."""
    page = screens.show(next(scene for scene in around(app, "de") if scene.device == "phone"))
    screens.resize(page, Size(320, 640, 200))

    assert page.locator("#code").evaluate("one => one.offsetWidth") > 200


@pytest.mark.parametrize("kind", ["lay_card", "declare", "idle", "report_tile"])
def test_the_top_of_a_phone_is_one_line_in_the_largest_letters(
    screens: Screens, app: Flask, kind: str
) -> None:
    """Mark, name, menu and help: none has a line of its own, and each is as large as a thumb."""
    met_once, walk = met("desperados")[f"ask/{kind}"], Walk(app)
    for lang in LANGUAGES:
        page = screens.show(walk.of(met_once, lang))
        for size in (Size(320, 640, 200), Size(360, 740, 200), Size(320, 640)):
            screens.resize(page, size)
            found = page.locator(".seat > header > *")
            boxes = [box for one in found.all() if (box := one.bounding_box())]
            assert max(box["y"] for box in boxes) < min(b["y"] + b["height"] for b in boxes)
            assert min(box["width"] for box in boxes[2:]) >= 44, (lang, size)
            assert sum(box["width"] for box in boxes) <= size.width


@pytest.mark.parametrize("size", [Size(360, 740, 150), Size(320, 640, 200)], ids=str)
def test_tables_to_go_on_with_can_be_read_in_large_letters(
    screens: Screens, app: Flask, size: Size
) -> None:
    """What can be done with them stands below where there is no room beside."""
    faults = [
        screens.faults(scene, (size,)) for scene in around(app, "de") if scene.device == "phone"
    ]

    assert faults == [{}] * len(faults)


def test_a_ranch_stands_on_what_its_rancher_keeps(screens: Screens, app: Flask) -> None:
    """On the display, whatever room is left above it."""
    page = screens.show(Walk(app).of(met("moon_river")["desk/tell_tile"], "en"))
    screens.resize(page, Size(1366, 768))
    gaps = page.locator(".ranches figure").evaluate_all(
        "all => all.map(one => one.querySelector('.reserve').getBoundingClientRect().top"
        " - one.querySelector('.river rect').getBoundingClientRect().bottom)"
    )

    assert gaps
    assert max(gaps) < 30


@pytest.mark.parametrize("key", GAMES)
def test_every_kind_of_question_can_be_read_and_answered(
    screens: Screens, app: Flask, key: str
) -> None:
    """On phones upright and lying, in letters of twice the size, on displays from 800x480."""
    found, walk, languages = met(key), Walk(app), cycle(LANGUAGES)

    assert kinds_of(key) - found.keys() == set()
    assert wrong(screens, (walk.of(one, next(languages)) for one in found.values())) == []


@pytest.mark.parametrize("key", GAMES)
def test_every_moment_can_be_seen(screens: Screens, app: Flask, key: str) -> None:
    """The scene on a display, and the sentence on a phone whose seat comes next each time."""
    found, walk, languages = moments.happened(key), Walk(app), cycle(LANGUAGES)
    fullest = moments.one_of_each(found)
    scenes = (
        moments.scene(walk, one, viewer, next(languages))
        for number, one in enumerate(fullest)
        for viewer in (None, number % one.table.seats)
    )

    assert moments.unmet(key, found) == set()
    assert wrong(screens, scenes) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_pages_that_belong_to_no_game_can_be_read(
    screens: Screens, app: Flask, lang: str
) -> None:
    """Start page, help, a refusal; lobbies, menus and ceremonies are looked at by `make look`."""
    assert wrong(screens, around(app, lang)) == []


def test_what_lies_open_stays_in_sight_beside_what_was_just_set_right(
    screens: Screens, app: Flask
) -> None:
    """Shared objectives, where there is no room for what hands do as well."""
    table = Table(app)
    seats = range(4)
    table.buy(18, 1, price=5000, token="saloon")  # noqa: S106
    page = table.tell(0, "plot 18: Ben", buyer=2, price="7000", token="saloon")  # noqa: S106
    table.ask(0, page, reason="nobody looked closely when they were laid out, and it was late")
    table.agree(*seats[1:])
    for lang in LANGUAGES:
        html = table.laptop.get(f"/t/{table.code}", **{"Accept-Language": lang}).text
        shown = screens.show(Scene("set right", "display", lang, html))
        for size in (Size(1366, 768), Size(1920, 1080)):
            screens.resize(shown, size)
            assert shown.locator("#notice .note").is_visible()
            piles = [pile.bounding_box() for pile in shown.locator(".piles li").all()]
            assert len(piles) == 5
            for box in piles:
                assert box
                assert box["x"] + box["width"] <= size.width, (lang, size)
                assert box["y"] + box["height"] <= size.height, (lang, size)


@pytest.mark.parametrize("kind", ["step_shown", "tile_due", "bank_waits", "cards_lie"])
def test_the_loot_stays_in_sight_while_cards_come_to_light(
    screens: Screens, app: Flask, kind: str
) -> None:
    """However much there is to read and to do by hand, which is in sight as well."""
    found, walk, lost = met("desperados")[f"question/{kind}"], Walk(app), []
    for lang in LANGUAGES:
        page = screens.show(walk.of(found, lang))
        for size in (Size(1366, 768), Size(1920, 1080)):
            screens.resize(page, size)
            for part in (".loot", ".hands"):
                for box in filter(None, (one.bounding_box() for one in page.locator(part).all())):
                    right, bottom = box["x"] + box["width"], box["y"] + box["height"]
                    if right > size.width or bottom > size.height:
                        lost.append((part, lang, str(size)))

    assert lost == []


@pytest.mark.parametrize("key", ["winchester", "moon_river"])
def test_what_is_known_of_a_board_can_be_read_in_large_letters(
    screens: Screens, app: Flask, key: str
) -> None:
    """Each line's words stand above its bar where there is no room beside; read by a seat."""
    evening = Evening(app, game=key, seats=3, lang="de", board="owned").start()
    name = profiles.name_of(evening.table.ledger.chosen())
    html = evening.phones[1].get(f"/board/{key}/{name}?table={evening.code}").text
    sizes = (Size(360, 740, 150), Size(360, 740, 200), Size(320, 640), Size(320, 640, 200))

    assert screens.faults(Scene("board", "phone", "de", html), sizes) == {}


SMALLEST = """(all) => all.map((one) => one.getBoundingClientRect())
  .map(({ width, height }) => Math.round(10 * Math.min(width, height)) / 10)"""


@pytest.mark.parametrize("key", GAMES)
def test_what_is_tapped_on_a_board_to_teach_it_is_as_large_as_a_thumb(
    screens: Screens, app: Flask, key: str
) -> None:
    """On the smallest phone, before a place is chosen and after; nothing sticks out for it."""
    evening = Evening(app, game=key, seats=3, board="owned").start()
    name = profiles.name_of(evening.table.ledger.chosen())
    path = f"/board/{key}/{name}?table={evening.code}"
    at = re.search(r"[?&](?:amp;)?at=([^&#\"]+)", evening.phones[1].get(path).text)
    for place in ("", *([f"&at={at[1]}"] if at else [])):
        scene = Scene("board", "phone", "en", evening.phones[1].get(path + place).text)
        sizes = (Size(320, 640), Size(360, 740), Size(320, 640, 200))
        assert screens.faults(scene, sizes) == {}
        for size in sizes:
            page = screens.show(scene)
            screens.resize(page, size)
            found = page.locator("main svg :is(a, .touch)").evaluate_all(SMALLEST)
            assert min(found, default=44) >= 43.9, (place, size)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_reader_can_read_that_the_table_waits(screens: Screens, app: Flask, lang: str) -> None:
    """Over what is read beside the game, at all sizes, to whoever is asked first."""
    evening = Evening(app, seats=3, lang=lang).start()
    ledger = evening.table.ledger
    (index,) = ledger.game.public(ledger.state).waiting_for
    seat = ledger.seating.at(index)
    paths = [evening.seat(seat, f"/{name}") for name in ("menu", "terms", "rules", "told")]
    paths.append(f"/j/{evening.code}?more=1")
    pages = {path: evening.phones[seat].get(path).text for path in paths}

    assert all('id="wanted" role="status"><a' in html for html in pages.values())
    assert wrong(screens, (Scene(at, "phone", lang, html) for at, html in pages.items())) == []
    page = screens.show(Scene("menu", "phone", lang, pages[paths[0]]))
    screens.resize(page, Size(740, 360))
    box = page.locator("#wanted a").bounding_box()
    assert box
    assert box["height"] < 50, "in a low window it is one line"

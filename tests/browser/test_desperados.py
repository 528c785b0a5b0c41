"""Desperados on real screens: a whole turn by tapping, with all that can happen in one."""

from __future__ import annotations

import signal

import pytest
from playwright.sync_api import Page, expect

from .bench import Api, Bench, fits, form, held, set_visibility, settled, tap, touch
from .test_durability import GONE
from .touching import unanswered

pytestmark = pytest.mark.browser

ANN, BEN, CLEO, DAN = range(4)
SEATS = ("Ann", "Ben", "Cleo", "Dan")
SHERIFFS = ("Salem", "Silver City", "Aztec")
STARTS = ("St. Johns", "Socorro", "La Luz", "Tombstone")
ROUTES = (
    ("Globe", "Silver City", "Tucson", "Tombstone", "saloon"),
    ("La Luz", "Socorro", "Salem", "Silver City", "saloon"),
    ("Red Cloud", "La Luz", "Salem", "saloon", "Silver City"),
    ("saloon", "Silver City", "Salem", "El Paso", "La Luz"),
)
"""Dan meets the Marshal in Silver City at the second card; Ben and Cleo rob coach and bank."""


SMALL_PLACES = """() => [...document.querySelectorAll("#where .touch")].map((node) => {
  const box = node.getBoundingClientRect();
  return Math.min(box.width, box.height);
}).filter((size) => size && size < 44)"""
"""Sizes of the places on a phone's map that a thumb would miss."""


def take_places(api: Api) -> None:
    """Post the law and give everybody their place, past the pages."""
    for seat, city in enumerate(STARTS):
        kind = "place_marshal" if seat == ANN else "place_pawn"
        api.act(api.tokens[seat], {"type": kind, "city": city})
        for sheriff in SHERIFFS if seat == ANN else ():
            api.act(api.tokens[ANN], {"type": "place_sheriff", "city": sheriff})


def sit_down(bench: Bench) -> tuple[Page, list[Page], Api]:
    """Open a table whose first coach is told by hand, and let four sit down; Ann is the Marshal."""
    api = bench.open(len(SEATS), "desperados", first_schedule="box")
    api.start()
    return bench.screen(api), [bench.seat(api, seat) for seat in range(len(SEATS))], api


def place(page: Page, kind: str, city: str) -> None:
    """Tap a city among all and begin there."""
    wanted = form(page, kind)
    touch(wanted.locator("label", has_text=city).first)
    expect(wanted.locator("[data-chosen]")).to_have_text(f"· {city}")
    tap(page, wanted.locator(".btn-primary"))


def choose(page: Page, card: str) -> None:
    """Choose a card: a city on the map, the saloon by its button."""
    name = card.replace(" ", "-").replace(".", "")
    if card == "saloon":
        touch(form(page, "lay_card").first.locator("label", has_text="Saloon"))
    else:
        touch(page.locator(f"#where .touch[data-for='k-{name}']"))
    expect(page.locator(f"#k-{name}")).to_be_checked()


def lay(page: Page, card: str) -> None:
    """Lay a card and wait until the phone says so."""
    choose(page, card)
    tap(page, form(page, "lay_card").first.locator(".btn-primary"))


def lay_unseen(api: Api, move: int) -> None:
    """Lay the cards of a move as their phones would: how that is tapped was seen before."""
    for seat, route in enumerate(ROUTES):
        api.act(api.tokens[seat], {"type": "lay_card", "card": route[move - 1]})


def finish_move(page: Page, *, is_agreed: bool = False) -> None:
    """End the gang's part of a move; who is undecided is named before."""
    if not is_agreed:
        touch(page.locator("#gang .sure summary"))
        tap(page, page.locator("#gang .sure .btn-primary"))
    else:
        tap(page, page.locator("#gang form:has(input[value=place_discs]) button"))


def set_up(display: Page, phones: list[Page], api: Api) -> None:
    """Tell the schedule, post the law, and let everybody take their place, one of each by taps."""
    expect(display.locator("#question")).to_contain_text("Which schedule")
    tap(phones[DAN], form(phones[DAN], "set_first_schedule").locator("button[value=S5]"))
    fits(phones[ANN])
    place(phones[ANN], "place_marshal", STARTS[ANN])
    for number, city in enumerate(SHERIFFS, 1):
        expect(phones[ANN].locator("#ask")).to_contain_text(f"Sheriff {number} of 3")
        if number == 1:
            place(phones[ANN], "place_sheriff", city)
        else:
            api.act(api.tokens[ANN], {"type": "place_sheriff", "city": city})
    place(phones[BEN], "place_pawn", STARTS[BEN])
    for seat in (CLEO, DAN):
        api.act(api.tokens[seat], {"type": "place_pawn", "city": STARTS[seat]})


def test_a_whole_turn_by_tapping(own_bench: Bench) -> None:
    """Arrest, a coach robbery that a reserve disc saves, a spied bank, a robbed bank refilled."""
    display, phones, api = sit_down(own_bench)
    ann, ben, cleo, dan = phones
    set_up(display, phones, api)
    first_move(display, phones)
    second_move(own_bench, display, phones)
    third_move(display, phones, api)
    lay_unseen(api, 4)
    api.act(api.tokens[BEN], {"type": "place_discs"})
    lay_unseen(api, 5)
    finish_move(ben)
    examination(display, phones, api)
    for page in phones:
        fits(page)
    expect(ann.locator("#head")).to_contain_text("Move 1")
    assert api.public()["turn"] == 2
    with held(dan, dan.locator("#own .peek-btn")):
        expect(dan.locator("#own .peek-secret")).to_contain_text("Cards lost for good: Silver City")
    for page in (ben, cleo):
        expect(page.locator("body")).to_have_class("seat waiting")


def first_move(display: Page, phones: list[Page]) -> None:
    """Ride by tapping a Sheriff and a neighbour, change a laid card, reload a page in mid-plan."""
    ann, ben, cleo, dan = phones
    touch(ann.locator("#where .sheriff-spot[data-for=s2]"))  # its ring takes a tap as well
    tap(ann, ann.locator("#where .targets.on [data-for^='s2-']").first)
    expect(display.locator("#log")).to_contain_text("A Sheriff rides from Aztec")
    fits(ann)
    assert ann.evaluate(SMALL_PLACES) == []
    lay(ann, ROUTES[ANN][0])
    expect(ann.locator("#ask")).to_contain_text("Your card lies there: Globe")
    lay(ben, "Los Lunas")
    lay(cleo, ROUTES[CLEO][0])
    expect(display.locator("#question")).to_contain_text("3 of 4")
    choose(ben, ROUTES[BEN][0])
    cleo.reload()
    expect(cleo.locator("#ask")).to_contain_text("Your card lies there: Red Cloud")
    expect(cleo.locator("#gang")).to_contain_text("Los Lunas")
    expect(ben.locator("#k-La-Luz")).to_be_checked()
    tap(ben, form(ben, "lay_card").first.locator(".btn-primary"))
    expect(cleo.locator("#gang")).to_contain_text("La Luz")
    fits(cleo)
    lay(dan, ROUTES[DAN][0])
    expect(display.locator("#question")).to_contain_text("The gang decides")
    expect(ann.locator("body")).to_have_class("seat waiting")
    fits(ben)
    finish_move(ben)


def second_move(bench: Bench, display: Page, phones: list[Page]) -> None:
    """Pull the plug with two of four cards laid: both are there again. Then let Dan spy."""
    ann, ben, cleo, dan = phones
    lay(ann, ROUTES[ANN][1])
    lay(ben, ROUTES[BEN][1])
    expect(display.locator("#question")).to_contain_text("2 of 4")
    bench.expect(*GONE)
    bench.server.end(signal.SIGKILL)
    for page in (display, *phones):
        expect(page.locator("#offline")).to_be_visible()
    bench.server.start()
    for page in (display, *phones):
        expect(page.locator("#offline")).to_be_hidden()
    expect(display.locator("#question")).to_contain_text("2 of 4")
    expect(ann.locator("#ask")).to_contain_text("Your card lies there: Silver City")
    expect(ben.locator("#ask")).to_contain_text("Your card lies there: Socorro")
    lay(cleo, ROUTES[CLEO][1])
    lay(dan, ROUTES[DAN][1])
    tap(dan, form(dan, "declare").locator("button[value=spy]"))
    expect(ben.locator("#gang")).to_contain_text("spies on the bank")
    finish_move(ben)
    expect(display.locator("#log")).to_contain_text("Dan spies on the bank in Silver City")
    expect(dan.locator("#news")).to_contain_text("Only you see this")
    expect(ben.locator("#news")).not_to_contain_text("Only you see this")
    # The tile comes with the part that is held, so it is there before a finger is.
    expect(dan.locator("#own .value")).to_have_count(1)
    with held(dan, dan.locator("#own .peek-btn")):
        expect(dan.locator("#own .value")).to_be_visible()


def third_move(display: Page, phones: list[Page], api: Api) -> None:
    """Three discs on the coach in Salem, one more than the Sheriff there calls for."""
    _, ben, cleo, dan = phones
    lay_unseen(api, 3)
    tap(ben, form(ben, "declare").locator("button[value=brown]"))
    expect(cleo.locator("#gang .plan")).to_contain_text("too few: 1 of 2")
    touch(ben.locator("#gang .sure summary"))
    tap(cleo, form(cleo, "declare").locator("button[value=brown]"))
    expect(cleo.locator("#gang .plan")).not_to_contain_text("too few")
    expect(settled(ben).locator("#gang .plan")).not_to_contain_text("too few")
    expect(ben.locator("#gang .sure .btn-primary")).to_be_visible()  # though a mate has acted
    tap(dan, form(dan, "declare").locator("button[value=brown]"))
    expect(ben.locator("#gang .plan")).to_contain_text("3 discs · 2 needed")
    fits(ben)
    finish_move(ben, is_agreed=True)
    expect(display.locator("#hands")).to_contain_text("1 more than needed")
    expect(display.locator("#map .disc")).to_have_count(3)


def examination(display: Page, phones: list[Page], api: Api) -> None:
    """Step by step, by the Marshal's phone and the display in turn."""
    ann = phones[ANN]
    said = (
        (),
        ("Arrested in Silver City: Dan", "Dan hands the card Silver City to the Marshal"),
        ("The brown coach is robbed in Salem",),
        (),
        (),
        ("The bank in Silver City is robbed", "A new tile goes face down"),
    )
    expect(display.locator("#question")).to_contain_text("Now they come to light")
    for step, sentences in enumerate(said, 1):
        if step % 2:
            tap(ann, form(ann, "next").locator("button"))
        else:
            tap(display, display.locator("#desk .btn-primary"), to="for/0")
        expect(display.locator("#question .walk .now, #question + .walk .now")).to_have_count(1)
        for sentence in sentences:
            expect(display.locator(".side")).to_contain_text(sentence)
        for page, words in scenes(display, phones).get(step, ()):
            expect(page.locator("#moment")).to_contain_text(words)
    kinds = sorted(loot["kind"] for loot in api.public()["loot"])
    assert kinds == ["bank", "coach"]
    assert api.public()["seats"][DAN]["lost"] == ["Silver City"]
    expect(display.locator("#loot")).to_contain_text(f"${api.public()['taken']:,}")
    tap(ann, form(ann, "next").locator("button"))
    expect(display.locator("#log")).to_contain_text("Turn 2 begins")


def scenes(display: Page, phones: list[Page]) -> dict[int, tuple[tuple[Page, str], ...]]:
    """Give what everybody looks up for, by the step that shows it, on the display and on phones."""
    ann, ben, _, dan = phones
    return {
        2: (
            (display, "Arrested!"),
            (dan, "You are arrested in Silver City"),
            (ann, "You arrest Dan in Silver City!"),
            (ben, "Dan is arrested in Silver City"),
        ),
        3: ((display, "Brown coach, Salem"), (ben, "you were there")),
        6: ((display, "Bank, Silver City"), (ann, "The bank in Silver City is robbed")),
    }


def test_a_choice_outlives_what_others_do_meanwhile(bench: Bench) -> None:
    """A city that is chosen stays chosen when a mate's pawn appears on the map beside it."""
    api = bench.open(4, "desperados", preset="app", board="practice", first_schedule="app")
    api.start()
    marshal, ben, cleo = (bench.seat(api, seat) for seat in range(3))
    place(marshal, "place_marshal", "Tuba City")
    for _ in range(3):
        place(marshal, "place_sheriff", "Aztec")
    touch(form(cleo, "place_pawn").locator("label", has_text="Socorro").first)
    place(ben, "place_pawn", "Tucson")
    expect(cleo.locator("#ask svg .pawn")).to_have_count(2)
    expect(form(cleo, "place_pawn").locator("[data-chosen]")).to_have_text("· Socorro")
    tap(cleo, form(cleo, "place_pawn").locator(".btn-primary"))
    assert api.public()["seats"][2]["pawn"] == "Socorro"
    expect(form(cleo, "place_pawn")).to_have_count(0)


def some(api: Api, seat: int, kind: str) -> None:
    """Let a seat do the last of what it may do of a kind, past the pages."""
    legal = api.see(api.tokens[seat])["legal"]
    api.act(api.tokens[seat], [action for action in legal if action["type"] == kind][-1])


def test_a_road_that_only_the_board_shows(bench: Bench) -> None:
    """It is confirmed on one's own phone, and told to all when the card is turned."""
    api = bench.open(3, "desperados", preset="app", board="owned", first_schedule="app")
    api.start()
    display = bench.screen(api)
    ann, ben, cleo = (bench.seat(api, seat) for seat in range(3))
    banks = cleo.locator("#ask form.boardq")
    for city in ("El Paso", "Flagstaff", "Santa Fe"):
        touch(banks.locator("label", has_text=city))
    tap(cleo, banks.locator(".btn-primary"), to="answer")
    for city in ("Tuba City", "Aztec", "Aztec"):
        kind = "place_sheriff" if city == "Aztec" else "place_marshal"
        api.act(api.tokens[ANN], {"type": kind, "city": city})
    for seat in (BEN, CLEO):
        api.act(api.tokens[seat], {"type": "place_pawn", "city": "Socorro"})
    some(api, ANN, "lay_card")
    far = ben.locator("#ask details", has_text="A road the referee does not know")
    touch(far.locator("summary"))
    far.locator("select").select_option("La Luz")
    touch(far.locator("label.choice"))
    fits(ben)
    tap(ben, far.locator("button"))
    expect(ben.locator("#ask")).to_contain_text("Your card lies there: La Luz")
    for move in range(1, 6):
        for seat in (ANN, BEN, CLEO):
            if move > 1 or seat == CLEO:
                some(api, seat, "lay_card")
        told = settled(display).locator("#log").inner_text().splitlines()
        assert all("coach" in line for line in told if "La Luz" in line)
        some(api, BEN, "place_discs")
    tap(ann, form(ann, "next").locator("button"))
    expect(display.locator("#log")).to_contain_text("A new road: La Luz – Socorro")
    assert ["La Luz", "Socorro"] in api.public()["roads"]


def test_a_phone_on_the_table_hides_its_plans(bench: Bench) -> None:
    """Untouched for a while, or out of sight, it shows neither place nor plans until tapped."""
    api = bench.open(4, "desperados", first_schedule="app")
    api.start()
    take_places(api)
    for seat in (ANN, BEN):
        api.act(api.tokens[seat], {"type": "lay_card", "card": ROUTES[seat][0]})
    cleo = bench.seat(api, CLEO, veil_s=1)
    veil = cleo.locator(".veil")
    expect(veil).to_be_visible()
    expect(cleo.locator("#ask form").first).to_be_hidden()
    expect(cleo.locator("#gang")).not_to_contain_text("La Luz", use_inner_text=True)
    fits(cleo)
    cleo.evaluate("document.body.dataset.veil = 3600")  # it is looked at for longer than that
    touch(veil)
    expect(cleo.locator("#gang")).to_contain_text("La Luz", use_inner_text=True)
    expect(cleo.locator("#ask form").first).to_be_visible()
    set_visibility(cleo, "hidden")
    expect(cleo.locator("#ask form").first).to_be_hidden()


def test_a_card_is_covered_soon_also_where_the_stream_was_quicker(bench: Bench) -> None:
    """The form that laid it is gone by the time its answer comes."""
    api = bench.open(4, "desperados", first_schedule="app")
    api.start()
    take_places(api)
    api.act(api.tokens[ANN], {"type": "lay_card", "card": ROUTES[ANN][0]})
    ben = bench.seat(api, BEN)
    ben.evaluate("document.body.dataset.laidVeil = 1")
    touch(form(ben, "lay_card").locator("label", has_text="Saloon").first)
    with unanswered(ben):
        touch(form(ben, "lay_card").first.locator(".btn-primary"))
        expect(ben.locator("#ask")).to_contain_text("Your card lies there")

    expect(ben.locator(".veil")).to_be_visible()

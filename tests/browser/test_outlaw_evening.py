"""An evening of Desperados: a display and three phones, and taps for whatever is new.

One test taps from the start page through the first turn. The other is brought over HTTP to the end
of the second, and goes on to the ceremony.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from .bench import (
    NAMES,
    Api,
    Bench,
    begin,
    elsewhere,
    fits,
    follow,
    form,
    held,
    money,
    settled,
    shown,
    tap,
    token,
    touch,
)
from .outlaws import ANN, BEN, CLEO, POKER, POSTS, STARTS, Unseen, ways

pytestmark = pytest.mark.browser

ROBBED: Final = (
    {"Silver City"},
    {"Socorro", "El Paso"},
    {"Santa Fe", "Silver City"},
    {"Socorro", "Flagstaff"},
    {"Santa Fe", "El Paso"},
)
"""Banks at which somebody of the gang is at the end of a turn."""
STEPS: Final = 7
"""Taps that bring the cards of a turn to light."""
MOST: Final = {"a card laid": 2, "a Sheriff moved": 2, "a place to begin": 2, "the gang is done": 2}
"""How many taps these may take."""


class Evening:
    """Three people who look at their phones and tap; their taps are counted."""

    def __init__(self, display: Page, phones: list[Page], api: Api) -> None:
        self.display = display
        self.phones = phones
        self.api = api
        self.taps: Counter[str] = Counter()
        self.scenes: set[str] = set()
        self.told: set[str] = set()
        self._looked: set[str] = set()

    def does(self, what: str, *places: Locator, to: str = "act") -> None:
        """Touch things one after the other, the last of which sends them."""
        *first, last = places
        self.look_around(what)
        for place in first:
            touch(place)
        tap(last.page, last, to=to)
        self.taps[what] = max(self.taps[what], len(places))

    def look_around(self, what: str) -> None:
        """Check the layout of all screens, the first time that a kind of question is met."""
        if what not in self._looked:
            self._looked.add(what)
            for page in self.phones:
                fits(page)
            fits(self.display, is_phone=False)

    def look_up(self) -> None:
        """Note what the display's scene calls out, and what phones say of it in their own words."""
        scene = shown(self.display).locator("#moment :is(h2, .verdict)").all_text_contents()
        self.scenes.update(" ".join(text.split()) for text in scene)
        for page in self.phones:
            told = shown(page).locator("#moment p").all_text_contents()
            self.told.update(" ".join(text.split()) for text in told)

    def begins(self, seat: int, kind: str, city: str) -> None:
        """Choose on the map where a piece begins."""
        page = self.phones[seat]
        wanted = form(page, kind)
        chosen = wanted.locator(f"input[value='{city}']").get_attribute("id")
        spot = page.locator(f"#ask .touch[data-for='{chosen}']")
        self.does("a place to begin", spot, wanted.locator(".btn-primary"))

    def lays(self, seat: int, card: str) -> None:
        """Choose a card on the map, or the saloon by its button, and lay it."""
        page = self.phones[seat]
        wanted = form(page, "lay_card").first
        name = card.replace(" ", "-").replace(".", "")
        spot = page.locator(f"#where .touch[data-for='k-{name}']")
        if card == "saloon":
            spot = wanted.locator("label", has_text="Saloon")
        self.does("a card laid", spot, wanted.locator(".btn-primary"))

    def declares(self, seat: int, choice: str) -> None:
        """Say what to do in a city."""
        button = form(self.phones[seat], "declare").locator(f"button[value={choice}]")
        self.does("what to do in a city", button)

    def gang_is_done(self) -> None:
        """End the gang's part of a move; who has not said anything is named before."""
        gang = settled(self.phones[BEN]).locator("#gang")
        button = gang.locator("form:has(input[value=place_discs]) button")
        sure = gang.locator(".sure summary")
        self.does("the gang is done", *([sure] if sure.count() else []), button)

    def goes_on(self) -> None:
        """Let the cards of a turn come to light, by the Marshal's phone and the display in turn."""
        ann = self.phones[ANN]
        for step in range(STEPS):
            if step % 3 == 2:
                self.does(
                    "on, on the display", self.display.locator("#desk .btn-primary"), to="for/0"
                )
            else:
                self.does("on, on a phone", form(ann, "next").locator("button"))
            self.look_up()

    def refills(self) -> None:
        """Choose which robbed bank gets the next tile, where more than one was robbed."""
        assert "refill_bank" in self.asked(ANN)
        while "refill_bank" in self.asked(ANN):
            button = form(self.phones[ANN], "refill_bank").locator("button").first
            self.does("a bank gets a tile", button)

    def all_agree(self, asker: int) -> None:
        """Let the others agree to what somebody asks of the table, and go back to the game."""
        for seat, page in enumerate(self.phones):
            if seat == asker:
                page.goto(f"{self.display.url.split('/t/')[0]}/s/{self.api.code}/{seat}")
            else:
                self.does("agreed to", page.locator("#notice button[value=yes]"), to="ask")

    def asked(self, seat: int) -> set[str]:
        """Name what a seat may do."""
        return {action["type"] for action in self.api.see(self.api.tokens[seat])["legal"]}


def look_once(evening: Evening, seat: int, words: str) -> None:
    """Hold the bar, which says once what to look at; then it is as short as ever, also reloaded."""
    page = evening.phones[seat]
    once = settled(page).locator("#own .look-once")
    expect(once).to_be_visible()
    expect(once).to_contain_text(words)
    fits(page)
    with held(page, page.locator("#own .peek-btn")):
        expect(page.locator("#own .peek-secret")).to_be_visible()
    expect(once).to_be_hidden()
    page.reload()
    expect(settled(page).locator("#own .look-once")).to_be_hidden()


def places(evening: Evening) -> None:
    """Post the law, then let the gang take its places."""
    look_once(evening, ANN, "See what the bank tiles are worth")
    evening.begins(ANN, "place_marshal", STARTS[ANN])
    for city in POSTS:
        evening.begins(ANN, "place_sheriff", city)
    for seat in (BEN, CLEO):
        evening.begins(seat, "place_pawn", STARTS[seat])


def first_turn(evening: Evening) -> None:
    """Ride with taps for whatever is new, then let the cards come to light."""
    unseen, way = Unseen(evening.api), ways(1)
    a_sheriff_rides(evening)
    evening.lays(ANN, way[ANN][0])
    a_wrong_card_is_changed(evening)
    evening.lays(BEN, way[BEN][0])
    evening.lays(CLEO, way[CLEO][0])
    look_once(evening, BEN, "Your secret way is in here")
    evening.declares(CLEO, "poker")
    evening.gang_is_done()
    unseen.rides(1, (2, 3))
    evening.lays(ANN, way[ANN][3])
    unseen.lays(1, 4, (BEN, CLEO))
    evening.declares(CLEO, "spy")
    evening.gang_is_done()
    unseen.lays(1, 5)
    evening.gang_is_done()
    evening.goes_on()


def third_turn(evening: Evening) -> None:
    """Set a board right, load pages anew in mid-move, and end a move too early."""
    unseen, way = Unseen(evening.api), ways(3)
    a_sheriff_stood_elsewhere(evening)
    unseen.lays(3, 1, (ANN,))
    pages_are_loaded_anew(evening)
    evening.lays(BEN, way[BEN][0])
    unseen.lays(3, 1, (CLEO,))
    too_early(evening)
    evening.declares(BEN, "poker")
    evening.gang_is_done()


def last_turn(evening: Evening) -> None:
    """Tap its last move, and let the cards come to light."""
    for seat, way in enumerate(ways(5)):
        evening.lays(seat, way[4])
    evening.gang_is_done()
    evening.goes_on()


def a_sheriff_rides(evening: Evening) -> None:
    """Touch a Sheriff on the map, and a city beside it."""
    page = evening.phones[ANN]
    spots = page.locator("#where .sheriff-spot[data-for=s0] .touch")
    evening.does(
        "a Sheriff moved", spots, page.locator("#where .targets.on [data-for^='s0-']").first
    )


def a_wrong_card_is_changed(evening: Evening) -> None:
    """Until the last card lies there a card may be changed."""
    evening.lays(BEN, "La Luz")
    expect(evening.phones[BEN].locator("#ask")).to_contain_text("Your card lies there: La Luz")


def too_early(evening: Evening) -> None:
    """End the gang's part before somebody has said what to do: the table takes that back."""
    evening.gang_is_done()
    assert evening.api.public()["phase"] == "riding"
    ben = evening.phones[BEN]
    follow(ben, ben.locator("header a.btn"))
    follow(ben, ben.locator("form[action$='/undo'] button"))
    evening.all_agree(BEN)
    assert evening.api.public()["phase"] == "acting"


def a_sheriff_stood_elsewhere(evening: Evening) -> None:
    """Somebody notices that a Sheriff never rode on the board; the others agree."""
    cleo = evening.phones[CLEO]
    follow(cleo, cleo.locator("header a.btn"))
    touch(
        cleo.locator("details", has_text="The real table looks different").locator("summary").first
    )
    fix = cleo.locator("details.fix", has_text="A Sheriff stands elsewhere")
    touch(fix.locator("summary"))
    fits(cleo)
    fix.locator("select[name=city]").select_option(POSTS[0])
    follow(cleo, fix.locator("button"))
    evening.all_agree(CLEO)
    assert evening.api.public()["sheriffs"] == list(POSTS)


def pages_are_loaded_anew(evening: Evening) -> None:
    """In mid-move, with a card laid: nothing is lost."""
    evening.lays(BEN, "La Luz")
    for page in (evening.phones[BEN], evening.display):
        page.reload()
    expect(evening.phones[BEN].locator("#ask")).to_contain_text("Your card lies there: La Luz")
    expect(settled(evening.display).locator("#question")).to_contain_text("2 of 3")


def what_was_seen(evening: Evening) -> None:
    """All that the first turn brings was called out, and told to whom it is about."""
    assert {"Arrested!", "Poker, Globe", "Bank, Silver City"} <= evening.scenes
    for words in ("You are arrested in Los Lunas", "You arrest Ben in Los Lunas!"):
        assert any(words in told for told in evening.told), words


def what_happened(evening: Evening) -> None:
    """One arrest, whose card is lost for good, and every bank that the gang came to is robbed."""
    public = evening.api.public()
    loot = [(tile["turn"], tile["city"]) for tile in public["loot"] if tile["kind"] == "bank"]
    assert sorted(loot) == sorted((n, city) for n, all_ in enumerate(ROBBED, 1) for city in all_)
    assert sum(tile["kind"] == "poker" for tile in public["loot"]) == len(POKER)
    assert public["seats"][BEN]["lost"] == ["Los Lunas"]


def the_ceremony(evening: Evening) -> None:
    """Go through it by a phone and the display in turn, then see one's own result."""
    display, public = evening.display, evening.api.public()
    root = display.locator("[data-ceremony]")
    steps = int(root.get_attribute("data-ceremony") or 0)
    for step in range(1, steps + 1):
        if step % 2:
            touch(display.locator("[data-next]"))
        else:
            phone = evening.phones[CLEO]
            tap(phone, phone.locator("form[action$='/next'] button"), to="next")
        now = display.locator(f".all[data-step-at='{step}']")
        expect(now).to_be_visible()
        expect(display.locator(".all:visible")).to_have_count(1)
        fits(display, is_phone=False)
    expect(display.locator("[data-next]")).to_be_hidden()
    taken = money(public["taken"])
    expect(display.locator(".winner:visible")).to_contain_text(taken)
    winners = evening.api.result()["winners"]
    for seat, page in enumerate(evening.phones):
        touch(page.locator("details summary", has_text="Show my result"))
        fits(page)
        expect(page.locator("tfoot .num").first).to_have_text(taken)
        words = "win" if seat == ANN else "Your gang wins!"
        assert (words in page.locator(".winner").inner_text()) == (seat in winners)


def few_taps(evening: Evening) -> None:
    """Nothing took more taps than it may."""
    print(f"Taps at most: {dict(evening.taps)}")  # noqa: T201  # for who reads
    assert all(evening.taps[what] <= most for what, most in MOST.items())


def test_an_evening_is_tapped_from_the_start_page_through_its_first_turn(bench: Bench) -> None:
    """Three sit down, take their places, ride, and see what comes to light."""
    display, api = bench.host("desperados")
    fits(display, is_phone=False)
    phones = [bench.join(api.code, name) for name in NAMES[:3]]
    api.tokens = [token(page) for page in phones]
    begin(display)
    evening = Evening(display, phones, api)
    places(evening)
    first_turn(evening)
    what_was_seen(evening)
    few_taps(evening)


def test_an_evening_goes_on_to_the_last_step_of_its_ceremony(bench: Bench) -> None:
    """From the end of the second turn, to which it is posted; nobody looks at what is the same."""
    api = bench.open(3, "desperados")
    api.start()
    unseen = Unseen(api)
    unseen.places()
    unseen.rides(1, range(1, 6))
    unseen.goes_on("next")
    unseen.rides(2, range(1, 6))
    unseen.goes_on("next")
    evening = Evening(bench.screen(api), [bench.seat(api, seat) for seat in range(3)], api)
    evening.refills()
    unseen.goes_on("next")
    third_turn(evening)
    with elsewhere(evening.display, *evening.phones):
        unseen.rides(3, range(2, 6))
        unseen.goes_on("next", "refill_bank")
        unseen.rides(4, range(1, 6))
        unseen.goes_on("next", "refill_bank")
        unseen.rides(5, range(1, 5))
    last_turn(evening)
    what_happened(evening)
    the_ceremony(evening)
    few_taps(evening)

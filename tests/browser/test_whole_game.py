"""A whole game at one table: a display, four phones, and taps until all has been tapped."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .bench import (
    NAMES,
    Api,
    Bench,
    begin,
    elsewhere,
    fits,
    form,
    money,
    peeked,
    settled,
    shown,
    tap,
    token,
    touch,
)

pytestmark = pytest.mark.browser

SEATS = 4
MOST_TAPS = 400
MOST_BID = 6000
PHASES = {"between", "sealed_auction", "moving", "rumor", "duel"}
FIRST_TAPPED, LAST_TAPPED = 3, 18
"""Up to the one plot and from the other on all is tapped; between them what is still new."""
SCENES = ("The bids are turned over", "The duel", "buys plot", " pays")
TOLD = ("You buy plot", "You receive $")

WITHOUT_LOG = """() => {
    const copy = document.body.cloneNode(true);
    copy.querySelector("#log").remove();
    return copy.textContent;
}"""


class Game:
    """Four people who look at their phones and tap what they are asked."""

    def __init__(self, display: Page, phones: list[Page], api: Api) -> None:
        self.display = display
        self.phones = phones
        self.api = api
        self.rng = random.Random(8)
        self.seen: set[tuple[str, ...]] = set()
        self.scenes: set[str] = set()
        self.told: set[str] = set()
        self.compared = 0

    def play(self) -> None:
        """Play to the end, looking at every new kind of page on the way."""
        for _ in range(MOST_TAPS):
            table = self.api.see()
            if table["status"] == "over":
                return
            self.look_up()
            public = table["view"]["public"]
            index = public["waiting_for"][0]
            if public["phase"] == "between" and public["turn"] in {1, 3, LAST_TAPPED}:
                self.compare_secrets()
            if public["phase"] == "between" and self.may_skip(public["turn"]):
                self.post_until(LAST_TAPPED, self.missing())
                continue
            self.answer(self.phones[index], public)
        pytest.fail(f"not over after {MOST_TAPS} taps")

    def may_skip(self, turn: int) -> bool:
        """Say whether nothing new is to be tapped now: more will come, or all was told as well."""
        return FIRST_TAPPED <= turn < LAST_TAPPED and (
            bool(self.missing())
            or (
                all(any(words in scene for scene in self.scenes) for words in SCENES)
                and all(any(told.startswith(words) for told in self.told) for words in TOLD)
            )
        )

    def missing(self) -> set[str]:
        """Name the kinds of questions of which none was tapped yet."""
        return PHASES - {kind[0] for kind in self.seen}

    def post_until(self, turn: int, phases: set[str]) -> None:
        """Play over HTTP what would only be tapped again; nobody looks at it."""
        with elsewhere(self.display, *self.phones):
            while (public := self.api.public())["phase"] not in phases:
                if public["turn"] >= turn and public["phase"] == "between":
                    return
                key = self.api.tokens[public["waiting_for"][0]]
                self.api.act(key, self.rng.choice(self.likely(self.api.see(key)["legal"])))

    @staticmethod
    def likely(legal: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Give what people would do: go on where they can, and bid so that notes are left."""
        going_on = [a for a in legal if a["type"] == "draw_plot"]
        return going_on or [
            a for a in legal if a["type"] != "call_duel" and a.get("amount", 0) <= MOST_BID
        ]

    def look_up(self) -> None:
        """Note what the display's scene calls out, and what phones say of it in their own words."""
        scene = shown(self.display).locator("#moment :is(h2, .verdict)")
        self.scenes.update(" ".join(text.split()) for text in scene.all_text_contents())
        for page in self.phones:
            told = shown(page).locator("#moment p").all_text_contents()
            self.told.update(" ".join(text.split()) for text in told)

    def answer(self, page: Page, public: dict[str, Any]) -> None:
        """Do what a phone is asked, through its own controls."""
        settled(page)
        match public["phase"]:
            case "between":
                is_last = public["turn"] == 19
                star = form(page, "count_up" if is_last else "draw_plot")
                star.wait_for(state="attached")
                self.look_around(page, "between")
                if form(page, "claim").count():
                    self.claim(page)
                elif is_last:
                    touch(page.locator("#ask details summary", has_text="Count up"))
                    tap(page, star.locator("button"))
                    expect(self.display.locator("[data-ceremony]")).to_have_count(1)
                else:
                    tap(page, star.locator("button"))
            case "sealed_auction":
                self.bid(page, public)
            case "moving":
                form(page, "activate").wait_for()
                self.look_around(page, "moving")
                stops = form(page, "activate").locator("label")
                touch(stops.nth(self.rng.randrange(stops.count())))
                tap(page, form(page, "activate").locator("button"))
            case "rumor":
                self.rumor(page)
            case "duel":
                self.duel(page)
            case other:
                pytest.fail(f"no such phase: {other}")

    def claim(self, page: Page) -> None:
        """Claim the first objective that is met."""
        claims = form(page, "claim")
        before = claims.count()
        tap(page, claims.first.locator("button"))
        expect(claims).to_have_count(before - 1)

    def bid(self, page: Page, public: dict[str, Any]) -> None:
        """Bid in one of three ways: type an amount, tap the stepper, or bid nothing."""
        floor = public["auction"]["standing"]
        field = page.locator(f"#sealed-{public['turn']}-{floor}")
        field.wait_for()
        asked = form(page, "submit_bid").first
        self.look_around(page, "sealed_auction", "again" if floor else "first")
        duel = form(page, "call_duel")
        if duel.count() and ("duel", "shuffle") not in self.seen:
            touch(page.locator("#ask details.sure:has(input[value=call_duel]) > summary"))
            tap(page, duel.locator("button"))
            return
        most = int(asked.locator(".stepper").get_attribute("data-most") or 0)
        way = self.rng.randrange(3)
        if ("duel", "shuffle") not in self.seen:
            # Two who bid the same may call a duel: it is not left to what everybody happens to bid.
            way, floor = 1, 1000 if page in self.phones[:2] else 0
            most = floor
        if way == 0 and not floor and most > 10_000:
            touch(asked.get_by_label("more"))
            expect(field).to_have_value(str(floor + 1000))
        else:
            amount = self.rng.randrange(floor, min(most, floor + 6000) + 1, 1000)
            field.fill(money(amount)[1:] if way == 1 else str(amount))
        tap(page, asked.locator(".btn-primary"))

    def rumor(self, page: Page) -> None:
        """Look at a card, then put it back."""
        look = form(page, "look")
        look.wait_for()
        self.look_around(page, "rumor")
        cards = look.locator("label")
        touch(cards.nth(self.rng.randrange(cards.count())))
        tap(page, look.locator("button"))
        reveal = page.locator("#ask .reveal .peek-seen")
        reveal.wait_for(state="attached")
        self.look_around(page, "card")
        expect(reveal).to_be_hidden()
        tap(page, form(page, "put_back").locator("button"))

    def duel(self, page: Page) -> None:
        """Shuffle, or take the first card that is left."""
        kind = "pick_card" if self.api.public()["duel"]["shuffled"] else "shuffle"
        form(page, kind).wait_for()
        self.look_around(page, "duel", kind)
        tap(page, form(page, kind).locator("button:enabled").first)

    def look_around(self, page: Page, *kind: str) -> None:
        """Check the layout of a kind of page the first time that it is met, on all screens."""
        if kind not in self.seen:
            self.seen.add(kind)
            fits(page)
            for other in self.phones:
                fits(other)
            fits(self.display, is_phone=False)

    def compare_secrets(self) -> None:
        """Hold every phone's secrets open: they are its own, and no other screen has them.

        An amount that is known to all anyway, such as a bid or a pile, says nothing of a secret;
        nor do the amounts in the log, which tells what was paid to whom.
        """
        known = {"0", *re.findall(r"\d{4,}", f"{self.api.public()} {self.api.journal()}")}
        cash = [self.api.see(token(page))["view"]["own"]["cash"] for page in self.phones]
        public = self.display.evaluate(WITHOUT_LOG)
        assert "$" not in self.display.locator("#players").inner_text()
        for index, page in enumerate(self.phones):
            text = peeked(page)
            assert money(cash[index]) in text
            for amount in set(cash) - set(map(int, known)):
                self.compared += 1
                assert money(amount) not in public
                assert (money(amount) in text) == (amount == cash[index])


def test_four_phones_play_a_whole_sealed_game_by_tapping(bench: Bench) -> None:
    """From the start page through nineteen plots to the last step of the ceremony.

    The first plots are tapped, the last ones, and every kind of question; what is the same again is
    posted.
    """
    display, api = bench.host(auction="sealed")
    fits(display, is_phone=False)
    phones = [bench.join(api.code, name) for name in NAMES[:SEATS]]
    api.tokens = [token(page) for page in phones]
    for page in phones:
        expect(page.locator("#seats li:not(.empty)")).to_have_count(SEATS)
        fits(page)
    begin(display)
    game = Game(display, phones, api)
    game.play()
    check_ceremony(display, api)
    check_own_results(phones, api)
    assert not game.missing()
    for words in SCENES:
        assert any(words in scene for scene in game.scenes), words
    for words in TOLD:
        assert any(told.startswith(words) for told in game.told), words
    assert game.compared


def check_ceremony(display: Page, api: Api) -> None:
    """Go through the ceremony step by step: it ends with the totals of the HTTP interface."""
    root = display.locator("[data-ceremony]")
    steps = int(root.get_attribute("data-ceremony") or 0)
    stage = display.locator("table.stage:not([hidden])")
    expect(stage).to_have_count(0)
    for step in range(1, steps + 1):
        touch(display.locator("[data-next]"))
        expect(stage).to_have_attribute("data-step-at", str(step))
        fits(display, is_phone=False)
    expect(display.locator("[data-next]")).to_be_hidden()
    result = api.result()
    totals = sorted(((s["total"], s["name"]) for s in result["scores"]), reverse=True)
    rows = stage.locator("tr")
    shown = {
        row.locator("bdi").inner_text(): row.locator("td.num").inner_text() for row in rows.all()
    }
    assert shown == {name: money(total) for total, name in totals}
    for seat in result["winners"]:
        expect(display.locator(".winner:visible")).to_contain_text(NAMES[seat])


def check_own_results(phones: list[Page], api: Api) -> None:
    """Every phone shows its own lines and total, once its player wants to see them."""
    result, claims = api.result(), api.public()["claimed"]
    for page, score in zip(phones, result["scores"], strict=True):
        page.locator("summary").first.wait_for()
        own = page.locator("details table")
        expect(own).to_be_hidden()
        fits(page)
        touch(page.locator("summary").first)
        expect(own).to_be_visible()
        fits(page)
        expect(own.locator("tfoot .num")).to_have_text(money(score["total"]))
        lines = own.locator("tbody tr:not(.of) .num")
        expect(lines).to_have_text([money(x["amount"]) for x in score["lines"]])
        # What was claimed on the way is in the cash, and has lines of its own below it.
        claimed = [won["amount"] for won in claims if won["seat"] == score["seat"]]
        expect(own.locator("tbody .of .num")).to_have_text([money(amount) for amount in claimed])
        has_won = score["seat"] in result["winners"]
        winner = "You" if has_won else NAMES[result["winners"][0]]
        expect(page.locator(".winner")).to_contain_text(winner)

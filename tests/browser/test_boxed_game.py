"""Daddy Winchester with the real box: hands on the board, a tap or two on the phones."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .bench import Bench, fits, follow, form, settled, shown, tap, touch

pytestmark = pytest.mark.browser

ANN, BEN, CLEO, DAN = range(4)
PILES = ("three_together", "all_terrains", "five_plots", "four_apart", "dry_saloon")
TAPS_A_PLOT = 3
BUT_FOR_CLOCKS = """() => {
  const copy = document.body.cloneNode(true);
  copy.querySelectorAll("[data-since], #join .note").forEach((node) => node.replaceChildren());
  return copy.textContent;
}"""
"""What a page says, without what the clock tells: how long a question has been open, to the second,
and that no phone has reached the machine, from the first minute on."""


class Evening:
    """Four people around a board, with their phones and a display."""

    def __init__(self, bench: Bench) -> None:
        self.api = bench.open(4, preset="boxed", board="owned", auction="spoken")
        self.api.start()
        self.display = bench.screen(self.api)
        self.phones = [bench.seat(self.api, seat) for seat in range(4)]

    def wait(self, phase: str) -> dict[str, Any]:
        """Wait until the game is in a phase, and give what all can see."""
        public = self.api.public()
        assert public["phase"] == phase, public
        return public

    def draw(self, plot: int) -> int:
        """Let the star's holder tap the number that was turned over; give the taps it took."""
        star = self.phones[self.wait("between")["star"]]
        tap(star, form(star, "draw_plot").locator(f"button[value='{plot}']"))
        return 1

    def record(self, winner: int, price: int) -> int:
        """Let the star's holder tap who won and the price; give the taps it took."""
        star = self.phones[self.wait("spoken_auction")["star"]]
        wanted = form(star, "record_sale").first
        touch(wanted.locator("label").nth(winner))
        tap(star, wanted.locator(f"button[value='{price}']"))
        return 2

    def confirm(self, winner: int, token: str) -> None:
        """Let the winner say yes with the bonus token in hand."""
        phone = self.phones[winner]
        tap(phone, form(phone, "confirm_sale").locator(f"button[value='{token}']"))

    def sell(self, plot: int, winner: int, price: int, token: str) -> None:
        """Sell a plot: three taps of the table, and the winner's own."""
        assert self.draw(plot) + self.record(winner, price) <= TAPS_A_PLOT
        self.confirm(winner, token)

    def sold(self, plot: int, winner: int, price: int, token: str) -> None:
        """Sell a plot over HTTP: how that is tapped was seen before."""
        star = self.wait("between")["star"]
        self.posts(star, "draw_plot", plot=plot)
        self.posts(star, "record_sale", winner=winner, price=price)
        self.posts(winner, "confirm_sale", token=token)

    def posts(self, seat: int, kind: str, **facts: object) -> None:
        """Do one thing over HTTP."""
        self.api.act(self.api.tokens[seat], {"type": kind, **facts})

    def answer(self, page: Page, *values: str) -> None:
        """Answer a question about the board by tapping plots."""
        asked = page.locator("form.boardq")
        asked.wait_for()
        for value in values:
            touch(asked.locator("> .taps .tap").filter(has_text=re.compile(f"^{value}$")))
        tap(page, asked.locator("> .btn-primary" if values else "> [data-none]"), to="answer")


def test_six_turns_of_a_boxed_game(bench: Bench) -> None:
    """Real tokens, cards and duel; questions of the board; a slip taken back, one corrected."""
    evening = Evening(bench)
    lay_out(evening)
    first_plot_and_boat(evening)
    a_wrong_number_and_the_ranch(evening)
    a_duel_and_a_question(evening)
    a_rumor(evening)
    a_mine(evening)
    nobody_bids(evening)
    a_mistake_is_set_right(evening)
    objectives_in_secret(evening)


def lay_out(evening: Evening) -> None:
    """Which card lies on which pile is told on the display or on any phone."""
    evening.wait("laying_out")
    for page in (*evening.phones, evening.display):
        fits(page, is_phone=page is not evening.display)
    desk = evening.display.locator("#desk form:has(input[value=lay_objective])")
    tap(evening.display, desk.locator(f"button[value={PILES[0]}]"), to="for/*")
    cleo = evening.phones[CLEO]
    expect(cleo.locator("#ask .ask")).to_contain_text("$4,000")
    tap(cleo, form(cleo, "lay_objective").locator(f"button[value={PILES[1]}]"))
    expect(cleo.locator("#ask .ask")).to_contain_text("$5,000")
    for objective in PILES[2:-1]:
        evening.posts(CLEO, "lay_objective", objective=objective)
    expect(settled(cleo).locator("#ask .ask")).to_contain_text("$7,000")
    tap(cleo, form(cleo, "lay_objective").locator(f"button[value={PILES[-1]}]"))
    expect(evening.display.locator("#piles li")).to_have_count(5)


def first_plot_and_boat(evening: Evening) -> None:
    """Ben buys plot 7 with a movement token; where the boat stands is told by tapping plots."""
    evening.sell(7, BEN, 4000, "movement")
    evening.wait("moving")
    ben = evening.phones[BEN]
    expect(evening.display.locator("#hands")).to_contain_text("Ben: put a hat on 7")
    # What he can take back he reads in his own words; the log's line would say it twice.
    expect(ben.locator("#moment .told")).to_be_visible()
    expect(ben.locator("#notice .takeback button")).to_be_visible()
    expect(ben.locator("#notice .takeback .muted")).to_be_hidden()
    touch(ben.locator("summary:has-text('The boat')"))
    fits(ben)
    boat = form(ben, "activate").first
    for plot in ("7", "8"):
        touch(boat.locator(f"label:has(input[value='{plot}'])"))
    tap(ben, boat.locator(".btn-primary"))
    public = evening.wait("between")
    assert public["boat_beside"] == [7, 8]
    assert evening.api.public()["chart"]["boat"] == [{"name": "7-8", "touches": [7, 8]}]
    expect(evening.display.locator("#hands")).to_contain_text("Ben gets $1,000 from the bank")
    own = [evening.api.own(seat) for seat in range(4)]
    assert [mine["cash"] for mine in own] == [9000, 5000, 9000, 9000]


def a_wrong_number_and_the_ranch(evening: Evening) -> None:
    """Ben taps 13, takes it back at once and taps 12, which may be the ranch."""
    ben = evening.phones[BEN]
    evening.draw(13)
    follow(ben, ben.locator("header a.btn"))
    follow(ben, ben.locator("form[action$=undo] button"))
    evening.wait("between")
    evening.sell(12, BEN, 2000, "saloon")
    evening.wait("turning")
    dan = evening.phones[DAN]
    dan.locator("form.boardq").wait_for()
    fits(dan)
    fits(evening.display, is_phone=False)
    tap(dan, dan.locator("form.boardq button:has-text('17')"), to="answer")
    evening.wait("between")
    assert evening.api.public()["plots"][16]["terrain"] == "prairie"


def a_duel_and_a_question(evening: Evening) -> None:
    """Cleo challenges Ben with the real cards; his third plot raises a question of the board."""
    evening.draw(8)
    ben, dan = evening.phones[BEN], evening.phones[DAN]
    touch(ben.locator("summary:has-text('duel')"))
    duel = form(ben, "record_duel")
    touch(duel.locator("fieldset").nth(0).locator("label").nth(CLEO))
    touch(duel.locator("fieldset").nth(1).locator("label").nth(BEN))
    touch(duel.locator("fieldset").nth(2).locator("label").nth(BEN))
    duel.locator("[data-amount]").fill("1000")
    tap(ben, duel.locator(".btn-danger"))
    tap(ben, form(ben, "confirm_sale").locator(".btn-danger"))
    evening.wait("duel")
    fits(dan)
    tap(dan, form(dan, "win_duel").locator("button:has-text('Ben')"))
    tap(ben, form(ben, "take_token").locator("button[value=rumor]"))
    tap(ben, form(ben, "skip_look").locator("button"))
    question = evening.api.see()["question"]
    assert question["kind"] == "touching"
    assert question["place"] == 8
    expect(evening.display.locator("#question")).to_contain_text("Ben's plots does plot 8 touch")
    for page in evening.phones:
        expect(page.locator("form.boardq")).to_be_visible()
    evening.answer(evening.display, "7")
    expect(evening.phones[ANN].locator("form.boardq > .taps .tap")).to_have_count(1)
    evening.answer(evening.phones[ANN])
    terrain = evening.phones[CLEO].locator("form.boardq")
    expect(terrain).to_contain_text("What are these plots?")
    fits(evening.phones[CLEO])
    for plot, kind in ((7, "forest"), (8, "prairie"), (12, "prairie")):
        name = f"terrain:{plot}"
        touch(terrain.locator(f"label:has(input[name='{name}'][value={kind}])").first)
    tap(evening.phones[CLEO], terrain.locator(".btn-primary"), to="answer")
    assert evening.api.see()["question"] is None
    for page in evening.phones:
        expect(page.locator("form.boardq")).to_have_count(0)


def a_rumor(evening: Evening) -> None:
    """Dan looks at a real card by hand and taps which one it was; all see which."""
    evening.sold(9, DAN, 1000, "rumor")
    dan = evening.phones[DAN]
    look = form(dan, "look")
    fits(dan)
    touch(look.locator("label:has(input[value='secret:0:1'])"))
    tap(dan, look.locator(".btn-primary"))
    evening.wait("between")
    expect(evening.display.locator("#log")).to_contain_text("Ann's second secret objective")


def a_mine(evening: Evening) -> None:
    """Cleo buys a mine and taps what its real card shows."""
    evening.sold(3, CLEO, 2000, "saloon")
    cleo = evening.phones[CLEO]
    fits(cleo)
    tap(cleo, form(cleo, "turn_card").locator("button[value='4000']"))
    public = evening.wait("between")
    assert public["chart"]["seen_mines"] == [4000]
    assert public["star"] == CLEO


def nobody_bids(evening: Evening) -> None:
    """Cleo has to buy; the token is told afterwards, on the display."""
    evening.draw(1)
    cleo = evening.phones[CLEO]
    touch(cleo.locator("#ask details.sure > summary"))
    tap(cleo, form(cleo, "record_nobody").locator("button"))
    evening.wait("taking")
    tap(evening.display, evening.display.locator("#desk button[value=saloon]"), to="for/*")
    evening.wait("between")


def a_mistake_is_set_right(evening: Evening) -> None:
    """Plot 9 was sold for 2000, two plots ago: all agree, and the ledger shows both."""
    cash = [evening.api.own(seat)["cash"] for seat in range(4)]
    ann = evening.phones[ANN]
    follow(ann, ann.locator("header a.btn"))
    follow(ann, ann.locator("a[href$='/told']"))
    fits(ann)
    follow(ann, ann.locator("main a", has_text="plot 9: Dan for $1,000"))
    ann.locator("input[name=price]").fill("5000")
    follow(ann, ann.locator("main form button.btn-primary"))
    expect(ann.locator("main")).to_contain_text("What would be different")
    ann.locator("input[name=reason]").fill("heard it wrong")
    follow(ann, ann.locator("form[action$='/retell'] button"))
    for seat in (BEN, CLEO, DAN):
        page = evening.phones[seat]
        expect(page.locator("#notice")).to_contain_text("plot 9: Dan for $5,000")
        expect(page.locator("#notice")).to_contain_text("instead of plot 9: Dan for $1,000")
        tap(page, page.locator("#notice button[value=yes]"), to="ask")
    now = [evening.api.own(seat)["cash"] for seat in range(4)]
    assert [after - before for before, after in zip(cash, now, strict=True)] == [
        1000,
        1000,
        2000,  # Cleo emptied the saloon since then: the larger tip was hers
        -4000,
    ]
    follow(ann, ann.locator("header a.btn"))
    for line in ("Dan buys plot 9 for $1,000", "plot 9: Dan for $5,000"):
        expect(ann.locator(".history li", has_text=line).first).to_be_attached()
    follow(ann, ann.locator("main a.btn-primary"))


def objectives_in_secret(evening: Evening) -> None:
    """Ben tells his two cards; nobody else's page or version moves."""
    others = (evening.display, evening.phones[DAN])
    for page in others:
        page.reload()  # what was told just before may still be on its way to an open page
        shown(page)
    before = [page.evaluate(BUT_FOR_CLOCKS) for page in others]
    version = evening.api.see()["version"]
    ben = evening.phones[BEN]
    follow(ben, ben.locator("#own a.btn"))
    fits(ben)
    for name in ("forests", "mines"):
        touch(ben.locator(f"label:has(input[value={name}])"))
    follow(ben, ben.locator(".btn-primary"))
    assert evening.api.own(BEN)["secrets"] == ["forests", "mines"]
    assert evening.api.see()["version"] == version
    after = [page.evaluate(BUT_FOR_CLOCKS) for page in others]
    assert before == after

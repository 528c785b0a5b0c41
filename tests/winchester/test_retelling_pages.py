"""Telling anew on the pages: pick the line, say what it should have been, see, ask, agree."""

from __future__ import annotations

import html
import random
import re
from typing import Any

import pytest
from flask import Flask

from referee.telling import told_lines
from tests.sight import other_state
from tests.table import NAMES, Browser, Evening, play, tables_of
from tests.winchester.positions import position

BOXED = {"preset": "boxed", "board": "practice", "auction": "spoken"}
SHARED = ("three_together", "five_plots", "dry_saloon", "all_tokens", "four_apart")


class Table(Evening):
    """Four at a boxed table whose shared objectives lie there."""

    def __init__(self, app: Flask, **more: str) -> None:
        super().__init__(app, seats=4, **(BOXED | more))
        self.laptop.post(f"/t/{self.code}/start")
        for objective in SHARED:
            self.act(0, type="lay_objective", objective=objective)

    @property
    def table(self) -> Any:
        """Give the table itself."""
        return tables_of(self.app).find(self.code)

    @property
    def state(self) -> Any:
        """Give the state of the game."""
        return self.table.ledger.state

    def act(self, seat: int, **form: Any) -> None:
        """Act as a seat's page does."""
        version = self.table.ledger.version(seat)
        answer = self.phones[seat].post(f"/s/{self.code}/{seat}/act", form | {"version": version})
        assert answer.status_code in {204, 303}, answer.text

    def buy(self, plot: int, seat: int, *, price: int = 1000, token: str = "rumor") -> None:  # noqa: S107  # a bonus token
        """Let a seat buy a plot, and use its token."""
        star = self.state.star
        self.act(star, type="draw_plot", plot=plot)
        self.act(star, type="record_sale", winner=seat, price=price)
        self.act(seat, type="confirm_sale", token=token)
        if token == "rumor":  # noqa: S105
            self.act(seat, type="skip_look")

    def lines(self, seat: int) -> dict[str, str]:
        """Give what can be told anew, as the page has it: words and address."""
        page = self.phones[seat].get(f"/s/{self.code}/{seat}/told").text
        found = re.findall(r'href="([^"]+/told/\d+/\d+)">(.*?)</a>', page, re.DOTALL)
        return {plain(words): address for address, words in found}

    def tell(self, seat: int, line: str, **form: Any) -> str:
        """Fill in the form of a line, and give the page that says what would be different."""
        (address,) = [path for words, path in self.lines(seat).items() if line in words]
        page = self.phones[seat].get(address)
        assert page.status_code == 200, page.text
        kind = re.findall(r'name="type" value="(\w+)"', page.text)[0]
        hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page.text))
        answer = self.phones[seat].post(address, hidden | {"type": kind} | form)
        assert answer.status_code == 200, answer.text
        return answer.text

    def ask(self, seat: int, page: str, reason: str = "") -> None:
        """Ask the table for what a page shows."""
        form = {"raw": raw_of(page), "version": version_of(page), "reason": reason}
        answer = self.phones[seat].post(f"/s/{self.code}/{seat}/retell", form)
        assert answer.status_code == 303, answer.text

    def agree(self, *seats: int) -> None:
        """Agree, each on their own phone, to what it shows."""
        for seat in seats:
            page = self.phones[seat].get(f"/s/{self.code}/{seat}?open=1").text
            asked = r'action="[^"]*/ask".*?name="number" value="(\d+)"'
            number = re.findall(asked, page, re.DOTALL)
            if not number:
                return  # whose phone sleeps is not waited for
            form = {"agree": "yes", "number": number[0]}
            answer = self.phones[seat].post(f"/s/{self.code}/{seat}/ask", form)
            assert answer.status_code in {204, 303}, answer.text


def plain(markup: str) -> str:
    """Give what people read."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", markup)).split())


def raw_of(page: str) -> str:
    """Give what a page would send."""
    return html.unescape(re.findall(r'name="raw" value="([^"]*)"', page)[0])


def version_of(page: str) -> str:
    """Give the version a page was drawn at."""
    return re.findall(r'name="version" value="(\d+)"', page)[0]


def test_a_token_told_wrongly_is_told_anew_two_plots_later(app: Flask) -> None:
    """Saloon instead of rumor: who took the tips, what they found, who found it dry."""
    table = Table(app)
    table.buy(18, 1, price=1000, token="saloon")  # noqa: S106
    table.buy(19, 2, price=4000, token="rumor")  # noqa: S106
    table.buy(15, 3, price=1000, token="saloon")  # noqa: S106
    before = table.state

    page = table.tell(0, "plot 18: Ben for $1,000", buyer=1, price="1000", token="rumor")  # noqa: S106
    assert "Then Ben has something else to tell" in plain(page)
    (address,) = [p for words, p in table.lines(0).items() if "plot 18:" in words]
    skip = next(
        html.unescape(value)
        for value in re.findall(r'name="also" value="([^"]*)"', page)
        if "skip" in value
    )
    page = table.phones[0].post(address, {"raw": raw_of(page), "also": skip}).text
    words = plain(page)
    assert "plot 18: Ben for $1,000, Rumor token, instead of" in words
    assert "Ben holds 1 × Rumor token" in words
    assert "Only you see this" not in words  # Ann's own purse is the same
    assert table.state == before

    table.ask(0, page, reason="seen on the table")
    table.agree(1, 2, 3)
    assert table.state.held == ((), ("rumor",), ("rumor",), ("saloon",))
    assert table.state.sales[2].tips == before.sales[2].tips + 1000
    log = plain(table.phones[0].get(f"/s/{table.code}/0/menu").text)
    assert "The table corrected: plot 18: Ben for $1,000, Rumor token, instead of" in log


def test_what_a_purse_would_hold_shows_on_its_owners_phone_alone(app: Flask) -> None:
    """Ben for 7000 instead of 1000: his purse, and theirs, each on their own."""
    table = Table(app)
    table.buy(18, 1)
    page = table.tell(1, "plot 18: Ben", buyer=1, price="7000", token="rumor")  # noqa: S106
    assert "Only you see this: You have $1,000 instead of $7,000" in plain(page)
    table.ask(1, page)

    for seat in (0, 2, 3):
        words = plain(table.phones[seat].get(f"/s/{table.code}/{seat}?open=1").text)
        assert "Ben says that something was told wrongly" in words
        assert "You have $10,000 instead of $8,000" in words
        assert "$7,000 instead of" not in words.replace("plot 18: Ben for $7,000", "")
    on_display = plain(table.laptop.get(f"/t/{table.code}").text)
    assert "Nothing else that all can see would be different" in on_display
    display = plain(table.laptop.get(f"/t/{table.code}").text)
    assert "plot 18: Ben for $7,000" in display
    assert "Only you see this" not in display


def test_the_host_sets_it_right_in_the_open(app: Flask) -> None:
    """On the display's own pages, at once, and noted as the host's."""
    table = Table(app)
    table.buy(18, 1)
    page = table.laptop.get(f"/t/{table.code}/told").text
    address = re.findall(r'href="([^"]+/told/\d+/\d+)">', page)[0]
    form = {"type": "bought", "plot": 18, "buyer": 2, "price": "4000", "token": "rumor"}
    page = table.laptop.post(address, form).text
    assert "<details" not in page  # what would be different is what this page is for
    sent = {"raw": raw_of(page), "version": version_of(page)}
    assert table.laptop.post(f"/t/{table.code}/retell", sent).status_code == 303
    assert table.laptop.post(f"/t/{table.code}/retell", sent).status_code == 303

    assert table.state.owners[17] == 2
    assert sum(line.kind == "correction" for line in table.table.ledger.log.lines) == 1
    assert Browser(app).get(f"/t/{table.code}/told").status_code in {303, 403}


def test_what_is_told_anew_is_said_once(app: Flask) -> None:
    """A pile and a buyer in the words that correct them, and in no other."""
    table = Table(app)
    table.buy(18, 1)
    page = plain(table.tell(0, "pile of $4,000", objective="four_alike"))
    assert "pile of $4,000: 4 bonus tokens of one kind, instead of pile of $4,000: 5 plots" in page
    assert page.count("4 bonus tokens of one kind") == 1
    swapped = plain(table.tell(0, "pile of $4,000", objective="dry_saloon"))
    assert "On the pile of $5,000: 5 plots" in swapped
    assert "On the pile of $4,000" not in swapped

    page = plain(table.tell(0, "plot 18: Ben", buyer=2, price="1000", token="rumor"))  # noqa: S106
    assert "Cleo holds 1 × Rumor token" in page
    assert "plot 18 is Cleo's" not in page


@pytest.mark.parametrize("lang", ["en", "de", "fr"])
def test_every_line_has_its_form_in_every_language(app: Flask, lang: str) -> None:
    """Whatever was told in a random game."""
    kinds = set()
    for seed in range(5):
        table = Table(app, board="owned", lang=lang)
        rng = random.Random(seed)
        play(tables_of(app), table.table, rng, most=250)
        for line in told_lines(table.table.ledger, None):
            answer = table.laptop.get(f"/t/{table.code}/told/{line['to']}/{line['part']}")
            assert answer.status_code == 200
            kinds.add(line["told"].__struct_config__.tag)
    assert kinds >= {"laid", "drew", "bought", "moved", "answered"}


def test_only_a_number_that_can_have_been_drawn_is_offered(app: Flask) -> None:
    """Not one that was sold before; one that was sold since changes places with it."""
    table = Table(app)
    table.buy(18, 1)
    table.buy(15, 2)
    offered = {}
    for plot in (18, 15):
        (address,) = [p for words, p in table.lines(0).items() if f"plot {plot} drawn" in words]
        page = table.phones[0].get(address).text
        offered[plot] = set(map(int, re.findall(r'name="plot" value="(\d+)"', page)))
    assert offered == {18: {*range(1, 20)} - {18}, 15: {*range(1, 20)} - {15, 18}}

    words = plain(table.tell(0, "plot 18 drawn", plot=15))
    assert "plot 15 is Ben's" in words
    assert "plot 18 is Cleo's" in words


def test_bids_that_are_gone_are_named_before_and_after(app: Flask) -> None:
    """Notes that were told wrongly begin an auction anew: the table reads so before it agrees."""
    table = Table(app)
    table.buy(18, 1)
    table.act(1, type="draw_plot", plot=15)
    table.act(1, type="record_sale", winner=2, price=3000)
    page = table.tell(0, "plot 18: Ben", buyer=1, price="4000", token="rumor")  # noqa: S106
    anew = "The auction of plot 15 begins anew"
    assert anew in plain(page)
    table.ask(0, page)
    table.agree(1, 2, 3)

    assert table.state.phase.winner is None
    assert anew in plain(table.laptop.get(f"/t/{table.code}").text)
    table.correct({"what": "star", "seat": "3"})
    log = plain(table.phones[0].get(f"/s/{table.code}/0/menu").text)
    assert log.split("What happened")[1].count(anew) == 2


def test_a_finished_game_is_set_right_and_told_anew(app: Flask) -> None:
    """By the table's consent; the pages at the end have the forms, and tell the new result."""
    table = Table(app, claims="automatic")
    play(tables_of(app), table.table, random.Random(3))
    assert table.table.ledger.status == "over"
    before = table.table.ledger.game.score(table.state)
    shown = table.phones[0].get(f"/s/{table.code}/0?open=1").text
    assert "Something was told wrongly" in shown
    sale = table.state.sales[0]

    line = f"plot {sale.plot}: {NAMES[sale.buyer]} for"
    form = {"buyer": sale.buyer, "price": str(sale.price + 3000)}
    is_told_with_it = any(line in words and "token" in words for words in table.lines(0))
    page = table.tell(0, line, **form, **({"token": sale.token} if is_told_with_it else {}))
    table.ask(0, page)
    assert "Agree" in table.phones[1].get(f"/s/{table.code}/1?open=1").text
    table.agree(1, 2, 3)
    assert table.table.ledger.status == "over"
    after = table.table.ledger.game.score(table.state)
    assert after.scores[sale.buyer].total == before.scores[sale.buyer].total - 3000

    table.phones[0].post(f"/s/{table.code}/0/reopen")
    table.agree(1, 2, 3)
    assert table.table.ledger.status == "playing"


def test_nobody_else_may(app: Flask) -> None:
    """A stranger, a line that told nothing, what cannot be read."""
    table = Table(app)
    table.buy(18, 1)
    assert Browser(app).get(f"/s/{table.code}/0/told").status_code in {303, 403}
    assert table.phones[0].get(f"/s/{table.code}/0/told/1/0").status_code == 404
    (address,) = [p for words, p in table.lines(0).items() if "plot 18: Ben" in words]
    for raw in ("{", "[]", "{}"):
        assert table.phones[0].post(address, {"raw": raw}).status_code == 400
        form = {"raw": raw, "version": "1"}
        assert table.phones[0].post(f"/s/{table.code}/0/retell", form).status_code == 400


def test_the_rules_page_says_how_mistakes_are_set_right(app: Flask) -> None:
    """What is worked out anew, and what is printed on the board and stays as it was paid."""
    table = Table(app, board="owned")
    words = plain(table.phones[0].get(f"/s/{table.code}/0/rules").text)

    assert "everything after it is worked out anew" in words
    assert "What the board shows is set right as of now" in words
    assert words.count("Objectives are claimed between two auctions") == 1


def test_the_count_asks_once_more_and_names_what_is_open(app: Flask) -> None:
    """Ben meets five plots and has not claimed them; one tap ends nothing."""
    table = Table(app)
    with other_state(table, position(owned={1: range(1, 20)}, piles={"five_plots": 4})):
        page = table.phones[0].get(f"/s/{table.code}/0?open=1").text
    words = plain(page)

    assert "Still open: Ben meets “5 plots” and has not claimed $4,000" in words
    assert "This ends the game: everything is opened and counted." in words
    assert re.search(r"<summary[^>]*>(?:(?!</summary>).)*Count up", page, re.DOTALL)

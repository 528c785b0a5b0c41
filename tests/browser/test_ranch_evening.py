"""A whole evening of Moon River: errors set right, a server killed, and the count at its end.

Most turns are played over HTTP; people tap where they err, around the server's end, and at the end.
"""

from __future__ import annotations

import random
import re
import signal
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from playwright.sync_api import Page, expect

from referee.export import verify
from tests.moon_river.counting import total_of

from .bench import Api, Bench, elsewhere, fits, follow, form, settled, tap, touch, until
from .ranchers import LIKED, tapped
from .test_durability import GONE
from .test_moon_river import counted

pytestmark = pytest.mark.browser

Raw: TypeAlias = dict[str, Any]
TOO_LATE = r"status of 409 .*/act'|Status Error Code 409 from /s/\w+/\d/act"
LANGUAGES = ("en-GB", "de-DE", "fr-FR")


class Evening:
    """A display, three phones in three languages, and what the three of them choose at random."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.api: Api = bench.open(3, "moon_river", seed="a whole evening", tracking="full")
        self.api.start()
        self._rng = random.Random(7)
        self.to_round(2, "lay_domino")  # what comes before is drawn on no screen
        self.display = bench.screen(self.api)
        self.phones = [
            bench.seat(self.api, seat, locale=locale) for seat, locale in enumerate(LANGUAGES)
        ]

    def now(self) -> tuple[int, list[Raw], Raw]:
        """Give whose turn it is, what they may do, and what lies open."""
        public = self.api.public()
        seat: int = public["waiting_for"][0]
        return seat, self.api.see(self.api.tokens[seat])["legal"], public

    def liked(self, legal: list[Raw]) -> Raw:
        """Choose at random among what moves the game on."""
        return self._rng.choice([a for a in legal if a["type"] in LIKED] or legal)

    def go_on(self, wanted: Callable[[list[Raw], Raw], object]) -> tuple[int, list[Raw]]:
        """Play over HTTP until something is so; give whose turn it is then, and what they may."""
        while self.api.see()["status"] == "playing":
            seat, legal, public = self.now()
            if wanted(legal, public):
                return seat, legal
            self.api.act(self.api.tokens[seat], self.liked(legal))
        raise AssertionError("the game was over before")

    def to_round(self, number: int, kind: str) -> tuple[int, list[Raw]]:
        """Play over HTTP until somebody may do a thing in a round; give who, and each way to."""
        seat, legal = self.go_on(
            lambda legal, public: (
                public["round"] >= number and any(a["type"] == kind for a in legal)
            )
        )
        return seat, [action for action in legal if action["type"] == kind]

    def all_agree(self, but: int, *, says: str = "yes") -> None:
        """Let the others answer what somebody asks of the table; one no is enough."""
        for seat in range(3):
            if seat == but:
                continue
            page = self.phones[seat]
            settled(page)
            tap(page, page.locator(f"#notice button[value={says}]").first, to="ask")
            if says == "no":
                return

    def home(self, seat: int) -> None:
        """Go back to the game from wherever a phone is."""
        self.phones[seat].goto(f"{self.bench.base}/s/{self.api.code}/{seat}")


def way(action: Raw) -> str:
    """Name a way to lay a domino as its button does."""
    return f"at:{action['at']},turn:{action['turn']}"


def a_child_taps_three_times(evening: Evening) -> None:
    """Lay a domino where it was shown, once."""
    seat, legal = evening.to_round(2, "lay_domino")
    page, wanted = evening.phones[seat], evening.liked(legal)
    settled(page)
    chosen = page.locator(f"#ask input[value='{way(wanted)}']")
    for _ in range(4):
        if chosen.is_checked():
            break
        touch(page.locator(f"#strip .mine .spot[data-at='{wanted['at']}']"))
    before = len(evening.api.actions())
    box = form(page, "lay_domino").locator(".btn-primary").bounding_box()
    assert box is not None
    for _ in range(3):
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    until(lambda: len(evening.api.actions()) > before, within_s=30)
    since = [e["payload"]["action"] for e in evening.api.journal() if e["kind"] == "action"][
        before:
    ]
    assert [one["type"] for one in since].count("lay_domino") == 1
    assert since[0] == wanted


def a_rancher_is_taken_back(evening: Evening) -> None:
    """One tap beside what was just done, and another tile is chosen."""
    seat, legal = evening.to_round(2, "place_rancher")
    page = evening.phones[seat]
    tapped(page, legal[0])
    settled(page)
    tap(page, page.locator("#notice form.takeback button"), to="undo")
    assert evening.now()[0] == seat
    tapped(page, legal[-1])


def told_anew(evening: Evening, seat: int, kind: str, at: int) -> Page:
    """Open the line of what was told wrongly, on the phone of whoever told it."""
    page = evening.phones[seat]
    follow(page, page.locator("header a.btn"))
    follow(page, page.locator("a[href$='/told']"))
    fits(page)
    row, column = at // 5 + 1, at % 5 + 1
    line = re.compile(rf"\b{row}\b.*\b{column}\b")
    for n in range(page.locator("main ol a", has_text=line).count()):
        follow(page, page.locator("main ol a", has_text=line).nth(n))
        if page.locator(f"input[name=type][value={kind}]").count():
            return page
        page.go_back()
    raise AssertionError((kind, at))


def ask_the_table(evening: Evening, page: Page, seat: int) -> None:
    """Say what else is owed because of it, look at what would be different, and have all agree."""
    while page.locator("main form [name=also]").count():
        first = page.locator("main form [name=also]").first
        is_list = first.evaluate("node => node.tagName") == "SELECT"
        follow(page, page.locator("main form button.btn-primary") if is_list else first)
    fits(page)
    follow(page, page.locator("form[action$='/retell'] button"))
    evening.all_agree(seat)
    evening.home(seat)


def a_domino_was_told_at_a_wrong_cell(evening: Evening) -> None:
    """Seen some turns later: it lies where it lies, and what followed from it as well."""
    seat, legal = evening.to_round(3, "lay_domino")
    wrong, right = legal[0], legal[-1]
    evening.api.act(evening.api.tokens[seat], wrong)
    laid = len(evening.api.actions())
    evening.go_on(lambda _, __: len(evening.api.actions()) >= laid + 6)
    page = told_anew(evening, seat, "lay_domino", wrong["at"])
    page.locator("select[name=at]").select_option(str(right["at"]))
    touch(page.locator(f"label:has(input[name=turn][value='{right['turn']}'])"))
    follow(page, page.locator("main form button.btn-primary"))
    ask_the_table(evening, page, seat)
    cells = evening.api.public()["ranches"][seat]["cells"]
    assert cells[right["at"]]


def a_wrong_consent_is_refused(evening: Evening) -> None:
    """Somebody wants the last action back, somebody else does not: nothing has changed."""
    evening.to_round(4, "form_domino")
    seat = (evening.now()[0] + 1) % 3
    page, before = evening.phones[seat], evening.api.public()
    follow(page, page.locator("header a.btn"))
    follow(page, page.locator("form[action$='/undo'] button"))
    evening.all_agree(seat, says="no")
    evening.home(seat)
    expect(settled(page).locator("#notice button[value=yes]")).to_have_count(0)
    assert evening.api.public() == before


def the_server_is_killed(evening: Evening) -> None:
    """In the middle of a turn; pages come back by themselves, one is loaded anew, play goes on."""
    seat, legal = evening.to_round(4, "lay_domino")
    before, screens = evening.api.public(), (evening.display, *evening.phones)
    evening.bench.expect(*GONE)
    evening.bench.server.end(signal.SIGKILL)
    for page in screens:
        expect(page.locator("#offline")).to_be_visible()
    evening.bench.server.start()
    for page in screens:
        expect(page.locator("#offline")).to_be_hidden()
    assert evening.api.public() == before
    evening.phones[seat].reload()
    tapped(evening.phones[seat], evening.liked(legal))


def the_last_turns(evening: Evening) -> None:
    """Tap the last round to its end."""
    with elsewhere(evening.display, *evening.phones):
        evening.go_on(lambda _, public: public["is_last_round"])
    while evening.api.see()["status"] == "playing":
        seat, legal, _ = evening.now()
        tapped(evening.phones[seat], evening.liked(legal))


def test_a_whole_evening(own_bench: Bench) -> None:
    """From the first row to the ceremony, whose totals are what somebody else counts."""
    own_bench.expect(TOO_LATE)  # the second tap of a child
    evening = Evening(own_bench)
    a_child_taps_three_times(evening)
    a_rancher_is_taken_back(evening)
    a_domino_was_told_at_a_wrong_cell(evening)
    a_wrong_consent_is_refused(evening)
    the_server_is_killed(evening)
    the_last_turns(evening)
    result, public = evening.api.result(), evening.api.public()
    counted(evening.display, result)
    totals = [score["total"] for score in result["scores"]]
    assert totals == [total_of(ranch["cells"], public["scenario"]) for ranch in public["ranches"]]
    for page in evening.phones:
        touch(page.locator("details summary").first)
        assert [int(text) for text in page.locator("tfoot .num").all_inner_texts()] == totals
    status, text = own_bench.server.call("GET", f"/api/v1/tables/{evening.api.code}/journal")
    assert status == 200
    opened = verify(text).result
    assert opened is not None
    assert [score.total for score in opened.scores] == totals
    for path in ("", "/replay?step=60"):  # on a phone that looks on
        evening.phones[0].goto(f"{own_bench.base}/t/{evening.api.code}{path}")
        fits(evening.phones[0], is_phone=False)

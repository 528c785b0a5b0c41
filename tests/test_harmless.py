"""No tap does harm: what ends, replaces or cannot be taken back is never the loudest button."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple, get_args

import pytest
from flask import Flask

from referee.games import GAMES
from referee.games.base import SeatIndex
from referee.web.frame import tag_of
from referee.web.render import here
from tests.table import Browser, Sitting
from tests.walk.kinds import Met, met
from tests.walk.scenes import Walk

ENDS: Final = {
    "desperados": {"place_discs"},
    "moon_river": {"count_up", "decline", "hand_in", "split_domino", "unpaint"},
    "winchester": {
        "call_duel",
        "count_up",
        "forget_secrets",
        "let_stand",
        "pass",
        "record_duel",
        "record_nobody",
        "skip_look",
    },
}
"""What ends something, throws something away, or says no."""
MAY_BE_LOUD: Final = {
    "desperados": {"next"},
    "moon_river": set[str](),
    "winchester": {"activate", "confirm_sale", "draw_plot", "let_stand", "shuffle"},
}
"""What most people do next although nobody alone takes it back: play goes on, and nothing is lost.

The last card of a game's turn is named by its step, a sale was asked before it is confirmed, and
whoever lets a bid stand says no to a duel, which nobody is offered twice.
"""
MANY: Final = 6
"""Random games in which nearly every kind of question comes up."""
CLOSED: Final = {"remove", "release", "forget", "leave", "reopen"}
"""Where forms lead that take something from somebody: they stand behind a question."""
FORM: Final = re.compile(r"<form\b[^>]*>.*?</form>", re.DOTALL)
KIND: Final = re.compile(r'name="type" value="(\w+)"')
SENDS: Final = re.compile(r'<button\b(?![^>]*type="button")')


class Tap(NamedTuple):
    """A form that one tap sends: what it does, whether it is the loudest, what is before it."""

    kind: str
    is_loudest: bool
    is_asked: bool


@pytest.mark.long
@pytest.mark.parametrize("key", GAMES)
def test_no_tap_does_harm_on_any_page_of_any_game(app: Flask, key: str) -> None:
    """Every kind of question: what ends or is for good is never loudest and single, or asks."""
    said = set()
    walk = Walk(app)
    for found in met(key, most=MANY).values():
        asked = walk.of(found, "en").html
        for tap in taps(asked):
            said.add(tap.kind)
            if tap.kind in ENDS[key] - MAY_BE_LOUD[key]:
                assert tap.is_asked or not tap.is_loudest, (found.kind, tap)
            if not tap.is_asked and is_for_good(found, tap.kind):
                quiet = not tap.is_loudest and tap.kind not in ENDS[key]
                assert quiet or tap.kind in MAY_BE_LOUD[key], (found.kind, tap)

    # What a board's owner or a rare position alone is asked need not have been met.
    assert len(said & ENDS[key]) >= len(ENDS[key]) / 2


@pytest.mark.parametrize("key", GAMES)
def test_every_action_that_these_tests_name_is_one(key: str) -> None:
    """A name that was changed is changed here as well."""
    kinds = {each.__struct_config__.tag for each in get_args(GAMES[key].Action)}

    assert ENDS[key] | MAY_BE_LOUD[key] <= kinds


def taps(html: str) -> Iterator[Tap]:
    """Give the forms of a page that have one button, and whether a question is before it."""
    for match in FORM.finditer(html):
        kind, form = KIND.search(match[0]), match[0]
        if kind is None or len(SENDS.findall(form)) != 1 or '<input type="radio"' in form:
            continue
        before = html[: match.start()]
        is_folded = before.count("<details") > before.count("</details>")
        yield Tap(kind[1], "btn-primary" in form, is_folded)


def is_for_good(found: Met, kind: str) -> bool:
    """Say whether no one tap of its own takes such an action back, whatever is chosen in it."""
    game = found.table.game
    for seat in [found.viewer] if found.viewer is not None else sorted(game.to_act(found.state)):
        for action in game.legal_actions(found.state, SeatIndex(seat)):
            if tag_of(action) == kind:
                step = game.apply(found.state, SeatIndex(seat), action)
                return step.reveals
    return False


@pytest.mark.parametrize("name", sorted(CLOSED))
def test_what_takes_something_away_asks_first(name: str) -> None:
    """Wherever such a form stands, a question or a fold is before it."""
    for path in here("templates").rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        for match in re.finditer(rf'<form\b[^>]*action="[^"]*/{name}"', text):
            before = text[: match.start()]
            opened = before.count("<details") + before.count("{% call")
            closed = before.count("</details>") + before.count("endcall")
            assert opened > closed, f"{path.name}: {match.group()}"


@pytest.mark.parametrize(
    ("auction", "kind"), [("sealed", "submit_bid"), ("proxy", "submit_ceiling")]
)
def test_a_bid_that_is_in_lies_in_the_field_and_its_button_sleeps(
    app: Flask, auction: str, kind: str
) -> None:
    """Nothing on the page turns $3,000 into $0 by one tap; what is in is behind a fold."""
    sitting = Sitting(app, auction=auction).start()
    star = sitting.body()["view"]["public"]["star"]
    sitting.act(star, {"type": "draw_plot"})
    sitting.act(0, {"type": kind, "amount": 3000})
    phone = Browser(app)
    phone.client.set_cookie(f"referee_8000_{sitting.code}_0", sitting.tokens[0])
    page = phone.get(f"/s/{sitting.code}/0").text

    asked = page.split('data-part="ask"', 1)[1].split('data-part="own"', 1)[0]
    assert 'data-was="3000"' in asked
    assert 'value="3000"' in asked
    assert "btn-primary" not in asked
    assert asked.index("<details data-shuts>") < asked.index("data-was")


def test_one_tap_takes_back_what_nobody_has_acted_on(app: Flask) -> None:
    """The phone says what it did last and offers to take it back, and only this phone does."""
    sitting = Sitting(app, auction="sealed").start()
    star = sitting.body()["view"]["public"]["star"]
    sitting.act(star, {"type": "draw_plot"})
    sitting.act(0, {"type": "submit_bid", "amount": 3000})
    pages = []
    for seat in (0, 1):
        phone = Browser(app)
        phone.client.set_cookie(f"referee_8000_{sitting.code}_{seat}", sitting.tokens[seat])
        pages.append(phone.get(f"/s/{sitting.code}/{seat}").text)
    mine = re.search(r'class="between takeback.*?name="to" value="(\d+)"', pages[0], re.DOTALL)
    assert mine is not None
    assert "takeback" not in pages[1]
    phone = Browser(app)
    phone.client.set_cookie(f"referee_8000_{sitting.code}_0", sitting.tokens[0])
    phone.post(f"/s/{sitting.code}/0/undo", {"to": mine.group(1)}, Origin="http://localhost")

    assert sitting.body(0)["view"]["own"]["bid"] is None

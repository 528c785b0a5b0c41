"""No tap does harm: what ends, replaces or cannot be taken back is never the loudest button."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Final

import pytest

from referee.games import GAMES
from referee.web.render import here
from tests.table import APP, Browser, Sitting, app_at

FINAL: Final = {
    "call_duel",
    "count_up",
    "forget_secrets",
    "pass",
    "record_nobody",
    "reject_sale",
    "skip_look",
}
"""What ends something, throws something away, or says no."""
CLOSED: Final = {"remove", "release", "forget", "leave", "reopen"}
"""Where forms lead that take something from somebody: they stand behind a question."""
FORM: Final = re.compile(r"<form\b[^>]*>.*?</form>", re.DOTALL)


@pytest.mark.parametrize("game", [meta.key for meta in GAMES.metas()])
@pytest.mark.parametrize("auction", ["sealed", "proxy", "open", "spoken"])
def test_what_ends_something_is_never_the_loudest(tmp_path: Path, game: str, auction: str) -> None:
    """On every phone of a whole game, at each of its steps."""
    if game != "winchester" and auction != "sealed":
        pytest.skip("this game holds no auctions")
    options = {"auction": auction} if game == "winchester" else {}
    rng = random.Random(auction)
    with app_at(tmp_path) as app:
        sitting = Sitting(app, game=game, usual=APP, **options).start(4)
        phones = [phone_of(sitting, seat) for seat in range(4)]
        for _ in range(60):
            sitting.play(rng, most=3)
            if sitting.table.ledger.status == "over":
                break
            page = phones[rng.randrange(4)].get(f"/s/{sitting.code}/{rng.randrange(4)}").text
            for form in FORM.findall(page):
                kind = re.search(r'name="type" value="(\w+)"', form)
                if kind and kind.group(1) in FINAL and kind.group(1) != "count_up":
                    assert "btn-primary" not in form, form


def phone_of(sitting: Sitting, seat: int) -> Browser:
    """Give a phone that holds all seats, and is open at any of them."""
    phone = Browser(sitting.app)
    for each, token in enumerate(sitting.tokens):
        phone.client.set_cookie(f"referee_8000_{sitting.code}_{each}", token)
    return phone


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


def test_a_bid_that_is_in_lies_in_the_field_and_its_button_sleeps(tmp_path: Path) -> None:
    """Nothing on the page turns $3,000 into $0 by one tap; what is in is behind a fold."""
    with app_at(tmp_path) as app:
        sitting = Sitting(app, auction="sealed").start()
        star = sitting.body()["view"]["public"]["star"]
        sitting.act(star, {"type": "draw_plot"})
        sitting.act(0, {"type": "submit_bid", "amount": 3000})
        phone = Browser(app)
        phone.client.set_cookie(f"referee_8000_{sitting.code}_0", sitting.tokens[0])
        page = phone.get(f"/s/{sitting.code}/0").text

    asked = page.split('data-part="ask"', 1)[1].split('data-part="own"', 1)[0]
    assert 'data-was="3000"' in asked
    assert 'value="3000"' in asked
    assert "btn-primary" not in asked
    assert asked.index("<details data-shuts>") < asked.index("data-was")


def test_one_tap_takes_back_what_nobody_has_acted_on(tmp_path: Path) -> None:
    """The phone says what it did last and offers to take it back, and only this phone does."""
    with app_at(tmp_path) as app:
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

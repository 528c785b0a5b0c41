"""What everybody looks up for: from the public log, once, and in each phone's own words."""

from __future__ import annotations

import re
from pathlib import Path

from referee.games.base import QUIET
from referee.games.desperados import events as desperados
from referee.games.desperados import moments as outlaws
from referee.games.winchester import events, screens
from referee.games.winchester import moments as plots
from referee.loglines import LogLine
from referee.web.moments import NOTHING, moments
from tests.table import Sitting, app_at

SOLD = events.PlotBought(1, 9, 4000, 1000, 1000, "auction")


def line(number: int, *happened: object, kind: str = "action", undone: bool = False) -> LogLine:
    """Write a line of the log."""
    return LogLine(number, number, "", None, kind, happened, None, undone)  # type: ignore[arg-type]


def test_the_newest_is_the_scene_and_what_came_before_is_still_told() -> None:
    """A token's money does not wipe away who was paid for the plot a second earlier."""
    log = [
        line(1, SOLD),
        line(2, events.TipsTaken(1, 3000)),
        line(3, events.CardLooked(1, "mine:3")),
    ]

    found = moments(log, screens)

    assert (found.number, found.newest) == (2, (plots.Paid(1, 3000, "saloon"),))
    assert found.told == (plots.Sold(SOLD), plots.Paid(1, 3000, "saloon"))


def test_play_that_moved_on_ends_what_was_told() -> None:
    """With the next plot on the table nobody reads of the last one any more."""
    assert moments([line(1, SOLD), line(2, events.PlotDrawn(0, 7))], screens) == NOTHING
    assert (
        moments([line(1, SOLD, events.PlotDrawn(0, 7), events.PlotDrawn(1, 8))], screens) == NOTHING
    )


def test_what_was_taken_back_or_set_right_is_no_moment() -> None:
    """Neither what was struck out, nor what came before a table set something right."""
    taken_back = [line(1, SOLD, undone=True), line(2, kind="undo")]
    set_right = [line(1, SOLD), line(2, SOLD, kind="correction")]

    assert moments(taken_back, screens) == NOTHING
    assert moments(set_right, screens) == NOTHING


def test_bids_are_turned_over_with_the_winners_last() -> None:
    """The lowest first; of two that are equal the one that does not win."""
    bids = ((0, 4000), (1, 4000), (2, 1000))

    found = plots.moments((events.BidsRevealed(bids), SOLD))

    assert found == (QUIET, plots.Bids(((2, 1000), (0, 4000), (1, 4000)), (), SOLD))


def test_a_tie_is_called_out() -> None:
    """Those who bid again are named."""
    tie = events.BidsTied((0, 1), 4000)

    found = plots.moments((events.BidsRevealed(((0, 4000), (1, 4000))), tie))

    assert found == (QUIET, plots.Bids(((0, 4000), (1, 4000)), (0, 1), None))


def test_a_robbery_tells_what_it_brought() -> None:
    """The tile that follows at once is its; one that a real table tells later is its own line."""
    robbed = desperados.BankHeldUp("Socorro", (1, 2), 2, success=True)
    taken = desperados.TileTaken("bank", "Socorro", 600)

    assert outlaws.moments((robbed, taken)) == (
        outlaws.Robbery(None, "Socorro", (1, 2), 2, True, 600),  # noqa: FBT003
    )
    assert outlaws.moments((taken,)) == (outlaws.Haul("Socorro", 600),)


def test_each_phone_says_it_in_its_own_words(tmp_path: Path) -> None:
    """The buyer buys, the others receive; no amount is on any page before the last bid is in."""
    with app_at(tmp_path) as app:
        sitting = Sitting(app, auction="sealed").start()
        sitting.act(sitting.body()["view"]["public"]["star"], {"type": "draw_plot"})
        for seat, amount in ((0, 5000), (1, 2000)):
            sitting.act(seat, {"type": "submit_bid", "amount": amount})
        before = [text_of(sitting, seat) for seat in (None, 0, 1, 2)]
        sitting.act(2, {"type": "submit_bid", "amount": 0})
        told = [text_of(sitting, seat) for seat in (None, 0, 1, 2)]

    assert before == ["", "", "", ""]
    assert "The bids are turned over" in told[0]
    assert re.search(r"–.*\$2,000.*\$5,000.*Ann buys plot", told[0])
    assert "You buy plot" in told[1]
    for phone in told[2:]:
        assert re.search(r"You receive \$2,000 from Ann ?’s plot \d+\.", phone)


def text_of(sitting: Sitting, seat: int | None) -> str:
    """Give what a page's part for moments says, on one line."""
    name = f"referee_8000_{sitting.code}_{seat}"
    if seat is not None:
        sitting.client.set_cookie(name, sitting.tokens[seat], domain="localhost")
    path = f"/t/{sitting.code}" if seat is None else f"/s/{sitting.code}/{seat}"
    page = sitting.client.get(path).text
    sitting.client.delete_cookie(name, domain="localhost")
    part = page.split('data-part="moment"', 1)[1].split("</div>", 1)[0]
    return " ".join(re.sub(r"<[^>]+>", " ", part.split(">", 1)[1]).split())

"""What everybody looks up for: from the public log, once, and in each phone's own words."""

from __future__ import annotations

import random
import re
from itertools import islice
from typing import Any

import pytest
from flask import Flask

from referee.games.base import QUIET, SeatIndex
from referee.games.desperados import events as desperados
from referee.games.desperados import moments as outlaws
from referee.games.winchester import events, screens
from referee.games.winchester import moments as plots
from referee.loglines import LogLine
from referee.web.moments import NOTHING, moments
from tests.secrets_of import SHUFFLE
from tests.strategies import play_out
from tests.table import Evening, Sitting
from tests.walk.kinds import tables_at_random
from tests.walk.moments import Happened, happened, just_now
from tests.walk.scenes import Walk, page

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

    assert (found.number, found.newest) == (2, (plots.Paid("saloon", ((1, 3000),)),))
    assert found.told == (plots.Sold(SOLD), plots.Paid("saloon", ((1, 3000),)))


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


def test_a_vehicle_pays_all_at_once() -> None:
    """One scene names everybody whom it pays; the mine after it is another."""
    happened = (
        events.VehicleActivated(0, "boat", "r1"),
        events.BankPaid(0, 2000, 0, "boat"),
        events.BankPaid(2, 1000, 0, "boat"),
        events.BankPaid(0, 4000, 0, "mine"),
    )

    assert plots.moments(happened) == (
        plots.Paid("boat", ((0, 2000), (2, 1000))),
        plots.Paid("mine", ((0, 4000),)),
    )


def test_a_duel_that_is_decided_ends_what_its_call_told() -> None:
    """Nobody reads "you are called" beside who won."""
    log = [line(1, events.DuelCalled(0, 1, 4000)), line(2, events.DuelDecided(1, 0), SOLD)]

    assert moments(log, screens).told == (plots.Duel(1, 0, SOLD),)


def test_who_told_the_same_objective_reads_why_it_is_asked_again() -> None:
    """It stays on the phones while the others tell theirs, and nothing older beside it."""
    log = [
        line(1, SOLD),
        line(2, events.EnteredTwice((0, 3))),
        line(3, events.HandedIn(0)),
    ]

    assert moments(log, screens).told == (plots.Twice((0, 3)),)


def test_where_nobody_was_there_is_nothing_to_look_up_for() -> None:
    """A disc whose owner is elsewhere comes to nothing, a line of the log."""
    idle = desperados.ActivitySettled("poker", "Salem", (), 1, success=False)

    assert outlaws.moments((idle,)) == ()


def test_a_robbery_tells_what_it_brought() -> None:
    """The tile that follows at once is its; one that a real table tells later is its own line."""
    robbed = desperados.BankHeldUp("Socorro", (1, 2), 2, success=True)
    taken = desperados.TileTaken("bank", "Socorro", 600)

    assert outlaws.moments((robbed, taken)) == (
        outlaws.Robbery(None, "Socorro", (1, 2), 2, True, 600),  # noqa: FBT003
    )
    assert outlaws.moments((taken,)) == (outlaws.Haul("Socorro", 600),)


def test_each_phone_says_it_in_its_own_words(app: Flask) -> None:
    """The buyer buys, the others receive; no amount is on any page before the last bid is in."""
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


@pytest.mark.long
@pytest.mark.parametrize("key", SHUFFLE)
def test_no_scene_and_no_sentence_tells_what_its_viewer_may_not_know(app: Flask, key: str) -> None:
    """Every moment of a game, drawn once more with all exchanged that a viewer does not know."""
    rng = random.Random(key)
    differ = 0
    walk = Walk(app)
    # One of each kind: those of a tie and of a sale are drawn by one template.
    for found in {kind.split()[0]: found for kind, found in happened(key).items()}.values():
        evening = walk.evening(found.table)
        for viewer in (None, *rng.sample(range(found.table.seats), 2)):
            other = SHUFFLE[key](found.state, viewer, rng)
            differ += other != found.state
            shown = [scene_of(evening, found, state, viewer) for state in (found.state, other)]
            assert shown[0] == shown[1]
            assert shown[0]

    assert differ > len(SHUFFLE)


@pytest.mark.long
@pytest.mark.parametrize("key", SHUFFLE)
def test_what_reveals_nothing_makes_the_same_moment_of_every_secret(key: str) -> None:
    """The same step on tables that differ in secrets: everybody looks up for the same."""
    rng, seen = random.Random(key), 0
    for table in islice(tables_at_random(key), 3):
        game = table.game
        for played in play_out(table):
            step = played.step
            if played.seat is None or step.reveals or step.secret or step.needs:
                continue
            other = SHUFFLE[key](played.before, played.seat, rng)
            again = game.apply(other, SeatIndex(played.seat), played.action)
            shown = game.screens.moments(step.events)
            seen += bool(shown) and other != played.before
            assert shown == game.screens.moments(again.events)

    assert seen > 0


def scene_of(evening: Evening, found: Happened, state: Any, viewer: int | None) -> str:
    """Give the moment as a viewer's page shows it in a position."""
    with just_now(evening, state, found.events):
        html = page(evening, found.kind, viewer, "en").html
    return html.split('data-part="moment"', 1)[1].split('<div id="', 1)[0]


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

"""Corrections: if the referee and the box disagree, the table wins."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.winchester import purchase
from referee.games.winchester import rules as winchester
from referee.games.winchester.actions import (
    Bid,
    CallDuel,
    Correction,
    CountUp,
    DrawPlot,
    Has,
    Holding,
    Lying,
    Owned,
    Pass,
    SubmitBid,
    TakeToken,
    Transfer,
)
from referee.games.winchester.events import AuctionAnew, Corrected, NowMet, Undermined
from referee.games.winchester.model import (
    Claimed,
    Duel,
    OpenAuction,
    Pile,
    SealedAuction,
    State,
    Taking,
    replace,
)
from tests.steps import refusal
from tests.winchester.positions import auction, money, notes, play, position, sealed


@pytest.mark.parametrize(
    ("transfer", "cash", "bank", "saloon"),
    [
        (Transfer(0, 1, 3000), (5, 11, 8, 8), 77, 1),
        (Transfer("bank", 2, 3000), (8, 8, 11, 8), 74, 1),
        (Transfer(3, "saloon", 3000), (8, 8, 8, 5), 77, 4),
        (Transfer("saloon", "bank", 1000), (8, 8, 8, 8), 78, 0),
        (Transfer("saloon", 0, 1000), (9, 8, 8, 8), 77, 0),
    ],
)
def test_notes_change_place_and_none_is_lost(
    transfer: Transfer, cash: tuple[int, ...], bank: int, saloon: int
) -> None:
    """From wherever to wherever, as much as was said."""
    correction = Correction(transfers=(transfer,))

    step = winchester.correct(position(), correction)

    assert step.events == (Corrected(correction),)
    assert notes(step.state.cash) == cash
    assert notes((step.state.bank, step.state.saloon)) == (bank, saloon)
    assert money(step.state) == 110_000


def test_hats_tokens_star_and_vehicles_are_set() -> None:
    """The board as it really stands."""
    state = position(owned={0: (1, 2)}, held={0: ("rumor", "saloon")})
    correction = Correction(
        owners=(Owned(1, 3), Owned(2, None)),
        held=(Holding(0, "rumor", 0), Holding(3, "movement", 2)),
        star=2,
        boat="r3",
        locomotive="t2",
    )

    after = winchester.correct(state, correction).state

    assert [after.plots_of(seat) for seat in range(4)] == [(), (), (), (1,)]
    assert after.held == (("saloon",), (), (), ("movement", "movement"))
    assert (after.star, after.boat, after.locomotive) == (2, "r3", "t2")


def test_an_empty_correction_changes_nothing() -> None:
    """Nothing said, nothing set."""
    state = position(owned={0: (1,)}, star=3)

    assert winchester.correct(state, Correction()).state == state


@pytest.mark.parametrize(
    ("correction", "code"),
    [
        (Correction(star=4), "no_such_seat"),
        (Correction(star=-1), "no_such_seat"),
        (Correction(owners=(Owned(1, 4),)), "no_such_seat"),
        (Correction(held=(Holding(4, "rumor", 1),)), "no_such_seat"),
        (Correction(transfers=(Transfer(4, 0, 1000),)), "no_such_seat"),
        (Correction(owners=(Owned(20, 0),)), "no_such_plot"),
        (Correction(owners=(Owned(0, 0),)), "no_such_plot"),
        (Correction(held=(Holding(0, "rumor", -1),)), "no_such_count"),
        (Correction(held=(Holding(0, "rumor", 20),)), "no_such_count"),
        (Correction(transfers=(Transfer(0, 1, 500),)), "whole_notes"),
        (Correction(transfers=(Transfer(0, 1, 0),)), "whole_notes"),
        (Correction(transfers=(Transfer(0, 1, -1000),)), "whole_notes"),
        (Correction(transfers=(Transfer(0, 0, 1000),)), "no_such_place"),
        (Correction(transfers=(Transfer("bank", "pile", 1000),)), "no_such_place"),
        (Correction(transfers=(Transfer("saloon", 0, 2000),)), "not_that_much"),
        (Correction(transfers=(Transfer("bank", 0, 78_000),)), "not_that_much"),
        (Correction(boat="t1"), "no_such_space"),
        (Correction(locomotive="r1"), "no_such_space"),
    ],
)
def test_what_cannot_be_on_any_table_is_refused(correction: Correction, code: str) -> None:
    """Unknown seats, plots, places and spaces, part notes, impossible counts."""
    assert refusal(lambda: winchester.correct(position(), correction)) == code


PAY_BACK = Correction(transfers=(Transfer(0, 1, 6000),))


def test_notes_that_move_during_an_open_auction_begin_it_anew() -> None:
    """Ruling: a standing bid may no longer be payable, so bidding starts again at the star."""
    state = auction(inside=(1, 3, 0), standing=5, leader=0, star=3)

    after = winchester.correct(state, PAY_BACK).state

    assert after.phase == OpenAuction(17, (3, 0, 1, 2))


@pytest.mark.parametrize(
    "state",
    [
        play(sealed(star=3), (0, SubmitBid(8000))).state,
        sealed(bidders=(0, 2), floor=8, star=3),
    ],
    ids=["first", "rebid"],
)
def test_notes_that_move_during_a_sealed_auction_begin_it_anew(state: State) -> None:
    """Ruling: bids handed in are handed back, also those of a rebid."""
    after = winchester.correct(state, PAY_BACK).state

    assert after.phase == SealedAuction(17, (3, 0, 1, 2), (None,) * 4)


def test_other_corrections_let_the_auction_go_on() -> None:
    """Hats and tokens do not touch what somebody can pay."""
    state = auction(inside=(1, 3, 0), standing=5, leader=0)

    assert winchester.correct(state, Correction(owners=(Owned(1, 3),))).state.phase == state.phase


def test_a_duel_goes_on_when_notes_move() -> None:
    """The duel has stopped the auction; a winner short of notes is a ruling of its own."""
    state = play(auction(inside=(1, 0), standing=5, leader=0), (1, CallDuel())).state

    assert winchester.correct(state, PAY_BACK).state.phase == Duel(17, 5000, 1, 0)


def test_game_goes_on_until_every_plot_has_a_hat() -> None:
    """A hat taken off comes under the hammer again; one put on is not drawn."""
    state = position(owned={0: range(1, 20)}, turn=19)
    assert winchester.legal_actions(state, 0) == (CountUp(),)

    off = winchester.correct(state, Correction(owners=(Owned(7, None),))).state

    assert winchester.legal_actions(off, 0) == (DrawPlot(),)
    assert play(off, (0, DrawPlot())).needs[0].pools[0].items == (7,)
    on = winchester.correct(off, Correction(owners=(Owned(7, 1),))).state
    assert winchester.legal_actions(on, 0) == (CountUp(),)


def test_bids_follow_the_corrected_purse() -> None:
    """What was set right counts at once."""
    state = winchester.correct(auction(star=0), PAY_BACK).state

    assert winchester.legal_actions(state, 0) == (Bid(1000), Bid(2000), Pass())


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"bank": 0}, ("33000 dollars instead of 110000",)),
        ({"cash": (-1000, 17_000, 8000, 8000), "bank": 77_000}, ("negative money",)),
        ({"tokens": (None,) * 19}, ("bonus tokens lost",)),
    ],
)
def test_whatever_does_not_add_up_is_named(change: dict[str, Any], named: tuple[str, ...]) -> None:
    """110 notes, none of them negative, and 19 bonus tokens, wherever they lie."""
    state = position(tokens=dict.fromkeys(range(1, 20), "rumor"))
    assert winchester.violations(state) == ()

    assert winchester.violations(replace(state, **change)) == named


# A purchase, and the board itself


def test_a_plot_that_turns_out_to_be_anothers_is_named_with_what_it_was_paid() -> None:
    """Five plots were paid, and the fifth is Ronald's: everybody is told."""
    claimed = Claimed("five_plots", 1, 5000, (1, 2, 3, 4, 5))
    state = replace(position(owned={1: (1, 2, 3, 4, 5)}), claimed=(claimed,))

    step = winchester.correct(state, Correction(owners=(Owned(5, 2),)))

    assert Undermined(1, "five_plots", 5000) in step.events
    assert Undermined(1, "five_plots", 5000) not in winchester.correct(state, Correction()).events


def test_what_rules_go_by_is_set_as_it_lies() -> None:
    """Cards on their piles, duel tokens, who once found the saloon dry."""
    state = position(piles={"five_plots": 3, "four_alike": 4}, duel_tokens=(1, 2, 3))
    correction = Correction(
        piles=(Lying(3000, "four_alike"), Lying(4000, "dry_saloon")),
        duel_tokens=(Has(0, has=True), Has(1, has=False)),
        dry=(Has(2, has=True),),
    )
    step = winchester.correct(state, correction)

    assert step.state.piles == (Pile("four_alike", 3000), Pile("dry_saloon", 4000))
    assert step.state.duel_tokens == (True, False, True, True)
    assert step.state.dry == (False, False, True, False)
    assert NowMet(2, "dry_saloon") in step.events


@pytest.mark.parametrize(
    ("correction", "code"),
    [
        (Correction(piles=(Lying(5000, "dry_saloon"),)), "objective_gone"),
        (Correction(piles=(Lying(3000, "four_alike"),)), "objective_gone"),
        (Correction(piles=(Lying(3000, "all_tokens"),)), "objective_gone"),
        (Correction(duel_tokens=(Has(9, has=True),)), "no_such_seat"),
        (Correction(dry=(Has(9, has=True),)), "no_such_seat"),
    ],
)
def test_records_that_cannot_be_are_refused(correction: Correction, code: str) -> None:
    """No card twice, none that was claimed, no pile that is gone, nobody who is not there."""
    claimed = Claimed("all_tokens", 1, 5000, ())
    state = position(piles={"five_plots": 3, "four_alike": 4})
    state = replace(state, claimed=(claimed,))

    assert refusal(lambda: winchester.correct(state, correction)) == code


def test_tips_that_hands_moved_are_what_a_token_takes() -> None:
    """While the token is still to be told, notes leave the saloon: nobody is paid what is gone."""
    state = position(preset="boxed", saloon=3, cash=(8, 8, 8, 8))
    bought = purchase.buy(state, 1, 7, 4000, "auction", ()).state
    assert (bought.phase, bought.saloon) == (Taking(7, 1), 4000)

    moved = winchester.correct(bought, Correction(transfers=(Transfer("saloon", "bank", 3000),)))
    step = winchester.apply(moved.state, 1, TakeToken("saloon"))

    assert step.state.saloon == 1000
    assert step.state.dry[1]


def test_the_star_set_right_in_an_auction_begins_it_anew_and_says_so() -> None:
    """Order and tie order are of whoever really holds it; no bid vanishes without a line."""
    state = play(sealed(star=3), (0, SubmitBid(8000))).state

    step = winchester.correct(state, Correction(star=1))

    assert step.state.phase == SealedAuction(17, (1, 2, 3, 0), (None,) * 4)
    assert AuctionAnew(17) in step.events
    assert AuctionAnew(17) in winchester.correct(state, PAY_BACK).events


def test_a_wrong_fact_shows_what_it_changes() -> None:
    """Paid for three together that are not; and somebody now meets what still lies there."""
    claimed = Claimed("three_together", 1, 3000, (1, 2, 3))
    state = replace(
        position(owned={1: (1, 2, 3, 4), 0: (6, 7, 8, 9)}, piles={"four_apart": 4}),
        claimed=(claimed,),
    )
    facts = (("touch:1-2", "no"), ("touch:3-4", "no"))
    step = winchester.correct(state, Correction(facts=facts))

    assert step.events[1:] == (Undermined(1, "three_together", 3000),)
    assert step.learnt == facts
    apart = (*facts, ("touch:2-3", "no"))
    assert NowMet(1, "four_apart") in winchester.correct(state, Correction(facts=apart)).events
    blind = replace(state, rules=replace(state.rules, claims="players"))
    assert NowMet(1, "four_apart") not in winchester.correct(blind, Correction(facts=apart)).events


def test_facts_that_no_board_has_are_refused() -> None:
    """Nothing is set."""
    wrong = Correction(facts=(("touch:7-7", "yes"),))

    assert refusal(lambda: winchester.correct(position(), wrong)) == "bad_fact"

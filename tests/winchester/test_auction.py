"""Bidding: open and sealed."""

from __future__ import annotations

from typing import Any

import pytest

from referee.errors import IllegalAction
from referee.games.base import Outcome
from referee.games.winchester import rules as winchester
from referee.games.winchester.actions import (
    Action,
    Bid,
    CallDuel,
    Claim,
    CountUp,
    DrawPlot,
    Pass,
    SubmitBid,
)
from referee.games.winchester.events import (
    BidMade,
    BidsRevealed,
    BidsTied,
    BidSubmitted,
    Passed,
    PlotBought,
)
from referee.games.winchester.model import Between, Drawing, OpenAuction, SealedAuction
from tests.steps import find, refusal
from tests.winchester.positions import (
    ASHLEY,
    JEFF,
    MONICA,
    RONALD,
    auction,
    notes,
    play,
    position,
    sealed,
)

# Open


def test_rulebook_example_of_plot_17() -> None:
    """Four players, plot 17: Jeff wins at 7000, three get 2000 each, 1000 goes to the saloon."""
    step = play(
        auction(17),
        (JEFF, Bid(3000)),
        (MONICA, Bid(4000)),
        (RONALD, Pass()),
        (ASHLEY, Bid(5000)),
        (JEFF, Bid(7000)),
        (MONICA, Pass()),
        (ASHLEY, Pass()),
    )

    assert step.events == (Passed(ASHLEY), PlotBought(JEFF, 17, 7000, 2000, 1000, "auction"))
    assert notes(step.state.cash) == (1, 10, 10, 10)
    assert step.state.saloon == 2000
    assert step.state.owners[16] == JEFF


def test_bidding_goes_clockwise_from_the_star() -> None:
    """The star's holder speaks first, then the next one clockwise."""
    drawn = winchester.chance(position(Drawing(), star=2), Outcome("plot", {"plot": (4,)}))

    assert drawn.state.phase == OpenAuction(4, (2, 3, 0, 1))
    assert winchester.to_act(drawn.state) == {2}
    assert winchester.to_act(play(drawn.state, (2, Bid(1000))).state) == {3}


def test_who_passed_is_skipped() -> None:
    """Who passed is out of this auction: the turn goes round among the others."""
    state = play(auction(), (0, Bid(1000)), (1, Pass()), (2, Bid(2000)), (3, Bid(3000))).state

    assert state.phase == OpenAuction(17, (0, 2, 3), standing=3000, leader=3)


def test_bids_are_whole_notes_above_the_standing_bid_within_ones_cash() -> None:
    """Every legal bid is a multiple of $1000, beats the standing one, and can be paid."""
    state = auction(inside=(1, 2, 0), standing=3, leader=0, cash=(8, 6, 8, 8))

    assert winchester.legal_actions(state, 1) == (Bid(4000), Bid(5000), Bid(6000), Pass())


def test_all_of_ones_cash_may_be_bid() -> None:
    """One may bid to the last note."""
    assert play(auction(), (0, Bid(8000))).events == (BidMade(0, 8000),)


def test_who_cannot_beat_the_bid_can_only_pass() -> None:
    """With no more cash than the standing bid there is nothing but to pass."""
    state = auction(inside=(1, 2, 0), standing=3, leader=0, cash=(8, 3, 8, 8))

    assert winchester.legal_actions(state, 1) == (Pass(),)


@pytest.mark.parametrize(
    ("seat", "action", "code"),
    [
        (1, Bid(4500), "whole_notes"),
        (1, Bid(3000), "bid_too_low"),
        (1, Bid(0), "bid_too_low"),
        (1, Bid(-1000), "bid_too_low"),
        (1, Bid(9000), "bid_over_cash"),
        (2, Bid(4000), "not_your_turn"),
        (2, Pass(), "not_your_turn"),
        (3, Pass(), "not_your_turn"),
        (1, SubmitBid(4000), "not_your_turn"),
        (1, DrawPlot(), "not_your_turn"),
        (1, CountUp(), "not_your_turn"),
        (1, Claim("five_plots"), "no_claim_now"),
        (1, CallDuel(), "no_duel_now"),
    ],
)
def test_open_auction_refuses(seat: int, action: Action, code: str) -> None:
    """Part notes, too low, beyond one's cash, out of turn, and whatever belongs elsewhere."""
    state = auction(inside=(1, 2, 0), standing=3, leader=0)

    assert refusal(lambda: winchester.apply(state, seat, action)) == code


def test_refusals_name_the_facts_a_sentence_needs() -> None:
    """A bid too low is told the least possible, one too high the most one can pay."""
    state = auction(inside=(1, 2, 0), standing=3, leader=0)

    with pytest.raises(IllegalAction) as low:
        winchester.apply(state, 1, Bid(2000))
    with pytest.raises(IllegalAction) as high:
        winchester.apply(state, 1, Bid(20_000))

    assert low.value.facts == {"least": 4000}
    assert high.value.facts == {"most": 8000}


def test_nobody_bids_and_the_star_must_buy() -> None:
    """Nobody bid: the star's holder buys for $1000; among four nobody gets a note of it."""
    step = play(auction(star=0), (0, Pass()), (1, Pass()), (2, Pass()), (3, Pass()))

    assert find(step.events, PlotBought) == [PlotBought(0, 17, 1000, 0, 1000, "forced")]
    assert notes(step.state.cash) == (7, 8, 8, 8)


@pytest.mark.parametrize(
    ("purse", "bought", "cash", "saloon"),
    [
        (0, PlotBought(0, 17, 0, 0, 0, "free"), (0, 8, 8), 1000),
        (1, PlotBought(0, 17, 1000, 0, 1000, "forced"), (0, 8, 8), 2000),
    ],
)
def test_star_without_a_note_gets_the_plot_free(
    purse: int, bought: PlotBought, cash: tuple[int, ...], saloon: int
) -> None:
    """Of three players: with $0 the plot is free and nobody is paid; $1000 go to the saloon."""
    state = auction(inside=(0, 1, 2), cash=(purse, 8, 8))

    step = play(state, (0, Pass()), (1, Pass()), (2, Pass()))

    assert find(step.events, PlotBought) == [bought]
    assert notes(step.state.cash) == cash
    assert step.state.saloon == saloon
    assert step.reveals


def test_last_one_without_a_standing_bid_may_still_bid() -> None:
    """Ruling: the last one left, with no bid made, may bid (and buys at once)."""
    state = play(auction(), (0, Pass()), (1, Pass()), (2, Pass())).state

    assert Pass() in winchester.legal_actions(state, 3)
    assert find(play(state, (3, Bid(1000))).events, PlotBought) == [
        PlotBought(3, 17, 1000, 0, 1000, "auction")
    ]


def test_last_one_without_a_standing_bid_may_pass() -> None:
    """Ruling: when the last one passes too, the plot goes to the star, not to them."""
    step = play(auction(star=0), (0, Pass()), (1, Pass()), (2, Pass()), (3, Pass()))

    assert step.state.owners[16] == 0


def test_leader_wins_when_the_others_pass() -> None:
    """One bidder is left with the standing bid: no second word is asked of them."""
    step = play(auction(), (0, Bid(2000)), (1, Pass()), (2, Pass()), (3, Pass()))

    assert find(step.events, PlotBought) == [PlotBought(0, 17, 2000, 0, 2000, "auction")]
    assert step.state.phase == Between()


def test_stand_in_passes_and_nothing_else() -> None:
    """For an absent seat the host may pass when it is asked, never bid or duel."""
    state = auction(inside=(1, 0), standing=3, leader=0)

    assert winchester.stand_in(state, 1) == (Pass(),)
    assert winchester.stand_in(state, 0) == ()


# Sealed


def bids(*amounts: int) -> list[tuple[int, SubmitBid]]:
    """Hand in bids in notes, seat 0 first."""
    return [(seat, SubmitBid(1000 * amount)) for seat, amount in enumerate(amounts)]


def test_highest_sealed_bid_wins() -> None:
    """All are revealed at once, the highest buys at their own bid."""
    step = play(sealed(), *bids(2, 5, 0, 3))

    assert step.events == (
        BidSubmitted(3),
        BidsRevealed(((0, 2000), (1, 5000), (2, 0), (3, 3000))),
        PlotBought(1, 17, 5000, 1000, 2000, "auction"),
    )
    assert step.reveals


def test_sealed_bids_are_listed_clockwise_from_the_star() -> None:
    """The reveal goes round the table from the star."""
    step = play(sealed(bidders=(2, 3, 0, 1), star=2), *bids(2, 5, 0, 3))

    assert find(step.events, BidsRevealed)[0].bids == ((2, 0), (3, 3000), (0, 2000), (1, 5000))


def test_nothing_but_who_submitted_is_public() -> None:
    """Until the last one is in, everybody sees who has submitted, and no amount."""
    step = play(sealed(), (1, SubmitBid(5000)))

    assert step.events == (BidSubmitted(1),)
    assert (step.secret, step.audience, step.reveals) == (True, None, False)
    shown = winchester.public(step.state).auction
    assert shown is not None
    assert shown.submitted == (1,)
    assert winchester.own(step.state, 1).bid == 5000
    assert winchester.own(step.state, 0).bid is None


def test_changing_a_sealed_bid_is_noticed_by_nobody_else() -> None:
    """A submitted bid may be changed until the last one is in, unseen."""
    before = play(sealed(), (1, SubmitBid(5000)), (0, SubmitBid(2000))).state

    step = play(before, (1, SubmitBid(1000)))

    assert step.events == ()
    assert (step.secret, step.audience) == (True, frozenset({1}))
    assert winchester.public(step.state) == winchester.public(before)
    assert play(step.state, (2, SubmitBid(0)), (3, SubmitBid(0))).state.owners[16] == 0


def test_sealed_tie_bids_again_among_the_tied() -> None:
    """Those tied for the highest bid again, sealed, at least the tied amount."""
    step = play(sealed(bidders=(3, 0, 1, 2), star=3), *bids(5, 2, 5, 5))

    assert find(step.events, BidsTied) == [BidsTied((3, 0, 2), 5000)]
    assert step.state.phase == SealedAuction(17, (3, 0, 2), (None,) * 4, floor=5000)
    assert winchester.to_act(step.state) == {0, 2, 3}
    assert winchester.legal_actions(step.state, 0) == tuple(
        SubmitBid(1000 * n) for n in (5, 6, 7, 8)
    )
    assert winchester.legal_actions(step.state, 1) == ()


def test_higher_rebid_wins_the_tie() -> None:
    """In the rebid the highest wins at what they bid now."""
    tied = play(sealed(), *bids(5, 2, 5, 0)).state

    step = play(tied, (2, SubmitBid(6000)), (0, SubmitBid(5000)))

    assert find(step.events, PlotBought) == [PlotBought(2, 17, 6000, 2000, 0, "auction")]


@pytest.mark.parametrize(("star", "winner"), [(0, 0), (1, 2), (2, 2), (3, 0)])
def test_second_tie_goes_to_the_first_clockwise_from_the_star(star: int, winner: int) -> None:
    """Still tied: whoever of them sits first clockwise from the star buys."""
    order = tuple((star + n) % 4 for n in range(4))
    tied = play(sealed(bidders=order, star=star), *bids(5, 2, 5, 0)).state

    step = play(tied, (0, SubmitBid(6000)), (2, SubmitBid(6000)))

    assert find(step.events, PlotBought) == [PlotBought(winner, 17, 6000, 2000, 0, "auction")]


def test_second_tie_of_three_among_whom_one_falls_back() -> None:
    """Only those still highest count in the second tie, not all who bid again."""
    tied = play(sealed(), *bids(5, 5, 5, 0)).state

    step = play(tied, (0, SubmitBid(5000)), (1, SubmitBid(7000)), (2, SubmitBid(7000)))

    assert step.state.owners[16] == 1


def test_all_zero_makes_the_star_buy() -> None:
    """All sealed bids zero: as when nobody bids aloud."""
    step = play(sealed(bidders=(1, 2, 3, 0), star=1), *bids(0, 0, 0, 0))

    assert find(step.events, PlotBought) == [PlotBought(1, 17, 1000, 0, 1000, "forced")]


def test_all_zero_with_a_penniless_star_is_free() -> None:
    """With less than $1000 the star's holder gets the plot for nothing."""
    step = play(sealed(cash=(0, 8, 8, 8)), *bids(0, 0, 0, 0))

    assert find(step.events, PlotBought) == [PlotBought(0, 17, 0, 0, 0, "free")]


@pytest.mark.parametrize(
    ("seat", "action", "code"),
    [
        (0, SubmitBid(5500), "whole_notes"),
        (0, SubmitBid(4000), "bid_too_low"),
        (0, SubmitBid(0), "bid_too_low"),
        (0, SubmitBid(9000), "bid_over_cash"),
        (1, SubmitBid(6000), "not_your_turn"),
        (0, Bid(6000), "not_your_turn"),
        (0, Pass(), "not_your_turn"),
        (1, CallDuel(), "no_duel_now"),
    ],
)
def test_rebid_refuses(seat: int, action: Action, code: str) -> None:
    """In a rebid nobody passes or goes below the tied amount, and only the tied are asked."""
    state = sealed(bidders=(0, 2), floor=5)

    assert refusal(lambda: winchester.apply(state, seat, action)) == code


def test_negative_sealed_bid_is_refused() -> None:
    """A bid is nothing or more."""
    assert refusal(lambda: winchester.apply(sealed(), 0, SubmitBid(-1000))) == "bid_too_low"


@pytest.mark.parametrize(("floor", "allowed"), [(0, 0), (5, 5000)])
def test_stand_in_submits_the_least(floor: int, allowed: int) -> None:
    """For an absent seat the host hands in the least bid there is, once."""
    state = sealed(bidders=(0, 2), floor=floor)

    assert winchester.stand_in(state, 0) == (SubmitBid(allowed),)
    assert winchester.stand_in(play(state, (0, SubmitBid(6000))).state, 0) == ()
    assert winchester.stand_in(state, 1) == ()


@pytest.mark.parametrize("options", [{"auction": "open"}, {"auction": "sealed"}])
def test_drawing_is_for_the_star_alone(options: dict[str, Any]) -> None:
    """Only the star's holder turns over a plot token, between two auctions."""
    state = position(star=2, **options)

    assert refusal(lambda: winchester.apply(state, 0, DrawPlot())) == "not_your_turn"
    step = winchester.apply(state, 2, DrawPlot())
    assert step.state.phase == Drawing()
    assert step.needs[0].pools[0].items == tuple(range(1, 20))
    assert refusal(lambda: winchester.apply(step.state, 2, DrawPlot())) == "not_your_turn"


def test_sold_plots_are_not_drawn_again() -> None:
    """The draw is among the plot tokens that are left."""
    state = position(owned={0: (1, 2), 3: (19,)})

    assert winchester.apply(state, 0, DrawPlot()).needs[0].pools[0].items == tuple(range(3, 19))

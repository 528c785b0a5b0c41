"""Mistakes about who had what, noticed plots later: claims, the token, cards and notes."""

from __future__ import annotations

import pytest

from referee.errors import IllegalAction
from referee.games.winchester import rules as winchester
from referee.games.winchester.actions import (
    Claim,
    ConfirmSale,
    Correction,
    Look,
    Owned,
    PutBack,
    RecordNobody,
    RecordSale,
    SkipLook,
    SubmitBid,
    TakeToken,
    Transfer,
)
from referee.games.winchester.events import (
    AuctionAnew,
    ClaimUndone,
    Corrected,
    ObjectiveClaimed,
    PlotBought,
    StarNow,
    TipsNow,
)
from referee.games.winchester.model import Between, Rumor, SealedAuction
from referee.games.winchester.told import Bought, Drew, Took
from tests.winchester.mistaken import Evening

# The fifth plot


@pytest.mark.parametrize("claims", ["referee", "automatic", "players"])
def test_a_fifth_plot_that_turns_out_to_be_anothers(claims: str) -> None:
    """The pile goes back from where it went, everybody is told; the sixth plot earns it truly."""
    evening = Evening(claims=claims)
    for plot in (9, 18):
        evening.buy(plot, 1, 1, "movement")
    for plot in (19, 15, 13):
        evening.buy(plot, 1, 1, "rumor")
    if claims != "automatic":
        evening.act(1, Claim("five_plots"))
    before, _ = evening.money()
    assert ObjectiveClaimed(1, "five_plots", 4000) in [
        event for line in evening.ledger.log.lines for event in line.events
    ]

    number = evening.retell(evening.sold[13], Bought(13, 3, 1000, "rumor"), SkipLook())

    assert ClaimUndone(1, "five_plots", 4000) in evening.told_of(number)
    assert evening.state.owners[12] == 3
    after, _ = evening.money()
    assert after == (before[0], before[1] - 4 + 1, before[2], before[3] - 1)
    assert "five_plots" in [pile.objective for pile in evening.state.piles]
    assert evening.state.claimed == ()
    evening.buy(14, 1, 1, "rumor")
    if claims != "automatic":
        evening.act(1, Claim("five_plots"))
    assert [claim.seat for claim in evening.state.claimed] == [1]


# In the middle of an auction


def test_a_star_that_is_elsewhere_decides_order_ties_and_who_must_buy() -> None:
    """Its true holder begins, wins the second tie, and buys where nobody bids."""
    evening = Evening(auction="sealed")
    evening.draw_plot(18)
    assert evening.state.star == 0
    evening.act(1, SubmitBid(2000))
    events = evening.correct(star=2)
    assert events == (Corrected(Correction(star=2)), AuctionAnew(18))
    assert evening.state.phase == SealedAuction(18, (2, 3, 0, 1), (None,) * 4)
    for bidders in ((2, 3, 0, 1), (1, 2)):
        for seat in bidders:
            evening.act(seat, SubmitBid(2000 if seat in {1, 2} else 0))
    assert evening.state.owners[17] == 2

    spoken = Evening()
    spoken.draw_plot(18)
    spoken.correct(star=2)
    bought = spoken.act(2, RecordNobody())
    assert PlotBought(2, 18, 1000, 0, 1000, "forced") in spoken.told_of(bought)
    assert spoken.money() == ((8, 8, 7, 8), 2)


def test_a_buyer_told_anew_takes_the_star_along() -> None:
    """Nobody bid for the next plot: whoever really held the star had to buy it."""
    evening = Evening()
    evening.buy(19, 1, 3, "rumor")
    evening.draw_plot(15)
    evening.act(1, RecordNobody())
    evening.act(1, TakeToken("rumor"))
    evening.act(1, SkipLook())

    number = evening.retell(evening.sold[19], Bought(19, 2, 3000, "rumor"), SkipLook())

    assert [(s.plot, s.buyer, s.how) for s in evening.state.sales] == [
        (19, 2, "auction"),
        (15, 2, "forced"),
    ]
    assert StarNow(2) in evening.told_of(number)
    assert evening.money() == ((9, 9, 4, 9), 2)


@pytest.mark.parametrize("how", ["told", "hands"])
def test_a_card_in_hand_by_a_rumor_stays_with_its_looker(how: str) -> None:
    """Ben looks at an aim of Ann's; Cleo, who really bought the plot, is not shown it.

    Told anew, the rumor is hers, to look at a card of her own choice.
    """
    evening = Evening(secret_objectives="app")  # noqa: S106
    evening.draw_plot(19)
    evening.act(0, RecordSale(1, 3000))
    sold = evening.act(1, ConfirmSale("rumor"))
    look = Look("secret:0:1")
    evening.act(1, look)
    assert winchester.own(evening.state, 1).peek is not None

    if how == "told":
        evening.retell(sold, Bought(19, 2, 3000, "rumor"))
    else:
        evening.correct(owners=(Owned(19, 2),))

    assert evening.state.owners[18] == 2
    assert [winchester.own(evening.state, seat).peek for seat in (0, 2, 3)] == [None] * 3
    if how == "told":
        memos = [winchester.own(evening.state, seat).memo for seat in range(3)]
        assert [[peek.card for peek in memo] for memo in memos] == [[], [look.card], []]
        assert evening.state.phase == Rumor(19, 2)
        assert look in winchester.legal_actions(evening.state, 2)
        assert winchester.legal_actions(evening.state, 1) == ()
    else:
        assert evening.state.phase == Rumor(19, 1, look.card)
        assert PutBack() in winchester.legal_actions(evening.state, 1)


@pytest.mark.parametrize("how", ["told", "hands"])
def test_notes_set_right_in_an_auction_say_that_bids_are_gone(how: str) -> None:
    """No bid vanishes without a line, whichever way the notes were set right."""
    evening = Evening(auction="sealed")
    evening.draw_plot(19)
    for seat in range(4):
        evening.sold[19] = evening.act(seat, SubmitBid(3000 if seat == 1 else 0))
    evening.act(1, TakeToken("rumor"))
    evening.act(1, SkipLook())
    evening.draw_plot(18)
    evening.act(0, SubmitBid(5000))

    if how == "told":
        number = evening.retell(evening.sold[19], Bought(19, 1, 4000))
        assert {TipsNow(2000), AuctionAnew(18)} == {*evening.told_of(number)}
    else:
        events = evening.correct(transfers=(Transfer("bank", 0, 1000),))
        assert AuctionAnew(18) in events

    assert evening.state.phase == SealedAuction(18, (1, 2, 3, 0), (None,) * 4)


# Objectives


def test_four_apart_once_complete_is_claimed_though_a_fifth_joins_them() -> None:
    """As though it had been claimed on the turn on which it was completed."""
    evening = Evening()
    for plot in (19, 13, 7, 10):
        evening.buy(plot, 1, 1, "rumor")
    evening.buy(15, 1, 1, "rumor")  # beside 19
    assert isinstance(evening.state.phase, Between)

    evening.act(1, Claim("four_apart"))

    assert [(claim.seat, claim.amount) for claim in evening.state.claimed] == [(1, 6000)]


def test_four_that_stood_apart_only_by_mistake_are_not_claimed() -> None:
    """The third of them was really beside the first: what once was complete never was."""
    evening = Evening()
    for plot in (19, 13, 7, 10):
        evening.buy(plot, 1, 1, "rumor")
    evening.buy(15, 1, 1, "rumor")
    evening.act(1, Claim("four_apart"))

    number = evening.retell(evening.drawn[7], Drew(9))

    assert ClaimUndone(1, "four_apart", 6000) in evening.told_of(number)
    with pytest.raises(IllegalAction, match="objective_not_met"):
        evening.act(1, Claim("four_apart"))


def test_a_token_told_by_itself_is_told_anew_by_itself() -> None:
    """Four alike were three: what the auction told stays, only the token is another one."""
    evening = Evening(auction="sealed")
    tokens = []
    for plot in (19, 15, 18, 14):
        evening.draw_plot(plot)
        for seat in range(4):
            evening.act(seat, SubmitBid(0 if seat != 1 else 1000 if evening.state.cash[1] else 0))
        tokens.append(evening.act(1, TakeToken("rumor")))
        evening.act(1, SkipLook())
    evening.act(1, Claim("four_alike"))

    number = evening.retell(tokens[2], Took(18, "saloon"))

    assert ClaimUndone(1, "four_alike", 7000) in evening.told_of(number)
    assert sorted(evening.state.held[1]) == ["rumor", "rumor", "rumor", "saloon"]
    # Two tips of before lay there; the third is of this very purchase.
    assert evening.state.sales[2].tips == 3000
    assert evening.money() == ((8, 7, 8, 8), 2)

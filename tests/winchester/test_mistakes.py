"""Mistakes as tables really make them: told wrongly, noticed plots later, and right in the end."""

from __future__ import annotations

from typing import Any

import pytest

from referee import profiles
from referee.errors import IllegalAction
from referee.games.winchester import rules as winchester
from referee.games.winchester.actions import (
    Activate,
    Claim,
    ConfirmSale,
    Correction,
    DrawPlot,
    LayObjective,
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
    NowMet,
    ObjectiveClaimed,
    PlotBought,
    PlotNow,
    PurseNow,
    StarNow,
    TipsNow,
)
from referee.games.winchester.model import NOTE, Between, Rumor, SealedAuction, State, Token
from referee.games.winchester.told import Bought, Drew, Took
from tests.retelling import Journal
from tests.winchester.positions import money, notes

SHARED = ("dry_saloon", "five_plots", "all_tokens", "four_apart", "four_alike")
"""On the piles of 3, 4, 5, 6 and 7 notes."""


class Evening(Journal):
    """Four at the practice board with real tokens and cards, the phones their purses."""

    def __init__(self, **options: str) -> None:
        options = {"preset": "boxed", "board": "practice", "auction": "spoken"} | options
        board = profiles.load("winchester", "practice")
        super().__init__(winchester, seats=4, options=options, board=board)
        for objective in SHARED:
            self.act(0, LayObjective(objective))  # type: ignore[arg-type]  # one of them
        self.drawn: dict[int, int] = {}
        self.sold: dict[int, int] = {}

    @property
    def state(self) -> State:
        """Give the state of now."""
        state: State = self.ledger.state
        return state

    def draw_plot(self, plot: int) -> None:
        """Tap which plot the star's holder turned over."""
        self.drawn[plot] = self.act(self.state.star, DrawPlot(plot))

    def buy(self, plot: int, seat: int, price: int, token: Token) -> None:
        """Let a seat buy a plot for so many notes, and take its token to no use."""
        self.draw_plot(plot)
        self.act(self.state.star, RecordSale(seat, price * NOTE))
        self.sold[plot] = self.act(seat, ConfirmSale(token))
        if token == "rumor":  # noqa: S105  # a bonus token
            self.act(seat, SkipLook())
        if token == "movement":  # noqa: S105
            self.act(seat, Activate("boat", "r6"))

    def correct(self, **changed: Any) -> tuple[Any, ...]:
        """Set right what hands did; give what everybody is told."""
        correction = Correction(**changed)
        step = winchester.correct(self.state, correction)
        self.set_right(correction, step)
        return step.events

    def told_of(self, number: int) -> tuple[Any, ...]:
        """Give what everybody was told of an entry."""
        return next(line.events for line in self.ledger.log.lines if line.seq == number)

    def money(self) -> tuple[tuple[int, ...], int]:
        """Count everybody's notes, and those of the saloon."""
        assert money(self.state) == 110 * NOTE
        return notes(self.state.cash), self.state.saloon // NOTE


# A bonus token told wrongly


def test_a_saloon_that_was_not_dry_pays_no_pile() -> None:
    """Ben's rumor was told as a saloon: he took Cleo's tip, she "found it dry" and was paid."""
    evening = Evening()
    evening.buy(19, 1, 3, "saloon")
    evening.buy(15, 2, 3, "saloon")
    evening.act(2, Claim("dry_saloon"))
    evening.buy(13, 3, 3, "rumor")
    assert evening.money() == ((11, 8, 10, 7), 0)

    number = evening.retell(evening.sold[19], Bought(19, 1, 3000, "rumor"), SkipLook())

    assert evening.money() == ((11, 7, 8, 7), 0)
    assert evening.state.dry == (False,) * 4
    assert evening.state.sales[1].tips == 1000
    assert ClaimUndone(2, "dry_saloon", 3000) in evening.told_of(number)
    assert [pile.objective for pile in evening.state.piles] == [*SHARED]
    with pytest.raises(IllegalAction, match="objective_not_met"):
        evening.act(2, Claim("dry_saloon"))


def test_a_saloon_that_was_dry_can_be_claimed_at_last() -> None:
    """Ben's saloon was told as a rumor: the tip was his, and Cleo had found nothing there."""
    evening = Evening()
    evening.buy(19, 1, 3, "rumor")
    evening.buy(15, 2, 3, "saloon")
    with pytest.raises(IllegalAction, match="objective_not_met"):
        evening.act(2, Claim("dry_saloon"))
    evening.buy(13, 3, 3, "rumor")

    number = evening.retell(evening.sold[19], Bought(19, 1, 3000, "saloon"))

    assert NowMet(2, "dry_saloon") in evening.told_of(number)
    assert evening.money() == ((11, 8, 7, 7), 0)
    evening.act(2, Claim("dry_saloon"))
    assert evening.money() == ((11, 8, 10, 7), 0)


# The wrong number was tapped


def test_a_sale_set_right_before_goes_with_the_number_as_well() -> None:
    """First its price, then its number: the sale is not lost, nor what 18 was sold for."""
    evening = Evening()
    evening.buy(19, 1, 4, "rumor")
    evening.buy(18, 2, 3, "rumor")
    evening.retell(evening.sold[19], Bought(19, 1, 2000, "rumor"))
    evening.retell(evening.sold[18], Bought(18, 3, 1000, "rumor"))
    evening.retell(evening.drawn[18], Drew(14))
    before = evening.money()

    evening.retell(evening.drawn[19], Drew(14))

    assert [evening.state.owners[plot - 1] for plot in (14, 19, 18)] == [1, 3, None]
    assert evening.money() == before


def test_19_for_18_is_one_choice_and_19_is_drawn_later() -> None:
    """Everything that was bought goes with the plot; the other number is free to be drawn."""
    evening = Evening()
    evening.buy(19, 1, 4, "rumor")
    evening.buy(15, 2, 3, "rumor")

    number = evening.retell(evening.drawn[19], Drew(18))

    assert {PlotNow(18, 1), PlotNow(19, None)} == {*evening.told_of(number)}
    assert [(sale.plot, sale.buyer) for sale in evening.state.sales] == [(18, 1), (15, 2)]
    assert DrawPlot(19) in evening.ledger.legal_for(2)
    assert DrawPlot(18) not in evening.ledger.legal_for(2)
    evening.buy(19, 3, 6, "movement")
    assert [evening.state.owners[plot - 1] for plot in (15, 18, 19)] == [2, 1, 3]

    # Each of the two sales is told anew by its own line, whatever number it had before.
    evening.retell(evening.sold[19], Bought(19, 3, 3000, "movement"))
    assert evening.money() == ((11, 6, 7, 7), 2)
    evening.retell(
        evening.line_of(Bought(18, 1, 4000, "rumor")), Bought(18, 0, 4000, "rumor"), SkipLook()
    )
    assert [evening.state.owners[plot - 1] for plot in (15, 18, 19)] == [2, 0, 3]


def test_19_drawn_after_hats_were_moved_is_its_own_sale() -> None:
    """First only the hats were set right, and 19 was drawn again; then the number is told anew."""
    evening = Evening()
    evening.buy(19, 1, 4, "rumor")
    evening.correct(owners=(Owned(19, None), Owned(18, 1)))
    assert DrawPlot(18) not in evening.ledger.legal_for(1)
    first = evening.drawn[19]
    evening.buy(19, 3, 6, "rumor")

    evening.retell(evening.sold[19], Bought(19, 2, 6000, "rumor"), SkipLook())
    assert [(s.plot, s.buyer) for s in evening.state.sales] == [(19, 1), (19, 2)]
    evening.retell(first, Drew(18))

    assert [(s.plot, s.buyer) for s in evening.state.sales] == [(18, 1), (19, 2)]
    assert [evening.state.owners[plot - 1] for plot in (18, 19)] == [1, 2]
    assert evening.money() == ((11, 6, 3, 11), 2)


def test_numbers_that_were_mixed_up_change_places() -> None:
    """19 tapped for 18, and 18 for 19 when that was drawn: one choice sets both right."""
    evening = Evening()
    evening.buy(19, 1, 3, "rumor")
    evening.buy(18, 2, 6, "rumor")

    evening.retell(evening.drawn[19], Drew(18))

    assert [(s.plot, s.buyer) for s in evening.state.sales] == [(18, 1), (19, 2)]
    with pytest.raises(IllegalAction, match="no_such_plot"):
        evening.retell(evening.drawn[18], Drew(18))
    evening.retell(evening.drawn[19], Drew(19))
    assert [(s.plot, s.buyer) for s in evening.state.sales] == [(19, 1), (18, 2)]


# Prices and tips


def test_a_price_lowered_after_its_tip_was_taken() -> None:
    """Cleo took a tip that was never paid: it comes from her purse, not from an empty saloon."""
    evening = Evening()
    evening.buy(19, 1, 4, "rumor")
    evening.buy(15, 2, 3, "saloon")
    assert evening.money() == ((10, 5, 8, 10), 0)

    number = evening.retell(evening.sold[19], Bought(19, 1, 3000, "rumor"))

    assert evening.money() == ((10, 6, 7, 10), 0)
    assert evening.state.sales[1].tips == 1000
    assert not any(isinstance(event, PurseNow) for event in evening.told_of(number))


def test_a_price_told_anew_while_a_token_is_still_to_be_taken() -> None:
    """Dan has yet to tell his token: it takes what lies there then, never less than none."""
    evening = Evening(auction="sealed")
    for plot, buyer, price in ((19, 1, 4), (15, 3, 3)):
        evening.draw_plot(plot)
        for seat in range(4):
            bid = price * NOTE if seat == buyer else 0
            evening.sold[plot] = evening.act(seat, SubmitBid(bid))
        if plot == 19:
            evening.act(1, TakeToken("rumor"))
            evening.act(1, SkipLook())
    assert evening.state.saloon == 2000

    evening.retell(evening.sold[19], Bought(19, 1, 3000))
    evening.correct(transfers=(Transfer("saloon", "bank", 1000),))
    assert evening.state.saloon == 0
    evening.act(3, TakeToken("saloon"))

    assert evening.state.saloon == 0
    assert (evening.state.dry[3], evening.state.sales[-1].tips) == (True, 0)
    assert evening.money()[0] == (10, 6, 10, 6)


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
    assert PlotNow(13, 3) in evening.told_of(number)
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

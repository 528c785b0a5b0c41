"""Mistakes as tables really make them: plots and prices told wrongly, noticed plots later."""

from __future__ import annotations

import pytest

from referee.errors import IllegalAction
from referee.games.winchester.actions import (
    Activate,
    Claim,
    ConfirmSale,
    DrawPlot,
    Owned,
    RecordSale,
    SkipLook,
    SubmitBid,
    TakeToken,
    Transfer,
)
from referee.games.winchester.events import (
    ClaimUndone,
    NowMet,
    PlotNow,
    PurseNow,
    VehicleNow,
)
from referee.games.winchester.model import NOTE
from referee.games.winchester.told import Bought, Drew, Moved
from tests.winchester.mistaken import SHARED, Evening

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


def test_where_a_boat_was_sent_is_told_by_what_corrects_it() -> None:
    """And not once more as what is different since; where another stands now is."""
    evening = Evening()
    evening.draw_plot(19)
    evening.act(evening.state.star, RecordSale(1, 3000))
    evening.act(1, ConfirmSale("movement"))
    was = evening.state.boat, evening.state.locomotive
    sent = evening.act(1, Activate("boat", "r6"))

    number = evening.retell(sent, Moved(19, "boat", "r5"))
    assert evening.state.boat == "r5"
    assert [event for event in evening.told_of(number) if isinstance(event, VehicleNow)] == []

    number = evening.retell(sent, Moved(19, "locomotive", "t2"))
    assert (evening.state.boat, evening.state.locomotive) == (was[0], "t2")
    assert VehicleNow("boat", was[0]) in evening.told_of(number)
    assert VehicleNow("locomotive", "t2") not in evening.told_of(number)


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

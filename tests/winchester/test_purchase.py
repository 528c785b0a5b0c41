"""Buying a plot: payment, bonus token, card, star."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from referee.games.base import Step
from referee.games.winchester import rules as winchester
from referee.games.winchester.actions import (
    Action,
    Activate,
    Bid,
    Claim,
    DrawPlot,
    Look,
    Pass,
    PutBack,
    SkipLook,
)
from referee.games.winchester.events import (
    BankPaid,
    CardLooked,
    CardRevealed,
    ObjectiveClaimed,
    PlotBought,
    TipsTaken,
    TokenTaken,
    VehicleActivated,
)
from referee.games.winchester.model import Between, Moving, Rumor, State
from tests.steps import find, refusal
from tests.winchester.positions import RANCH, auction, money, notes, play, position


def sold(plot: int, price: int, **table: Any) -> Step:
    """Let seat 0 buy a plot for `price` notes, the others passing."""
    cash = table.get("cash", (8, 8, 8, 8))
    state = auction(plot, inside=tuple(range(len(cash))), **table)
    passes = [(seat, Pass()) for seat in range(1, len(cash))]
    return play(state, (0, Bid(1000 * price)), *passes)


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("price", range(1, 9))
def test_price_is_divided_over_all_the_others(seats: int, price: int) -> None:
    """In whole notes, also to those who did not bid; the rest is the saloon's tip."""
    step = sold(17, price, cash=(8,) * seats)

    share, tip = divmod(price, seats - 1)
    assert notes(step.state.cash) == (8 - price, *((8 + share,) * (seats - 1)))
    assert step.state.saloon == 1000 * (1 + tip)


def test_buyer_takes_plot_token_and_star() -> None:
    """The hat goes on the plot, its bonus token to the buyer, and the star with it."""
    step = sold(17, 3, tokens={17: "saloon", 18: "rumor"}, star=0)

    assert step.state.owners[16] == 0
    assert step.state.tokens[16:18] == (None, "rumor")
    assert step.state.held[0] == ("saloon",)
    assert (step.state.star, step.state.last_buyer, step.state.phase) == (0, 0, Between())


def test_star_changes_hands() -> None:
    """Whoever bought holds the star next and draws the next plot."""
    step = play(auction(), (0, Pass()), (1, Bid(1000)), (2, Pass()), (3, Pass()))

    assert step.state.star == 1
    assert winchester.legal_actions(step.state, 1) == (DrawPlot(),)


# Saloon


@pytest.mark.parametrize(
    ("older", "taken", "left", "is_dry"), [(1, 1000, 1000, False), (0, 0, 1000, True)]
)
def test_saloon_token_takes_only_the_older_tips(
    older: int, taken: int, left: int, *, is_dry: bool
) -> None:
    """The fresh tip of this very purchase stays for the next saloon token."""
    step = sold(17, 7, saloon=older, tokens={17: "saloon"})

    assert find(step.events, TipsTaken) == [TipsTaken(0, taken)]
    assert step.state.saloon == left
    assert step.state.cash[0] == 1000 + taken
    assert step.state.dry[0] is is_dry


def test_all_older_tips_are_taken() -> None:
    """A saloon token takes everything that lay there before."""
    assert sold(17, 3, saloon=5, tokens={17: "saloon"}).state.cash[0] == 10_000


def test_a_dry_saloon_stays_on_record() -> None:
    """Once dry is enough: a later, rich saloon token does not undo it."""
    step = sold(17, 3, saloon=5, tokens={17: "saloon"}, dry=(0,))

    assert step.state.dry == (True, False, False, False)


# Movement


def moving(**table: Any) -> State:
    """Let seat 0 have bought plot 17 with a movement token on it."""
    state: State = sold(17, 1, tokens={17: "movement"}, **table).state
    return state


def test_movement_is_used_at_once_by_the_buyer() -> None:
    """The buyer alone is asked, before anything else happens."""
    state = moving()

    assert state.phase == Moving(17, 0)
    assert winchester.to_act(state) == {0}
    assert refusal(lambda: winchester.apply(state, 1, Activate("boat", "r1"))) == "not_your_turn"
    assert refusal(lambda: winchester.apply(state, 0, DrawPlot())) == "not_your_turn"


def test_either_vehicle_may_go_anywhere_or_stay() -> None:
    """Any number of spaces either way, on the vehicle's own kind of track; or none."""
    assert winchester.legal_actions(moving(), 0) == (
        Activate("boat", "r1"),
        Activate("boat", "r2"),
        Activate("boat", "r3"),
        Activate("locomotive", "t1"),
        Activate("locomotive", "t2"),
        Activate("locomotive", "t3"),
    )


@pytest.mark.parametrize("action", [Activate("boat", "t1"), Activate("locomotive", "r1")])
def test_vehicles_keep_to_their_track(action: Activate) -> None:
    """The boat stays on the river, the locomotive on the rails."""
    assert refusal(lambda: winchester.apply(moving(), 0, action)) == "no_such_space"


def test_active_vehicle_pays_every_owner_beside_it() -> None:
    """Each plot with a side on the vehicle's space pays its owner $1000, not only the mover."""
    state = moving(owned={1: (11, 16), 2: (12,), 3: (1,)})

    step = winchester.apply(state, 0, Activate("boat", "r3"))

    assert step.events == (
        VehicleActivated(0, "boat", "r3"),
        BankPaid(1, 2000, 0, "boat"),
        BankPaid(2, 1000, 0, "boat"),
    )
    assert notes(step.state.cash) == (7, 10, 9, 8)
    assert (step.state.boat, step.state.locomotive) == ("r3", "t1")
    assert state.bank - step.state.bank == 3000


def test_locomotive_declared_active_where_it_stands_pays_too() -> None:
    """It need not move."""
    step = winchester.apply(moving(owned={3: (1,)}), 0, Activate("locomotive", "t1"))

    assert find(step.events, BankPaid) == [BankPaid(3, 1000, 0, "locomotive")]
    assert step.state.locomotive == "t1"


def test_plot_just_bought_is_paid_as_well() -> None:
    """The hat stands before the token is used."""
    state = sold(16, 1, tokens={16: "movement"}).state

    step = winchester.apply(state, 0, Activate("boat", "r3"))

    assert find(step.events, BankPaid) == [BankPaid(0, 1000, 0, "boat")]


def test_short_bank_pays_what_it_has() -> None:
    """Ruling: an empty bank pays what it has, from the mover clockwise; the rest is owed."""
    state = moving(cash=(20, 20, 20, 47), owned={1: (11, 16), 2: (12,)}, saloon=1)
    assert state.bank == 2000

    step = winchester.apply(state, 0, Activate("boat", "r3"))

    assert find(step.events, BankPaid) == [
        BankPaid(1, 2000, 0, "boat"),
        BankPaid(2, 0, 1000, "boat"),
    ]
    assert step.state.bank == 0
    assert money(step.state) == 110_000


# Rumor


def rumor(**table: Any) -> State:
    """Let seat 0 have bought plot 1 with a rumor token on it."""
    secrets = {
        0: ("mines", "rumors"),
        1: ("forests", "deserts"),
        2: ("prairies", "riverside"),
        3: ("railside", "movements"),
    }
    cards = {3: 1000, 5: 4000, RANCH: 7000}
    state: State = sold(
        1, 1, tokens={1: "rumor"}, **{"secrets": secrets, "cards": cards, **table}
    ).state
    return state


def test_rumor_looks_at_any_face_down_card_but_ones_own() -> None:
    """One secret objective of an opponent, a mine card still there, the ranch card, or nothing."""
    assert winchester.legal_actions(rumor(), 0) == (
        Look("secret:1:0"),
        Look("secret:1:1"),
        Look("secret:2:0"),
        Look("secret:2:1"),
        Look("secret:3:0"),
        Look("secret:3:1"),
        Look("mine:3"),
        Look("mine:5"),
        Look("ranch"),
        SkipLook(),
    )


@pytest.mark.parametrize("card", ["secret:0:0", "secret:1:2", "secret:4:0", "mine:4", "mine:1", ""])
def test_rumor_refuses_cards_that_are_not_there(card: str) -> None:
    """One's own objectives, cards turned already, and what never was a card."""
    assert refusal(lambda: winchester.apply(rumor(), 0, Look(card))) == "no_such_card"


@pytest.mark.parametrize(
    ("card", "objective", "amount"),
    [("secret:2:1", "riverside", None), ("mine:5", None, 4000), ("ranch", None, 7000)],
)
def test_the_card_shows_on_that_phone_alone(
    card: str, objective: str | None, amount: int | None
) -> None:
    """Which card is public; what it shows, only the one who looks sees, while they look."""
    step = winchester.apply(rumor(), 0, Look(card))

    assert step.events == (CardLooked(0, card),)
    assert step.reveals
    peek = winchester.own(step.state, 0).peek
    assert peek is not None
    assert (peek.card, peek.objective, peek.amount) == (card, objective, amount)
    assert [winchester.own(step.state, seat).peek for seat in (1, 2, 3)] == [None] * 3
    assert winchester.public(step.state).card == card
    after = winchester.apply(step.state, 0, PutBack()).state
    assert winchester.own(after, 0).peek is None


def test_one_card_a_rumor() -> None:
    """With a card in hand there is nothing but to put it back."""
    state = winchester.apply(rumor(), 0, Look("ranch")).state

    assert winchester.legal_actions(state, 0) == (PutBack(),)
    assert winchester.stand_in(state, 0) == (PutBack(),)
    assert refusal(lambda: winchester.apply(state, 0, Look("mine:3"))) == "no_such_card"
    assert refusal(lambda: winchester.apply(state, 0, SkipLook())) == "no_such_card"
    assert winchester.apply(state, 0, PutBack()).state.phase == Between()


def test_nobody_needs_to_look() -> None:
    """The look may be let go; for an absent seat it is."""
    state = rumor()

    assert winchester.stand_in(state, 0) == (SkipLook(),)
    assert refusal(lambda: winchester.apply(state, 0, PutBack())) == "no_such_card"
    assert winchester.apply(state, 0, SkipLook()).state.phase == Between()


@pytest.mark.parametrize("action", [Look("ranch"), PutBack(), SkipLook()])
def test_rumor_is_the_buyers_alone(action: Action) -> None:
    """Nobody else looks, and nobody looks without a rumor."""
    assert refusal(lambda: winchester.apply(rumor(), 1, action)) == "not_your_turn"
    assert refusal(lambda: winchester.apply(position(), 0, action)) == "not_your_turn"
    assert rumor().phase == Rumor(1, 0)


# Mine and ranch


@pytest.mark.parametrize(("plot", "kind", "amount"), [(4, "mine", 5000), (RANCH, "ranch", 3000)])
def test_card_on_the_plot_is_turned_and_paid(
    plot: int, kind: Literal["mine", "ranch"], amount: int
) -> None:
    """Its buyer turns the card for all to see and gets the amount from the bank."""
    step = sold(plot, 3, cards={plot: amount})

    assert step.events[-2:] == (CardRevealed(0, plot, kind, amount), BankPaid(0, amount, 0, kind))
    assert step.state.cash[0] == 5000 + amount
    assert step.state.cards[plot - 1] is None
    assert step.reveals


def test_short_bank_owes_the_mine() -> None:
    """Ruling: an empty bank pays what it has."""
    step = sold(4, 3, cards={4: 5000}, cash=(27, 27, 27, 27), saloon=1)

    assert find(step.events, BankPaid) == [BankPaid(0, 1000, 4000, "mine")]


def test_order_is_pay_token_card_star() -> None:
    """First the others are paid, then the token works, then the card is turned."""
    bought = sold(4, 7, tokens={4: "movement"}, cards={4: 2000}, owned={1: (5,)})
    assert bought.events[-2:] == (
        PlotBought(0, 4, 7000, 2000, 1000, "auction"),
        TokenTaken(0, "movement"),
    )
    assert bought.state.cards[3] == 2000

    step = winchester.apply(bought.state, 0, Activate("boat", "r1"))

    assert step.events == (
        VehicleActivated(0, "boat", "r1"),
        BankPaid(1, 1000, 0, "boat"),
        CardRevealed(0, 4, "mine", 2000),
        BankPaid(0, 2000, 0, "mine"),
    )


def test_rumor_may_look_at_the_mine_just_bought() -> None:
    """The token works at once, so the plot's own card still lies face down."""
    state = sold(4, 1, tokens={4: "rumor"}, cards={4: 2000}).state

    assert Look("mine:4") in winchester.legal_actions(state, 0)
    step = winchester.apply(state, 0, SkipLook())
    assert find(step.events, CardRevealed) == [CardRevealed(0, 4, "mine", 2000)]


def test_fortunes_are_noted_after_each_turn_with_its_claims() -> None:
    """For the chart at the end: everybody's cash when the turn is over."""
    table = {"piles": {"all_terrains": 3}, "owned": {0: (1, 8)}}
    step = sold(14, 3, **table)
    assert step.state.fortunes == ((5000, 9000, 9000, 9000),)

    claimed = winchester.apply(step.state, 0, Claim("all_terrains"))

    assert claimed.events == (ObjectiveClaimed(0, "all_terrains", 3000),)
    assert claimed.state.fortunes == ((8000, 9000, 9000, 9000),)

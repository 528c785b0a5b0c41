"""Daddy Winchester with the real box: what is told, and what stays on the table."""

from __future__ import annotations

import pytest

from referee import profiles
from referee.games.base import Step
from referee.games.winchester import rules as winchester
from referee.games.winchester.actions import (
    Activate,
    Bid,
    CallDuel,
    ConfirmSale,
    DrawPlot,
    EnterSecrets,
    ForgetSecrets,
    LayObjective,
    Look,
    Pass,
    RejectSale,
    Shuffle,
    SkipLook,
    TakeToken,
    TurnCard,
    WinDuel,
)
from referee.games.winchester.events import (
    BankPaid,
    CardLooked,
    CardRevealed,
    Dealt,
    ObjectiveLaid,
    PlotBought,
    TipsTaken,
    TokenTaken,
)
from referee.games.winchester.model import (
    SHARED_OBJECTIVES,
    Between,
    Duel,
    LayingOut,
    Moving,
    OpenAuction,
    Rumor,
    SpokenAuction,
    Taking,
    Turning,
    replace,
)
from tests.steps import find, refusal
from tests.winchester.huch import boxed, kinds
from tests.winchester.positions import play, position

SHARED = SHARED_OBJECTIVES[:5]


# Set-up


def test_nothing_is_dealt_for_a_boxed_game() -> None:
    """No need of chance; the table tells which card lies on which pile, 3 to 7 notes."""
    step = winchester.setup({}, 4, profiles.load("winchester", "huch"))
    assert step.needs == ()
    assert step.events == (Dealt(0),)
    assert step.state.phase == LayingOut()
    assert winchester.public(step.state).pile == 3000

    state = step.state
    for number, objective in enumerate(SHARED):
        told = winchester.apply(state, number % 4, LayObjective(objective))
        assert told.events == (ObjectiveLaid(objective, 3000 + 1000 * number),)
        state = told.state

    assert state.phase == Between()
    assert [(pile.objective, pile.amount // 1000) for pile in state.piles] == [
        (objective, 3 + number) for number, objective in enumerate(SHARED)
    ]
    assert winchester.violations(state) == ()


def test_an_objective_lies_on_one_pile_only() -> None:
    """A card that was told is not offered again."""
    state = boxed(LayingOut(("five_plots",)))

    assert refusal(lambda: winchester.apply(state, 0, LayObjective("five_plots"))) == (
        "objective_gone"
    )
    assert len(winchester.legal_actions(boxed(LayingOut(("five_plots",))), 1)) >= 9


@pytest.mark.parametrize(
    ("component", "pools"),
    [
        ("bonus_tokens", {"tokens"}),
        ("land_cards", {"mines", "ranch"}),
        ("shared_objectives", {"shared"}),
        ("secret_objectives", {"secret"}),
        ("plot_tokens", set()),
        ("duel_cards", set()),
        ("money", set()),
    ],
)
def test_each_component_can_come_from_the_app_alone(component: str, pools: set[str]) -> None:
    """Only what does not lie on the table is shuffled."""
    options = {component: "app"}
    step = winchester.setup(options, 3, profiles.load("winchester", "huch"))
    dealt = {pool.name for need in step.needs for pool in need.pools}

    assert dealt == pools


def test_the_preset_and_its_exceptions() -> None:
    """Boxed: all but the money from the box; a switch overrules the preset."""
    rules = boxed(bonus_tokens="app", money="box").rules

    assert rules.from_box("plot_tokens")
    assert not rules.from_box("bonus_tokens")
    assert rules.from_box("money")
    assert not boxed().rules.from_box("money")
    assert not position().rules.from_box("plot_tokens")
    assert position(plot_tokens="box").rules.from_box("plot_tokens")


# A plot


def test_the_real_plot_token_is_tapped() -> None:
    """One tap says which was turned over; nothing is learnt, so it can be taken back."""
    step = winchester.apply(boxed(auction="spoken"), 0, DrawPlot(7))

    assert step.state.phase == SpokenAuction(7)
    assert not step.reveals
    assert step.needs == ()
    assert refusal(lambda: winchester.apply(boxed(), 0, DrawPlot())) == "tap_the_plot"
    assert refusal(lambda: winchester.apply(position(), 0, DrawPlot(7))) == "app_draws"
    sold = boxed(owned={1: (7,)})
    assert refusal(lambda: winchester.apply(sold, 0, DrawPlot(7))) == "no_such_plot"
    assert DrawPlot(7) not in winchester.legal_actions(sold, 0)


def test_the_winner_confirms_with_the_bonus_token() -> None:
    """Yes, and what lay there, in one tap."""
    state = boxed(SpokenAuction(7, winner=1, price=4000), auction="spoken")
    offered = {a for a in winchester.legal_actions(state, 1) if not isinstance(a, EnterSecrets)}
    assert offered == {
        *(ConfirmSale(token) for token in ("movement", "saloon", "rumor")),
        RejectSale(),
    }

    step = winchester.apply(state, 1, ConfirmSale("saloon"))

    assert step.state.phase == Between()
    assert find(step.events, TipsTaken) == [TipsTaken(1, 1000)]
    assert step.state.held[1] == ("saloon",)
    assert winchester.violations(step.state) == ()
    assert refusal(lambda: winchester.apply(state, 1, ConfirmSale())) == "tap_the_token"


def test_after_other_auctions_the_buyer_tells_the_token() -> None:
    """The fresh tip stays: what lay there before is what a saloon token takes."""
    step = play_out_to_taking()

    assert step.state.phase == Taking(7, 1)
    assert kinds(step.state, 1) == {"TakeToken"}
    assert kinds(step.state, 0) == set()
    told = winchester.apply(step.state, 1, TakeToken("saloon"))
    assert told.events[:2] == (TokenTaken(1, "saloon"), TipsTaken(1, 1000))
    assert told.state.saloon == 1000
    assert refusal(lambda: winchester.apply(step.state, 0, TakeToken("rumor"))) == "not_your_turn"


def play_out_to_taking() -> Step:
    """Let Monica win plot 7 for 4000 of four: 1000 each, 1000 to the saloon."""
    state = boxed(OpenAuction(7, (1, 0), 3000, 0))
    return play(state, (1, Bid(4000)), (0, Pass()))


def test_where_a_vehicle_stands_is_told_by_plots_and_learnt() -> None:
    """Every plot beside it pays its owner; next time the place is known."""
    state = boxed(Moving(7, 1), owned={1: (7,), 2: (8,)})
    step = winchester.apply(state, 1, Activate("boat", "7-8"))

    assert [paid.seat for paid in find(step.events, BankPaid)] == [1, 2]
    assert step.learnt == (("boat:7-8", "yes"),)
    assert step.state.board.river_spaces[0].touches == (7, 8)
    assert step.state.boat == "7-8"
    assert winchester.public(step.state).boat_beside == (7, 8)
    again = winchester.apply(replace(step.state, phase=Moving(7, 1)), 1, Activate("boat", "7-8"))
    assert again.learnt == ()
    assert refusal(lambda: winchester.apply(state, 1, Activate("boat", "1-2"))) == "no_such_space"


def test_a_real_card_is_told_and_paid() -> None:
    """A mine's amount is one tap, and the deck is known a little better."""
    state = boxed(Turning(4, 2), owned={2: (4,)})
    step = winchester.apply(state, 2, TurnCard(6000))

    assert step.events == (CardRevealed(2, 4, "mine", 6000), BankPaid(2, 6000, 0, "mine"))
    assert step.learnt == (("mine_card:6000", "yes"),)
    assert winchester.public(step.state).chart.seen_mines == (6000,)
    assert step.state.star == 2
    for amount, code in ((500, "whole_notes"), (21_000, "price_too_high")):
        wrong = TurnCard(amount)
        assert refusal(lambda wrong=wrong: winchester.apply(state, 2, wrong)) == code  # type: ignore[misc]  # bound at once


def test_a_duel_with_the_real_cards() -> None:
    """Called on a phone, fought with cards; anybody taps who has the one that fires."""
    state = boxed(OpenAuction(7, (1, 0), 3000, 0))
    called = winchester.apply(state, 1, CallDuel())
    assert kinds(called.state, 3) == {"WinDuel"}
    assert winchester.public(called.state).waiting_for == (2, 3)

    step = winchester.apply(called.state, 3, WinDuel(1))

    assert find(step.events, PlotBought)[0].seat == 1
    assert find(step.events, PlotBought)[0].price == 3000
    assert refusal(lambda: winchester.apply(called.state, 3, WinDuel(2))) == "no_such_seat"
    assert refusal(lambda: winchester.apply(called.state, 3, Shuffle())) == "not_your_turn"
    app = position(Duel(7, 3000, 1, 0))
    assert refusal(lambda: winchester.apply(app, 3, WinDuel(1))) == "not_your_turn"


def test_a_rumor_about_a_real_card_is_looked_at_by_hand() -> None:
    """Which card is public; the phone shows nothing, and the turn goes on."""
    state = boxed(Rumor(7, 1), owned={1: (7,)})
    cards = [a.card for a in winchester.legal_actions(state, 1) if isinstance(a, Look)]
    assert cards == [
        *(f"secret:{seat}:{index}" for seat in (2, 3, 0) for index in (0, 1)),
        *("mine:3", "mine:4", "mine:5", "ranch"),
    ]

    step = winchester.apply(state, 1, Look("ranch"))

    assert step.events[0] == CardLooked(1, "ranch")
    assert step.reveals
    assert step.state.phase == Between()
    assert winchester.own(step.state, 1).peek is None
    skipped = winchester.apply(state, 1, SkipLook())
    assert skipped.state.phase == Between()


# Real objectives


def test_objectives_are_told_at_any_time_and_nobody_notices() -> None:
    """In the middle of somebody's auction; the public view stays as it is."""
    state = boxed(OpenAuction(7, (1, 0), 3000, 0))
    step = winchester.apply(state, 3, EnterSecrets(("forests", "mines")))

    assert step.audience == {3}
    assert step.secret
    assert winchester.public(step.state) == winchester.public(state)
    assert winchester.own(step.state, 3).secrets == ("forests", "mines")
    again = EnterSecrets(("forests", "rumors"))
    assert refusal(lambda: winchester.apply(step.state, 3, again)) == "objectives_entered"
    assert refusal(lambda: winchester.apply(state, 3, EnterSecrets(("mines", "mines")))) == (
        "two_objectives"
    )


def test_objectives_told_wrongly_are_told_again_between_auctions() -> None:
    """Forgotten first; not in the middle of an auction."""
    told = boxed(secrets={3: ("forests", "mines")})
    step = winchester.apply(told, 3, ForgetSecrets())
    assert step.state.secrets[3] == ()
    assert step.audience == {3}
    during = boxed(OpenAuction(7, (1, 0), 3000, 0), secrets={3: ("forests", "mines")})

    assert refusal(lambda: winchester.apply(during, 3, ForgetSecrets())) == "nothing_entered"
    assert refusal(lambda: winchester.apply(boxed(), 3, ForgetSecrets())) == "nothing_entered"


def test_objectives_and_plots_are_named_in_any_order() -> None:
    """Two cards are the same two cards, and a space is the same from either bank."""
    assert EnterSecrets(("mines", "forests")) == EnterSecrets(("forests", "mines"))
    assert Activate("boat", "13-8-7") == Activate("boat", "7-8-13")
    assert Activate("boat", "r2").space == "r2"

"""The duel: two left, one token, two cards."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.base import Outcome, Step
from referee.games.winchester import rules as winchester
from referee.games.winchester.actions import (
    Action,
    Bid,
    CallDuel,
    Pass,
    PickCard,
    Shuffle,
    SubmitBid,
)
from referee.games.winchester.events import CardsShuffled, DuelCalled, DuelDecided, PlotBought
from referee.games.winchester.model import Duel, State, replace
from tests.steps import find, refusal
from tests.winchester.positions import auction, bang, notes, play, position, sealed


def two_left(**table: Any) -> State:
    """Leave seats 1 and 3 in an open auction; 3 bid $5000 last, so it is 1's turn."""
    return auction(inside=(1, 3), standing=5, leader=3, **table)


def test_either_of_the_last_two_may_call_at_any_moment() -> None:
    """With two left and a bid standing both may call, also the one whose turn it is not."""
    state = two_left()

    assert winchester.to_act(state) == {1, 3}
    assert CallDuel() in winchester.legal_actions(state, 1)
    assert winchester.legal_actions(state, 3) == (CallDuel(),)


def test_no_duel_before_a_bid_stands() -> None:
    """Ruling: with two left but nothing bid yet there is nothing to fight for."""
    state = auction(inside=(1, 3))

    assert CallDuel() not in winchester.legal_actions(state, 1)
    assert refusal(lambda: winchester.apply(state, 1, CallDuel())) == "no_duel_now"


def test_no_duel_among_three() -> None:
    """A duel is for the last two."""
    state = auction(inside=(1, 3, 0), standing=5, leader=0)

    assert refusal(lambda: winchester.apply(state, 1, CallDuel())) == "no_duel_now"


def test_who_passed_cannot_call() -> None:
    """Only the two left may call."""
    assert refusal(lambda: winchester.apply(two_left(), 0, CallDuel())) == "no_duel_now"


def test_a_token_serves_once_in_the_game() -> None:
    """Who has spent the token cannot call again; the other one still can."""
    state = two_left(duel_tokens=(0, 1, 2))

    assert winchester.to_act(state) == {1}
    assert winchester.legal_actions(state, 3) == ()
    assert refusal(lambda: winchester.apply(state, 3, CallDuel())) == "no_duel_token"


def test_calling_stops_the_auction_and_spends_the_token() -> None:
    """The auction is over at once; the caller's token is gone, the called one keeps theirs."""
    step = play(two_left(), (3, CallDuel()))

    assert step.events == (DuelCalled(3, 1, 5000),)
    assert step.state.phase == Duel(17, 5000, 3, 1)
    assert step.state.duel_tokens == (True, True, True, False)
    assert refusal(lambda: winchester.apply(step.state, 1, Bid(6000))) == "not_your_turn"
    assert refusal(lambda: winchester.apply(step.state, 1, Pass())) == "not_your_turn"
    assert refusal(lambda: winchester.apply(step.state, 1, CallDuel())) == "no_duel_now"


def test_somebody_outside_the_duel_shuffles() -> None:
    """The cards are shuffled by a player who is not in the duel, whoever it is."""
    state = play(two_left(), (1, CallDuel())).state

    assert winchester.to_act(state) == {0, 2}
    assert winchester.stand_in(state, 0) == (Shuffle(),)
    assert refusal(lambda: winchester.apply(state, 1, Shuffle())) == "not_your_turn"
    assert refusal(lambda: winchester.apply(state, 1, PickCard(0))) == "not_your_turn"
    step = play(state, (2, Shuffle()))
    assert step.events == (CardsShuffled(2),)
    assert refusal(lambda: winchester.apply(step.state, 0, Shuffle())) == "not_your_turn"


def test_each_takes_one_of_two_cards() -> None:
    """Each dueller takes a card, in either order; the second gets the one that is left."""
    state = play(two_left(), (1, CallDuel()), (0, Shuffle())).state

    assert winchester.to_act(state) == {1, 3}
    assert winchester.legal_actions(state, 3) == (PickCard(0), PickCard(1))
    assert winchester.legal_actions(state, 0) == ()
    step = play(state, (3, PickCard(1)))
    assert step.needs == ()
    assert winchester.to_act(step.state) == {1}
    assert winchester.stand_in(step.state, 1) == (PickCard(0),)
    shown = winchester.public(step.state).duel
    assert shown is not None
    assert shown.picked == (1,)
    assert refusal(lambda: winchester.apply(step.state, 1, PickCard(1))) == "card_gone"
    assert refusal(lambda: winchester.apply(step.state, 1, PickCard(2))) == "card_gone"
    assert refusal(lambda: winchester.apply(step.state, 3, PickCard(0))) == "not_your_turn"
    assert refusal(lambda: winchester.apply(step.state, 0, PickCard(0))) == "not_your_turn"


def fought(state: State, caller: int, called: int, winner: int) -> Step:
    """Fight a duel to its end: the caller takes card 0, the called one card 1."""
    moves: tuple[tuple[int, Action], ...] = (
        (caller, CallDuel()),
        (0, Shuffle()),
        (caller, PickCard(0)),
        (called, PickCard(1)),
    )
    step = play(state, *moves)
    assert winchester.to_act(step.state) == frozenset()
    assert [need.label for need in step.needs] == ["duel"]
    return bang(step.state, 0 if winner == caller else 1)


@pytest.mark.parametrize("caller", [1, 3])
@pytest.mark.parametrize("winner", [1, 3])
def test_winner_buys_at_the_last_bid_whoever_made_it(caller: int, winner: int) -> None:
    """The card that fires decides who pays the last standing bid and gets the plot."""
    loser = 4 - winner

    step = fought(two_left(), caller, 4 - caller, winner)

    assert step.events == (
        DuelDecided(winner, loser),
        PlotBought(winner, 17, 5000, 1000, 2000, "duel"),
    )
    assert (step.state.owners[16], step.state.star) == (winner, winner)
    assert step.reveals


def test_both_cards_are_equally_likely() -> None:
    """The card that fires is one of the two, drawn by chance."""
    state = play(two_left(), (1, CallDuel()), (0, Shuffle()), (1, PickCard(0))).state

    (need,) = play(state, (3, PickCard(1))).needs

    assert [(pool.items, pool.count) for pool in need.pools] == [((0, 1), 1)]


def test_two_duels_are_told_apart() -> None:
    """Each duel of a game owes a draw of its own."""
    first = play(two_left(), (1, CallDuel())).state
    second = play(replace(first, phase=two_left().phase), (3, CallDuel())).state

    assert (first.duels, second.duels) == (1, 2)


@pytest.mark.parametrize(
    ("purse", "paid", "share", "tip"), [(5, 5, 1, 2), (4, 4, 1, 1), (0, 0, 0, 0)]
)
def test_winner_who_cannot_pay_pays_all_they_have(
    purse: int, paid: int, share: int, tip: int
) -> None:
    """Ruling `pay_all`: short of the last bid, all one's notes are enough."""
    step = fought(two_left(cash=(8, purse, 8, 8)), 1, 3, winner=1)

    assert find(step.events, PlotBought) == [
        PlotBought(1, 17, 1000 * paid, 1000 * share, 1000 * tip, "duel")
    ]
    assert step.state.cash[1] == 1000 * (purse - paid)


def test_must_afford_refuses_the_call_of_who_could_not_pay() -> None:
    """Ruling `must_afford`: a caller short of the last bid is refused, on their phone alone."""
    state = two_left(cash=(8, 4, 8, 8), duel_shortfall="must_afford")

    assert winchester.legal_actions(state, 1) == (Pass(),)
    assert refusal(lambda: winchester.apply(state, 1, CallDuel())) == "duel_over_cash"
    assert winchester.to_act(state) == {1, 3}
    shown = winchester.public(state).auction
    assert shown is not None
    assert shown.may_duel == (1, 3)


def test_must_afford_lets_who_can_pay_call() -> None:
    """Ruling `must_afford`: with just the last bid in hand one may call."""
    state = two_left(cash=(8, 5, 8, 8), duel_shortfall="must_afford")

    assert winchester.legal_actions(state, 1) == (Pass(), CallDuel())


def test_must_afford_lets_the_last_note_win() -> None:
    """Ruling `must_afford`: who has exactly the last bid can pay it."""
    state = two_left(cash=(8, 5, 8, 8), duel_shortfall="must_afford")

    step = fought(state, 1, 3, winner=1)

    assert (step.state.owners[16], step.state.cash[1]) == (1, 0)


@pytest.mark.parametrize("card", [0, 1])
def test_must_afford_gives_the_plot_to_the_one_who_can_pay(card: int) -> None:
    """Ruling `must_afford`: only a player who could pay may win, whatever the cards say."""
    state = two_left(cash=(8, 4, 8, 8), duel_shortfall="must_afford")
    picked = play(state, (3, CallDuel()), (0, Shuffle()), (3, PickCard(0)), (1, PickCard(1)))

    step = bang(picked.state, card)

    assert find(step.events, PlotBought) == [PlotBought(3, 17, 5000, 1000, 2000, "duel")]
    assert notes(step.state.cash) == (9, 5, 9, 3)


# On a tie of sealed bids


def tied(*amounts: int, **table: Any) -> State:
    """Hand in sealed bids in notes, seat 0 first."""
    moves = [(seat, SubmitBid(1000 * amount)) for seat, amount in enumerate(amounts)]
    state: State = play(sealed(**table), *moves).state
    return state


def test_two_tied_may_duel_instead_of_bidding_again() -> None:
    """Exactly two tied: either may call a duel, for the tied amount."""
    state = tied(0, 5, 2, 5)

    assert CallDuel() in winchester.legal_actions(state, 1)
    assert CallDuel() in winchester.legal_actions(state, 3)
    step = fought(state, 3, 1, winner=1)
    assert find(step.events, PlotBought) == [PlotBought(1, 17, 5000, 1000, 2000, "duel")]


def test_a_duel_may_still_be_called_after_one_of_them_rebid() -> None:
    """As long as the rebids are not revealed; the sealed rebid then counts for nothing."""
    state = play(tied(0, 5, 2, 5), (1, SubmitBid(8000))).state

    step = fought(state, 3, 1, winner=1)

    assert find(step.events, PlotBought)[0].price == 5000


def test_three_tied_may_not_duel() -> None:
    """A duel is between two."""
    state = tied(0, 5, 5, 5)

    assert refusal(lambda: winchester.apply(state, 1, CallDuel())) == "no_duel_now"


def test_no_duel_in_the_first_round_of_sealed_bids() -> None:
    """Sealed bids duel over a tie alone."""
    assert refusal(lambda: winchester.apply(sealed(), 1, CallDuel())) == "no_duel_now"


def test_a_duel_card_that_is_not_owed_is_refused() -> None:
    """Chance gives only what is owed: no shot before both hold a card."""
    shuffled = play(two_left(), (1, CallDuel()), (0, Shuffle())).state
    shot = Outcome("duel", {"bang": (0,)})

    assert refusal(lambda: winchester.chance(position(), shot)) == "not_owed"
    assert refusal(lambda: winchester.chance(two_left(), shot)) == "not_owed"
    assert refusal(lambda: winchester.chance(shuffled, shot)) == "not_owed"

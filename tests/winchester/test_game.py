"""Whole games of Daddy Winchester, checked against the public ledger alone."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given, settings

from referee.games.winchester.events import (
    BankPaid,
    BidMade,
    BidSubmitted,
    Counted,
    DuelCalled,
    ObjectiveClaimed,
    Passed,
    PlotBought,
    PlotDrawn,
    TipsTaken,
)
from referee.games.winchester.model import PLOTS, Counting, Ended
from tests.strategies import Table, play_out, tables
from tests.winchester.positions import money

GAMES_OF_WINCHESTER = settings(max_examples=15, deadline=None)


def happenings(table: Table) -> list[Any]:
    """Play a whole game and give all its events."""
    return [event for played in play_out(table) for event in played.step.events]


@given(tables("winchester"))
@GAMES_OF_WINCHESTER
def test_everybodys_cash_follows_from_the_ledger(table: Table) -> None:
    """Counting along aloud with what is public gives every purse, the saloon and the bank."""
    cash, saloon, bank = [8000] * table.seats, 1000, (110 - 26 - 8 * table.seats) * 1000
    for played in play_out(table):
        for event in played.step.events:
            match event:
                case PlotBought(buyer, _, price, share, tip, _):
                    cash = [purse + share for purse in cash]
                    cash[buyer] -= price + share
                    saloon += tip
                case TipsTaken(seat, amount):
                    cash[seat] += amount
                    saloon -= amount
                case BankPaid(seat, amount, _, _):
                    cash[seat] += amount
                    bank -= amount
                case ObjectiveClaimed(seat, _, amount):
                    cash[seat] += amount
                case _:
                    pass
        state = played.step.state
        if state.rules.from_box("money") and isinstance(state.phase, Counting | Ended):
            break  # real notes were counted, whatever the ledger says
        assert state.cash == tuple(cash)
        assert (state.saloon, state.bank) == (saloon, bank)
        assert not state.piles or money(state) == 110_000


@given(tables("winchester"))
@GAMES_OF_WINCHESTER
def test_every_plot_is_drawn_and_sold_once(table: Table) -> None:
    """19 turns: each draws another plot, and the buyer of the last one draws the next."""
    events = happenings(table)
    drawn = [event for event in events if isinstance(event, PlotDrawn)]
    sold = [event for event in events if isinstance(event, PlotBought)]

    assert sorted(event.plot for event in drawn) == list(range(1, PLOTS + 1))
    assert [event.plot for event in sold] == [event.plot for event in drawn]
    assert [event.seat for event in drawn[1:]] == [event.seat for event in sold[:-1]]
    assert isinstance(events[-1], Counted)


@given(tables("winchester"))
@GAMES_OF_WINCHESTER
def test_nobody_does_what_may_be_done_once_twice(table: Table) -> None:
    """One duel call a seat, one claim an objective, one pass an auction."""
    events = happenings(table)
    calls = Counter(event.caller for event in events if isinstance(event, DuelCalled))
    claims = Counter(event.objective for event in events if isinstance(event, ObjectiveClaimed))

    assert all(count == 1 for count in (calls + claims).values())
    spoken: set[int] = set()
    for event in events:
        match event:
            case PlotDrawn():
                spoken = set()
            case Passed(seat):
                assert seat not in spoken
                spoken.add(seat)
            case BidMade(seat, _):
                assert seat not in spoken
            case _:
                pass


@given(tables("winchester"))
@GAMES_OF_WINCHESTER
def test_bids_rise_and_are_paid(table: Table) -> None:
    """Spoken bids only go up; an auction's winner pays the last one; sealed bids are told once."""
    standing, submitted = 0, Counter[int]()
    for event in happenings(table):
        match event:
            case PlotDrawn():
                standing, submitted = 0, Counter()
            case BidMade(_, amount):
                assert amount > standing
                standing = amount
            case BidSubmitted(seat):
                submitted[seat] += 1
                assert submitted[seat] <= 2
            case PlotBought(_, _, price, _, _, "auction") if standing:
                assert price == standing
            case PlotBought(_, _, price, _, _, "forced" | "free"):
                assert standing == 0
                assert price in {0, 1000}
            case _:
                pass

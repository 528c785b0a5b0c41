"""The proxy auction and the spoken auction: two faster ways to hold an open one."""

from __future__ import annotations

import pytest

from referee.games.winchester import rules as winchester
from referee.games.winchester.actions import (
    CallDuel,
    ConfirmSale,
    LetStand,
    PickCard,
    RecordDuel,
    RecordNobody,
    RecordSale,
    RejectSale,
    Shuffle,
    SubmitCeiling,
)
from referee.games.winchester.events import LastTwoLeft, PlotBought, SaleRejected
from referee.games.winchester.model import Duel, LastTwo, ProxyAuction, SpokenAuction, State
from tests.steps import find, refusal
from tests.winchester.positions import ASHLEY, JEFF, MONICA, RONALD, bang, notes, play, position


def proxy(**table: object) -> State:
    """Put plot 17 up for ceilings."""
    phase = ProxyAuction(17, (0, 1, 2, 3), (None,) * 4)
    return position(phase, auction="proxy", **table)  # type: ignore[arg-type]  # passed on


def spoken(**table: object) -> State:
    """Put plot 17 up for an auction aloud."""
    return position(SpokenAuction(17), auction="spoken", **table)  # type: ignore[arg-type]


def hand_in(state: State, *amounts: int) -> tuple[tuple[int, SubmitCeiling], ...]:
    """Name everybody's ceilings, in notes, clockwise from Jeff."""
    return tuple((seat, SubmitCeiling(1000 * count)) for seat, count in enumerate(amounts))


def test_highest_ceiling_wins_one_step_above_the_second() -> None:
    """Ceilings 7, 4, 0, 5 end where an open auction would: Jeff pays 6000."""
    state = proxy(duel_tokens=())
    step = play(state, *hand_in(state, 7, 4, 0, 5))

    assert [(e.seat, e.price) for e in find(step.events, PlotBought)] == [(JEFF, 6000)]


def test_price_never_goes_beyond_the_winners_ceiling() -> None:
    """Equal highest ceilings: the first clockwise from the star buys at that very amount."""
    state = proxy(star=1, duel_tokens=())
    phase = ProxyAuction(17, (1, 2, 3, 0), (None,) * 4)
    step = play(
        position(phase, auction="proxy", star=1, duel_tokens=()), *hand_in(state, 5, 1, 5, 2)
    )

    assert [(e.seat, e.price) for e in find(step.events, PlotBought)] == [(RONALD, 5000)]


def test_only_one_ceiling_above_nothing_buys_for_the_least() -> None:
    """Who alone wants a plot gets it for $1000, and there is nobody to duel with."""
    state = proxy()
    step = play(state, *hand_in(state, 0, 8, 0, 0))

    assert [(e.seat, e.price) for e in find(step.events, PlotBought)] == [(MONICA, 1000)]


def test_no_ceiling_at_all_makes_the_star_buy() -> None:
    """Nobody bids: the star's holder must buy."""
    state = proxy()
    step = play(state, *hand_in(state, 0, 0, 0, 0))

    assert [(e.seat, e.how) for e in find(step.events, PlotBought)] == [(JEFF, "forced")]


def test_last_two_learn_only_that_they_are() -> None:
    """Before the result is told the last two are asked; neither screen says who leads."""
    state = proxy()
    step = play(state, *hand_in(state, 7, 4, 0, 5))

    assert find(step.events, LastTwoLeft) == [LastTwoLeft((JEFF, ASHLEY))]
    assert step.state.phase == LastTwo(17, (JEFF, ASHLEY), 6000, (JEFF, ASHLEY))
    assert winchester.to_act(step.state) == {JEFF, ASHLEY}
    view = winchester.public(step.state).auction
    assert view is not None
    assert (view.standing, view.leader, view.inside) == (0, None, (JEFF, ASHLEY))
    assert winchester.legal_actions(step.state, JEFF) == (LetStand(), CallDuel())


def test_last_two_let_it_stand() -> None:
    """No duel: the highest ceiling buys."""
    state = proxy()
    step = play(state, *hand_in(state, 7, 4, 0, 5), (ASHLEY, LetStand()), (JEFF, LetStand()))

    assert [(e.seat, e.price) for e in find(step.events, PlotBought)] == [(JEFF, 6000)]


def test_duel_of_the_last_two_is_for_the_last_bid() -> None:
    """Ashley would have lost; she calls, draws the shot, and buys at the standing 6000."""
    state = proxy()
    step = play(
        state,
        *hand_in(state, 7, 4, 0, 5),
        (ASHLEY, CallDuel()),
        (MONICA, Shuffle()),
        (ASHLEY, PickCard(0)),
        (JEFF, PickCard(1)),
    )
    step = bang(step.state, 0)

    assert [(e.seat, e.price) for e in find(step.events, PlotBought)] == [(ASHLEY, 6000)]


def test_ceiling_cannot_exceed_ones_cash() -> None:
    """Refused on that phone, with what it holds."""
    state = proxy(cash=(3, 8, 8, 8))

    assert refusal(lambda: play(state, (JEFF, SubmitCeiling(4000)))) == "bid_over_cash"
    assert refusal(lambda: play(state, (JEFF, SubmitCeiling(500)))) == "whole_notes"


def test_changed_ceiling_is_noticed_by_its_seat_alone() -> None:
    """Handing in again shows nowhere else."""
    state = proxy()
    step = play(state, (JEFF, SubmitCeiling(2000)), (JEFF, SubmitCeiling(3000)))

    assert (step.audience, step.events, step.secret) == (frozenset((JEFF,)), (), True)


def test_spoken_sale_is_recorded_and_confirmed() -> None:
    """The star's holder taps winner and price, the winner says yes, everybody is paid."""
    state = spoken(cash=(8, 8, 8, 8))
    step = play(state, (JEFF, RecordSale(RONALD, 6000)), (RONALD, ConfirmSale()))

    assert notes(step.state.cash) == (10, 10, 2, 10)
    assert step.state.owners[16] == RONALD


def test_only_the_star_records_and_only_the_winner_confirms() -> None:
    """Others are not asked."""
    state = spoken()
    recorded = play(state, (JEFF, RecordSale(RONALD, 6000))).state

    assert refusal(lambda: play(state, (MONICA, RecordSale(RONALD, 6000)))) == "not_your_turn"
    assert refusal(lambda: play(recorded, (JEFF, ConfirmSale()))) == "not_your_turn"


def test_who_cannot_pay_sees_it_alone() -> None:
    """The public view is the same whether the winner can pay; only their own actions differ."""
    rich = play(spoken(cash=(8, 8, 8, 8)), (JEFF, RecordSale(RONALD, 6000))).state
    poor = play(spoken(cash=(8, 11, 5, 8)), (JEFF, RecordSale(RONALD, 6000))).state

    assert winchester.public(rich) == winchester.public(poor)
    assert winchester.legal_actions(rich, RONALD) == (ConfirmSale(), RejectSale())
    assert winchester.legal_actions(poor, RONALD) == (RejectSale(),)
    assert refusal(lambda: play(poor, (RONALD, ConfirmSale()))) == "bid_over_cash"


def test_rejected_sale_is_recorded_anew() -> None:
    """A slip and an overbid look alike: the auction is recorded again."""
    state = spoken()
    step = play(state, (JEFF, RecordSale(RONALD, 6000)), (RONALD, RejectSale()))

    assert step.events == (SaleRejected(RONALD),)
    assert step.state.phase == SpokenAuction(17)


def test_spoken_nobody_bid() -> None:
    """The star's holder buys for $1000."""
    step = play(spoken(), (JEFF, RecordNobody()))

    assert [(e.seat, e.how) for e in find(step.events, PlotBought)] == [(JEFF, "forced")]


def test_spoken_duel() -> None:
    """Two names, who called, the standing bid, confirmed by its bidder; then the cards decide."""
    step = play(spoken(), (JEFF, RecordDuel(ASHLEY, MONICA, 4000)))
    assert winchester.to_act(step.state) == {MONICA}
    assert step.state.duel_tokens[ASHLEY]

    step = play(step.state, (MONICA, ConfirmSale()))

    assert step.state.phase == Duel(17, 4000, ASHLEY, MONICA)
    assert not step.state.duel_tokens[ASHLEY]


def test_no_token_is_told_where_a_duel_is_confirmed() -> None:
    """Nothing is bought yet: a token in the answer is refused, with real ones too."""
    state = play(spoken(bonus_tokens="box"), (JEFF, RecordDuel(ASHLEY, MONICA, 4000))).state

    assert refusal(lambda: winchester.apply(state, MONICA, ConfirmSale("saloon"))) == (
        "tap_the_token"
    )
    assert ConfirmSale() in winchester.legal_actions(state, MONICA)


@pytest.mark.parametrize(
    ("shortfall", "bidder", "asked"),
    [
        ("pay_all", None, (MONICA,)),
        ("pay_all", ASHLEY, (ASHLEY,)),
        ("must_afford", MONICA, (MONICA, ASHLEY)),
        ("must_afford", ASHLEY, (ASHLEY,)),
    ],
)
def test_a_spoken_duel_is_for_a_bid_that_can_be_paid(
    shortfall: str, bidder: int | None, asked: tuple[int, ...]
) -> None:
    """Whose bid it is can pay it, and with must_afford the caller can; each says so alone."""
    record = (JEFF, RecordDuel(ASHLEY, MONICA, 4000, bidder))
    for poor in (None, *asked):
        cash = tuple(3 if seat == poor else 8 for seat in range(4))
        state = spoken(cash=cash, duel_shortfall=shortfall)
        state = play(state, record).state
        for seat in asked:
            assert winchester.to_act(state) == {seat}
            if seat == poor:
                assert winchester.legal_actions(state, seat) == (RejectSale(),)
                assert (
                    refusal(lambda s=state, w=seat: play(s, (w, ConfirmSale()))) == "bid_over_cash"
                )
                state = play(state, (seat, RejectSale())).state
                assert state.phase == SpokenAuction(17)
                break
            state = play(state, (seat, ConfirmSale())).state
        else:
            assert state.phase == Duel(17, 4000, ASHLEY, MONICA)
        assert state.duel_tokens[ASHLEY] == (poor is not None)


def test_nobody_confirms_a_duel_with_real_notes() -> None:
    """What is in a real purse only its owner knows."""
    step = play(spoken(money="box"), (JEFF, RecordDuel(ASHLEY, MONICA, 4000)))

    assert step.state.phase == Duel(17, 4000, ASHLEY, MONICA)


def test_spoken_records_must_be_possible() -> None:
    """No unknown seat, no part of a note, no price beyond all purses, no spent token."""
    state = spoken(cash=(8, 8, 8, 8), duel_tokens=(JEFF,))
    records = {
        RecordSale(7, 1000): "no_such_seat",
        RecordSale(0, 1500): "whole_notes",
        RecordSale(0, 33000): "price_too_high",
        RecordDuel(ASHLEY, JEFF, 1000): "no_duel_token",
        RecordDuel(JEFF, JEFF, 1000): "no_duel_now",
        RecordDuel(JEFF, MONICA, 1000, ASHLEY): "no_duel_now",
    }

    assert {
        record: refusal(lambda record=record: play(state, (JEFF, record))) for record in records
    } == records

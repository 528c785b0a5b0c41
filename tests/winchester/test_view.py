"""What each screen shows."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from referee.games.winchester import display, phones
from referee.games.winchester import rules as winchester
from referee.games.winchester.actions import Bid, CallDuel, Pass, Shuffle, SubmitBid
from referee.games.winchester.model import Between, Drawing, HandingIn, Moving, Rumor, State
from referee.games.winchester.view import PlotView
from tests.strategies import sees
from tests.winchester.positions import auction, play, position, sealed

SECRETS: dict[int, tuple[Any, ...]] = {
    0: ("mines", "rumors"),
    1: ("forests", "deserts"),
    2: ("prairies", "riverside"),
    3: ("railside", "movements"),
}


def text(value: object) -> str:
    """Give what would be sent."""
    return msgspec.json.encode(value).decode()


def test_a_phone_shows_its_own_cash_and_objectives() -> None:
    """And the display shows nobody's."""
    state = position(cash=(2, 23, 31, 47), secrets=SECRETS)

    own = winchester.own(state, 1)
    assert (own.cash, own.secrets) == (23_000, ("forests", "deserts"))
    for word in ("23000", "31000", "47000", "forests", "riverside"):
        assert word not in text(winchester.public(state))


def test_everybody_sees_what_lies_on_the_table() -> None:
    """Hats, tokens, tips, piles, vehicles, duel tokens, and where cards lie face down."""
    state = position(
        owned={2: (3, 9)},
        held={2: ("rumor", "rumor")},
        tokens={4: "saloon"},
        cards={4: 5000},
        piles={"five_plots": 7},
        duel_tokens=(0, 1),
        saloon=4,
        star=2,
    )

    shown = winchester.public(state)

    assert (shown.star, shown.saloon, shown.boat, shown.locomotive) == (2, 4000, "r1", "t1")
    assert shown.seats[2].plots == (3, 9)
    assert shown.seats[2].held == {"movement": 0, "saloon": 0, "rumor": 2}
    assert [seat.duel_token for seat in shown.seats] == [True, True, False, False]
    assert [plot.number for plot in shown.plots if plot.owner == 2] == [3, 9]
    printed = {"terrain": "desert", "river": False, "rails": False, "mine": True, "ranch": False}
    lying = {"owner": None, "token": "saloon", "card": True}
    assert shown.plots[3] == PlotView(4, **lying, **printed)
    assert [plot.number for plot in shown.plots if plot.card] == [4]
    assert shown.piles == state.piles
    assert "5000" not in text(shown.plots)


def test_the_standing_bid_and_who_is_left_are_public() -> None:
    """Who bid what, and who passed."""
    state = play(auction(), (0, Bid(3000)), (1, Pass())).state

    shown = winchester.public(state).auction

    assert shown is not None
    assert (shown.kind, shown.plot, shown.standing, shown.leader) == ("open", 17, 3000, 0)
    assert (shown.inside, shown.may_duel) == ((2, 3, 0), ())


@pytest.mark.parametrize("purse", [0, 3, 8])
def test_no_screen_hints_at_what_somebody_can_afford(purse: int) -> None:
    """Whether the one whose turn it is could outbid shows on nobody else's screen."""
    rich = auction(inside=(1, 0), standing=3, leader=0)
    poor = auction(inside=(1, 0), standing=3, leader=0, cash=(8, purse, 8, 16 - purse))

    for state in (rich, poor):
        assert winchester.to_act(state) == {0, 1}
    assert text(sees(winchester, rich, 0)) == text(sees(winchester, poor, 0))
    assert text(sees(winchester, rich, None)) == text(sees(winchester, poor, None))


@pytest.mark.parametrize(
    ("state", "waiting"),
    [
        (auction(inside=(1, 3), standing=5, leader=3), (1,)),
        (play(sealed(), (1, SubmitBid(0))).state, (0, 2, 3)),
        (position(star=2, claims="players", piles={"five_plots": 3}), (2,)),
        (play(auction(inside=(1, 3), standing=5, leader=3), (3, CallDuel())).state, (0, 2)),
        (
            play(
                auction(inside=(1, 3), standing=5, leader=3), (3, CallDuel()), (0, Shuffle())
            ).state,
            (1, 3),
        ),
        (position(Moving(3, 2)), (2,)),
        (position(Rumor(3, 1)), (1,)),
        (position(Drawing()), ()),
    ],
)
def test_the_display_says_whom_the_table_waits_for(state: State, waiting: tuple[int, ...]) -> None:
    """Not everybody who may do something, but those without whom nothing goes on."""
    shown = winchester.public(state)

    assert shown.waiting_for == waiting
    assert {*waiting} <= {*shown.to_act}


def sold_to(plots: int) -> State:
    """Lay out a table where so many plots are sold, however many tokens were drawn."""
    return position(owned={0: range(1, plots + 1)}, turn=19 if plots < 19 else 20)


@pytest.mark.parametrize(("sold", "tag"), [(18, "next_plot"), (19, "count_up")])
def test_the_end_is_near_when_no_plot_is_left(sold: int, tag: str) -> None:
    """How often a token was drawn is no measure: one may have been drawn in error."""
    public = winchester.public(sold_to(sold))
    asked = display.asked(public)

    assert asked.__struct_config__.tag == tag
    assert asked.turn == sold  # type: ignore[union-attr]  # the auctions held
    doing = phones.idle(public)[0].doing
    assert doing == ("counts_up" if sold == 19 else "draws")


@pytest.mark.parametrize(
    ("box", "asked_for"),
    [
        ({"secret_objectives": "box"}, (True, False)),
        ({"money": "box"}, (False, True)),
        ({"money": "box", "secret_objectives": "box"}, (True, True)),
    ],
)
def test_before_the_count_what_is_owed_is_asked(
    box: dict[str, Any], asked_for: tuple[bool, bool]
) -> None:
    """Objectives, notes, or both: nobody is asked for what the referee knows."""
    state = position(HandingIn((None,) * 4), owned={0: range(1, 20)}, **box)

    asked = display.asked(winchester.public(state))

    assert isinstance(asked, display.TellObjectives)
    assert (asked.objectives, asked.notes) == asked_for


def test_who_counts_up_is_told_of_claims_while_there_are_piles() -> None:
    """With nothing left to claim only the count is asked for."""
    state = position(Between(), owned={0: range(1, 20)})
    assert not state.plots_left

    for piles in (state.piles, ()):
        asked = display.asked(winchester.public(replace(state, piles=piles)))
        assert isinstance(asked, display.CountUp)
        assert asked.may_claim is bool(piles)

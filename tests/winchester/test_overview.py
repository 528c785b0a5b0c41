"""What a phone shows beside its question: what lies open, and what rumors showed its owner."""

from __future__ import annotations

import random
import re

import msgspec
from flask import Flask

from referee.games.winchester import rules as winchester
from referee.games.winchester.actions import Bid, Look, PutBack
from referee.games.winchester.memos import Peek
from referee.games.winchester.model import Moving, Rumor, Sale, State
from referee.games.winchester.overview import Goal, Overview, overview
from referee.games.winchester.view import Own
from tests.sight import other_state
from tests.strategies import sees
from tests.table import Evening
from tests.winchester.positions import RANCH, auction, play, position

SECRETS = {0: ("mines", "rumors"), 1: ("forests", "deserts"), 2: ("prairies", "riverside")}


def shown(state: State, seat: int) -> Overview:
    """Give what a seat's phone shows of the table."""
    public = winchester.public(state)
    own: Own = winchester.own(state, seat)
    legal = winchester.legal_actions(state, seat)
    parts = winchester.screens.seat_parts(public, own, legal, seat, fresh=0)
    found: Overview = parts["overview"]
    return found


def test_ones_plots_and_tokens_and_what_was_paid_newest_first() -> None:
    """The same for everybody but for whose they are; only the newest purchase is told by hand."""
    sales = (Sale(3, 1, 2000, 0, 2000, "auction"), Sale(9, 0, 7000, 2000, 1000, "duel"))
    state = auction(owned={0: (9,), 1: (3,)}, held={0: ("rumor", "saloon")}, duel_tokens=(1,))
    state = msgspec.structs.replace(state, sales=sales)

    found = shown(state, 0)

    assert ([plot.number for plot in found.mine.plots], found.mine.held) == ([9], (0, 1, 1))
    assert (found.mine.has_duel_token, found.prices.left) == (False, 17)
    assert [(sale.plot, sale.buyer, sale.price) for sale in found.prices.sales] == [
        (9, 0, 7000),
        (3, 1, 2000),
    ]
    assert [plot.number for plot in shown(state, 1).mine.plots] == [3]


def test_the_open_objectives_say_how_far_one_is_and_who_is_close() -> None:
    """Close is who lacks one, or none; of a thing that is had or not, nobody is half way there."""
    state = position(
        Moving(3, 2),
        owned={0: (1, 9), 1: (2, 3, 4, 5), 2: (6, 7, 8, 10, 11)},
        piles={"five_plots": 3, "dry_saloon": 6},
        dry=(2,),
    )

    assert shown(state, 0).goals.all == (
        Goal("five_plots", 3000, 5, 2, ((2, 5), (1, 4))),
        Goal("dry_saloon", 6000, 1, 0, ((2, 1),)),
    )
    assert shown(state, 2).goals.all[0] == Goal("five_plots", 3000, 5, 5, ((1, 4),))


def test_where_people_claim_by_themselves_no_phone_says_who_is_close() -> None:
    """Noticing it is their part; the conditions are shown all the same."""
    state = position(claims="players", owned={1: (1, 2, 3, 4)}, piles={"five_plots": 3})

    assert [shown(state, seat).goals.all for seat in range(2)] == [
        (Goal("five_plots", 3000, 5, None, ()),)
    ] * 2


def test_a_bid_sends_none_of_it_anew() -> None:
    """What lies open changes with a sale, and not with what somebody is asked."""
    bidding = auction(inside=(1, 2), standing=2, leader=2)
    outbid = winchester.apply(bidding, 1, Bid(3000)).state

    assert [shown(bidding, seat) for seat in (0, 1, 2)] == [shown(outbid, n) for n in (0, 1, 2)]


def test_nothing_of_it_hangs_on_a_secret() -> None:
    """Two tables that differ in purses and cards show the same, to whomever."""
    poor = position(cash=(1, 9, 9, 9), secrets=SECRETS, cards={3: 1000}, owned={0: (3,)})
    rich = position(cash=(9, 1, 9, 9), secrets={}, cards={3: 5000}, owned={0: (3,)})

    assert shown(poor, 1) == shown(rich, 1)
    assert overview(winchester.public(poor), 0) == overview(winchester.public(rich), 0)


def looked(*cards: str) -> State:
    """Let seat 0 look at cards, each by a rumor of its own."""
    state = position(secrets=SECRETS, cards={3: 1000, RANCH: 7000}, turn=3)
    for card in cards:
        state = msgspec.structs.replace(state, phase=Rumor(1, 0))
        state = play(state, (0, Look(card)), (0, PutBack())).state
    return state


def test_what_rumors_showed_can_be_looked_up_again_by_whoever_saw_it() -> None:
    """The last one first; nobody else's view has anything of it, and neither has the display's."""
    state = looked("secret:1:0", "mine:3", "secret:1:0")

    assert winchester.own(state, 0).memo == (
        Peek("secret:1:0", "forests", None),
        Peek("mine:3", None, 1000),
    )
    assert [winchester.own(state, seat).memo for seat in (1, 2, 3)] == [()] * 3
    assert "mine:3" not in msgspec.json.encode(sees(winchester, state, None)).decode()


def test_what_somebody_saw_stays_theirs_though_the_look_is_taken_back() -> None:
    """Nobody can forget it; the table agreed to take the turn back, and not the memory."""
    before = position(secrets=SECRETS, cards={3: 1000, RANCH: 7000}, turn=3)
    taken_back = winchester.remember(before, looked("mine:3"))

    assert winchester.own(taken_back, 0).memo == (Peek("mine:3", None, 1000),)
    assert winchester.own(taken_back, 1).memo == ()


def test_a_card_that_was_turned_since_is_no_rumor_any_more() -> None:
    """It lies open then, or is back in the box."""
    state = looked("ranch", "mine:3")
    turned = msgspec.structs.replace(state, ranch_card=None)

    assert [peek.card for peek in winchester.own(turned, 0).memo] == ["mine:3"]


def test_phones_draw_it_and_secrets_stay_behind_the_bar(app: Flask) -> None:
    """The memo is held to be looked at, like cash; the rest is there for whoever waits.

    In the first turn the bar says what to look at; later it says no more than that one may.
    """
    evening = Evening(app, seats=3).start()
    first = evening.phones[1].get(evening.seat(1)).text
    assert 'class="peek-btn" type="button" data-new' in first
    evening.play(random.Random(4), most=60)
    with other_state(evening, looked("secret:1:0", "mine:3")):
        pages = [evening.phones[seat].get(evening.seat(seat)).text for seat in range(3)]
    assert "data-new" not in pages[0]
    overviews = [
        re.search(r'<section class="overview.*?</section>', page, re.DOTALL) for page in pages
    ]
    assert all("No plot yet." in found[0] for found in overviews if found)
    assert [page.count("Rumors showed you:") for page in pages] == [1, 0, 0]
    assert pages[0].index('class="peek-secret"') < pages[0].index("Rumors showed you:")
    assert all("Rumors" not in found[0] for found in overviews if found)
    assert None not in overviews

"""What a phone shows beside its question: what lies open, and how the turn stands."""

from __future__ import annotations

import random
import re
from typing import Any

from flask import Flask

from referee.games.desperados import maps
from referee.games.desperados import rules as desperados
from referee.games.desperados.model import State
from referee.games.desperados.overview import Overview
from tests.desperados.hidden import shuffle
from tests.desperados.positions import GREGOR, MATTHIAS, PATRICK, evening, examine
from tests.table import Evening


def parts(state: State, seat: int) -> dict[str, Any]:
    """Give what a seat's phone shows."""
    public, own = desperados.public(state), desperados.own(state, seat)
    legal = desperados.legal_actions(state, seat)
    found: dict[str, Any] = desperados.screens.seat_parts(public, own, legal, seat, fresh=0)
    return found | desperados.screens.common_parts(public)


ROUTES = {MATTHIAS: "saloon", GREGOR: "saloon", PATRICK: "saloon"}


def test_everybody_sees_the_map_the_riders_and_the_loot() -> None:
    """One value for all phones; a page hides the map of whoever has a choice with its own."""
    state = examine(evening(ROUTES), 1)[-1].state
    public = desperados.public(state)

    waiting, busy = parts(state, GREGOR), parts(state, MATTHIAS)

    assert isinstance(waiting["overview"], Overview)
    assert (waiting["overview"], waiting["lying"]) == (busy["overview"], busy["lying"])
    assert waiting["lying"] == maps.layers(maps.draw(public), "lying")
    assert [row.ride.turned for row in waiting["overview"].riders] == [("saloon",)] * 5
    assert waiting["overview"].standing.goal == public.goal


def test_what_lies_open_is_the_same_whatever_is_planned() -> None:
    """Other routes, hands and tiles: not a byte of it differs."""
    state = examine(evening(ROUTES), 1)[-1].state
    other = shuffle(state, GREGOR, random.Random(1))

    here, there = parts(state, GREGOR), parts(other, GREGOR)
    assert (here["overview"], here["lying"]) == (there["overview"], there["lying"])


def test_the_veil_covers_no_gang_of_which_nobody_has_laid_a_card(app: Flask) -> None:
    """Before the first card all of it is public; a card that was laid is covered soon after."""
    table = Evening(app, game="desperados", seats=3).start()
    table.play(random.Random(2), until="laying")
    gang = [
        seat
        for seat in range(3)
        if desperados.own(table.table.ledger.state, seat).role == "desperado"
    ]
    before = parts(table.table.ledger.state, gang[0])["gang"]
    page = table.phones[gang[0]].get(table.seat(gang[0])).text
    table.play(random.Random(2), until="acting")
    after = parts(table.table.ledger.state, gang[0])["gang"]
    assert (before.is_on, before.is_secret) == (True, False)
    assert (after.is_on, after.is_secret) == (True, True)
    assert "data-laid" in page


def test_the_first_turn_says_once_where_the_secret_is(app: Flask) -> None:
    """The Marshal has tiles to look at, a desperado its way once a card lies there."""
    table = Evening(app, game="desperados", seats=3).start()
    table.play(random.Random(2), until="riding")
    state = table.table.ledger.state
    marshal = desperados.public(state).marshal
    new = [parts(state, seat)["own"].is_new for seat in range(3)]
    assert new == [seat == marshal for seat in range(3)]
    table.play(random.Random(2), until="acting")
    state = table.table.ledger.state
    assert [parts(state, seat)["own"].is_new for seat in range(3)] == [True] * 3


def test_no_route_of_the_ceremony_covers_a_name(app: Flask) -> None:
    """Each name is there once, and comes after the routes: it lies over them."""
    table = Evening(app, game="desperados", seats=3).start()
    table.play(random.Random(2))
    html = table.laptop.get(f"/t/{table.code}").text
    maps = re.findall(r'<svg class="country" data-step-at="[1-9]".*?</svg>', html, re.DOTALL)
    assert len(maps) == 5
    for drawn in maps:
        assert drawn.count(">El Paso</text>") == 1
        assert drawn.rindex('class="way"') < drawn.index(">El Paso</text>")

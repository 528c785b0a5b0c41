"""What the display, the Marshal and each desperado see; more of it in the contract's blindness."""

from __future__ import annotations

from typing import Any

import msgspec

from referee.games.desperados import rules as desperados
from referee.games.desperados.actions import Declare, LayAny, LayCard, Next, PlaceDiscs
from referee.games.desperados.model import Acting, Activity, Laying, Out, Riding, State
from referee.games.desperados.own import Seen
from tests.desperados.positions import (
    GREGOR,
    LEON,
    MATTHIAS,
    PATRICK,
    SABINE,
    evening,
    examine,
    laid,
    play,
    position,
)
from tests.strategies import sees


def bytes_of(state: State, viewer: int | None) -> bytes:
    """Give a viewer's view as it is sent."""
    return msgspec.json.encode(sees(desperados, state, viewer))


def test_the_display_has_all_that_lies_open() -> None:
    """Pawns, Sheriffs, coaches, discs, tiles, counts; no card and no value."""
    game = Activity("poker", "Globe", 1, 0, (GREGOR, LEON))
    state = position(
        Riding(("Aztec",) * 4),
        turn=2,
        move=2,
        coaches=("Globe", "Aztec"),
        activities=(game,),
        routes={0: "saloon", 1: "Globe", 2: "Gallup", 3: "Payson", 4: "Globe"},
        tiles={"Payson": None},
    )
    public = desperados.public(state)

    assert (public.phase, public.turn, public.move) == ("riding", 2, 2)
    assert public.to_act == public.waiting_for == (MATTHIAS,)
    assert [seat.pawn for seat in public.seats] == ["St. Johns"] * 5
    assert [seat.laid for seat in public.seats] == [1] * 5
    assert [seat.disc for seat in public.seats] == [None, "poker", None, None, "poker"]
    assert [seat.turned for seat in public.seats] == [()] * 5
    assert [(coach.city, coach.is_held) for coach in public.coaches] == [
        ("Globe", False),
        ("Aztec", False),
    ]
    assert public.coaches[0].stops[2] == "Globe"
    assert public.coaches[1].stops[0] == "Los Lunas"
    assert (public.activities[0].needed, public.activities[0].spare) == (1, 1)
    assert [tile.city for tile in public.tiles if not tile.lies] == ["Payson"]
    assert (public.bank_stack, public.coach_stack) == (7, 10)
    assert (public.taken, public.goal) == (0, 16_000)
    assert public.practice
    assert len([tile for tile in public.tiles if tile.kind == "bank"]) == 5


def test_who_has_laid_a_card_is_public_and_nothing_else() -> None:
    """Whichever card it is, everybody but those who share the plan sees the same."""
    state = play(position(), (MATTHIAS, LayCard("Globe"))).state
    one = play(state, (GREGOR, LayCard("Gallup"))).state
    other = play(state, (GREGOR, LayCard("saloon"))).state

    assert [seat.has_laid for seat in desperados.public(one).seats] == [True, True] + [False] * 3
    assert bytes_of(one, None) == bytes_of(other, None)
    assert bytes_of(one, MATTHIAS) == bytes_of(other, MATTHIAS)
    assert bytes_of(one, LEON) != bytes_of(other, LEON)


def test_the_gang_does_not_see_the_marshals_way() -> None:
    """Nor does the display."""
    one = play(position(), (MATTHIAS, LayCard("Globe"))).state
    other = play(position(), (MATTHIAS, LayCard("saloon"))).state

    for viewer in (None, GREGOR, PATRICK, SABINE, LEON):
        assert bytes_of(one, viewer) == bytes_of(other, viewer)
    assert bytes_of(one, MATTHIAS) != bytes_of(other, MATTHIAS)


def test_the_marshal_may_look_at_the_banks_at_any_time() -> None:
    """And at nothing else that lies face down."""
    state = position()
    own = desperados.own(state, MATTHIAS)

    assert own.role == "marshal"
    assert {seen.city for seen in own.tiles} == {*state.board.banks}
    assert Seen("Socorro", 2600) in own.tiles
    assert desperados.own(state, GREGOR).tiles == ()
    assert own.mates == ()


def test_a_desperado_sees_own_and_shared_plans() -> None:
    """Where each of the gang would be, while their pawns have not moved."""
    state = position(
        Laying(),
        move=2,
        routes={0: "Globe", 1: "Gallup", 2: "Payson, saloon", 3: "Globe", 4: "Globe"},
        hidden=(False, False, False, True, False),
    )
    own = desperados.own(state, GREGOR)

    assert own.role == "desperado"
    assert (own.route, own.at, own.is_broken) == (laid("Gallup"), "Gallup", False)
    assert len(own.hand) == 19
    assert "Gallup" not in own.hand
    assert [mate.seat for mate in own.mates] == [PATRICK, SABINE, LEON]
    assert [mate.at for mate in own.mates] == ["Payson", None, "Globe"]
    assert own.mates[1].is_hidden


def test_a_hidden_plan_stays_hidden_even_when_it_has_nothing_to_do() -> None:
    """Whether something could be done where they are would tell where that is."""
    routes = {0: "saloon", 1: "saloon", 2: "saloon", 3: "saloon"}
    hidden = (False, False, True, False, False)
    table: dict[str, Any] = {
        "pawns": ("Tucson",) * 5,
        "tiles": {"Tucson": None},
        "hidden": hidden,
    }
    dull = position(Acting((None,) * 5), routes=routes | {4: "saloon"}, **table)
    lively = position(Acting((None,) * 5), routes=routes | {2: "Globe", 4: "saloon"}, **table)

    assert bytes_of(dull, LEON) == bytes_of(lively, LEON)
    undecided = [mate.seat for mate in desperados.own(dull, LEON).mates if mate.is_undecided]
    assert undecided == [PATRICK]


def test_whom_the_table_waits_for_tells_nothing_of_the_gang() -> None:
    """All of them are asked until one says that they are done."""
    routes = dict.fromkeys(range(5), "saloon")
    state = position(Acting((None,) * 5), routes=routes)
    decided = play(state, *[(seat, Declare("nothing")) for seat in (GREGOR, PATRICK)]).state

    assert desperados.public(state).waiting_for == (GREGOR, PATRICK, SABINE, LEON)
    assert desperados.public(decided) == desperados.public(state)
    for seat in range(5):
        expected = () if seat == MATTHIAS else (PlaceDiscs(),)  # the host sees no plans
        assert desperados.stand_in(decided, seat) == expected


def test_the_host_needs_no_secret_to_stand_in() -> None:
    """In the open part of a move, for a card, and in the examination."""
    riding = position()
    assert desperados.stand_in(riding, MATTHIAS)[-1] == LayAny()
    assert desperados.stand_in(riding, GREGOR) == ()
    assert desperados.stand_in(evening({}), MATTHIAS) == (Next(0),)


def test_the_examination_is_shown_step_by_step() -> None:
    """Cards that were turned, who is out, and where the pawns stand now."""
    state = evening(
        {MATTHIAS: "saloon, Globe, Payson", GREGOR: "Globe, saloon, Payson"},
        pawns=("Tucson", "Silver City", "Aztec", "Aztec", "Aztec"),
    )
    first, second, third = (step.state for step in examine(state, 3))

    assert desperados.public(state).examined == 0
    assert desperados.public(first).seats[GREGOR].turned == ("Globe",)
    assert desperados.public(second).seats[GREGOR].out == Out("arrested", 2)
    view = desperados.public(third)
    assert view.examined == 3
    assert view.seats[GREGOR].turned == ("Globe", "saloon")
    assert len(view.seats[MATTHIAS].turned) == 3
    assert view.seats[MATTHIAS].out == Out("impossible", 3)
    assert view.seats[MATTHIAS].pawn == "Globe"

"""A move: coaches, Sheriffs in the open, and everybody's card face down."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.base import Outcome
from referee.games.desperados import rules as desperados
from referee.games.desperados.actions import (
    Declare,
    HidePlan,
    LayAny,
    LayCard,
    MoveSheriff,
    Next,
    PlaceDiscs,
    ShowPlan,
)
from referee.games.desperados.events import CardLaid, MoveBegun, MoveClosed, SheriffMoved, TurnBegun
from referee.games.desperados.facts import learn
from referee.games.desperados.model import Acting, Activity, Laid, Laying, Riding, State, replace
from referee.games.desperados.trails import trail
from tests.desperados.positions import (
    GREGOR,
    LEON,
    MATTHIAS,
    PATRICK,
    SABINE,
    SURVEYED,
    cards,
    evening,
    examine,
    laid,
    lay_all,
    lay_drawn,
    play,
    position,
)
from tests.steps import find, refusal
from tests.strategies import sees

GANG = frozenset((GREGOR, PATRICK, SABINE, LEON))


def legal(state: State, seat: int, kind: type[Any]) -> list[Any]:
    """Give a seat's legal actions of a kind."""
    return [action for action in desperados.legal_actions(state, seat) if isinstance(action, kind)]


# Coaches


def test_coaches_move_one_stop_in_each_move() -> None:
    """Brown along its schedule; blue runs in the second turn what brown ran in the first."""
    state = position(Acting((None,) * 5), turn=2, move=1, coaches=("St. Johns", "Santa Fe"))
    step = play(state, (GREGOR, PlaceDiscs()))
    assert step.state.coaches == ("Globe", "Aztec")
    assert find(step.events, MoveBegun) == [MoveBegun(2, "Globe", "Aztec", ())]
    state = replace(state, move=4, coaches=("Payson", "Tuba City"))
    assert play(state, (GREGOR, PlaceDiscs())).state.coaches == ("Flagstaff", "Gallup")


def test_a_coach_with_discs_on_it_stays() -> None:
    """The other one goes on; and in the next turn both begin where their schedules do."""
    robbed = Activity("brown", "Globe", 2, 0, (GREGOR,))
    state = position(
        Acting((None,) * 5), turn=2, move=2, coaches=("Globe", "Aztec"), activities=(robbed,)
    )
    step = play(state, (GREGOR, PlaceDiscs()))
    assert find(step.events, MoveBegun) == [MoveBegun(3, "Globe", "Shiprock", ("brown",))]

    closed = evening({}, turn=2, coaches=("Globe", "Gallup"), activities=(robbed,))
    step = examine(closed, 7)[-1]
    assert find(step.events, TurnBegun) == [TurnBegun(3, "Flagstaff", "Gallup")]
    assert step.state.coaches == ("Gallup", "St. Johns")
    assert step.state.activities == ()


def test_the_blue_coach_enters_in_the_second_turn() -> None:
    """At the start of the schedule that brown ran first, and blue follows its own side."""
    blue = "Los Lunas>Socorro>Salem>Silver City>St. Johns>Globe"
    board = learn(position().board, (("schedule:blue:S1", blue),))
    step = examine(evening({}, coaches=("Gallup", None), board=board), 7)[-1]

    assert find(step.events, TurnBegun) == [TurnBegun(2, "Gallup", "Los Lunas")]
    assert step.state.coaches == ("St. Johns", "Socorro")


# Sheriffs


def test_a_sheriff_moves_along_one_road() -> None:
    """The rulebook's: from Globe to Tucson or Silver City, but not to Tombstone; or not at all."""
    state = position(sheriffs=("Globe", "Aztec", "Aztec", "Aztec"))
    offered = {a.city for a in legal(state, MATTHIAS, MoveSheriff) if a.sheriff == 0}
    assert offered == {"Tucson", "Silver City", "St. Johns", "Sweet Water"}
    assert refusal(lambda: play(state, (0, MoveSheriff(0, "Tombstone")))) == "no_road"

    step = play(state, (MATTHIAS, MoveSheriff(0, "Silver City")))
    assert step.events == (SheriffMoved(0, "Globe", "Silver City"),)
    again = {a.city for a in legal(step.state, MATTHIAS, MoveSheriff) if a.sheriff == 0}
    assert again == {"Tucson", "Globe", "St. Johns", "Sweet Water"}
    step = play(step.state, (MATTHIAS, MoveSheriff(0, "Globe")))
    assert step.state == state


def test_sheriffs_stand_once_the_marshals_card_lies() -> None:
    """And nobody else moves them."""
    state = position()
    assert refusal(lambda: play(state, (GREGOR, MoveSheriff(0, "Shiprock")))) == "not_your_turn"
    state = play(state, (MATTHIAS, LayCard("saloon"))).state
    assert refusal(lambda: play(state, (MATTHIAS, MoveSheriff(0, "Shiprock")))) == "not_your_turn"


def test_a_sheriff_on_a_new_road_shows_it_to_all() -> None:
    """The move is open, so the road is learnt at once."""
    state = position(board=SURVEYED, pawns=("Globe",) * 5)
    step = play(state, (MATTHIAS, MoveSheriff(0, "Gallup", confirmed=True)))

    assert step.learnt == (("road:Aztec-Gallup", "yes"),)
    assert ("Aztec", "Gallup") in step.state.board.roads
    assert refusal(lambda: play(state, (0, MoveSheriff(0, "Gallup")))) == "no_road"


# Cards


def test_five_hidden_moves_during_one_turn() -> None:
    """The rulebook's: a card on the table is not played again in this turn, the saloon included."""
    state = position(pawns=("Tuba City",) * 5, move=4, routes={0: "Gallup, St. Johns, saloon"})
    assert cards(state, MATTHIAS) == {"Globe", "Socorro", "Silver City", "Payson", "Flagstaff"}
    assert refusal(lambda: play(state, (0, LayCard("Gallup")))) == "card_on_table"
    assert refusal(lambda: play(state, (0, LayCard("saloon")))) == "card_on_table"
    assert refusal(lambda: play(state, (0, LayCard("Aztec")))) == "no_road"

    step = play(state, (MATTHIAS, LayCard("Globe")))
    assert trail(step.state, MATTHIAS).at == "Globe"
    assert step.state.pawns[MATTHIAS] == "Tuba City"
    last = position(
        pawns=("Tuba City",) * 5, move=5, routes={0: "Gallup, St. Johns, saloon, Globe"}
    )
    assert "Tucson" in cards(last, MATTHIAS)


def test_a_card_lost_to_an_arrest_is_gone_for_good() -> None:
    """That city cannot be entered any more."""
    state = position(Laying(), lost={GREGOR: ("Globe", "Payson")}, routes={0: "saloon"})

    assert cards(state, GREGOR) == {"saloon", "Flagstaff", "Gallup", "Silver City", "Socorro"}
    assert refusal(lambda: play(state, (GREGOR, LayCard("Globe")))) == "card_lost"


def test_the_gang_waits_for_the_marshal() -> None:
    """He plays first; they see where the Sheriffs went."""
    state = position()

    assert desperados.to_act(state) == {MATTHIAS}
    assert desperados.legal_actions(state, GREGOR) == ()
    assert refusal(lambda: play(state, (GREGOR, LayCard("saloon")))) == "not_your_turn"


def test_the_last_card_closes_the_move() -> None:
    """Until then everybody may change theirs, the Marshal too; afterwards nobody."""
    state = play(position(), (MATTHIAS, LayCard("Globe")), (GREGOR, LayCard("Globe"))).state
    assert desperados.to_act(state) == {0, 1, 2, 3, 4}
    assert desperados.public(state).waiting_for == (PATRICK, SABINE, LEON)
    changed = play(state, (MATTHIAS, LayCard("Payson"))).state
    assert changed.routes[MATTHIAS] == laid("Payson")
    assert refusal(lambda: play(changed, (0, LayCard("Payson")))) == "already_there"

    step = play(changed, *[(seat, LayCard("saloon")) for seat in (PATRICK, SABINE, LEON)])
    assert step.events == (CardLaid(LEON), MoveClosed(1))
    assert step.reveals
    assert isinstance(step.state.phase, Acting)
    for seat in range(5):
        assert refusal(lambda s=seat: play(step.state, (s, LayCard("Gallup")))) == "not_your_turn"


def test_nobody_notices_a_change_who_may_not_see_the_plan() -> None:
    """The gang sees a shared plan change; nobody else sees the Marshal's or a hidden one."""
    state = play(position(), (MATTHIAS, LayCard("Globe")), (GREGOR, LayCard("Globe"))).state

    step = play(state, (GREGOR, LayCard("Payson")))
    assert (step.audience, step.events, step.secret) == (GANG, (), True)
    assert play(state, (MATTHIAS, LayCard("Payson"))).audience == {MATTHIAS}
    hidden = play(state, (GREGOR, HidePlan()))
    assert hidden.audience == GANG
    assert play(hidden.state, (GREGOR, LayCard("Payson"))).audience == {GREGOR}


def test_a_plan_is_shared_until_its_owner_hides_it() -> None:
    """With the gang alone; it stays hidden in the next moves, until it is shown again."""
    state = play(position(), (MATTHIAS, LayCard("Globe")), (GREGOR, LayCard("Gallup"))).state
    mate = desperados.own(state, LEON).mates[0]
    assert (mate.seat, mate.route, mate.at) == (GREGOR, laid("Gallup"), "Gallup")

    hidden = play(state, (GREGOR, HidePlan())).state
    mate = desperados.own(hidden, LEON).mates[0]
    assert (mate.is_hidden, mate.route, mate.at) == (True, None, None)
    for viewer in (None, MATTHIAS):
        assert sees(desperados, state, viewer) == sees(desperados, hidden, viewer)
    assert refusal(lambda: play(hidden, (GREGOR, HidePlan()))) == "already_so"
    assert refusal(lambda: play(hidden, (MATTHIAS, HidePlan()))) == "not_your_turn"
    assert play(hidden, (GREGOR, ShowPlan())).state == state


def test_a_card_for_somebody_absent_is_drawn() -> None:
    """Any that surely fits, each as likely; that one was drawn only who sees the plan notices."""
    state = position(Laying(), move=2, routes={0: "saloon, Globe", 1: "saloon", 2: "Gallup"})
    assert desperados.stand_in(state, GREGOR) == (LayAny(),)
    assert desperados.stand_in(state, MATTHIAS) == ()
    assert refusal(lambda: play(state, (MATTHIAS, LayAny()))) == "already_there"

    step = desperados.apply(state, GREGOR, LayAny())
    assert step.events == (CardLaid(GREGOR),)
    assert (step.audience, step.secret) == (None, True)
    (need,) = step.needs
    pool = need.pools[0]
    assert {*pool.items} == {"Flagstaff", "Gallup", "Globe", "Payson", "Silver City", "Socorro"}
    for card in pool.items:
        drawn = desperados.chance(step.state, Outcome("card", {"card": (card,)}))
        assert drawn.state.routes[GREGOR] == laid(f"saloon, {card}")
        assert (drawn.audience, drawn.events, drawn.secret) == (GANG, (), True)
    other = desperados.apply(state, PATRICK, LayAny())
    assert other.needs[0].number != need.number


def test_no_card_is_drawn_that_nobody_owes() -> None:
    """An outcome that is not owed is refused."""
    drawn = Outcome("card", {"card": ("Globe",)})
    assert refusal(lambda: desperados.chance(position(), drawn)) == "not_owed"


# Nowhere to go, and roads nobody knows


def test_who_cannot_go_on_plays_any_card() -> None:
    """And is judged so in the examination."""
    neighbours = ("Flagstaff", "Gallup", "Globe", "Payson", "Silver City")
    state = position(
        Laying(), move=2, lost={GREGOR: (*neighbours, "Socorro")}, routes={0: "saloon", 1: "saloon"}
    )
    offered = cards(state, GREGOR)
    assert len(offered) == 20 - 6 - 1
    assert "Aztec" in offered

    own = desperados.own(play(state, (GREGOR, LayCard("Aztec"))).state, GREGOR)
    assert (own.at, own.is_broken) == ("St. Johns", True)
    later = position(Laying(), move=2, routes={0: "saloon", 1: "Aztec"})
    assert len(cards(later, GREGOR)) == 19


def test_an_unknown_road_has_to_be_confirmed() -> None:
    """On the phone of who plans it; nobody is told before the card is turned."""
    state = position(Laying(), board=SURVEYED, routes={0: "saloon"}, pawns=("Socorro",) * 5)
    assert {"Salem", "Los Lunas", "St. Johns", "La Luz?"} <= cards(state, GREGOR)
    assert "La Luz" not in cards(state, GREGOR)
    assert refusal(lambda: play(state, (GREGOR, LayCard("La Luz")))) == "no_road"

    step = play(state, (GREGOR, LayCard("La Luz", confirmed=True)))
    assert step.learnt == ()
    assert step.state.board == SURVEYED
    assert trail(step.state, GREGOR).at == "La Luz"
    assert "La Luz?" in cards(step.state, PATRICK)


def test_a_road_known_not_to_be_there_is_not_offered() -> None:
    """Neither on a map that is complete."""
    no_road = learn(SURVEYED, (("road:La Luz-Socorro", "no"),))
    state = position(Laying(), board=no_road, routes={0: "saloon"}, pawns=("Socorro",) * 5)
    assert "La Luz?" not in cards(state, GREGOR)
    whole = desperados.answer(state, (("map", "complete"),)).state
    assert cards(whole, GREGOR) == {"saloon", "Salem", "Los Lunas", "St. Johns"}


def test_without_a_sure_way_an_impossible_card_may_be_played() -> None:
    """Somebody who sees on the board that there is no other road has to play something."""
    state = position(
        Laying(),
        board=SURVEYED,
        move=2,
        pawns=("Socorro",) * 5,
        routes={0: "saloon", 1: "saloon"},
        lost={1: ("Salem", "Los Lunas", "St. Johns")},
    )
    offered = cards(state, GREGOR)

    assert {"Tucson", "Tucson?"} <= offered
    after = play(state, (GREGOR, LayCard("Tucson"))).state
    assert trail(after, GREGOR).is_broken
    assert after.routes[GREGOR][-1] == Laid("Tucson")


# Order of things


@pytest.mark.parametrize("action", [Declare("nothing"), PlaceDiscs(), Next(0)])
def test_nothing_is_done_before_its_time(action: Any) -> None:
    """The gang acts after the move, the examination comes after the fifth."""
    for state in (position(), position(Laying(), routes={0: "saloon"})):
        for seat in range(5):
            assert refusal(lambda s=state, i=seat: play(s, (i, action))) == "not_your_turn"


def test_a_move_after_the_other_until_the_examination() -> None:
    """Five times ride, lay, act."""
    state = position()
    for move in range(1, 6):
        assert (state.phase, state.move) == (Riding(state.sheriffs), move)
        line = "Gallup, Gallup, Globe, Payson, Socorro" if move == 1 else ""
        step = lay_all(state, line) if line else lay_drawn(state)
        state = play(step.state, (LEON, PlaceDiscs())).state

    assert desperados.public(state).phase == "examining"
    assert desperados.to_act(state) == {MATTHIAS}

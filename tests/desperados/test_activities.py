"""Poker, coaches and spying: declared among the gang, then placed together."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.desperados import rules as desperados
from referee.games.desperados.actions import Correction, Declare, PawnAt, PlaceDiscs
from referee.games.desperados.activities import Plan
from referee.games.desperados.events import BankSpied, DiscsPlaced, GangDone
from referee.games.desperados.model import (
    CITIES,
    UNSEEN,
    Acting,
    Activity,
    Returned,
    Riding,
    State,
)
from tests.desperados.positions import (
    GREGOR,
    LEON,
    MATTHIAS,
    PATRICK,
    SABINE,
    SURVEYED,
    play,
    position,
)
from tests.steps import find, refusal
from tests.strategies import sees

GANG = frozenset((GREGOR, PATRICK, SABINE, LEON))


def salem(**changed: Any) -> State:
    """Lay out the rulebook's move: coach, poker tile and Sheriff in Salem, a Sheriff at the bank.

    Gregor comes from Socorro, Patrick from La Luz, Sabine stays, Leon comes from Globe. Its coach
    is not where the schedules can bring it.
    """
    table: dict[str, Any] = {
        "pawns": ("Tucson", "Socorro", "La Luz", "Salem", "Globe"),
        "routes": {0: "saloon", 1: "Salem", 2: "Salem", 3: "saloon", 4: "Silver City"},
        "sheriffs": ("Salem", "Silver City", "Aztec", "Aztec"),
        "coaches": ("Salem", None),
    }
    return position(Acting((None,) * 5), **(table | changed))


def offered(state: State, seat: int) -> set[str]:
    """Name what a desperado may declare, beside nothing."""
    legal = desperados.legal_actions(state, seat)
    choices = {action.choice for action in legal if isinstance(action, Declare)}
    return choices - {"nothing"}


def declare(state: State, **choices: str) -> State:
    """Let the gang declare: by seat, "s1" and so on."""
    moves = [(int(seat[1:]), Declare(choice)) for seat, choice in choices.items()]
    return play(state, *moves).state


def test_the_desperadoes_move_of_the_rulebook() -> None:
    """Three discs on the coach against one Sheriff, one of them a reserve; Leon spies alone."""
    state = declare(salem(), s1="brown", s2="brown", s3="brown", s4="spy")
    step = play(state, (PATRICK, PlaceDiscs()))

    assert find(step.events, DiscsPlaced) == [
        DiscsPlaced("brown", "Salem", (GREGOR, PATRICK, SABINE), 2)
    ]
    assert find(step.events, BankSpied) == [BankSpied(LEON, "Silver City")]
    assert step.state.activities == (Activity("brown", "Salem", 1, 1, (GREGOR, PATRICK, SABINE)),)
    assert desperados.public(step.state).activities[0].spare == 1
    (seen,) = desperados.own(step.state, LEON).tiles
    assert (seen.city, seen.value) == ("Silver City", 2300)
    assert step.reveals
    assert step.state.loot == ()


def test_what_is_offered_depends_on_where_ones_cards_lead() -> None:
    """Poker and coach in Salem, the bank in Silver City, a coach's city without its tile."""
    state = salem()

    assert {offered(state, seat) == {"poker", "brown"} for seat in (1, 2, 3)} == {True}
    assert offered(state, LEON) == {"spy"}
    assert offered(salem(tiles={"Salem": None}), SABINE) == {"brown"}
    assert offered(salem(coaches=("Salem", "Salem")), SABINE) == {"poker", "brown", "blue"}
    assert refusal(lambda: play(state, (LEON, Declare("poker")))) == "not_here"
    assert refusal(lambda: play(state, (MATTHIAS, Declare("nothing")))) == "not_your_turn"


def test_too_few_discs_are_returned() -> None:
    """Sabine alone against one Sheriff; the gang is told, the Marshal sees no disc."""
    state = declare(salem(), s1="brown", s2="brown", s3="poker")
    step = play(state, (GREGOR, PlaceDiscs()))

    assert [event.venue for event in find(step.events, DiscsPlaced)] == ["brown"]
    assert step.state.returned == (Returned(SABINE, "poker", "Salem"),)
    assert desperados.own(step.state, LEON).returned == step.state.returned
    assert desperados.own(step.state, MATTHIAS).returned == ()
    assert step.state.disc(SABINE) is None
    nobody = play(salem(), (GREGOR, PlaceDiscs()))
    assert find(nobody.events, DiscsPlaced) == []
    assert GangDone(1) in nobody.events


def test_the_gang_sees_beforehand_what_is_enough() -> None:
    """Who is missing where; and who is still undecided."""
    state = declare(salem(), s1="brown", s3="poker")
    own = desperados.own(state, LEON)

    assert own.planned == (
        Plan("brown", "Salem", (GREGOR,), 2),
        Plan("poker", "Salem", (SABINE,), 2),
    )
    assert not any(plan.is_enough for plan in own.planned)
    assert [mate.seat for mate in own.mates if mate.is_undecided] == [PATRICK]
    assert desperados.own(state, MATTHIAS).planned == ()


def test_where_the_gang_is_too_small_nothing_is_offered() -> None:
    """Four Sheriffs cannot be outnumbered by four; by three discs even less."""
    state = salem(sheriffs=("Salem",) * 4)
    assert offered(state, SABINE) == set()
    used = Activity("blue", "Globe", 1, 0, (LEON, PATRICK))
    assert offered(salem(sheriffs=("Salem",) * 2 + ("Aztec",) * 2, activities=(used,)), 3) == set()


def test_a_desperado_has_one_disc_a_turn() -> None:
    """Whoever laid it may still spy, and joins nothing else."""
    used = Activity("blue", "Globe", 1, 0, (SABINE, LEON))
    state = salem(move=2, activities=(used,), routes={3: "saloon", 4: "Silver City"})

    assert offered(state, SABINE) == set()
    assert offered(state, LEON) == {"spy"}


def test_a_disc_that_is_told_to_lie_elsewhere_is_one_disc_all_the_same() -> None:
    """A move that is told anew may lay a disc which a later one, as it was played, lays again."""
    twice = (
        Activity("poker", "Globe", 1, 0, (PATRICK,)),
        Activity("blue", "Globe", 2, 0, (PATRICK,)),
    )
    # Three are left for two Sheriffs.
    guarded = ("Salem",) * 2 + ("Aztec",) * 2
    assert offered(salem(sheriffs=guarded, activities=twice[:1]), SABINE) == {"poker", "brown"}
    assert offered(salem(sheriffs=guarded, activities=twice), SABINE) == {"poker", "brown"}


def test_an_activity_is_joined_only_in_its_own_move() -> None:
    """Ruling: one per coach and per poker tile in a turn."""
    begun = (
        Activity("brown", "Salem", 1, 0, (GREGOR,)),
        Activity("poker", "Salem", 1, 0, (PATRICK,)),
    )
    assert offered(salem(activities=begun), SABINE) == set()
    elsewhere = (Activity("poker", "Globe", 1, 0, (GREGOR,)),)
    assert offered(salem(activities=elsewhere), SABINE) == {"poker", "brown"}


@pytest.mark.parametrize("sheriffs", [0, 4])
def test_a_spy_minds_no_sheriffs(sheriffs: int) -> None:
    """And needs no disc; a bank without a tile has nothing to look at."""
    posted = ("Silver City",) * sheriffs + ("Aztec",) * (4 - sheriffs)
    assert offered(salem(sheriffs=posted), LEON) == {"spy"}
    assert offered(salem(tiles={"Silver City": None}), LEON) == set()


def test_a_spy_looks_by_hand_at_a_boxed_tile() -> None:
    """The phones do not know it; that somebody looked is public all the same."""
    state = salem(preset="boxed", tiles=dict.fromkeys(CITIES, UNSEEN))
    step = play(state, (LEON, Declare("spy")), (LEON, PlaceDiscs()))

    assert BankSpied(LEON, "Silver City") in step.events
    assert desperados.own(step.state, LEON).tiles == ()
    assert desperados.own(step.state, MATTHIAS).tiles == ()


def test_declarations_are_the_gangs_alone() -> None:
    """The Marshal notices nothing before the gang is done, not even when they decide."""
    state = salem()
    for seat, choice in ((GREGOR, "brown"), (PATRICK, "nothing"), (GREGOR, "poker")):
        step = play(state, (seat, Declare(choice)))
        assert (step.events, step.audience, step.secret) == ((), GANG, True)
        for viewer in (None, MATTHIAS):
            assert sees(desperados, step.state, viewer) == sees(desperados, state, viewer)
        assert desperados.to_act(step.state) == GANG
        state = step.state
    assert desperados.own(state, LEON).mates[0].choice == "poker"


def test_a_mind_may_be_changed_until_the_gang_is_done() -> None:
    """The last word counts."""
    state = declare(salem(), s1="brown", s2="brown")
    state = declare(state, s2="nothing")
    step = play(state, (SABINE, PlaceDiscs()))

    assert step.state.activities == ()
    assert step.state.returned == (Returned(GREGOR, "brown", "Salem"),)
    assert isinstance(step.state.phase, Riding)


def test_a_broken_plan_takes_part_in_nothing() -> None:
    """Ruling: nobody can show where they are."""
    state = salem(routes={0: "saloon", 1: "Aztec", 2: "Salem", 3: "saloon", 4: "Silver City"})

    assert offered(state, GREGOR) == set()


def test_what_a_correction_made_impossible_is_not_placed() -> None:
    """Declared in Salem, but the pawn turned out to stand elsewhere."""
    state = declare(salem(), s1="brown", s2="brown", s4="spy")
    pawns = (PawnAt(GREGOR, "Aztec"), PawnAt(LEON, "Aztec"))
    state = desperados.correct(state, Correction(pawns=pawns)).state
    step = play(state, (SABINE, PlaceDiscs()))

    assert step.state.activities == ()
    assert step.state.returned == (Returned(PATRICK, "brown", "Salem"),)
    assert find(step.events, BankSpied) == []


def test_a_city_behind_an_unknown_road_counts_too() -> None:
    """Its discs lie in the open, so everyone sees where their owner is; the road stays unknown."""
    state = position(
        Acting((None,) * 5),
        board=SURVEYED,
        pawns=("Tucson", "Socorro", "Aztec", "Aztec", "Aztec"),
        routes={0: "saloon", 1: "La Luz?", 2: "saloon", 3: "saloon", 4: "saloon"},
    )
    step = play(state, (GREGOR, Declare("poker")), (GREGOR, PlaceDiscs()))

    assert step.state.activities == (Activity("poker", "La Luz", 1, 0, (GREGOR,)),)
    assert step.learnt == ()


def mark(state: State, seat: int = LEON) -> str | None:
    """Give what stands on a phone for all that the gang plans now."""
    found: str | None = desperados.own(state, seat).plan_mark
    return found


def test_the_gang_is_done_with_what_it_saw() -> None:
    """Who saw another plan is refused, of as many discs too; the host sees and says nothing."""
    state = salem()
    joined = play(state, (GREGOR, Declare("poker"))).state
    other = play(state, (GREGOR, Declare("brown"))).state
    assert desperados.legal_actions(joined, LEON) == desperados.legal_actions(state, LEON)
    for seen in (state, other):
        stale = PlaceDiscs(mark(seen))
        assert refusal(lambda action=stale: play(joined, (LEON, action))) == "went_on"
    agreed = play(joined, (LEON, PlaceDiscs(mark(joined))))
    assert agreed.state == play(joined, (LEON, PlaceDiscs())).state
    assert agreed.secret


def test_a_look_at_a_bank_is_part_of_what_is_agreed() -> None:
    """The mark is another one, and the Marshal has none."""
    state = position(
        Acting((None,) * 3),
        pawns=("Aztec", "Socorro", "Socorro"),
        routes=dict.fromkeys(range(3), "saloon"),
    )
    spying = play(state, (1, Declare("spy"))).state
    assert mark(state, 2) != mark(spying, 2)
    assert mark(state, 0) is None
    assert refusal(lambda: play(spying, (2, PlaceDiscs(mark(state, 2))))) == "went_on"

"""Corrections: if the referee and the table disagree, the table wins."""

from __future__ import annotations

from typing import Any, Final

import pytest

from referee.games.desperados import rules as desperados
from referee.games.desperados.actions import (
    CardLost,
    CoachAt,
    Correction,
    DiscAt,
    LootCount,
    MoveSheriff,
    PawnAt,
    SheriffAt,
    TileAt,
)
from referee.games.desperados.events import Corrected, MoveImpossible
from referee.games.desperados.model import (
    UNSEEN,
    Acting,
    Activity,
    Examining,
    FirstSchedule,
    Laying,
    Loot,
    Refilling,
    State,
    Surveying,
    replace,
)
from tests.desperados.positions import (
    GREGOR,
    LEON,
    MATTHIAS,
    PATRICK,
    SURVEYED,
    cards,
    evening,
    examine,
    placing,
    position,
)
from tests.steps import refusal

STAYING: Final = dict.fromkeys(range(5), "saloon")


def correct(state: State, **changed: Any) -> State:
    """Set right and give the state; violations are looked at where they matter."""
    after: State = desperados.correct(state, Correction(**changed)).state
    return after


def test_pawns_sheriffs_and_coaches_are_set() -> None:
    """What lies open on the board as it really is."""
    correction = Correction(
        pawns=(PawnAt(GREGOR, "Aztec"),),
        sheriffs=(SheriffAt(2, "Salem"),),
        coaches=(CoachAt("brown", "Globe"), CoachAt("blue", None)),
    )
    step = desperados.correct(position(), correction)

    assert step.events == (Corrected(correction),)
    assert step.state.pawns[GREGOR] == step.state.starts[GREGOR] == "Aztec"
    assert step.state.sheriffs[2] == "Salem"
    assert step.state.coaches == ("Globe", None)
    moves = desperados.legal_actions(step.state, MATTHIAS)
    assert MoveSheriff(2, "Socorro") in moves
    assert MoveSheriff(2, "Shiprock") not in moves


def test_a_plan_that_became_impossible_is_judged_later() -> None:
    """Nobody is told before the card is turned."""
    planned = replace(evening({GREGOR: "Globe"}), phase=Laying())
    after = correct(planned, pawns=(PawnAt(GREGOR, "Aztec"),))
    assert after.routes == planned.routes
    first = examine(replace(after, phase=Examining(0, (None,) * 5)), 1)[0]

    assert MoveImpossible(GREGOR, "Globe", "Aztec") in first.events


def test_a_pawn_in_the_examination_moves_on_from_there() -> None:
    """Where the turn began stays as it was."""
    state = examine(evening({}), 1)[0].state
    after = correct(state, pawns=(PawnAt(GREGOR, "Aztec"),))

    assert (after.pawns[GREGOR], after.starts[GREGOR]) == ("Aztec", "Tucson")


def test_discs_are_laid_moved_and_taken_back() -> None:
    """Each seat has one; an activity without a disc is none."""
    state = position(activities=(Activity("poker", "Globe", 1, 0, (GREGOR,)),))
    state = correct(state, discs=(DiscAt(PATRICK, "poker", "Globe"),))
    assert state.activities == (Activity("poker", "Globe", 1, 0, (GREGOR, PATRICK)),)

    state = correct(state, discs=(DiscAt(PATRICK, "brown", "Aztec", 2),))
    assert state.activities[1] == Activity("brown", "Aztec", 2, 4, (PATRICK,))
    state = correct(state, discs=(DiscAt(GREGOR), DiscAt(PATRICK)))
    assert state.activities == ()
    assert desperados.violations(state) == ()


def test_loot_and_tiles_are_set_together() -> None:
    """What is taken from a city and kept is the same tile; else the difference is named."""
    state = position()
    value = state.tile("Globe") or 0
    both = correct(state, tiles=(TileAt("Globe", None),), loot=(LootCount("poker", value, 1),))
    assert both.loot == (Loot("poker", value, None, 1),)
    assert desperados.violations(both) == ()
    assert correct(
        both, tiles=(TileAt("Globe", value),), loot=(LootCount("poker", value, 0),)
    ) == replace(state, phase=both.phase)

    assert desperados.violations(correct(state, loot=(LootCount("poker", value, 5),)))
    assert desperados.violations(correct(state, tiles=(TileAt("Globe", None),)))


def test_lost_cards_are_set() -> None:
    """A card that somebody still has, or has not any more."""
    state = position(Laying(), routes={0: "saloon"}, lost={GREGOR: ("Globe",)})
    cities = (CardLost(GREGOR, "Globe", lost=False), CardLost(GREGOR, "Payson", lost=True))
    after = correct(state, cards=cities)

    assert after.lost[GREGOR] == ("Payson",)
    assert "Globe" in cards(after, GREGOR)
    assert "Payson" not in cards(after, GREGOR)


def test_a_fact_about_the_board_is_set_right() -> None:
    """Even a known one; it is learnt for good."""
    facts = (("road:Gallup-St. Johns", "no"), ("road:La Luz-Socorro", "yes"))
    step = desperados.correct(position(board=SURVEYED), Correction(facts=facts))

    assert step.learnt == facts
    assert ("Gallup", "St. Johns") not in step.state.board.roads
    assert ("La Luz", "Socorro") in step.state.board.roads


def test_a_bank_that_is_elsewhere_takes_its_tile_along() -> None:
    """The poker tile comes the other way, and a spy's knowledge goes with the tile."""
    state = position(spied=((), ("Flagstaff",), (), (), ()))
    bank, poker = state.tile("Flagstaff"), state.tile("Globe")
    after = correct(state, facts=(("bank:Flagstaff", "no"), ("bank:Globe", "yes")))

    assert (after.tile("Globe"), after.tile("Flagstaff")) == (bank, poker)
    assert after.spied[GREGOR] == ("Globe",)
    assert desperados.violations(after) == ()


def test_banks_told_by_a_correction_let_the_set_up_go_on() -> None:
    """Just as an answer would."""
    known = replace(SURVEYED, banks=SURVEYED.banks[:4], poker=())
    waiting = placing(board=SURVEYED, first="S1")
    phase = Surveying((UNSEEN,) * 5, (UNSEEN,) * 14)
    state = replace(waiting, phase=phase, board=known, first=None)
    after = correct(state, facts=(("bank:Socorro", "yes"),))

    assert isinstance(after.phase, FirstSchedule)


def test_a_refill_set_by_hand_is_not_asked_again() -> None:
    """One robbed bank was filled on the table; the other follows."""
    phase = Refilling((None,) * 5, ("Santa Fe", "Socorro"))
    state = position(phase, move=5, tiles={"Santa Fe": None, "Socorro": None})
    after = correct(state, tiles=(TileAt("Santa Fe", 2000),))

    assert after.phase == Examining(6, (None,) * 5)
    assert after.tile("Socorro") == state.bank_stack[0]


@pytest.mark.parametrize(
    ("correction", "code"),
    [
        (Correction(pawns=(PawnAt(5, "Globe"),)), "no_such_seat"),
        (Correction(pawns=(PawnAt(-1, "Globe"),)), "no_such_seat"),
        (Correction(discs=(DiscAt(MATTHIAS),)), "no_such_seat"),
        (Correction(cards=(CardLost(MATTHIAS, "Globe", lost=True),)), "no_such_seat"),
        (Correction(sheriffs=(SheriffAt(4, "Globe"),)), "no_such_sheriff"),
        (Correction(discs=(DiscAt(LEON, "poker"),)), "no_such_place"),
        (Correction(discs=(DiscAt(LEON, "poker", "Globe", 6),)), "no_such_move"),
        (Correction(tiles=(TileAt("Globe", 2000),)), "no_such_tile"),
        (Correction(tiles=(TileAt("Socorro", 300),)), "no_such_tile"),
        (Correction(loot=(LootCount("coach", 800, 3),)), "no_such_count"),
        (Correction(loot=(LootCount("coach", 850, 1),)), "no_such_count"),
        (Correction(loot=(LootCount("coach", 800, -1),)), "no_such_count"),
        (Correction(facts=(("bank:Globe", "yes"),)), "wrong_number_of_banks"),
        (Correction(facts=(("weather", "fine"),)), "no_such_fact"),
        (
            Correction(
                cards=tuple(
                    CardLost(LEON, city, lost=True)  # type: ignore[arg-type]
                    for city in ("Aztec", "Globe", "Gallup", "Salem", "Tucson", "Payson")
                )
            ),
            "no_such_count",
        ),
    ],
)
def test_what_is_on_no_table_is_refused(correction: Correction, code: str) -> None:
    """Unknown seats, places, tiles, counts and facts."""
    assert refusal(lambda: desperados.correct(position(), correction)) == code


def test_a_pawn_is_placed_before_it_is_corrected() -> None:
    """Else nobody would be asked to place it."""
    state = placing()
    correction = Correction(pawns=(PawnAt(GREGOR, "Globe"),))

    assert refusal(lambda: desperados.correct(state, correction)) == "not_placed_yet"


def test_the_blue_coach_waits_for_its_schedule() -> None:
    """In the first turn it has none: it stays beside the board, and where an old game put it."""
    state = position(turn=1, coaches=("Flagstaff", None))
    blue = Correction(coaches=(CoachAt("blue", "Globe"),))
    assert refusal(lambda: desperados.correct(state, blue)) == "no_coach_yet"
    assert correct(state, coaches=(CoachAt("blue", None),)).coaches == ("Flagstaff", None)

    put = position(Acting((None,) * 5), turn=1, coaches=("Flagstaff", "Globe"), routes=STAYING)
    after = desperados.apply(put, GREGOR, desperados.legal_actions(put, GREGOR)[-1]).state
    assert after.coaches[1] == "Globe"
    assert correct(position(turn=2), coaches=(CoachAt("blue", "Globe"),)).coaches[1] == "Globe"

"""Corrections: if the referee and the table disagree, the table wins."""

from __future__ import annotations

from typing import Any, Final

import pytest

from referee.games.desperados import rules as desperados
from referee.games.desperados import screens
from referee.games.desperados.actions import (
    CardLost,
    CoachAt,
    Correction,
    DiscAt,
    LootIs,
    LootMore,
    MoveSheriff,
    OutIs,
    PawnAt,
    PlaceDiscs,
    SheriffAt,
    TileAt,
)
from referee.games.desperados.events import BankHeldUp, BankRefilled, Corrected, MoveImpossible
from referee.games.desperados.model import (
    CITIES,
    UNSEEN,
    Acting,
    Activity,
    Examining,
    FirstSchedule,
    Judged,
    Laying,
    Loot,
    Out,
    Post,
    Refilling,
    State,
    Surveying,
    put_tile,
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


POSTS: Final = (
    Post(("Aztec", "Aztec", "Globe", "Globe"), ("Santa Fe", None)),
    Post(("Aztec", "Aztec", "Aztec", "Globe"), ("Aztec", None)),
    Post(("Aztec",) * 4, ("Shiprock", None)),
)
"""The third move is closed, and Sheriffs have left Globe one by one."""


def third_move(**changed: Any) -> State:
    """Lay out a table in whose third move the gang decides."""
    whole: dict[str, Any] = {"move": 3, "posts": POSTS, "coaches": ("Shiprock", None)} | changed
    return position(Acting((None,) * 5), **whole)


def test_discs_are_laid_moved_and_taken_back() -> None:
    """Each seat has one; an activity without a disc is none."""
    state = third_move(activities=(Activity("poker", "Globe", 1, 2, (GREGOR,)),))
    state = correct(state, discs=(DiscAt(PATRICK, "poker", "Globe"),))
    assert state.activities == (Activity("poker", "Globe", 1, 2, (GREGOR, PATRICK)),)

    state = correct(state, discs=(DiscAt(PATRICK, "brown", "Aztec", 2),))
    assert state.activities[1] == Activity("brown", "Aztec", 2, 3, (PATRICK,))
    state = correct(state, discs=(DiscAt(GREGOR), DiscAt(PATRICK)))
    assert state.activities == ()
    assert desperados.violations(state) == ()


@pytest.mark.parametrize(("move", "sheriffs"), [(1, 2), (2, 1), (3, 0)])
def test_a_disc_is_judged_by_the_sheriffs_of_its_move(move: int, sheriffs: int) -> None:
    """Not by those who stand there when it is set right."""
    after = correct(third_move(), discs=(DiscAt(GREGOR, "poker", "Globe", move),))

    assert after.activities == (Activity("poker", "Globe", move, sheriffs, (GREGOR,)),)


def test_a_coach_with_a_disc_since_then_stands_there_still() -> None:
    """It should not have gone on, and stays."""
    after = correct(third_move(), discs=(DiscAt(GREGOR, "brown", "Santa Fe", 1),))

    assert after.coaches == ("Santa Fe", None)
    assert [post.coaches[0] for post in after.posts] == ["Santa Fe"] * 3
    closed = desperados.apply(after, GREGOR, PlaceDiscs()).state
    assert (closed.move, closed.coaches) == (4, ("Santa Fe", None))


@pytest.mark.parametrize(
    ("disc", "code"),
    [
        (DiscAt(GREGOR, "poker", "Socorro", 1), "no_tile_there"),
        (DiscAt(GREGOR, "poker", "Tucson", 1), "no_tile_there"),
        (DiscAt(GREGOR, "brown", "Aztec", 1), "coach_elsewhere"),
        (DiscAt(GREGOR, "blue", "Aztec", 1), "coach_elsewhere"),
        (DiscAt(GREGOR, "poker", "Globe", 4), "no_such_move"),
        (DiscAt(GREGOR, "poker", "Globe", 0), "no_such_move"),
        (DiscAt(GREGOR, "poker", "Salem", 2), "other_move"),
        (DiscAt(GREGOR, "poker"), "no_such_place"),
    ],
)
def test_a_disc_lies_only_where_one_can_lie(disc: DiscAt, code: str) -> None:
    """Not on a bank, not without its tile, not on a coach that is elsewhere, not in the future."""
    state = third_move(
        tiles={"Tucson": None}, activities=(Activity("poker", "Salem", 1, 0, (PATRICK,)),)
    )
    assert refusal(lambda: correct(state, discs=(disc,))) == code


def test_where_sheriffs_stood_in_the_move_just_closed_is_set_with_them() -> None:
    """As long as the gang decides; where they stand since tells nothing of then."""
    after = correct(third_move(), sheriffs=(SheriffAt(0, "Salem"),))
    assert after.posts[-1].sheriffs == ("Salem", "Aztec", "Aztec", "Aztec")
    riding = position(move=4, posts=POSTS)
    assert correct(riding, sheriffs=(SheriffAt(0, "Salem"),)).posts == POSTS


def boxed(**changed: Any) -> State:
    """Lay out a table whose tiles lie face down in the real world."""
    tiles = dict.fromkeys(CITIES, UNSEEN) | changed.pop("tiles", {})
    stack = {"bank_stack": (UNSEEN,) * 7, "coach_stack": (UNSEEN,) * 10}
    return position(preset="boxed", tiles=tiles, **(stack | changed))


def test_whether_a_tile_lies_there_is_set_and_not_what_it_shows() -> None:
    """A bank's comes from the stack; the app's own lie where it dealt them."""
    gone = correct(boxed(), tiles=(TileAt("Globe", lies=False), TileAt("Socorro", lies=False)))
    assert (gone.tile("Globe"), gone.tile("Socorro"), len(gone.bank_stack)) == (None, None, 8)
    back = (TileAt("Globe", lies=True), TileAt("Socorro", lies=True))
    assert correct(gone, tiles=back) == boxed()
    assert correct(boxed(), tiles=back) == boxed()
    for city in ("Globe", "Socorro"):
        for lies in (True, False):
            tile = TileAt(city, lies=lies)  # type: ignore[arg-type]
            code = refusal(lambda one=tile: correct(position(), tiles=(one,)))
            assert code == "app_deals"


TAKEN: Final = (Loot("bank", 2000, "Socorro", 1), Loot("coach", 900, "Aztec", 1))


def test_what_the_loot_shows_is_set() -> None:
    """Where and when it was taken stays as it was; no more of a value than there are."""
    state = boxed(loot=TAKEN, tiles={"Socorro": None}, coach_stack=(UNSEEN,) * 9)
    after = correct(state, loot=(LootIs(0, 2300),))
    assert after.loot == (Loot("bank", 2300, "Socorro", 1), TAKEN[1])
    assert desperados.violations(after) == ()
    for number, value in ((0, 900), (0, 0), (1, 2000), (2, 2000), (-1, 2000)):
        fix = LootIs(number, value)
        assert refusal(lambda one=fix: correct(state, loot=(one,))) == "no_such_tile"
    twice = boxed(loot=(TAKEN[0], Loot("bank", 3200, "Globe", 1)))
    assert refusal(lambda: correct(twice, loot=(LootIs(0, 3200),))) == "no_such_tile"


@pytest.mark.parametrize("preset", ["boxed", "app"])
def test_a_tile_that_is_no_loot_lies_where_it_was(preset: str) -> None:
    """Face down again, whichever way it was dealt; a bank's new tile goes back to the stack."""
    is_app = preset == "app"
    start = position() if is_app else boxed()
    state = start
    for more in (
        LootMore("bank", "Socorro"),
        LootMore("coach", "Aztec"),
        LootMore("poker", "Globe"),
    ):
        value = {"bank": 2000, "coach": 900, "poker": 300}[more.kind]
        told = more if is_app else replace(more, value=value)
        state = correct(state, more_loot=(told,))
    assert desperados.violations(state) == ()
    assert [loot.city for loot in state.loot] == ["Socorro", "Aztec", "Globe"]
    refilled = put_tile(
        replace(state, bank_stack=state.bank_stack[1:]), "Socorro", state.bank_stack[0]
    )
    for taken in (state, refilled):
        back = correct(taken, loot=tuple(LootIs(number, None) for number in range(3)))
        assert back == start


def test_a_tile_is_taken_only_where_one_lies() -> None:
    """And the app's own shows what it shows."""
    assert refusal(lambda: correct(position(), more_loot=(LootMore("bank", "Globe"),))) == (
        "no_tile_there"
    )
    told = LootMore("poker", "Globe", 300)
    assert refusal(lambda: correct(position(), more_loot=(told,))) == "app_deals"
    untold = LootMore("poker", "Globe")
    assert refusal(lambda: correct(boxed(), more_loot=(untold,))) == "no_such_tile"
    empty = position(coach_stack=())
    assert refusal(lambda: correct(empty, more_loot=(LootMore("coach", "Globe"),))) == (
        "no_tile_there"
    )


def test_a_bank_that_was_robbed_after_all_is_filled_again() -> None:
    """At the end of the turn, as after any robbery."""
    state = boxed(phase=Examining(6, (None,) * 5), move=5)
    step = desperados.correct(state, Correction(more_loot=(LootMore("bank", "Socorro", 2000),)))

    assert step.events[1:] == (BankRefilled("Socorro"),)
    assert (step.state.tile("Socorro"), len(step.state.bank_stack)) == (UNSEEN, 6)


def test_what_was_shown_stays_shown_when_a_value_is_set_right() -> None:
    """A bank that was robbed was robbed, and its new tile lies there, whatever was told of it."""
    phase = Examining(6, (None,) * 5)
    robbed = Judged("bank", "Socorro", (GREGOR,), 1)
    state = boxed(phase=phase, move=5, judged=(robbed,), loot=TAKEN)
    after = correct(state, loot=(LootIs(0, 3200),))
    shown = desperados.public(after).shown

    assert shown is not None
    assert shown.held_up == (BankHeldUp("Socorro", (GREGOR,), 1, success=True),)
    assert [loot.value for loot in shown.takings] == [3200]
    assert screens.display_parts(desperados.public(after))["hands"].refill == ("Socorro",)


def test_arrests_are_set() -> None:
    """Whoever was wrongly caught rides on, and whoever was overlooked does not."""
    route = "Sweet Water, Globe, St. Johns, saloon, Payson"
    state = examine(evening({GREGOR: route}), 1)[0].state
    after = correct(state, outs=(OutIs(GREGOR, "arrested"), OutIs(MATTHIAS, "impossible")))
    assert after.phase == Examining(
        1, (Out("impossible", 1), Out("arrested", 1), *state.phase.out[2:])
    )
    freed = correct(after, outs=(OutIs(GREGOR, None), OutIs(MATTHIAS, None)))
    assert freed == replace(state, phase=replace(state.phase, out=freed.phase.out))
    turned = examine(freed, 1)[0].state
    assert turned.pawns[GREGOR] == "Globe"
    for out, code in (
        (OutIs(GREGOR, "arrested", 2), "no_such_move"),
        (OutIs(MATTHIAS, "arrested"), "no_such_seat"),
    ):
        assert refusal(lambda one=out: correct(state, outs=(one,))) == code
    assert refusal(lambda: correct(position(), outs=(OutIs(GREGOR, None),))) == "not_in_examination"


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
    empty = {"Santa Fe": None, "Socorro": None}
    state = boxed(phase=phase, move=5, tiles=empty, bank_stack=(UNSEEN,) * 2)
    after = correct(state, tiles=(TileAt("Santa Fe", lies=True),))

    assert after.phase == Examining(6, (None,) * 5)
    assert (after.tile("Santa Fe"), after.tile("Socorro")) == (UNSEEN, UNSEEN)
    assert after.bank_stack == ()


@pytest.mark.parametrize(
    ("correction", "code"),
    [
        (Correction(pawns=(PawnAt(5, "Globe"),)), "no_such_seat"),
        (Correction(pawns=(PawnAt(-1, "Globe"),)), "no_such_seat"),
        (Correction(discs=(DiscAt(MATTHIAS),)), "no_such_seat"),
        (Correction(cards=(CardLost(MATTHIAS, "Globe", lost=True),)), "no_such_seat"),
        (Correction(sheriffs=(SheriffAt(4, "Globe"),)), "no_such_sheriff"),
        (Correction(discs=(DiscAt(LEON, "poker", "Globe", 6),)), "no_such_move"),
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

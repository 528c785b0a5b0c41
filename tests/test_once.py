"""What follows from a state is worked out once, and never taken for that of another one."""

from __future__ import annotations

from msgspec import Struct

from referee.games.once import KEPT, kept, once


class Position(Struct, frozen=True):
    """A state of a game that does nothing."""

    number: int
    held: tuple[str, ...] = ()
    board: tuple[str, ...] = ()


def test_the_same_state_is_worked_out_once() -> None:
    """Who asks again of the very same state, and of the same seat, is told what was found."""
    asked = []

    @once
    def reach(state: Position, seat: int, *, far: bool = False) -> int:
        asked.append((state.number, seat, far))
        return state.number + seat + far

    state = Position(7)
    assert [reach(state, 0), reach(state, 0), reach(state, 1)] == [7, 7, 8]
    assert [reach(state, 1, far=True), reach(state, 1, far=True), reach(state, 1)] == [9, 9, 8]
    assert asked == [(7, 0, False), (7, 1, False), (7, 1, True)]


def test_another_state_is_worked_out_anew() -> None:
    """Of two states only the last is remembered, also where nothing follows from one."""
    asked = []

    @once
    def odd(state: Position) -> int | None:
        asked.append(state.number)
        return state.number if state.number % 2 else None

    one, other = Position(1), Position(2)
    assert [odd(other), odd(other), odd(one), odd(other)] == [None, None, 1, None]
    assert asked == [2, 1, 2]


def test_what_hangs_on_some_fields_is_kept_while_those_stay_the_same() -> None:
    """The next state that has the very same objects there is given the very same answer."""

    @kept("held", "board")
    def tally(state: Position, most: int) -> list[str]:
        return [*state.held, *state.board][:most]

    held, board = ("a", "b"), ("x",)
    first = tally(Position(1, held, board), 9)

    assert first == ["a", "b", "x"]
    assert tally(Position(2, held, board), 9) is first
    assert tally(Position(2, held, board), 1) == ["a"]
    # Equal is not enough: only what is the same object is known without a look.
    assert tally(Position(3, ("a", *held[1:]), board), 9) is not first


def test_no_more_is_kept_than_some() -> None:
    """What is forgotten is worked out again, and is never taken for something else."""

    @kept("held")
    def tally(state: Position) -> tuple[str, ...]:
        return (*state.held, "!")

    held = [(str(number),) for number in range(3 * KEPT)]
    first = tally(Position(0, held[0]))
    assert [tally(Position(0, each)) for each in held] == [(*each, "!") for each in held]
    assert tally(Position(0, held[0])) == first
    assert tally(Position(0, held[0])) is not first


def test_what_is_asked_for_again_and_again_is_not_forgotten() -> None:
    """Many tables take turns: what one of them still has stays, whatever others add meanwhile."""

    @kept("held")
    def tally(state: Position) -> tuple[str, ...]:
        return (*state.held, "!")

    mine = ("a",)
    first = tally(Position(0, mine))
    for number in range(4 * KEPT):
        tally(Position(0, (str(number),)))
        if number % (KEPT - 1) == 0:
            assert tally(Position(0, mine)) is first

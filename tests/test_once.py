"""What follows from a state is worked out once, and never taken for that of another one."""

from __future__ import annotations

from msgspec import Struct

from referee.games.once import once


class Position(Struct, frozen=True):
    """A state of a game that does nothing."""

    number: int


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

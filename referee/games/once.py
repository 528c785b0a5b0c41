"""What follows from a state is worked out once, though several ask for it in a row."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from inspect import signature
from typing import Any, Concatenate, ParamSpec, TypeVar

FrozenT = TypeVar("FrozenT")
ValueT = TypeVar("ValueT")
P = ParamSpec("P")


def once(
    function: Callable[Concatenate[FrozenT, P], ValueT],
) -> Callable[Concatenate[FrozenT, P], ValueT]:
    """Remember what a function gave for the very state, or board, that it was last asked about.

    What is frozen gives the same each time. Only the last is kept: who may act, what they may do
    and what the screens show is asked of one state, then of the next. Whatever else the function
    takes, such as a seat, is told apart.
    """
    if len(signature(function).parameters) == 1:
        return _once_alone(function)
    last: tuple[Any, dict[Hashable, ValueT]] = (None, {})

    def remembered(frozen: FrozenT, /, *rest: P.args, **named: P.kwargs) -> ValueT:
        nonlocal last
        of, found = last
        if of is not frozen:
            found = {}
            # In one assignment: whoever asks at the same time gets a pair that fits.
            last = (frozen, found)
        key = (rest, *named.items()) if named else rest
        if key not in found:
            found[key] = function(frozen, *rest, **named)
        return found[key]

    return remembered


def _once_alone(function: Callable[..., ValueT]) -> Callable[..., ValueT]:
    """Do the same for what takes nothing else: there is no key to make or to look up."""
    last: tuple[Any, Any] = (None, None)

    def remembered(frozen: Any, /) -> Any:
        nonlocal last
        of, found = last
        if of is not frozen:
            found = function(frozen)
            last = (frozen, found)
        return found

    return remembered

"""What follows from a state is worked out once, though several ask for it in a row.

And what follows from a few of its fields once for all states in which those are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from inspect import signature
from operator import attrgetter
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

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


KEPT: Final = 320
"""So many answers of one function make a round: fifty tables ask in turns, for six seats each."""


def kept(
    *fields: str,
) -> Callable[
    [Callable[Concatenate[FrozenT, P], ValueT]], Callable[Concatenate[FrozenT, P], ValueT]
]:
    """Remember what a function gave for states that share these fields, by the very objects.

    A move leaves most of a state as it is, and the next state has the same objects there. So what
    hangs on those alone is the same object as well, which costs nothing to compare. The function
    may read no other field of its state; `reads` says which, and a game's tests hold it to that.
    """

    def keeping(
        function: Callable[Concatenate[FrozenT, P], ValueT],
    ) -> Callable[Concatenate[FrozenT, P], ValueT]:
        now: dict[tuple[int, ...], tuple[tuple[Any, ...], ValueT]] = {}
        before: dict[tuple[int, ...], tuple[tuple[Any, ...], ValueT]] = {}
        # Of a single field an attrgetter gives no tuple.
        held = attrgetter(*(fields if len(fields) > 1 else fields * 2))

        def remembered(state: FrozenT, /, *rest: P.args, **named: P.kwargs) -> ValueT:
            nonlocal now, before
            values = held(state) + rest
            if named:
                values += tuple(named.values())
            key = tuple(map(id, values))
            known = now.get(key)
            if known is None:
                # With the objects themselves: as long as they are held nothing else has their ids.
                known = before.pop(key, None) or (values, function(state, *rest, **named))
                if len(now) >= KEPT:
                    # What is still asked for comes over from the last round, the rest is forgotten.
                    before, now = now, {}
                now[key] = known
            return known[1]

        remembered.reads = frozenset(fields)  # type: ignore[attr-defined]  # for the tests
        remembered.__wrapped__ = function  # type: ignore[attr-defined]  # likewise
        return remembered

    return keeping

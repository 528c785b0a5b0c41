"""What is kept from one state to the next hangs on nothing that is another by then."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import pytest

from referee.games.desperados import maps, overview, panels, schedules, timetable, trails, view
from referee.games.desperados import own as seat_view
from referee.games.desperados import rules as desperados
from tests.strategies import Table, play_out
from tests.watched import Watched

OF_STATES: Final[list[tuple[Any, tuple[Any, ...]]]] = [
    (schedules.order, ()),
    (view._taken, ()),  # noqa: SLF001  # here and below: what it reads is what this is about
    (view._goal, ()),  # noqa: SLF001
    (view._coaches, ()),  # noqa: SLF001
    (view._activities, ()),  # noqa: SLF001
    (view._tiles, ()),  # noqa: SLF001
    (seat_view._known_tiles, (0,)),  # noqa: SLF001
    (seat_view._known_tiles, (2,)),  # noqa: SLF001
]
OF_VIEWS: Final[list[tuple[Any, tuple[Any, ...]]]] = [
    (timetable.timetable, ()),
    (maps.draw, ()),
    (panels._kinds, ()),  # noqa: SLF001
    (overview.overview, ()),
]
OPTIONS: Final[list[dict[str, str]]] = [
    {"preset": "app", "board": "practice"},
    {"preset": "boxed", "board": "owned"},
]


@pytest.mark.parametrize("options", OPTIONS)
def test_what_is_kept_is_what_would_be_worked_out(options: dict[str, str]) -> None:
    """In every state of a game; and what it is kept by is all that it reads."""
    for played in play_out(Table("desperados", options, 4, seed=3)):
        state = played.step.state
        if played.step.needs:
            continue
        public = desperados.public(state)
        cases: list[tuple[Any, Any, tuple[Any, ...]]] = [
            *((state, *each) for each in OF_STATES),
            *((public, *each) for each in OF_VIEWS),
            (maps.draw(public), maps.layers, ("board",)),
            (state, partial(view._seats, is_laying=True), (None, 0)),  # noqa: SLF001
        ]
        if state.pawns[1] is not None:
            its = (state.pawns[1], state.routes[1], state.lost[1])
            cases.append((state, trails._cards, its))  # noqa: SLF001
        for of, function, given in cases:
            watched = Watched(of)
            inner = getattr(function, "func", function)
            named = getattr(function, "keywords", {})
            assert function(of, *given) == inner.__wrapped__(watched, *given, **named), function
            assert watched.read <= inner.reads, function

"""What is kept from one state to the next hangs on nothing that is another by then."""

from __future__ import annotations

from typing import Any, Final

import pytest

from referee.games.winchester import objectives, overview, screens, view
from referee.games.winchester import rules as winchester
from tests.strategies import Table, play_out
from tests.watched import Watched

OF_STATES: Final[list[tuple[Any, tuple[Any, ...]]]] = [
    (objectives.standings, ()),
    (view._chart, ()),  # noqa: SLF001  # here and below: what it reads is what this is about
    (view._seats, (False,)),  # noqa: SLF001
    (view._seats, (True,)),  # noqa: SLF001
    (view._plots, (None,)),  # noqa: SLF001
    (view._plots, (7,)),  # noqa: SLF001
]
OF_VIEWS: Final[list[tuple[Any, tuple[Any, ...]]]] = [
    (overview.overview, (0,)),
    (overview.overview, (2,)),
    (screens._map, ()),  # noqa: SLF001
]
OPTIONS: Final[list[dict[str, str]]] = [
    {"preset": "app", "board": "practice"},
    {"preset": "app", "board": "practice", "auction": "sealed", "claims": "players"},
    {"preset": "boxed", "board": "owned", "auction": "spoken"},
    {"preset": "boxed", "board": "owned", "auction": "spoken", "claims": "automatic"},
]


@pytest.mark.parametrize("options", OPTIONS)
def test_what_is_kept_is_what_would_be_worked_out(options: dict[str, str]) -> None:
    """In every state of a game; and what it is kept by is all that it reads."""
    for played in play_out(Table("winchester", options, 4, seed=3)):
        state = played.step.state
        if played.step.needs:
            continue
        public = winchester.public(state)
        cases = [*((state, *each) for each in OF_STATES), *((public, *each) for each in OF_VIEWS)]
        for of, function, given in cases:
            watched = Watched(of)
            assert function(of, *given) == function.__wrapped__(watched, *given), function
            assert watched.read <= function.reads, function

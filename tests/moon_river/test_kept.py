"""What is kept from one state to the next hangs on nothing that is another by then."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import pytest

from referee.games.moon_river import panels, strip, view
from referee.games.moon_river import rules as moon_river
from tests.strategies import Table, play_out
from tests.watched import Watched

SHOWN: Final = {"is_turn": True, "is_painted": False, "is_shown": True}
OPTIONS: Final[list[dict[str, str]]] = [
    {"preset": "app", "board": "practice"},
    {"preset": "app", "board": "practice", "boards": "wild_west", "scenario": "rafting"},
    {"preset": "boxed", "board": "owned", "tracking": "draft"},
]


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("options", OPTIONS)
def test_what_is_kept_is_what_would_be_worked_out(options: dict[str, str], seats: int) -> None:
    """In every state of a game; and what it is kept by is all that it reads."""
    for played in play_out(Table("moon_river", options, seats, seed=3)):
        state = played.step.state
        if played.step.needs:
            continue
        public = moon_river.public(state)
        ranch, stall = public.ranches[1], public.stalls[1]
        draw = partial(panels._panel, **SHOWN)  # noqa: SLF001  # here and below: it is about what they read
        panel = draw(public, ranch, stall)
        assert panel.lying is not None
        cases: list[tuple[Any, Any, tuple[Any, ...]]] = [
            (state, view._stall, (1, ranch)),  # noqa: SLF001
            (public, draw, (ranch, stall)),
            (panel, strip._page, (stall.count, panel.lying)),  # noqa: SLF001
        ]
        for of, function, given in cases:
            inner = getattr(function, "func", function)
            named = getattr(function, "keywords", {})
            watched = Watched(of)
            assert function(of, *given) == inner.__wrapped__(watched, *given, **named), function
            assert watched.read <= inner.reads, function

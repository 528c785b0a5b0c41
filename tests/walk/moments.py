"""Every moment of every game, each in the fullest form that chance found, on every screen.

A moment is a scene on the display and a sentence on each phone. Games are played at random by the
rules alone, and the games say themselves what everybody looks up for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import msgspec

from referee.entries import SeatId
from referee.games.base import QUIET
from referee.loglines import LogLine
from referee.web.frame import tag_of
from referee.web.render import here
from tests.sight import other_state
from tests.strategies import Table, play_out
from tests.table import Evening

from . import seldom
from .kinds import tables_at_random
from .scenes import Scene, Walk, page

SHOWN = ('class="moment"', 'class="moment shown"')
"""How a scene is written while it is shown, which a page's script does."""


class Happened(NamedTuple):
    """What everybody looked up for: its kind, the line of the log, and the position after it."""

    kind: str
    table: Table
    state: Any
    events: tuple[Any, ...]
    size: int


def tags_of(key: str) -> frozenset[str]:
    """Name every moment that a game has a scene for."""
    return frozenset(path.stem for path in (here("templates") / key / "moment").glob("*.html"))


def happened(key: str, *, least: int = 1) -> dict[str, Happened]:
    """Play games at random until every moment was met, `least` games anyway; keep the fullest."""
    wanted, found = tags_of(key), dict[str, Happened]()
    for table, step in seldom.steps(key):
        _keep(found, table, step.state, step.events)
    for number, table in enumerate(tables_at_random(key)):
        if number >= least and {kind.partition(" ")[0] for kind in found} >= wanted:
            break
        for played in play_out(table):
            step = played.step
            if not step.needs and table.game.score(step.state) is None:
                _keep(found, table, step.state, step.events)
    return {kind: found[kind] for kind in sorted(found)}


def _keep(found: dict[str, Happened], table: Table, state: Any, events: tuple[Any, ...]) -> None:
    shown = [each for each in table.game.screens.moments(events) if each != QUIET]
    for moment in shown:
        kind, size = kind_of(moment), sum(len(msgspec.json.encode(each)) for each in shown)
        if kind not in found or found[kind].size < size:
            found[kind] = Happened(kind, table, state, events, size)


def one_of_each(found: Mapping[str, Happened]) -> list[Happened]:
    """Choose the fullest of each moment: what was so of it makes little difference to its room."""
    fullest: dict[str, Happened] = {}
    for happened in found.values():
        tag = happened.kind.partition(" ")[0]
        if tag not in fullest or fullest[tag].size < happened.size:
            fullest[tag] = happened
    return [*fullest.values()]


def unmet(key: str, found: Mapping[str, Happened]) -> set[str]:
    """Name the moments of a game that never happened."""
    return tags_of(key) - {kind.partition(" ")[0] for kind in found}


def kind_of(moment: Any) -> str:
    """Name a moment with what is so of it: a tie is another sight than a sale."""
    told = [name for name in moment.__struct_fields__ if getattr(moment, name) not in (0, None, ())]
    return f"{tag_of(moment)} {', '.join(told)}"


def scenes(walk: Walk, found: Happened, lang: str) -> Iterator[Scene]:
    """Give the scene on the display, and the page of every phone."""
    for viewer in (None, *range(found.table.seats)):
        yield scene(walk, found, viewer, lang)


def scene(walk: Walk, found: Happened, viewer: int | None, lang: str) -> Scene:
    """Give a moment on the display, or on a phone."""
    evening = walk.evening(found.table)
    with just_now(evening, found.state, found.events):
        name = f"{found.table.key} moment/{found.kind}"
        shown = page(evening, name, viewer, lang, is_asked=True)
    return shown._replace(html=shown.html.replace(*SHOWN))


@contextmanager
def just_now(evening: Evening, state: Any, events: tuple[Any, ...]) -> Iterator[None]:
    """Let something have happened a moment ago, with nothing remembered of what was before."""
    lines = evening.table.ledger.log.lines
    number = lines[-1].number + 1 if lines else 1
    lines.append(LogLine(number, 10**6, "", SeatId(0), "action", events))
    try:
        with other_state(evening, state):
            yield
    finally:
        lines.pop()

"""The closing ceremony: every turn's routes again, what each brought, and which one decided."""

from __future__ import annotations

from itertools import accumulate
from typing import Final

from msgspec import Struct

from .maps import Map, posts
from .model import KINDS, City, Kind, Loot, Out, Record, replace
from .view import Public

BAR: Final = 560
"""The length of a bar as long as the target, in the drawing's units."""


class Story(Struct, frozen=True):
    """One turn: by seat the cities of its way and why it ended early; what it brought the gang.

    `map` shows the Sheriffs and where something was won. `pieces` are the parts of its bar by kind
    as (x, width, kind), which begins where the turn before ended; `total` is the loot so far.
    """

    turn: int
    ways: tuple[tuple[City, ...], ...]
    out: tuple[Out | None, ...]
    map: Map
    loot: tuple[Loot, ...]
    gain: int
    total: int
    pieces: tuple[tuple[int, int, Kind], ...]


class Closing(Struct, frozen=True):
    """The whole game told once more.

    `deciding` is the turn in which the gang reached its target, or the one in which the Marshal
    let them take the least.
    """

    stories: tuple[Story, ...]
    has_gang_won: bool
    deciding: int
    kinds: tuple[tuple[Kind, int, int], ...]
    map: Map
    goal_x: int
    width: int


def closing(public: Public) -> Closing:
    """Tell a finished game turn by turn."""
    history = public.history or ()
    gains = [sum(t.value for t in public.loot if t.turn == r.turn) for r in history]
    totals = list(accumulate(gains))
    stories = tuple(
        _story(public, record, gain, total)
        for record, gain, total in zip(history, gains, totals, strict=True)
    )
    has_gang_won = public.taken >= public.goal
    if has_gang_won:
        deciding = next((s.turn for s in stories if s.total >= public.goal), len(stories))
    else:
        # The least loot, then the most arrests, then the earliest.
        deciding = min(stories, key=lambda s: (s.gain, -_arrests(s), s.turn)).turn
    return Closing(
        stories,
        has_gang_won,
        deciding,
        tuple(_by_kind(public, kind) for kind in KINDS),
        _map(public),
        BAR,
        max(BAR, _length(public, public.taken)) + 10,
    )


def _map(public: Public) -> Map:
    """Give the country as it is before a story begins: with its banks, and nobody in it."""
    banks = tuple(tile.city for tile in public.tiles if tile.kind == "bank")
    return Map(public.roads, banks, banks, (), (), (), public.marshal, ())


def _cities(loot: tuple[Loot, ...]) -> tuple[City, ...]:
    return tuple(tile.city for tile in loot)


def _arrests(story: Story) -> int:
    return sum(out is not None and out.why == "arrested" for out in story.out)


def _by_kind(public: Public, kind: Kind) -> tuple[Kind, int, int]:
    values = [loot.value for loot in public.loot if loot.kind == kind]
    return kind, len(values), sum(values)


def _story(public: Public, record: Record, gain: int, total: int) -> Story:
    loot = tuple(tile for tile in public.loot if tile.turn == record.turn)
    pieces = []
    x = _length(public, total - gain)
    for kind in KINDS:
        width = _length(public, sum(tile.value for tile in loot if tile.kind == kind))
        if width:
            pieces.append((x, width, kind))
        x += width
    return Story(
        turn=record.turn,
        ways=record.ways,
        out=record.out,
        map=replace(_map(public), sheriffs=posts(record.sheriffs), won=_cities(loot)),
        loot=loot,
        gain=gain,
        total=total,
        pieces=tuple(pieces),
    )


def _length(public: Public, amount: int) -> int:
    return round(BAR * amount / public.goal)

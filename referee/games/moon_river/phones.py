"""What a phone shows: its top line, all ranches with its own first, what it is asked, the rows."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from referee.games.base import InPieces, Mood, Piece

from . import asked
from .actions import Action
from .art import TileArt, tile_art
from .model import Scenario
from .panels import RowName, Saloon, Trail, saloon, trails, whose
from .strip import strip
from .view import Own, Public


class Head(Struct, frozen=True):
    """A phone's top line: what is wanted, or whose turn is waited for, and the points so far."""

    mood: Mood
    kind: str
    seat: int | None
    total: int | None


class Reserve(Struct, frozen=True):
    """The tiles on one's own board; the last one lies beside it if there are too many."""

    tiles: tuple[TileArt, ...]
    spaces: int


class Laid(Struct, frozen=True):
    """Which rows lie there, with how many places, and whether one knows who is in the saloon.

    `scenario` is what is counted besides at the end.
    """

    rows: tuple[tuple[RowName, int], ...]
    has_saloon: bool
    scenario: Scenario


class Rows(InPieces, frozen=True):
    """Both rows and the saloon, as a phone shows them below what is one's own.

    There are none where the referee only counts.
    """

    trails: tuple[Trail, ...]
    saloon: Saloon
    scenario: Scenario

    @property
    def around(self) -> Laid:
        """Give what stands around the places."""
        rows = tuple([(trail.row, len(trail.places)) for trail in self.trails])
        return Laid(rows, self.saloon.is_tracked, self.scenario)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Give the places, and the saloon."""
        places = [Piece("place", place) for trail in self.trails for place in trail.places]
        if self.trails and self.saloon.is_tracked:
            return (*places, Piece("partners", self.saloon))
        return tuple(places)


def common_parts(public: Public) -> dict[str, Any]:
    """Show what is alike on every phone."""
    return {
        "rows": Rows(
            trails=trails(public) if public.rules.tracking != "score" else (),
            saloon=saloon(public),
            scenario=public.scenario,
        )
    }


def seat_parts(
    public: Public, own: Own, legal: tuple[Action, ...], seat: int, *, fresh: int
) -> dict[str, Any]:
    """Show what is one seat's own, and ask it."""
    del own  # nothing is secret
    questions = asked.questions(public, legal, seat, fresh=fresh)
    ranch, stall = public.ranches[seat], public.stalls[seat]
    is_drafting = public.rules.tracking != "score" and public.phase != "painting"
    return {
        "head": _head(public, mood(public, legal, seat), stall.count.total),
        "strip": strip(public, legal, seat, questions, fresh=fresh),
        "ask": questions,
        "reserve": Reserve(tuple(map(tile_art, ranch.reserve)), stall.spaces if is_drafting else 0),
    }


def _head(public: Public, mood: Mood, total: int) -> Head:
    """Say what is wanted of a seat; whoever waits is told whose turn it is, whatever they do."""
    is_waiting = mood == "waiting"
    kind = public.phase if public.question is None else "question"
    return Head(
        mood=mood,
        kind="" if is_waiting else kind,
        seat=whose(public) if is_waiting else None,
        total=None if public.rules.tracking == "draft" else total,
    )


def mood(public: Public, legal: tuple[Action, ...], seat: int) -> Mood:
    """Say whether a seat holds up the table alone, may do something with the others, or waits."""
    if not legal:
        return "waiting"
    return "asked" if public.waiting_for == (seat,) else "able"

"""The ranches on a phone: one's own first, each with its sum, and what can be tapped there."""

from __future__ import annotations

from msgspec import Struct

from .actions import Action, Countersign
from .art import TileArt, corner, middle
from .asks import Question, RemoveCattle, Rustle
from .ground import Cells, Lying
from .model import WIDTH
from .panels import PAINTED, Panel, panels
from .sums import Sum, sum_of
from .view import Public


class Target(Struct, frozen=True):
    """A cell that stands for a button: where it is, and the button's id."""

    x: int
    y: int
    id: str


class Oddity(Struct, frozen=True):
    """Something that looks impossible: what, and where (None: the ranch as a whole)."""

    code: str
    at: int | None
    x: int
    y: int
    row: int
    column: int


class Odds(Struct, frozen=True):
    """What looks impossible in a ranch."""

    seat: int
    found: tuple[Oddity, ...]


class Targets(Struct, frozen=True):
    """The cells of a ranch that stand for buttons."""

    seat: int
    targets: tuple[Target, ...]


class Sums(Struct, frozen=True):
    """What a ranch brings, over its drawing and as a list."""

    seat: int
    sum: Sum


class Tally(Struct, frozen=True):
    """What a ranch brings in all, and who has checked it; of others' also the tiles they keep."""

    seat: int
    total: int
    signed_by: int | None
    reserve: tuple[TileArt, ...] | None


class Brush(Struct, frozen=True):
    """What can be done about a painted ranch besides painting, and the version of its forms."""

    seat: int
    odd: tuple[Oddity, ...]
    fresh: int
    may_undo: bool
    may_redo: bool
    may_hand_in: bool
    is_odd: bool
    may_sign: bool


class Page(Struct, frozen=True):
    """One ranch of the strip, in pieces; one's own is the first."""

    seat: int
    is_mine: bool
    lying: Lying
    sums: Sums
    odds: Odds | None
    cells: Cells
    targets: Targets
    tally: Tally
    brush: Brush | None


class Tab(Struct, frozen=True):
    """Leads to a ranch."""

    seat: int
    is_turn: bool
    total: int
    is_done: bool


class Tabs(Struct, frozen=True):
    """Leads to all ranches. `is_painted`: tapping one paints, at the version `fresh`."""

    fresh: int
    is_painted: bool
    tabs: tuple[Tab, ...]


class Strip(Struct, frozen=True):
    """All ranches, one swipe apart; each is sent when it changes, and so is what leads to them."""

    tabs: Tabs
    pages: tuple[Page, ...]


def strip(
    public: Public, legal: tuple[Action, ...], seat: int, asks: tuple[Question, ...], *, fresh: int
) -> Strip:
    """Show every ranch that the referee knows, beginning with one's own."""
    is_painted = public.phase in PAINTED and seat in public.to_act
    shown = [panel for panel in panels(public) if panel.lying is not None]
    # Clockwise from one's own, as they lie around the table.
    shown = [p for p in shown if p.seat >= seat] + [p for p in shown if p.seat < seat]
    return Strip(
        Tabs(
            # Only where something can be sent from it: else every answer would draw it anew.
            fresh=fresh if is_painted else 0,
            is_painted=is_painted,
            tabs=tuple(Tab(p.seat, p.is_turn, p.total, p.is_done) for p in shown),
        ),
        tuple(_page(public, legal, panel, seat, asks, fresh=fresh) for panel in shown),
    )


def _page(
    public: Public,
    legal: tuple[Action, ...],
    panel: Panel,
    seat: int,
    asks: tuple[Question, ...],
    *,
    fresh: int,
) -> Page:
    assert panel.lying is not None  # noqa: S101  # a strip holds ranches that are drawn
    number, lying = panel.seat, panel.lying
    is_painted = public.phase in PAINTED and seat in public.to_act
    is_mine = number == seat
    is_open = is_painted or (is_mine and any(map(_needs_cells, asks)))
    odd = _oddities(public, number, lying.rows) if is_painted else ()
    return Page(
        seat=number,
        is_mine=is_mine,
        lying=lying,
        sums=Sums(number, sum_of(public.stalls[number].count, lying.rows)),
        odds=Odds(number, odd) if is_painted else None,
        cells=Cells(number, is_open, lying.lots),
        targets=Targets(number, _targets(asks, number, lying.rows)),
        tally=Tally(number, panel.total, panel.signed_by, None if is_mine else panel.reserve),
        brush=_brush(public, legal, number, odd, fresh=fresh) if is_painted else None,
    )


def _needs_cells(question: Question) -> bool:
    """Say whether a question is answered by tapping cells of one's own ranch."""
    return bool(getattr(question, "ways", ()))


def _targets(asks: tuple[Question, ...], seat: int, rows: int) -> tuple[Target, ...]:
    return tuple(
        Target(*corner(spot.at, rows), spot.id)
        for question in asks
        if isinstance(question, RemoveCattle | Rustle)
        for spot in question.spots
        if spot.seat == seat
    )


def _oddities(public: Public, seat: int, rows: int) -> tuple[Oddity, ...]:
    found = []
    for odd in (*public.stalls[seat].odd, *public.odd):
        x, y = middle(odd.at, rows) if odd.at is not None else (0, 0)
        at = odd.at or 0
        found.append(Oddity(odd.code, odd.at, x, y, at // WIDTH + 1, at % WIDTH + 1))
    return tuple(found)


def _brush(
    public: Public,
    legal: tuple[Action, ...],
    number: int,
    odd: tuple[Oddity, ...],
    *,
    fresh: int,
) -> Brush:
    """Say what can be done about a ranch.

    Of strokes and of handing in the rules list no more than a way through, so what can be taken
    back is read from the ranch itself.
    """
    ranch = public.ranches[number]
    return Brush(
        seat=number,
        odd=odd,
        fresh=fresh,
        may_undo=bool(ranch.past),
        may_redo=bool(ranch.future),
        may_hand_in=public.phase == "painting" and not ranch.is_done,
        is_odd=bool(public.stalls[number].odd or public.odd),
        may_sign=Countersign(number) in legal,
    )

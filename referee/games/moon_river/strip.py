"""The ranches on a phone: one's own first, each with its sum, and what can be tapped there."""

from __future__ import annotations

from msgspec import Struct

from .actions import Action, Countersign
from .art import Piece, corner, middle, piece_of
from .asks import Question, RemoveCattle, Rustle
from .model import WIDTH, Cell, Ranch
from .panels import PAINTED, Panel, panels
from .sums import Sum, sum_of
from .view import Public


class Target(Struct, frozen=True):
    """A cell that stands for a button: where it is, and the button's id."""

    x: int
    y: int
    id: str


class Mark(Struct, frozen=True):
    """A cell of a ranch that can be painted, or laid on: what it holds, to be told and for scripts.

    `has` names it as the tools do, such as "land:forest gold:1"; rows and columns count from 1.
    """

    at: int
    x: int
    y: int
    row: int
    column: int
    piece: Piece | None
    has: str


class Oddity(Struct, frozen=True):
    """Something that looks impossible: what, and where (None: the ranch as a whole)."""

    code: str
    at: int | None
    x: int
    y: int
    row: int
    column: int


class Brush(Struct, frozen=True):
    """What can be done about a painted ranch besides painting, and the version of its forms."""

    fresh: int
    may_undo: bool
    may_redo: bool
    may_hand_in: bool
    is_odd: bool
    may_sign: bool


class Page(Struct, frozen=True):
    """One ranch of the strip; one's own is the first."""

    is_mine: bool
    panel: Panel
    sum: Sum
    targets: tuple[Target, ...]
    marks: tuple[Mark, ...]
    odd: tuple[Oddity, ...]
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
    shown = [panel for panel in panels(public) if panel.art is not None]
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
    assert panel.art is not None  # noqa: S101  # a strip holds ranches that are drawn
    ranch, rows = public.ranches[panel.seat], panel.art.rows
    is_painted = public.phase in PAINTED and seat in public.to_act
    is_open = is_painted or (panel.seat == seat and any(map(_needs_cells, asks)))
    return Page(
        is_mine=panel.seat == seat,
        panel=panel,
        sum=sum_of(public.stalls[panel.seat].count, rows),
        targets=_targets(asks, panel.seat, rows),
        marks=_marks(ranch, rows, public.covered) if is_open else (),
        odd=_oddities(public, panel.seat, rows) if is_painted else (),
        brush=_brush(public, legal, panel.seat, fresh) if is_painted else None,
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


def _marks(ranch: Ranch, rows: int, covered: tuple[int, ...]) -> tuple[Mark, ...]:
    return tuple(
        Mark(
            at,
            *corner(at, rows),
            row=at // WIDTH + 1,
            column=at % WIDTH + 1,
            piece=None if cell is None else piece_of(at, cell, rows),
            has=_held(cell),
        )
        for at, cell in enumerate(ranch.cells[: rows * WIDTH])
        if at not in covered
    )


def _held(cell: Cell | None) -> str:
    """Name what lies at a cell, as the tools that would paint it do."""
    if cell is None:
        return ""
    tile = cell.tile
    counted = {"gold": tile.gold, "beaver": tile.beaver, "corn": tile.corn, "cattle": cell.cattle}
    held = [f"land:{tile.landscape}", *(f"{name}:{n}" for name, n in counted.items() if n)]
    if cell.partner:
        held.append(f"partner:{cell.partner}")
    return " ".join(held)


def _oddities(public: Public, seat: int, rows: int) -> tuple[Oddity, ...]:
    found = []
    for odd in (*public.stalls[seat].odd, *public.odd):
        x, y = middle(odd.at, rows) if odd.at is not None else (0, 0)
        at = odd.at or 0
        found.append(Oddity(odd.code, odd.at, x, y, at // WIDTH + 1, at % WIDTH + 1))
    return tuple(found)


def _brush(public: Public, legal: tuple[Action, ...], number: int, fresh: int) -> Brush:
    """Say what can be done about a ranch.

    Of strokes and of handing in the rules list no more than a way through, so what can be taken
    back is read from the ranch itself.
    """
    ranch = public.ranches[number]
    return Brush(
        fresh=fresh,
        may_undo=bool(ranch.past),
        may_redo=bool(ranch.future),
        may_hand_in=public.phase == "painting" and not ranch.is_done,
        is_odd=bool(public.stalls[number].odd or public.odd),
        may_sign=Countersign(number) in legal,
    )

"""The ranches on a phone: one's own first, each with its sum, and what can be tapped there."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from referee.games.base import InPieces, Piece
from referee.games.once import kept as keeping
from referee.games.once import once

from .actions import Action, Countersign
from .art import TileArt, corner, middle
from .asks import Question, RemoveCattle, Rustle
from .ground import Cells, Lying
from .model import WIDTH
from .panels import PAINTED, Panel, panels
from .scoring import Breakdown
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


class Sums(Struct, frozen=True, cache_hash=True):
    """What a ranch brings, over its drawing and as a list."""

    seat: int
    sum: Sum


class Opened(Struct, frozen=True):
    """Whether the cells of a ranch can be tapped."""

    seat: int
    is_open: bool


class Kept(Struct, frozen=True, cache_hash=True):
    """The tiles that somebody else keeps."""

    seat: int
    reserve: tuple[TileArt, ...]


class Tally(Struct, frozen=True):
    """What a ranch brings in all."""

    seat: int
    total: int


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


class Plot(Struct, frozen=True):
    """What stands around all that lies in a ranch, and around what it brings."""

    seat: int
    rows: int
    width: int
    height: int
    is_mine: bool
    is_painted: bool
    has_odds: bool
    has_kept: bool
    signed_by: int | None


class Page(InPieces, frozen=True, cache_hash=True):
    """One ranch of the strip; one's own is the first. `signed_by` has checked it."""

    seat: int
    is_mine: bool
    lying: Lying
    sums: Sums
    odds: Odds | None
    opened: Opened
    cells: Cells
    targets: Targets
    signed_by: int | None
    kept: Kept | None
    tally: Tally
    brush: Brush | None

    @property
    def around(self) -> Plot:
        """Give what stands around the pieces."""
        lying = self.lying
        return Plot(
            seat=self.seat,
            rows=lying.rows,
            width=lying.width,
            height=lying.height,
            is_mine=self.is_mine,
            is_painted=self.brush is not None,
            has_odds=self.odds is not None,
            has_kept=self.kept is not None,
            signed_by=self.signed_by,
        )

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Give what lies there and what it brings; only what is painted hangs on who looks."""
        named = (
            ("lying", self.lying),
            ("sums", self.sums),
            ("odds", self.odds),
            ("opened", self.opened),
            ("cells", self.cells),
            ("targets", self.targets),
            ("kept", self.kept),
            ("tally", self.tally),
            ("lines", self.sums),
        )
        found = [Piece(name, value, alike=True) for name, value in named if value is not None]
        return (*found, Piece("brush", self.brush)) if self.brush else tuple(found)


class Tab(Struct, frozen=True):
    """Leads to a ranch."""

    seat: int
    is_turn: bool
    total: int
    is_done: bool


class Ways(Struct, frozen=True):
    """To whose ranches tabs lead. `is_painted`: tapping one paints, at the version `fresh`."""

    fresh: int
    is_painted: bool
    seats: tuple[int, ...]


class Tabs(InPieces, frozen=True, cache_hash=True):
    """Leads to all ranches. `is_painted`: tapping one paints, at the version `fresh`."""

    fresh: int
    is_painted: bool
    tabs: tuple[Tab, ...]

    @property
    def around(self) -> Ways:
        """Give what stays while points are made."""
        return Ways(self.fresh, self.is_painted, tuple([tab.seat for tab in self.tabs]))

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Give what each tab says of its ranch; one alone needs none."""
        return tuple([Piece("tab", tab, alike=True) for tab in self.tabs if len(self.tabs) > 1])


class Count(Struct, frozen=True):
    """How many ranches there are."""

    count: int


class Strip(InPieces, frozen=True):
    """All ranches, one swipe apart; each is sent when it changes, and so is what leads to them."""

    tabs: Tabs
    pages: tuple[Page, ...]

    @property
    def around(self) -> Count:
        """Give what stands around the ranches."""
        return Count(len(self.pages))

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Give what leads to the ranches, and each; others see no other's than their owner."""
        ranches = [Piece("ranch", p, alike=not p.is_mine and not p.brush) for p in self.pages]
        return (Piece("tabs", self.tabs), *ranches)


def strip(
    public: Public, legal: tuple[Action, ...], seat: int, asks: tuple[Question, ...], *, fresh: int
) -> Strip:
    """Show every ranch that the referee knows, beginning with one's own."""
    is_painted = public.phase in PAINTED and seat in public.to_act
    shown = _shown(public)
    # Clockwise from one's own, as they lie around the table.
    shown = (*shown[seat:], *shown[:seat])
    tabs, pages = tuple([tab for tab, _ in shown]), [page for _, page in shown]
    if is_painted:
        pages = [_painted(public, legal, page, fresh=fresh) for page in pages]
    if pages:
        is_open = is_painted or any(map(_needs_cells, asks))
        pages[0] = _mine(pages[0], is_open=is_open)
    # A question that is one of these stands alone.
    if isinstance(asks[0], RemoveCattle | Rustle):
        pages = [
            replace(page, targets=_targets(asks, page.seat, page.lying.rows)) for page in pages
        ]
    # Only where something can be sent from it: else every answer would draw the tabs anew.
    return Strip(Tabs(fresh if is_painted else 0, is_painted, tabs), tuple(pages))


@keeping(*Page.__struct_fields__)
def _mine(page: Page, *, is_open: bool) -> Page:
    """Show a ranch to its owner, who sees its tiles elsewhere and may tap its cells."""
    return replace(page, is_mine=True, kept=None, opened=Opened(page.seat, is_open=is_open))


@once
def _shown(public: Public) -> tuple[tuple[Tab, Page], ...]:
    """Show every ranch as it is shown to all who neither own nor paint it."""
    return tuple(
        [
            (Tab(p.seat, p.is_turn, p.total, p.is_done), _page(p, stall.count, p.lying))
            for p, stall in zip(panels(public), public.stalls, strict=True)
            if p.lying is not None
        ]
    )


@keeping("seat", "reserve", "signed_by", "total")
def _page(panel: Panel, count: Breakdown, lying: Lying) -> Page:
    number = panel.seat
    return Page(
        seat=number,
        is_mine=False,
        lying=lying,
        sums=Sums(number, sum_of(count, lying.rows)),
        odds=None,
        opened=Opened(number, is_open=False),
        cells=Cells(number, lying.lots),
        targets=Targets(number, ()),
        signed_by=panel.signed_by,
        kept=Kept(number, panel.reserve),
        tally=Tally(number, panel.total),
        brush=None,
    )


def _painted(public: Public, legal: tuple[Action, ...], page: Page, *, fresh: int) -> Page:
    """Show a ranch to somebody who may paint it."""
    number = page.seat
    odd = _oddities(public, number, page.lying.rows)
    return replace(
        page,
        odds=Odds(number, odd),
        opened=Opened(number, is_open=True),
        brush=_brush(public, legal, number, odd, fresh=fresh),
    )


def _needs_cells(question: Question) -> bool:
    """Say whether a question is answered by tapping cells of one's own ranch."""
    return bool(getattr(question, "ways", ()))


def _targets(asks: tuple[Question, ...], seat: int, rows: int) -> Targets:
    found = (
        Target(*corner(spot.at, rows), spot.id)
        for question in asks
        if isinstance(question, RemoveCattle | Rustle)
        for spot in question.spots
        if spot.seat == seat
    )
    return Targets(seat, tuple(found))


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

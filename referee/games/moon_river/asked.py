"""From what is legal to what is asked: lists of actions folded into small tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeVar

from . import asks, laying
from .actions import (
    Action,
    CountUp,
    Discard,
    DriveCattle,
    DropBonus,
    FormDomino,
    GoOn,
    Hire,
    LayBonus,
    LayDomino,
    Pass,
    PlaceRancher,
    RemoveCattle,
    ReportDomino,
    Rustle,
    SwapTiles,
    TakeBoard,
)
from .art import tile_art
from .grid import area_of, directions
from .model import (
    BRIDGES,
    COWBOY,
    LANDSCAPES,
    MOST_SHOWN,
    NUMBERS,
    SPACES,
    SPECIALISTS,
    WIDTH,
    Cell,
    Laying,
    Ranch,
    Specialist,
    Tile,
    TurningUp,
    swap,
)
from .panels import PAINTED, row, whose
from .scoring import breakdown
from .view import Public

Kind = TypeVar("Kind")

PER_DOMINO: Final = 2
"""Circles on a domino, at most."""


def questions(
    public: Public, legal: tuple[Action, ...], seat: int, *, fresh: int
) -> tuple[asks.Question, ...]:
    """Give what a seat is asked now: one thing, or what goes on meanwhile."""
    # First: whatever else could be asked may hang on the answer.
    if public.question is not None and legal:
        return (asks.BoardFacts(fresh, public.question),)
    if legal and public.phase in PAINTED:
        return (*_stock(public, legal, fresh), _painting(public, legal, fresh))
    found = _asked(public, legal, seat, fresh) if legal else None
    if found is not None:
        return (found,)
    return (asks.Idle(public.phase, whose(public), sum([r.is_done for r in public.ranches])),)


def _asked(  # one case a phase
    public: Public, legal: tuple[Action, ...], seat: int, fresh: int
) -> asks.Question | None:
    ranch = public.ranches[seat]
    match public.phase:
        case "boarding":
            boards = tuple(
                (one.character, BRIDGES[one.character], SPACES[one.character])
                for one in _of(legal, TakeBoard)
            )
            return asks.TakeBoard(fresh, boards) if boards else None
        case "refilling":
            return asks.TellPartner(fresh, tellable_partners(public), public.tables)
        case "turning_up":
            return tell_tile(public, fresh)
        case "placing" | "choosing":
            name = "current" if public.phase == "placing" else "next"
            free = tuple(one.place for one in _of(legal, PlaceRancher))
            return asks.PlaceRancher(fresh, row(public, name), free)  # type: ignore[arg-type]  # one of both
        case "extending":
            return _extending(public, legal, ranch, fresh)
        case "laying":
            return _laying(public, legal, ranch, fresh)
        case "discarding":
            return asks.Discard(fresh, _pairs(ranch, _of(legal, Discard)))
        case "removing":
            spots = ((seat, one.at) for one in _of(legal, RemoveCattle))
            return asks.RemoveCattle(fresh, _spots(public, spots))
        case "hiring":
            return _hiring(public, legal, ranch, fresh)
        case "driving":
            ways = tuple(_step(ranch, one) for one in _of(legal, DriveCattle))
            return asks.DriveCattle(fresh, public.now.steps, ways)  # type: ignore[union-attr]  # the phase's
        case "swapping":
            return _swapping(public, legal, ranch, fresh)
        case "rustling":
            stolen = ((one.seat, one.at) for one in _of(legal, Rustle))
            return asks.Rustle(fresh, _spots(public, stolen))
        case "laying_bonus":
            return _bonus(legal, ranch, fresh)
        case _:
            return None


def _of(legal: Iterable[Action], kind: type[Kind]) -> list[Kind]:
    """Give the legal actions of one kind."""
    return [action for action in legal if isinstance(action, kind)]


def tell_tile(public: Public, fresh: int) -> asks.TellTile:
    """Ask for a tile that lies open: those that are known and may still lie in the box first."""
    told = public.now.told if isinstance(public.now, TurningUp) else ()
    known = tuple(
        asks.KnownArt(key_of(one.tile), one.tile.number, tile_art(one.tile), one.count)
        for one in public.known_tiles
    )
    return asks.TellTile(
        fresh=fresh,
        unknown=public.unknown,
        place=len(told) if public.unknown is None else public.unknown.place,
        after=public.tiles_told,
        told=tuple(map(tile_art, told)),
        numbers=NUMBERS,
        landscapes=LANDSCAPES,
        known=known,
        are_all_known=sum(one.count for one in known) >= public.tiles_left,
    )


def tellable_partners(public: Public) -> tuple[Specialist, ...]:
    """Give who may have been turned up for the saloon."""
    left = zip(SPECIALISTS, public.partners_left, strict=True)
    return tuple(kind for kind, count in left if count != 0)


def key_of(tile: Tile) -> str:
    """Write a tile down as the button of a known one sends it."""
    counts = (tile.gold, tile.beaver, tile.corn, tile.cattle, int(tile.skull), int(tile.circle))
    return "-".join((str(tile.number), tile.landscape, *map(str, counts)))


def _pairs(
    ranch: Ranch, actions: Iterable[FormDomino | ReportDomino | Discard]
) -> tuple[asks.Pair, ...]:
    found = dict.fromkeys((one.first, one.second) for one in actions)
    return tuple(
        asks.Pair(a, b, tile_art(ranch.reserve[a]), tile_art(ranch.reserve[b])) for a, b in found
    )


def _extending(
    public: Public, legal: tuple[Action, ...], ranch: Ranch, fresh: int
) -> asks.FormDomino | asks.ReportDomino:
    may_pass = bool(_of(legal, Pass))
    if public.rules.tracking == "full":
        return asks.FormDomino(fresh, _pairs(ranch, _of(legal, FormDomino)), may_pass)
    pairs = _pairs(ranch, _of(legal, ReportDomino))
    known = tuple(who for who in public.tables if who is not None)
    unknown = min(PER_DOMINO, len(public.tables) - len(known))
    return asks.ReportDomino(fresh, pairs, may_pass, known, unknown)


def _laying(public: Public, legal: tuple[Action, ...], ranch: Ranch, fresh: int) -> asks.LayDomino:
    assert isinstance(public.now, Laying)  # noqa: S101  # the phase's
    first, second = public.now.first, public.now.second
    before = breakdown(ranch.cells, public.scenario).total
    ways = tuple(
        [
            _way(public, laying.laid(ranch, first, second, one.at, one.turn), one, before)
            for one in _of(legal, LayDomino)
        ]
    )
    return asks.LayDomino(
        fresh, tile_art(ranch.reserve[first]), tile_art(ranch.reserve[second]), ways
    )


def _way(public: Public, ranch: Ranch, lay: LayDomino, before: int) -> asks.Way:
    """Show what laying a domino would score at once, and what it would trigger."""
    here, there = laying.cells_of(len(ranch.cells), lay.at, lay.turn)
    tiles = [(at, cell.tile) for at in (here, there) if (cell := ranch.cells[at]) is not None]
    # As laying it would: the supply may run out between the first tile and the second.
    left, cells = public.cattle_left, ranch.cells
    for at, tile in tiles:
        came = min(left, tile.cattle)
        left -= came
        cells = swap(cells, at, Cell(tile, came))
    skulls = sum(
        1
        for at, tile in tiles
        if tile.skull and any((cell := cells[n]) and cell.cattle for n in area_of(cells, at))
    )
    circles = sum(tile.circle for _, tile in tiles)
    return asks.Way(
        pick=f"at:{lay.at},turn:{lay.turn}",
        cells=f"{here} {there}",
        turn=lay.turn,
        row=here // WIDTH + 1,
        column=here % WIDTH + 1,
        gain=breakdown(cells, public.scenario).total - before,
        cattle=public.cattle_left - left,
        skulls=skulls,
        circles=min(circles, sum([table is not None for table in public.tables]) or circles),
    )


def _spots(public: Public, where: Iterable[tuple[int, int]]) -> tuple[asks.Spot, ...]:
    found = []
    for seat, at in where:
        cell = public.ranches[seat].cells[at]
        if cell is not None:
            found.append(
                asks.Spot(
                    id=f"at-{seat}-{at}",
                    seat=seat,
                    at=at,
                    row=at // WIDTH + 1,
                    column=at % WIDTH + 1,
                    landscape=cell.tile.landscape,
                    cattle=cell.cattle,
                )
            )
    return tuple(found)


def _hiring(public: Public, legal: tuple[Action, ...], ranch: Ranch, fresh: int) -> asks.Hire:
    hires = _of(legal, Hire)
    circles = []
    for at in dict.fromkeys(one.at for one in hires):
        cell = ranch.cells[at]
        if cell is not None:
            where = (at // WIDTH + 1, at % WIDTH + 1)
            circles.append(asks.Circle(at, *where, cell.tile.landscape))
    partners = dict.fromkeys(one.partner for one in hires)
    return asks.Hire(
        fresh, tuple(circles), tuple((one, public.tables.count(one)) for one in partners)
    )


def _step(ranch: Ranch, drive: DriveCattle) -> asks.Way:
    """Show one step of cattle to a neighbouring cell."""
    source = drive.source
    cell = ranch.cells[drive.target]
    return asks.Way(
        pick=f"source:{source},target:{drive.target}",
        cells=f"{source} {drive.target}",
        turn=directions(len(ranch.cells))[source].index(drive.target),
        row=source // WIDTH + 1,
        column=source % WIDTH + 1,
        landscape=cell.tile.landscape if cell else None,
    )


def _swapping(
    public: Public, legal: tuple[Action, ...], ranch: Ranch, fresh: int
) -> asks.SwapTiles:
    swaps = _of(legal, SwapTiles)
    mine = dict.fromkeys(one.mine for one in swaps)
    theirs = dict.fromkeys((one.seat, one.theirs) for one in swaps)
    return asks.SwapTiles(
        fresh,
        tuple((place, tile_art(ranch.reserve[place])) for place in mine),
        tuple(
            asks.Swap(f"seat:{who},theirs:{n}", who, tile_art(public.ranches[who].reserve[n]))
            for who, n in theirs
        ),
    )


def _bonus(legal: tuple[Action, ...], ranch: Ranch, fresh: int) -> asks.LayBonus:
    lays = _of(legal, LayBonus)
    ways = tuple(
        asks.Way(
            pick=f"tile:{one.tile},landscape:{one.landscape},at:{one.at}",
            cells=str(one.at),
            turn=0,
            row=one.at // WIDTH + 1,
            column=one.at % WIDTH + 1,
            landscape=one.landscape,
        )
        for one in lays
    )
    landscapes = tuple(dict.fromkeys(one.landscape for one in lays))
    del ranch
    return asks.LayBonus(fresh, landscapes, ways, tuple(one.tile for one in _of(legal, DropBonus)))


def _stock(public: Public, legal: tuple[Action, ...], fresh: int) -> tuple[asks.Question, ...]:
    """Ask for what lies open and was never told, one thing at a time, and then to go on."""
    if _of(legal, GoOn):
        return (asks.TakeStock(fresh),)
    if public.unknown is None:
        return ()
    if public.unknown.where == "tables":
        return (asks.TellPartner(fresh, tellable_partners(public), public.tables),)
    return (tell_tile(public, fresh),)


def _painting(public: Public, legal: tuple[Action, ...], fresh: int) -> asks.Paint:
    size = len(public.ranches[0].cells)
    return asks.Paint(
        fresh=fresh,
        landscapes=LANDSCAPES,
        partners=(COWBOY, *SPECIALISTS),
        most_corn=MOST_SHOWN["corn"],
        cells=tuple((at, at // WIDTH + 1, at % WIDTH + 1) for at in range(size)),
        may_count=bool(_of(legal, CountUp)),
        left=tuple(
            seat
            for seat, ranch in enumerate(public.ranches)
            if public.phase == "painting" and not ranch.is_done
        ),
    )

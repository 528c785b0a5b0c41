"""What a domino does: cattle come, skulls take them, circles bring partners with their effects."""

from __future__ import annotations

from typing import TypeAlias

from referee.errors import IllegalAction

from . import supply
from .actions import Action, Decline, DriveCattle, Hire, RemoveCattle, Rustle, SwapTiles
from .events import (
    CattleCame,
    CattleDriven,
    CattleRemoved,
    CattleRustled,
    DominoLaid,
    EffectDeclined,
    Event,
    NobodyToHire,
    PartnerHired,
    SkullIdle,
    TilesSwapped,
)
from .grid import area_of, areas, landscape_at, neighbours
from .model import (
    COWBOY,
    STEPS,
    Cell,
    Cells,
    Choosing,
    Driving,
    Hiring,
    Painting,
    Partner,
    Phase,
    Removing,
    Resolving,
    Rustling,
    Swapping,
    TakingStock,
    Tile,
    Turn,
    replace,
    swap,
)
from .state import State, with_ranch

Effect: TypeAlias = Driving | Swapping | Rustling


def domino_laid(
    state: State,
    seat: int,
    tiles: tuple[Tile, Tile],
    cells: tuple[int, int],
    events: list[Event],
) -> State:
    """Put cattle onto a domino that was laid, and note its skulls and circles.

    Ruling: when the supply is exhausted, no cattle are put.
    """
    events.append(DominoLaid(seat, tiles, cells))
    for tile, at in zip(tiles, cells, strict=True):
        if tile.cattle:
            count = max(0, min(tile.cattle, supply.cattle_left(state)))
            events.append(CattleCame(seat, at, tile.landscape, count, tile.cattle - count))
            state = _set_cattle(state, seat, at, count)
    turn = state.turn
    if turn is None:
        raise LookupError(seat)
    skulls = tuple([at for tile, at in zip(tiles, cells, strict=True) if tile.skull])
    circles = tuple([at for tile, at in zip(tiles, cells, strict=True) if tile.circle])
    return replace(state, turn=replace(turn, skulls=skulls, circles=circles))


def _cell(state: State, seat: int, at: int) -> Cell:
    cells = state.ranches[seat].cells
    cell = cells[at] if 0 <= at < len(cells) else None
    if cell is None:
        raise IllegalAction("no_tile_there", section="effects", at=at)
    return cell


def _set_cattle(state: State, seat: int, at: int, change: int) -> State:
    ranch = state.ranches[seat]
    cell = _cell(state, seat, at)
    after = replace(cell, cattle=cell.cattle + change)
    return with_ranch(state, seat, replace(ranch, cells=swap(ranch.cells, at, after)))


# Skulls


def skull(state: State, turn: Turn, events: list[Event]) -> State:
    """Let the next skull work: its owner chooses, unless there is nothing to choose.

    A skull works only when it is laid, and not at all if there are no cattle in its area.
    """
    at, *rest = turn.skulls
    herds = _herds(state.ranches[turn.seat].cells, at)
    if len(herds) > 1:
        return replace(state, phase=Removing(at))
    state = replace(state, turn=replace(turn, skulls=tuple(rest)))
    if herds:
        return _remove(state, turn.seat, herds[0], events)
    events.append(SkullIdle(turn.seat, at))
    return state


def _herds(cells: Cells, at: int) -> tuple[int, ...]:
    """Give the cells of an area on which cattle stand."""
    return tuple([n for n in area_of(cells, at) if (cell := cells[n]) and cell.cattle])


def _remove(state: State, seat: int, at: int, events: list[Event]) -> State:
    events.append(CattleRemoved(seat, at, _cell(state, seat, at).tile.landscape))
    return _set_cattle(state, seat, at, -1)


def removing_legal(state: State, phase: Removing, seat: int) -> tuple[Action, ...]:
    """Give the cells from which a skull may take one of the cattle."""
    return tuple(map(RemoveCattle, _herds(state.ranches[seat].cells, phase.skull)))


def remove(state: State, turn: Turn, at: int, events: list[Event]) -> State:
    """Let a skull take one of the cattle from the cell that its owner chose."""
    state = replace(state, phase=Resolving(), turn=replace(turn, skulls=turn.skulls[1:]))
    return _remove(state, turn.seat, at, events)


# Circles


def circle(state: State, turn: Turn, events: list[Event]) -> State:
    """Let partners be hired for circles, as long as any sits in the saloon."""
    if state.tables:
        return replace(state, phase=Hiring())
    events.extend(NobodyToHire(turn.seat) for _ in turn.circles)
    return replace(state, turn=replace(turn, circles=()))


def hiring_legal(state: State, turn: Turn) -> tuple[Action, ...]:
    """Give every partner in the saloon for every circle, with either side up."""
    kinds = [kind for kind in dict.fromkeys(state.tables) if kind is not None]
    return tuple(
        Hire(at, kind, side)
        for at in turn.circles
        for kind in kinds
        for side in ("specialist", "cowboy")
    )


def hire(state: State, turn: Turn, action: Hire, events: list[Event]) -> State:
    """Lay a partner on its circle; then its effect may be carried out, if there is one."""
    kind, seat = action.partner, turn.seat
    if action.at not in turn.circles:
        raise IllegalAction("no_such_circle", section="effects", at=action.at)
    if kind not in state.tables:
        raise IllegalAction("no_such_partner", section="effects", partner=kind)
    shown: Partner = kind if action.side == "specialist" else COWBOY
    events.append(PartnerHired(seat, action.at, kind, shown))
    # A card on its cowboy side no longer says which specialist it was; `away` keeps that, or the
    # piles would not add up.
    tables = list(state.tables)
    tables.remove(kind)
    ranch = state.ranches[seat]
    cell = replace(_cell(state, seat, action.at), partner=shown)
    circles = list(turn.circles)
    circles.remove(action.at)
    state = replace(
        state,
        tables=tuple(tables),
        away=(*state.away, kind) if shown == COWBOY else state.away,
        turn=replace(turn, circles=tuple(circles)),
    )
    state = with_ranch(state, seat, replace(ranch, cells=swap(ranch.cells, action.at, cell)))
    return replace(state, phase=_effect(state, seat, action.at, shown))


def _effect(state: State, seat: int, at: int, shown: Partner) -> Phase:
    """Give the phase of an effect that can be carried out at all, else none."""
    effect: Effect | None = None
    match shown:
        case "cowboy":
            effect = Driving(STEPS)
        case "desperado":
            effect = Swapping()
        case "rustler":
            effect = Rustling(at)
        case _:
            pass
    # Nobody is asked about an effect that can do nothing.
    return Resolving() if effect is None or not can_do(state, effect, seat) else effect


def _options(state: State, effect: Effect, seat: int) -> tuple[Action, ...]:
    match effect:
        case Driving():
            return _drives(state.ranches[seat].cells)
        case Swapping():
            return _swaps(state, seat)
        case Rustling(cell):
            return _raids(state, seat, cell)


def can_do(state: State, effect: Effect, seat: int) -> bool:
    """Say whether an effect can do anything."""
    return bool(_options(state, effect, seat))


def effect_legal(state: State, effect: Effect, seat: int) -> tuple[Action, ...]:
    """Give all that an effect can do; every effect may be left."""
    return (*_options(state, effect, seat), Decline())


def anew(state: State) -> State:
    """Look anew at what goes on in a turn: what was owed may be so no more, or cannot be done."""
    turn = state.turn
    if turn is None or isinstance(state.phase, TakingStock | Painting):
        return state
    cells = state.ranches[turn.seat].cells
    # An effect is owed to the tile that lies there: without it there is none.
    skulls = tuple(at for at in turn.skulls if cells[at] is not None)
    circles = tuple(at for at in turn.circles if cells[at] is not None)
    state = replace(state, turn=replace(turn, skulls=skulls, circles=circles))
    match state.phase:
        case Driving() | Swapping() as effect if can_do(state, effect, turn.seat):
            return state
        case Rustling(cell) as effect if cells[cell] and can_do(state, effect, turn.seat):
            return state
        case Choosing():
            return state
        case _:
            return replace(state, phase=Resolving())


def _drives(cells: Cells) -> tuple[Action, ...]:
    """Give every step of cattle to a neighbouring tile: never onto corn."""
    beside = neighbours(len(cells))
    return tuple(
        [
            DriveCattle(at, near)
            for at, cell in enumerate(cells)
            if cell and cell.cattle
            for near in beside[at]
            if landscape_at(cells, near) not in (None, "corn")
        ]
    )


def drive(
    state: State, seat: int, phase: Driving, action: DriveCattle, events: list[Event]
) -> State:
    """Move one of the cattle a step; one may take several."""
    state = _set_cattle(state, seat, action.source, -1)
    state = _set_cattle(state, seat, action.target, 1)
    events.append(CattleDriven(seat, action.source, action.target))
    return replace(state, phase=Driving(phase.steps - 1) if phase.steps > 1 else Resolving())


def _swaps(state: State, seat: int) -> tuple[Action, ...]:
    """Give every swap of a tile of one's reserve with one of another seat's."""
    mine = range(len(state.ranches[seat].reserve))
    return tuple(
        SwapTiles(own, other, place)
        for own in mine
        for other, ranch in enumerate(state.ranches)
        if other != seat
        for place in range(len(ranch.reserve))
    )


def swap_tiles(state: State, seat: int, action: SwapTiles, events: list[Event]) -> State:
    """Swap two tiles; each lies where the other one lay."""
    mine, theirs = state.ranches[seat], state.ranches[action.seat]
    gave, got = mine.reserve[action.mine], theirs.reserve[action.theirs]
    events.append(TilesSwapped(seat, action.seat, gave, got))
    mine = replace(mine, reserve=swap(mine.reserve, action.mine, got))
    theirs = replace(theirs, reserve=swap(theirs.reserve, action.theirs, gave))
    state = with_ranch(with_ranch(state, seat, mine), action.seat, theirs)
    return replace(state, phase=Resolving())


def _raids(state: State, seat: int, cell: int) -> tuple[Action, ...]:
    """Give all cattle of others that no partner guards.

    Ruling: if the rustler lies on corn, where no cattle may stand, she cannot take any.
    """
    if landscape_at(state.ranches[seat].cells, cell) == "corn":
        return ()
    return tuple(
        Rustle(other, at)
        for other, ranch in enumerate(state.ranches)
        if other != seat
        for at in unguarded(ranch.cells)
    )


def unguarded(cells: Cells) -> tuple[int, ...]:
    """Give the cells with cattle whose area has no partner: every partner is a herder."""
    found: list[int] = []
    for area in areas(cells):
        there = [(at, cell) for at in area if (cell := cells[at]) is not None]
        # Every partner guards its whole area, whichever side is up.
        if not any(cell.partner for _, cell in there):
            found += [at for at, cell in there if cell.cattle]
    return tuple(sorted(found))


def rustle(state: State, seat: int, phase: Rustling, action: Rustle, events: list[Event]) -> State:
    """Take one of the cattle to the rustler's own tile."""
    state = _set_cattle(state, action.seat, action.at, -1)
    state = _set_cattle(state, seat, phase.cell, 1)
    events.append(CattleRustled(seat, action.seat, action.at, phase.cell))
    return replace(state, phase=Resolving())


def decline(state: State, seat: int, events: list[Event]) -> State:
    """Leave the rest of an effect."""
    events.append(EffectDeclined(seat))
    return replace(state, phase=Resolving())

"""What is left: cattle, partners, tiles. Nothing here is counted twice, so nothing can drift."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from .box import is_whole
from .model import (
    CATTLE,
    COWBOY,
    PARTNERS,
    PER_ROW,
    SPECIALISTS,
    TABLES,
    TILES,
    Cells,
    Ended,
    Painting,
    Ranch,
    Specialist,
    TakingStock,
    Tile,
    TurningUp,
    replace,
)
from .state import State


def deals(state: State) -> bool:
    """Say whether the app turns tiles up itself: it must know them all."""
    return state.rules.preset == "app" and is_whole(state.box)


def deals_partners(state: State) -> bool:
    """Say whether the app turns partners up itself: it must know how many of each there are."""
    return state.rules.preset == "app" and None not in state.box.partners


def cattle_left(state: State) -> int:
    """Count the cattle in the supply."""
    out = 0
    for ranch in state.ranches:
        for cell in ranch.cells:
            if cell is not None:
                out += cell.cattle
    return CATTLE - out


def tiles_left(state: State) -> int:
    """Count the tiles in the box."""
    told = len(state.phase.told) if isinstance(state.phase, TurningUp) else 0
    return TILES - PER_ROW * state.rows - told


def tiles_out(state: State) -> list[Tile | None]:
    """Give every tile that was turned up, known or not, wherever it is now."""
    found = [spot.tile for spot in (*state.current, *state.next) if not spot.is_gone]
    for ranch in state.ranches:
        found += (*ranch.reserve, *ranch.elsewhere)
        # Painted tiles and bonus tiles have no number: nobody knows which of the box they are.
        found += [cell.tile for cell in ranch.cells if cell is not None and cell.tile.number]
    found += state.gone
    if isinstance(state.phase, TurningUp):
        found += state.phase.told
    return found


def seen(state: State) -> Counter[Tile]:
    """Count the tiles seen in this game."""
    return Counter([tile for tile in tiles_out(state) if tile is not None])


def with_cells(ranch: Ranch, cells: Cells) -> Ranch:
    """Give a ranch with other cells. A numbered tile that is in none of them is elsewhere now."""
    was, now = _numbered(ranch.cells), _numbered(cells)
    elsewhere = list(ranch.elsewhere)
    for tile in (now - was).elements():
        if tile in elsewhere:
            elsewhere.remove(tile)
    return replace(ranch, cells=cells, elsewhere=(*elsewhere, *(was - now).elements()))


def _numbered(cells: Cells) -> Counter[Tile]:
    return Counter(cell.tile for cell in cells if cell is not None and cell.tile.number)


def known_tiles(state: State) -> int:
    """Count the tiles seen in this game."""
    return sum([tile is not None for tile in tiles_out(state)])


def known_partners(state: State) -> int:
    """Count the partners that were turned up and told, or dealt."""
    return partners_out(state).total()


def partners_out(state: State) -> Counter[Specialist]:
    """Count the partners that are in no pile, as far as they are known."""
    found = [partner for partner in (*state.tables, *state.away) if partner is not None]
    for ranch in state.ranches:
        found += _partners_in(ranch.cells)
    return Counter(found)


@lru_cache(maxsize=512)  # a turn changes one ranch
def _partners_in(cells: Cells) -> tuple[Specialist, ...]:
    """Give the partners that lie in a ranch, specialist side up."""
    partners = [cell.partner for cell in cells if cell is not None]
    return tuple([one for one in partners if one is not None and one != COWBOY])


def partners_left(state: State) -> tuple[int | None, ...]:
    """Count by specialist how many may lie in the piles, None where nobody told how many are."""
    out = partners_out(state)
    return tuple(
        [
            None if copies is None else max(0, copies - out[kind])
            for kind, copies in zip(SPECIALISTS, state.box.partners, strict=True)
        ]
    )


def partners_in_piles(state: State) -> tuple[Specialist, ...]:
    """Give the partners in the piles, where all of them are known."""
    out = partners_out(state)
    return tuple(
        kind
        for kind, copies in zip(SPECIALISTS, state.box.partners, strict=True)
        for _ in range((copies or 0) - out[kind])
    )


def empty_tables(state: State) -> int:
    """Count the tables that get a partner: there may be fewer left than tables are empty."""
    return min(TABLES - len(state.tables), state.pile)


def hired(state: State) -> int:
    """Count the partners that lie in ranches, specialist side up."""
    return sum([len(_partners_in(ranch.cells)) for ranch in state.ranches])


def balanced(state: State) -> State:
    """Let partners that were painted or set right count as gone from the saloon."""
    surplus = state.pile + len(state.tables) + len(state.away) + hired(state) - PARTNERS
    # The missing ones are away, and nobody knows which they are.
    if surplus < 0:
        return replace(state, away=(*state.away, *(None,) * -surplus))
    unknown = [partner for partner in state.away if partner is None]
    known = [partner for partner in state.away if partner is not None]
    return replace(state, away=(*known, *unknown)[: max(0, len(state.away) - surplus)])


def violations(state: State) -> tuple[str, ...]:
    """Name what must never be: tiles, cattle or partners made or lost."""
    # A table that tracked less for a while is not held to sums that it never told.
    is_painted = isinstance(state.phase, Painting | TakingStock | Ended)
    if state.resume is not None or (is_painted and state.tracking != "full"):
        return ()
    wrong = []
    told = len(state.phase.told) if isinstance(state.phase, TurningUp) else 0
    if len(tiles_out(state)) != PER_ROW * state.rows + told:
        wrong.append("tiles made or lost")
    if is_whole(state.box) and seen(state) - Counter(state.box.tiles):
        wrong.append("a tile twice")
    if cattle_left(state) < 0:
        wrong.append("cattle made")
    if state.pile + len(state.tables) + len(state.away) + hired(state) != PARTNERS:
        wrong.append("partners made or lost")
    return tuple(wrong)

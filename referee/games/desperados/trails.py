"""Where cards lead: what can be played, and where a seat's own cards say that it is."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec import Struct

from referee.games.once import kept, once

from .model import DECK, MOVES, SALOON, Card, City, Laid, Out, State
from .roads import Board, Links

# Made once: they are asked for at every card.
_LAID: Final = {card: Laid(card) for card in DECK}
_CONFIRMED: Final = {card: Laid(card, confirmed=True) for card in DECK}


def is_possible(
    board: Board, lost: tuple[City, ...], at: City, laid: Laid, earlier: tuple[Laid, ...]
) -> bool:
    """Judge a card: it was at hand, and a road leads there; the saloon stays.

    Ruling: a road that the referee does not know counts once its player confirmed it, unless the
    table has said since that there is none, or that its map is complete.
    """
    card = laid.card
    if card in lost:
        return False
    for other in earlier:
        if other.card == card:
            return False
    if card == SALOON:
        return True
    ways = board.links[at]
    return card in ways.near or (laid.confirmed and card in ways.unknown)


class Trail(Struct, frozen=True):
    """Where a seat's own cards say it is; `is_broken` after a card that could not be played."""

    at: City
    is_broken: bool = False


@once
def trail(state: State, seat: int, upto: int | None = None) -> Trail:
    """Follow a seat's cards of this turn from its pawn, or only so many of them."""
    route, lost = state.routes[seat], state.lost[seat]
    if upto is None:
        return _trail(state, state.pawn(seat), route, lost)
    return _followed(state.board, state.pawn(seat), route[:upto], lost)


@kept("board")  # of the five ways that are asked for at every action one is another
def _trail(state: State, at: City, route: tuple[Laid, ...], lost: tuple[City, ...]) -> Trail:
    return _followed(state.board, at, route, lost)


def _followed(board: Board, at: City, route: tuple[Laid, ...], lost: tuple[City, ...]) -> Trail:
    for number, laid in enumerate(route):
        if not is_possible(board, lost, at, laid, route[:number]):
            return Trail(at, is_broken=True)
        at = at if laid.card == SALOON else laid.card
    return Trail(at)


def earlier(state: State, seat: int) -> tuple[Laid, ...]:
    """Give a seat's cards of the moves that are closed."""
    return state.routes[seat][: state.move - 1]


def hand(state: State, seat: int) -> tuple[Card, ...]:
    """Give the cards a seat may still lay in this move: none lost, none on the table before."""
    return _hand(earlier(state, seat), state.lost[seat])


@lru_cache(maxsize=1024)
def _hand(laid: tuple[Laid, ...], lost: tuple[City, ...]) -> tuple[Card, ...]:
    gone = {*[one.card for one in laid], *lost}
    return tuple([card for card in DECK if card not in gone])


@once
def playable(state: State, seat: int) -> tuple[Laid, ...]:
    """Give what a seat may lay: the saloon and cities along a road, confirmed if it is unknown.

    With nothing that is surely possible any card may be laid, and is judged in the examination;
    so may it after a card that could not be played, when nothing counts any more.
    """
    at, held = trail(state, seat, state.move - 1), hand(state, seat)
    if at.is_broken:
        return tuple([_LAID[card] for card in held])
    ways = state.board.links[at.at]
    sure = [_LAID[card] for card in (*ways.near, SALOON) if card in held]
    unsure = [_CONFIRMED[card] for card in ways.unknown if card in held]
    # Not confirmed: whoever has no way left need not claim a road to lay what they hold.
    return (*(sure or [_LAID[card] for card in held]), *unsure)


def is_stuck(state: State, seat: int) -> bool:
    """Say whether none of a seat's cards surely fits, though those before did."""
    at = trail(state, seat, state.move - 1)
    if at.is_broken:
        return False
    return {SALOON, *state.board.links[at.at].near}.isdisjoint(hand(state, seat))


def has_laid(state: State, seat: int) -> bool:
    """Say whether a seat's card of this move lies on the table."""
    return len(state.routes[seat]) == state.move


def way(state: State, seat: int, out: Out | None, upto: int = MOVES) -> tuple[City, ...]:
    """Follow the cards that were turned, so many at most, from where the turn began."""
    found = [state.starts[seat] or state.pawn(seat)]
    turned = min(out.step, upto) if out else upto
    for number, laid in enumerate(state.routes[seat][:turned], 1):
        if laid.card == SALOON or out == Out("impossible", number):
            found.append(found[-1])
        else:
            found.append(laid.card)
    return tuple(found)


def dead_ends(state: State, seat: int) -> tuple[Card, ...]:
    """Give the cards after which the turn's later moves cannot all be made.

    A road that nobody knows may lead on, so a city that may have one is no dead end. With no card
    that surely fits none is worse than another.
    """
    at = trail(state, seat, state.move - 1)
    if at.is_broken or is_stuck(state, seat):
        return ()
    cards = tuple([laid.card for laid in playable(state, seat)])
    return _without_way_on(state.board, at.at, cards, hand(state, seat), MOVES - state.move)


# What others do changes nothing of it, and it is shown anew whenever they do.
@lru_cache(maxsize=512)
def _without_way_on(
    board: Board, at: City, cards: tuple[Card, ...], hand: tuple[Card, ...], left: int
) -> tuple[Card, ...]:
    """Give those of some cards to lay now that leave no way on for so many more moves."""
    kept = frozenset(hand)
    return tuple(
        [
            card
            for card in cards
            if not _leads_on(board.links, at if card == SALOON else card, kept - {card}, left)
        ]
    )


def _leads_on(ways: dict[City, Links], at: City, cards: frozenset[Card], moves: int) -> bool:
    """Say whether so many more moves can be made from a city with these cards."""
    # At most 5 moves deep with a few roads each: a search through all ways is quick enough.
    if not moves or any(city in cards for city in ways[at].unknown):
        return True
    nexts: list[tuple[Card, City]] = [(city, city) for city in ways[at].near if city in cards]
    if SALOON in cards:
        nexts.append((SALOON, at))
    return any(_leads_on(ways, city, cards - {card}, moves - 1) for card, city in nexts)

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


def trail(state: State, seat: int, upto: int | None = None) -> Trail:
    """Follow a seat's cards of this turn from its pawn, or only so many of them."""
    if upto is None:
        return cards(state, seat).trail
    return _followed(state.board, state.pawn(seat), state.routes[seat][:upto], state.lost[seat])


def _followed(board: Board, at: City, route: tuple[Laid, ...], lost: tuple[City, ...]) -> Trail:
    for number, laid in enumerate(route):
        if not is_possible(board, lost, at, laid, route[:number]):
            return Trail(at, is_broken=True)
        at = at if laid.card == SALOON else laid.card
    return Trail(at)


class Cards(Struct, frozen=True):
    """Where a seat's cards lead, and what it may lay in this move.

    `trail` is by all that lie there, `before` by those of the moves that are closed. Of the cards
    that it `held` there `playable` are those that can be played; `is_stuck`: none of them surely,
    though those before could.
    """

    trail: Trail
    before: Trail
    held: tuple[Card, ...]
    playable: tuple[Laid, ...]
    is_stuck: bool


@once  # asked for by its owner, by mates, and by what is legal
def cards(state: State, seat: int) -> Cards:
    """Give where a seat's cards lead, and what it may lay: the saloon, and cities along a road.

    One that is not known has to be confirmed. With nothing that is surely possible any card may be
    laid, and is judged in the examination; so may it after a card that could not be played, when
    nothing counts any more.
    """
    return _cards(state, state.pawn(seat), state.routes[seat], state.lost[seat])


@kept("board", "move")  # of the five that are asked about at every action one is another
def _cards(state: State, at: City, route: tuple[Laid, ...], lost: tuple[City, ...]) -> Cards:
    board, laid = state.board, route[: state.move - 1]
    trail, before = _followed(board, at, route, lost), _followed(board, at, laid, lost)
    held = _hand(laid, lost)
    every = tuple([_LAID[card] for card in held])
    if before.is_broken:
        return Cards(trail, before, held, every, is_stuck=False)
    ways = board.links[before.at]
    sure = tuple([_LAID[card] for card in (*ways.near, SALOON) if card in held])
    unsure = tuple([_CONFIRMED[card] for card in ways.unknown if card in held])
    # Not confirmed: whoever has no way left need not claim a road to lay what they hold.
    return Cards(trail, before, held, (sure or every) + unsure, is_stuck=not sure)


def playable(state: State, seat: int) -> tuple[Laid, ...]:
    """Give what a seat may lay now; see `cards`."""
    return cards(state, seat).playable


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
    now = cards(state, seat)
    if now.before.is_broken or now.is_stuck:
        return ()
    nexts = tuple([laid.card for laid in now.playable])
    return _without_way_on(state.board, now.before.at, nexts, now.held, MOVES - state.move)


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

"""The map beside the choice of a card, and what can be tapped on it: cities and Sheriffs.

What can be tapped has an id, which is that of the choice in the form below: a tap on one is a tap
on the other.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec import Struct

from referee.games.base import InPieces, Piece
from referee.games.once import once

from . import actions, maps
from .model import DECK, SALOON, Card, City
from .own import Own
from .view import Public
from .whereabouts import Whereabouts, shades

Legal = tuple[actions.Action, ...]


class Sheriff(Struct, frozen=True):
    """A Sheriff and where it may go: `near` with ids, `far` along roads nobody told of yet."""

    index: int
    id: str
    city: City
    near: tuple[tuple[City, str], ...]
    far: tuple[City, ...]


class Shades(Struct, frozen=True):
    """Each city where desperadoes may be, and how many of them."""

    cities: tuple[tuple[City, int], ...]


class Touches(Struct, frozen=True):
    """Cities of cards; where `shared` cities have a Sheriff too, a card's spot makes room."""

    picks: tuple[tuple[City, str], ...]
    shared: tuple[City, ...]


class Stands(Struct, frozen=True):
    """Cities where Sheriffs stand that may be moved."""

    stands: tuple[tuple[City, str], ...]


class Layer(Struct, frozen=True):
    """Whether cities can be tapped, and how many Sheriffs."""

    has_picks: bool
    sheriffs: int


class Taps(InPieces, frozen=True):
    """What can be tapped: of a Sheriff that rides only its own ways are sent."""

    picks: tuple[tuple[City, str], ...]
    stands: tuple[tuple[City, str], ...]
    sheriffs: tuple[Sheriff, ...]

    @property
    def around(self) -> Layer:
        """Give what there is to tap at all."""
        return Layer(bool(self.picks), len(self.sheriffs))

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Give cities, the Sheriffs, and where each of them may go."""
        shared = tuple([city for city, _ in self.stands])
        cities = (Piece("touches", Touches(self.picks, shared)),) if self.picks else ()
        if not self.sheriffs:
            return cities
        ways = [Piece("targets", sheriff) for sheriff in self.sheriffs]
        return (*cities, Piece("stands", Stands(self.stands)), *ways)


class Maybes(Struct, frozen=True):
    """Where desperadoes may be, in words."""

    found: tuple[Whereabouts, ...]


class Shown(Struct, frozen=True):
    """Whether something is chosen on a map, and whether that shows where desperadoes may be."""

    is_on: bool
    has_shades: bool


class Where(InPieces, frozen=True):
    """The map on which a move is tapped, drawn anew whenever it changes beside the choice.

    `at` is where this seat is by its own cards of earlier moves, `path` the cities of its way so
    far, `ghosts` where the mates are who share their plans, by all cards that lie there. `picks`
    are cities of cards to lay, `sheriffs` those that may be moved, and `stands` their cities, each
    with all their ids. `whereabouts` is the Marshal's. Without a `map` nothing is chosen.
    """

    map: maps.Layers | None = None
    at: City | None = None
    path: tuple[City, ...] = ()
    ghosts: maps.Ghosts | None = None
    picks: tuple[tuple[City, str], ...] = ()
    sheriffs: tuple[Sheriff, ...] = ()
    stands: tuple[tuple[City, str], ...] = ()
    whereabouts: tuple[Whereabouts, ...] = ()

    @property
    def around(self) -> Shown:
        """Give what stands around the layers of the map."""
        return Shown(self.map is not None, bool(self.whereabouts))

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Give the layers, from below to above, and in words what the lowest shades."""
        if self.map is None:
            return ()
        layers = (
            Piece("below", self.map.below, alike=True),
            # Between the roads and the cities.
            Piece("way", maps.Way("where", self.path, self.at, self.picks)),
            Piece("over", self.map.over, alike=True),
            Piece("ghosts", self.ghosts),
            Piece("taps", Taps(self.picks, self.stands, self.sheriffs)),
        )
        if not self.whereabouts:
            return layers
        shaded = Piece("shades", Shades(shades(self.whereabouts)), alike=True)
        return (shaded, *layers, Piece("maybes", Maybes(self.whereabouts)))


_NOWHERE: Final = Where()


def where(public: Public, own: Own, legal: Legal, seat: int) -> Where:
    """Give the map beside the choice of a card."""
    if not legal or public.phase not in ("riding", "laying"):
        return _NOWHERE
    path = path_of(public, own, seat)
    sheriffs = sheriffs_of(public, legal)
    # Who is stuck may lay any card, but no city is a way then.
    sure = () if own.is_stuck else cards_of(legal).sure
    return Where(
        map=maps.lain(public, "where"),
        at=path[-1] if path and not own.is_broken else None,
        path=() if public.marshal == seat or own.is_broken else path,
        ghosts=maps.ghosts("where", own.mates),
        picks=tuple([(city, its) for city, its in sure if city != SALOON]),
        sheriffs=sheriffs,
        stands=_stands(sheriffs) if sheriffs else (),
        whereabouts=public.whereabouts if seat == public.marshal else (),
    )


def path_of(public: Public, own: Own, seat: int) -> tuple[City, ...]:
    """Follow a seat's own cards of the moves that are closed."""
    mine = public.seats[seat]
    return maps.follow(mine.pawn, own.route[:-1] if mine.has_laid else own.route)


class Offered(Struct, frozen=True):
    """The cards that may be laid: those that surely can, with ids, and cities that are not sure."""

    sure: tuple[tuple[Card, str], ...]
    unsure: tuple[City, ...]


# For the map and for the choice below it, whenever somebody else lays a card.
@lru_cache(maxsize=256)
def cards_of(legal: Legal) -> Offered:
    """Give the cards that may be laid; a road that nobody knows has to be confirmed."""
    cards = [action for action in legal if isinstance(action, actions.LayCard)]
    return Offered(
        tuple([(a.card, _IDS[a.card]) for a in cards if not a.confirmed]),
        tuple([a.card for a in cards if a.confirmed and a.card != SALOON]),
    )


_IDS: Final = {card: "k-" + card.replace(" ", "-").replace(".", "") for card in DECK}
"""An id for each card that a page can look up: cities have spaces and a dot in their names."""


@once
def sheriffs_of(public: Public, legal: Legal) -> tuple[Sheriff, ...]:
    """Give every Sheriff with the ways that it has; none at all if none of them may move."""
    if public.phase != "riding":
        return ()
    moves = [action for action in legal if isinstance(action, actions.MoveSheriff)]
    if not moves:
        return ()
    found = []
    for index, city in enumerate(public.sheriffs):
        mine = [move for move in moves if move.sheriff == index]
        near = [move.city for move in mine if not move.confirmed]
        ids = tuple([(target, f"s{index}-{number}") for number, target in enumerate(near, 1)])
        far = tuple([move.city for move in mine if move.confirmed])
        found.append(Sheriff(index, f"s{index}", city, ids, far))
    return tuple(found)


def _stands(sheriffs: tuple[Sheriff, ...]) -> tuple[tuple[City, str], ...]:
    """Give each city with Sheriffs once: tapping it again means the next of those there."""
    ids: dict[City, list[str]] = {}
    for sheriff in sheriffs:
        ids.setdefault(sheriff.city, []).append(sheriff.id)
    return tuple([(city, " ".join(found)) for city, found in ids.items()])

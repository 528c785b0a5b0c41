"""An evening of three outlaws that is set down beforehand, and how it is played over HTTP.

The law stays where no bank is: whatever the app deals, the same things happen in the same order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .bench import Api

ANN, BEN, CLEO = range(3)
STARTS: Final = {ANN: "Shiprock", BEN: "Salem", CLEO: "St. Johns"}
POSTS: Final = ("Tuba City", "Aztec")
WAYS: Final = (
    (
        "Gallup, Los Lunas, Aztec, saloon, Shiprock",
        "Socorro, Los Lunas, Red Cloud, La Luz, Salem",
        "Globe, Tucson, Tombstone, Silver City, saloon",
    ),
    (
        "Tuba City, Gallup, Los Lunas, Aztec, Shiprock",
        "Red Cloud, La Luz, El Paso, Salem, Socorro",
        "Tombstone, Tucson, Silver City, Salem, El Paso",
    ),
    (
        "Tuba City, Gallup, Los Lunas, Aztec, Shiprock",
        "Salem, La Luz, Red Cloud, saloon, Santa Fe",
        "La Luz, Socorro, St. Johns, Globe, Silver City",
    ),
    (
        "Tuba City, Gallup, Los Lunas, Aztec, Shiprock",
        "Red Cloud, La Luz, Salem, saloon, Socorro",
        "St. Johns, Globe, Sweet Water, Payson, Flagstaff",
    ),
    (
        "Tuba City, Gallup, Los Lunas, Aztec, Shiprock",
        "Salem, La Luz, saloon, Red Cloud, Santa Fe",
        "Payson, St. Johns, Socorro, Salem, El Paso",
    ),
)
"""By turn and seat. In the first Ann meets Ben in Los Lunas, at the second card."""
POKER: Final = {
    (1, 1): CLEO,
    (2, 1): CLEO,
    (3, 1): BEN,
    (4, 1): CLEO,
    (5, 1): CLEO,
}
"""Who cheats at poker, by turn and move; nobody of the law is there."""
SPIES: Final = (1, 4)


class Unseen:
    """The same three people, who play over HTTP what is tapped elsewhere."""

    def __init__(self, api: Api) -> None:
        self.api = api

    def does(self, seat: int, kind: str, **facts: str) -> None:
        """Do one thing."""
        self.api.act(self.api.tokens[seat], {"type": kind, **facts})

    def places(self) -> None:
        """Post the law and take the gang's places; then a Sheriff rides."""
        self.does(ANN, "place_marshal", city=STARTS[ANN])
        for city in POSTS:
            self.does(ANN, "place_sheriff", city=city)
        for seat in (BEN, CLEO):
            self.does(seat, "place_pawn", city=STARTS[seat])
        self.first_of(ANN, "move_sheriff")

    def lays(self, number: int, move: int, seats: Sequence[int] = (ANN, BEN, CLEO)) -> None:
        """Lay the cards of a move."""
        for seat in seats:
            self.does(seat, "lay_card", card=ways(number)[seat][move - 1])

    def acts(self, number: int, move: int) -> None:
        """Say what there is to say in cities, and end the gang's part of a move."""
        if (number, move) in POKER:
            self.does(POKER[number, move], "declare", choice="poker")
        if (number, move) == SPIES:
            self.does(CLEO, "declare", choice="spy")
        self.does(BEN, "place_discs")

    def rides(self, number: int, moves: Sequence[int]) -> None:
        """Ride moves of a turn."""
        for move in moves:
            self.lays(number, move)
            self.acts(number, move)

    def goes_on(self, *kinds: str) -> None:
        """Let the cards of a turn come to light, as long as it takes things of these kinds."""
        while any(self.first_of(ANN, kind) for kind in kinds):
            pass

    def first_of(self, seat: int, kind: str) -> bool:
        """Do the first thing of a kind, if there is any."""
        key = self.api.tokens[seat]
        found = [action for action in self.api.see(key)["legal"] if action["type"] == kind]
        if found:
            self.api.act(key, found[0])
        return bool(found)


def ways(number: int) -> list[list[str]]:
    """Give the cards of a turn, by seat and move."""
    return [way.split(", ") for way in WAYS[number - 1]]

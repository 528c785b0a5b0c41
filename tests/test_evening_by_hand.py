"""Whole evenings over HTTP beside a ledger kept by hand, with mistakes that are set right later.

The ledgers here know the printed rules they need and nothing of ours: every purse, and every tile
of the loot, is compared with them at the end. Between two mistakes the plug is pulled.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import pytest

from tests.test_server import Server, serving

pytestmark = [
    pytest.mark.server,
    pytest.mark.long,
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a signal without mercy"),
]


class Sitting:
    """A table at a real server, which may be another process after a while."""

    def __init__(self, server: Server, game: str, seats: int, **options: str) -> None:
        self.server = server
        made = server.post("/api/v1/tables", {"game": game, "options": options})
        self.path, self.host = f"/api/v1/tables/{made['table']}", made["host_token"]
        self.tokens = [
            server.post(f"{self.path}/seats", {"name": name})["token"] for name in "ABCDEF"[:seats]
        ]
        server.post(f"{self.path}/start", {}, self.host)
        self.acts = 0

    def public(self) -> Any:
        """Give what everybody sees."""
        return msgspec.json.decode(self.server.get(self.path))["view"]["public"]

    def act(self, seat: int, kind: str, **fields: Any) -> None:
        """Do something as a seat."""
        self.acts += 1
        version = self.server.ask(self.path, self.tokens[seat])["version"]
        action = {"type": kind} | fields
        body = {"version": version, "id": f"a{self.acts}", "action": action}
        self.server.post(f"{self.path}/actions", body, self.tokens[seat])

    def tell_anew(self, was: dict[str, Any], *also: dict[str, Any], **now: Any) -> None:
        """Find the line that told something, and tell it otherwise as the host."""
        lines = self.server.ask(f"{self.path}/told", self.host)
        line = next(line for line in lines if was.items() <= line["told"].items())
        told = line["told"] | now
        retelling = {"to": line["to"], "part": line["part"], "told": told, "also": also}
        self.server.post(f"{self.path}/corrections", {"retelling": retelling}, self.host)

    def own(self, seat: int) -> Any:
        """Give what a seat alone sees."""
        return self.server.ask(self.path, self.tokens[seat])["view"]["own"]

    def result(self) -> dict[str, Any]:
        """Give how it ended."""
        found: dict[str, Any] = msgspec.json.decode(self.server.get(f"{self.path}/result"))
        return found


# Daddy Winchester

RIVERSIDE: Final = {5, 6, 7, 8, 10, 11, 12, 16}
RAILSIDE: Final = {1, 2, 7, 8, 11, 12, 13, 14, 15}
SALOON_SQUARE: Final = {8, 9, 14, 15}
MINES: Final = {3, 4, 5}
RANCH_LANDS: Final = {12, 13, 14, 16, 17, 18}
CARDS: Final = {3, 4, 5, 17}
BESIDE: Final = {"r4": {11, 12}, "r6": {10, 16}, "t1": {1, 11}, "t7": {14, 15}}
"""The plots beside some spaces of the practice board."""


class Turn(NamedTuple):
    """A purchase, with prices and cards in notes; `card` lies on a mine or the ranch."""

    plot: int
    buyer: int
    price: int
    token: str
    space: str = ""
    card: int = 0


TRUTH: Final = (
    Turn(11, 0, 3, "rumor"),
    Turn(15, 1, 4, "rumor"),
    Turn(16, 2, 1, "saloon"),
    Turn(9, 3, 2, "saloon"),
    Turn(1, 0, 1, "rumor"),
    Turn(18, 1, 3, "movement", "t7"),
    Turn(12, 2, 4, "movement", "r4"),
    Turn(19, 3, 1, "saloon"),
    Turn(3, 0, 2, "rumor", card=4),
    Turn(14, 1, 1, "movement", "t7"),
    Turn(10, 2, 2, "movement", "r6"),
    Turn(5, 3, 1, "saloon", card=2),
    Turn(2, 0, 5, "saloon"),
    Turn(6, 1, 1, "rumor"),
    Turn(17, 2, 1, "movement", "r6", card=7),
    Turn(4, 3, 1, "rumor", card=3),
    Turn(13, 0, 2, "movement", "t1"),
    Turn(7, 1, 1, "movement", "t7"),
    Turn(8, 1, 3, "saloon"),
)
SLIPS: Final[dict[int, tuple[dict[str, Any], int]]] = {
    1: ({"token": "saloon"}, 3),
    2: ({"price": 3}, 5),
    4: ({"buyer": 3}, 6),
    5: ({"plot": 13}, 8),
    6: ({"space": "t1"}, 9),
    8: ({"card": 6}, 11),
    12: ({"price": 2, "buyer": 2}, 16),
}
"""What was told wrongly in a turn, and after which one it was set right."""
CLAIMED: Final = {16: (0, 4), 17: (1, 7)}
"""After a turn: who claims which pile. Ann has five plots, Ben three beside no river."""
SECRETS: Final = (
    ("riverside", "rumors"),
    ("railside", "movements"),
    ("mines", "ranch_lands"),
    ("deserts", "saloon_square"),
)
PILES: Final = ("dry_saloon", "five_plots", "all_terrains", "last_auction", "three_off_river")
DESERTS: Final = {1, 3, 4, 5, 9, 15, 18}


class Books:
    """The ledger: notes in purses and in the saloon, plots, tokens, by the printed rules alone."""

    def __init__(self) -> None:
        self.purses = [8, 8, 8, 8]
        self.saloon = 1
        self.plots: list[set[int]] = [set(), set(), set(), set()]
        self.tokens: list[list[str]] = [[], [], [], []]

    def enter(self, number: int, turn: Turn) -> None:
        """Write a purchase down, and the claim after it."""
        share, tip = divmod(turn.price, 3)
        for seat in range(4):
            self.purses[seat] += -turn.price if seat == turn.buyer else share
        self.plots[turn.buyer].add(turn.plot)
        self.tokens[turn.buyer].append(turn.token)
        if turn.token == "saloon":  # noqa: S105  # a bonus token
            self.purses[turn.buyer] += self.saloon
            self.saloon = 0
        self.saloon += tip
        for seat in range(4):
            self.purses[seat] += len(self.plots[seat] & BESIDE.get(turn.space, set()))
        self.purses[turn.buyer] += turn.card
        if number in CLAIMED:
            seat, pile = CLAIMED[number]
            self.purses[seat] += pile

    def totals(self) -> list[int]:
        """Count up in notes: cash, secret objectives, five for most plots."""
        most = max(map(len, self.plots))
        paid = {
            "riverside": lambda s: 3 * len(self.plots[s] & RIVERSIDE),
            "railside": lambda s: 3 * len(self.plots[s] & RAILSIDE),
            "mines": lambda s: 5 * len(self.plots[s] & MINES),
            "ranch_lands": lambda s: 3 * len(self.plots[s] & RANCH_LANDS),
            "saloon_square": lambda s: 5 * len(self.plots[s] & SALOON_SQUARE),
            "deserts": lambda s: 3 * len(self.plots[s] & DESERTS),
            "rumors": lambda s: 3 * self.tokens[s].count("rumor"),
            "movements": lambda s: 3 * self.tokens[s].count("movement"),
        }
        return [
            self.purses[seat]
            + sum(paid[objective](seat) for objective in SECRETS[seat])
            + 5 * (len(self.plots[seat]) == most)
            for seat in range(4)
        ]


def buy(table: Sitting, turn: Turn) -> None:
    """Tell a purchase as people do, one thing after the other."""
    star = table.public()["star"]
    table.act(star, "draw_plot", plot=turn.plot)
    table.act(star, "record_sale", winner=turn.buyer, price=1000 * turn.price)
    table.act(turn.buyer, "confirm_sale", token=turn.token)
    if turn.token == "rumor":  # noqa: S105
        table.act(turn.buyer, "skip_look")
    if turn.space:
        table.act(turn.buyer, "activate", **moved(turn.space))
    if turn.plot in CARDS:
        table.act(turn.buyer, "turn_card", amount=1000 * turn.card)


def moved(space: str) -> dict[str, str]:
    """Name the vehicle of a space."""
    return {"vehicle": "boat" if space.startswith("r") else "locomotive", "space": space}


def set_right(table: Sitting, number: int) -> None:
    """Tell anew what was told wrongly in a turn."""
    truth, (slip, _) = TRUTH[number], SLIPS[number]
    told = truth._replace(**slip)
    if "plot" in slip:
        table.tell_anew({"type": "drew", "plot": told.plot}, plot=truth.plot)
    if "space" in slip:
        table.tell_anew({"type": "moved", "plot": truth.plot}, **moved(truth.space))
    if "card" in slip:
        table.tell_anew({"type": "showed", "plot": truth.plot}, amount=1000 * truth.card)
    if {"buyer", "price", "token"} & {*slip}:
        skip = {"type": "skip_look"}
        is_looked = (truth.token == "rumor" and told.token != "rumor") or "buyer" in slip  # noqa: S105
        also = [skip] if is_looked and truth.token == "rumor" else []  # noqa: S105
        now = {"buyer": truth.buyer, "price": 1000 * truth.price, "token": truth.token}
        table.tell_anew({"type": "bought", "plot": truth.plot}, *also, **now)


def evening_of_winchester(server: Server) -> Iterator[Sitting]:
    """Seven things told wrongly, each set right some purchases later; it pauses for the plug."""
    books = Books()
    options = {"preset": "boxed", "board": "practice", "auction": "spoken"}
    table = Sitting(server, "winchester", 4, **options)
    for objective in PILES:
        table.act(0, "lay_objective", objective=objective)
    play_on(table, books, range(8))
    yield table
    play_on(table, books, range(8, len(TRUTH)))

    assert [table.own(seat)["cash"] // 1000 for seat in range(4)] == books.purses
    assert table.public()["saloon"] == 1000 * books.saloon
    for seat, objectives in enumerate(SECRETS):
        table.act(seat, "enter_secrets", objectives=objectives)
    table.act(table.public()["star"], "count_up")
    scores = {score["seat"]: score["total"] // 1000 for score in table.result()["scores"]}
    assert [scores[seat] for seat in range(4)] == books.totals()


def play_on(table: Sitting, books: Books, numbers: range) -> None:
    """Play some turns, and set right what is noticed after them."""
    for number in numbers:
        slip, _ = SLIPS.get(number, ({}, 0))
        buy(table, TRUTH[number]._replace(**slip))
        for wrong, (_, noticed) in SLIPS.items():
            if noticed == number:
                set_right(table, wrong)
        if number in CLAIMED:
            seat, pile = CLAIMED[number]
            table.act(seat, "claim", objective=PILES[pile - 3])
        books.enter(number, TRUTH[number])


# Desperados

MARSHAL: Final = 0
LAW: Final = (
    ("saloon", "Gallup", "Shiprock", "Aztec", "Santa Fe"),
    ("saloon", "Aztec", "Shiprock", "Gallup", "Tuba City"),
)
"""The Marshal's ways, there and back again."""
FIRST: Final = {
    1: ("saloon", "La Luz", "El Paso", "Tombstone", "Silver City"),
    2: ("saloon", "La Luz", "El Paso", "Tombstone", "Silver City"),
    3: ("saloon", "Silver City", "St. Johns", "Socorro", "Salem"),
}
LATER: Final = {
    1: ("Salem", "La Luz", "El Paso", "Tombstone", "Silver City"),
    2: ("Salem", "La Luz", "El Paso", "Tombstone", "Silver City"),
    3: ("Socorro", "St. Johns", "Silver City", "Salem", "saloon"),
}
"""The gang's: two of them come to the bank in Silver City at the end of every turn."""
TILES: Final = (
    {"Salem": 300, "brown": 900, "Silver City": 2600},
    {"Silver City": 2300},
    {"Silver City": 1700},
    {"Silver City": 2900},
    {"Silver City": 1400},
)
"""What each turn brings by its place: poker and a coach in the first one, and always the bank."""
MISREAD: Final = {(0, "Salem"): 400, (0, "Silver City"): 1400, (3, "Silver City"): 500}
"""Tiles that were told wrongly: in a turn, at a place."""


def lay(table: Sitting, turn: int, move: int) -> None:
    """Let everybody lay the card of a move; the Marshal's comes first."""
    table.act(MARSHAL, "lay_card", card=LAW[turn % 2][move])
    for seat, way in (LATER if turn else FIRST).items():
        table.act(seat, "lay_card", card=way[move])


def examine(table: Sitting, turn: int) -> None:
    """Turn the cards, and tell what the tiles show, or seem to."""
    for step in range(7):
        table.act(MARSHAL, "next", step=step)
        while due := table.public()["due"]:
            place = due[0]["coach"] or due[0]["city"]
            value = MISREAD.get((turn, place), TILES[turn][place])
            table.act(MARSHAL, "report_tile", place=place, value=value)


def reread(table: Sitting, turn: int, place: str) -> None:
    """Tell a tile as it was."""
    was = {"type": "report_tile", "place": place, "value": MISREAD[turn, place]}
    table.tell_anew(was, value=TILES[turn][place])


def first_turn(table: Sitting) -> None:
    """Set up and rob a coach; schedule, a Sheriff and a disc are told wrongly and set right."""
    table.act(MARSHAL, "set_first_schedule", schedule="S4")
    table.act(MARSHAL, "place_marshal", city="Tuba City")
    for city in ("Aztec", "Gallup", "Aztec"):
        table.act(MARSHAL, "place_sheriff", city=city)
    for seat in (1, 2, 3):
        table.act(seat, "place_pawn", city="Salem")
    for move in range(5):
        lay(table, 0, move)
        for seat in (1, 2) if not move else ():
            table.act(seat, "declare", choice="poker")
        table.act(1, "place_discs", plan=None)
        if move == 0:
            table.tell_anew({"type": "set_first_schedule"}, schedule="S5")
        if move == 2:
            table.tell_anew({"type": "place_sheriff", "city": "Gallup"}, city="Aztec")
        if move == 3:
            disc = {"seat": 3, "venue": "brown", "city": "Silver City"}
            table.tell_anew({"type": "discs_laid", "turn": 1, "move": 2}, discs=[disc])
            brown = table.public()["coaches"][0]
            assert (brown["city"], brown["is_held"]) == ("Silver City", True)


def evening_of_desperados(server: Server) -> Iterator[Sitting]:
    """Schedule, Sheriffs, discs and tiles told wrongly, one mended after the end.

    It pauses for the plug.
    """
    options = {"preset": "boxed", "board": "practice", "target": "4000"}
    table = Sitting(server, "desperados", 4, **options)
    first_turn(table)
    yield table
    examine(table, 0)
    for turn in range(1, 5):
        if turn == 2:
            table.act(MARSHAL, "move_sheriff", sheriff=0, city="Shiprock")
        for move in range(5):
            lay(table, turn, move)
            table.act(1, "place_discs", plan=None)
        examine(table, turn)
        if turn == 1:
            reread(table, 0, "Salem")
        if turn == 2:
            reread(table, 0, "Silver City")
            stood = {"type": "sheriffs_rode", "turn": 3, "move": 1}
            table.tell_anew(stood, cities=["Aztec"] * 3)
    assert table.result()["winners"] == [MARSHAL]
    reread(table, 3, "Silver City")

    public = table.public()
    brought = [(turn, value) for turn, tiles in enumerate(TILES, 1) for value in tiles.values()]
    assert sorted((loot["turn"], loot["value"]) for loot in public["loot"]) == sorted(brought)
    assert [seat["lost"] for seat in public["seats"]] == [[]] * 4
    assert sum(value for _, value in brought) == 12_100
    assert table.result()["winners"] == [1, 2, 3]


def test_evenings_agree_with_a_ledger(tmp_path: Path) -> None:
    """A table of each game at one server: both are in the middle when the plug is pulled."""
    with serving(tmp_path, "serve") as server:
        evenings = [evening_of_winchester(server), evening_of_desperados(server)]
        tables = [next(evening) for evening in evenings]
        server.stop(signal.SIGKILL)
    with serving(tmp_path, "serve") as server:
        for table, evening in zip(tables, evenings, strict=True):
            table.server = server
            assert [*evening] == []

"""What was told wrongly and set right later: the game is as if it had been told rightly at once."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from referee.games.desperados import telling
from referee.games.desperados.actions import (
    Declare,
    MoveSheriff,
    PlaceDiscs,
    PlaceSheriff,
    RefillBank,
    ReportTile,
    SetFirstSchedule,
)
from referee.games.desperados.events import LootDiffers
from referee.games.desperados.model import Activity, Look, Loot, State
from referee.tables import Table, Tables
from tests.steps import refusal
from tests.table import act, deal, tables_at

BOXED: Final = {"preset": "boxed", "board": "practice"}
MISTAKEN: Final = (SetFirstSchedule, PlaceSheriff, MoveSheriff, ReportTile, RefillBank)
"""What is told in one tap, and so told wrongly in one."""


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    """Give the tables of a folder of their own."""
    with tables_at(tmp_path) as found:
        yield found


def state_of(table: Table) -> State:
    """Give a table's state."""
    state: State = table.ledger.state
    return state


def shared(one: Table, two: Table) -> dict[int, dict[str, list[Any]]]:
    """Give what may be done at both tables: by seat, then by type."""
    found: dict[int, dict[str, list[Any]]] = {}
    for seat in {*one.ledger.to_act()} & {*two.ledger.to_act()}:
        there = {*two.ledger.legal_for(seat)}
        for action in one.ledger.legal_for(seat):
            if action in there:
                found.setdefault(seat, {}).setdefault(type(action).__name__, []).append(action)
    return found


def chosen(rng: random.Random, table: dict[int, dict[str, list[Any]]]) -> tuple[int, Any]:
    """Choose a seat, then a type, then an action; plans are made before the gang is done."""
    seat = rng.choice(sorted(table))
    kinds = table[seat]
    names = [name for name in sorted(kinds) if name not in {"PlaceDiscs", "Declare"}]
    if {"PlaceDiscs", "Declare"} & kinds.keys():
        # Half of the gang's words are plans, so that discs are laid and coaches robbed.
        names = [name for name in ("Declare", "Declare", "PlaceDiscs") if name in kinds]
    action = rng.choice(kinds[rng.choice(names)])
    discs = [a for a in kinds.get("Declare", []) if a.choice not in ("nothing", "spy")]
    if isinstance(action, Declare) and discs:
        action = rng.choice(discs)
    return seat, action


def what_was_laid(state: State) -> tuple[tuple[tuple[Any, ...], ...], tuple[Look, ...]]:
    """Give what the gang did in the open."""
    laid = tuple((one.venue, one.city, one.seats) for one in state.activities)
    return laid, state.looks


LOOT: Final = Loot("bank", 2600, "Silver City", 1)


class Evenings:
    """Two tables at which the same people do the same; at one of them something is told wrongly."""

    def __init__(self, tables: Tables, seed: int) -> None:
        self.rng = random.Random(seed)
        self.tables = tables
        self.right = deal(tables, game="desperados", seats=4, options=BOXED, seed=str(seed))
        self.wrong = deal(tables, game="desperados", seats=4, options=BOXED, seed=str(seed))

    def both(self) -> bool:
        """Do something at both tables; say no where nothing can be, or hands would differ."""
        table = shared(self.right, self.wrong)
        if not table:
            return False
        seat, action = chosen(self.rng, table)
        for one in (self.right, self.wrong):
            act(self.tables, one, seat, action)
        if isinstance(action, PlaceDiscs):
            return self.is_same_by_hand()
        return True

    def is_same_by_hand(self) -> bool:
        """Say whether hands laid the same discs at both."""
        return what_was_laid(state_of(self.right)) == what_was_laid(state_of(self.wrong))

    def err(self) -> tuple[int, Any] | None:
        """Tell something wrongly at one table, if there is something to tell; give its line."""
        for seat, kinds in shared(self.right, self.wrong).items():
            for kind in MISTAKEN:
                actions = kinds.get(kind.__name__, [])
                if len(actions) > 1 and self.rng.random() < 0.5:
                    truth, slip = self.rng.sample(actions, 2)
                    act(self.tables, self.right, seat, truth)
                    act(self.tables, self.wrong, seat, slip)
                    if kind is MoveSheriff:
                        return self.lay_after_it(seat)
                    return self.wrong.ledger.version(None), truth
        return None

    def lay_after_it(self, seat: int) -> tuple[int, Any]:
        """Lay the Marshal's card, which tells where the Sheriffs are; give its line."""
        cards = shared(self.right, self.wrong)[seat]["LayCard"]
        card = self.rng.choice(cards)
        for one in (self.right, self.wrong):
            act(self.tables, one, seat, card)
        line, state = self.wrong.ledger.version(None), state_of(self.right)
        return line, telling.SheriffsRode(state.turn, state.move, state.sheriffs)

    def retell(self, line: int, truth: Any) -> None:
        """Tell it as it was."""
        told = {"to": line, "told": msgspec.to_builtins(truth)}
        self.tables.consent.retell(self.wrong, None, told, reason="")


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_a_game_with_a_mistake_set_right_is_the_game_without(tables: Tables, seed: int) -> None:
    """Anything that is told, set right so many steps later, is as if it had been told rightly."""
    evenings = Evenings(tables, seed)
    rng = evenings.rng
    # Every fourth errs while everything is being set up.
    for _ in range(rng.randrange(150) if seed % 4 else 0):
        evenings.both()
    found = None
    while found is None and evenings.right.ledger.status == "playing":
        found = evenings.err() if rng.random() < 0.5 else None
        if found is None:
            evenings.both()
    for _ in range(rng.randrange(60)):
        if found is None or not evenings.both():
            break
    if found is None or not evenings.is_same_by_hand():
        pytest.skip("nothing was told, or hands did something else")
    evenings.retell(*found)

    assert state_of(evenings.wrong) == state_of(evenings.right)
    for _ in range(60):
        if evenings.right.ledger.status == "playing":
            assert evenings.both()
    assert state_of(evenings.wrong) == state_of(evenings.right)


# One by one


def begin(tables: Tables, **options: str) -> Table:
    """Seat four with everybody on the board: the Marshal in Tuba City, the gang in Salem."""
    chosen = BOXED | {"coach_tiles": "app", "poker_tiles": "app", "bank_tiles": "app"} | options
    table = deal(tables, game="desperados", seats=4, options=chosen)
    act(tables, table, 0, SetFirstSchedule("S5"))
    act(tables, table, 0, {"type": "place_marshal", "city": "Tuba City"})
    for _ in range(3):
        act(tables, table, 0, PlaceSheriff("Salem"))
    for seat in (1, 2, 3):
        act(tables, table, seat, {"type": "place_pawn", "city": "Salem"})
    return table


def lay(tables: Tables, table: Table, *cards: str) -> int:
    """Let everybody lay a card; give the line of the Marshal's."""
    for seat, card in enumerate(cards):
        act(tables, table, seat, {"type": "lay_card", "card": card})
    return table.ledger.version(None) - len(cards) + 1


def retell(tables: Tables, table: Table, line: int, **told: Any) -> State:
    """Tell a line anew, as the host, and give the state; what is of a move is of its own."""
    was = next(msgspec.to_builtins(one["told"]) for one in told_lines(table) if one["to"] == line)
    told = {name: was[name] for name in ("turn", "move") if name in was} | told
    tables.consent.retell(table, None, {"to": line, "told": told}, reason="")
    return state_of(table)


def discs(*seats: int, venue: str = "poker", city: str = "Salem") -> list[dict[str, Any]]:
    """Write discs as a client does."""
    return [{"seat": seat, "venue": venue, "city": city} for seat in seats]


def test_sheriffs_who_stood_elsewhere_are_told_with_the_card_they_rode_before(
    tables: Tables,
) -> None:
    """Discs laid since are judged by those who were there; the cards stay what they are."""
    table = begin(tables)
    for sheriff in range(3):
        act(tables, table, 0, MoveSheriff(sheriff, "Socorro"))
    line = lay(tables, table, "Gallup", "saloon", "saloon", "saloon")
    for seat in (1, 2):
        act(tables, table, seat, Declare("poker"))
    act(tables, table, 1, PlaceDiscs())
    routes = state_of(table).routes
    assert state_of(table).activities == (Activity("poker", "Salem", 1, 0, (1, 2)),)

    after = retell(tables, table, line, type="sheriffs_rode", cities=["Salem", "Socorro", "La Luz"])

    assert after.activities == (Activity("poker", "Salem", 1, 1, (1, 2)),)
    assert after.sheriffs == ("Salem", "Socorro", "La Luz")
    assert after.routes == routes
    assert table.ledger.lines[-1].events


def test_discs_that_were_laid_otherwise_are_told_anew(tables: Tables) -> None:
    """A coach that they hold has not gone on since, and they are there for the examination."""
    table = begin(tables, first_schedule="box")
    for move, cards in enumerate(
        (("Gallup", *["Silver City"] * 3), ("saloon", *["saloon"] * 3)), 1
    ):
        for sheriff in range(3):
            city = "Socorro" if move == 1 else "Los Lunas"
            act(tables, table, 0, MoveSheriff(sheriff, city))
        lay(tables, table, *cards)
        act(tables, table, 1, PlaceDiscs())
    line = table.ledger.version(None)
    assert state_of(table).coaches[0] == "Salem"

    told = discs(2, venue="brown", city="Silver City")
    after = retell(tables, table, line, type="discs_laid", discs=told)

    assert after.activities == (Activity("brown", "Silver City", 2, 0, (2,)),)
    assert (after.move, after.coaches[0]) == (3, "Silver City")
    assert retell(tables, table, line, type="discs_laid", discs=[]).coaches[0] == "Salem"


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (discs(1), "too_few_discs"),
        (discs(1, 1), "no_such_seat"),
        (discs(0), "no_such_seat"),
        (discs(1, city="Socorro"), "no_tile_there"),
        (discs(1, venue="brown"), "coach_elsewhere"),
    ],
)
def test_discs_lie_only_where_they_can(
    tables: Tables, wrong: list[dict[str, Any]], code: str
) -> None:
    """By what is open: Sheriffs, tiles and coaches; nobody's plan is asked."""
    table = begin(tables)
    lay(tables, table, "Gallup", "saloon", "saloon", "saloon")
    act(tables, table, 1, PlaceDiscs())
    line = table.ledger.version(None)

    assert refusal(lambda: retell(tables, table, line, type="discs_laid", discs=wrong)) == code  # type: ignore[arg-type,return-value]


def test_what_the_app_decides_is_no_telling(tables: Tables) -> None:
    """Which bank the app fills is not told; nor is any card, or where somebody's pawn began."""
    table = begin(tables)
    lay(tables, table, "Gallup", "saloon", "saloon", "saloon")
    kinds = {line["told"]["type"] for line in map(msgspec.to_builtins, told_lines(table))}

    assert kinds == {"set_first_schedule", "place_sheriff", "sheriffs_rode"}


def told_lines(table: Table) -> list[Any]:
    """List what can be told anew."""
    return list(table.ledger.told_lines(None))


def test_what_would_be_different_names_no_value(tables: Tables) -> None:
    """A bank that was robbed after all: which one, but not what lay there, before all agree."""
    table = begin(tables, bank_tiles="box")
    robbed = msgspec.structs.replace(state_of(table), loot=(LOOT,))
    step = telling.settled(state_of(table), robbed)

    unseen = msgspec.structs.replace(LOOT, value=0)
    assert step.events == (LootDiffers((), (unseen,)),)
    assert telling.settled(robbed, state_of(table)).events == (LootDiffers((unseen,), ()),)


def test_no_telling_turns_over_a_tile_of_the_apps(tables: Tables) -> None:
    """Nor one that would come from the stack instead; the last robbery may not have been one."""
    table = begin(tables)
    later = Loot("bank", 500, "Socorro", 2)
    none, one, other, both = (
        msgspec.structs.replace(state_of(table), loot=loot)
        for loot in ((), (LOOT,), (later,), (LOOT, later))
    )
    for before, after in ((none, one), (one, other), (both, other)):
        code = refusal(lambda was=before, now=after: telling.settled(was, now))  # type: ignore[misc]
        assert code == "app_deals"
    assert telling.settled(both, one).state == one

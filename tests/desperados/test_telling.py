"""What was told wrongly and set right later: the game is as if it had been told rightly at once."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from referee.games.desperados import rules as desperados
from referee.games.desperados import screens, telling
from referee.games.desperados.actions import (
    Declare,
    MoveSheriff,
    Next,
    PlaceDiscs,
    PlaceSheriff,
    RefillBank,
    ReportTile,
    SetFirstSchedule,
)
from referee.games.desperados.events import BankHeldUp, LootDiffers
from referee.games.desperados.model import Acting, Activity, Look, Loot, State
from referee.tables import Table, Tables
from referee.telling import told_lines
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


def what_was_laid(
    state: State, but: int | None = None
) -> tuple[tuple[tuple[Any, ...], ...], tuple[Look, ...]]:
    """Give what the gang did in the open, but not in one of the moves."""
    laid = tuple((o.venue, o.city, o.seats) for o in state.activities if o.move != but)
    return laid, state.looks


LOOT: Final = Loot("bank", 2600, "Silver City", 1)


class Evenings:
    """Two tables at which the same people do the same; at one of them something is told wrongly."""

    def __init__(self, tables: Tables, seed: str) -> None:
        self.rng = random.Random(seed)
        self.tables = tables
        self.mistake: Any = None
        self.right = deal(tables, game="desperados", seats=4, options=BOXED, seed=seed)
        self.wrong = deal(tables, game="desperados", seats=4, options=BOXED, seed=seed)

    def both(self) -> bool:
        """Do something at both tables; say no where nothing can be, or hands would differ."""
        table = shared(self.right, self.wrong)
        if not table:
            return False
        seat, action = chosen(self.rng, table)
        for one in (self.right, self.wrong):
            act(self.tables, one, seat, action)
        if isinstance(action, PlaceDiscs):
            return self.is_same_by_hand(self.mistake)
        return True

    def is_same_by_hand(self, mistake: Any = None) -> bool:
        """Say whether hands laid the same discs at both, apart from those that were mistaken."""
        move = mistake.move if isinstance(mistake, telling.DiscsLaid) else None
        right, wrong = (what_was_laid(state_of(t), but=move) for t in (self.right, self.wrong))
        return right == wrong

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

    def lay_otherwise(self) -> tuple[int, Any] | None:
        """Lay other discs at one table than at the other, if the gang may; give its line."""
        before = state_of(self.right)
        if not isinstance(before.phase, Acting) or before != state_of(self.wrong):
            return None
        seats = [seat for seat in before.gang if before.disc(seat) is None]
        plans: dict[tuple[Any, ...], tuple[list[tuple[int, Declare]], State]] = {}
        for _ in range(30):
            said = [(seat, self.rng.choice(self.ways(seat))) for seat in seats]
            after = said_in(before, said)
            if not after.returned and not after.looks:
                plans[what_was_laid(after)] = said, after
        if len(plans) < len({"right", "wrong"}):
            return None
        (said, true), (wrongly, _) = self.rng.sample(list(plans.values()), 2)
        for one, words in ((self.right, said), (self.wrong, wrongly)):
            for seat, word in words:
                act(self.tables, one, seat, word)
            act(self.tables, one, before.gang[0], PlaceDiscs())
        discs = tuple(
            telling.DiscOn(seat, one.venue, one.city)
            for one in true.activities
            for seat in one.seats
            if before.disc(seat) is None
        )
        self.mistake = telling.DiscsLaid(before.turn, before.move, discs)
        return self.wrong.ledger.version(None), self.mistake

    def ways(self, seat: int) -> list[Declare]:
        """Give what a seat may want to do with its disc, nothing included."""
        legal = shared(self.right, self.wrong)[seat]["Declare"]
        return [word for word in legal if word.choice != "spy"]

    def retell(self, line: int, truth: Any) -> None:
        """Tell it as it was."""
        self.mistake = None
        told = {"to": line, "told": msgspec.to_builtins(truth)}
        self.tables.consent.retell(self.wrong, None, told, reason="")


def said_in(state: State, said: list[tuple[int, Declare]]) -> State:
    """Let the gang say what it wants, and lay its discs: by the rules alone."""
    for seat, word in said:
        state = desperados.apply(state, seat, word).state
    after: State = desperados.apply(state, state.gang[0], PlaceDiscs()).state
    return after


@pytest.mark.long
@pytest.mark.parametrize("kind", ["told", "discs"])
@pytest.mark.parametrize("seed", range(10))
def test_a_game_with_a_mistake_set_right_is_the_game_without(
    tables: Tables, seed: int, kind: str
) -> None:
    """Anything that is told, set right so many steps later, is as if it had been told rightly.

    So is the whole rest of the game, and its result.
    """
    evenings = Evenings(tables, f"{kind} {seed}")
    rng = evenings.rng
    err = evenings.err if kind == "told" else evenings.lay_otherwise
    # Every fourth errs while everything is being set up.
    for _ in range(rng.randrange(150) if seed % 4 else 0):
        evenings.both()
    found = None
    while found is None and evenings.right.ledger.status == "playing":
        found = err() if rng.random() < 0.5 else None
        if found is None:
            evenings.both()
    for _ in range(rng.randrange(60)):
        if found is None or not evenings.both():
            break
    if found is None or not evenings.is_same_by_hand(found[1]):
        pytest.skip("nothing was told, or hands did something else")
    evenings.retell(*found)

    assert state_of(evenings.wrong) == state_of(evenings.right)
    while evenings.right.ledger.status == "playing":
        assert evenings.both()
    assert state_of(evenings.wrong) == state_of(evenings.right)
    assert results(evenings.wrong) == results(evenings.right)


def results(table: Table) -> Any:
    """Give how a game ended."""
    result = table.ledger.game.score(table.ledger.state)
    assert result is not None
    return result


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
    lines = told_lines(table.ledger, None)
    was = next(msgspec.to_builtins(one["told"]) for one in lines if one["to"] == line)
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
    assert table.ledger.log.lines[-1].events


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


MARSHALS: Final = ("Gallup", "St. Johns", "Payson", "Flagstaff", "saloon")
ROBBERS: Final = ("La Luz", "El Paso", "Tombstone", "Silver City", "saloon")


def rob_silver_city(tables: Tables, value: int) -> tuple[Table, int]:
    """Let three ride to a bank that no Sheriff guards, and tell its tile; give that line."""
    table = begin(tables, bank_tiles="box")
    for mine, theirs in zip(MARSHALS, ROBBERS, strict=True):
        lay(tables, table, mine, theirs, theirs, theirs)
        act(tables, table, 1, PlaceDiscs())
    for step in range(6):
        act(tables, table, 0, Next(step))
    act(tables, table, 0, ReportTile("Silver City", value))
    return table, table.ledger.version(None)


@pytest.mark.parametrize("later", [0, 1])
def test_a_banks_value_told_anew_leaves_it_robbed_and_filled_again(
    tables: Tables, later: int
) -> None:
    """Only what the tile shows is another; who robbed it, and the new tile there, are not."""
    table, line = rob_silver_city(tables, 1400)
    shown = desperados.public(state_of(table)).shown
    for _ in range(later):
        act(tables, table, 0, Next(6))
    before = state_of(table)

    after = retell(tables, table, line, type="report_tile", place="Silver City", value=2600)

    assert [loot.value for loot in after.loot] == [2600]
    loot = tuple(msgspec.structs.replace(one, value=2600) for one in before.loot)
    assert after == msgspec.structs.replace(before, loot=loot)
    assert after.tile("Silver City") is not None
    assert len(after.bank_stack) == 6
    assert shown is not None
    if not later:
        now = desperados.public(after).shown
        assert now is not None
        assert (
            now.held_up == shown.held_up == (BankHeldUp("Silver City", (1, 2, 3), 1, success=True),)
        )
        hands = screens.display_parts(desperados.public(after))["hands"]
        assert hands.refill == ("Silver City",)


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
    kinds = {
        line["told"]["type"] for line in map(msgspec.to_builtins, told_lines(table.ledger, None))
    }

    assert kinds == {"set_first_schedule", "place_sheriff", "sheriffs_rode"}


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

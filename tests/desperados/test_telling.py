"""What was told wrongly and set right later: the game is as if it had been told rightly at once."""

from __future__ import annotations

from typing import Any, Final

import msgspec
import pytest

from referee.games.desperados import rules as desperados
from referee.games.desperados import screens, telling
from referee.games.desperados.actions import (
    CoachAt,
    Declare,
    MoveSheriff,
    Next,
    PlaceDiscs,
    PlaceSheriff,
    ReportTile,
    SetFirstSchedule,
)
from referee.games.desperados.events import BankHeldUp, LootDiffers, Retold
from referee.games.desperados.model import Activity, Loot, State
from referee.tables import Table, Tables
from referee.telling import told_lines
from tests.desperados.evenings import BOXED, state_of
from tests.steps import refusal
from tests.table import act, deal

LOOT: Final = Loot("bank", 2600, "Silver City", 1)


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
    # The line that corrects it says where they stood, and no disc lies elsewhere.
    assert table.ledger.log.lines[-1].events == ()


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
    (event,) = table.ledger.log.lines[-1].events
    assert event == Retold(coaches=(CoachAt("brown", "Silver City"),))
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

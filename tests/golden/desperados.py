"""Golden journals of Desperados: both ways to win, a move that cannot be, a stack that runs dry.

Who plays here follows a simple plan of their own and a generator; nothing is set right by hand.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from referee.games.desperados import rules as desperados
from referee.games.desperados.actions import Declare, LayCard, PlaceMarshal
from referee.games.desperados.events import MoveImpossible
from referee.games.desperados.model import (
    MOVES,
    Acting,
    City,
    Laying,
    Placing,
    Riding,
    State,
)
from referee.games.desperados.trails import dead_ends, hand, trail
from referee.tables import Table, Tables
from tests.table import act, choose, deal, tables_at

Plan: TypeAlias = Callable[[State, int, tuple[LayCard, ...], random.Random], LayCard]
"""Chooses a seat's card among those it may lay."""


def at_random(_state: State, _seat: int, cards: tuple[LayCard, ...], rng: random.Random) -> LayCard:
    """Ride anywhere."""
    return rng.choice(cards)


def into_dead_ends(
    state: State, seat: int, cards: tuple[LayCard, ...], rng: random.Random
) -> LayCard:
    """Ride where no card will be left to go on with, if one can."""
    bad = dead_ends(state, seat)
    return rng.choice([a for a in cards if a.card in bad] or cards)


def to_the_banks(
    state: State, seat: int, cards: tuple[LayCard, ...], rng: random.Random
) -> LayCard:
    """Let every desperado end the turn at a bank of their own, and the Marshal far from any."""
    if seat == state.marshal:
        return rng.choice(cards)
    at = trail(state, seat, state.move - 1).at
    wanted = state.board.banks[(state.gang.index(seat) + state.turn) % len(state.board.banks)]
    left = frozenset(str(card) for card in hand(state, seat))
    sure = [a for a in cards if _reaches(state, a, at, wanted, left)]
    return rng.choice(sure or cards)


def _reaches(state: State, action: LayCard, at: City, wanted: City, left: frozenset[str]) -> bool:
    """Say whether a bank can be reached with the turn's last card after this one."""
    here: City = at if action.card == "saloon" else action.card
    return _leads_to(state, here, wanted, left - {action.card}, MOVES - state.move)


def _leads_to(state: State, at: City, wanted: City, left: frozenset[str], moves: int) -> bool:
    if not moves:
        return at == wanted
    stays = "saloon" in left and _leads_to(state, at, wanted, left - {"saloon"}, moves - 1)
    return stays or any(
        _leads_to(state, city, wanted, left - {city}, moves - 1)
        for city in state.board.links[at].near
        if city in left
    )


def play_out(tables: Tables, table: Table, rng: random.Random, plan: Plan) -> list[Any]:
    """Play a game by a plan, and give all its events."""
    while table.ledger.status == "playing":
        state: State = table.ledger.state
        match state.phase:
            case Placing() if not state.sheriffs:
                _post_the_law(tables, table)
            case Riding() | Laying():
                seat = rng.choice(desperados.public(state).waiting_for)
                legal = table.ledger.legal_for(seat)
                cards = tuple(a for a in legal if isinstance(a, LayCard))
                act(tables, table, seat, plan(state, seat, cards, rng))
            case Acting():
                _act_together(tables, table, rng)
            case _:
                act(tables, table, *choose(table.ledger, rng))
    return [event for line in table.ledger.log.lines for event in line.events]


def _post_the_law(tables: Tables, table: Table) -> None:
    """Post all of it in Aztec, where there is no bank."""
    marshal = table.ledger.state.marshal
    act(tables, table, marshal, PlaceMarshal("Aztec"))
    for _ in table.ledger.state.gang:
        act(tables, table, marshal, {"type": "place_sheriff", "city": "Aztec"})


def _act_together(tables: Tables, table: Table, rng: random.Random) -> None:
    """Let everybody declare something if there is anything, then lay the discs."""
    gang = table.ledger.state.gang
    for seat in gang:
        offers = [a for a in table.ledger.legal_for(seat) if isinstance(a, Declare)]
        act(tables, table, seat, rng.choice(offers[1:] or offers))
    act(tables, table, gang[0], {"type": "place_discs"})


def has_dry_stack(table: Table) -> bool:
    """Say whether a robbed bank stayed empty."""
    state: State = table.ledger.state
    return not state.bank_stack and any(state.tile(c) is None for c in state.board.banks)


def is_impossible(events: list[Any]) -> bool:
    """Say whether somebody made an impossible move."""
    return any(isinstance(event, MoveImpossible) for event in events)


WANTED: tuple[tuple[str, str, int, Plan, Callable[[Table, list[Any]], bool]], ...] = (
    (
        "desperados_gang_wins",
        "2000",
        4,
        at_random,
        lambda t, _: t.ledger.state.marshal not in _winners(t),
    ),
    (
        "desperados_marshal_wins",
        "4000",
        6,
        at_random,
        lambda t, _: t.ledger.state.marshal in _winners(t),
    ),
    ("desperados_impossible_move", "4000", 5, into_dead_ends, lambda _, e: is_impossible(e)),
    ("desperados_dry_stack", "3000", 6, to_the_banks, lambda t, _: has_dry_stack(t)),
)
"""Name, target, seats, plan, and what the game must have had."""


def _winners(table: Table) -> tuple[int, ...]:
    result = desperados.score(table.ledger.state)
    assert result is not None
    return result.winners


def play_all(folder: Path, keep: Callable[[Tables, Table, str], None]) -> None:
    """Search for each wanted game and keep its journal."""
    for name, target, seats, plan, is_wanted in WANTED:
        for number in range(200):
            with tables_at(folder / f"{name}{number}") as tables:
                rng = random.Random(f"{name} {number}")
                table = deal(
                    tables,
                    game="desperados",
                    seats=seats,
                    seed=f"{name} {number}" if number % 2 else None,
                    options={"target": target},
                )
                if is_wanted(table, play_out(tables, table, rng, plan)):
                    keep(tables, table, name)
                    break
        else:
            raise LookupError(name)

"""Small readable positions of Desperados, on the practice board.

The seats are those of the rulebook's examples, the Marshal first. Cards are written as one line:
"Gallup, St. Johns, saloon"; a "?" after a city confirms a road that the referee does not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from referee import profiles
from referee.games.base import Outcome, Step
from referee.games.desperados import rules as desperados
from referee.games.desperados.actions import Action, LayAny, LayCard, Next
from referee.games.desperados.facts import learn
from referee.games.desperados.model import (
    CITIES,
    COACH_TILES,
    HIGH_BANK_TILES,
    LAST_BANK_TILES,
    LOW_BANK_TILES,
    MOVES,
    POKER_TILES,
    Activity,
    Board,
    Examining,
    Laid,
    Phase,
    Placing,
    Riding,
    Rules,
    State,
    replace,
    swap,
)
from referee.games.desperados.profile import read_board

PRACTICE: Final = profiles.load("desperados", "practice")
BOX: Final = profiles.load("desperados", "box")
BOARD: Final = read_board(PRACTICE)
BOXED: Final = read_board(BOX)
SURVEYED: Final = learn(
    BOXED, (("bank:El Paso", "yes"), ("bank:Flagstaff", "yes"), ("bank:Santa Fe", "yes"))
)
"""The board of the box with its banks, and roads that nobody has told of."""

MATTHIAS, GREGOR, PATRICK, SABINE, LEON = range(5)
"""The Marshal and four desperadoes."""

MIDDLE: Final = "St. Johns"
ORDER: Final = ("S1", "S2", "S3", "S4", "S5")


def laid(text: str) -> tuple[Laid, ...]:
    """Read a line of cards."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    return tuple(Laid(name.rstrip("?"), confirmed=name.endswith("?")) for name in names)


def tiles_of(board: Board) -> tuple[int | None, ...]:
    """Lay out tiles as the app might: 500, 800, 1100, 2300, 2600 on the banks, poker ascending."""
    banks = iter((*LOW_BANK_TILES[:3], *HIGH_BANK_TILES[:2]))
    poker = iter(POKER_TILES)
    return tuple(next(banks if city in board.banks else poker) for city in CITIES)


def position(
    phase: Phase | None = None,
    *,
    pawns: Iterable[Any] = (MIDDLE,) * 5,
    sheriffs: Iterable[Any] | None = None,
    routes: Mapping[int, str] | None = None,
    coaches: tuple[Any, Any] = ("Los Lunas", None),
    activities: tuple[Activity, ...] = (),
    tiles: Mapping[Any, int | None] | None = None,
    lost: Mapping[int, tuple[Any, ...]] | None = None,
    first: str = "S1",
    turn: int = 1,
    move: int = 1,
    board: Board = BOARD,
    preset: str = "app",
    **changed: Any,
) -> State:
    """Lay out a table; the Marshal is about to ride unless a phase is given.

    `pawns` are by seat, the Marshal's first; Sheriffs all stand in Aztec if left out.
    """
    pawns = tuple(pawns)
    seats = len(pawns)
    sheriffs = ("Aztec",) * (seats - 1) if sheriffs is None else tuple(sheriffs)
    lying = tiles_of(board)
    for city, value in (tiles or {}).items():
        lying = swap(lying, CITIES.index(city), value)
    rules = {key: changed.pop(key) for key in Rules.__struct_fields__ if key in changed}
    whole = {
        "bank_stack": (*LOW_BANK_TILES[3:], *HIGH_BANK_TILES[2:], *LAST_BANK_TILES),
        "coach_stack": COACH_TILES,
        "hidden": (False,) * seats,
        "spied": ((),) * seats,
    }
    return State(
        rules=Rules(preset=preset, **rules),  # type: ignore[arg-type]
        board=board,
        seats=seats,
        marshal=MATTHIAS,
        phase=Riding(sheriffs) if phase is None else phase,
        pawns=pawns,
        starts=pawns,
        sheriffs=sheriffs,
        routes=tuple(laid((routes or {}).get(seat, "")) for seat in range(seats)),
        lost=tuple((lost or {}).get(seat, ()) for seat in range(seats)),
        tiles=lying,
        first=ORDER.index(first),
        turn=turn,
        move=move,
        coaches=coaches,
        activities=activities,
        **(whole | changed),
    )


def placing(seats: int = 3, **changed: Any) -> State:
    """Lay out a table on which no pawn stands yet."""
    return position(Placing(), pawns=(None,) * seats, sheriffs=(), turn=0, move=0, **changed)


def evening(routes: Mapping[int, str], **table: Any) -> State:
    """Lay out a table whose five moves are made; who has no route waits in the saloon of Tucson.

    Four of five cards of theirs lead nowhere near anybody.
    """
    idle = "saloon, Globe, Tucson, Sweet Water, Payson"
    pawns = table.pop("pawns", ("Tucson",) * 5)
    seats = len(tuple(pawns))
    full = {seat: routes.get(seat, idle) for seat in range(seats)}
    return position(Examining(0, (None,) * seats), pawns=pawns, routes=full, move=MOVES, **table)


def play(state: State, *moves: tuple[int, Action]) -> Step:
    """Play moves one after the other and give the last one's step."""
    step = Step(state)
    for seat, action in moves:
        step = desperados.apply(step.state, seat, action)
    return step


def step_of(state: State) -> int:
    """Give the step of the examination that is shown."""
    return desperados.public(state).examined


def examine(state: State, steps: int) -> list[Step]:
    """Take so many steps of the examination, and give each."""
    taken = []
    for _ in range(steps):
        taken.append(desperados.apply(state, MATTHIAS, Next(step_of(state))))
        state = taken[-1].state
    return taken


def cards(state: State, seat: int) -> set[str]:
    """Name the cards that a seat is offered, with a "?" where it has to confirm the road."""
    return {
        action.card + ("?" if action.confirmed else "")
        for action in desperados.legal_actions(state, seat)
        if isinstance(action, LayCard)
    }


def lay_drawn(state: State) -> Step:
    """Let every seat lay a card that is drawn: here always the first that surely fits."""
    step = Step(state)
    for seat in range(state.seats):
        owed = desperados.apply(step.state, seat, LayAny())
        pool = owed.needs[0].pools[0]
        drawn = Outcome(owed.needs[0].label, {pool.name: pool.items[:1]})
        step = replace(owed, state=desperados.chance(owed.state, drawn).state)
    return step


def lay_all(state: State, line: str) -> Step:
    """Let every seat lay its card of this move, in seat order: one line of cards."""
    moves = [(seat, LayCard(card.card, card.confirmed)) for seat, card in enumerate(laid(line))]
    return play(state, *moves)

"""What was told wrongly and set right at any time: the game is the game without the mistake."""

from __future__ import annotations

import random
from typing import Any, Final

import msgspec
import pytest

from referee.games.desperados import rules as desperados
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
from referee.games.desperados.model import Acting, Look, State
from referee.tables import Table, Tables
from tests.desperados.evenings import BOXED, state_of
from tests.table import act, deal

MISTAKEN: Final = (SetFirstSchedule, PlaceSheriff, MoveSheriff, ReportTile, RefillBank)
"""What is told in one tap, and so told wrongly in one."""


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

"""A random game with one random mistake, told anew later: the same as without the mistake.

A game registers by a `Mistaken`: what a line could have told instead, and how the rules alone, with
no retelling in them, play the true course. `tests/winchester/test_retelling.py` is an example.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Final, Protocol

import msgspec

from referee import deciding
from referee.course import Deed, Stage, deed_of
from referee.entries import Draft
from referee.errors import IllegalAction, RuleViolation
from referee.games.base import SeatIndex, Step
from referee.games.protocol import Game
from referee.journal import Ledger
from referee.retelling import Wanted, written
from referee.telling import told_lines
from tests import journals
from tests.player import choose

AGAIN: Final = 0.3
"""How often something else was told anew before."""


class Journal(journals.Journal):
    """A journal in which things are told anew, and which remembers what it said."""

    def __init__(self, game: Game, **more: Any) -> None:
        self.kept: dict[int, tuple[Any, list[Any]]] = {}
        super().__init__(game, **more)

    def play(self, rng: random.Random, most: int) -> None:
        """Play at random."""
        ledger = self.ledger
        for _ in range(most):
            if ledger.status == "over":
                return
            legal = {seat: ledger.legal_for(seat) for seat in ledger.to_act()}
            held_up = ledger.game.public(ledger.state).waiting_for
            self.act(*choose(rng, legal, held_up=held_up))

    def retell(self, to: int, told: Any, *also: Any, part: int = 0) -> int:
        """Tell anew what a line told; give the entry's number."""
        wanted = written(Wanted(to, told, also, part))
        payload = wanted | {"was": wanted["told"], "how": "host", "by": None}
        return self.add(*deciding.retold(self.ledger, None, payload, draw=self.draw))

    def set_right(self, correction: Any, step: Step) -> int:
        """Set right what hands did, as the host; give the entry's number."""
        raw = msgspec.to_builtins(correction)
        payload = {"correction": raw, "reason": "", "effects": [], "how": "host", "by": None}
        return self.add(Draft("correction", None, payload, step))

    def keep(self) -> None:
        """Remember what is so now, for `assert_replays`."""
        self.kept[self.ledger.length] = self.ledger.state, [*self.ledger.log.lines]

    def assert_replays(self) -> None:
        """Read from its entries alone, it was all along what it was then: one reading shows it."""
        again = Ledger(self.ledger.game)
        for entry in self.entries:
            again.take(entry)
            if entry.seq in self.kept:
                assert (again.state, again.log.lines) == self.kept[entry.seq]

    def line_of(self, told: Any) -> int:
        """Give the number of the newest line that tells this."""
        line = next(line for line in told_lines(self.ledger, None) if line["told"] == told)
        return self.ledger.noticed.seq(line["to"], None)

    def undo(self, to: int) -> None:
        """Take back, as the table agreed."""
        self.add(Draft("undo", None, {"to": to, "how": "agreed", "by": None}))

    def stage(self, to: int, part: int = 0) -> Stage:
        """Give what counts of an entry."""
        stages = self.ledger.undoing.stages
        return next(stage for stage in stages if (stage.seq, stage.part) == (to, part))


class Mistaken(Protocol):
    """What the test of a game needs to know of it."""

    def otherwise(self, rng: random.Random, told: Any, before: Any) -> Any | None:
        """Give what a line could have told instead in a state, None for nothing."""

    def truly(self, state: Any, deed: Deed, after: Any) -> Any:
        """Play by the rules alone what a stage of the true course did; give the state after it.

        `after` is the state that the stage is said to have led to, of which only what was seen at
        the table may be used, such as who bought. Raises RuleViolation where the rules, on the true
        course, would not have allowed it: a purse that holds less, say.
        """

    def settled(self, state: Any, retold: Any) -> Any:
        """Give the state as it is told to go on in, such as with an auction begun anew."""


def retell_at_random(
    journal: Journal, mistaken: Mistaken, rng: random.Random
) -> tuple[int, Any] | None:
    """Tell a random line anew, and whatever that leaves to be told; give it and what it told."""
    lines = told_lines(journal.ledger, None)
    if not lines:
        return None
    line = rng.choice(lines)
    to = journal.ledger.noticed.seq(line["to"], None)
    stage = journal.stage(to, line["part"])
    told = mistaken.otherwise(rng, line["told"], stage.before)
    if told is None or told == line["told"]:
        return None
    also: list[Any] = []
    while True:
        try:
            number = journal.retell(to, told, *also, part=line["part"])
        except IllegalAction as refusal:
            if refusal.code != "more_to_tell":
                return None
            raw: Sequence[Any] = refusal.facts["choices"]  # type: ignore[assignment]  # a list
            also.append(msgspec.convert(rng.choice(raw), journal.ledger.game.Action))
        else:
            return number, told


def true_course(journal: Journal, mistaken: Mistaken, number: int) -> Any:
    """Play by the rules alone what counts after a retelling; give the state it comes to.

    What no longer counts must be what the rules refuse there. Raises RuleViolation where they would
    not have allowed what counts.
    """
    ledger = journal.ledger
    own = journal.entries[number - 1].payload
    target = own["to"], own["part"]
    new, old = ledger.undoing.stages, journal.stage(number).replaced
    assert old is not None
    left = [s for s in old[_place(old, target) + 1 :] if not s.is_retelling]
    at = _place(new, target)
    state = new[at].before
    for stage in (s for s in new[at:] if not s.is_retelling):
        if stage.deed is not None and stage.deed.draw is not None:
            # Chance comes where it is owed, before whatever was played in between no longer counts.
            left = [one for one in left if _key(one) != _key(stage)]
        elif _key(stage) in map(_key, left):
            while _key(left[0]) != _key(stage):
                _has_no_place(ledger, mistaken, state, left.pop(0))
            left.pop(0)
        deed = deed_of(stage, ledger.game, ledger.seating.order)
        state = mistaken.truly(state, deed, stage.step.state)
    for stage in left:
        _has_no_place(ledger, mistaken, state, stage)
    return mistaken.settled(state, ledger.state)


def _key(stage: Stage) -> tuple[int, int]:
    return stage.seq, stage.part


def _place(stages: Sequence[Stage], target: tuple[int, int]) -> int:
    return [_key(stage) for stage in stages].index(target)


def _has_no_place(ledger: Ledger, mistaken: Mistaken, state: Any, stage: Stage) -> None:
    """Hold that the rules refuse what no longer counts; chance is owed to something else."""
    deed = deed_of(stage, ledger.game, ledger.seating.order)
    if deed.kind == "chance":
        return
    try:
        mistaken.truly(state, deed, stage.step.state)
    except RuleViolation:
        return
    raise AssertionError(f"it would count: {deed}")


def check(journal: Journal, mistaken: Mistaken, rng: random.Random) -> str:
    """Tell one line anew and hold the outcome against the rules; say what could be compared.

    Whoever has done all that it wanted to asserts that the journal replays.
    Now and then it is not the first one that was told anew: no line may become stale by another.
    """
    ledger = journal.ledger
    earlier = retell_at_random(journal, mistaken, rng) if rng.random() < AGAIN else None
    before = ledger.state
    made = retell_at_random(journal, mistaken, rng)
    if made is None:
        return "nothing"
    number, _ = made
    after = ledger.state

    journal.keep()
    try:
        truth = true_course(journal, mistaken, number)
    except RuleViolation:
        outcome = "forbidden"
    else:
        assert not (wrong := differences(truth, after)), wrong
        assert seen_of(ledger, truth) == seen_of(ledger, after)
        outcome = "equal"
    journal.undo(number)
    assert ledger.state == ledger.game.remember(before, ledger.state)
    if earlier is not None:
        journal.undo(earlier[0])
    return outcome


def differences(truth: Any, after: Any) -> dict[str, tuple[Any, Any]]:
    """Name what is not the same in two states."""
    return {
        name: (getattr(truth, name), getattr(after, name))
        for name in truth.__struct_fields__
        if getattr(truth, name) != getattr(after, name)
    }


def seen_of(ledger: Ledger, state: Any) -> tuple[Any, ...]:
    """Give all that anybody sees of a state."""
    seats = range(len(ledger.seating.order))
    return (
        ledger.game.public(state),
        *(ledger.game.own(state, SeatIndex(seat)) for seat in seats),
        ledger.game.score(state),
    )

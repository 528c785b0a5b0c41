"""What was told wrongly is told anew where it was told, and what follows from it derived again.

Nothing derived is ever patched, and no history is rewritten: one entry names the line, what it
should have been, and whatever that leaves to be told; from there on the game plays again what
happened at the table. Chance that was seen comes again where it is owed, what is newly owed is
drawn and kept in the entry. What there is no place for on the true course no longer counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct

from referee.course import Deed, Stage, deed_of, played, still
from referee.entries import Entry, SeatId
from referee.errors import IllegalAction, MalformedAction, RuleViolation
from referee.games.base import Need, Outcome, Owed, Step
from referee.games.protocol import Game, Telling

Draw: TypeAlias = Callable[[Need], Outcome]
Number: TypeAlias = tuple[str, int]
"""A draw's label and number."""

FIRST: Final = 1
"""The number of what is told first along with a retelling, which is number 0 itself."""


class Wanted(Struct, frozen=True):
    """What is told anew: the entry, which of its parts, what it should have been.

    `also` is what has then to be told as well, in the order in which it is owed.
    """

    to: int
    told: Any
    also: tuple[Any, ...] = ()
    part: int = 0


class Retold(Struct):
    """The true course.

    Attributes:
        stages: what counts now.
        step: what all of it led to; its events say how that differs.
        was: what had been told.
        drawn: what was newly drawn.
        gone: what no longer counts, as far as everybody could notice it.
        owed: what has to be told as well before the rest can follow, if anything.
    """

    stages: list[Stage]
    step: Step
    was: Any
    drawn: list[tuple[Need, Outcome]]
    gone: list[Stage]
    owed: Owed | None


def telling_of(game: Game) -> Telling:
    """Give a game's side of it. Raises IllegalAction for a game in which nobody tells anything."""
    if game.telling is None:
        raise IllegalAction("nothing_told", section="corrections")
    return game.telling


def read(game: Game, payload: Mapping[str, Any]) -> Wanted:
    """Read what is wanted from JSON-able data. Raises MalformedAction, IllegalAction."""
    telling = telling_of(game)
    try:
        wanted = msgspec.convert(
            {key: payload[key] for key in ("to", "told", "also", "part") if key in payload}, Wanted
        )
        told = msgspec.convert(wanted.told, telling.Told)
        also = tuple(msgspec.convert(raw, game.Action) for raw in wanted.also)
    except msgspec.ValidationError as error:
        raise MalformedAction(detail=str(error)) from error
    return Wanted(wanted.to, told, also, wanted.part)


def written(wanted: Wanted) -> dict[str, Any]:
    """Write what is wanted as an entry's payload has it."""
    return {
        "to": wanted.to,
        "part": wanted.part,
        "told": msgspec.to_builtins(wanted.told),
        "also": msgspec.to_builtins(wanted.also),
    }


def drawn_in(payload: Mapping[str, Any]) -> dict[Number, Outcome]:
    """Read what was newly drawn when something was told anew."""
    return {
        (draw["label"], draw["number"]): Outcome(
            draw["label"], {name: tuple(items) for name, items in draw["drawn"].items()}
        )
        for draw in payload.get("drawn", ())
    }


def told_at(
    stages: Sequence[Stage], game: Game, order: Sequence[SeatId], to: int, part: int = 0
) -> tuple[int, Any]:
    """Find a line that counts and what was told there. Raises IllegalAction if nothing was."""
    for at, stage in enumerate(stages):
        if (stage.seq, stage.part) == (to, part):
            told = told_of(stage, game, order)
            if told is not None:
                return at, told
    raise IllegalAction("nothing_told", section="corrections")


def told_of(stage: Stage, game: Game, order: Sequence[SeatId]) -> Any | None:
    """Give what a stage told in public, None for nothing."""
    telling = telling_of(game)
    if stage.entry.kind == "setup" or stage.is_retelling or stage.is_quiet:
        return None
    deed = deed_of(stage, game, order)
    return deed.what if deed.kind == "told" else telling.told(played(stage, deed))


def seen_before(
    stages: Sequence[Stage], game: Game, order: Sequence[SeatId], to: int, part: int
) -> tuple[Any, tuple[Any, ...]]:
    """Give what everybody saw before a line that counts, and what was owed there, if anything."""
    at, _ = told_at(stages, game, order, to, part)
    before = stages[at].before
    owed = telling_of(game).owed(before)
    return game.public(before), () if owed is None else owed.actions


def all_told(
    stages: Sequence[Stage], game: Game, order: Sequence[SeatId]
) -> Iterator[tuple[Stage, Any]]:
    """Give all that was told, newest first."""
    for stage in reversed(stages):
        told = told_of(stage, game, order)
        if told is not None:
            yield stage, told


def retold(
    game: Game,
    order: Sequence[SeatId],
    stages: Sequence[Stage],
    now: Any,
    wanted: Wanted,
    *,
    entry: Entry,
    draw: Draw,
    seen: Mapping[Number, Outcome],
) -> Retold:
    """Tell something anew and play all that came after it again; `now` is the state of now.

    `entry` is what tells it, `draw` gives what is newly owed. Raises IllegalAction for what was
    not told, and whatever the game refuses of what is told anew.
    """
    at, was = told_at(stages, game, order, wanted.to, wanted.part)
    if was == wanted.told:
        raise IllegalAction("already_so", section="corrections")
    # What is known of the board is known from the start: nothing is asked that was answered later.
    state = game.remember(stages[at].before, now)
    course = _Course(game, order, list(stages[:at]), state, wanted, entry, draw, seen)
    course.follow(stages[at:], was)
    step = telling_of(game).settled(now, course.state)
    # What chance gave anew is in the entry that told this, and stays as closed as it would be.
    events = telling_of(game).beyond(wanted.told, step.events)
    step = msgspec.structs.replace(step, events=events, reveals=True, secret=course.is_sealed)
    return Retold(course.stages, step, was, course.drawn, course.gone, course.owed)


class _Course:
    """The true course, as it is played."""

    def __init__(
        self,
        game: Game,
        order: Sequence[SeatId],
        stages: list[Stage],
        state: Any,
        wanted: Wanted,
        entry: Entry,
        draw: Draw,
        seen: Mapping[Number, Outcome],
    ) -> None:
        self.game = game
        self.telling = telling_of(game)
        self.order = order
        self.stages = stages
        self.state = state
        self.wanted = wanted
        self.also = list(wanted.also)
        self.entry = entry
        self.draw = draw
        self.seen = seen
        self.drawn: list[tuple[Need, Outcome]] = []
        self.gone: list[Stage] = []
        self.owed: Owed | None = None
        self.parts = FIRST
        self.is_sealed = False
        self.chances: dict[Number, tuple[Stage, Deed]] = {}

    def follow(self, stages: Sequence[Stage], was: Any) -> None:
        """Play the first of these as it is told anew, the others as they happened."""
        first, *later = stages
        now = self.wanted.told
        for stage in later:
            deed = deed_of(stage, self.game, self.order) if not stage.is_retelling else None
            if deed is not None and deed.draw is not None:
                # By what was drawn, not by when: on the true course it may be owed elsewhere, or
                # never.
                self.chances[deed.draw] = stage, deed
        deed = deed_of(first, self.game, self.order)
        self._play(first, Deed("told", deed.seat, now, deed.draw))
        for stage in later:
            if stage.is_retelling:
                self._settle_again(stage)
                continue
            deed = deed_of(stage, self.game, self.order)
            if deed.draw is not None:
                continue  # it comes where it is owed
            meant = self.telling.follow(was, now, played(stage, deed))
            if meant != deed.what:
                deed = msgspec.structs.replace(deed, what=meant)
            if not self._again(stage, deed):
                return

    def _settle_again(self, stage: Stage) -> None:
        """Let an earlier retelling begin anew what it began anew then."""
        step = self.telling.settled(stage.before, self.state)
        self.stages.append(still(stage, self.state, step.state))
        self.state = step.state

    def _again(self, stage: Stage, deed: Deed) -> bool:
        """Play something again once all is told that has to be told before it; else stop there."""
        while True:
            try:
                self._play(stage, deed)
            except RuleViolation:
                owed = self.telling.owed(self.state)
                if owed is None:
                    # What only some may notice is dropped without a word, which would tell that it
                    # was there.
                    if not stage.is_quiet:
                        self.gone.append(stage)
                    return True
                if not self.also:
                    self.owed = owed
                    return False
                self._tell_also(owed)
            else:
                return True

    def _tell_also(self, owed: Owed) -> None:
        what = self.also.pop(0)
        # What is owed is listed completely, so that nothing else can slip in beside it.
        if what not in owed.actions:
            raise IllegalAction("not_owed", section="corrections")
        # Whose it is, is part of what is owed: nobody's entry says it.
        self._play(self._own_stage(), Deed("action", owed.seat, what))

    def _own_stage(self) -> Stage:
        stage = Stage(self.entry, self.state, Step(self.state), is_common=True, part=self.parts)
        self.parts += 1
        return stage

    def _play(self, stage: Stage, deed: Deed) -> None:
        step = self.telling.again(self.game, self.state, played(stage, deed))
        self._add(stage, deed, step)
        needs = list(step.needs)
        while needs:
            step = self._chance(needs.pop(0))
            needs.extend(step.needs)

    def _add(self, stage: Stage, deed: Deed, step: Step) -> None:
        # An audience is what it was: whoever may notice an entry has counted it already.
        step = msgspec.structs.replace(step, audience=stage.step.audience, keeps=stage.step.keeps)
        self.stages.append(msgspec.structs.replace(stage, before=self.state, step=step, deed=deed))
        self.state = step.state

    def _chance(self, need: Need) -> Step:
        draw = need.label, need.number
        known = self.seen.get(draw)
        is_known = known is not None and fits(known, need)
        if draw in self.chances and is_known:
            stage, deed = self.chances[draw]
            if deed.kind == "chance":
                deed = msgspec.structs.replace(deed, what=known)
            step = self.telling.again(self.game, self.state, played(stage, deed))
        else:
            # Seen once it comes again: else telling anew were a way to draw until one likes it.
            outcome = known if known is not None and is_known else self.draw(need)
            if not is_known:
                self.drawn.append((need, outcome))
            stage = self._own_stage()
            deed = Deed("chance", None, outcome, draw)
            step = self.game.chance(self.state, outcome)
            self.is_sealed |= step.secret
        self._add(stage, deed, step)
        return step


def fits(outcome: Outcome, need: Need) -> bool:
    """Say whether an outcome seen before can be what is owed now; a correction may forbid it."""
    return outcome.drawn.keys() == {pool.name for pool in need.pools} and all(
        len(outcome.drawn[pool.name]) == pool.count
        and not Counter(outcome.drawn[pool.name]) - Counter(pool.items)
        for pool in need.pools
    )

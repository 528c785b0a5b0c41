"""What can be taken back, by whom, and what outlives it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from referee.course import Stage, still
from referee.entries import Entry, SeatId
from referee.errors import RuleViolation, UndoRefused
from referee.games.base import Step
from referee.games.protocol import Game
from referee.retelling import Retold
from referee.steps import step_of


class Undoing(Struct):
    """The game's course, and what of it can be taken back.

    Attributes:
        stages: what was played and still counts, newest last.
        is_over: the scores are told: no one seat takes anything back, only the table together.
    """

    stages: list[Stage] = []
    is_over: bool = False
    _taken_back: set[tuple[SeatId | None, int]] = set()

    def own_last(self, seat: SeatId) -> Stage:
        """Find a seat's last action that still counts. Raises UndoRefused without one."""
        if self.is_over:
            raise UndoRefused("game_over")
        for mark in self.marks():
            if mark.seat == seat:
                return mark
        raise UndoRefused("nothing_to_undo")

    def ending(self, game: Game) -> Stage:
        """Find what ended the game. Raises UndoRefused if nothing did."""
        for mark in self.marks():
            # What was told anew or set right since the end did not end it.
            if game.score(mark.before) is None:
                return mark
        raise UndoRefused("nothing_to_undo")

    def marks(self) -> Iterator[Stage]:
        """Give what can be taken back, newest first."""
        return (stage for stage in reversed(self.stages) if stage.is_mark)

    def taken_back_by(self, seat: SeatId) -> list[int]:
        """Give the entries of its own that a seat has taken back."""
        return [seq for by, seq in self._taken_back if by == seat]

    def may_alone(self, mark: Stage) -> bool:
        """Say whether nothing was learnt from a step and nobody acted on it."""
        return not mark.is_common and next(self.marks(), None) is mark

    def note(self, entry: Entry, step: Step, before: Any) -> None:
        """Note a step; what chance or an answer showed counts for the action that called for it."""
        # A setup is never done again nor told anew, and names a whole board, which a state has.
        payload = {} if entry.kind == "setup" else entry.payload
        # What seals an entry is kept where it is stored: a long game has hundreds of them.
        entry = Entry(entry.seq, "", entry.seat, entry.kind, payload, salt="", chain="")
        is_caused = entry.kind in {"chance", "answer"}
        if is_caused and step.reveals:
            self._reveal()
        is_common = not is_caused and (step.reveals or entry.kind == "correction")
        self.stages.append(Stage(entry, before, step, is_common))

    def _reveal(self) -> None:
        for index in range(len(self.stages) - 1, -1, -1):
            stage = self.stages[index]
            if stage.is_mark:
                # The newest action called for what chance or an answer showed.
                if not stage.is_common:
                    self.stages[index] = msgspec.structs.replace(stage, is_common=True)
                return

    def retell(self, entry: Entry, true: Retold, before: Any) -> None:
        """Take up the true course; taken back, it is what it was."""
        was = tuple(self.stages)
        stage = Stage(entry, before, true.step, is_common=True, replaced=was)
        self.stages = [*true.stages, stage]

    def take_back(self, undo: Entry, state: Any, game: Game, order: Sequence[SeatId]) -> Any:
        """Give the state before the step that an undo names, with all that outlives it.

        What had been told anew before is then told as it was. What had been told anew later stays
        told anew, if it was about something that is not taken back.
        """
        to = undo.payload["to"]
        # What was told along with a retelling has its number too, and is never meant.
        at = [stage.seq if stage.is_mark else 0 for stage in self.stages].index(to)
        mark, undone = self.stages[at], self.stages[at:]
        # Kept for a tap that comes twice, when another action is the last one already.
        self._taken_back.add((undo.seat, to))
        # A board, once looked at, stays looked at: only what was played is undone.
        state = game.remember(mark.before, state)
        if mark.replaced is not None:
            self.stages = list(mark.replaced)
        else:
            self.stages = self.stages[:at]
            told = {stage.seq for stage in self.stages}
            anew = (stage for stage in undone if stage.is_retelling)
            self.stages += [still(s, state, state) for s in anew if s.entry.payload["to"] in told]
        return self._with_quiet(undone, state, game, order)

    def _with_quiet(
        self, undone: list[Stage], state: Any, game: Game, order: Sequence[SeatId]
    ) -> Any:
        """Do again what others changed unnoticed since, or they would lose it and everyone see.

        Such a step cannot be taken back by itself: that could be noticed. One that the game no
        longer allows, back where it is now, is gone. A seat's settings stay, whoever takes back
        what.
        """
        # Who takes something back loses what they did unnoticed after it; all others keep theirs.
        seats = {stage.seat for stage in undone if stage.is_mark}
        for stage in undone:
            if not stage.is_quiet or (stage.seat in seats and not stage.step.keeps):
                continue
            try:
                step = step_of(game, state, order, stage.entry)
            except RuleViolation:
                # To refuse the whole undo here would tell that somebody did something.
                if not stage.step.keeps:
                    continue
                step = msgspec.structs.replace(stage.step, state=state)
            self.stages.append(msgspec.structs.replace(stage, before=state, step=step))
            state = step.state
        return state

"""What can be taken back, by whom, and what outlives it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from referee.entries import Entry, SeatId
from referee.errors import RuleViolation, UndoRefused
from referee.games.base import Step
from referee.games.protocol import Game
from referee.steps import step_of


class Mark(Struct, frozen=True):
    """A game step that can be taken back, and the state before it.

    `reveals`: it gave something away, or all agreed on it, so it is not one seat's to take back.
    """

    seq: int
    seat: SeatId | None
    before: Any
    reveals: bool


class Undoing(Struct):
    """The steps that can be taken back, newest last, and the quiet ones that nobody asks about.

    Attributes:
        marks: what can be taken back.
        is_over: nothing can be, once the scores are told.
    """

    marks: list[Mark] = []
    is_over: bool = False
    _quiet: list[Entry] = []
    _settings: set[int] = set()
    _taken_back: set[tuple[SeatId | None, int]] = set()

    def own_last(self, seat: SeatId) -> Mark:
        """Find a seat's last action that still counts. Raises UndoRefused without one."""
        if self.is_over:
            raise UndoRefused("game_over")
        for mark in reversed(self.marks):
            if mark.seat == seat:
                return mark
        raise UndoRefused("nothing_to_undo")

    def taken_back_by(self, seat: SeatId) -> list[int]:
        """Give the entries of its own that a seat has taken back."""
        return [seq for by, seq in self._taken_back if by == seat]

    def may_alone(self, mark: Mark) -> bool:
        """Say whether nothing was learnt from a step and nobody acted on it."""
        return not mark.reveals and self.marks[-1] is mark

    def note(self, entry: Entry, step: Step, before: Any) -> None:
        """Note a step: a common one can be taken back, an unnoticed one is only ever kept."""
        match entry.kind:
            case "chance" | "answer":
                self._note_reveal(step)
            case "setup":
                pass
            case _ if step.audience is None:
                is_common = step.reveals or entry.kind == "correction"
                self.marks.append(Mark(entry.seq, entry.seat, before, is_common))
            case _:
                self._quiet.append(entry)
                if step.keeps:
                    self._settings.add(entry.seq)

    def _note_reveal(self, step: Step) -> None:
        """Let what chance or an answer showed count for the action that called for it.

        Neither is taken back by itself: chance, once seen, comes again, and what is known of the
        board is only ever corrected.
        """
        if self.marks and step.reveals:
            self.marks[-1] = msgspec.structs.replace(self.marks[-1], reveals=True)

    def take_back(self, undo: Entry, state: Any, game: Game, order: Sequence[SeatId]) -> Any:
        """Give the state before the step that an undo names, with all that outlives it."""
        to = undo.payload["to"]
        at = [mark.seq for mark in self.marks].index(to)
        undone = {mark.seat for mark in self.marks[at:]}
        self._taken_back.add((undo.seat, to))
        # A board, once looked at, stays looked at: only what was played is undone.
        state = game.remember(self.marks[at].before, state)
        self.marks = self.marks[:at]
        return self._with_quiet(to, undone, state, game, order)

    def _with_quiet(
        self, to: int, undone: set[SeatId | None], state: Any, game: Game, order: Sequence[SeatId]
    ) -> Any:
        """Do again what others changed unnoticed since, or they would lose it and everyone see.

        Such a step cannot be taken back by itself: that could be noticed. One that the game no
        longer allows, back where it is now, is gone. A seat's settings stay, whoever takes back
        what.
        """
        kept = []
        for entry in self._quiet:
            is_setting = entry.seq in self._settings
            if entry.seq >= to and entry.seat in undone and not is_setting:
                continue
            if entry.seq > to:
                try:
                    state = step_of(game, state, order, entry).state
                except RuleViolation:
                    # To refuse the whole undo here would tell that somebody did something.
                    if not is_setting:
                        continue
            kept.append(entry)
        self._quiet = kept
        return state

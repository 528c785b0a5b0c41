"""What was told wrongly is told anew where it was told: the core's part, played with pebbles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from referee import deciding
from referee.entries import Draft
from referee.errors import IllegalAction
from referee.games import GAMES
from referee.journal import replay
from tests.journals import Journal
from tests.toy import rules as pebbles
from tests.toy.actions import Take


class Pebbles(Journal):
    """A journal of the toy, in which pebbles are taken and told anew."""

    def __init__(self) -> None:
        super().__init__(pebbles, seats=2)

    def take(self, row: int, count: int) -> int:
        """Let whose turn it is take pebbles; give the entry's number."""
        (seat,) = self.ledger.to_act()
        return self.act(seat, Take(row, count))

    def retell(self, to: int, row: int, count: int, **more: Any) -> int:
        """Tell anew what was taken."""
        told = {"type": "take", "row": row, "count": count}
        payload = {"to": to, "told": told, "was": told, "how": "host", "by": None} | more
        return self.add(*deciding.retold(self.ledger, None, payload, draw=self.draw))

    def undo(self, to: int) -> None:
        """Take back, as the table agreed."""
        self.add(Draft("undo", None, {"to": to, "how": "agreed", "by": None}))

    @property
    def rows(self) -> tuple[int, ...]:
        """Give what lies there."""
        rows: tuple[int, ...] = self.ledger.state.rows
        return rows

    def undone(self) -> list[int]:
        """Give the entries that are struck out in the log."""
        return [line.seq for line in self.ledger.log.lines if line.is_undone]


@pytest.fixture
def journal() -> Iterator[Pebbles]:
    """Give a journal that replays to what it says, whatever the test did."""
    journal = Pebbles()
    yield journal
    again = replay(pebbles, journal.entries)
    assert again.state == journal.ledger.state
    assert again.log.lines == journal.ledger.log.lines
    assert again.status == journal.ledger.status


def test_what_follows_is_derived_again(journal: Pebbles) -> None:
    """Three, not one, of the first row; what was taken after it is taken as it was."""
    first = journal.take(2, 1)
    journal.take(1, 2)
    journal.take(0, 1)

    journal.retell(first, 2, 3)

    straight = Pebbles()
    for row, count in ((2, 3), (1, 2), (0, 1)):
        straight.take(row, count)
    assert journal.ledger.state == straight.ledger.state


def test_what_has_no_place_any_more_does_not_count_and_is_struck_out(journal: Pebbles) -> None:
    """Nothing lies in the row from which it was taken."""
    first = journal.take(0, 1)
    gone = journal.take(0, 2)

    journal.retell(first, 0, 3)

    assert journal.rows == (0, 4, 5)
    assert journal.undone() == [gone]


def test_taken_back_it_is_told_as_it_was(journal: Pebbles) -> None:
    """The retelling is an entry like any other; taking it back brings back what it left out."""
    first = journal.take(0, 1)
    journal.take(0, 2)
    before = journal.ledger.state
    told = journal.retell(first, 0, 3)

    journal.undo(told)

    assert journal.ledger.state == before
    assert journal.undone() == [told]


def test_what_is_told_anew_stays_when_something_later_is_taken_back(journal: Pebbles) -> None:
    """And the state before that is the true one."""
    first = journal.take(2, 1)
    second = journal.take(1, 1)
    told = journal.retell(first, 2, 2)

    journal.undo(second)

    assert journal.rows == (3, 4, 3)
    assert told not in journal.undone()
    third = journal.take(1, 4)
    journal.undo(third)
    assert journal.rows == (3, 4, 3)


def test_taking_back_what_was_told_anew_takes_both_back(journal: Pebbles) -> None:
    """Nothing is left of either."""
    first = journal.take(2, 1)
    told = journal.retell(first, 2, 2)

    journal.undo(first)

    assert journal.rows == (3, 4, 5)
    assert journal.undone() == [first, told]


def test_a_retold_line_is_told_once_more(journal: Pebbles) -> None:
    """As often as it takes; the last one counts."""
    first = journal.take(2, 1)
    journal.take(1, 1)
    told = journal.retell(first, 2, 2)
    again = journal.retell(first, 2, 3)

    assert journal.rows == (3, 3, 2)
    journal.undo(again)
    assert journal.rows == (3, 3, 3)
    journal.undo(told)
    assert journal.rows == (3, 3, 4)


def test_two_lines_are_told_anew_one_after_the_other(journal: Pebbles) -> None:
    """The later line first or the earlier one first: the same in the end."""
    one, other = journal.take(2, 1), journal.take(1, 1)
    journal.retell(other, 1, 2)
    journal.retell(one, 2, 2)

    backwards = Pebbles()
    one, other = backwards.take(2, 1), backwards.take(1, 1)
    backwards.retell(one, 2, 2)
    backwards.retell(other, 1, 2)
    assert journal.ledger.state == backwards.ledger.state


def test_a_finished_game_can_be_told_anew(journal: Pebbles) -> None:
    """It goes on if it is not over on the true course, else it has another result."""
    last = 0
    for row, count in ((0, 3), (1, 4), (2, 5)):
        last = journal.take(row, count)
    assert journal.ledger.status == "over"

    journal.retell(last, 2, 4)

    assert journal.ledger.status == "playing"
    assert journal.rows == (0, 0, 1)
    journal.take(2, 1)
    assert journal.ledger.status == "over"


def test_what_was_taken_back_cannot_be_told_anew(journal: Pebbles) -> None:
    """It does not count."""
    first = journal.take(2, 1)
    journal.undo(first)

    with pytest.raises(IllegalAction, match="nothing_told"):
        journal.retell(first, 2, 2)


def test_only_what_was_told_can_be_told_anew(journal: Pebbles) -> None:
    """Who begins was drawn."""
    with pytest.raises(IllegalAction, match="nothing_told"):
        journal.retell(5, 2, 2)
    first = journal.take(2, 1)
    with pytest.raises(IllegalAction, match="already_so"):
        journal.retell(first, 2, 1)
    with pytest.raises(IllegalAction, match="no_such_pebbles"):
        journal.retell(first, 2, 6)


def test_the_registry_is_as_it_was() -> None:
    """These tests play a game that nobody registered."""
    assert "pebbles" not in GAMES

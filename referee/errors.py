"""Everything that can go wrong on purpose, in one place.

A refusal carries a stable ``code`` and the ``facts`` a sentence needs. The sentence itself is
written at the edge, in the reader's language. Anything that is not a RefereeError is a bug.
"""

from __future__ import annotations

from typing import ClassVar


class RefereeError(Exception):
    """Base of every expected failure.

    Attributes:
        status: the HTTP status an edge answers with.
        code: a stable name for programs and for the catalogue of sentences.
        facts: the values the sentence needs, JSON-able.
    """

    status: ClassVar[int] = 500
    code: str = "error"

    def __init__(self, code: str | None = None, **facts: object) -> None:
        if code is not None:
            self.code = code
        self.facts = facts
        super().__init__(self.code, facts)


class MalformedAction(RefereeError):
    """The request cannot be decoded at all."""

    status = 400
    code = "malformed"


class RuleViolation(RefereeError):
    """The rules refuse an action that could be read.

    Attributes:
        section: the chapter of the rulebook that refuses.
    """

    status = 422
    code = "rule_violation"

    def __init__(self, code: str | None = None, *, section: str = "", **facts: object) -> None:
        super().__init__(code, **facts)
        self.section = section


class NotYourTurn(RuleViolation):
    """This seat is not asked anything now."""

    code = "not_your_turn"


class IllegalAction(RuleViolation):
    """This seat is asked, but may not do that."""

    code = "illegal_action"


class GameOver(RuleViolation):
    """Nothing can be done after the final scoring."""

    code = "game_over"


class TableError(RefereeError):
    """Something about the table, not about the rules."""

    status = 409
    code = "table"


class NoSuchTable(TableError):
    """No table has this code."""

    status = 404
    code = "no_such_table"


class NotSeated(TableError):
    """The asker holds no key to this seat, or is not this table's host."""

    status = 403
    code = "not_seated"


class KeepsNothing(TableError):
    """The browser keeps no cookies, so it would lose whatever seat it were given."""

    code = "no_cookies"


class SeatTaken(TableError):
    """The seat, name or colour belongs to somebody."""

    code = "seat_taken"


class StaleTable(TableError):
    """The table moved on since the asker looked."""

    code = "stale"


class UndoRefused(TableError):
    """There is nothing to take back, or it cannot be taken back this way."""

    code = "undo_refused"


class TooMany(TableError):
    """The asker tries too often; wait a minute."""

    status = 429
    code = "too_many"


class CorruptJournal(RefereeError):
    """A stored entry no longer replays. Facts name table and seq."""

    status = 500
    code = "corrupt_journal"

    @property
    def is_unknown_play(self) -> bool:
        """Say whether the chain holds, and only these rules cannot play the entry.

        Another version of the referee may have played it: it need not be damaged.
        """
        return self.code in {"does_not_replay", "unknown_kind"}


class AlreadyRunning(RefereeError):
    """Another server holds the data folder. `address` in the facts is where it answers."""

    status = 409
    code = "already_running"


class NewerData(RefereeError):
    """A newer version of the referee wrote the data folder; nothing there was touched."""

    status = 500
    code = "newer_data"


class StorageError(RefereeError):
    """The disk refuses; nothing was taken in, and the same can be tried again once it is mended.

    Codes: disk_full, disk_locked, disk_read_only, disk_failing.
    """

    status = 503
    code = "disk_failing"

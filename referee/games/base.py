"""What games and the core hand each other: small frozen values, and no rule.

`protocol.py` says who gives which of them to whom, and how the less usual is done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NewType, TypeAlias

from msgspec import Struct

SeatIndex = NewType("SeatIndex", int)
"""A seat's place in its game: 0 up to seats - 1, clockwise. Inside the rules a plain `int`."""

LANGUAGES: Final = ("en", "de", "fr")
"""The languages every title and every sentence exists in."""

IDLE: Final = "idle"
"""The tag of what a phone says while it is asked nothing: equal on every phone, so drawn once."""

BOARD_ANSWER: Final = "answer"
"""The type of the action that answers a question about the board, as `Answer` has it."""

QUIET: Final = "quiet"
"""Stands among a game's moments where play has moved on: what was told before it has passed."""

Mood: TypeAlias = Literal["asked", "able", "waiting"]
"""Whether a seat holds up the table, may do something, or waits."""

Fields: TypeAlias = Mapping[str, Sequence[str]]
"""A form's fields, each with all its values."""


class Piece(Struct, frozen=True):
    """What is drawn by the template `_NAME.html`, for whoever looks, or `alike` for everybody."""

    name: str
    value: Any
    alike: bool = False


class InPieces(Struct, frozen=True):
    """A value of which a page is sent the pieces that changed, and no more.

    Its template draws what `around` gives, and says by `piece('NAME')` where each of them goes.
    Seldom does that change, so it is seldom drawn; and a piece is left as it was drawn if its value
    is the same. What is sent in pieces and changes as a whole needs none of this.
    """

    @property
    def around(self) -> Struct | None:
        """Give what is drawn around the pieces; None where that is always the same."""
        raise NotImplementedError

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Give the pieces, in the order in which the template names them."""
        raise NotImplementedError


class Option(Struct, frozen=True):
    """A choice made before the start: stable key, stable values, and which one is the default.

    `instead` are other defaults: another option's key, a value of it, and the default while it has
    that value.
    """

    key: str
    values: tuple[str, ...]
    default: str
    instead: tuple[tuple[str, str, str], ...] = ()


class Meta(Struct, frozen=True):
    """What a lobby needs to know of a game without loading its rules.

    `titles` by language; `editions` are titles that a value of the option "edition" has in every
    language; `usual` are options that people of a language most likely need, by language.
    `has_secrets` says whether any seat may know what another may not. `starter` is the key of an
    option whose value names a seat, by index once the game runs: who begins, or who has the role
    that the table gives away; "" where the game draws it. `roles` are what play logs call that seat
    and all others, if it plays against them: then neither side acts for the other. `free` are types
    of actions that people fill in freely, such as a drawing: of these the legal ones name only a
    way through. `for_programs` is what a client's author must know, in English, such as the unit of
    amounts. `alone` are options under which one person can play for all seats at once, empty where
    that makes no sense. `prices` are an event's tag and its field that says what was paid, for the
    records; empty where nothing is bought.
    """

    key: str
    titles: dict[str, str]
    seats: tuple[int, int]
    options: tuple[Option, ...]
    bgg_id: int
    editions: dict[str, str] = {}
    usual: dict[str, dict[str, str]] = {}
    has_secrets: bool = True
    starter: str = ""
    roles: tuple[str, str] | None = None
    free: tuple[str, ...] = ()
    alone: dict[str, str] = {}
    for_programs: str = ""
    prices: tuple[str, str] = ("", "")

    def title(self, options: Mapping[str, str], lang: str) -> str:
        """Give the name of the box on the table, or the game's name in a language."""
        return self.editions.get(options.get("edition", ""), self.titles[lang])


class Pool(Struct, frozen=True):
    """`count` items to be drawn from `items` in random order, without putting back."""

    name: str
    items: tuple[str | int, ...]
    count: int


class Need(Struct, frozen=True):
    """A chance outcome that is owed. `number` makes it unique among those of the same label."""

    label: str
    number: int
    pools: tuple[Pool, ...]


class Outcome(Struct, frozen=True):
    """What chance gave: what each pool drew, in order."""

    label: str
    drawn: dict[str, tuple[str | int, ...]]


Facts: TypeAlias = tuple[tuple[str, str], ...]
"""Facts about a board with their values, such as ("terrain:7", "forest"). Names are stable."""


class OpenFact(Struct, frozen=True):
    """One fact about a board that is asked, and the values it can have.

    `proposed` is our own reading.
    """

    fact: str
    values: tuple[str, ...]
    proposed: str | None = None


class BoardQuestion(Struct, frozen=True):
    """Something about the owner's board that matters now; anyone can answer by looking at it.

    `kind` says how to ask it, `place` (as the game counts or names places) and `seat` whom or what
    it is about. Each part is one fact; answering some of them leaves the rest open. `more` are
    facts that nobody needs now, but whoever looks there can tell as well.
    """

    kind: str
    parts: tuple[OpenFact, ...]
    place: int | str | None = None
    seat: int | None = None
    more: tuple[OpenFact, ...] = ()


class Known(Struct, frozen=True):
    """How much of one kind of fact about a board is known."""

    kind: str
    known: int
    of: int


class Answer(Struct, frozen=True, tag=BOARD_ANSWER):
    """Settle one or more facts that the open question asks for."""

    facts: Facts


# `state` and `events` are any: the core hands a step on without a look into either, and a parameter
# for each would stand in every rule's signature. `GameOf` holds a game's states to its own views.
class Step(Struct, frozen=True):
    """What one action, outcome, answer or correction led to.

    `events` are public happenings in order. `reveals` says that somebody learnt something, so
    taking it back needs consent. `needs` are the outcomes owed before anyone can act. `secret`
    says that the cause itself must stay sealed until the game is over. `audience` names the seats
    that may notice the step at all; None is everybody. `learnt` are facts about the owner's board
    that are public from now on: they outlive an undo, and the game. `keeps` says that a step for
    an audience is a setting of its seat's own, which outlives an undo as well.
    """

    state: Any
    events: tuple[Any, ...] = ()
    reveals: bool = False
    needs: tuple[Need, ...] = ()
    secret: bool = False
    audience: frozenset[int] | None = None
    learnt: Facts = ()
    keeps: bool = False


class Played(Struct, frozen=True):
    """Something that was played: what it was, whose, in which state, and what it led to.

    `what` is the action, the outcome of chance, the facts of an answer, the correction, or what was
    told in place of one of them; `seat` is None where it was nobody's in particular.
    """

    kind: Literal["action", "chance", "answer", "correction", "told"]
    seat: int | None
    what: Any
    before: Any
    step: Step


class Owed(Struct, frozen=True):
    """What has to be told before anything else can follow: by whom, and all that it may be."""

    seat: int
    actions: tuple[Any, ...]


class ScoreLine(Struct, frozen=True):
    """One named line of a seat's total. `detail` holds what the name alone does not say."""

    name: str
    amount: int
    detail: tuple[str | int, ...] = ()


class Score(Struct, frozen=True):
    """One seat's total and where it comes from."""

    seat: int
    total: int
    lines: tuple[ScoreLine, ...]


class Result(Struct, frozen=True):
    """The end: every seat's score, who won, and which tie-breaker decided (None: no tie)."""

    scores: tuple[Score, ...]
    winners: tuple[int, ...]
    tie_break: str | None

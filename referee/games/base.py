"""The protocol every game satisfies: a module of pure functions over frozen structs.

A game never does I/O, draws or reads a clock. What it cannot know (a shuffled deck, a drawn
token) it names as a `Need`; somebody else supplies the `Outcome`. What comes out of the real box
instead is an action of whoever reports it. What a viewer may see is built from nothing by `view`;
nothing is ever hidden by deleting it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol, TypeAlias

from msgspec import Struct

Seat: TypeAlias = int
"""A place at the table, 0 up to seats - 1, clockwise."""

Viewer: TypeAlias = int | None
"""A seat, or None for the display and everybody else without a seat."""

LANGUAGES: Final = ("en", "de", "fr")
"""The languages every title and every sentence exists in."""


class Option(Struct, frozen=True):
    """A choice made before the start: stable key, stable values, and which one is the default."""

    key: str
    values: tuple[str, ...]
    default: str


class Meta(Struct, frozen=True):
    """What a lobby needs to know of a game without loading its rules.

    `titles` by language; `editions` are titles that a value of the option "edition" has in every
    language; `usual` are options that people of a language most likely need, by language.
    """

    key: str
    titles: dict[str, str]
    seats: tuple[int, int]
    options: tuple[Option, ...]
    bgg_id: int
    editions: dict[str, str] = {}
    usual: dict[str, dict[str, str]] = {}

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


class Part(Struct, frozen=True):
    """One fact that is asked, and the values it can have. `proposed` is our own reading."""

    fact: str
    values: tuple[str, ...]
    proposed: str | None = None


class Question(Struct, frozen=True):
    """Something about the owner's board that matters now; anyone can answer by looking at it.

    `kind` says how to ask it, `plot` and `seat` whom or what it is about. Each part is one fact;
    answering some of them leaves the rest open. `more` are facts that nobody needs now, but whoever
    looks there can tell as well. `seats` names who is asked, None is everybody: a question that a
    secret raises is for its owner alone.
    """

    kind: str
    parts: tuple[Part, ...]
    plot: int | None = None
    seat: int | None = None
    seats: tuple[int, ...] | None = None
    more: tuple[Part, ...] = ()


class Answer(Struct, frozen=True, tag="answer"):
    """Settle one or more facts that the open question asks for."""

    facts: Facts


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


class View(Struct, frozen=True):
    """All one viewer may know: what everybody sees, and what is the viewer's own."""

    public: Any
    own: Any | None


class Line(Struct, frozen=True):
    """One named part of a seat's total. `detail` holds what the name alone does not say."""

    name: str
    amount: int
    detail: tuple[str | int, ...] = ()


class Score(Struct, frozen=True):
    """One seat's total and where it comes from."""

    seat: int
    total: int
    lines: tuple[Line, ...]


class Result(Struct, frozen=True):
    """The end: every seat's score, who won, and which tie-breaker decided (None: no tie)."""

    scores: tuple[Score, ...]
    winners: tuple[int, ...]
    tie_break: str | None


class Game(Protocol):
    """What a game module offers. States, actions and events are its own frozen structs."""

    META: Meta
    State: Any
    Action: Any
    Correction: Any
    Event: Any
    screens: Any
    boards: Any
    forms: Any

    def setup(self, options: Mapping[str, str], seats: int, board: Mapping[str, Any]) -> Step:
        """Give the start of a game; `board` is a parsed board profile."""

    def to_act(self, state: Any) -> frozenset[int]:
        """Name the seats that are asked something; empty when the game is over.

        Computed from public facts alone, so a seat named here may find no legal action.
        """

    def legal_actions(self, state: Any, seat: int) -> tuple[Any, ...]:
        """Give every complete action this seat may take now."""

    def stand_in(self, state: Any, seat: int) -> tuple[Any, ...]:
        """Give the actions the host may take for an absent seat: none depends on a secret."""

    def apply(self, state: Any, seat: int, action: Any) -> Step:
        """Play an action. Raises RuleViolation if the rules refuse it."""

    def chance(self, state: Any, outcome: Outcome) -> Step:
        """Take in an outcome that was owed."""

    def correct(self, state: Any, correction: Any) -> Step:
        """Set what the real board shows to be different."""

    def question(self, state: Any) -> Question | None:
        """Give the question about the board that has to be settled now, if there is one."""

    def answer(self, state: Any, facts: Facts) -> Step:
        """Take in facts about the board, asked for or not, and whatever follows from them.

        Raises IllegalAction for a fact that cannot be, or that is known to be otherwise.
        """

    def remember(self, state: Any, known: Any) -> Any:
        """Give a state all that another one knows of the board: an undo takes none of it back."""

    def public(self, state: Any) -> Any:
        """Build what everybody may see."""

    def own(self, state: Any, seat: int) -> Any:
        """Build what only this seat may see."""

    def view(self, state: Any, viewer: Viewer) -> View:
        """Build all that one viewer may see: public, and own for a seat."""

    def violations(self, state: Any) -> tuple[str, ...]:
        """Name what must never be, such as notes made or lost."""

    def score(self, state: Any) -> Result | None:
        """Give the final result, or None while the game goes on."""

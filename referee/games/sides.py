"""The sides of a game that face people: screens, forms, and what an owner teaches of a board.

Each is a module of the game's own. What stands for a game's own struct here, such as its public
view, is one and the same throughout that game: the type checker holds its sides to each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias, TypeVar

from .base import Facts, Fields, Known, Mood, ScoreLine, SeatIndex

PublicT_contra = TypeVar("PublicT_contra", contravariant=True)
OwnT_contra = TypeVar("OwnT_contra", contravariant=True)
ActionT_contra = TypeVar("ActionT_contra", contravariant=True)
EventT_contra = TypeVar("EventT_contra", contravariant=True)
StateT_contra = TypeVar("StateT_contra", contravariant=True)
BoardT = TypeVar("BoardT")


# What a part, a page or a place shows is any value: the core only compares it and hands it to the
# template of its name, which no type checker reads. `make look` and the suite draw every one.
class ScreensOf(Protocol[PublicT_contra, OwnT_contra, ActionT_contra, EventT_contra]):
    """What each part of a page shows: small values made from views, equal when nothing changed.

    A part called NAME is drawn by the template `KEY/_NAME.html`. What is a question (`ask`, `desk`)
    is a tuple of tagged structs, each of a closed union of the game's, and each drawn by the
    template `KEY/ask/TAG.html` or `KEY/desk/TAG.html`: the tag picks the template, which decides
    nothing.
    """

    @property
    def STAGE(self) -> str:  # noqa: N802  # a constant of the module
        """Name the display's part that takes the most room; `_ground.html` lies under it."""

    @property
    def ON_DISPLAY(self) -> tuple[str, ...]:  # noqa: N802
        """Name the display's parts beside its stage, in order.

        The core draws `desk`, `notice`, `players` and `log`; the rest is the game's own.
        """

    @property
    def ON_PHONE(self) -> tuple[str, ...]:  # noqa: N802
        """Name a phone's parts in order.

        `head` is its top line, `own` (if named) what is shown while held; the core draws `notice`
        and `moment`, the sentences about what just happened.
        """

    @property
    def VEIL_S(self) -> int:  # noqa: N802
        """Say after how many untouched seconds a phone hides its plans; 0 is never."""

    @property
    def PAGES(self) -> tuple[str, ...]:  # noqa: N802
        """Name a seat's other pages, each drawn by `KEY/NAME.html` from what `page` gives."""

    @property
    def RECORDED(self) -> str:  # noqa: N802
        """Name the action that the host tells in a form of its own, `_record.html`; "" is none."""

    @property
    def HINTS(self) -> Mapping[str, tuple[str, ...]]:  # noqa: N802
        """Name each kind of question on a phone, and the types of actions that answer it.

        Whoever plays for the first time is told one sentence about each, `hint` of
        `KEY/words/hints.html`, until they have answered one of its kind.
        """

    @property
    def TERMS(self) -> Mapping[str, tuple[str, ...]]:  # noqa: N802
        """Name the terms that are explained, in the order of reading, and whom each helps.

        That is kinds of questions, as in HINTS. `KEY/words/terms.html` has `term_name` and `term`,
        a sentence or two. A glossary is sent as a whole: no request says what somebody reads.
        """

    @property
    def SIGNS(self) -> Mapping[str, str]:  # noqa: N802
        """Name signs that are drawn for terms of TERMS: a finger that rests on one asks for it."""

    def display_parts(self, public: PublicT_contra) -> dict[str, Any]:
        """Give what the display shows, from public facts alone.

        STAGE, the game's own of ON_DISPLAY, and `players` with its `rows`.
        """

    def common_parts(self, public: PublicT_contra) -> dict[str, Any]:
        """Give what every phone shows alike."""

    def seat_parts(
        self,
        public: PublicT_contra,
        own: OwnT_contra,
        legal: tuple[ActionT_contra, ...],
        seat: SeatIndex,
        *,
        fresh: int,
    ) -> dict[str, Any]:
        """Give what one phone shows beside that; `ask` is a tuple of questions.

        `fresh` is the version from which on an answer still counts.
        """

    def moments(self, events: tuple[EventT_contra, ...]) -> tuple[Any, ...]:
        """Give what everybody looks up for in what just happened; most of the time nothing.

        Tagged structs of a closed union, made from the public events of one line of the log. Each
        is a scene on the display, `KEY/moment/TAG.html`, shown once as it happens, and a sentence
        in a phone's own words, `KEY/told/TAG.html`, until `QUIET` stands among later ones.
        """

    def desk_part(self, public: PublicT_contra, *, fresh: int) -> tuple[Any, ...]:
        """Give the questions that the host may answer on the display for everybody."""

    def mood(
        self, public: PublicT_contra, legal: tuple[ActionT_contra, ...], seat: SeatIndex
    ) -> Mood:
        """Say whether a seat holds up the table, may do something, or waits."""

    def page(
        self, name: str, own: OwnT_contra, legal: tuple[ActionT_contra, ...], *, fresh: int
    ) -> Any:
        """Give what one of PAGES shows."""

    def closing(self, public: PublicT_contra) -> Any:
        """Give what the closing ceremony tells beside the scores, for `ceremony.html`."""

    def steps(self, public: PublicT_contra) -> int:
        """Count the steps in which the closing ceremony tells a game that is over."""

    def chapter(self, events: tuple[EventT_contra, ...]) -> int | None:
        """Give the number of what begins with one line of the log, such as a plot or a turn.

        `chapter` in `_words.html` names it; None where a line goes on with what was before.
        """

    def fortunes(self, public: PublicT_contra) -> tuple[tuple[int, ...], ...]:
        """Give an amount a seat after each turn, for a chart at the end; may be empty."""

    def kind_of(self, line: ScoreLine) -> str:
        """Name the kind of a line in a score: how its piece of the bar is drawn at the end."""


class Forms(Protocol):
    """What people fill in, read into the shape of actions, corrections, facts and what was told.

    Each raises MalformedAction for what cannot be read.
    """

    def action(self, fields: Fields) -> dict[str, Any]:
        """Read an action; its field `type` says which."""

    def correction(self, fields: Fields) -> dict[str, Any]:
        """Read a correction; its field `type` says which."""

    def told(self, fields: Fields) -> dict[str, Any]:
        """Read what should have been told; its field `type` says what kind of thing it is."""

    def taught(self, fields: Fields) -> Facts:
        """Read facts about a board."""


class BoardsOf(Protocol[StateT_contra, BoardT]):
    """What an owner can teach of a board. A board is a frozen struct of the game's own."""

    @property
    def NAMES(self) -> tuple[str, ...]:  # noqa: N802
        """Name the profiles that an owner can teach, such as editions."""

    def read_board(self, profile: Mapping[str, Any]) -> BoardT:
        """Read a profile; `facts` in it are what its owner taught."""

    def board_of(self, state: StateT_contra) -> BoardT:
        """Give the board of a running game."""

    def value_of(self, board: BoardT, fact: str) -> str | None:
        """Give a fact's value, None if unknown. Raises IllegalAction for no fact of this board."""

    def learn(self, board: BoardT, facts: Facts) -> BoardT:
        """Add facts. Raises IllegalAction for one that cannot be, or is known to be otherwise."""

    def corrected(self, board: BoardT, facts: Facts) -> BoardT:
        """Set facts to be otherwise than they were thought to be. Raises IllegalAction."""

    def places(self, board: BoardT) -> tuple[str, ...]:
        """Name what can be taught one at a time."""

    def place(self, board: BoardT, name: str) -> Any:
        """Give what the page needs to know of one place beside the board."""

    def progress(self, board: BoardT) -> tuple[Known, ...]:
        """Count what is known, kind by kind."""

    def lessons(self, board: BoardT) -> int:
        """Count the questions that teach the rest."""

    def all_facts(self, board: BoardT) -> dict[str, str]:
        """Write everything that is known down as facts."""


Screens: TypeAlias = ScreensOf[Any, Any, Any, Any]
"""Any game's, as the core has it."""

Boards: TypeAlias = BoardsOf[Any, Any]
"""Likewise."""

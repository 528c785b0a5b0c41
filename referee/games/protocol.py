"""The protocol every game satisfies, written down whole.

A game is a package under `referee.games`. Its `__init__` holds `META` and nothing else, so that a
lobby of many games loads none of their rules; its module `rules` is a `Game`: pure functions over
frozen structs, and four sides that are modules too: `screens` (what each part of a page shows),
`forms` (what people fill in), `boards` (what an owner can teach, or None) and `telling` (what
people tell the referee, and how it is told anew, or None). A game never does
I/O, draws or reads a clock. What it cannot know (a shuffled deck, a drawn token) it names as a
`Need`; somebody else supplies the `Outcome`. What comes out of the real box instead is an action of
whoever reports it. What a viewer may see is built from nothing; nothing is ever hidden by deleting.

How the less usual is done:

- **Two players, or six**: `Meta.seats`. Nothing else counts seats.
- **No secrets**: `Meta.has_secrets` is False, `own` gives a struct without fields, no step is
  `secret` or has an `audience`. The pages then offer nothing to hold and look at, if the game's
  screens name no such part.
- **No money, no map, no board to learn**: these are the game's own words. The core knows none of
  them; a game without a board sets `boards` to None, asks no `BoardQuestion`, and its screens name
  some other part as their stage.
- **Who begins** is chosen by the table if `Meta.starter` names an option for it (its value is the
  index of a seat), else the game draws it as a `Need`.
- **A setting that changes in mid-game** (how much the referee keeps track of, say) is a correction:
  it goes through the table's consent, keeps what is known, and replays like any other entry.
- **What was told wrongly** is told anew where it was told, see `Telling`: the core plays all that
  came after it again, and nothing that follows from it is ever patched. What hands did otherwise
  (a token lost under the table) is a correction of the present, see `Game.correct`.
- **A seat with several pieces whose turns interleave**: the order of turns is part of the state and
  names pieces; `to_act` maps the piece whose turn it is to its seat, and an action that could mean
  several pieces names its piece.
- **Hundreds of legal placements**: `legal_actions` still lists them all, complete, for programs. It
  is called only for seats in `to_act`, once a state. A page never walks through that list in a
  template: `screens.seat_parts` folds it into a small table (per cell the rotations that fit, say)
  inside the one struct of its question. A choice that multiplies (form a domino, then lay it) is
  better two actions than one product.
- **What people fill in freely** (a ranch that is painted, a page of notes) cannot be listed whole.
  `Meta.free` names such types of actions: `legal_actions` lists small ones that lead through to the
  end, and `apply` takes larger ones of the same types as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from referee.errors import RuleViolation

from .base import (
    BoardQuestion,
    Facts,
    Fields,
    Known,
    Meta,
    Mood,
    Outcome,
    Owed,
    Played,
    Result,
    ScoreLine,
    SeatIndex,
    Step,
)


class PublicView(Protocol):
    """What the core reads of every game's public view. All else in it is for the game's screens."""

    @property
    def phase(self) -> str:
        """Name what goes on."""

    @property
    def waiting_for(self) -> tuple[int, ...]:
        """Name the seats without whom nothing goes on; others may act, but need not."""

    @property
    def practice(self) -> bool:
        """Say whether the board is made up."""

    @property
    def practice_decks(self) -> bool:
        """Say whether cards or tokens that the app dealt are made up."""

    @property
    def result(self) -> Result | None:
        """Give the end, as `Game.score` does."""


class Screens(Protocol):
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

    def display_parts(self, public: Any) -> dict[str, Any]:
        """Give what the display shows, from public facts alone.

        STAGE, the game's own of ON_DISPLAY, and `players` with its `rows`.
        """

    def common_parts(self, public: Any) -> dict[str, Any]:
        """Give what every phone shows alike."""

    def seat_parts(
        self, public: Any, own: Any, legal: tuple[Any, ...], seat: int, *, fresh: int
    ) -> dict[str, Any]:
        """Give what one phone shows beside that; `ask` is a tuple of questions.

        `fresh` is the version from which on an answer still counts.
        """

    def moments(self, events: tuple[Any, ...]) -> tuple[Any, ...]:
        """Give what everybody looks up for in what just happened; most of the time nothing.

        Tagged structs of a closed union, made from the public events of one line of the log. Each
        is a scene on the display, `KEY/moment/TAG.html`, shown once as it happens, and a sentence
        in a phone's own words, `KEY/told/TAG.html`, until `QUIET` stands among later ones.
        """

    def desk_part(self, public: Any, *, fresh: int) -> tuple[Any, ...]:
        """Give the questions that the host may answer on the display for everybody."""

    def mood(self, public: Any, legal: tuple[Any, ...], seat: int) -> Mood:
        """Say whether a seat holds up the table, may do something, or waits."""

    def page(self, name: str, own: Any, legal: tuple[Any, ...], *, fresh: int) -> Any:
        """Give what one of PAGES shows."""

    def closing(self, public: Any) -> Any:
        """Give what the closing ceremony tells beside the scores, for `ceremony.html`."""

    def steps(self, public: Any) -> int:
        """Count the steps in which the closing ceremony tells a game that is over."""

    def chapter(self, events: tuple[Any, ...]) -> int | None:
        """Give the number of what begins with one line of the log, such as a plot or a turn.

        `chapter` in `_words.html` names it; None where a line goes on with what was before.
        """

    def fortunes(self, public: Any) -> tuple[tuple[int, ...], ...]:
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


class Boards(Protocol):
    """What an owner can teach of a board. A board is a frozen struct of the game's own."""

    @property
    def NAMES(self) -> tuple[str, ...]:  # noqa: N802
        """Name the profiles that an owner can teach, such as editions."""

    def read_board(self, profile: Mapping[str, Any]) -> Any:
        """Read a profile; `facts` in it are what its owner taught."""

    def board_of(self, state: Any) -> Any:
        """Give the board of a running game."""

    def value_of(self, board: Any, fact: str) -> str | None:
        """Give a fact's value, None if unknown. Raises IllegalAction for no fact of this board."""

    def learn(self, board: Any, facts: Facts) -> Any:
        """Add facts. Raises IllegalAction for one that cannot be, or is known to be otherwise."""

    def corrected(self, board: Any, facts: Facts) -> Any:
        """Set facts to be otherwise than they were thought to be. Raises IllegalAction."""

    def places(self, board: Any) -> tuple[str, ...]:
        """Name what can be taught one at a time."""

    def place(self, board: Any, name: str) -> Any:
        """Give what the page needs to know of one place beside the board."""

    def progress(self, board: Any) -> tuple[Known, ...]:
        """Count what is known, kind by kind."""

    def lessons(self, board: Any) -> int:
        """Count the questions that teach the rest."""

    def all_facts(self, board: Any) -> dict[str, str]:
        """Write everything that is known down as facts."""


class Telling(Protocol):
    """What people tell the referee, and what becomes of the game when they tell it anew.

    A line is told anew from the state before it; then everything after it is played `again`. None
    of this may depend on what a viewer of the difference may not know, not even whether something
    is refused: what happened at the table happened. `referee.games.again` has what most games need.
    """

    @property
    def Told(self) -> Any:  # noqa: N802
        """Give the closed union of tagged structs of what can be told anew."""

    def told(self, played: Played) -> Any | None:
        """Give what somebody told there, in public, as a `Told`; None for anything else."""

    def follow(self, was: Any, now: Any, played: Played) -> Any:
        """Give what something later must have meant, if `now` was meant by `was`.

        If two numbers were mixed up, the one that was told later was the other too.
        """

    def again(self, rules: Game, state: Any, played: Played) -> Step:
        """Play again, on another course, what happened at the table; "told" is what is told anew.

        `rules` is the game itself; `again.strictly` plays by them and by nothing else. Raises
        RuleViolation where there is no place for it any more: then it no longer counts.
        """

    def owed(self, state: Any) -> Owed | None:
        """Give what hands did here, or must do, that has yet to be told; None where nothing is."""

    def settled(self, before: Any, after: Any) -> Step:
        """Give the state in which play goes on, with events that tell all how it differs.

        `before` is the state as it was thought to be, `after` as the true course gives it.
        """

    def own_changes(self, before: Any, after: Any, seat: SeatIndex) -> tuple[Any, ...]:
        """Give events that tell one seat alone how what is its own differs."""


class Game(Protocol):
    """The rules of a game and its four other sides; a module. Structs are the game's own."""

    @property
    def META(self) -> Meta:  # noqa: N802
        """Give what a lobby needs to know."""

    @property
    def State(self) -> Any:  # noqa: N802
        """Give the frozen struct of everything there is to know, secrets included."""

    @property
    def Action(self) -> Any:  # noqa: N802
        """Give the closed union of tagged actions, `Answer` among them if the game asks."""

    @property
    def Correction(self) -> Any:  # noqa: N802
        """Give the closed union of tagged corrections.

        Where there is a board, `{"type": "set_board", "facts": ...}` sets facts that are known to
        be otherwise; a game with one kind of correction takes no notice of the type.
        """

    @property
    def Event(self) -> Any:  # noqa: N802
        """Give the closed union of tagged happenings."""

    @property
    def screens(self) -> Screens:
        """Give what pages show."""

    @property
    def forms(self) -> Forms:
        """Give what reads forms."""

    @property
    def boards(self) -> Boards | None:
        """Give what an owner can teach; None where no board has to be learned."""

    @property
    def telling(self) -> Telling | None:
        """Give what is told and how it is told anew; None where nobody tells anything."""

    def setup(self, options: Mapping[str, str], seats: int, board: Mapping[str, Any]) -> Step:
        """Give the start of a game; `board` is a parsed board profile, empty where none is."""

    def unboxing(self, options: Mapping[str, str], seats: int) -> tuple[Any, ...]:
        """Give what hands lay out of the box before play, step by step; what the app deals is none.

        Tagged structs of a closed union, each drawn by `KEY/unboxing/TAG.html`. Only what the
        rulebook says.
        """

    def to_act(self, state: Any) -> frozenset[int]:
        """Name the seats that may act now; empty when the game is over.

        Computed from public facts alone, so a seat named here may find no legal action. Who holds
        up the table is another question: `PublicView.waiting_for`.
        """

    def legal_actions(self, state: Any, seat: SeatIndex) -> tuple[Any, ...]:
        """Give every complete action this seat may take now; none for a seat not in `to_act`."""

    def stand_in(self, state: Any, seat: SeatIndex) -> tuple[Any, ...]:
        """Give the actions the host may take for an absent seat: none depends on a secret."""

    def apply(self, state: Any, seat: SeatIndex, action: Any) -> Step:
        """Play an action. Raises RuleViolation if the rules refuse it."""

    def chance(self, state: Any, outcome: Outcome) -> Step:
        """Take in an outcome that was owed."""

    def correct(self, state: Any, correction: Any) -> Step:
        """Set what the real board shows to be different."""

    def owners(self, state: Any, correction: Any) -> Mapping[int, RuleViolation | None]:
        """Name the seats out of whose secret a correction takes, each with what forbids it, if so.

        Who is named hangs on public facts alone. Each of them has to agree on its own phone, which
        alone is told what forbids it; `correct` must not show whether anything does.
        """

    def question(self, state: Any) -> BoardQuestion | None:
        """Give the question about the board that has to be settled now, if there is one."""

    def answer(self, state: Any, facts: Facts) -> Step:
        """Take in facts about the board, asked for or not, and whatever follows from them.

        Raises IllegalAction for a fact that cannot be, or that is known to be otherwise.
        """

    def remember(self, state: Any, known: Any) -> Any:
        """Give a state all that another one knows of the board: an undo takes none of it back."""

    def public(self, state: Any) -> PublicView:
        """Build what everybody may see."""

    def own(self, state: Any, seat: SeatIndex) -> Any:
        """Build what only this seat may see."""

    def violations(self, state: Any) -> tuple[str, ...]:
        """Name what must never be, such as notes made or lost."""

    def score(self, state: Any) -> Result | None:
        """Give the final result, or None while the game goes on."""

"""The protocol every game satisfies, written down whole; what faces people is in `sides.py`.

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
from typing import Any, Protocol, TypeAlias, TypeVar

from referee.errors import RuleViolation

from .base import BoardQuestion, Facts, Meta, Outcome, Owed, Played, Result, SeatIndex, Step
from .sides import BoardsOf, EventT_contra, Forms, ScreensOf, StateT_contra


class PublicView(Protocol):
    """What the core reads of every game's public view. All else in it is for the game's screens."""

    @property
    def phase(self) -> str:
        """Name what goes on."""

    @property
    def waiting_for(self) -> tuple[int, ...]:
        """Name the seats without whom nothing goes on; others may act, but need not."""

    @property
    def is_anybodys(self) -> bool:
        """Say whether any of those who may do what is waited for can: nobody alone holds it up."""

    @property
    def is_shared(self) -> bool:
        """Say whether each of those who are waited for ends it for all of them."""

    @property
    def practice(self) -> bool:
        """Say whether the board is made up."""

    @property
    def practice_decks(self) -> bool:
        """Say whether cards or tokens that the app dealt are made up."""

    @property
    def result(self) -> Result | None:
        """Give the end, as `Game.score` does."""


StateT = TypeVar("StateT")
ActionT = TypeVar("ActionT")
CorrectionT_contra = TypeVar("CorrectionT_contra", contravariant=True)
PublicT = TypeVar("PublicT", bound=PublicView)
OwnT = TypeVar("OwnT")


class TellingOf(Protocol[StateT_contra]):
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

    def again(self, rules: Game, state: StateT_contra, played: Played) -> Step:
        """Play again, on another course, what happened at the table; "told" is what is told anew.

        `rules` is the game itself; `again.strictly` plays by them and by nothing else. Raises
        RuleViolation where there is no place for it any more: then it no longer counts.
        """

    def owed(self, state: StateT_contra) -> Owed | None:
        """Give what hands did here, or must do, that has yet to be told; None where nothing is."""

    def settled(self, before: StateT_contra, after: StateT_contra) -> Step:
        """Give the state in which play goes on, with events that tell all how it differs.

        `before` is the state as it was thought to be, `after` as the true course gives it.
        """

    def beyond(self, told: Any, events: tuple[Any, ...]) -> tuple[Any, ...]:
        """Give what these events, which are said beside what is told anew, say beyond it."""

    def own_changes(
        self, before: StateT_contra, after: StateT_contra, seat: SeatIndex
    ) -> tuple[Any, ...]:
        """Give events that tell one seat alone how what is its own differs."""


class GameOf(Protocol[StateT, ActionT, CorrectionT_contra, EventT_contra, PublicT, OwnT]):
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
    def screens(self) -> ScreensOf[PublicT, OwnT, ActionT, EventT_contra]:
        """Give what pages show."""

    @property
    def forms(self) -> Forms:
        """Give what reads forms."""

    @property
    def boards(self) -> BoardsOf[StateT, Any] | None:
        """Give what an owner can teach; None where no board has to be learned."""

    @property
    def telling(self) -> TellingOf[StateT] | None:
        """Give what is told and how it is told anew; None where nobody tells anything."""

    def setup(self, options: Mapping[str, str], seats: int, board: Mapping[str, Any]) -> Step:
        """Give the start of a game; `board` is a parsed board profile, empty where none is."""

    def unboxing(self, options: Mapping[str, str], seats: int) -> tuple[Any, ...]:
        """Give what hands lay out of the box before play, step by step; what the app deals is none.

        Tagged structs of a closed union, each drawn by `KEY/unboxing/TAG.html`. Only what the
        rulebook says.
        """

    def to_act(self, state: StateT) -> frozenset[int]:
        """Name the seats that may act now; empty when the game is over.

        Computed from public facts alone, so a seat named here may find no legal action. Who holds
        up the table is another question: `PublicView.waiting_for`.
        """

    def legal_actions(self, state: StateT, seat: SeatIndex) -> tuple[ActionT, ...]:
        """Give every complete action this seat may take now; none for a seat not in `to_act`."""

    def stand_in(self, state: StateT, seat: SeatIndex) -> tuple[ActionT, ...]:
        """Give the actions the host may take for an absent seat: none depends on a secret."""

    def apply(self, state: StateT, seat: SeatIndex, action: ActionT) -> Step:
        """Play an action. Raises RuleViolation if the rules refuse it."""

    def chance(self, state: StateT, outcome: Outcome) -> Step:
        """Take in an outcome that was owed."""

    def correct(self, state: StateT, correction: CorrectionT_contra) -> Step:
        """Set what the real board shows to be different."""

    def owners(
        self, state: StateT, correction: CorrectionT_contra
    ) -> Mapping[int, RuleViolation | None]:
        """Name the seats out of whose secret a correction takes, each with what forbids it, if so.

        Who is named hangs on public facts alone. Each of them has to agree on its own phone, which
        alone is told what forbids it; `correct` must not show whether anything does.
        """

    def question(self, state: StateT) -> BoardQuestion | None:
        """Give the question about the board that has to be settled now, if there is one."""

    def answer(self, state: StateT, facts: Facts) -> Step:
        """Take in facts about the board, asked for or not, and whatever follows from them.

        Raises IllegalAction for a fact that cannot be, or that is known to be otherwise.
        """

    def remember(self, state: StateT, known: StateT) -> StateT:
        """Give a state all that another one knows of the board: an undo takes none of it back."""

    def public(self, state: StateT) -> PublicT:
        """Build what everybody may see."""

    def own(self, state: StateT, seat: SeatIndex) -> OwnT:
        """Build what only this seat may see."""

    def violations(self, state: StateT) -> tuple[str, ...]:
        """Name what must never be, such as notes made or lost."""

    def score(self, state: StateT) -> Result | None:
        """Give the final result, or None while the game goes on."""


Telling: TypeAlias = TellingOf[Any]
"""Any game's, as the core has it."""

Game: TypeAlias = GameOf[Any, Any, Any, Any, Any, Any]
"""Likewise: what the core asks of a game, it asks of all."""

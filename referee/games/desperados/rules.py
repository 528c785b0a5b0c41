"""Desperados: a gang that plans in secret, and the Marshal who rides as secretly.

Rulebook: Argentum 2012. Each module is a chapter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, assert_never

from referee.errors import GameOver, IllegalAction
from referee.games import answering
from referee.games.base import (
    Answer,
    BoardQuestion,
    Facts,
    Outcome,
    Result,
    Step,
)

from . import (
    META,
    activities,
    banks,
    boards,
    deal,
    examination,
    forms,
    laying,
    placing,
    scoring,
    screens,
    sheriffs,
    suggesting,
    telling,
    tiles,
    trails,
)
from . import own as seat_view
from . import view as views
from .actions import (
    Action,
    Agree,
    Correction,
    Declare,
    DropSuggestion,
    HidePlan,
    LayAny,
    LayCard,
    MoveSheriff,
    Next,
    PlaceDiscs,
    PlaceMarshal,
    PlacePawn,
    PlaceSheriff,
    RefillBank,
    ReportTile,
    SetFirstSchedule,
    ShowPlan,
    Suggest,
)
from .corrections import correct, owners
from .events import Event
from .model import (
    KINDS,
    TILES,
    UNSEEN,
    Acting,
    Dealing,
    Ended,
    Examining,
    FirstSchedule,
    Idea,
    Kind,
    Laying,
    Placing,
    Refilling,
    Riding,
    State,
    Surveying,
    Turning,
    replace,
)
from .unboxing import unboxing

__all__ = [
    "META",
    "Action",
    "Correction",
    "Event",
    "State",
    "answer",
    "apply",
    "boards",
    "chance",
    "correct",
    "forms",
    "legal_actions",
    "own",
    "owners",
    "public",
    "question",
    "remember",
    "score",
    "screens",
    "setup",
    "stand_in",
    "telling",
    "to_act",
    "unboxing",
    "violations",
]


def setup(options: Mapping[str, str], seats: int, board: Mapping[str, Any]) -> Step:
    """Give the start of a game; see `deal.setup`."""
    return deal.setup(options, seats, board)


def to_act(state: State) -> frozenset[int]:
    """Name the seats that are asked something, from public facts alone."""
    return views.to_act(state)


def legal_actions(state: State, seat: int) -> tuple[Action, ...]:
    """Give every complete action this seat may take now."""
    phase = state.phase
    match phase:
        case Laying() | Riding():
            return laying.legal(state, seat)
        case Acting():
            return activities.legal(state, seat)
        case FirstSchedule():
            return deal.schedule_legal(state)
        case Placing():
            return placing.legal(state, seat)
        case Examining():
            return (Next(phase.step),) if seat == state.marshal else ()
        case Turning():
            # In order, one at a time: two people who tell at once mean the same tile.
            return tiles.report_legal(state, phase.due[0])
        case Refilling():
            return banks.refill_legal(phase) if seat == state.marshal else ()
        case Surveying():
            return answering.answers(deal.question(state))
        case Dealing() | Ended():
            return ()
        case _:
            assert_never(phase)


def stand_in(state: State, seat: int) -> tuple[Action, ...]:
    """Give what the host may do for an absent seat: nothing here depends on its secrets.

    A card is drawn; for the gang its part of the move is ended.
    """
    phase = state.phase
    match phase:
        case Riding() if seat == state.marshal:
            # Drawn and not chosen: the host must not know another's card.
            return (*sheriffs.legal(state, phase), LayAny())
        case Laying() if not trails.has_laid(state, seat):
            return (LayAny(),)
        case Acting() if seat != state.marshal:
            return (PlaceDiscs(),)
        case Riding() | Laying() | Acting() | Surveying():
            return ()
        case _:
            return legal_actions(state, seat)


def apply(state: State, seat: int, action: Action) -> Step:
    """Play an action. Raises NotYourTurn, IllegalAction or GameOver."""
    if type(state.phase) is Ended:  # not `isinstance`, which is slow where the answer is no
        raise GameOver
    match action:  # first what most games consist of
        case LayCard():
            return laying.lay(state, seat, action.card, confirmed=action.confirmed)
        case MoveSheriff():
            return sheriffs.move(state, seat, action)
        case Declare():
            return activities.declare(state, seat, action.choice)
        case SetFirstSchedule(schedule):
            return deal.set_first_schedule(state, schedule)
        case PlaceMarshal(city):
            return placing.place_marshal(state, seat, city)
        case PlaceSheriff(city):
            return placing.place_sheriff(state, seat, city)
        case PlacePawn(city):
            return placing.place_pawn(state, seat, city)
        case LayAny():
            return laying.lay_any(state, seat)
        case HidePlan():
            return laying.set_hidden(state, seat, hide=True)
        case ShowPlan():
            return laying.set_hidden(state, seat, hide=False)
        case Suggest(city, number, turn):
            return suggesting.suggest(state, seat, city, number, turn=turn)
        case Agree(mate, city, number, turn):
            return suggesting.agree(state, seat, Idea(mate, city, number), turn=turn)
        case DropSuggestion(turn):
            return suggesting.drop(state, seat, turn=turn)
        case PlaceDiscs(plan):
            return activities.place(state, seat, plan)
        case Next(step):
            return examination.go_on(state, seat, step)
        case ReportTile(place, value):
            return examination.report(state, place, value)
        case RefillBank(city):
            return banks.refill_one(state, seat, city)
        case Answer(facts):
            answering.check(deal.question(state), facts, section="map")
            return answer(state, facts)
        case _:
            assert_never(action)


def chance(state: State, outcome: Outcome) -> Step:
    """Take in the deal, or a card that is drawn, when it is owed."""
    if outcome.label == laying.CARD:
        return laying.drawn(state, outcome)
    if outcome.label != "deal" or not isinstance(state.phase, Dealing):
        raise IllegalAction("not_owed", label=outcome.label)
    return deal.dealt(state, outcome)


def question(state: State) -> BoardQuestion | None:
    """Ask which cities have a bank, before the tiles are laid."""
    return deal.question(state)


def answer(state: State, facts: Facts) -> Step:
    """Take in facts about the board, and lay the tiles once all banks are known."""
    step = deal.answer(state, facts)
    # A card that was laid by what was known before may be an impossible one now.
    return replace(step, state=replace(step.state, is_shaken=True)) if state.move else step


def remember(state: State, known: State) -> State:
    """Give a state all that another one knows of the board: an undo takes none of it back."""
    is_shaken = state.is_shaken or state.board != known.board
    return replace(state, board=known.board, is_shaken=is_shaken)


def public(state: State) -> views.Public:
    """Build what everybody may see."""
    return views.public(state)


def own(state: State, seat: int) -> seat_view.Own:
    """Build what only this seat may see."""
    return seat_view.own(state, seat)


def score(state: State) -> Result | None:
    """Give the final result once the game is over."""
    return scoring.final(state) if isinstance(state.phase, Ended) else None


def violations(state: State) -> tuple[str, ...]:
    """Name what must never be: tiles made or lost, a card twice on the table, a disc twice."""
    if isinstance(state.phase, Dealing | Surveying):
        return ()
    wrong = [f"{kind} tiles made or lost" for kind in KINDS if not _are_all_there(state, kind)]
    for seat in range(state.seats):
        cards = [laid.card for laid in state.routes[seat]]
        if len({*cards}) < len(cards) or len({*state.lost[seat]}) < len(state.lost[seat]):
            wrong.append(f"a card of seat {seat} twice")
        if sum(seat in activity.seats for activity in state.activities) > 1:
            wrong.append(f"the disc of seat {seat} twice")
    return tuple(wrong)


def _are_all_there(state: State, kind: Kind) -> bool:
    """Compare the tiles of a kind with the printed ones; unseen ones can be any that is missing."""
    cities = {"bank": state.board.banks, "coach": (), "poker": state.board.poker}[kind]
    stacks = {"bank": state.bank_stack, "coach": state.coach_stack, "poker": ()}
    due = state.phase.due if isinstance(state.phase, Turning) else ()
    found = Counter(
        [
            *(loot.value for loot in state.loot if loot.kind == kind),
            *(UNSEEN for tile in due if tile.kind == kind),
            *stacks[kind],
            *(tile for tile in map(state.tile, cities) if tile is not None),
        ]
    )
    unseen = found.pop(UNSEEN, 0)
    printed = Counter(TILES[kind])
    return not found - printed and (printed - found).total() == unseen

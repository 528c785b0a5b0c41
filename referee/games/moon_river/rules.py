"""Moon River: half dominoes drafted from a row, joined in pairs and laid into a ranch of one's own.

Rulebook: Pegasus Spiele 2023. Each module is a chapter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.errors import GameOver, IllegalAction, NotYourTurn, RuleViolation
from referee.games import answering
from referee.games.base import Answer, BoardQuestion, Facts, Outcome, Result, Step

from . import (
    META,
    asking,
    boards,
    corrections,
    effects,
    extending,
    flow,
    forms,
    offers,
    painting,
    rounds,
    scoring,
    screens,
    stock,
    supply,
    telling,
)
from . import view as views
from .actions import (
    NEXT,
    Action,
    Correction,
    Countersign,
    CountUp,
    Decline,
    Discard,
    DriveCattle,
    DropBonus,
    FormDomino,
    GoOn,
    HandIn,
    Hire,
    LayBonus,
    LayDomino,
    Mark,
    Paint,
    Pass,
    PlaceRancher,
    RemoveCattle,
    Repaint,
    ReportDomino,
    Rustle,
    SplitDomino,
    Station,
    SwapTiles,
    TakeBoard,
    TellPartner,
    TellTile,
    Unpaint,
)
from .box import learn
from .events import (
    BoardTaken,
    BoxLearnt,
    Corrected,
    Event,
    PartnerTold,
    RancherPlaced,
    TileTold,
)
from .model import (
    PER_ROW,
    Character,
    Choosing,
    Driving,
    Ended,
    Extending,
    Hiring,
    Laying,
    LayingBonus,
    Painting,
    Placing,
    Resolving,
    Rustling,
    Specialist,
    TakingStock,
    Tile,
    Turn,
    TurningUp,
    replace,
)
from .state import State, with_ranch
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
    """Give the start of a game; see `rounds.setup`."""
    return rounds.setup(options, seats, board)


def to_act(state: State) -> frozenset[int]:
    """Name the seats that may act."""
    return flow.to_act(state)


def legal_actions(state: State, seat: int) -> tuple[Action, ...]:
    """Give every complete action this seat may take now."""
    return offers.legal(state, seat)


def stand_in(state: State, seat: int) -> tuple[Action, ...]:
    """Let the host do anything for an absent seat: there are no secrets."""
    return legal_actions(state, seat)


def apply(state: State, seat: int, action: Action) -> Step:
    """Play an action. Raises NotYourTurn, IllegalAction or GameOver."""
    if isinstance(state.phase, Ended):
        raise GameOver
    if seat not in flow.to_act(state):
        raise NotYourTurn
    if isinstance(action, Answer):
        answering.check(asking.question(state), action.facts, section="box")
        return answer(state, action.facts)
    events: list[Event] = []
    turn = state.turn
    match action:
        case Paint() | Mark() | Station() | Unpaint() | Repaint() | HandIn():
            state = _paint(state, seat, action, events)
            # Past `go_on`: painting sets nothing off, and hands need not be reminded of it.
            return Step(state, tuple(events))
        case LayDomino(at, direction) if turn and isinstance(state.phase, Laying):
            state = extending.lay(state, turn, state.phase, at, direction, events)
        case FormDomino() if isinstance(state.phase, Extending):
            if asking.question(state) is not None:
                raise IllegalAction("bridges_unknown", section="extending")
            state = extending.form(state, seat, action, events)
        case PlaceRancher(place) if isinstance(state.phase, Placing | Choosing):
            if place not in flow.free_places(state):
                raise IllegalAction("not_free", section="choosing", place=place)
            events.append(RancherPlaced(seat, place))
            state = _placed(flow.place_rancher(state, place), events)
        case Hire() if turn and isinstance(state.phase, Hiring):
            state = effects.hire(state, turn, action, events)
        case TellTile(tile, after) if isinstance(state.phase, TurningUp):
            state = _tell_tile(state, tile, after, events)
        case _:
            _check(state, seat, action)
            state = _do(state, seat, action, events)
    return flow.go_on(state, events)


def _paint(
    state: State,
    seat: int,
    action: Paint | Mark | Station | Unpaint | Repaint | HandIn,
    events: list[Event],
) -> State:
    """Paint in a ranch or hand it in: all that people fill in freely."""
    if not isinstance(state.phase, Painting | TakingStock):
        raise NotYourTurn(section="painting")
    match action:
        case Unpaint(ranch):
            return painting.unpaint(state, seat, ranch, events)
        case Repaint(ranch):
            return painting.repaint(state, seat, ranch, events)
        case HandIn():
            return painting.hand_in(state, seat, action, events)
        case _:
            return painting.stroke(state, seat, action, events)


def _check(state: State, seat: int, action: Action) -> None:
    """Refuse what is not among the legal actions. Raises IllegalAction, NotYourTurn."""
    legal = offers.legal(state, seat)
    # Phones say how many were told when they looked; a program that does not count means the next.
    if isinstance(action, TellPartner) and action.after == NEXT:
        action = TellPartner(action.partner, supply.known_partners(state))
    if action in legal:
        return
    if isinstance(action, TellTile) and any(isinstance(other, TellTile) for other in legal):
        return  # any tile that can be: `stock.tell_tile` looks
    if any(type(action) is type(other) for other in legal):
        raise IllegalAction(section="turn")
    raise NotYourTurn


def _placed(state: State, events: list[Event]) -> State:
    """Let the tile go on which nobody stands, once all ranchers do before the first round."""
    if state.at >= 0 or not isinstance(state.phase, Resolving):
        return state
    state, row = rounds.nobody_chose(state, state.current, events)
    return replace(state, current=row)


def _do(state: State, seat: int, action: Action, events: list[Event]) -> State:
    """Do what is legal and needs no further look."""
    match action:
        case TakeBoard(character):
            return _take_board(state, seat, character, events)
        case TellPartner(partner):
            return _tell_partner(state, partner, events)
        case TellTile(tile, after):
            return stock.tell_tile(state, tile, after, events)
        case Countersign(ranch):
            return painting.countersign(state, seat, ranch, events)
        case CountUp():
            return rounds.finish(state, events)
        case GoOn():
            return stock.go_on(state, events)
        case _:
            assert state.turn is not None  # noqa: S101  # only a turn has more to do
            return _do_in_turn(state, state.turn, action, events)


def _do_in_turn(state: State, turn: Turn, action: Action, events: list[Event]) -> State:
    phase, seat = state.phase, turn.seat
    match action:
        case SplitDomino():
            return extending.split(state, seat, events)
        case ReportDomino():
            return extending.report(state, turn, action, events)
        case Pass():
            return extending.pass_on(state, turn, events)
        case Discard():
            return extending.discard(state, turn, action, events)
        case RemoveCattle(at):
            return effects.remove(state, turn, at, events)
        case DriveCattle() if isinstance(phase, Driving):
            return effects.drive(state, seat, phase, action, events)
        case SwapTiles():
            return effects.swap_tiles(state, seat, action, events)
        case Rustle() if isinstance(phase, Rustling):
            return effects.rustle(state, seat, phase, action, events)
        case Decline():
            return effects.decline(state, seat, events)
        case LayBonus():
            return extending.lay_bonus(state, turn, action, events)
        case DropBonus(tile):
            return extending.drop_bonus(state, turn, tile, events)
        case _:
            raise NotYourTurn


def _take_board(state: State, seat: int, character: Character, events: list[Event]) -> State:
    events.append(BoardTaken(seat, character))
    ranch = replace(state.ranches[seat], character=character)
    state = with_ranch(state, seat, ranch)
    is_done = all(ranch.character is not None for ranch in state.ranches)
    return replace(state, phase=Resolving()) if is_done else state


def _tell_partner(state: State, partner: Specialist, events: list[Event]) -> State:
    """Take in a partner that was turned up; the last one that fits ends the refill."""
    if isinstance(state.phase, TakingStock):
        return stock.tell_partner(state, partner, events)
    events.append(PartnerTold(partner))
    state = replace(state, tables=(*state.tables, partner), pile=state.pile - 1)
    return state if supply.empty_tables(state) else replace(state, phase=Resolving())


def _tell_tile(state: State, tile: Tile, after: int, events: list[Event]) -> State:
    """Take in a tile that was turned up; the fourth one completes the row."""
    phase = state.phase
    if not isinstance(phase, TurningUp):
        raise NotYourTurn
    stock.check_tile(state, tile, after)
    events.append(TileTold(tile))
    told = (*phase.told, tile)
    if len(told) < PER_ROW:
        return replace(state, phase=TurningUp(told))
    return rounds.lay_row(state, told, events)


def chance(state: State, outcome: Outcome) -> Step:
    """Take in what chance gave, when it is owed."""
    events: list[Event] = []
    state = rounds.chance(state, outcome, events)
    return flow.go_on(state, events, reveals=True)


def correct(state: State, correction: Correction) -> Step:
    """Set what the real table shows to be different."""
    events: list[Event] = [Corrected(correction)]
    state = corrections.correct(state, correction, events)
    return flow.go_on(state, events, reveals=True, learnt=corrections.learnt(correction))


def owners(state: State, correction: Correction) -> dict[int, RuleViolation | None]:  # noqa: ARG001  # nothing is secret
    """Name nobody: no correction takes from a secret."""
    return {}


def question(state: State) -> BoardQuestion | None:
    """Ask what has to be known of the box now."""
    return asking.question(state)


def answer(state: State, facts: Facts) -> Step:
    """Take in facts about the box, asked for or not."""
    state = replace(state, box=learn(state.box, facts))
    events: list[Event] = [BoxLearnt(facts)]
    if isinstance(state.phase, Extending | LayingBonus) and asking.question(state) is None:
        # What can be laid is known only now.
        state = replace(state, phase=Resolving())
    return flow.go_on(state, events, learnt=facts)


def remember(state: State, known: State) -> State:
    """Give a state all that another one knows of the box: an undo takes none of it back."""
    return replace(state, box=known.box)


def public(state: State) -> views.Public:
    """Build what everybody may see."""
    return views.public(state)


def own(state: State, seat: int) -> views.Own:  # noqa: ARG001  # there is nothing
    """Build what only this seat may see: nothing."""
    return views.Own()


def score(state: State) -> Result | None:
    """Give the final result once the game is over."""
    return scoring.final(state) if isinstance(state.phase, Ended) else None


def violations(state: State) -> tuple[str, ...]:
    """Name what must never be: tiles, cattle or partners made or lost."""
    return supply.violations(state)

"""Set-up: tiles, the first schedule, and everybody's pawns on the board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import convert

from referee.errors import NotYourTurn
from referee.games.base import BoardQuestion, Facts, Need, OpenFact, Outcome, Pool, Step

from . import schedules
from .actions import Action, SetFirstSchedule
from .events import (
    BoardLearnt,
    Dealt,
    Event,
    ScheduleSet,
)
from .facts import learn
from .model import (
    BANKS,
    CITIES,
    COACH_TILES,
    HIGH_BANK_TILES,
    HIGH_TILES_OUT,
    LAST_BANK_TILES,
    LOW_BANK_TILES,
    LOW_TILES_OUT,
    POKER_TILES,
    TILES,
    UNSEEN,
    Dealing,
    FirstSchedule,
    Placing,
    Rules,
    State,
    Surveying,
    replace,
)
from .profile import read_board

STAR: Final = "star"


def setup(options: Mapping[str, str], seats: int, profile: Mapping[str, Any]) -> Step:
    """Lay out what needs no chance, and name what the app has to shuffle.

    `options` may name the Marshal's seat under "star". The profile may carry `facts` that its
    owner taught.
    """
    board = read_board(profile)
    chosen = {key: value for key, value in options.items() if key in Rules.__struct_fields__}
    rules = convert(chosen, Rules, strict=False)
    state = State(
        rules=rules,
        board=board,
        seats=seats,
        marshal=int(options.get(STAR, "0")) % seats,
        phase=Dealing(),
        pawns=(None,) * seats,
        starts=(None,) * seats,
        sheriffs=(),
        routes=((),) * seats,
        lost=((),) * seats,
        hidden=(False,) * seats,
        spied=((),) * seats,
        tiles=(None,) * len(CITIES),
        bank_stack=(UNSEEN,) * (len(TILES["bank"]) - BANKS),
        coach_stack=(UNSEEN,) * len(COACH_TILES),
    )
    pools = _pools(state)
    if pools:
        return Step(state, needs=(Need("deal", 0, pools),))
    surveying = Surveying((UNSEEN,) * BANKS, (UNSEEN,) * len(POKER_TILES))
    return Step(*go_on(replace(state, phase=surveying), (Dealt(state.marshal),)))


def _pools(state: State) -> tuple[Pool, ...]:
    """Name what is shuffled: each component that the app deals, and no other."""
    pools = []
    # `banks` and `stack` are orders, not tiles: low and high ones are mixed only once it is known
    # which of them lie out.
    if state.rules.origin("bank") == "app":
        stack = len(TILES["bank"]) - BANKS - len(LAST_BANK_TILES)
        pools += [
            Pool("low", LOW_BANK_TILES, len(LOW_BANK_TILES)),
            Pool("high", HIGH_BANK_TILES, len(HIGH_BANK_TILES)),
            Pool("banks", tuple(range(BANKS)), BANKS),
            Pool("stack", tuple(range(stack)), stack),
        ]
    if state.rules.origin("poker") == "app":
        pools.append(Pool("poker", POKER_TILES, len(POKER_TILES)))
    if state.rules.origin("coach") == "app":
        pools.append(Pool("coach", COACH_TILES, len(COACH_TILES)))
    if state.rules.origin("schedule") == "app":
        names = tuple(schedule.name for schedule in state.board.schedules)
        pools.append(Pool("schedule", names, 1))
    return tuple(pools)


def dealt(state: State, outcome: Outcome) -> Step:
    """Take in the shuffled tiles: three low and two high ones for the banks, 2000s at the bottom.

    Ruling: poker tiles lie face down for everybody, the Marshal included.
    """
    drawn: Mapping[str, tuple[Any, ...]] = outcome.drawn
    phase = Surveying((UNSEEN,) * BANKS, (UNSEEN,) * len(POKER_TILES))
    if "low" in drawn:
        low, high = drawn["low"], drawn["high"]
        banks = low[:LOW_TILES_OUT] + high[:HIGH_TILES_OUT]
        rest = low[LOW_TILES_OUT:] + high[HIGH_TILES_OUT:]
        phase = replace(phase, banks=tuple(banks[index] for index in drawn["banks"]))
        # The two 2000s are never shuffled in: they lie at the bottom.
        stack = tuple(rest[index] for index in drawn["stack"]) + LAST_BANK_TILES
        state = replace(state, bank_stack=stack)
    if "poker" in drawn:
        phase = replace(phase, poker=drawn["poker"])
    if "coach" in drawn:
        state = replace(state, coach_stack=drawn["coach"])
    if "schedule" in drawn:
        state = replace(state, first=schedules.index(state, str(drawn["schedule"][0])))
    return Step(*go_on(replace(state, phase=phase), (Dealt(state.marshal),)), secret=True)


# What has to be known of the board


def question(state: State) -> BoardQuestion | None:
    """Ask for the banks, once, before anything secret could depend on the answer."""
    if not isinstance(state.phase, Surveying):
        return None
    unknown = [city for city in CITIES if city not in {*state.board.banks, *state.board.poker}]
    return BoardQuestion(
        "banks", tuple(OpenFact(f"bank:{city}", ("yes", "no")) for city in unknown)
    )


def answer(state: State, facts: Facts) -> Step:
    """Take in facts about the board. Once all banks are known, their tiles are laid.

    That reveals something: the Marshal may look at them.
    """
    was_asked = isinstance(state.phase, Surveying)
    state = replace(state, board=learn(state.board, facts))
    state, events = go_on(state, (BoardLearnt(facts),))
    is_laid = was_asked and not isinstance(state.phase, Surveying)
    return Step(state, events, reveals=is_laid, learnt=facts)


def go_on(state: State, events: tuple[Event, ...]) -> tuple[State, tuple[Event, ...]]:
    """Lay out the tiles as soon as all banks are known, and the first coach if its schedule is."""
    phase = state.phase
    if not isinstance(phase, Surveying) or len(state.board.banks) < BANKS:
        return state, events
    banks, poker = iter(phase.banks), iter(phase.poker)
    tiles = tuple([next(banks if city in state.board.banks else poker) for city in CITIES])
    state = replace(state, tiles=tiles, phase=FirstSchedule())
    return (state, events) if state.first is None else _start_coach(state, state.first, events)


def _start_coach(
    state: State, first: int, events: tuple[Event, ...]
) -> tuple[State, tuple[Event, ...]]:
    schedule = state.board.schedules[first]
    start = schedule.brown[0]
    state = replace(state, phase=Placing(), first=first, coaches=(start, None))
    return state, (*events, ScheduleSet(schedule.name, start))


# First schedule from the box


def schedule_legal(state: State) -> tuple[Action, ...]:
    """Give every schedule that may have been drawn; anybody may say which it was."""
    return tuple(SetFirstSchedule(schedule.name) for schedule in state.board.schedules)


def set_first_schedule(state: State, name: str) -> Step:
    """Note which schedule was drawn from the box."""
    if not isinstance(state.phase, FirstSchedule):
        raise NotYourTurn(section="setup")
    return Step(*_start_coach(state, schedules.index(state, name), ()))

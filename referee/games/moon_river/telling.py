"""What is told of Moon River, and what becomes of the game when it is told anew.

What a tile shows, where a rancher or a domino lies, who was hired, whose cattle went where: each is
an action of whoever told it, so the true course is the same actions again, with what that leaves to
be told. Ranchers stand on tiles, not on places: if a tile's number sorts its row otherwise, they
are where their tiles are. Turns that were taken in an order that the true row does not have no
longer count, and whoever asks for it sees that before the table agrees.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from referee.games.again import strictly
from referee.games.base import Owed, Played, Step
from referee.games.protocol import Game

from . import flow, offers
from .actions import (
    NEXT,
    Decline,
    DriveCattle,
    DropBonus,
    Hire,
    LayBonus,
    LayDomino,
    Pass,
    PlaceRancher,
    RemoveCattle,
    ReportDomino,
    Rustle,
    SwapTiles,
    TellPartner,
    TellTile,
)
from .events import Event, RancherPlaced, RanchNow, ReserveNow, RowNow, SaloonNow
from .extending import is_a_must
from .model import (
    Discarding,
    Driving,
    Extending,
    Hiring,
    Laying,
    LayingBonus,
    Phase,
    Placing,
    Removing,
    Row,
    Rustling,
    Swapping,
    replace,
)
from .rounds import relearnt
from .scoring import breakdown
from .state import State

Told: TypeAlias = (
    TellTile
    | TellPartner
    | PlaceRancher
    | ReportDomino
    | LayDomino
    | LayBonus
    | Hire
    | RemoveCattle
    | DriveCattle
    | SwapTiles
    | Rustle
)

_EFFECTS: tuple[tuple[type[Any], tuple[type[Any], ...]], ...] = (
    (Removing, (RemoveCattle,)),
    (Hiring, (Hire,)),
    (Driving, (DriveCattle, Decline)),
    (Swapping, (SwapTiles, Decline)),
    (Rustling, (Rustle, Decline)),
    (LayingBonus, (LayBonus, DropBonus)),
)
"""Which actions settle which effect, in the order of the rulebook."""


def told(played: Played) -> Told | None:
    """Give what somebody told of what lies on the table."""
    what = played.what
    if isinstance(what, TellTile | TellPartner):
        return replace(what, after=NEXT)
    return what if isinstance(what, Told) else None


def follow(was: Told, now: Told, played: Played) -> Any:
    """Take everything later as it was said."""
    del was, now
    return played.what


def again(rules: Game, state: State, played: Played) -> Step:
    """Play again on the true course what was done.

    An effect that is not owed there passes without a trace, so that nothing else is asked for in
    its place. Whoever goes on to choose a tile has laid no further domino.
    """
    what = played.what
    if _is_idle(state.phase, what):
        return Step(state)
    if isinstance(what, PlaceRancher):
        if played.kind == "action":
            played = replace(played, what=_standing(state, played))
        if not _may_pass(state, played.seat):
            return strictly(rules, state, played)
        step = rules.apply(state, played.seat, Pass())  # type: ignore[arg-type]  # a seat's index
        then = strictly(rules, step.state, played)
        return Step(
            then.state, (*step.events, *then.events), then.reveals, then.needs, learnt=then.learnt
        )
    return strictly(rules, state, played)


def _standing(state: State, played: Played) -> PlaceRancher:
    """Give where a rancher truly stands: on the same tile, wherever that lies in the true row.

    If somebody else's stands there, the two were mixed up, and it stands where that one was said to
    stand: on the tile that was taken then and is free now. Failing that it stands where it was
    said to.
    """
    before, said = played.before, played.what
    assert isinstance(said, PlaceRancher)  # noqa: S101  # whoever calls looks
    stood = next((e.place for e in played.step.events if isinstance(e, RancherPlaced)), said.place)
    # A rancher was seen on a tile, not on a number: it goes where that tile truly lies.
    places = _moved(_row_to_choose(before), _row_to_choose(state))
    if len(places) <= stood:
        return said
    free = flow.free_places(state)
    if places[stood] in free:
        return PlaceRancher(places[stood])
    then = {places[one] for one in flow.free_places(before)}
    others = [one for one in free if one not in then]
    return PlaceRancher(others[0]) if len(others) == 1 else said


def _row_to_choose(state: State) -> Row:
    return state.current if isinstance(state.phase, Placing) else state.next


def _moved(was: Row, now: Row) -> tuple[int, ...]:
    """Give by place of a row where its tiles lie in another order of it.

    What can stay does, then tiles are where their like is; one that turned out to be another tile
    is where no other is.
    """
    if len(was) != len(now):
        return ()
    found = {n: n for n, spot in enumerate(was) if spot.tile == now[n].tile}
    left = [n for n in range(len(now)) if n not in found]
    for place, spot in enumerate(was):
        same = next((n for n in left if now[n].tile == spot.tile), None)
        if place not in found and same is not None:
            found[place] = same
            left.remove(same)
    return tuple(found[n] if n in found else left.pop(0) for n in range(len(was)))


def _is_idle(phase: Phase, what: Any) -> bool:
    """Say whether an action settles an effect that is not owed, and no other one is before it."""
    kinds = [number for number, (_, actions) in enumerate(_EFFECTS) if isinstance(what, actions)]
    if not kinds:
        return False
    owed_now = next((n for n, (kind, _) in enumerate(_EFFECTS) if isinstance(phase, kind)), None)
    # It is owed here as well: then it is played, and judged by the rules.
    if owed_now in kinds:
        return False
    # Hiring goes before what a partner does, and what another partner does before hiring again.
    return owed_now is None or owed_now > max(kinds) > 1 or 0 in kinds


def _may_pass(state: State, seat: int | None) -> bool:
    turn = state.turn
    is_theirs = turn is not None and turn.seat == seat and turn.left is not None
    return is_theirs and isinstance(state.phase, Extending) and not is_a_must(state, turn.seat)  # type: ignore[union-attr]  # it is there


def owed(state: State) -> Owed | None:
    """Give what hands must have done, and nobody told on the true course."""
    turn = state.turn
    if turn is None:
        return None
    seat = turn.seat
    match state.phase:
        case Removing() | Hiring() | Driving() | Swapping() | Rustling() | LayingBonus():
            return Owed(seat, offers.legal(state, seat))
        case Laying() | Discarding():
            return Owed(seat, offers.legal(state, seat))
        case Extending() if turn.left is None or is_a_must(state, seat):
            return Owed(seat, offers.legal(state, seat))
        case _:
            return None


def settled(before: State, after: State) -> Step:
    """Go on, and tell all how what lies on the table differs from what was thought."""
    events: list[Event] = []
    for seat, (was, now) in enumerate(zip(before.ranches, after.ranches, strict=True)):
        if was.cells != now.cells:
            changed = tuple(n for n, cell in enumerate(now.cells) if cell != was.cells[n])
            points = breakdown(now.cells, after.scenario).total
            events.append(RanchNow(seat, changed, points))
        if was.reserve != now.reserve:
            events.append(ReserveNow(seat, now.reserve))
    if before.current != after.current:
        events.append(RowNow("current", after.current))
    if before.next != after.next:
        events.append(RowNow("next", after.next))
    if before.tables != after.tables:
        events.append(SaloonNow(after.tables))
    return Step(after, tuple(events), learnt=relearnt(before, after))


def beyond(told: Any, events: tuple[Any, ...]) -> tuple[Any, ...]:
    """Leave nothing out: what is told names moves, and events what they lead to."""
    del told
    return events


def own_changes(before: State, after: State, seat: int) -> tuple[Any, ...]:
    """Tell nobody anything alone: all lies open."""
    del before, after, seat
    return ()

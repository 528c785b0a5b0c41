"""What Desperados hide: states that one viewer cannot tell apart."""

from __future__ import annotations

import random

from referee.games.desperados import activities, suggesting, trails
from referee.games.desperados.model import (
    EXAMINATION,
    MOVES,
    Acting,
    Dealing,
    Ended,
    Idea,
    Laid,
    Returned,
    State,
    Surveying,
    put_tile,
    replace,
    swap,
)


def shuffle(state: State, viewer: int | None, rng: random.Random) -> State:
    """Change tiles, cards, plans and declarations that this viewer does not know."""
    phase = state.phase
    if isinstance(phase, Dealing | Ended):
        return state
    state = _other_tiles(state, viewer, rng)
    in_gang = viewer in state.gang
    if not in_gang:
        seat = state.gang[0]
        told = Returned(seat, "poker", "Salem")
        state = replace(
            state,
            hidden=tuple(s != state.marshal and rng.random() < 0.5 for s in range(state.seats)),
            returned=rng.choice(((), (told,))),
        )
    for seat in range(state.seats):
        is_shared = in_gang and seat != state.marshal and not state.hidden[seat]
        if seat != viewer and not is_shared and not _has_told(state, seat, viewer):
            route = _other_route(state, seat, rng)
            state = replace(state, routes=swap(state.routes, seat, route))
    if not in_gang and suggesting.open_moves(state):
        idea = Idea(state.gang[0], "Salem", suggesting.open_moves(state)[0], state.gang[1:2])
        state = replace(state, ideas=rng.choice(((), (idea,))))
    if isinstance(phase, Acting) and not in_gang:
        choices = tuple(
            None if s == state.marshal else rng.choice((None, *activities.options(state, s)))
            for s in range(state.seats)
        )
        state = replace(state, phase=Acting(choices))
    return state


def _has_told(state: State, seat: int, viewer: int | None) -> bool:
    """Say whether a gang mate's declaration shows where its hidden plan leads."""
    phase = state.phase
    if viewer not in state.gang or not isinstance(phase, Acting):
        return False
    return phase.choices[seat] not in (None, "nothing")


def _other_tiles(state: State, viewer: int | None, rng: random.Random) -> State:
    """Deal face-down tiles anew; the Marshal knows the banks', a spy what was spied."""
    phase = state.phase
    if isinstance(phase, Surveying):
        banks = rng.sample((*phase.banks, *state.bank_stack), 12)
        phase = Surveying(tuple(banks[:5]), tuple(rng.sample(phase.poker, len(phase.poker))))
        state = replace(state, phase=phase, bank_stack=tuple(banks[5:]))
    known = state.board.banks if viewer == state.marshal else ()
    known = known if viewer is None else (*known, *state.spied[viewer])
    hidden = [c for c in state.board.banks if state.tile(c) is not None and c not in known]
    poker = [c for c in state.board.poker if state.tile(c) is not None]
    values = rng.sample(
        [*map(state.tile, hidden), *state.bank_stack], len(hidden) + len(state.bank_stack)
    )
    pokers = rng.sample([*map(state.tile, poker)], len(poker))
    state = replace(
        state,
        bank_stack=tuple(values[len(hidden) :]),
        coach_stack=tuple(rng.sample(state.coach_stack, len(state.coach_stack))),
    )
    for city, value in zip([*hidden, *poker], [*values[: len(hidden)], *pokers], strict=True):
        state = put_tile(state, city, value)
    return state


def _other_route(state: State, seat: int, rng: random.Random) -> tuple[Laid, ...]:
    """Walk another way that shows the same in the open: turned cards, and where discs were laid."""
    route = state.routes[seat]
    shown = 0
    if isinstance(state.phase, EXAMINATION):
        out = state.phase.out[seat]
        step = getattr(state.phase, "step", MOVES)
        shown = min(step if out is None else out.step, MOVES)
    disc = state.disc(seat)
    start = state.starts[seat]
    before = replace(state, pawns=swap(state.pawns, seat, start))
    for _ in range(10):
        other = route[:shown]
        while len(other) < len(route):
            walked = replace(
                before,
                routes=swap(state.routes, seat, other),
                move=len(other) + 1,
            )
            other = (*other, rng.choice(trails.playable(walked, seat)))
        walked = replace(before, routes=swap(state.routes, seat, other))
        if disc is None or trails.trail(walked, seat, disc.move).at == disc.city:
            return other
    return route

"""What every game with secrets owes who may not know them, tried on random whole games."""

from __future__ import annotations

import random
from functools import cached_property
from typing import Any

import pytest
from hypothesis import given, settings

from referee.games.base import SeatIndex, Step
from referee.games.protocol import Game
from tests.contract import WHOLE_GAMES, encode, viewers
from tests.secrets_of import SHUFFLE
from tests.strategies import GAMES, Played, Table, play_out, sees, tables

# What is counted here each game's own tests count as well, and counting doubles the time it takes.
pytestmark = [pytest.mark.long, pytest.mark.no_cover]

HIDING = tuple(key for key in GAMES if GAMES.meta(key).has_secrets)
OPEN = tuple(key for key in GAMES if key not in HIDING)


# Blindness


@given(tables(*HIDING))
@WHOLE_GAMES
def test_no_viewer_sees_what_it_may_not_know(table: Table) -> None:
    """Tables that differ only in what a viewer may not know look the same to that viewer.

    Same bytes in view, same legal actions, same seats asked; and what the host may do for anybody
    depends on nobody's secrets.
    """
    game, shuffle, rng = table.game, SHUFFLE[table.key], random.Random(table.seed)
    for played in play_out(table):
        state = played.step.state
        known_to_all = common_knowledge(table, state)
        for viewer in viewers(table):
            other = shuffle(state, viewer, rng)
            assert common_knowledge(table, other) == known_to_all
            if viewer is not None:
                assert game.legal_actions(other, viewer) == game.legal_actions(state, viewer)
                mine, same = game.own(state, viewer), game.own(other, viewer)
                assert same == mine
                assert encode(same) == encode(mine)


def common_knowledge(table: Table, state: Any) -> tuple[Any, ...]:
    """Give all that must not depend on any secret."""
    game = table.game
    stand_ins = [game.stand_in(state, seat) for seat in range(table.seats)]
    return encode(game.public(state)), game.to_act(state), stand_ins


@given(tables(*HIDING))
@WHOLE_GAMES
def test_steps_that_reveal_nothing_tell_nothing(table: Table) -> None:
    """The same move at two such tables gives the same events and the same sight of it.

    Whoever moves: if both tables allow it and nothing is revealed, no viewer can tell them apart
    afterwards either; and whether something was revealed is the same at both.
    """
    rng = random.Random(table.seed)
    for played in play_out(table):
        if played.seat is None:
            continue
        sight = Sight(table.game, played.step.state)
        for viewer in viewers(table):
            other = SHUFFLE[table.key](played.before, viewer, rng)
            if played.action in table.game.legal_actions(other, played.seat):
                assert_same_sight(table, played, other, viewer, sight)


def may_notice(step: Step, viewer: int | None) -> bool:
    """Say whether a step is for this viewer's eyes at all."""
    return step.audience is None or viewer in step.audience


class Sight:
    """What each viewer sees of a state, in bytes; what everybody sees is worked out once."""

    def __init__(self, game: Game, state: Any) -> None:
        self._game = game
        self._state = state

    @cached_property
    def public(self) -> bytes:
        """Give what everybody sees."""
        return encode(self._game.public(self._state))

    def of(self, viewer: int | None) -> tuple[bytes, bytes]:
        """Give what one viewer sees: that, and what is its own."""
        own = None if viewer is None else self._game.own(self._state, SeatIndex(viewer))
        return self.public, encode(own)


def assert_same_sight(
    table: Table, played: Played, other: Any, viewer: int | None, sight: Sight
) -> None:
    """Play the same move at the other table and compare what the viewer gets to know."""
    assert played.seat is not None
    game = table.game
    step = game.apply(other, played.seat, played.action)
    assert step.reveals == played.step.reveals
    assert step.secret == played.step.secret
    assert may_notice(step, viewer) == may_notice(played.step, viewer)
    # A journal shows label and number; what a sealed action draws from is as sealed as it is.
    assert [(n.label, n.number) for n in step.needs] == [
        (n.label, n.number) for n in played.step.needs
    ]
    assert step.secret or step.needs == played.step.needs
    if not step.reveals:
        assert step.events == played.step.events
        assert Sight(game, step.state).of(viewer) == sight.of(viewer)


@given(tables())
@WHOLE_GAMES
def test_a_sealed_action_shows_only_that_it_was_taken(table: Table) -> None:
    """Whichever of the like actions a seat seals, everybody else sees the same.

    Where not even that it was taken shows, the step is for that seat and those it shares with.
    """
    game = table.game
    for played in play_out(table):
        step = played.step
        if played.seat is None or not step.secret or step.reveals:
            continue
        for action in game.legal_actions(played.before, played.seat):
            other = game.apply(played.before, played.seat, action)
            if type(action) is type(played.action) and not other.reveals:
                assert (other.events, other.audience) == (step.events, step.audience)
                assert game.public(other.state) == game.public(step.state)
        if not step.events:
            assert may_notice(step, played.seat)
            assert not may_notice(step, None)


@given(tables())
@WHOLE_GAMES
def test_a_step_for_a_few_eyes_changes_no_other_screen(table: Table) -> None:
    """Who is not in a step's audience must not notice it."""
    game = table.game
    for played in play_out(table):
        if played.step.audience is None:
            continue
        assert played.step.events == ()
        for viewer in viewers(table):
            if viewer not in played.step.audience:
                before, after = played.before, played.step.state
                assert encode(sees(game, after, viewer)) == encode(sees(game, before, viewer))
                assert game.to_act(after) == game.to_act(before)


@given(tables(*HIDING))
@settings(WHOLE_GAMES, max_examples=4)
def test_the_shuffles_of_this_suite_do_change_something(table: Table) -> None:
    """The blindness tests would prove nothing if the two tables were the same."""
    shuffle, rng = SHUFFLE[table.key], random.Random(table.seed)
    changed = [
        shuffle(played.step.state, viewer, rng) != played.step.state
        for played in play_out(table)
        for viewer in viewers(table)
    ]

    assert sum(changed) > len(changed) / 2


@given(tables(*OPEN))
@WHOLE_GAMES
def test_a_game_without_secrets_keeps_none(table: Table) -> None:
    """Nothing is a seat's own, nothing is sealed, and everybody may notice everything."""
    game = table.game
    for played in play_out(table):
        assert not played.step.secret
        assert played.step.audience is None
        for seat in range(table.seats):
            assert game.own(played.step.state, seat).__struct_fields__ == ()

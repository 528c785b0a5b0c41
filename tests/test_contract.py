"""What every game owes the referee, tried on random whole games with every option."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given

from referee.errors import RuleViolation
from referee.games.base import Facts, SeatIndex, Step
from referee.steps import decode_action
from tests.contract import WHOLE_GAMES, encode
from tests.strategies import GAMES, Played, Table, board, draw, every_option, play_out, sees, tables

# What is counted here each game's own tests count as well, and counting doubles the time it takes.
pytestmark = [pytest.mark.long, pytest.mark.no_cover]


@pytest.fixture(params=every_option(), ids=lambda table: f"{table.options}-{table.seats}")
def table(request: pytest.FixtureRequest) -> Table:
    """Go through every value of every option, and every number of seats."""
    chosen: Table = request.param
    return chosen


@cache
def vocabulary(key: str) -> tuple[Any, ...]:
    """Gather every action met in a few random games, in an order that is always the same."""
    games = (table for table in every_option() if table.key == key)
    return tuple(
        dict.fromkeys(
            played.action
            for table in list(games)[::3]
            for played in play_out(table)
            if played.seat is not None
        )
    )


# Playing


def test_random_play_keeps_what_every_game_promises(table: Table) -> None:
    """It ends with a score, nothing is made or lost, and the same game comes out again."""
    played = list(play_out(table))

    ends_with_a_score(table, played)
    nothing_is_made_or_lost(table, played)
    comes_out_again(table, played)
    a_set_of_things_has_no_order(table, played)


def ends_with_a_score(table: Table, played: list[Played]) -> None:
    """Any sequence of legal moves comes to an end, and only the end has a score."""
    game = table.game
    *steps, last = played

    assert all(game.score(played.step.state) is None for played in steps)
    result = game.score(last.step.state)
    assert result is not None
    assert [score.seat for score in result.scores] == list(range(table.seats))
    assert {*result.winners} <= {*range(table.seats)}
    assert result.winners
    assert game.to_act(last.step.state) == frozenset()
    for score in result.scores:
        assert score.total == sum(line.amount for line in score.lines)


def comes_out_again(table: Table, played: list[Played]) -> None:
    """Do the same from the start: rules draw nothing themselves, so all happens as before."""
    game = table.game
    step = game.setup(table.options, table.seats, board(game, table.options))
    for number, each in enumerate(played):
        if number and each.seat is None:
            step = game.chance(step.state, each.action)
        elif number:
            step = game.apply(step.state, SeatIndex(each.seat), each.action)
        assert step == each.step


def nothing_is_made_or_lost(table: Table, played: list[Played]) -> None:
    """Count what the box holds after every step."""
    for each in played:
        assert table.game.violations(each.step.state) == ()


def a_set_of_things_has_no_order(table: Table, played: list[Played]) -> None:
    """Name in another order what an action names several of: it is the same, also for the host."""
    game, rng = table.game, random.Random(table.seed)
    for each in played:
        if each.seat is None:
            continue
        for raw in other_orders(msgspec.to_builtins(each.action)):
            action = decode_action(game, raw)
            assert action == each.action, raw
            assert game.apply(each.before, SeatIndex(each.seat), action) == each.step
        question = game.question(each.before)
        if question is not None and len(question.parts) > 1:
            facts = tuple((part.fact, rng.choice(part.values)) for part in question.parts)
            one, other = (answered(table, each.before, told) for told in (facts, facts[::-1]))
            assert one == other, facts


def other_orders(raw: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Give an action as another client may send it, who looks at the table from the other side."""
    for name, value in raw.items():
        if isinstance(value, list) and len(value) > 1:
            yield raw | {name: value[::-1]}
    if "first" in raw and "second" in raw:
        yield raw | {"first": raw["second"], "second": raw["first"]}


def answered(table: Table, state: Any, facts: Facts) -> Any:
    """Give what can be done and is asked after an answer; None where it cannot be."""
    game = table.game
    try:
        after = game.answer(state, facts).state
    except RuleViolation:
        return None
    legal = [game.legal_actions(after, SeatIndex(seat)) for seat in range(table.seats)]
    return game.question(after), legal


@given(tables())
@WHOLE_GAMES
def test_somebody_can_act_until_the_game_is_over(table: Table) -> None:
    """Unless chance is owed or it is over, someone who is asked has a legal action.

    Who acts at the same time as others may still be able to while a sealed action of somebody owes
    its draw: it is drawn in the same go, so nobody ever finds a table that waits for it.
    """
    game = table.game
    for played in play_out(table):
        state = played.step.state
        asked = game.to_act(state)
        able = {seat for seat in range(table.seats) if game.legal_actions(state, seat)}
        assert able <= asked <= {*range(table.seats)}
        is_over = game.score(state) is not None
        assert able or played.step.needs or is_over
        # Not where a game is over, or chance is owed.
        assert able in ({*()}, asked) or not game.public(state).is_anybodys
        assert not (able and is_over)
        assert not (able and played.step.needs) or played.step.secret


def outcome(game: Any, state: Any, seat: int, action: Any) -> Step | str:
    """Give the step of an action, or the code by which it is refused."""
    try:
        return game.apply(state, seat, action)  # type: ignore[no-any-return]
    except RuleViolation as refused:
        return refused.code


@given(tables())
@WHOLE_GAMES
def test_legal_actions_are_exactly_what_apply_accepts(table: Table) -> None:
    """All that is listed is accepted; of all other words of the game every one is refused.

    Except a seat's own settings, which are offered when they matter and outlive an undo, and what
    people fill in freely, of which examples are listed.
    """
    game, words, rng = table.game, vocabulary(table.key), random.Random(table.seed)
    for played in play_out(table):
        state = played.step.state
        for seat in range(table.seats):
            legal = game.legal_actions(state, seat)
            assert len({*legal}) == len(legal)
            for action in legal:
                assert isinstance(game.apply(state, seat, action), Step)
            for action in {*rng.sample(words, min(8, len(words)))} - {*legal}:
                if action.__struct_config__.tag in game.META.free:
                    continue
                found = outcome(game, state, seat, action)
                assert found.keeps if isinstance(found, Step) else found


@given(tables())
@WHOLE_GAMES
def test_stand_in_takes_only_legal_actions(table: Table) -> None:
    """What the host may do for an absent seat is something that seat could do."""
    game = table.game
    for played in play_out(table):
        for seat in range(table.seats):
            allowed = game.stand_in(played.step.state, seat)
            assert {*allowed} <= {*game.legal_actions(played.step.state, seat)}


@given(tables())
@WHOLE_GAMES
def test_a_table_of_absent_seats_comes_to_an_end(table: Table) -> None:
    """If everybody leaves, the host can finish the game without knowing a secret."""
    game, rng = table.game, random.Random(table.seed)
    start = next(played for played in play_out(table) if not played.step.needs)
    state = start.step.state
    for _ in range(2000):
        question = game.question(state)
        if question is not None:
            part = rng.choice(question.parts)
            state = game.answer(state, ((part.fact, rng.choice(part.values)),)).state
            continue
        choices = [
            (seat, game.stand_in(state, seat))
            for seat in sorted(game.to_act(state))
            if game.stand_in(state, seat)
        ]
        if not choices:
            break
        seat, allowed = rng.choice(choices)
        step = game.apply(state, seat, allowed[-1])
        while step.needs:
            step = game.chance(step.state, draw(step.needs[0], rng))
        state = step.state
    assert game.score(state) is not None


# Values


@given(tables())
@WHOLE_GAMES
def test_states_and_actions_survive_json(table: Table) -> None:
    """Written down and read again, a state and an action are what they were."""
    game = table.game
    states, actions = (msgspec.json.Decoder(kind) for kind in (game.State, game.Action))
    for played in play_out(table):
        assert states.decode(encode(played.step.state)) == played.step.state
        if played.seat is not None:
            action = actions.decode(encode(played.action))
            assert action == played.action
            before = states.decode(encode(played.before))
            assert game.apply(before, played.seat, action) == played.step


@given(tables())
@WHOLE_GAMES
def test_events_and_views_can_be_written_down(table: Table) -> None:
    """Events are tagged JSON objects; views are JSON."""
    for played in play_out(table):
        for event in msgspec.json.decode(encode(played.step.events)):
            assert isinstance(event["type"], str)
        assert encode(table.game.public(played.step.state))
        for seat in range(table.seats):
            assert encode(table.game.own(played.step.state, SeatIndex(seat)))


@given(tables())
@WHOLE_GAMES
def test_looking_and_acting_leave_a_state_alone(table: Table) -> None:
    """States never change; a new one is made."""
    game = table.game
    for played in play_out(table):
        if played.seat is None:
            continue
        before = encode(played.before)
        for seat in range(table.seats):
            game.legal_actions(played.before, seat)
            game.stand_in(played.before, seat)
            sees(game, played.before, seat)
        assert game.apply(played.before, played.seat, played.action) == played.step
        assert encode(played.before) == before


# The face of a game


@pytest.mark.parametrize("key", GAMES)
def test_meta_tells_a_lobby_what_it_needs(key: str) -> None:
    """Key, titles in three languages, seats, and options whose default is one of their values."""
    meta = GAMES[key].META

    assert meta.key == key
    assert {*meta.titles} == {"en", "de", "fr"}
    assert 1 <= meta.seats[0] <= meta.seats[1]
    assert len({option.key for option in meta.options}) == len(meta.options)
    for option in meta.options:
        assert option.default in option.values
        assert len({*option.values}) == len(option.values)


@pytest.mark.parametrize("key", GAMES)
def test_options_left_out_are_the_defaults(key: str) -> None:
    """Nothing chosen is the same as every default chosen."""
    game = GAMES[key]
    defaults = {option.key: option.default for option in game.META.options}
    seats = game.META.seats[0]

    assert game.setup({}, seats, board(game, {})) == game.setup(
        defaults, seats, board(game, defaults)
    )


@pytest.mark.parametrize("key", [key for key in GAMES if GAMES.meta(key).starter])
def test_the_table_chooses_a_starter_where_there_is_one(key: str) -> None:
    """Its key is no option with values of its own, and every seat may be named by its index."""
    game = GAMES[key]
    least, most = game.META.seats
    assert game.META.starter not in {option.key for option in game.META.options}
    for seats in range(least, most + 1):
        starts = {
            encode(game.setup({game.META.starter: str(seat)}, seats, board(game, {})).state)
            for seat in range(seats)
        }
        assert len(starts) == seats


@pytest.mark.parametrize("key", [key for key in GAMES if not GAMES.meta(key).starter])
def test_a_game_without_a_chosen_starter_draws_it(key: str) -> None:
    """Before anybody can act something is owed to chance, and whoever begins depends on it."""
    game = GAMES[key]
    seats = game.META.seats[0]
    step = game.setup({}, seats, board(game, {}))
    assert game.to_act(step.state) == frozenset()
    assert step.needs
    began = set()
    for seed in range(50):
        rng, drawn = random.Random(seed), step
        while drawn.needs:
            drawn = game.chance(drawn.state, draw(drawn.needs[0], rng))
        # Others may have something to tell first; who is waited for is who begins.
        began.add(game.public(drawn.state).waiting_for)
    assert len(began) == seats

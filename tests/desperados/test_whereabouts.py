"""Where can they be: exactly where public facts allow a way to, and always where they are."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from flask import Flask
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from referee.games.desperados import activities, trails
from referee.games.desperados import rules as desperados
from referee.games.desperados.actions import CardLost, Correction, PawnAt
from referee.games.desperados.facts import learn
from referee.games.desperados.model import (
    CITIES,
    MOVES,
    Acting,
    Activity,
    Laying,
    Look,
    Post,
    Riding,
    Spying,
    State,
    replace,
)
from referee.games.desperados.roads import Board, City, road_fact
from referee.games.desperados.schedules import begin_turn
from referee.games.desperados.trails import trail
from referee.games.desperados.whereabouts import Known, Sighting, possible
from tests.desperados.hidden import shuffle
from tests.desperados.positions import BOARD, GREGOR, MATTHIAS, SURVEYED, position
from tests.strategies import Table, play_out
from tests.table import Evening

ON = {"preset": "app", "board": "practice", "whereabouts": "on"}


def known(start: City, moves: int, *seen: Sighting, lost: tuple[City, ...] = ()) -> Known:
    """Write down what everybody knows of somebody."""
    return Known(start, lost, seen, moves, is_shaken=False)


def enumerated(board: Board, facts: Known) -> set[City]:
    """Give where they can be by trying every row of cards: the game's own rules judge each."""
    state = position(pawns=(facts.start,) * 5, lost={GREGOR: facts.lost})
    return {*_tried(replace(state, board=board, move=1), facts)}


def _tried(state: State, facts: Known) -> Iterator[City]:
    if state.move > facts.moves:
        yield trail(state, GREGOR).at
        return
    for option in trails.playable(state, GREGOR):
        route = (*state.routes[GREGOR], option)
        routes = (*state.routes[:GREGOR], route, *state.routes[GREGOR + 1 :])
        after = replace(state, routes=routes)
        here = trail(after, GREGOR)
        seen = [s.city for s in facts.sightings if s.move == state.move]
        if not seen or (seen == [here.at] and not here.is_broken):
            yield from _tried(replace(after, move=state.move + 1), facts)


def small(roads: int, rng: random.Random) -> Board:
    """Make a map of few roads, all known, on which somebody may well have no way left."""
    pairs = [(a, b) for i, a in enumerate(CITIES[:7]) for b in CITIES[i + 1 : 7]]
    return replace(BOARD, roads=tuple(sorted(rng.sample(pairs, roads), key=pairs.index)))


@given(st.integers(0, 2**32), st.integers(2, 12), st.integers(0, 4))
@settings(max_examples=60)
def test_it_is_what_trying_every_card_gives(seed: int, roads: int, moves: int) -> None:
    """On small maps, with cards lost, with somebody seen, and with nowhere to go."""
    rng = random.Random(seed)
    board = small(roads, rng)
    lost = tuple(rng.sample(CITIES[:7], rng.randrange(3)))
    facts = known(rng.choice(CITIES[:7]), moves, lost=lost)
    if moves and rng.random() < 0.6:
        # Somebody was truly there, so the facts do not contradict each other.
        move = rng.randint(1, moves)
        there = possible(board, known(facts.start, move, lost=lost))
        facts = known(facts.start, moves, Sighting(move, rng.choice(there)), lost=lost)
    tried = enumerated(board, facts)
    assume(tried)

    assert {*possible(board, facts)} == tried


@pytest.mark.parametrize("moves", range(3))
def test_roads_that_nobody_knows_may_have_been_taken(moves: int) -> None:
    """The map of the box is not complete."""
    facts = known("Salem", moves)

    assert {*possible(SURVEYED, facts)} == enumerated(SURVEYED, facts)


@pytest.mark.long
def test_the_worst_map_takes_no_time() -> None:
    """With next to no road known there are a million ways, and nearly every city is possible."""
    for start in CITIES:
        assert {*possible(SURVEYED, known(start, MOVES))} == {*CITIES}


def test_a_lost_card_and_a_sighting_narrow_it_down() -> None:
    """Whoever was seen is where they were; from there one road on, or the saloon once."""
    near = BOARD.links["Salem"].near
    assert {*possible(BOARD, known("Salem", 1))} == {"Salem", *near}
    assert {*possible(BOARD, known("Salem", 1, lost=near[:1]))} == {"Salem", *near[1:]}

    assert possible(BOARD, known("Salem", 1, Sighting(1, near[0]))) == (near[0],)
    assert {*possible(BOARD, known("Salem", 2, Sighting(1, near[0])))} == {
        near[0],
        *BOARD.links[near[0]].near,
    }
    # Whoever was seen where they began has played the saloon, and cannot stay again.
    assert "Salem" not in possible(BOARD, known("Salem", 2, Sighting(1, "Salem")))


def truth(state: State) -> dict[int, City]:
    """Give where each desperado is, by cards that nobody else may see."""
    upto = len(state.posts)
    return {seat: trail(state, seat, upto).at for seat in state.gang}


def games(count: int) -> Iterator[State]:
    """Play games at random by their rules, each with other seats, and give every state."""
    for seed in range(count):
        table = Table("desperados", ON, 3 + seed % 4, seed)
        yield from (played.step.state for played in play_out(table))


@pytest.mark.long
def test_the_true_place_is_always_among_them() -> None:
    """Over whole random games, with every disc and every spy."""
    looked = 0
    for state in games(8):
        found = {one.seat: one.cities for one in desperados.public(state).whereabouts}
        if not isinstance(state.phase, Riding | Laying | Acting):
            assert found == {}
            continue
        assert found.keys() == {*state.gang}
        for seat, at in truth(state).items():
            assert at in found[seat], (seat, at, found[seat], state.move)
            looked += 1
    assert looked > 1000


@pytest.mark.parametrize(
    "correction",
    [
        Correction(pawns=(PawnAt(GREGOR, "Aztec"),)),
        Correction(cards=(CardLost(GREGOR, "Salem", lost=True),)),
    ],
    ids=["pawn", "card"],
)
def test_what_is_set_right_leaves_the_true_place_in(correction: Correction) -> None:
    """A pawn stood elsewhere, a card was lost: whatever was laid before may not count."""
    state = position(
        Laying(),
        routes={MATTHIAS: "saloon", GREGOR: "Salem", 2: "", 3: "", 4: ""},
        pawns=("El Paso", "Silver City", "La Luz", "Globe", "Aztec"),
        move=2,
    )
    state = replace(state, rules=replace(state.rules, whereabouts="on"))
    after = desperados.correct(state, correction).state
    assert after.is_shaken
    found = {one.seat: one.cities for one in desperados.public(after).whereabouts}
    assert trail(after, GREGOR, len(after.posts)).at in found[GREGOR]


def test_a_fact_told_in_between_leaves_the_true_place_in() -> None:
    """A road that somebody confirmed and took turns out to be none."""
    state = replace(
        position(Riding(()), routes={GREGOR: "Aztec?"}, pawns=("Salem",) * 5, move=2),
        board=SURVEYED,
    )
    state = replace(state, rules=replace(state.rules, whereabouts="on"))
    fact = (road_fact("Salem", "Aztec"), "no")
    told = desperados.answer(state, (fact,)).state
    undone = desperados.remember(state, replace(state, board=learn(SURVEYED, (fact,))))

    for after in (told, undone):
        assert after.is_shaken
        here = trail(after, GREGOR, 1)
        assert here.is_broken
        cities = possible(
            after.board, Known("Salem", (), (Sighting(1, "Aztec"),), 1, is_shaken=True)
        )
        assert here.at in cities


def test_discs_and_spies_of_the_whole_turn_count() -> None:
    """Not those of the newest move alone; with the next turn they are history."""
    post = Post(("Aztec",) * 4, ("Los Lunas", None))
    state = position(
        Riding(()),
        pawns=("St. Johns",) * 5,
        move=3,
        posts=(post, post),
        spyings=(Spying(GREGOR, "Silver City", 1),),
        activities=(Activity("poker", "Salem", 2, 0, (GREGOR,)),),
        whereabouts="on",
    )
    found = {one.seat: one.cities for one in desperados.public(state).whereabouts}

    assert found[GREGOR] == ("Salem",)
    assert len(found[2]) > 5
    assert begin_turn(state, ()).state.spyings == ()


def test_a_spy_leaves_a_trace_that_the_next_move_keeps() -> None:
    """What the gang's part of a move led to is told in the state, with its move."""
    looks = (Look(GREGOR, "Silver City"),)
    state = position(Acting((None,) * 5), routes=dict.fromkeys(range(5), "Silver City"), move=1)
    after = activities.laid(state, (), looks, ()).state

    assert after.spyings == (Spying(GREGOR, "Silver City", 1),)


def test_no_hidden_card_changes_it() -> None:
    """Equal for states that differ in what the Marshal may not know."""
    rng, compared = random.Random(11), 0
    for state in games(1):
        if isinstance(state.phase, Riding | Laying | Acting) and rng.random() < 0.3:
            other = shuffle(state, state.marshal, rng)
            assert desperados.public(other).whereabouts == desperados.public(state).whereabouts
            compared += 1
    assert compared > 10


def test_the_marshal_alone_sees_it_and_only_if_the_table_wishes(app: Flask) -> None:
    """On the map and by name, in words that say what it is made of."""
    for wished in ("on", "off"):
        evening = Evening(app, game="desperados", seats=4, whereabouts=wished).start()
        evening.play(random.Random(5), until="riding")
        marshal = evening.table.ledger.state.marshal
        seats = evening.table.ledger.seating.order
        shown = [evening.phones[n].get(evening.seat(seat)).text for n, seat in enumerate(seats)]
        has = ["Where can they be?" in page and 'class="maybe' in page for page in shown]
        assert has == [wished == "on" and n == marshal for n in range(4)]
        assert "Where can they be?" not in evening.laptop.get(f"/t/{evening.code}").text

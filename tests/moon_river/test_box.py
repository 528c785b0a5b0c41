"""What is learnt of a box, written down, shared, and pointed out if it cannot be."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import IllegalAction
from referee.games.base import Answer
from referee.games.moon_river import boards, rules
from referee.games.moon_river.actions import FormDomino, LayDomino
from referee.games.moon_river.box import (
    all_facts,
    corrected,
    impossible,
    learn,
    may_be_told,
    possible_tiles,
    tellable,
    tile_facts,
    value_of,
    values_of,
)
from referee.games.moon_river.laying import cells_of
from referee.games.moon_river.model import TILES, Box, Ended, Tile, replace
from referee.games.moon_river.profile import read_board

from .positions import PRACTICE, UNKNOWN, play, position, profile, walk


def box_of(*tiles: Tile) -> Box:
    """Give a box of which some tiles are known."""
    return learn(UNKNOWN, tile_facts(tiles))


def test_the_practice_box_is_a_box() -> None:
    """96 tiles, 20 partners, all of it known and possible, and it says that it is made up."""
    assert len(PRACTICE.tiles) == TILES
    assert sum(count or 0 for count in PRACTICE.partners) == 20
    assert impossible(PRACTICE) == ()
    assert PRACTICE.practice
    assert boards.lessons(PRACTICE) == 0
    assert all(known.known == known.of for known in boards.progress(PRACTICE))
    assert sum(tile.cattle for tile in PRACTICE.tiles) <= 32


def test_the_real_box_is_unknown_until_somebody_tells() -> None:
    """No fact about it is invented."""
    box = read_board(profile("box"))

    assert all_facts(box) == {}
    assert boards.lessons(box) == 5 + 2


@given(st.lists(st.sampled_from(possible_tiles()), max_size=96))
def test_a_list_of_tiles_is_written_down_and_read_again(tiles: list[Tile]) -> None:
    """However often a tile is there."""
    box = box_of(*tiles)
    again = learn(UNKNOWN, tuple(all_facts(box).items()))

    assert Counter(box.tiles) == Counter(tiles)
    assert again == box
    assert all(value_of(box, fact) == value for fact, value in all_facts(box).items())


def test_the_order_in_which_copies_of_a_tile_are_told_makes_no_difference() -> None:
    """A first copy that is told after a second one takes nothing away."""
    facts = tile_facts([Tile(1, "desert")] * 3)
    assert learn(UNKNOWN, facts[::-1]) == learn(UNKNOWN, facts)
    fewer = corrected(learn(UNKNOWN, facts), ((facts[1][0], "no"),))
    assert len(fewer.tiles) == 1


def test_everything_known_is_written_down() -> None:
    """Bridges, partners and bonus tiles too."""
    assert replace(learn(UNKNOWN, tuple(all_facts(PRACTICE).items())), practice=True) == replace(
        PRACTICE, key="box"
    )


def test_the_last_kind_of_partner_follows_from_the_others() -> None:
    """There are twenty."""
    four = [("partners:desperado", "5"), ("partners:rustler", "5"), ("partners:trapper", "2")]
    assert value_of(learn(UNKNOWN, tuple(four)), "partners:farmer") is None
    told = (*four, ("partners:gold_digger", "3"))
    assert value_of(learn(UNKNOWN, told), "partners:farmer") == "5"


@pytest.mark.parametrize(
    "fact",
    [
        "tile:7:desert:plain:1",
        "tile:1:moor:plain:1",
        "tile:1:desert:gold:1",
        "tile:1:desert:cattle1+gold1:1",
        "tile:1:desert:plain:0",
        "tile:1:desert:plain",
        "tile:1:desert:number3:1",
        "bridges:nobody",
        "partners:cowboy",
        "bonus:3:front",
        "covered:1",
        "weather",
        "tile:１:desert:plain:1",
    ],
)
def test_what_is_no_fact_of_a_box_is_refused(fact: str) -> None:
    """Names that no box has."""
    with pytest.raises(IllegalAction):
        values_of(fact)


@pytest.mark.parametrize(
    "facts",
    [
        (("bridges:camp", "1-2"),),
        (("bonus:1:front", "corn"), ("bonus:1:back", "corn")),
        (("partners:farmer", "12"), ("partners:trapper", "12")),
        tile_facts([Tile(1, "desert")] * 97),
        (("bridges:mary", "2"), ("bridges:mary", "3")),
    ],
)
def test_what_no_box_can_have_is_refused(facts: tuple[tuple[str, str], ...]) -> None:
    """Counts that the rulebook prints hold for every box."""
    known = learn(UNKNOWN, facts[:1]) if facts[0][0] == "bridges:mary" else UNKNOWN
    with pytest.raises(IllegalAction):
        learn(known, facts)


def test_an_impossible_list_from_elsewhere_is_pointed_out_and_mended() -> None:
    """97 tiles, 21 partners, gold in the forest: it is read, named, and set right."""
    facts = dict(tile_facts([*PRACTICE.tiles, Tile(1, "forest", gold=1)]))
    facts |= {f"partners:{kind}": "7" for kind in ("farmer", "trapper", "rustler")}
    box = read_board(profile("box") | {"facts": facts})

    assert {code for code, _ in impossible(box)} == {
        "too_many_tiles",
        "too_many_partners",
        "odd_tile",
    }
    mended = corrected(box, (("tile:1:forest:gold1:1", "no"), ("partners:farmer", "6")))
    assert impossible(mended) == ()


def test_a_known_tile_is_offered_once_for_each_there_is_left() -> None:
    """One tap tells it; one that was seen as often as it is there is not offered any more."""
    gold, corn = Tile(3, "desert", gold=1), Tile(2, "corn", corn=3)
    box = box_of(gold, gold, corn)

    assert tellable(box, Counter([gold]))[:2] == (corn, gold)
    seen = Counter([gold, gold])
    assert tellable(box, seen)[0] == corn
    # An unknown one may be like it: the list is not whole yet.
    assert may_be_told(box, seen, gold)


def test_a_tile_beyond_the_96_is_refused() -> None:
    """Once all of a box are known, what is told is one of them that is left."""
    seen = Counter(PRACTICE.tiles[:1])
    assert may_be_told(PRACTICE, Counter(), PRACTICE.tiles[0])
    unlike = next(tile for tile in possible_tiles() if tile not in PRACTICE.tiles)
    assert not may_be_told(PRACTICE, seen, unlike)
    assert {*tellable(PRACTICE, seen)} <= {*PRACTICE.tiles}
    assert not may_be_told(UNKNOWN, Counter(), Tile(1, "forest", gold=1))


def test_the_second_game_knows_the_tiles_of_the_first() -> None:
    """A whole game from the box teaches all its tiles, and the next one is dealt from them."""
    from random import Random  # noqa: PLC0415  # only here

    rng = Random(4)
    facts: dict[str, str] = {}
    step = rules.setup({"preset": "boxed"}, 4, profile("box"))
    from tests.strategies import draw  # noqa: PLC0415  # only here

    while True:
        facts |= dict(step.learnt)
        if step.needs:
            step = rules.chance(step.state, draw(step.needs[0], rng))
            continue
        able = sorted(rules.to_act(step.state))
        if not able:
            break
        seat = rng.choice(able)
        step = rules.apply(step.state, seat, rng.choice(rules.legal_actions(step.state, seat)))
    assert isinstance(step.state.phase, Ended)
    box = read_board(profile("box") | {"facts": facts})
    assert len(box.tiles) == TILES
    seen = Counter(
        tile
        for tile in (
            *step.state.gone,
            *(c.tile for r in step.state.ranches for c in r.cells if c and c.tile.number),
        )
        if tile
    )
    assert Counter(box.tiles) == seen


def test_conservation_holds_at_any_moment() -> None:
    """Tiles, cattle and partners: none is made or lost, dealt by the app or told."""
    for seats, options in (
        (2, {}),
        (3, {"preset": "boxed", "board": "owned"}),
        (4, {"boards": "wild_west"}),
        (3, {"tracking": "draft", "preset": "boxed", "board": "owned"}),
    ):
        for state in walk(seats, 11, **options):
            assert rules.violations(state) == ()


def test_whether_the_board_covers_a_place_is_asked_once_and_of_two_players_only() -> None:
    """Before the first domino lies in a big ranch; what is covered can take no tile."""
    pair = (Tile(3, "desert"), Tile(4, "forest"))
    known = replace(UNKNOWN, bridges=PRACTICE.bridges)
    asked = play(position(reserves=(pair,), seats=2, box=known), FormDomino(0, 1)).state
    question = rules.question(asked)
    assert question is not None
    assert (question.kind, len(question.parts[0].values)) == ("covered", 51)
    assert rules.to_act(asked) == {0, 1}
    with pytest.raises(IllegalAction):
        rules.apply(asked, 0, LayDomino(0, 0))

    told = rules.apply(asked, 1, Answer((("covered:cell", "2-1"),)))
    assert told.learnt == (("covered:cell", "2-1"),)
    assert rules.question(told.state) is None
    lays = [a for a in rules.legal_actions(told.state, 0) if isinstance(a, LayDomino)]
    assert lays
    assert not [a for a in lays if 1 in cells_of(50, a.at, a.turn)]
    assert all_facts(told.state.box)["covered:cell"] == "2-1"

    three = play(position(reserves=(pair,), box=known), FormDomino(0, 1)).state
    assert rules.question(three) is None

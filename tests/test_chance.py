"""Draws: fair, repeatable from the seed, and fixed before play."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import chance
from referee.games.base import Need, Outcome, Pool

NEED = Need("plot", 7, (Pool("plot", tuple(range(1, 20)), 3), Pool("boat", ("r1",), 1)))

GOLDEN_ORDER = (4, 6, 7, 3, 0, 5, 2, 1)
GOLDEN_DRAW = Outcome("plot", {"plot": (10, 4, 15), "boat": ("r1",)})


def test_a_draw_gives_what_is_needed_from_each_pool() -> None:
    """So many different items of each pool, under the need's label."""
    outcome = chance.draw("seed", NEED)

    assert outcome.label == "plot"
    assert [len(outcome.drawn["plot"]), outcome.drawn["boat"]] == [3, ("r1",)]
    assert len({*outcome.drawn["plot"]}) == 3
    assert {*outcome.drawn["plot"]} <= {*range(1, 20)}


def test_a_draw_taken_back_comes_again() -> None:
    """The same seed and need draw the same, whatever was drawn in between."""
    first = chance.draw("seed", NEED)
    chance.draw("seed", Need("duel", 1, (Pool("bang", (0, 1), 1),)))

    assert chance.draw("seed", NEED) == first


def test_draws_of_old_tables_never_change() -> None:
    """Journals of earlier versions must still verify: these draws are fixed for good."""
    assert chance.shuffled("seed", "name", range(8)) == GOLDEN_ORDER
    assert chance.draw("seed", NEED) == GOLDEN_DRAW


@pytest.mark.parametrize(
    "other",
    [
        Need("deal", 7, NEED.pools),
        Need("plot", 8, NEED.pools),
        Need("plot", 7, (Pool("mine", tuple(range(1, 20)), 3),)),
    ],
)
def test_draws_are_told_apart_by_label_number_and_pool(other: Need) -> None:
    """Two needs of one table do not share their luck."""
    one, two = chance.draw("seed", NEED).drawn, chance.draw("seed", other).drawn

    assert next(iter(one.values())) != next(iter(two.values()))


@given(st.text(), st.text(), st.lists(st.integers(), max_size=30))
@settings(deadline=None)
def test_shuffling_loses_nothing(seed: str, name: str, items: list[int]) -> None:
    """The same items in some order, and the input is left alone."""
    before = list(items)

    assert Counter(chance.shuffled(seed, name, items)) == Counter(items)
    assert items == before


def test_every_order_is_equally_likely() -> None:
    """Over many names each of the 24 orders of four items comes about as often."""
    rounds = 4800
    seen = Counter(chance.shuffled("fair", str(n), "abcd") for n in range(rounds))

    assert {*seen} == {*permutations("abcd")}
    expected = rounds / 24
    chi_square = sum((count - expected) ** 2 / expected for count in seen.values())
    assert chi_square < 49.7  # 23 degrees of freedom, one in a thousand


def test_a_fresh_seed_is_128_bits_and_never_the_same() -> None:
    """Nobody guesses a seed."""
    seeds = {chance.new_seed() for _ in range(100)}

    assert len(seeds) == 100
    assert {len(bytes.fromhex(seed)) for seed in seeds} == {16}


def test_the_commitment_fixes_the_seed_without_telling_it() -> None:
    """Published before play, checked when the seed is opened."""
    published = chance.commitment("seed")

    assert published == hashlib.sha256(b"referee seed\0seed").hexdigest()
    assert published != chance.commitment("Seed")


def test_every_phone_stirs_the_seed() -> None:
    """Each mix counts, and so does its seat; none can be left out unnoticed."""
    stirred = {
        chance.stir("seed", mixes)
        for mixes in (["a", "b"], ["b", "a"], ["ab"], ["a"], [], ["a", "b", ""], ["", "a", "b"])
    }

    assert len(stirred) == 7
    assert chance.stir("seed", ["a", "b"]) != chance.stir("other", ["a", "b"])

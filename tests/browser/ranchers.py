"""Ranchers on real screens: a table brought to where a test begins, and every choice tapped."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import msgspec
from playwright.sync_api import Page, expect

from referee import chance, profiles
from referee.games.moon_river import rules
from referee.games.moon_river.state import State
from tests.player import at_rules

from .bench import APP, Api, Bench, form, settled, tap, touch

LIKED: Final = ("form_domino", "lay_domino", "hire", "rustle", "swap_tiles", "remove_cattle")
"""What is rather done than left."""


def rehearsed(seats: int, seed: str, options: dict[str, str]) -> Iterator[tuple[State, int, Any]]:
    """Play a game by the rules alone, with the draws that a table with this seed makes.

    Gives each state in which somebody acts, who does, and what.
    """
    rng = random.Random(seed)
    step = rules.setup(options, seats, profiles.board("moon_river", options))
    while True:
        if step.needs:
            step = rules.chance(step.state, chance.draw(seed, step.needs[0]))
            continue
        legal = {seat: found for seat, found in at_rules(rules, step.state).items() if found}
        if not legal:
            return
        seat = min(legal)
        action = liked(rng, legal[seat])
        yield step.state, seat, action
        step = rules.apply(step.state, seat, action)


def liked(rng: random.Random, legal: Sequence[Any]) -> Any:
    """Choose at random among what moves a game on."""
    best = [action for action in legal if action.__struct_config__.tag in LIKED]
    return rng.choice(best or legal)


def jump(
    bench: Bench, seats: int, seed: str, until: Callable[[State], bool], **options: str
) -> Api:
    """Open a table and play it over HTTP to where a rehearsed game comes to something."""
    api = bench.open(seats, "moon_river", seed=seed, **options)
    api.start()
    version = api.see()["version"]
    for state, seat, action in rehearsed(seats, seed, APP | options):
        if until(state):
            return api
        version = api.act(api.tokens[seat], msgspec.to_builtins(action), version=version)
    raise AssertionError(seed)


def first_of(legal: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Choose the first of what moves a game on."""
    return next((one for one in legal if one["type"] in LIKED), legal[0])


def tapped(page: Page, action: dict[str, Any]) -> int:
    """Tap on a phone what an action says; give how many taps it took."""
    settled(page)
    kind = action["type"]
    wanted = form(page, kind)
    match kind:
        case "place_rancher":
            tap(page, wanted.locator(f"button[value='{action['place']}']"))
            return 1
        case "form_domino" | "discard":
            pick = f"first:{action['first']},second:{action['second']}"
            tap(page, wanted.locator(f"button[value='{pick}']"))
            return 1
        case "remove_cattle":
            tap(page, page.locator(f"#strip .target[data-for$='-{action['at']}']"))
            return 1
        case "hire":
            return _hire(page, action)
        case "rustle":
            tap(page, wanted.locator(f"button[value='seat:{action['seat']},at:{action['at']}']"))
            return 1
        case "swap_tiles":
            touch(wanted.locator(f"label:has(input[name=mine][value='{action['mine']}'])"))
            theirs = f"seat:{action['seat']},theirs:{action['theirs']}"
            touch(wanted.locator(f"label:has(input[value='{theirs}'])"))
            tap(page, wanted.locator(".btn-primary"))
            return 3
        case "lay_domino":
            return _way(page, kind, f"at:{action['at']},turn:{action['turn']}", action["at"])
        case "lay_bonus":
            pick = f"tile:{action['tile']},landscape:{action['landscape']},at:{action['at']}"
            return _way(page, kind, pick, action["at"])
        case "drive_cattle":
            pick = f"source:{action['source']},target:{action['target']}"
            return _way(page, kind, pick, action["source"])
        case _:
            tap(page, wanted.locator("button"))
            return 1


def _hire(page: Page, action: dict[str, Any]) -> int:
    """Choose the circle where there are two, and who is hired for it."""
    wanted = form(page, "hire")
    circles = wanted.locator(f"label:has(input[name=at][value='{action['at']}'])")
    more = circles.count()
    if more:
        touch(circles)
    side = action.get("side", "specialist")
    tap(page, wanted.locator(f"button[value='partner:{action['partner']},side:{side}']"))
    return 1 + more


def _way(page: Page, kind: str, pick: str, at: int) -> int:
    """Tap a cell of one's ranch until the way wanted is lit, and confirm it."""
    taps, chosen = 0, page.locator(f"#ask input[value='{pick}']")
    while not chosen.is_checked():
        touch(page.locator(f"#strip .mine .spot[data-at='{at}']"))
        taps += 1
        assert taps <= 4, pick
    expect(page.locator("#ask .way:has(:checked)")).to_be_visible()
    tap(page, form(page, kind).locator(".btn-primary"))
    return taps + 1

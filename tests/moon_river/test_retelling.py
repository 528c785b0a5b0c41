"""What was told wrongly of tiles, cells and partners is told anew where it was told."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.course import Deed
from referee.games.moon_river import rules as moon_river
from referee.games.moon_river.actions import (
    Decline,
    DriveCattle,
    Hire,
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
from referee.games.moon_river.box import possible_tiles
from referee.games.moon_river.extending import is_a_must
from referee.games.moon_river.model import (
    SPECIALISTS,
    Driving,
    Extending,
    Hiring,
    Removing,
    Rustling,
    Swapping,
    Tile,
)
from referee.games.moon_river.state import State
from referee.games.moon_river.supply import tiles_out
from referee.games.moon_river.telling import Told
from tests.retelling import Journal, check

from .positions import profile

pytestmark = pytest.mark.long


class MoonRiver:
    """What could have been told, and the true course by the rules alone."""

    def otherwise(self, rng: random.Random, told: Told, before: State) -> Told | None:
        """Give another tile, mostly of the same number, else anything else that was legal there."""
        if isinstance(told, TellTile):
            is_sorted = rng.random() < 0.7  # most slips are about what a tile shows
            tiles = [t for t in possible_tiles() if t.number == told.tile.number or not is_sorted]
            return TellTile(rng.choice(tiles))
        if isinstance(told, TellPartner):
            return TellPartner(rng.choice(SPECIALISTS))
        seat = min(moon_river.to_act(before), default=0)
        like = [a for a in moon_river.legal_actions(before, seat) if isinstance(a, type(told))]
        return rng.choice(like) if like else None

    def truly(self, state: State, deed: Deed, after: State) -> State:
        """Play it by the rules; what settles an effect that is not owed leaves all as it is."""
        what = deed.what
        if deed.kind == "chance":
            return moon_river.chance(state, what).state
        if deed.kind == "answer":
            return moon_river.answer(state, what).state
        seat = 0 if deed.seat is None else deed.seat
        phase, turn = state.phase, state.turn
        match what:
            case RemoveCattle() if not isinstance(phase, Removing):
                return state
            case Hire() if not isinstance(phase, Removing | Hiring | Driving | Swapping | Rustling):
                return state
            case DriveCattle() | SwapTiles() | Rustle() | Decline() if not isinstance(
                phase, Removing | Hiring | Driving | Swapping | Rustling
            ):
                return state
            case PlaceRancher() if isinstance(phase, Extending) and turn and turn.seat == seat:
                if turn.left is not None and not is_a_must(state, seat):
                    state = moon_river.apply(state, seat, Pass()).state
        if isinstance(what, PlaceRancher) and deed.kind == "action":
            return self.placed(state, seat, what, after)
        return moon_river.apply(state, seat, what).state

    def placed(self, state: State, seat: int, what: PlaceRancher, after: State) -> State:
        """Put a rancher where the table saw it stand."""
        if seat in moon_river.to_act(state):
            for one in moon_river.legal_actions(state, seat):
                if isinstance(one, PlaceRancher):
                    found = moon_river.apply(state, seat, one).state
                    if (found.current, found.next) == (after.current, after.next):
                        return found
        return moon_river.apply(state, seat, what).state

    def settled(self, state: State, retold: State) -> State:
        """Go on as it lies."""
        del retold
        return state


def journal(seats: int, seed: int, **options: str) -> Journal:
    """Begin a game from the box."""
    return Journal(
        moon_river,
        seats=seats,
        seed=str(seed),
        options=options,
        board=profile("practice" if options.get("board") == "practice" else "box"),
    )


# The next test runs through the same, and is counted.
@pytest.mark.no_cover
@given(st.integers(2, 4), st.integers(0, 2**32), st.integers(20, 260))
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@pytest.mark.parametrize("preset", ["boxed", "app"])
def test_a_game_with_a_slip_told_anew_is_the_game_without_it(
    preset: str, seats: int, seed: int, most: int
) -> None:
    """Symbols, cells, partners, cattle: several slips one after the other."""
    options = {"preset": preset, "board": "owned" if preset == "boxed" else "practice"}
    played = journal(seats, seed, **options)
    rng = random.Random(seed)
    played.play(rng, most)
    for _ in range(4):
        if played.ledger.status == "over":
            break
        check(played, MoonRiver(), rng)
    played.assert_replays()


def test_most_slips_are_compared_with_the_game_without_them() -> None:
    """Or the property above would hold nothing."""
    found: Counter[str] = Counter()
    for seed in range(10):
        played = journal(2 + seed % 3, seed, preset="boxed", board="owned")
        rng = random.Random(seed)
        played.play(rng, 150)
        found.update(check(played, MoonRiver(), rng) for _ in range(5))
        played.assert_replays()
    assert found["equal"] > found.total() / 2


def told(played: Journal, kind: type[Any], **wanted: Any) -> int:
    """Find the newest entry of a kind."""
    return next(
        entry.seq
        for entry in reversed(played.entries)
        if entry.payload.get("action", {}).get("type") == kind.__struct_config__.tag
        and all(entry.payload["action"][key] == value for key, value in wanted.items())
    )


def begun() -> Journal:
    """Begin a game of three whose bridges are known, with five trappers in the saloon."""
    known = profile("box") | {"facts": {"bridges:camp": "1-3-5"}}
    played = Journal(moon_river, seats=3, seed="1", board=known)
    while len(played.ledger.state.tables) < 5:
        played.act(0, TellPartner("trapper"))
    return played


def cattle_of(played: Journal) -> int:
    """Count the cattle in all ranches."""
    return sum(c.cattle for r in played.ledger.state.ranches for c in r.cells if c)


def until(played: Journal, phase: str, rng: random.Random, tile: Tile) -> None:
    """Tell the same tile always, and go on until something is going on."""
    for _ in range(400):
        public = moon_river.public(played.ledger.state)
        if public.phase == phase:
            return
        seat = public.waiting_for[0]
        legal = played.ledger.legal_for(seat)
        if public.phase == "turning_up":
            played.act(seat, TellTile(tile))
        else:
            played.act(seat, rng.choice([a for a in legal if not isinstance(a, Pass)] or legal))
    raise AssertionError(phase)


def test_a_symbol_told_wrongly_brings_its_cattle_three_turns_later() -> None:
    """A tile without cattle had one: it stands where the domino lies."""
    played = begun()
    rng = random.Random(3)
    plain, herd = Tile(3, "desert"), Tile(3, "desert", cattle=1)
    until(played, "laying", rng, plain)
    laid = played.ledger.state.ranches[played.ledger.state.turn.seat].reserve[0]
    assert laid == plain
    first_tell = next(
        e.seq for e in played.entries if e.payload.get("action", {}).get("type") == "tell_tile"
    )
    for _ in range(3):
        until(played, "choosing", rng, plain)
        played.act(played.ledger.to_act()[0], played.ledger.legal_for(played.ledger.to_act()[0])[0])
    before = cattle_of(played)
    played.retell(first_tell, TellTile(herd))
    out = [*tiles_out(played.ledger.state)]
    assert out.count(herd) == 1
    is_laid = any(c and c.tile == herd for r in played.ledger.state.ranches for c in r.cells)
    assert is_laid
    assert cattle_of(played) - before == 1


def test_a_tile_told_wrongly_leaves_the_box_as_well() -> None:
    """What the list learnt of it is taken back, and the true tile is learnt."""
    played = begun()
    rng = random.Random(3)
    until(played, "laying", rng, Tile(3, "desert"))
    to = next(
        e.seq for e in played.entries if e.payload.get("action", {}).get("type") == "tell_tile"
    )
    played.retell(to, TellTile(Tile(3, "forest", beaver=1)))
    facts = dict(played.ledger.undoing.stages[-1].step.learnt)
    assert facts["tile:3:forest:beaver1:1"] == "yes"
    assert [fact for fact, value in facts.items() if value == "no"] == [
        fact for fact in facts if ":desert:" in fact
    ]
    assert len(facts) == 2


def test_a_number_told_anew_sorts_its_row_and_ranchers_stay_on_their_tiles() -> None:
    """Whoever stood on a tile stands on it still, wherever it lies now."""
    played = begun()
    tiles = [
        Tile(n, land) for n, land in ((1, "desert"), (2, "corn"), (3, "canyon"), (5, "forest"))
    ]
    for number, tile in enumerate(tiles):
        played.act(0, TellTile(tile))
        if not number:
            to = told(played, TellTile)
    while (
        len(played.ledger.state.order) and moon_river.public(played.ledger.state).phase == "placing"
    ):
        seat = played.ledger.to_act()[0]
        played.act(seat, played.ledger.legal_for(seat)[0])
    stood = {spot.rancher: spot.tile.landscape for spot in played.ledger.state.current}
    played.retell(to, TellTile(Tile(4, "desert")))
    row = played.ledger.state.current
    assert [spot.tile.number for spot in row] == [2, 3, 4, 5]
    assert {spot.rancher: spot.tile.landscape for spot in row} == stood


def test_a_rancher_told_on_a_wrong_tile_takes_the_right_one_two_turns_later() -> None:
    """Nobody else stood there: the order of turns is as it was, and its tile is another one."""
    played = begun()
    rng = random.Random(2)
    until(played, "choosing", rng, Tile(3, "desert"))
    seat = played.ledger.to_act()[0]
    to = played.act(seat, PlaceRancher(2))
    for other, place in ((1, 0), (2, 1)):
        until(played, "choosing", rng, Tile(4, "canyon"))
        played.act(played.ledger.to_act()[0], PlaceRancher(place))
        assert other
    played.retell(to, PlaceRancher(3))
    state = played.ledger.state
    assert (state.current[3].rancher, state.current[2].is_gone) == (seat, True)


def test_two_ranchers_that_were_mixed_up_are_set_right_by_one_of_them() -> None:
    """Somebody else was said to stand where this one stands: so that one stands there instead."""
    played = begun()
    rng = random.Random(2)
    until(played, "choosing", rng, Tile(3, "desert"))
    first = played.ledger.to_act()[0]
    to = played.act(first, PlaceRancher(1))
    until(played, "choosing", rng, Tile(3, "desert"))
    second = played.ledger.to_act()[0]
    played.act(second, PlaceRancher(2))
    played.retell(to, PlaceRancher(2))
    row = played.ledger.state.next
    assert (row[1].rancher, row[2].rancher) == (second, first)


def test_a_domino_reported_with_a_wrong_partner_frees_the_right_one() -> None:
    """Where turns alone are tracked the saloon is what a slip is about."""
    played = Journal(
        moon_river,
        seats=3,
        seed="1",
        options={"tracking": "draft", "preset": "app", "board": "practice"},
        board=profile("practice"),
    )
    rng = random.Random(4)
    while not any(
        isinstance(a, ReportDomino) and len(a.hired) == 1 and None not in a.hired
        for a in played.ledger.legal_for(played.ledger.to_act()[0])
    ):
        played.play(rng, 1)
    seat = played.ledger.to_act()[0]
    before = played.ledger.state.tables
    kinds = [*dict.fromkeys(before)]
    to = played.act(seat, ReportDomino(0, 1, (kinds[0],)))
    played.play(rng, 2)
    away = Counter(played.ledger.state.away)
    played.retell(to, ReportDomino(0, 1, (kinds[1],)))
    assert Counter(played.ledger.state.away) == away - Counter(kinds[:1]) + Counter(kinds[1:2])


def test_a_domino_told_at_a_wrong_cell_lies_where_it_lies() -> None:
    """Later ones that do not fit there any more are asked for."""
    played = begun()
    rng = random.Random(8)
    until(played, "laying", rng, Tile(3, "desert"))
    seat = played.ledger.state.turn.seat
    ways = [a for a in played.ledger.legal_for(seat) if isinstance(a, LayDomino)]
    to = played.act(seat, ways[0])
    played.retell(to, ways[-1])
    cells = played.ledger.state.ranches[seat].cells
    assert cells[ways[-1].at] is not None
    assert sum(c is not None for c in cells) == 2

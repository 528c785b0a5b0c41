"""The pages of Desperados: every phase on every screen, what a phone says, the end."""

from __future__ import annotations

import random
import re
from math import hypot
from typing import Any, Final

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from referee.games.base import Result
from referee.games.desperados import rules as desperados
from referee.games.desperados import screens, trails
from referee.games.desperados.actions import LayCard
from referee.games.desperados.closing import closing
from referee.games.desperados.events import ActivitySettled, Arrested, BankHeldUp, CardsTurned
from referee.games.desperados.model import Acting, Activity, Laying, Out, Returned, State, replace
from referee.journal import Ledger
from tests import player
from tests.desperados.paging import BOXED, GAME, begun, do, page
from tests.desperados.positions import BOARD, SURVEYED, evening, examine, placing, position
from tests.sight import other_state
from tests.table import EVERY_LANGUAGE, Evening, act, choose, phase_of, play, tables_of


@pytest.mark.parametrize("lang", EVERY_LANGUAGE)
@pytest.mark.parametrize("options", [{}, BOXED], ids=["app", "boxed"])
def test_every_phase_on_every_screen(app: Flask, lang: str, options: dict[str, str]) -> None:
    """Display, host's page, phones, menus and rulings can be drawn whenever anything changes."""
    rng = random.Random(lang)
    tables_of(app).taught.forget(GAME, "box")
    table = Evening(app, game=GAME, seats=3, lang=lang, **options).start()
    phases: set[str] = set()
    while table.table.ledger.status == "playing":
        now = phase_of(table.table)
        if now not in phases or rng.random() < 0.02:
            phases.add(now)
            for seat, phone in enumerate(table.phones):
                for rest in ("?open=1", "/menu", "/rules"):
                    page(phone, table.seat(seat, rest))
            page(table.laptop, f"/t/{table.code}")
            page(table.laptop, f"/t/{table.code}/host")
        act(tables_of(app), table.table, *choose(table.table.ledger, rng))
    assert phases >= {"placing", "riding", "laying", "acting", "examining"}
    assert (phases >= {"surveying", "first_schedule"}) is bool(options)
    page(table.laptop, f"/t/{table.code}")
    for seat, phone in enumerate(table.phones):
        page(phone, table.seat(seat))
        page(phone, table.seat(seat, "/menu"))


def test_a_phone_shows_only_what_can_be_played(app: Flask) -> None:
    """The neighbours on the map, as buttons too; nothing else can be chosen."""
    table = begun(app)
    do(table, 0, type="lay_card", card="Gallup")
    shown = page(table.phones[1], table.seat(1))
    for card in ("La-Luz", "Los-Lunas", "St-Johns", "Salem", "saloon"):
        assert f'id="k-{card}"' in shown
    assert 'id="k-Tucson"' not in shown
    assert shown.count('name="card"') == 5


def test_a_dead_end_is_said() -> None:
    """A card after which the later moves cannot all be made is marked, to its owner alone."""
    lost = {1: ("Red Cloud", "Los Lunas", "Santa Fe", "Socorro", "Salem")}
    state = position(
        Laying(), pawns=("Aztec", "La Luz", "Aztec"), lost=lost, routes={0: "Shiprock"}
    )
    assert trails.dead_ends(state, 1) == ()
    lost = {1: (*lost[1], "Tombstone")}
    state = position(
        Laying(), pawns=("Aztec", "La Luz", "Aztec"), lost=lost, routes={0: "Shiprock"}
    )
    assert {"El Paso", "saloon"} == {*trails.dead_ends(state, 1)}
    public = desperados.public(state)
    asked = screens.seat_parts(
        public, desperados.own(state, 1), desperados.legal_actions(state, 1), 1, fresh=1
    )
    (card,) = asked["ask"]
    assert {*card.dead_ends} == {"El Paso", "saloon"}
    for seat in (0, 2):
        assert desperados.own(state, seat).dead_ends == ()


def test_after_a_card_that_failed_one_is_nowhere() -> None:
    """The phone says so, and shows neither a place nor a way that cannot be."""
    routes = {0: "Shiprock", 1: "Tucson", 2: "saloon"}
    state = position(Laying(), pawns=("Aztec", "La Luz", "Aztec"), routes=routes, move=2)
    shown = parts(state, 1)
    (card,), country = shown["ask"], shown["where"]

    assert card.trouble == "broken"
    assert (card.at, country.at, country.path) == (None, None, ())


STUCK: Final[dict[str, Any]] = {
    "pawns": ("Aztec", "Socorro", "Aztec"),
    "lost": {1: ("Salem", "Los Lunas", "St. Johns", "La Luz")},
    "routes": {0: "saloon, Shiprock", 1: "saloon", 2: "saloon"},
    "move": 2,
}


def test_no_card_that_surely_fits_is_said() -> None:
    """To its owner: any card may be laid, but it ends the turn, and no city is offered as a way."""
    state = position(Laying(), **STUCK)
    shown = parts(state, 1)
    (card,), country = shown["ask"], shown["where"]
    assert card.trouble == "no_card"
    assert card.dead_ends == ()
    assert country.picks == ()
    free = position(Laying(), **(STUCK | {"lost": {}}))
    for seat, now in ((2, state), (1, free)):
        shown = parts(now, seat)
        card, country = shown["ask"][-1], shown["where"]
        assert card.trouble == ""
        assert country.picks


@pytest.mark.parametrize(
    ("board", "words"),
    [
        (BOARD, "No card of yours fits: your turn ends with this card."),
        (SURVEYED, "No card of yours surely fits: unless you confirm a road"),
    ],
    ids=["complete", "incomplete"],
)
def test_a_phone_without_a_fitting_card(app: Flask, board: Any, words: str) -> None:
    """Says so, and offers the cards beside the map, not on it."""
    shown = drawn(app, position(Laying(), board=board, **STUCK))
    assert words in shown
    assert 'id="k-Tucson"' in shown
    assert 'data-for="k-' not in shown


def test_the_only_card_that_fits_lies_there(app: Flask) -> None:
    """Nothing is left to change to, but the phone still says what lies there, with the map."""
    table: dict[str, Any] = STUCK | {
        "lost": {1: ("Los Lunas", "St. Johns", "La Luz")},
        "routes": {0: "saloon, Shiprock", 1: "saloon, Salem", 2: "saloon"},
    }
    state = position(Laying(), **table)
    assert not any(isinstance(a, LayCard) for a in desperados.legal_actions(state, 1))
    shown = drawn(app, state)
    assert "Your card lies there:" in shown
    assert 'class="country"' in shown
    assert 'id="lay"' not in shown


def test_doing_nothing_can_be_said_by_who_hides(app: Flask) -> None:
    """Even where nothing else can be done, so that having decided tells nothing."""
    routes = dict.fromkeys(range(3), "saloon")
    table: dict[str, Any] = {"pawns": ("Tucson",) * 3, "tiles": {"Tucson": None}, "routes": routes}
    hidden = position(Acting((None,) * 3), hidden=(False, True, False), **table)
    assert 'value="nothing"' in drawn(app, hidden)
    assert 'value="nothing"' not in drawn(app, position(Acting((None,) * 3), **table))


def test_discs_that_came_back_after_the_last_move_are_told() -> None:
    """To the gang, until the first card is turned; nothing else of its plans is there any more."""
    back = (Returned(1, "poker", "Salem"),)
    state = evening({}, pawns=("Tucson",) * 3, returned=back)
    told = parts(state, 2)["gang"]
    assert (told.is_on, told.plans.returned, told.rows) == (True, back, ())
    assert (told.hiding.may_hide, told.plans.may_place) == (False, False)
    assert not parts(state, 0)["gang"].is_on
    assert not parts(evening({}, pawns=("Tucson",) * 3), 2)["gang"].is_on
    assert not parts(examine(state, 1)[0].state, 2)["gang"].is_on


def test_only_who_is_arrested_hands_a_card_over() -> None:
    """A card that was lost in an earlier turn and laid all the same costs nothing again."""
    pawns = ("Aztec", "Tucson", "Tucson")
    state = evening({1: "Globe"}, pawns=pawns, lost={1: ("Globe", "Tucson")})
    state = replace(state, pawns=("Aztec", "Globe", "Tucson"), starts=("Aztec", "Globe", "Tucson"))
    first = examine(state, 1)[0].state
    public = desperados.public(first)
    assert public.seats[1].out == Out("impossible", 1)
    assert screens.display_parts(public)["hands"].cards == ()


def test_the_discs_that_were_seen_planned_are_sent(app: Flask) -> None:
    """By the form that ends the gang's part."""
    table = begun(app)
    for seat in range(4):
        do(table, seat, type="lay_any")
    ledger = table.table.ledger
    shown = page(table.phones[1], table.seat(1))
    mark = mark_on(shown)
    form = {"type": "place_discs", "plan": "1", "version": str(ledger.version(1))}
    assert table.phones[1].post(table.seat(1, "/act"), form).status_code == 422
    answer = table.phones[1].post(table.seat(1, "/act"), form | {"plan": mark})
    assert answer.status_code == 303


def test_two_can_declare_at_once(app: Flask) -> None:
    """What one declares makes nobody else's page an old one, only the end that they agreed on."""
    table = begun(app)
    for seat, card in enumerate(("Gallup", "Salem", "Salem", "saloon")):
        do(table, seat, type="lay_card", card=card)
    ledger = table.table.ledger
    versions = [str(ledger.version(seat)) for seat in range(4)]
    early = mark_on(page(table.phones[3], table.seat(3)))

    def post(seat: int, **form: str) -> TestResponse:
        sent = form | {"version": versions[seat]}
        return table.phones[seat].post(table.seat(seat, "/act"), sent)

    for seat in (1, 2):
        assert post(seat, type="declare", choice="poker").status_code == 303
    refused = post(3, type="place_discs", plan=early)
    assert refused.status_code == 422
    assert "The table moved on. Look again." in refused.text
    # Nothing is lost by it: all that was declared stands, and is laid once it was seen.
    assert ledger.state.phase == Acting((None, "poker", "poker", None))
    agreed = mark_on(page(table.phones[3], table.seat(3)))
    assert agreed != early
    assert post(3, type="place_discs", plan=agreed).status_code == 303
    assert [activity.seats for activity in ledger.state.activities] == [(1, 2)]


def mark_on(shown: str) -> str:
    """Find the mark of what the gang plans on a phone's page."""
    return re.findall(r'<input type="hidden" name="plan" value="([0-9a-f]{16})">', shown)[0]


def parts(state: State, seat: int) -> dict[str, Any]:
    """Give what a seat's phone is made of."""
    own, legal = desperados.own(state, seat), desperados.legal_actions(state, seat)
    return screens.seat_parts(desperados.public(state), own, legal, seat, fresh=1)


def drawn(app: Flask, state: State, seat: int = 1) -> str:
    """Draw what a seat of three is asked in this state."""
    table = Evening(app, game=GAME, seats=3, first_schedule="app").start()
    with other_state(table, state):
        drawer = app.extensions["referee"].parts
        shown = drawer.draw(table.table, drawer.frame(table.table, seat, "en"))
        return str(shown["where"]) + str(shown["ask"])


# What the examination shows


def test_what_a_step_shows_is_what_happened() -> None:
    """Made from the state alone, so it is the same after a restart: rides, arrests, verdicts."""
    state = evening(
        {
            0: "Gallup, St. Johns, saloon, Globe, Tucson",
            1: "Gallup, Flagstaff, Payson, saloon, Globe",
        },
        pawns=("Tuba City", "Tuba City", "Salem"),
        sheriffs=("Aztec", "Salem"),
        activities=(Activity("brown", "Gallup", 1, 0, (1,)),),
    )
    (step,) = examine(state, 1)
    shown = desperados.public(step.state).shown
    turned, *rest = step.events
    assert isinstance(turned, CardsTurned)
    assert shown is not None
    assert {(r.seat, r.card, r.target) for r in shown.rides} == {
        (t.seat, t.card, t.city) for t in turned.cards
    }
    assert {r.source for r in shown.rides if r.seat < 2} == {"Tuba City"}
    assert [e for e in rest if isinstance(e, ActivitySettled)] == [*shown.settled]
    assert [e.seat for e in rest if isinstance(e, Arrested)] == [1] == [*shown.over]
    assert desperados.public(state).shown is None


def test_banks_are_shown_as_robbed_or_not() -> None:
    """By who stands there and free, and by the tile that is gone."""
    idle = "saloon, Globe, Tucson, Sweet Water, Payson"
    state = evening(
        {
            0: idle,
            1: "saloon, St. Johns, Globe, Tucson, Silver City",
            2: "St. Johns, Gallup, Los Lunas, saloon, Socorro",
        },
        pawns=("Tucson", "Silver City", "Socorro"),
        sheriffs=("Socorro", "Aztec"),
    )
    *_, step = examine(state, 6)
    shown = desperados.public(step.state).shown
    assert shown is not None
    held_up = [e for e in step.events if isinstance(e, BankHeldUp)]
    assert {e.city: e.success for e in held_up} == {"Silver City": True, "Socorro": False}
    assert [*shown.held_up] == held_up
    assert [(loot.kind, loot.city) for loot in shown.takings] == [("bank", "Silver City")]


# The end


@pytest.mark.long
def test_the_end_tells_every_route(app: Flask) -> None:
    """A map for each turn, the loot by kind, who won; each phone has its own result."""
    table = begun(app, target="2000")
    play(tables_of(app), table.table, random.Random(4))
    assert table.table.ledger.status == "over"
    public = desperados.public(table.table.ledger.state)
    told = closing(public)
    assert [story.turn for story in told.stories] == [1, 2, 3, 4, 5]
    assert told.stories[-1].total == public.taken
    assert sum(amount for _, _, amount in told.kinds) == public.taken
    shown = page(table.laptop, f"/t/{table.code}")
    assert shown.count('class="replay"') == 1
    assert shown.count("pathLength") == 5 * 4 * 2
    result = public.result
    assert isinstance(result, Result)
    won = "rides off with the loot" if 0 not in result.winners else "keeps the peace"
    assert won in shown
    for seat in range(4):
        mine = page(table.phones[seat], table.seat(seat))
        assert ("You win, Marshal!" in mine) is (seat == 0 and result.winners == (0,))


def test_nobody_ends_a_route_on_the_name_of_a_city(app: Flask) -> None:
    """Names of 40 units begin that far above their line, 84 below the middle of a city."""
    table = Evening(app, game=GAME, seats=6, preset="app", board="practice").start()
    play(tables_of(app), table.table, random.Random(4))
    shown = page(table.laptop, f"/t/{table.code}")
    cities, pawns = (
        [
            (int(x), int(y))
            for x, y in re.findall(rf'"{kind}" transform="translate\((.+?) (.+?)\)', shown)
        ]
        for kind in ("city", "pawn")
    )
    assert len(pawns) == 5 * 6
    for x, y in pawns:
        _, below = min((hypot(x - at, y - down), y - down) for at, down in cities)
        assert below + 30 < 84 - 40


def test_the_deciding_turn() -> None:
    """The one in which the gang reached its target, or the leanest if it did not."""
    ledger = finished(random.Random(1))
    public = desperados.public(ledger.state)
    told = closing(public)
    decided = told.stories[told.deciding - 1]
    if told.has_gang_won:
        assert decided.total >= public.goal > decided.total - decided.gain
    else:
        assert decided.gain == min(story.gain for story in told.stories)


def test_who_was_how_often_arrested_is_counted_by_seat(app: Flask) -> None:
    """At the end, in the turns that are told; the Marshal's own count is that of all arrests."""
    table = begun(app, target="2000")
    play(tables_of(app), table.table, random.Random(5))
    public = desperados.public(table.table.ledger.state)
    caught = [e.seat for line in table.table.ledger.log.lines for e in line.events if is_arrest(e)]
    assert caught
    assert public.arrests == (len(caught), *(caught.count(seat) for seat in (1, 2, 3)))
    for seat, count in enumerate(public.arrests):
        verb = "made" if seat == 0 else "were arrested"
        none = "You arrested nobody." if seat == 0 else "Nobody arrested you."
        words = {0: none, 1: "You {} 1 arrest." if seat == 0 else "You {} once."}
        expected = words.get(count, f"You {{}} {count} ").format(verb)
        assert expected in page(table.phones[seat], table.seat(seat))


def is_arrest(event: object) -> bool:
    """Say whether somebody was arrested."""
    return isinstance(event, Arrested)


def finished(rng: random.Random) -> Ledger:
    """Play a game on the practice map to its end."""
    ledger = Ledger(desperados)
    state = placing()
    while not desperados.score(state):
        seat, action = player.choose(rng, player.at_rules(desperados, state))
        state = desperados.apply(state, seat, action).state
    ledger.state = state
    return ledger


def test_both_boards_share_one_drawing() -> None:
    """It is only a schematic, so the box's is the same as the practice map's."""
    from referee import profiles  # noqa: PLC0415

    assert profiles.load(GAME, "box")["drawing"] == profiles.load(GAME, "practice")["drawing"]
    assert BOARD.practice

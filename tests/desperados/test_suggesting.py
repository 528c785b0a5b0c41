"""The gang suggests silently: whoever is not of it notices nothing, whatever is taken back."""

from __future__ import annotations

import random
import re
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from flask import Flask

from referee.errors import RuleViolation
from referee.games.desperados import rules as desperados
from referee.games.desperados.actions import (
    Action,
    Agree,
    DropSuggestion,
    LayCard,
    Suggest,
)
from referee.games.desperados.model import Acting, Examining, Idea, Laying, Riding, State, replace
from referee.games.desperados.schedules import begin_turn
from tests.desperados.positions import GREGOR, MATTHIAS, PATRICK, SABINE, position
from tests.desperados.test_blindness import MARSHAL, begin, do, lay, sight, tapped, two_evenings
from tests.strategies import sees
from tests.table import streaming, tables_of

GANG = frozenset((1, 2, 3, 4))
SALEM = Suggest("Salem", 4)


def done(state: State, *acts: tuple[int, Action]) -> State:
    """Let the gang talk."""
    for seat, action in acts:
        step = desperados.apply(state, seat, action)
        assert (step.events, step.secret, step.audience, step.keeps) == ((), True, GANG, True)
        state = step.state
    return state


def refused(state: State, seat: int, action: Action) -> str:
    """Give the code by which something is refused."""
    try:
        desperados.apply(state, seat, action)
    except RuleViolation as error:
        return error.code
    return ""


def test_a_suggestion_is_the_gangs_alone() -> None:
    """Each mate sees who suggests what and who agreed; Marshal and display see no difference."""
    state = position(Laying(), move=3)
    told = done(state, (GREGOR, SALEM), (SABINE, Agree(GREGOR, "Salem", 4)))

    for seat in (GREGOR, PATRICK, SABINE):
        assert desperados.own(told, seat).ideas == (Idea(GREGOR, "Salem", 4, (SABINE,)),)
    for viewer in (None, MATTHIAS):
        assert sees(desperados, told, viewer) == sees(desperados, state, viewer)
    for seat in range(5):
        assert desperados.legal_actions(told, seat) == desperados.legal_actions(state, seat)
    assert desperados.to_act(told) == desperados.to_act(state)


def test_one_has_one_suggestion_and_takes_it_back() -> None:
    """A new one takes the place of the old, with those who agreed to that."""
    state = done(position(Laying(), move=3), (GREGOR, SALEM), (SABINE, Agree(GREGOR, "Salem", 4)))
    other = done(state, (GREGOR, Suggest("Globe", 5)))

    assert desperados.own(other, PATRICK).ideas == (Idea(GREGOR, "Globe", 5),)
    assert refused(other, SABINE, Agree(GREGOR, "Salem", 4)) == "went_on"
    assert done(other, (GREGOR, DropSuggestion())).ideas == ()
    assert refused(other, SABINE, DropSuggestion()) == "already_so"
    assert refused(state, GREGOR, SALEM) == "already_so"
    assert refused(state, SABINE, Agree(GREGOR, "Salem", 4)) == "already_so"
    assert refused(state, GREGOR, Agree(GREGOR, "Salem", 4)) == "went_on"


def test_only_moves_to_come_are_suggested() -> None:
    """A move whose cards all lie there is over; with the turn all is forgotten."""
    laying, acting = (position(phase, move=3) for phase in (Laying(), Acting((None,) * 5)))

    assert desperados.own(laying, GREGOR).idea_moves == (3, 4, 5)
    assert desperados.own(acting, GREGOR).idea_moves == (4, 5)
    assert refused(acting, GREGOR, Suggest("Salem", 3)) == "went_on"
    told = done(position(Riding(()), move=2), (GREGOR, Suggest("Salem", 2)))
    later = position(Acting((None,) * 5), move=2, ideas=told.ideas)
    assert desperados.own(later, SABINE).ideas == ()
    assert begin_turn(told, ()).state.ideas == ()
    examining = position(Examining(0, (None,) * 5))
    assert refused(examining, GREGOR, SALEM) == "not_your_turn"
    assert refused(laying, MATTHIAS, SALEM) == "not_your_turn"
    assert desperados.own(told, MATTHIAS).ideas == desperados.own(told, MATTHIAS).idea_moves == ()


def test_twins_stay_twins_while_the_gang_suggests(tmp_path: Path) -> None:
    """Through the forms of the gang's own pages: no byte, size or version elsewhere differs."""
    with two_evenings(tmp_path) as (one, two), ExitStack() as stack:
        for evening in (one, two):
            lay(evening, MARSHAL, "Gallup")
            for seat, phone in enumerate(evening.phones):  # that a phone is awake all may see
                phone.get(evening.seat(seat))
        watchers = tables_of(two.app).live._watchers  # noqa: SLF001  # no one else may
        paths = ((two.laptop, f"/t/{two.code}/stream"), (two.phones[0], two.seat(0, "/stream")))
        streams = [stack.enter_context(streaming(who.client, path)) for who, path in paths]
        for stream in streams:
            stream.read()
            stream.read()
        tapped(two, 1, type="suggest", city="Salem", move="2")
        tapped(two, 2, type="agree", city="Salem", move="2")
        assert not any(watcher.is_woken for watcher in watchers[two.code])
        assert "Meet in Salem at move 2?" in two.phones[3].get(two.seat(3)).text
        for viewer in (None, MARSHAL):
            assert sight(one, viewer) == sight(two, viewer)
        tapped(two, 1, type="drop_suggestion")
        for viewer in (None, MARSHAL):
            assert sight(one, viewer) == sight(two, viewer)


def test_what_was_suggested_outlives_an_undo(app: Flask) -> None:
    """Whoever takes a card back loses no word of what the gang agreed on since."""
    evening = begin(app)
    lay(evening, MARSHAL, "Gallup")
    lay(evening, 1, "Salem")
    do(evening, 2, type="suggest", city="Globe", move=2)
    do(evening, 3, type="agree", mate=2, city="Globe", move=2)
    length = evening.table.ledger.noticed.version(None)
    tables_of(app).consent.undo(evening.table, 1, to=evening.table.ledger.own_last(1) or 0)

    state = evening.table.ledger.state
    assert state.ideas == (Idea(2, "Globe", 2, (3,)),)
    assert state.routes[1] == ()
    assert evening.table.ledger.noticed.version(None) == length + 1


def test_an_undo_across_turns_leaves_no_word_of_the_later_one(app: Flask) -> None:
    """No suggestion of the second turn, nor its taking back or a yes to it, reaches the first."""
    first = done(position(Laying(), move=3), (GREGOR, Suggest("Salem", 4, 1)))
    second = replace(first, turn=2, ideas=())
    assert first.turn == 1
    assert done(second, (GREGOR, Suggest("Globe", 5, 2))).ideas == (Idea(GREGOR, "Globe", 5),)
    assert refused(first, GREGOR, Suggest("Globe", 5, 2)) == "went_on"
    assert refused(first, GREGOR, DropSuggestion(2)) == "went_on"
    assert done(first, (GREGOR, DropSuggestion(1))).ideas == ()
    assert refused(first, SABINE, Agree(GREGOR, "Salem", 4, 2)) == "went_on"
    agreed = done(first, (SABINE, Agree(GREGOR, "Salem", 4, 1))).ideas
    assert agreed == (Idea(GREGOR, "Salem", 4, (SABINE,)),)

    evening = begin(app)
    lay(evening, MARSHAL, "Gallup")
    page = evening.phones[1].get(evening.seat(1)).text
    assert re.search(r'value="suggest".*?name="turn"\s+value="1"', page, re.DOTALL)
    tapped(evening, 1, type="suggest", city="Salem", move="2", turn="1")
    assert evening.table.ledger.state.ideas == (Idea(1, "Salem", 2),)
    page = evening.phones[2].get(evening.seat(2)).text
    agree = r'value="agree".*?name="turn"\s+value="1"><button[^>]*>I agree'
    assert re.search(agree, page, re.DOTALL)


def test_a_card_being_chosen_is_not_made_old_by_it(app: Flask) -> None:
    """A mate's form still counts while others suggest; nobody's turn signal goes off."""
    evening = begin(app)
    lay(evening, MARSHAL, "Gallup")
    since = evening.table.ledger.noticed.asked_since(1)
    parts = evening.app.extensions["referee"].parts

    def drawn(name: str) -> str:
        return str(parts.draw(evening.table, parts.frame(evening.table, 1, "en"))[name])

    before = [drawn(name) for name in ("ask", "head")]
    do(evening, 2, type="suggest", city="Salem", move=2)

    assert [drawn(name) for name in ("ask", "head")] == before
    assert evening.table.ledger.noticed.asked_since(1) == since
    cards = [a for a in evening.table.ledger.legal_for(1) if isinstance(a, LayCard)]
    assert random.Random(1).choice(cards)


def test_what_stays_is_not_sent_anew_for_a_newer_version(app: Flask) -> None:
    """The version of a form stands beside it: where nothing else changed, that alone is sent."""
    evening = begin(app)
    parts = evening.app.extensions["referee"].parts

    def gang() -> Any:
        return parts.draw(evening.table, parts.frame(evening.table, 1, "en"))["gang"]

    lay(evening, MARSHAL, "Gallup")
    do(evening, 2, type="suggest", city="Salem", move=2)
    before = gang()
    lay(evening, 1, "Salem")

    sent = str(gang().since(before))
    assert re.findall(r' id="([\w-]+)"', sent) == ["since"]
    version = evening.table.ledger.noticed.asked_since(1)
    for form in ("f-suggest", "f-hiding", "f-idea-2"):
        assert f'value="{version}" form="{form}"' in sent
        assert f'id="{form}"' in str(gang())
    tapped(evening, 1, type="suggest", city="Globe", move="2")
    tapped(evening, 1, type="hide_plan")
    tapped(evening, 1, type="agree", mate="2")
    assert [idea.agreed for idea in evening.table.ledger.state.ideas if idea.seat == 2] == [(1,)]

"""Show me how: whoever plays for the first time is told a sentence at each new kind of question."""

from __future__ import annotations

import random
import re
from typing import Any, get_args

import pytest
from flask import Flask

from referee.games import GAMES
from referee.games.desperados import questions
from referee.games.moon_river import asks as moon_river
from referee.games.winchester import asks as winchester
from referee.hints import Hints, kinds_of
from referee.steps import decode_action
from referee.web.frame import tag_of
from tests.table import APP, Browser, Evening, streaming, tables_of

KINDS = {
    "winchester": winchester.Question,
    "desperados": questions.Question,
    "moon_river": moon_river.Question,
}


def kinds(union: Any) -> set[str]:
    """Name all kinds of a union, which may have unions in it, but the one that asks nothing."""
    found: set[str] = set()
    for kind in get_args(union):
        found |= kinds(kind) if get_args(kind) else {tag_of(kind)}
    return found - {"idle"}


@pytest.mark.parametrize("game", sorted(KINDS))
def test_every_kind_of_question_has_its_sentence(game: str, app: Flask) -> None:
    """In three languages, each another one; and every action that answers is one of the game's."""
    known = GAMES[game].screens.HINTS
    actions = {tag_of(each) for each in get_args(GAMES[game].Action)}

    assert known.keys() == kinds(KINDS[game])
    assert {action for answers in known.values() for action in answers} <= actions
    said = [
        str(app.extensions["referee"].renderer.words(game, lang).hint(kind)).strip()
        for lang in ("en", "de", "fr")
        for kind in known
    ]
    assert all(said)
    # The same twice is what is asked of a board in general; of two kinds no more are alike.
    assert len({*said}) > len(said) - 6


def hint(page: str) -> str:
    """Give what a phone's hint shows."""
    found = re.search(r'data-part="hint">(.*?)</div>\s*<[a-z]+ id=', page, re.DOTALL)
    assert found is not None
    return found[1]


def asked_seat(evening: Evening) -> int:
    """Give the seat whose turn it is."""
    return int(evening.table.game.public(evening.table.ledger.state).waiting_for[0])


def auction(app: Flask, **options: str) -> Evening:
    """Begin a game whose first plot is up for auction."""
    evening = Evening(app, **options).start()
    evening.play(random.Random(4), until="open_auction")
    return evening


def bid(evening: Evening, seat: int) -> None:
    """Let a seat bid through its page."""
    form = {"type": "bid", "amount": "1000", "version": evening.table.ledger.version(seat)}
    answer = evening.phones[seat].post(evening.seat(seat, "/act"), form)
    assert answer.status_code == 303, answer.text


def test_a_newcomer_is_told_until_they_answered_once(own_app: Flask) -> None:
    """On their own phone alone; the next question of the kind comes without it."""
    evening = auction(own_app)
    seat = asked_seat(evening)
    page = evening.seat(seat)
    before = evening.phones[seat].get(page).text
    assert "Name more than the bid that stands" in hint(before)
    length = evening.table.ledger.length
    bid(evening, seat)

    assert evening.table.ledger.length == length + 1
    other = asked_seat(evening)
    assert other != seat
    assert "Name more" in hint(evening.phones[other].get(evening.seat(other)).text)
    evening.play(random.Random(1), until="between")
    evening.play(random.Random(1), until="open_auction")
    told = own_app.extensions["referee"].hints.shown(evening.table, seat, ("open_bid", "pass"))
    assert told == ()
    assert "Name more" not in evening.laptop.get(f"/t/{evening.code}").text


def test_only_what_was_answered_is_gone(own_app: Flask) -> None:
    """The Marshal who lays a card has not moved a Sheriff yet."""
    evening = Evening(own_app, game="desperados", seats=4).start()
    evening.play(random.Random(2), until="riding")
    seat = asked_seat(evening)
    hints: Hints = own_app.extensions["referee"].hints
    assert hints.asked(evening.table, seat, "move_sheriff") == {"move_sheriffs"}
    told = hints.asked(evening.table, seat, "lay_card")
    assert told == {"lay_card"}
    hints.answered(evening.table, seat, told)

    assert hints.asked(evening.table, seat, "lay_card") == set()
    assert hints.asked(evening.table, seat, "move_sheriff") == {"move_sheriffs"}


def test_whoever_played_before_is_told_nothing(own_app: Flask) -> None:
    """People are known by their names, by all of them once two are made one; bots are nobody."""
    auction(own_app)
    again = auction(own_app)
    seat = asked_seat(again)
    assert hint(again.phones[seat].get(again.seat(seat)).text) == ""
    other = Evening(own_app, game="moon_river").start()
    first = other.table.ledger.seating.order[0]
    assert own_app.extensions["referee"].hints.is_on(other.table, first)

    own_app.extensions["referee"].hints._people.call("Ann", "Annette")  # noqa: SLF001
    table, _ = tables_of(own_app).open("winchester", options=APP)
    seats = [tables_of(own_app).lobby.join(table, name)[0].seat for name in ("Annette", "Zoe")]
    hints: Hints = own_app.extensions["referee"].hints
    assert [hints.is_on(table, seat) for seat in seats] == [False, True]


def test_it_is_switched_off_for_good_and_on_again(own_app: Flask) -> None:
    """For the person: at the next game too, and after a restart; on begins anew."""
    evening = auction(own_app)
    seat = asked_seat(evening)
    evening.phones[seat].post(evening.seat(seat, "/hints"), {"hints": "off"})
    assert hint(evening.phones[seat].get(evening.seat(seat)).text) == ""
    other = Evening(own_app, game="moon_river").start()
    fresh = Hints(tables_of(own_app).store, tables_of(own_app).live)
    wanted = [fresh.is_on(other.table, each) for each in other.table.ledger.seating.order]
    assert wanted.count(False) == 1

    assert not wanted[seat]
    menu = evening.phones[seat].get(evening.seat(seat, "/menu")).text
    assert 'aria-checked="false"' in menu
    evening.phones[seat].post(evening.seat(seat, "/hints"), {"hints": "on"})
    assert "Name more" in hint(evening.phones[seat].get(evening.seat(seat)).text)


def test_whoever_takes_a_seat_over_is_told_anew(own_app: Flask) -> None:
    """Under another name; the same person under another spelling is not."""
    evening = auction(own_app)
    seat = asked_seat(evening)
    hints: Hints = own_app.extensions["referee"].hints
    hints.answered(evening.table, seat, frozenset({"open_bid"}))
    name = evening.table.ledger.seating.seats[seat].name
    evening.phones[seat].post(evening.seat(seat, "/rename"), {"name": name.upper()})
    assert hints.shown(evening.table, seat, ("open_bid",)) == ()

    evening.phones[seat].post(evening.seat(seat, "/rename"), {"name": "Somebody Else"})
    assert hints.shown(evening.table, seat, ("open_bid",)) == ("open_bid",)
    fresh = Hints(tables_of(own_app).store, tables_of(own_app).live)
    assert fresh.shown(evening.table, seat, ("open_bid",)) == ("open_bid",)


def test_who_is_made_one_person_in_mid_game_is_known_at_once(own_app: Flask) -> None:
    """Whoever played before under another name is told nothing more, without a restart."""
    auction(own_app)
    table, _ = tables_of(own_app).open("winchester", options=APP)
    seats = [tables_of(own_app).lobby.join(table, name)[0].seat for name in ("Nan", "Zoe")]
    hints: Hints = own_app.extensions["referee"].hints
    assert [hints.is_on(table, seat) for seat in seats] == [True, True]

    machine = Browser(own_app)
    machine.client.environ_base["REMOTE_ADDR"] = "127.0.0.1"
    answer = machine.post("/evenings/people", {"person": "Ann", "name": "Nan"})
    assert answer.status_code == 303
    assert [hints.is_on(table, seat) for seat in seats] == [False, True]


def test_nobody_else_is_woken_by_it(own_app: Flask) -> None:
    """Nothing of it is in the journal, nor in what any other page is sent."""
    evening = auction(own_app)
    seat = asked_seat(evening)
    others = [each for each in evening.table.ledger.seating.order if each != seat]
    head = evening.table.ledger.head
    evening.phones[seat].get(evening.seat(seat))  # so that nobody is told that it sleeps
    for each in others:
        evening.phones[each].get(evening.seat(each))
    shown = {each: evening.phones[each].get(evening.seat(each)).text for each in others}
    with streaming(evening.phones[seat].client, evening.seat(seat, "/stream")) as stream:
        stream.read()
        stream.read()
        evening.phones[seat].post(evening.seat(seat, "/hints"), {"hints": "off"})
        assert [name for name, _, _ in stream.read()] == ["hint"]

    assert evening.table.ledger.head == head
    assert {each: evening.phones[each].get(evening.seat(each)).text for each in others} == shown


def test_a_note_that_cannot_be_kept_takes_no_answer_back(own_app: Flask) -> None:
    """The bid is stored by then, so nobody is told that nothing was done; nor is it told again."""
    evening = auction(own_app)
    seat = asked_seat(evening)
    hints = own_app.extensions["referee"].hints
    length = evening.table.ledger.length
    assert hints.shown(evening.table, seat, ("open_bid",))
    tables_of(own_app).store.write(lambda db: db.execute("DROP TABLE hinted"))
    form = {"type": "bid", "amount": "1000", "version": evening.table.ledger.version(seat)}
    answer = evening.phones[seat].post(evening.seat(seat, "/act"), form)
    evening.phones[seat].post(
        evening.seat(seat, "/undo"), {"to": evening.table.ledger.own_last(seat)}
    )

    assert (answer.status_code, evening.table.ledger.length) == (303, length + 2)
    assert hints.shown(evening.table, seat, ("open_bid",)) == ()


def test_a_note_costs_no_commit_of_its_own(own_app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tap waits for the card as often as any other; what was shown is kept with the next."""
    evening = auction(own_app)
    seat = asked_seat(evening)
    store = tables_of(own_app).store
    batches: list[int] = []
    commit = store._commit  # noqa: SLF001  # counted
    monkeypatch.setattr(store, "_commit", lambda batch: (batches.append(len(batch)), commit(batch)))
    form = {"type": "bid", "amount": "1000", "version": evening.table.ledger.version(seat)}
    evening.phones[seat].post(evening.seat(seat, "/act"), form)
    with store.reading() as db:
        assert (batches, db.table("hinted").count) == ([1], 0)
    evening.phones[seat].post(
        evening.seat(seat, "/undo"), {"to": evening.table.ledger.own_last(seat)}
    )
    with store.reading() as db:
        assert (batches, db.table("hinted").count > 0) == ([1, 1], True)


def test_a_refused_answer_leaves_it_where_it_was(own_app: Flask) -> None:
    """Whoever errs is told again; nor does anybody switch it off for somebody else."""
    evening = auction(own_app)
    seat = asked_seat(evening)
    form = {"type": "bid", "amount": "99000", "version": evening.table.ledger.version(seat)}
    evening.phones[seat].post(evening.seat(seat, "/act"), form)
    Browser(own_app).post(evening.seat(seat, "/hints"), {"hints": "off"})

    assert "Name more" in hint(evening.phones[seat].get(evening.seat(seat)).text)


def test_what_says_that_nothing_is_asked_is_no_question() -> None:
    """So nobody is told anything while they wait."""
    waiting = questions.Idle(doing="others", only=None, marshal=0)

    assert kinds_of((waiting, questions.BeginExamination(fresh=1))) == ("begin_examination",)
    assert decode_action(GAMES["winchester"], {"type": "pass"}) is not None

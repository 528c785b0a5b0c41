"""Who sits where: kept seats, the same people again, a seat on the table's own screen."""

from __future__ import annotations

import random
import re
import sqlite3
from pathlib import Path

import pytest
from flask import Flask

from referee import live
from referee.entries import SeatId
from referee.games import GAMES
from referee.games.base import SeatIndex
from referee.live import ABSENT_S
from tests.forms import forms_of
from tests.table import Browser, Evening, app_at, tables_of


def test_whoever_takes_a_kept_seat_first_sits_down(app: Flask) -> None:
    """It looks kept until then, and nobody is told that a seat moved."""
    evening = Evening(app, seats=3)
    evening.laptop.post(f"/t/{evening.code}/hold", {"name": "Late"})
    assert "kept" in evening.laptop.get(f"/t/{evening.code}").text
    evening.start()
    seat = evening.table.ledger.seating.order[-1]
    late = Browser(app)

    late.post(f"/j/{evening.code}/seats/{seat}")

    assert late.get(f"/s/{evening.code}/{seat}").status_code == 200
    assert "seat moved" not in evening.phones[0].get(evening.seat(0)).text
    assert "seat moved" not in evening.laptop.get(f"/t/{evening.code}").text


def test_a_kept_seat_that_was_removed_is_kept_no_more(app: Flask) -> None:
    """The sentence about kept seats goes with the last of them."""
    evening = Evening(app, seats=3)
    path = f"/t/{evening.code}"
    evening.laptop.post(f"{path}/hold", {"name": "Late"})
    assert "A kept seat is taken" in evening.laptop.get(path).text

    evening.laptop.post(f"{path}/remove", {"seat": str(evening.table.ledger.seating.order[-1])})

    assert "A kept seat is taken" not in evening.laptop.get(path).text


def test_a_made_up_board_is_named_by_what_is_drawn_anew(app: Flask) -> None:
    """Whoever chooses the box's board meanwhile does not read on that it is another."""
    evening = Evening(app, seats=3, board="practice")
    said = "Practice board: not the board in the box"
    for browser, path in (
        (evening.laptop, f"/t/{evening.code}"),
        (evening.phones[0], evening.seat(0)),
    ):
        before, part, after = browser.get(path).text.partition('data-part="seats"')
        assert part
        assert said in after.partition("data-part")[0]
        assert said not in before + after.partition("data-part")[2]


def test_a_host_who_helps_too_late_finds_back_to_where_one_helps(app: Flask) -> None:
    """A late comer sat down meanwhile: the page that the tap was on is one tap away."""
    evening = Evening(app, seats=3).start()
    until_one_is_asked(evening)
    seat = str(asked_seat(evening))
    evening.laptop.post(f"/t/{evening.code}/release", {"seat": seat})
    page = evening.laptop.get(f"/t/{evening.code}/host").text
    form = next(form for form in forms_of(page) if form.action.endswith("/act-for"))
    late = dict(form.fixed) | {"version": "0"}

    answer = evening.laptop.post(f"/t/{evening.code}/act-for", late)

    assert answer.status_code == 409
    assert f'href="/t/{evening.code}/host"' in answer.text


def test_a_rematch_keeps_the_host_and_all_seats_of_a_phone(app: Flask) -> None:
    """Whoever asks first: a laptop that hosts and plays brings both along, by any way in."""
    evening = Evening(app, seats=3).start()
    evening.play(random.Random(1))
    key = tables_of(app).desk.new_key(evening.table, evening.table.ledger.seating.order[2])
    phone = evening.phones[1]
    mine = next(c for c in phone.client._cookies.values() if c.key.endswith("_1"))  # noqa: SLF001
    phone.client.set_cookie(mine.key[:-1] + "2", key, domain=mine.domain)

    answer = phone.post(evening.seat(1, "/rematch"))
    again = answer.location.split("/")[2]

    assert phone.key(again, 1)
    assert phone.key(again, 2)
    evening.laptop.post(f"/t/{evening.code}/rematch")
    assert evening.laptop.key(again, "host")


def test_a_player_without_a_phone_stays_at_the_display(app: Flask) -> None:
    """The page after sitting down is the big screen, with the seat's button once play is on."""
    evening = Evening(app, seats=3)
    path = f"/j/{evening.code}"
    page = evening.laptop.get(f"{path}?more=1&home=1").text
    assert 'name="home"' in page
    assert f'href="/t/{evening.code}"' in page  # whoever did not mean it finds back
    (look,) = [form for form in forms_of(page) if form.action == "/look"]
    shown = evening.laptop.post(look.action, dict(look.fixed) | {"lang": "en"}).location
    assert 'name="home"' in evening.laptop.get(shown).text

    sat = evening.laptop.post(path, {"name": "Hank", "home": "1"})

    assert sat.location == f"/t/{evening.code}"
    evening.start()
    assert "?home=1" in evening.laptop.get(f"/t/{evening.code}").text


def test_a_player_at_the_display_is_awake_while_it_is(app: Flask) -> None:
    """Without a phone nobody sleeps: the table's own screen says that its players are here."""
    evening = Evening(app, seats=3)
    evening.laptop.post(f"/j/{evening.code}", {"name": "Hank", "home": "1"})
    evening.start()
    path, live = f"/t/{evening.code}", tables_of(app).live
    live._seen.clear()  # noqa: SLF001

    assert f'data-here="{evening.seat(3, "/here")}"' in evening.laptop.get(path).text
    assert "data-here" not in Browser(app).get(path).text
    assert not live.is_present(evening.code, SeatId(3))
    evening.laptop.post(evening.seat(3, "/here"))
    assert live.is_present(evening.code, SeatId(3))


def until_one_is_asked(evening: Evening) -> None:
    """Play until the table waits for one seat alone."""
    rng, ledger = random.Random(1), evening.table.ledger
    while len(ledger.game.public(ledger.state).waiting_for) != 1:
        evening.play(rng, most=1)


def asked_seat(evening: Evening) -> int:
    """Give the one seat that the table waits for."""
    ledger = evening.table.ledger
    (index,) = ledger.game.public(ledger.state).waiting_for
    return ledger.seating.at(SeatIndex(index))


@pytest.mark.parametrize("game", GAMES)
def test_every_phone_says_whose_phone_is_asleep(
    app: Flask, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not its own page, and nobody's once that phone was heard of again."""
    evening = Evening(app, game=game, seats=3).start()
    until_one_is_asked(evening)
    seat = asked_seat(evening)
    other = next(s for s in evening.table.ledger.seating.order if s != seat)
    live = tables_of(app).live
    monkeypatch.setattr(live, "is_present", lambda _, one: one != seat)

    assert "phone is asleep" in evening.phones[other].get(evening.seat(other)).text
    assert "phone is asleep.</span>" not in evening.phones[seat].get(evening.seat(seat)).text
    monkeypatch.undo()
    evening.phones[seat].post(evening.seat(seat, "/here"))
    assert "phone is asleep" not in evening.phones[other].get(evening.seat(other)).text


def test_a_seat_in_anothers_hands_is_neither_asleep_nor_absent(app: Flask) -> None:
    """One phone holds two seats: whichever of them is open, both were heard of."""
    evening = Evening(app, seats=3).start()
    phone, tables = evening.phones[1], tables_of(app)
    key = tables.desk.new_key(evening.table, SeatId(2))
    mine = next(c for c in phone.client._cookies.values() if c.key.endswith("_1"))  # noqa: SLF001
    phone.client.set_cookie(mine.key[:-1] + "2", key, domain=mine.domain)
    tables.live._seen.clear()  # noqa: SLF001

    phone.post(evening.seat(1, "/here"))

    assert tables.live.is_present(evening.code, SeatId(2))
    assert not tables.live.is_absent(evening.code, SeatId(2))


def test_the_host_acts_only_for_those_who_are_away_for_a_minute(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A phone that fell asleep half a minute ago may wake up; after a minute somebody goes on."""
    evening = Evening(app, seats=3).start()
    seat = asked_seat(evening)
    evening.phones[seat].get(evening.seat(seat))
    monkeypatch.setattr(live, "ABSENT_S", ABSENT_S)
    for silent_s, may in ((ABSENT_S / 2, False), (ABSENT_S, True)):
        monkeypatch.setattr(tables_of(app).live, "_silent_s", lambda *_, s=silent_s: s)
        page = evening.laptop.get(f"/t/{evening.code}/host").text
        assert ("In the place of" in page) is may


def test_a_free_seat_that_the_table_waits_for_says_what_to_do(app: Flask) -> None:
    """On the display and on every phone, until somebody has taken it."""
    evening = Evening(app, seats=3).start()
    seat = asked_seat(evening)
    evening.laptop.post(f"/t/{evening.code}/release", {"seat": str(seat)})
    other = next(s for s in evening.table.ledger.seating.order if s != seat)
    pages = [
        (evening.laptop, f"/t/{evening.code}"),
        (evening.phones[other], evening.seat(other)),
    ]

    assert all("nobody holds this seat" in phone.get(path).text for phone, path in pages)
    Browser(app).post(f"/j/{evening.code}/seats/{seat}")
    assert not any("nobody holds this seat" in phone.get(path).text for phone, path in pages)


def test_a_free_seat_comes_before_those_that_are_held(app: Flask) -> None:
    """Whoever arrives late sees first what they may take; why not the others is said once."""
    evening = Evening(app, seats=4).start()
    evening.laptop.post(f"/t/{evening.code}/release", {"seat": "3"})
    page = Browser(app).get(f"/j/{evening.code}").text

    assert re.findall(r"/seats/(\d)", page) == ["3", "0", "1", "2"]
    assert page.count("The host or that phone must let you in") == 1
    assert page.index("free: sit down") < page.index("The host or that phone must let you in")
    own = evening.phones[2].get(f"/j/{evening.code}?more=1").text
    assert own.index("This phone plays here") < own.index("free: sit down")


@pytest.mark.parametrize("game", GAMES)
def test_what_anybody_may_do_waits_for_no_seat(app: Flask, game: str) -> None:
    """Whoever sits there tells what came out of the box; nobody waits for a late comer."""
    evening = Evening(app, game=game, seats=3, preset="boxed", board="practice").start()
    public = evening.table.ledger.public()
    seat = evening.table.ledger.seating.at(SeatIndex(public.waiting_for[0]))
    evening.laptop.post(f"/t/{evening.code}/release", {"seat": str(seat)})
    tables_of(app).live._seen.clear()  # noqa: SLF001
    other = next(s for s in evening.table.ledger.seating.order if s != seat)

    assert public.is_anybodys
    for phone, path in (
        (evening.laptop, f"/t/{evening.code}"),
        (evening.phones[other], evening.seat(other)),
    ):
        page = phone.get(path).text
        assert "nobody holds this seat" not in page
        assert "Waiting for" not in page


def test_a_wrong_name_is_taken_back(app: Flask) -> None:
    """By a button, or by sitting down on the right seat; then the table is asked nothing more."""
    evening = Evening(app, seats=3)
    evening.laptop.post(f"/t/{evening.code}/hold", {"name": "Late"})
    evening.start()
    late = Browser(app)
    wrong, right = f"/j/{evening.code}/seats/1", f"/j/{evening.code}/seats/3"
    asked = late.post(wrong).location
    assert f'action="{asked}/withdraw"' in late.get(asked).text
    assert "Another phone says" in evening.phones[1].get(evening.seat(1)).text

    assert late.post(f"{asked}/withdraw").location == f"/j/{evening.code}"

    assert "Another phone says" not in evening.phones[1].get(evening.seat(1)).text
    assert "This request is gone." in late.get(asked).text
    assert late.post(f"{asked}/withdraw").status_code == 303  # a double tap
    late.post(wrong)
    assert late.post(right).location == evening.seat(3)
    assert evening.table.requests == []


def test_the_hosts_page_says_what_was_done(app: Flask) -> None:
    """A seat that was freed, a correction: named above all that can be done next, and only then."""
    evening = Evening(app, seats=3).start()
    page = f"/t/{evening.code}/host"
    assert 'role="status">' not in evening.laptop.get(page).text.split("<h1>")[1]

    freed = evening.laptop.post(f"/t/{evening.code}/release", {"seat": "1"})
    said = evening.laptop.get(freed.location).text.split('role="status">', 2)[-1][:400]
    assert "The host freed" in said
    assert "Ben" in said

    star = evening.table.game.public(evening.table.ledger.state).star
    form = {"what": "star", "seat": str((star + 1) % 3), "reason": "it lies here"}
    corrected = evening.correct(form)
    said = evening.laptop.get(corrected.location).text.split('role="status">', 2)[-1][:600]
    assert "The host corrected:" in said


def test_a_phone_is_not_told_that_another_holds_its_own_seat(app: Flask) -> None:
    """On the join page of a running game its own name leads back; the others have to let it in."""
    evening = Evening(app, seats=3).start()
    page = evening.phones[1].get(f"/j/{evening.code}?more=1").text
    own, held = page.split("Held by another phone")
    rows = page.split("<li>")[1:]
    said = {name: row for name in ("Ann", "Ben", "Cleo") for row in rows if f">{name}<" in row}

    assert "This phone plays here" in said["Ben"]
    assert f'href="{evening.seat(1)}"' in said["Ben"]
    assert all(said[name] in held for name in ("Ann", "Cleo"))
    assert said["Ben"].split("</li>")[0] in own


def test_a_seat_that_was_freed_by_mistake_goes_back_to_its_phone(tmp_path: Path) -> None:
    """By one tap of the host, as long as nobody sits there; all are told, and a second tap errs."""
    with app_at(tmp_path) as app:
        evening = Evening(app, seats=3).start()
        phone, seat = evening.phones[1], evening.table.ledger.seating.order[1]
        host = f"/t/{evening.code}/host"
        evening.laptop.post(f"/t/{evening.code}/release", {"seat": seat})
        assert phone.get(evening.seat(seat)).status_code != 200
        assert "Give it back" in evening.laptop.get(host).text

        answer = evening.laptop.post(f"/t/{evening.code}/give-back", {"seat": seat})

        assert answer.status_code == 303
        assert phone.get(evening.seat(seat)).status_code == 200
        assert "seat back" in evening.laptop.get(answer.location).text
        assert "Give it back" not in evening.laptop.get(host).text
        assert (
            evening.laptop.post(f"/t/{evening.code}/give-back", {"seat": seat}).status_code == 409
        )
    with app_at(tmp_path) as again:
        assert phone.moved_to(again).get(evening.seat(seat)).status_code == 200


def test_a_freed_seat_is_given_back_after_a_restart_too(tmp_path: Path) -> None:
    """The laptop slept in between: the same phone has its seat again, and nobody else's key."""
    with app_at(tmp_path) as app:
        evening = Evening(app, seats=3).start()
        for seat in (1, 2):
            evening.laptop.post(f"/t/{evening.code}/release", {"seat": seat})
            evening.laptop.post(f"/t/{evening.code}/release", {"seat": seat})
        Browser(app).post(f"/j/{evening.code}/seats/2")
    with app_at(tmp_path) as again:
        laptop = evening.laptop.moved_to(again)
        _, ben, cleo = (phone.moved_to(again) for phone in evening.phones)
        here, host = f"/t/{evening.code}", f"/t/{evening.code}/host"
        assert laptop.get(host).text.count("Give it back") == 1
        assert ben.get(evening.seat(1)).status_code != 200

        given = [laptop.post(f"{here}/give-back", {"seat": seat}) for seat in (1, 2)]

        assert [answer.status_code for answer in given] == [303, 409]
        assert ben.get(evening.seat(1)).status_code == 200
        assert cleo.get(evening.seat(2)).status_code != 200


def test_a_freed_seat_that_somebody_took_is_not_given_back(app: Flask) -> None:
    """Whoever sits there by now keeps it; only the host may give it back at all."""
    evening = Evening(app, seats=3).start()
    seat = evening.table.ledger.seating.order[1]
    evening.laptop.post(f"/t/{evening.code}/release", {"seat": seat})
    guest = evening.phones[0].post(f"/t/{evening.code}/give-back", {"seat": seat})
    late = Browser(app)
    late.post(f"/j/{evening.code}/seats/{seat}")

    answer = evening.laptop.post(f"/t/{evening.code}/give-back", {"seat": seat})

    assert (guest.status_code, answer.status_code) == (403, 409)
    assert late.get(evening.seat(seat)).status_code == 200
    assert evening.phones[1].get(evening.seat(seat)).status_code != 200


def test_a_seat_is_given_back_once_there_is_room_on_the_disk(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What could not be stored is not given up: the host taps again."""
    evening, tables = Evening(app, seats=3).start(), tables_of(app)
    seat = evening.table.ledger.seating.order[1]
    tables.seats.release(evening.table, seat)
    with monkeypatch.context() as full:
        full.setattr(tables.store, "write", no_room)
        with pytest.raises(sqlite3.OperationalError):
            tables.seats.give_back(evening.table, seat)
    assert tables.seats.is_free(evening.table, seat)

    tables.seats.give_back(evening.table, seat)

    assert evening.phones[1].get(evening.seat(seat)).status_code == 200


def no_room(_change: object) -> None:
    """Refuse to store anything."""
    raise sqlite3.OperationalError("database or disk is full")

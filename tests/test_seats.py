"""Seats at a table: sitting down at once, names and places, keys that move from phone to phone."""

from __future__ import annotations

import pytest

from referee import seats as seats_module
from referee.errors import (
    MalformedAction,
    NoSuchTable,
    NotSeated,
    SeatTaken,
    TableError,
    UndoRefused,
)
from referee.seating import COLOURS
from referee.tables import DISPLAY, Tables, Who, hash_key
from tests.crowds import HOST, at_once, lobby
from tests.table import APP, NAMES, deal

# Sitting down


def test_fifty_join_at_once(tables: Tables) -> None:
    """Five get a seat each with a key each, the others are told that the table is full."""
    table = lobby(tables)
    found = at_once(lambda n: tables.lobby.join(table, f"Name {n}"), 50)
    seated = [one for one in found if isinstance(one, tuple)]

    assert len(seated) == 5
    assert {info.seat for info, _ in seated} == {0, 1, 2, 3, 4}
    assert len({token for _, token in seated}) == 5
    assert [table.who(token).seat for info, token in seated] == [info.seat for info, _ in seated]
    refused = [one for one in found if not isinstance(one, tuple)]
    assert {type(one) for one in refused} == {SeatTaken}
    assert {one.code for one in refused} == {"table_full"}


def test_a_double_tap_is_one_seat(tables: Tables) -> None:
    """The same nonce, even at the same moment, gives the same seat and key."""
    table = lobby(tables)
    found = at_once(lambda _: tables.lobby.join(table, "Ann", nonce="once"), 10)

    assert len({(info.seat, token) for info, token in found}) == 1
    assert len(table.ledger.seating.order) == 1
    assert tables.lobby.join(table, "Ann", nonce="twice")[0].name == "Ann 2"


def test_a_nonce_of_somebody_who_left_seats_anew(tables: Tables) -> None:
    """Its seat is gone, so the form sent again takes another."""
    table = lobby(tables)
    first, _ = tables.lobby.join(table, "Ann", nonce="once")
    tables.lobby.leave(table, first.seat)
    again, token = tables.lobby.join(table, "Ann", nonce="once")

    assert again.seat != first.seat
    assert table.who(token).seat == again.seat


def test_two_want_the_same_colour_at_once(tables: Tables) -> None:
    """One gets it, the other is told."""
    table = lobby(tables)
    found = at_once(lambda n: tables.lobby.join(table, NAMES[n], colour="teal"), 2)

    assert sorted(type(one).__name__ for one in found) == ["SeatTaken", "tuple"]


def test_everybody_gets_a_mark_of_their_own(tables: Tables) -> None:
    """Colour, letter and name differ, though all say the same name."""
    table = lobby(tables, *["Ann"] * 5)
    seats = table.ledger.seating.seats.values()

    assert [info.name for info in seats] == ["Ann", "Ann 2", "Ann 3", "Ann 4", "Ann 5"]
    assert len({info.colour for info in seats}) == 5
    assert {info.colour for info in seats} < {*COLOURS}
    assert [info.letter for info in seats] == ["A", "N", "3", "4", "5"]


def test_a_seat_number_is_never_given_twice(tables: Tables) -> None:
    """Whoever was removed holds a key to nothing, least of all to the next one's seat."""
    table = lobby(tables, "Ann", "Ben")
    third, token = tables.lobby.join(table, "Cleo")
    tables.lobby.leave(table, third.seat)
    fourth, _ = tables.lobby.join(table, "Dan")

    assert fourth.seat not in {0, 1, third.seat}
    assert table.who(token) == DISPLAY
    assert hash_key(token) not in tables.store.keys(table.code)


def test_names_and_places_change_in_the_lobby(tables: Tables) -> None:
    """Renamed, moved, gone; each once, and not after the start."""
    table = lobby(tables, "Ann", "Ben", "Cleo", "Dan")
    tables.lobby.rename(table, 1, "Cleo")
    assert table.ledger.seating.seats[1].name == "Cleo 2"
    tables.lobby.rename(table, 1, "Bea")
    tables.lobby.reorder(table, [3, 1, 0, 2])
    tables.lobby.leave(table, 0)
    assert table.ledger.seating.order == (3, 1, 2)
    for wrong in ([3, 1], [3, 1, 2, 2], [0, 1, 2], []):
        with pytest.raises(MalformedAction):
            tables.lobby.reorder(table, wrong)
    with pytest.raises(NotSeated):
        tables.lobby.leave(table, 0)
    tables.lobby.start(table)
    for late in (
        lambda: tables.lobby.leave(table, 1),
        lambda: tables.lobby.reorder(table, [1, 2, 3]),
        lambda: tables.lobby.set_options(table, {}),
        lambda: tables.lobby.join(table, "Eve"),
        lambda: tables.lobby.start(table),
    ):
        with pytest.raises(TableError) as refused:
            late()
        assert refused.value.code == "already_started"
    tables.lobby.rename(table, 1, "Bo")
    assert table.ledger.log.lines[-1].note == {
        "what": "renamed",
        "seat": 1,
        "name": "Bo",
        "letter": "B",
    }


def test_two_start_at_once(tables: Tables) -> None:
    """It begins once."""
    table = lobby(tables, *NAMES[:3])
    found = at_once(lambda _: tables.lobby.start(table), 6)

    assert found.count(None) == 1
    assert [e.kind for e in tables.store.entries(table.code)].count("setup") == 1


# Keys that move


def test_a_transfer_code_moves_a_seat_once(tables: Tables) -> None:
    """The new phone plays on, the old one is a stranger, every screen is told."""
    table = lobby(tables, *NAMES[:3])
    tables.lobby.start(table)
    old = tables.desk.new_key(table, 1)  # the key of a phone
    code = tables.seats.transfer_code(table, 1)

    assert tables.seats.transfer(code.lower())[1] == 1
    found, seat, new = tables.seats.redeem(code)
    assert (found, seat) == (table, 1)
    assert table.who(new) == Who(seat=1)
    assert table.who(old) == DISPLAY
    assert table.ledger.log.lines[-1].note == {"what": "moved", "seat": 1}
    for again in (tables.seats.redeem, tables.seats.transfer):
        with pytest.raises(NoSuchTable):
            again(code)


def test_a_transfer_code_is_redeemed_by_one_of_many(tables: Tables) -> None:
    """Ten phones scan it at the same moment: one has the seat."""
    table = lobby(tables, "Ann")
    code = tables.seats.transfer_code(table, 0)
    found = at_once(lambda _: tables.seats.redeem(code), 10)

    (won,) = [one for one in found if isinstance(one, tuple)]
    assert table.who(won[2]) == Who(seat=0)


def test_a_transfer_code_expires(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """After five minutes by a clock that nobody can set."""
    table = lobby(tables, "Ann")
    monkeypatch.setattr(seats_module, "TRANSFER_S", -1.0)
    code = tables.seats.transfer_code(table, 0)

    with pytest.raises(NoSuchTable) as refused:
        tables.seats.redeem(code)
    assert refused.value.code == "no_such_transfer"


def test_a_transfer_code_dies_with_its_key(tables: Tables) -> None:
    """Who lost the seat cannot take it back with a code made before."""
    table = lobby(tables, "Ann")
    code = tables.seats.transfer_code(table, 0)
    tables.seats.release(table, 0)
    mine = tables.seats.take_free(table, 0)

    with pytest.raises(NoSuchTable):
        tables.seats.redeem(code)
    assert table.who(mine) == Who(seat=0)


def test_a_freed_seat_is_taken_once(tables: Tables) -> None:
    """A seat in use is not free; a freed one goes to whoever is quickest."""
    table = deal(tables)
    with pytest.raises(SeatTaken):
        tables.seats.take_free(table, 1)
    tables.seats.release(table, 1)
    found = at_once(lambda _: tables.seats.take_free(table, 1), 6)

    (won,) = [one for one in found if isinstance(one, str)]
    assert table.who(won) == Who(seat=1)
    with pytest.raises(NotSeated):
        tables.seats.take_free(table, 7)


def test_another_phone_is_let_in(tables: Tables) -> None:
    """The seat itself or the host says yes; then the old key is dead, and the secret is used up."""
    for who in (HOST, Who(seat=2)):
        table = lobby(tables, *NAMES[:2])
        _, old = tables.lobby.join(table, "Cleo")
        tables.lobby.start(table)
        asked = tables.seats.request_seat(table, 2)
        assert tables.seats.collect_request(table, asked.secret) == (asked, None)
        for stranger in (DISPLAY, Who(seat=0)):
            with pytest.raises(NotSeated):
                tables.seats.settle_request(table, asked.number, stranger, agree=True)
        tables.seats.settle_request(table, asked.number, who, agree=True)
        _, token = tables.seats.collect_request(table, asked.secret)
        assert token is not None
        assert table.who(token) == Who(seat=2)
        assert table.who(old) == DISPLAY
        with pytest.raises(NoSuchTable):
            tables.seats.collect_request(table, asked.secret)


def test_another_phone_is_not_let_in(tables: Tables) -> None:
    """A no stays a no."""
    table = deal(tables)
    asked = tables.seats.request_seat(table, 2)
    tables.seats.settle_request(table, asked.number, HOST, agree=False)

    assert tables.seats.collect_request(table, asked.secret) == (asked, None)
    with pytest.raises(UndoRefused):
        tables.seats.settle_request(table, asked.number, HOST, agree=True)
    with pytest.raises(NoSuchTable):
        tables.seats.collect_request(table, "gu\u00e9ss")


def test_two_requests_never_show_the_same_number(tables: Tables) -> None:
    """Else the host could let the wrong phone in."""
    table = deal(tables)
    for _ in range(60):
        tables.seats.request_seat(table, 0)
        numbers = [request.number for request in table.requests]
        assert len({*numbers}) == len(numbers)


def test_one_tables_key_opens_no_other(tables: Tables) -> None:
    """Seats have the same numbers everywhere, keys have not."""
    one, two = lobby(tables), lobby(tables)
    _, token = tables.lobby.join(one, "Ann")
    tables.lobby.join(two, "Ann")

    assert one.who(token) == Who(seat=0)
    assert two.who(token) == DISPLAY
    assert one.who("") == DISPLAY


def test_tokens_are_stored_hashed(tables: Tables) -> None:
    """Who reads the file cannot sit down with what it holds."""
    table, host = tables.open("winchester", options=APP)
    _, token = tables.lobby.join(table, "Ann")
    raw = b"".join(p.read_bytes() for p in tables.store.path.parent.iterdir() if p.is_file())

    assert tables.store.keys(table.code) == {hash_key(host): None, hash_key(token): 0}
    assert token.encode() not in raw
    assert host.encode() not in raw
    assert len(token) >= 22

"""Moving a seat from phone to phone: by a code, by release, or with the table's consent."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import Final

from referee.desk import Desk, SeatRequest, Table, Who
from referee.entries import Draft, SeatId
from referee.errors import NoSuchTable, NotSeated, SeatTaken, TooMany, UndoRefused

CODE_SIGNS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without I, O, 0 and 1, which people take for each other when they type."""
TRANSFER_S: Final = 300.0
MOST_REQUESTS: Final = 10


class Seats:
    """Who holds which seat, and how it changes hands.

    Args:
        desk: stores and tells.
        find: gives a table by its code.
    """

    def __init__(self, desk: Desk, find: Callable[[str], Table]) -> None:
        self._desk = desk
        self._find = find

    def transfer_code(self, table: Table, seat: SeatId) -> str:
        """Give a code, good for five minutes and one use, that moves a seat to another phone."""
        table.ledger.seating.index(seat)
        code = "".join(secrets.choice(CODE_SIGNS) for _ in range(8))
        now = time.monotonic()
        self._desk.transfers = {k: v for k, v in self._desk.transfers.items() if v[2] > now}
        # In memory alone, by a clock that ends with the process: after a restart no old code works.
        self._desk.transfers[code] = (table.code, seat, now + TRANSFER_S)
        return code

    def transfer(self, code: str) -> tuple[Table, SeatId]:
        """Look a transfer code up without using it. Raises NoSuchTable."""
        if not self.is_good(code):
            raise NoSuchTable("no_such_transfer")
        at, seat, _ = self._desk.transfers[code.upper()]
        return self._find(at), seat

    def is_good(self, code: str) -> bool:
        """Say whether a transfer code can still be used."""
        found = self._desk.transfers.get(code.upper())
        return found is not None and found[2] >= time.monotonic()

    def redeem(self, code: str) -> tuple[Table, SeatId, str]:
        """Move the seat here: the older phone loses it, every screen is told."""
        table, seat = self.transfer(code)
        # Taking it out decides between two phones that scanned it at once.
        if self._desk.transfers.pop(code.upper(), None) is None:
            raise NoSuchTable("no_such_transfer")
        return table, seat, self._move(table, seat, "moved")

    def _move(self, table: Table, seat: SeatId, what: str) -> str:
        with table.lock:
            token = self._desk.new_key(table, seat, revoke=True)
            self._desk.append(table, [Draft("note", seat, {"what": what, "seat": seat})])
            return token

    def release(self, table: Table, seat: SeatId) -> None:
        """Free a seat whose phone is gone: its keys stop working, anyone may take it."""
        with table.lock:
            table.ledger.seating.index(seat)
            # Shut before it is told: whoever reads that the seat is free can take it.
            self._desk.lay_by(table, seat)
            self._desk.append(table, [Draft("note", seat, {"what": "released", "seat": seat})])

    def give_back(self, table: Table, seat: SeatId) -> None:
        """Let the phones have a freed seat that held it. Raises SeatTaken if it is not free."""
        with table.lock:
            table.ledger.seating.index(seat)
            if not self._desk.restore(table, seat):
                raise SeatTaken("seat_taken")
            self._desk.append(table, [Draft("note", seat, {"what": "given_back", "seat": seat})])

    def is_free(self, table: Table, seat: SeatId) -> bool:
        """Say whether no phone holds a seat."""
        return seat not in table.keys.values()

    def awaited(self, table: Table) -> frozenset[SeatId]:
        """Name the seats of a rematch that nobody took yet, and whose phone played before.

        Only that phone has them for the asking; whoever else comes is let in by the host.
        """
        before = self._desk.store.before(table.code)
        if before is None:
            return frozenset()
        return table.ledger.seating.kept.intersection(self._desk.store.keys(before).values())

    def take_free(self, table: Table, seat: SeatId, *, by: str = "") -> str:
        """Sit down on a released seat, and ask for no other. Raises SeatTaken if it is not free.

        `by` is the address that sits down.
        """
        with table.lock:
            table.ledger.seating.index(seat)
            if not self.is_free(table, seat):
                raise SeatTaken("seat_taken")
            table.requests = _of_others(table, by)
            # Whoever takes a seat for the first time sits down; nobody has lost anything by it.
            what = "sat_down" if seat in table.ledger.seating.kept else "seat_given"
            return self._move(table, seat, what)

    def request_seat(self, table: Table, seat: SeatId, *, by: str = "") -> SeatRequest:
        """Ask for a seat that another phone holds; the host or that phone must say yes.

        `by` is the asker's address: whoever asks again takes back what they asked before, and
        nobody's wish gives way to a stranger's. Raises TooMany.
        """
        with table.lock:
            table.ledger.seating.index(seat)
            others = _of_others(table, by)
            if len(others) >= MOST_REQUESTS:
                if by and all(r.state == "asked" for r in others):
                    raise TooMany
                others.remove(next((r for r in others if r.state != "asked"), others[0]))
            # Two digits are compared at a glance, and of ninety one is always left.
            free = [n for n in range(10, 100) if n not in {other.number for other in others}]
            request = SeatRequest(seat, secrets.choice(free), secrets.token_urlsafe(16), by)
            table.requests = [*others, request]
            self._desk.live.wake(table.code)
            return request

    def settle_request(self, table: Table, number: int, who: Who, *, agree: bool) -> None:
        """Let a phone in, or not. Only the host or the seat itself may."""
        with table.lock:
            for request in table.requests:
                if request.number == number and request.state == "asked":
                    if not who.is_host and who.seat != request.seat:
                        raise NotSeated
                    request.state = "given" if agree else "refused"
                    self._desk.live.wake(table.code)
                    return
        raise UndoRefused("nothing_asked")

    def collect_request(self, table: Table, secret: str) -> tuple[SeatRequest, str | None]:
        """Give a waiting phone the state of its request, with the new key once it was given."""
        with table.lock:
            request = self.find_request(table, secret)
            if request is None:
                raise NoSuchTable("no_such_transfer")
            if request.state != "given":
                return request, None
            # Before the key is made: of two times that a phone asks only one gets it.
            table.requests.remove(request)
            return request, self._move(table, request.seat, "seat_given")

    def withdraw_request(self, table: Table, secret: str) -> None:
        """Ask no longer for a seat: whoever tapped a wrong name asks nothing of the table."""
        with table.lock:
            if request := self.find_request(table, secret):
                table.requests.remove(request)
                self._desk.live.wake(table.code)

    @staticmethod
    def find_request(table: Table, secret: str) -> SeatRequest | None:
        """Find a waiting phone's request by its secret."""
        # Compared in constant time, all of them: how long it takes must not help in guessing.
        wanted = secret.encode()
        return next(
            (r for r in table.requests if secrets.compare_digest(r.secret.encode(), wanted)), None
        )


def _of_others(table: Table, by: str) -> list[SeatRequest]:
    """Give the requests that another address than this one made; "" is nobody's."""
    return [request for request in table.requests if not by or request.by != by]

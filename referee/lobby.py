"""Sitting down at a table, and all that is settled there before the first move."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from referee import deciding, names, profiles
from referee.desk import ID_LENGTH, Desk, Table
from referee.entries import Draft, SeatId
from referee.errors import MalformedAction, SeatTaken, TableError
from referee.journal import Ledger
from referee.options import check_options
from referee.seating import COLOURS, SeatInfo


class Lobby:
    """Who sits down under which name, in which order, and what they play.

    Args:
        desk: stores and tells.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def join(
        self, table: Table, name: str, *, colour: str | None = None, mix: str = "", nonce: str = ""
    ) -> tuple[SeatInfo, str]:
        """Take a new seat and give it with its token. The same nonce twice is one seat.

        Raises MalformedAction for an empty name, SeatTaken for a full table or a taken colour,
        TableError once play has begun.
        """
        with table.lock:
            seat, token = table.nonces.get(nonce, (None, ""))
            # Looked up under the lock, with the seat still there: whoever left takes a new one.
            if seat in table.ledger.seating.seats:
                return table.ledger.seating.seats[seat], token
            info = self._new_seat(table.ledger, name, colour, mix)
            # The key before the seat: a key to a seat that nobody took opens nothing, but a seat
            # without its key would have to be given away by the host.
            token = self._desk.new_key(table, info.seat)
            payload = msgspec.to_builtins(info)
            self._desk.append(table, [Draft("join", info.seat, payload)])
            if nonce:
                table.nonces[nonce] = (info.seat, token)
            return info, token

    def hold(self, table: Table, name: str) -> SeatInfo:
        """Keep a seat for somebody who comes later: no phone holds it, whoever comes takes it."""
        with table.lock:
            info, _ = self.join(table, name, mix=secrets.token_hex(8))
            self._desk.revoke(table, info.seat)
            self._desk.append(table, [Draft("note", None, {"what": "kept", "seat": info.seat})])
            return info

    @staticmethod
    def _new_seat(ledger: Ledger, name: str, colour: str | None, mix: str) -> SeatInfo:
        if ledger.status != "lobby":
            raise TableError("already_started")
        if len(ledger.seating.order) >= ledger.game.META.seats[1]:
            raise SeatTaken("table_full", most=ledger.game.META.seats[1])
        others = ledger.seating.seats.values()
        free = [c for c in COLOURS if c not in {other.colour for other in others}]
        if colour and colour not in COLOURS:
            raise MalformedAction("no_such_colour", colour=colour)
        if colour and colour not in free:
            raise SeatTaken("colour_taken", colour=colour)
        name = names.distinct(names.clean(name), {other.name for other in others})
        return SeatInfo(
            seat=ledger.seating.next_seat,
            name=name,
            colour=colour or free[0],
            letter=names.letter(name, {other.letter for other in others}),
            # Hex alone: what parts the mixes from each other when they are hashed is in none.
            mix="".join(sign for sign in mix[:ID_LENGTH] if sign in "0123456789abcdef"),
        )

    def leave(self, table: Table, seat: SeatId) -> None:
        """Get up again, before the game starts."""
        with table.lock:
            self._lobby_only(table, seat)
            # Locked out first, then gone: no phone ever holds a key to a seat that is not there.
            self._desk.revoke(table, seat)
            self._desk.append(table, [Draft("note", seat, {"what": "left", "seat": seat})])

    def rename(self, table: Table, seat: SeatId, name: str) -> None:
        """Change a seat's name."""
        with table.lock:
            ledger = table.ledger
            ledger.seating.index(seat)
            others = [info for info in ledger.seating.seats.values() if info.seat != seat]
            name = names.distinct(names.clean(name), {other.name for other in others})
            letter = names.letter(name, {other.letter for other in others})
            payload = {"what": "renamed", "seat": seat, "name": name, "letter": letter}
            self._desk.append(table, [Draft("note", seat, payload)])

    def reorder(self, table: Table, order: Sequence[SeatId]) -> None:
        """Set the seats' order, clockwise. Raises MalformedAction unless it names each once."""
        with table.lock:
            self._lobby_only(table, None)
            if sorted(order) != sorted(table.ledger.seating.order):
                raise MalformedAction("bad_order")
            self._desk.append(table, [Draft("note", None, {"what": "order", "order": list(order)})])

    def set_options(self, table: Table, options: Mapping[str, str]) -> None:
        """Change options before the start. Raises MalformedAction for unknown ones."""
        with table.lock:
            self._lobby_only(table, None)
            chosen = table.ledger.options | check_options(table.game.META, options)
            self._desk.append(table, [Draft("note", None, {"what": "options", "options": chosen})])

    @staticmethod
    def _lobby_only(table: Table, seat: SeatId | None) -> None:
        if table.ledger.status != "lobby":
            raise TableError("already_started")
        if seat is not None:
            table.ledger.seating.index(seat)

    def start(self, table: Table) -> None:
        """Begin the game with the seats as they sit. Raises TableError."""
        with table.lock:
            # Together with the first draws: there is no game that waits for its deal.
            self._desk.append(
                table, deciding.start(table.ledger, self.board(table), draw=table.draw)
            )

    def board(self, table: Table) -> dict[str, Any]:
        """Give the board that the options name, with all its owner taught; empty where none is."""
        key, options = table.game.META.key, table.ledger.chosen()
        return profiles.board(key, options, self._desk.store.facts(key, profiles.name_of(options)))

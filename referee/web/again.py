"""The rematch: whoever comes over brings all that this browser holds, the host's included."""

from __future__ import annotations

from flask import Response, request

from referee.tables import Table

from . import keys
from .site import site


def come_over(response: Response, table: Table, again: Table) -> Response:
    """Put the keys to the new table into a browser: its seats that are still free, its host's."""
    tables = site().tables
    for seat in keys.seats_here(request, table):
        # Looked up again and not taken for granted: somebody may have been let in by the host.
        if seat in again.ledger.seating.order and tables.seats.is_free(again, seat):
            token = tables.seats.take_free(again, seat)
            keys.keep(response, keys.seat_cookie(again.code, seat), token)
    if keys.is_host(request, table) and not keys.is_host(request, again):
        keys.keep(response, keys.host_cookie(again.code), tables.desk.new_host_key(again))
    return response

"""Random whole games of every kind, for what every game owes the referee."""

from __future__ import annotations

import msgspec
from hypothesis import HealthCheck, settings

from tests.strategies import Table

# What is counted here each game's own tests count as well, and counting doubles the time it takes.

WHOLE_GAMES = settings(
    max_examples=10,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
encode = msgspec.json.Encoder(order="deterministic").encode


def viewers(table: Table) -> tuple[int | None, ...]:
    """Name the display and every seat."""
    return (None, *range(table.seats))

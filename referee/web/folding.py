"""What one answer tells of a board, told in one sentence and not in as many as there are places."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct


class Folded(Struct, frozen=True):
    """Facts of one kind with one value, and the places that they are about, in their order."""

    kind: str
    value: str
    places: tuple[str, ...]


def folded(facts: Iterable[tuple[str, str]]) -> tuple[Folded, ...]:
    """Put facts together that differ in nothing but their place; a fact is "kind:place"."""
    places: dict[tuple[str, str], list[str]] = {}
    for fact, value in facts:
        kind, _, place = fact.partition(":")
        places.setdefault((kind, value), []).append(place)
    return tuple(Folded(kind, value, tuple(found)) for (kind, value), found in places.items())

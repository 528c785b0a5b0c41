"""Reading what a form sets right: a cell, a tile of a reserve, a place of a row.

A form sends all that lies there, written down, and what of it is otherwise: a field that is not
filled in leaves it as it is. What was written down goes along as what `was` there: by the time the
table agrees, something else may lie there.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from referee.errors import MalformedAction
from referee.games.reading import Fields, number, text

SYMBOLS: Final = ("gold", "beaver", "corn", "cattle")
TILE_PARTS: Final = 8
"""A tile written down: its number, its landscape, four counts, skull and circle."""
CELL_PARTS: Final = 3
"""What else a cell holds: its cattle, its partner, and which domino of the ranch it belongs to."""
NOTHING: Final = "none"
EMPTY: Final = "empty"
"""A table of the saloon without a partner, or a saloon without one."""

Raw: TypeAlias = dict[str, Any]


def tile_of(written: str) -> Raw:
    """Read a tile that is written down whole, such as by `asked.key_of`."""
    parts = written.split("-")
    if len(parts) != TILE_PARTS:
        raise MalformedAction("bad_number", field="known")
    counts = {name: _int(value) for name, value in zip(SYMBOLS, parts[2:6], strict=True)}
    return {
        "number": _int(parts[0]),
        "landscape": parts[1],
        **counts,
        "skull": parts[6] == "1",
        "circle": parts[7] == "1",
    }


def cell(fields: Fields) -> Raw:
    """Read what lies on a cell. A tile that is another one than was told has no number any more."""
    seat, at, held = (*text(fields, "cell").split("-", 2), "", "")[:3]
    was = lies = _cell_of(held.split("-")) if held else None
    landscape = text(fields, "landscape")
    if landscape == NOTHING or (lies is None and not landscape):
        lies = None
    else:
        lies = _cell_changed(lies or {"tile": {"number": 0, "landscape": landscape}}, fields)
    return {
        "type": "set_cells",
        "seat": _int(seat),
        "cells": [{"at": _int(at), "cell": lies}],
        "was": [{"at": _int(at), "cell": was}],
    }


def _cell_of(held: list[str]) -> Raw:
    if len(held) != TILE_PARTS + CELL_PARTS:
        raise MalformedAction("bad_number", field="cell")
    cattle, partner, domino = held[TILE_PARTS:]
    return {
        "tile": tile_of("-".join(held[:TILE_PARTS])),
        "cattle": _int(cattle),
        "partner": partner or None,
        "domino": _int(domino),
    }


def _cell_changed(lies: Raw, fields: Fields) -> Raw:
    changes: Raw = {
        name: number(fields, name) for name in ("gold", "beaver", "corn") if text(fields, name)
    }
    if text(fields, "landscape"):
        changes["landscape"] = text(fields, "landscape")
    tile = lies["tile"]
    if any(tile.get(name, 0) != value for name, value in changes.items()):
        # It is not the tile that was told, and which one it is nobody said.
        tile = tile | changes | {"number": 0}
    lies = lies | {"tile": tile}
    if text(fields, "cattle"):
        lies["cattle"] = number(fields, "cattle")
    if text(fields, "partner"):
        lies["partner"] = None if text(fields, "partner") == NOTHING else text(fields, "partner")
    return lies


def reserve(fields: Fields) -> Raw:
    """Read one tile of a reserve: another one, one more, or one less."""
    seat, place, written = _held(fields)
    was = [_maybe(each) for each in written]
    # From what the page showed, and sent with it: what came to lie there since is not written over.
    tiles = [*was]
    at = _place(place, len(tiles) + 1)
    if text(fields, "landscape") == NOTHING:
        del tiles[at : at + 1]
    elif at == len(tiles):
        tiles.append(_tile_changed(None, fields))
    else:
        tiles[at] = _tile_changed(tiles[at], fields)
    return {"type": "set_reserve", "seat": _int(seat), "tiles": tiles, "was": was}


def row(fields: Fields) -> Raw:
    """Read one place of a row: its tile, whether any lies there, and whose rancher stands on it."""
    name, place, written = _held(fields)
    was = [_spot(each) for each in written]
    spots = [dict(each) for each in was]
    spot = spots[_place(place, len(spots))]
    if text(fields, "landscape") == NOTHING:
        spot |= {"tile": None, "rancher": None, "is_gone": True}
    else:
        spot["tile"] = _tile_changed(spot["tile"], fields)
        spot["is_gone"] = spot["is_gone"] and not text(fields, "landscape")
    rancher = text(fields, "rancher")
    if rancher == NOTHING:
        spot["rancher"] = None
    elif rancher:
        _stand(spots, spot, number(fields, "rancher"))
    return {"type": "set_row", "row": name, "spots": spots, "was": was}


def _spot(written: str) -> Raw:
    tile, rancher, gone = written.split("/") if written.count("/") == 2 else ("", "", "")  # noqa: PLR2004  # three parts
    whose = _int(rancher) if rancher else None
    return {"tile": _maybe(tile), "rancher": whose, "is_gone": gone == "1"}


def _stand(spots: list[Raw], spot: Raw, seat: int) -> None:
    """Let a seat's rancher stand at a place; whoever stood there stands where it came from."""
    if spot["rancher"] == seat:
        return
    for other in spots:
        if other["rancher"] == seat:
            # They change places, so that a form cannot lose a rancher or have it twice.
            other["rancher"] = spot["rancher"]
            break
    spot["rancher"] = seat


def tables(fields: Fields) -> Raw:
    """Read who sits in the saloon."""
    now = [who or None for who in fields.get("tables", ()) if who != EMPTY]
    found: Raw = {"type": "set_tables", "tables": now}
    if "held" in fields:
        was = text(fields, "held")
        found["was"] = [who or None for who in was.split(";")] if was != EMPTY else []
    return found


def _held(fields: Fields) -> tuple[str, str, list[str]]:
    """Split what a form says lies there: whose or which row, which place, and all places."""
    whose, place, written = (*text(fields, "held").split("~"), "", "")[:3]
    return whose, place, written.split(";") if written else []


def _place(written: str, count: int) -> int:
    place = _int(written)
    if place >= count:
        raise MalformedAction("bad_number", field="held")
    return place


def _maybe(written: str) -> Raw | None:
    return None if written == NOTHING else tile_of(written)


def _tile_changed(tile: Raw | None, fields: Fields) -> Raw | None:
    """Give the tile that lies there. On another landscape there is nothing but what is told.

    A tile that comes needs its number: it is what a row is sorted by.
    """
    landscape = text(fields, "landscape")
    if landscape == "unknown" or (tile is None and not landscape):
        return None
    if tile is None or landscape not in ("", tile["landscape"]):
        known = number(fields, "number") if tile is None else tile["number"]
        tile = {"number": known, "landscape": landscape}
    changes: Raw = {
        name: number(fields, name) for name in ("number", *SYMBOLS) if text(fields, name)
    }
    marks = {n: text(fields, n) == "yes" for n in ("skull", "circle") if text(fields, n)}
    return tile | changes | marks


def _int(written: str) -> int:
    return number({"number": [written]}, "number")

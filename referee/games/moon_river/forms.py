"""What people fill in on the pages of Moon River: actions, corrections, facts about the box."""

from __future__ import annotations

from typing import Any, Final

from referee.errors import MalformedAction
from referee.games import reading
from referee.games.base import Facts
from referee.games.reading import Fields, number, text

NUMBERS: Final = frozenset(
    {"place", "first", "second", "at", "turn", "source", "target", "mine", "seat", "theirs"}
    | {"tile", "ranch", "count"}
)
"""Fields of an action that hold whole numbers."""
NOT_OURS: Final = frozenset({"type", "version", "id", "seat", "next", "pick"})
"""Fields of a form that belong to the page, or are read by themselves."""
SYMBOLS: Final = ("gold", "beaver", "corn", "cattle")
TILE_PARTS: Final = 8
"""A tile written down: its number, its landscape, four counts, skull and circle."""


def action(fields: Fields) -> dict[str, object]:
    """Read an action: its type, and its fields, each alone or several that one button names."""
    kind = text(fields, "type")
    match kind:
        case "tell_tile":
            after = {"after": number(fields, "after")} if text(fields, "after") else {}
            return {"type": kind, "tile": _tile(fields), **after}
        case "stroke":
            return _stroke(fields)
        case "report_domino":
            pair = _picked(fields)
            hired = [value or None for value in fields.get("hired", ())]
            return {"type": kind, **pair, "hired": hired}
        case "hand_in":
            return {
                "type": kind,
                "ranch": number(fields, "ranch"),
                "confirmed": "confirmed" in fields,
            }
        case _:
            return {"type": kind, **_picked(fields), **_plain(fields)}


def told(fields: Fields) -> dict[str, object]:
    """Read what should have been told: an action, as it would have been."""
    return action(fields)


def _plain(fields: Fields) -> dict[str, object]:
    return {
        name: number(fields, name) if name in NUMBERS else text(fields, name)
        for name in fields.keys() - NOT_OURS
    }


def _picked(fields: Fields) -> dict[str, object]:
    """Read what one button or one choice says, such as "at:12,turn:3"."""
    found: dict[str, object] = {}
    for part in filter(None, text(fields, "pick").split(",")):
        name, _, value = part.partition(":")
        found[name] = number({name: [value]}, name) if name in NUMBERS else value
    return found


def _tile(fields: Fields) -> dict[str, object]:
    """Read a tile: one that is known is named whole, any other is put together."""
    known = text(fields, "known")
    if known:
        return _known_tile(known)
    shown, _, landscape = text(fields, "face").partition(":")
    symbols = {name: number(fields, name) for name in SYMBOLS if text(fields, name)}
    return {
        "number": number({"number": [shown]}, "number"),
        "landscape": landscape,
        **symbols,
        "skull": "skull" in fields,
        "circle": "circle" in fields,
    }


def _known_tile(known: str) -> dict[str, object]:
    """Read a tile that is written down whole, such as by `asked.key_of`."""
    parts = known.split("-")
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


def _int(value: str) -> int:
    return number({"number": [value]}, "number")


def _stroke(fields: Fields) -> dict[str, object]:
    """Read a stroke of painting: with which tool, over which cells."""
    tool, _, value = text(fields, "tool").partition(":")
    cells = [number({"cells": [cell]}, "cells") for cell in fields.get("cells", ())]
    over: dict[str, object] = {"ranch": number(fields, "ranch"), "cells": cells}
    is_off = "off" in fields
    match tool:
        case "land":
            return {"type": "paint", **over, "landscape": None if is_off else value or None}
        case "partner":
            return {"type": "station", **over, "partner": None if is_off else value or None}
        case _:
            count = 0 if is_off else number({"count": [value]}, "count")
            return {"type": "mark", **over, "what": tool, "count": count}


def taught(fields: Fields) -> Facts:
    """Read facts about the box."""
    return reading.taught(fields)


def correction(fields: Fields) -> dict[str, object]:
    """Read one correction, such as what lies on a cell or how much the referee tracks."""
    match text(fields, "what"):
        case "tracking":
            return {"type": "set_tracking", "tracking": text(fields, "tracking")}
        case "cell":
            return _set_cell(fields)
        case "tables":
            tables = [who or None for who in fields.get("tables", ()) if who != "empty"]
            return {"type": "set_tables", "tables": tables}
        case "round":
            return {"type": "set_round", "rows": number(fields, "rows")}
        case _:
            raise MalformedAction("nothing_to_correct")


def _set_cell(fields: Fields) -> dict[str, object]:
    """Read what lies on a cell: all that it holds is sent, and what of it is set otherwise."""
    seat, at, *held = text(fields, "cell").split("-")
    cell = _cell(held) if held else None
    landscape = text(fields, "landscape")
    if landscape == "none" or (cell is None and not landscape):
        cell = None
    else:
        cell = _changed(cell or {"tile": {"number": 0, "landscape": landscape}}, fields)
    return {
        "type": "set_cells",
        "seat": _int(seat),
        "cells": [{"at": _int(at), "cell": cell}],
    }


def _cell(held: list[str]) -> dict[str, Any]:
    if len(held) != TILE_PARTS + 3:  # cattle, partner, domino
        raise MalformedAction("bad_number", field="cell")
    cattle, partner, domino = held[TILE_PARTS:]
    return {
        "tile": _known_tile("-".join(held[:TILE_PARTS])),
        "cattle": _int(cattle),
        "partner": partner or None,
        "domino": _int(domino),
    }


def _changed(cell: dict[str, Any], fields: Fields) -> dict[str, Any]:
    """Set what the form names. A tile that is another one than was told has no number any more."""
    changes: dict[str, Any] = {
        name: number(fields, name) for name in ("gold", "beaver", "corn") if text(fields, name)
    }
    if text(fields, "landscape"):
        changes["landscape"] = text(fields, "landscape")
    tile = cell["tile"]
    if any(tile.get(name, 0) != value for name, value in changes.items()):
        tile = tile | changes | {"number": 0}
    cell = cell | {"tile": tile}
    if text(fields, "cattle"):
        cell["cattle"] = number(fields, "cattle")
    if text(fields, "partner"):
        cell["partner"] = None if text(fields, "partner") == "none" else text(fields, "partner")
    return cell

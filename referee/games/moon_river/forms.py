"""What people fill in on the pages of Moon River: actions, corrections, facts about the box."""

from __future__ import annotations

from typing import Final

from referee.errors import MalformedAction
from referee.games import reading
from referee.games.base import Facts
from referee.games.reading import Fields, number, text

from . import setting
from .box import symbols_on
from .model import LANDSCAPES

NUMBERS: Final = frozenset(
    {"place", "first", "second", "at", "turn", "source", "target", "mine", "seat", "theirs"}
    | {"tile", "ranch", "count"}
)
"""Fields of an action that hold whole numbers."""
NOT_OURS: Final = frozenset({"type", "version", "id", "seat", "next", "pick"})
"""Fields of a form that belong to the page, or are read by themselves."""


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
            # "-" is nobody, and nothing is somebody whom nobody named.
            hired = [value or None for value in fields.get("hired", ()) if value != "-"]
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
        return setting.tile_of(known)
    shown, _, landscape = text(fields, "face").rpartition(":")
    # What was chosen with another landscape, before this one, is hidden by now, and not meant.
    shown_there = next((symbols_on(land) for land in LANDSCAPES if land == landscape), ())
    symbols = {name: number(fields, name) for name in shown_there if text(fields, name)}
    return {
        "number": number({"number": [shown or text(fields, "number")]}, "number"),
        "landscape": landscape,
        **symbols,
        "skull": "skull" in fields,
        "circle": "circle" in fields,
    }


def _stroke(fields: Fields) -> dict[str, object]:
    """Read a stroke of painting: with which tool, over which cells."""
    tool, _, value = text(fields, "tool").partition(":")
    cells = [number({"cells": [cell]}, "cells") for cell in fields.get("cells", ())]
    over: dict[str, object] = {"ranch": number(fields, "ranch"), "cells": cells}
    # A tap on what is there already takes it away, as a script on the page says by this.
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
            return setting.cell(fields)
        case "reserve":
            return setting.reserve(fields)
        case "row":
            return setting.row(fields)
        case "tables":
            return setting.tables(fields)
        case "scenario":
            return {"type": "set_scenario", "scenario": text(fields, "scenario")}
        case "round":
            return {"type": "set_round", "rows": number(fields, "rows")}
        case _:
            raise MalformedAction("nothing_to_correct")

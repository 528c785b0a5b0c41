"""What people fill in on the pages of Desperados: actions, corrections, facts about the board."""

from __future__ import annotations

from typing import Final

from referee.errors import MalformedAction
from referee.games import reading
from referee.games.base import Facts
from referee.games.reading import Fields, number, text

from .facts import road_fact_of
from .model import COACHES

NUMBERS: Final = frozenset({"sheriff", "value", "step", "move", "mate", "turn"})
"""Fields of an action that hold whole numbers."""
TOLD: Final = frozenset({"schedule", "sheriff", "city", "confirmed", "place", "value"})
"""Fields of what is told anew."""


def action(fields: Fields) -> dict[str, object]:
    """Read an action: its type, its texts, its whole numbers, and whether a road was confirmed."""
    raw: dict[str, object] = {"type": text(fields, "type")}
    for name in fields.keys() - {"type", "version", "id", "seat", "next", "confirmed"}:
        raw[name] = number(fields, name) if name in NUMBERS else text(fields, name)
    # A checkbox that is not ticked is not sent.
    if "confirmed" in fields:
        raw["confirmed"] = True
    return raw


def taught(fields: Fields) -> Facts:
    """Read facts about the board."""
    return reading.taught(fields)


def told(fields: Fields) -> dict[str, object]:
    """Read what should have been told: Sheriffs' cities, discs as "seat:venue:city", or an action.

    Raises MalformedAction.
    """
    kind = text(fields, "type")
    match kind:
        case "sheriffs_rode":
            return _in_move(fields) | {"cities": list(fields.get("city", ()))}
        case "discs_laid":
            discs = [_laid(one) for one in fields.get("disc", ()) if one]
            return _in_move(fields) | {"discs": discs}
        case _:
            kept = {name: fields[name] for name in fields if name in TOLD}
            return action({"type": [kind], **kept})


def correction(fields: Fields) -> dict[str, object]:
    """Read one correction, such as where a pawn stands or what lies in a city."""
    city = text(fields, "city")
    match text(fields, "what"):
        case "pawn":
            return {"pawns": [{"seat": number(fields, "seat"), "city": city}]}
        case "sheriff":
            return {"sheriffs": [{"sheriff": number(fields, "sheriff"), "city": city}]}
        case "coach":
            return {"coaches": [{"coach": text(fields, "coach"), "city": city or None}]}
        case "disc":
            return {"discs": [_disc(fields, city)]}
        case "tile":
            return {"tiles": [{"city": city, "lies": text(fields, "lies") == "yes"}]}
        case "loot":
            value = number(fields, "value") if text(fields, "value") else None
            return {"loot": [{"number": number(fields, "number"), "value": value}]}
        case "more":
            kind, _, shown = text(fields, "tile").partition(":")
            value = int(shown) if shown.isdecimal() else None
            return {"more_loot": [{"kind": kind, "city": city, "value": value}]}
        case "out":
            why = text(fields, "why") or None
            out = {"seat": number(fields, "seat"), "why": why}
            return {"outs": [out | ({"step": number(fields, "step")} if why else {})]}
        case "card":
            is_lost = text(fields, "lost") == "yes"
            return {"cards": [{"seat": number(fields, "seat"), "city": city, "lost": is_lost}]}
        case "road":
            fact = road_fact_of(city, text(fields, "other"))
            return {"facts": [[fact, text(fields, "value")]]}
        case "bank":
            # Five banks there are: what becomes one makes another a city with a poker tile.
            facts = [[f"bank:{text(fields, 'other')}", "no"], [f"bank:{city}", "yes"]]
            return {"facts": facts}
        case _:
            raise MalformedAction("nothing_to_correct")


def _in_move(fields: Fields) -> dict[str, object]:
    """Read of which move something is told."""
    named = {name: number(fields, name) for name in ("turn", "move")}
    return {"type": text(fields, "type"), **named}


def _laid(one: str) -> dict[str, object]:
    seat, _, rest = one.partition(":")
    venue, _, city = rest.partition(":")
    if not seat.isdecimal():
        raise MalformedAction("bad_number", field="disc")
    return {"seat": int(seat), "venue": venue, "city": city}


def _disc(fields: Fields, city: str) -> dict[str, object]:
    seat, venue = number(fields, "seat"), text(fields, "venue")
    if venue not in ("poker", *COACHES):
        return {"seat": seat}
    return {"seat": seat, "venue": venue, "city": city, "move": number(fields, "move")}

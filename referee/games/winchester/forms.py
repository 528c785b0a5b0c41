"""What people fill in on Winchester's pages: actions, corrections, facts about the board."""

from __future__ import annotations

from typing import Final

from referee.errors import MalformedAction
from referee.games import reading
from referee.games.base import Facts
from referee.games.reading import Fields, amount, number, text

from .model import SECRETS_EACH

NUMBERS: Final = frozenset(
    {"amount", "card", "price", "winner", "caller", "called", "bidder", "plot"}
)
"""Fields of an action that hold whole numbers."""

LISTS: Final = frozenset({"objectives"})
"""Fields of an action that hold several words."""


def action(fields: Fields) -> dict[str, object]:
    """Read an action: its type, its texts, and its whole numbers."""
    raw: dict[str, object] = {"type": text(fields, "type")}
    for name in LISTS & fields.keys():
        raw[name] = list(fields[name])
    if raw["type"] == "enter_secrets" and len(fields.get("objectives", ())) != SECRETS_EACH:
        raise MalformedAction("two_objectives")
    # Without a chart of the stops a place is told by the plots beside it, or as beside none.
    if raw["type"] == "activate" and "vehicle" in fields and "space" not in fields:
        space = _space(fields, "beside") or ("none" if "alone" in fields else "")
        if not space:
            raise MalformedAction("tap_beside")
        return raw | {"vehicle": text(fields, "vehicle"), "space": space}
    for name in fields.keys() - {"type", "version", "id", "seat", "next", *LISTS}:
        value = text(fields, name)
        # In a look the same field names a card and not a number.
        if name in NUMBERS and raw["type"] != "look":
            raw[name] = amount(value)
        elif name == "stop":
            raw["vehicle"], _, raw["space"] = value.partition(":")
        else:
            raw[name] = value
    return raw


def _space(fields: Fields, name: str) -> str:
    """Name a vehicle's space by the plots that were ticked beside it."""
    beside = sorted(int(n) for n in fields.get(name, ()) if n.isdecimal())
    return "-".join(map(str, beside))


def told(fields: Fields) -> dict[str, object]:
    """Read what should have been told."""
    raw: dict[str, object] = {"type": text(fields, "type")}
    match raw["type"]:
        case "answered":
            facts = [(fact, text(fields, fact)) for fact in fields.get("facts", ())]
            return raw | {"facts": [[fact, value] for fact, value in facts if value]}
        case "claims":
            seat = number(fields, "seat") if text(fields, "seat") else None
            return raw | {"objective": text(fields, "objective"), "seat": seat}
        case "bought":
            token = {"token": text(fields, "token")} if text(fields, "token") else {}
            price = amount(text(fields, "price"))
            return (
                raw
                | {"plot": number(fields, "plot"), "price": price}
                | token
                | {"buyer": number(fields, "buyer")}
            )
        case "laid":
            return raw | {"amount": number(fields, "pile"), "objective": text(fields, "objective")}
        case "moved":
            return raw | {"plot": number(fields, "plot")} | _stop(fields)
        case _:
            raw |= {name: text(fields, name) for name in ("token",) if name in fields}
            numbers = {"plot", "amount"} & fields.keys()
            return raw | {name: amount(text(fields, name)) for name in numbers}


def _stop(fields: Fields) -> dict[str, str]:
    """Read where a vehicle stands: a space that is known, or the plots beside it."""
    vehicle, _, space = text(fields, "stop").partition(":")
    space = space or _space(fields, f"{vehicle}_beside") or "none"
    return {"vehicle": vehicle, "space": space}


def taught(fields: Fields) -> Facts:
    """Read facts about the board; a vehicle's place is ticked plot by plot."""
    facts = dict(reading.taught(fields))
    if text(fields, "ranch"):
        facts["ranch"] = text(fields, "ranch")
    for vehicle in ("boat", "locomotive"):
        if space := _space(fields, f"{vehicle}_beside"):
            facts[f"{vehicle}:{space}"] = "yes"
    return tuple(facts.items())


def _place(fields: Fields, name: str) -> int | str:
    """Read where notes lie: a seat's number, or a word such as "bank"."""
    value = text(fields, name)
    return number(fields, name) if value.isdecimal() else value


def correction(fields: Fields) -> dict[str, object]:
    """Read one correction, such as notes that move, a plot's owner, or held tokens."""
    match text(fields, "what"):
        case "notes":
            places = {"source": _place(fields, "source"), "target": _place(fields, "target")}
            return {"transfers": [places | {"amount": amount(text(fields, "amount"))}]}
        case "owner":
            owner = number(fields, "seat") if text(fields, "seat") else None
            return {"owners": [{"plot": number(fields, "plot"), "seat": owner}]}
        case "held":
            held = {
                "seat": number(fields, "seat"),
                "token": text(fields, "token"),
                "count": number(fields, "count"),
            }
            return {"held": [held]}
        case "pile":
            lies = {"amount": amount(text(fields, "pile")), "objective": text(fields, "objective")}
            return {"piles": [lies]}
        case "duel_token" | "dry" as what:
            has = {"seat": number(fields, "seat"), "has": text(fields, "has") == "yes"}
            return {"duel_tokens" if what == "duel_token" else "dry": [has]}
        case "vehicle":
            vehicle, _, space = text(fields, "stop").partition(":")
            return {"boat" if vehicle == "boat" else "locomotive": space}
        case "terrain":
            kind, _, value = text(fields, "value").partition(":")
            plot = number(fields, "plot")
            if kind == "ranch":
                return {"facts": [["ranch", str(plot)]]}
            fact = f"{kind}:{plot}" if value else f"terrain:{plot}"
            return {"facts": [[fact, value or kind]]}
        case "space":
            return {"facts": [[text(fields, "value"), "no"]]}
        case "touch":
            # One name for the fact, whichever of the two plots was tapped first.
            low, high = sorted((number(fields, "plot"), number(fields, "other")))
            return {"facts": [[f"touch:{low}-{high}", text(fields, "value")]]}
        case "star":
            return {"star": number(fields, "seat")}
        case _:
            raise MalformedAction("nothing_to_correct")

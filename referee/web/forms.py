"""Reading what people type: amounts as they write them, actions and corrections from forms."""

from __future__ import annotations

from typing import Final

from flask import request

from referee.errors import MalformedAction
from referee.tables import Table

NUMBERS: Final = frozenset({"amount", "card", "price", "winner", "caller", "called", "plot"})
"""Fields of an action that hold whole numbers."""


PAIR: Final = 2
LISTS: Final = frozenset({"objectives"})
"""Fields of an action that hold several words."""


def number_field(name: str) -> int:
    """Read a whole number from the form. Raises MalformedAction."""
    value = request.form.get(name, "")
    if not value.isdecimal() or len(value) > 9:  # noqa: PLR2004  # no count here has ten digits
        raise MalformedAction("bad_number", field=name)
    return int(value)


def action_from_form() -> dict[str, object]:
    """Read an action from form fields: its type, its texts, and its whole numbers.

    Amounts are taken as people write them: "7 000", "7.000", "$7,000", full-width digits.
    """
    raw: dict[str, object] = {"type": request.form.get("type", "")}
    for name in LISTS & request.form.keys():
        raw[name] = request.form.getlist(name)
    if raw["type"] == "enter_secrets" and len(request.form.getlist("objectives")) != PAIR:
        raise MalformedAction("two_objectives")
    if raw["type"] == "activate" and "vehicle" in request.form:
        beside = sorted(int(n) for n in request.form.getlist("beside") if n.isdecimal())
        return raw | {
            "vehicle": request.form["vehicle"],
            "space": "-".join(map(str, beside)) or "none",
        }
    for name, value in request.form.items():
        if name in NUMBERS and raw["type"] != "look":
            raw[name] = read_amount(value)
        elif name == "stop":
            raw["vehicle"], _, raw["space"] = value.partition(":")
        elif name not in {"type", "version", "id", "seat", "next", *LISTS}:
            raw[name] = value
    return raw


def read_amount(text: str) -> int:
    """Read a whole amount as typed. Raises MalformedAction ("bad_amount")."""
    digits = "".join(text.split()).strip("$").replace("\u202f", "")
    for separator in (",", ".", "'", "’"):
        head, *groups = digits.split(separator)
        if groups and all(len(group) == 3 for group in groups):  # noqa: PLR2004  # thousands
            digits = head + "".join(groups)
    if not digits.isdecimal() or len(digits) > 9:  # noqa: PLR2004  # there are 110 notes
        raise MalformedAction("bad_amount", text=text[:20])
    return int(digits)


def _place(name: str) -> int | str:
    """Read where notes lie: a seat's number, or a word such as "bank"."""
    value = request.form.get(name, "")
    return number_field(name) if value.isdecimal() else value


def answers_from_form(table: Table) -> list[list[str]]:
    """Read answers to the open question; what is asked with yes and no and not tapped is no."""
    question = table.game.question(table.ledger.state) if table.ledger.state else None
    parts = (*question.parts, *question.more) if question else ()
    values = {part.fact: part.values for part in parts}
    asked = request.form.getlist("asked")
    if "all" in request.form:
        asked += request.form.getlist("more")
    facts = []
    for fact in asked:
        value = request.form.get(fact) or ("no" if "no" in values.get(fact, ("no",)) else "")
        if value:
            facts.append([fact, value])
    return facts


def taught_from_form() -> tuple[tuple[str, str], ...]:
    """Read facts about a board: each is a field of its name; of a list, the rest is no.

    `asked` names facts that are yes if ticked and no if not.
    """
    facts = {}
    for fact in request.form.getlist("asked"):
        facts[fact] = request.form.get(fact) or "no"
    for name, value in request.form.items():
        if ":" in name and value:
            facts.setdefault(name, value)
    if request.form.get("ranch"):
        facts["ranch"] = request.form["ranch"]
    for vehicle in ("boat", "locomotive"):
        beside = sorted(int(n) for n in request.form.getlist(f"{vehicle}_beside") if n.isdecimal())
        if beside:
            facts[f"{vehicle}:{'-'.join(map(str, beside))}"] = "yes"
    return tuple(facts.items())


def correction_from_form(table: Table) -> dict[str, object]:
    """Read one correction from the form: notes that move, a plot's owner, or held tokens."""
    form = request.form
    match form.get("what", ""):
        case "notes":
            amount = read_amount(form.get("amount", ""))
            places = {"source": _place("source"), "target": _place("target")}
            return {"transfers": [places | {"amount": amount}]}
        case "owner":
            owner = number_field("seat") if form.get("seat") else None
            return {"owners": [{"plot": number_field("plot"), "seat": owner}]}
        case "held":
            held = {
                "seat": number_field("seat"),
                "token": form.get("token", ""),
                "count": number_field("count"),
            }
            return {"held": [held]}
        case "sale":
            price = read_amount(form.get("price", ""))
            sold = {"plot": number_field("plot"), "buyer": number_field("seat"), "price": price}
            return {"sales": [sold]}
        case "terrain":
            kind, _, value = form.get("value", "").partition(":")
            plot = number_field("plot")
            if kind == "ranch":
                return {"facts": [["ranch", str(plot)]]}
            fact = f"{kind}:{plot}" if value else f"terrain:{plot}"
            return {"facts": [[fact, value or kind]]}
        case "touch":
            low, high = sorted((number_field("plot"), number_field("other")))
            return {"facts": [[f"touch:{low}-{high}", form.get("value", "")]]}
        case "star":
            return {"star": number_field("seat")}
        case _:
            raise MalformedAction("nothing_to_correct", table=table.code)

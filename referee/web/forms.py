"""Reading what people type: amounts as they write them, actions and corrections from forms."""

from __future__ import annotations

from typing import Final

from flask import request

from referee.errors import MalformedAction
from referee.tables import Table

NUMBERS: Final = frozenset({"amount", "card", "price", "winner", "caller", "called"})
"""Fields of an action that hold whole numbers."""


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
    for name, value in request.form.items():
        if name in NUMBERS and raw["type"] != "look":
            raw[name] = read_amount(value)
        elif name == "stop":
            raw["vehicle"], _, raw["space"] = value.partition(":")
        elif name not in {"type", "version", "id", "seat"}:
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
        case "star":
            return {"star": number_field("seat")}
        case _:
            raise MalformedAction("nothing_to_correct", table=table.code)

"""Reading what people fill in: fields of forms, and amounts and numbers as they type them."""

from __future__ import annotations

from referee.errors import MalformedAction
from referee.games.base import Facts, Fields

__all__ = ["Fields", "amount", "number", "taught", "text"]


def text(fields: Fields, name: str) -> str:
    """Give a field's text, "" if it is not there."""
    return next(iter(fields.get(name, ())), "")


def number(fields: Fields, name: str) -> int:
    """Read a whole number from a field. Raises MalformedAction ("bad_number")."""
    value = text(fields, name)
    if not value.isdecimal() or len(value) > 9:  # noqa: PLR2004  # no count here has ten digits
        raise MalformedAction("bad_number", field=name)
    return int(value)


def amount(typed: str) -> int:
    """Read a whole amount as people write it: "7 000", "7.000", "$7,000", full-width digits.

    Raises MalformedAction ("bad_amount").
    """
    digits = "".join(typed.split()).strip("$").replace("\u202f", "")
    for separator in (",", ".", "'", "’"):
        head, *groups = digits.split(separator)
        if groups and all(len(group) == 3 for group in groups):  # noqa: PLR2004  # thousands
            digits = head + "".join(groups)
    if not digits.isdecimal() or len(digits) > 9:  # noqa: PLR2004  # no amount has ten digits
        raise MalformedAction("bad_amount", text=typed[:20])
    return int(digits)


def taught(fields: Fields) -> Facts:
    """Read facts about a board: each is a field of its name; one with several values joins them.

    `asked` names facts that are "no" if their field is not there.
    """
    facts = {fact: text(fields, fact) or "no" for fact in fields.get("asked", ())}
    for name, values in fields.items():
        if ":" in name and any(values):
            facts.setdefault(name, ">".join(values))
    return tuple(facts.items())

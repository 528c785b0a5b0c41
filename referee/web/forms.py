"""Reading forms: each game reads its own actions, corrections and facts."""

from __future__ import annotations

import hmac
from typing import Any

import msgspec
from flask import request

from referee.entries import SeatId
from referee.errors import MalformedAction
from referee.games import reading
from referee.games.base import Facts
from referee.games.protocol import Game
from referee.tables import Table


def fields() -> reading.Fields:
    """Give all fields of the form at hand."""
    return request.form.to_dict(flat=False)


def number_field(name: str) -> int:
    """Read a whole number from the form. Raises MalformedAction."""
    return reading.number({name: request.form.getlist(name)}, name)


def seat_field() -> SeatId:
    """Read which seat a form of the host's is about. Raises MalformedAction."""
    return SeatId(number_field("seat"))


def action_of(table: Table, fields: reading.Fields) -> dict[str, Any]:
    """Read an action of the table's game. Raises MalformedAction."""
    found: dict[str, Any] = table.game.forms.action(fields)
    return found


def action_from_form(table: Table) -> dict[str, Any]:
    """Read an action of the table's game from the form at hand. Raises MalformedAction."""
    return action_of(table, fields())


def raw_action(table: Table) -> Any:
    """Read an action that was chosen as a whole from a list, or one from its fields.

    Raises MalformedAction.
    """
    chosen = request.form.get("raw")
    if chosen is None:
        return action_from_form(table)
    try:
        return msgspec.json.decode(chosen)
    # Lists nested deeper than Python counts are as unreadable as any other nonsense.
    except (msgspec.DecodeError, RecursionError) as error:
        raise MalformedAction(detail=str(error)) from error


def answers_from_form(table: Table) -> list[list[str]]:
    """Read answers to the open question; what is asked with yes and no and not tapped is no.

    That nothing of it is so is a choice of its own. Raises MalformedAction ("nothing_tapped").
    """
    question = table.game.question(table.ledger.state) if table.ledger.state else None
    parts = (*question.parts, *question.more) if question else ()
    values = {part.fact: part.values for part in parts}
    asked = request.form.getlist("asked")
    if "all" in request.form:
        asked += request.form.getlist("more")
    is_none = "none" in request.form
    is_asked = bool(asked) and all(fact in values for fact in asked)
    if is_asked and not is_none and not any(request.form.get(fact) for fact in asked):
        raise MalformedAction("nothing_tapped")
    facts = []
    for fact in asked:
        # A fact that is asked no longer is passed on as well, to be refused and not to vanish:
        # somebody was quicker.
        value = ("" if is_none else request.form.get(fact)) or (
            "no" if "no" in values.get(fact, ("no",)) else ""
        )
        if value:
            facts.append([fact, value])
    return facts


def taught_from_form(game: Game) -> Facts:
    """Read facts about a board of a game."""
    facts: Facts = game.forms.taught(fields())
    return facts


def correction_from_form(table: Table) -> dict[str, Any]:
    """Read one correction of the table's game. Raises MalformedAction."""
    found: dict[str, Any] = table.game.forms.correction(fields())
    return found


def correction_words(correction: object, key: str) -> dict[str, str]:
    """Read a correction's reason, and an id that makes the same one sent twice count once."""
    return {"reason": request.form.get("reason", ""), "action_id": id_of(correction, key)}


def id_of(wanted: object, key: str) -> str:
    """Name what a form without an id of its own wants: the same on the same page is the same.

    Plain forms cannot make ids, and random ones in a page would tell two looks at it apart. It is
    keyed with what the sender alone holds: its version counts what others may not notice.
    """
    body = msgspec.json.encode([number_field("version"), wanted], order="sorted")
    return hmac.digest(key.encode(), body, "sha256").hex()[:16]

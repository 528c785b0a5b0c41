"""Deciding what comes next in a journal: drafts, which a caller stores first and takes afterwards.

Nothing here changes a ledger. An action is decided together with all that chance owes for it, so a
plug that is pulled leaves either the whole of it or nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import msgspec

from referee import retelling
from referee.entries import Draft, Entry, SeatId
from referee.errors import GameOver, IllegalAction, StaleTable, TableError
from referee.games import answering
from referee.games.base import Answer, Facts, Step
from referee.journal import Ledger
from referee.options import settled_options
from referee.retelling import Draw, Retold, fits

By: TypeAlias = Literal["seat", "host"]


def check_fresh(ledger: Ledger, viewer: SeatId | None, version: int, *, exact: bool) -> None:
    """Refuse what was decided on an outdated picture. Raises StaleTable.

    Programs name the version they saw, exactly. A person's page is fresh enough as long as what
    the seat was asked has not changed since, and the host's as long as the game has not.
    """
    now = ledger.version(viewer)
    oldest = ledger.moved if viewer is None else ledger.noticed.asked_since(viewer)
    # A version that was never reached is refused too: its sender saw a journal that is gone.
    if not (now if exact else oldest) <= version <= now:
        raise StaleTable(version=now)


def check_playing(ledger: Ledger) -> None:
    """Refuse what can only be done while a game goes on. Raises GameOver, TableError."""
    if ledger.status != "playing":
        raise GameOver if ledger.status == "over" else TableError("not_started")


def action(
    ledger: Ledger, seat: SeatId, wanted: Any, *, action_id: str, draw: Draw, by: By = "seat"
) -> list[Draft]:
    """Play an action and whatever chance it calls for. Raises what the rules refuse."""
    check_playing(ledger)
    if isinstance(wanted, Answer):
        return answer(ledger, seat, wanted.facts, action_id=action_id, draw=draw, by=by)
    step = ledger.game.apply(ledger.state, ledger.seating.index(seat), wanted)
    payload = {"id": action_id, "action": msgspec.to_builtins(wanted), "by": by}
    return [Draft("action", seat, payload, step), *_settled(ledger, step, draw)]


def answer(
    ledger: Ledger, who: SeatId | None, facts: Facts, *, action_id: str, draw: Draw, by: By
) -> list[Draft]:
    """Settle the question about the board, or some of it, as a seat or as the host (None).

    Raises IllegalAction for what is not asked, and what the game refuses.
    """
    check_playing(ledger)
    answering.check(ledger.game.question(ledger.state), facts, section="board")
    return told(ledger, who, facts, action_id=action_id, draw=draw, by=by)


def told(
    ledger: Ledger, who: SeatId | None, facts: Facts, *, action_id: str, draw: Draw, by: By
) -> list[Draft]:
    """Take in facts about the board, asked for or not. Raises what the game refuses."""
    check_playing(ledger)
    step = ledger.game.answer(ledger.state, facts)
    payload = {"id": action_id, "facts": msgspec.to_builtins(facts), "by": by}
    return [Draft("answer", who, payload, step), *_settled(ledger, step, draw)]


def foresee(ledger: Ledger, payload: Mapping[str, Any], *, draw: Draw) -> Retold:
    """Work out what would be, if something was told otherwise. Raises what is refused of it."""
    # Never stored or hashed: it only lends its number to what is told along.
    entry = Entry(ledger.length + 1, "", None, "correction", dict(payload), "", "")
    return ledger.retold(retelling.read(ledger.game, payload), entry=entry, draw=draw)


def retold(
    ledger: Ledger, by: SeatId | None, payload: Mapping[str, Any], *, draw: Draw
) -> list[Draft]:
    """Tell anew what was told wrongly, in the state of now. Raises IllegalAction, MalformedAction.

    IllegalAction ("more_to_tell") says whom something else has to be told of, and what it may be.
    """
    true = foresee(ledger, payload, draw=draw)
    if true.owed is not None:
        raise IllegalAction(
            "more_to_tell",
            section="corrections",
            seat=true.owed.seat,
            choices=msgspec.to_builtins(true.owed.actions),
        )
    # In the entry itself, since a replay draws nothing.
    drawn = [
        {"label": need.label, "number": need.number, "drawn": msgspec.to_builtins(outcome.drawn)}
        for need, outcome in true.drawn
    ]
    return [Draft("correction", by, {**payload, "drawn": drawn}, true.step)]


def start(ledger: Ledger, board: Mapping[str, Any], *, draw: Draw) -> list[Draft]:
    """Start the game with the seats as they sit. The board's facts go into the journal."""
    least, most = ledger.game.META.seats
    if ledger.status != "lobby":
        raise TableError("already_started")
    if not least <= len(ledger.seating.order) <= most:
        raise TableError("wrong_number_of_seats", least=least, most=most)
    options = settled_options(ledger.game.META, ledger.chosen(), ledger.seating.order)
    step = ledger.game.setup(options, len(ledger.seating.order), board)
    # With the board as it was known then: what is taught later changes no game that has begun.
    payload = {"options": options, "order": list(ledger.seating.order), "board": dict(board)}
    return [Draft("setup", None, payload, step), *_settled(ledger, step, draw)]


def _settled(ledger: Ledger, step: Step, draw: Draw) -> list[Draft]:
    """Draw what is owed until nobody waits for chance. What was seen once comes again.

    Else whoever takes an action back and repeats it could draw until they like it.
    """
    drafts = []
    needs = list(step.needs)
    state = step.state
    while needs:
        need = needs.pop(0)
        # By number as well: the second draw of a label is another draw than the first.
        seen = ledger.outcomes.get((need.label, need.number))
        outcome = seen if seen is not None and fits(seen, need) else draw(need)
        step = ledger.game.chance(state, outcome)
        payload = {
            "label": need.label,
            "number": need.number,
            "drawn": msgspec.to_builtins(outcome.drawn),
        }
        drafts.append(Draft("chance", None, payload, step))
        state = step.state
        needs.extend(step.needs)
    return drafts

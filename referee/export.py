"""A table's journal and result in files that outlive the evening."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeVar

import msgspec

from referee import chance
from referee.course import tells_anew
from referee.entries import Entry, SeatId
from referee.errors import CorruptJournal, TableError
from referee.games import GAMES
from referee.games.base import Outcome, SeatIndex, Step
from referee.journal import Ledger
from referee.tables import Table

T = TypeVar("T")

FORMAT: Final = "referee journal 1"


def journal(table: Table, entries: Sequence[Entry], viewer: SeatId | None) -> Iterator[str]:
    """Give a journal as JSON Lines, a header first.

    While the game goes on, sealed entries show that they exist and nothing of their content, and
    entries a viewer may not notice are left out; numbers count what the viewer may notice. When it
    is over, everything opens: payloads, salts, and the seed that was committed to.
    """
    ledger = table.ledger
    is_open = ledger.status == "over"
    header = {
        "format": FORMAT,
        "table": table.code,
        "game": table.game.META.key,
        "status": ledger.status,
        "commitment": ledger.commitment,
        "seed": table.seed if is_open else None,
    }
    yield _line(header)
    # Of an entry that is stored and not yet taken nobody knows whether it is sealed.
    for entry in entries[: ledger.length]:
        if is_open:
            yield _line(entry)
        elif ledger.noticed.may_notice(entry.seq, viewer):
            yield _line(_sealed(ledger, entry, viewer))


def _sealed(ledger: Ledger, entry: Entry, viewer: SeatId | None) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "seq": ledger.noticed.number(entry.seq, viewer),
        "at": entry.at,
        "seat": entry.seat,
        "kind": entry.kind,
        "chain": entry.chain,
    }
    # Not even how long it is; its place in the chain is shown, so that it cannot be changed later.
    if entry.seq in ledger.sealed:
        return shown | {"sealed": True}
    # An id is its sender's way to ask again, and nobody else's business.
    payload = {name: value for name, value in entry.payload.items() if name != "id"}
    return shown | {"payload": ledger.noticed.shown(payload, viewer)}


def _line(value: object) -> str:
    return msgspec.json.encode(value).decode() + "\n"


def result(table: Table) -> dict[str, Any]:
    """Give a finished game's result. Raises TableError while it goes on."""
    ledger = table.ledger
    final = None if ledger.state is None else table.game.score(ledger.state)
    if final is None:
        raise TableError("not_over")
    return {
        "table": table.code,
        "game": table.game.META.key,
        "winners": [ledger.seating.at(SeatIndex(index)) for index in final.winners],
        "tie_break": final.tie_break,
        "scores": [
            {
                "seat": seat,
                "name": ledger.seating.seats[seat].name,
                "total": score.total,
                "lines": msgspec.to_builtins(score.lines),
            }
            for score in final.scores
            for seat in (ledger.seating.at(SeatIndex(score.seat)),)
        ],
    }


class Verified(msgspec.Struct, frozen=True):
    """What `verify` found: how many links and draws were checked, and the head of the chain."""

    entries: int
    draws: int
    head: str
    result: Any


def verify(text: str) -> Verified:
    """Replay an opened journal: chain, commitment, every draw, the score.

    Raises CorruptJournal with a code that says what is wrong, and where.
    """
    header, *lines = text.split("\n")
    head = _read(header, dict[str, Any])
    if head.get("format") != FORMAT or str(head.get("game")) not in GAMES:
        raise CorruptJournal("not_a_journal")
    if not isinstance(head.get("seed"), str):
        raise CorruptJournal("still_sealed")
    entries = [_read(line, Entry) for line in lines if line.strip()]
    return _replay(head, entries)


def _read(line: str, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(line, type=kind)
    except (ValueError, RecursionError, msgspec.MsgspecError) as error:
        raise CorruptJournal("not_a_journal", detail=str(error)) from error


def _replay(head: dict[str, Any], entries: Sequence[Entry]) -> Verified:
    ledger = Ledger(GAMES[str(head["game"])])
    draws = 0
    owed: Step | None = None
    for entry in entries:
        if entry.kind == "chance":
            draws += 1
            try:
                _check_draw(ledger, head["seed"], entry, owed)
            except (LookupError, TypeError, AttributeError) as error:
                raise CorruptJournal("does_not_replay", seq=entry.seq) from error
        ledger.take(entry)
        if tells_anew(entry):
            _check_newly_drawn(ledger, head["seed"], entry)
        owed = ledger.last_step or owed
        if ledger.commitment and chance.commitment(head["seed"]) != ledger.commitment:
            raise CorruptJournal("wrong_seed", seq=entry.seq)
    score = None if ledger.state is None else ledger.game.score(ledger.state)
    return Verified(len(entries), draws, ledger.head, score)


def _check_draw(ledger: Ledger, seed: str, entry: Entry, owed: Step | None) -> None:
    """Draw again what the app drew, and compare."""
    payload = entry.payload
    needs = () if owed is None else owed.needs
    need = next((n for n in needs if n.label == payload["label"]), None)
    if need is None or need.number != payload["number"]:
        raise CorruptJournal("unasked_draw", seq=entry.seq)
    drawn = {name: tuple(items) for name, items in payload["drawn"].items()}
    outcome = Outcome(need.label, drawn)
    # What was seen once and came again after an undo was not drawn anew.
    has_come_again = ledger.outcomes.get((need.label, need.number)) == outcome
    if not has_come_again and chance.draw(_key(ledger, seed), need) != outcome:
        raise CorruptJournal("wrong_draw", seq=entry.seq)


def _check_newly_drawn(ledger: Ledger, seed: str, entry: Entry) -> None:
    """Draw again what the app drew because something was told anew, and compare."""
    key = _key(ledger, seed)
    if any(chance.draw(key, need) != outcome for need, outcome in ledger.newly_drawn):
        raise CorruptJournal("wrong_draw", seq=entry.seq)


def _key(ledger: Ledger, seed: str) -> str:
    mixes = (ledger.seating.seats[seat].mix for seat in ledger.seating.order)
    return seed if ledger.is_seeded else chance.stir(seed, mixes)

"""Canaries: secrets that read like nothing else, so that a byte of one in a wrong place is heard.

A game registers a function `(state) -> (state, canaries)`: the same table, with every secret made
into a canary of its own; it says who may hear which. See `tests/secrets_of.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import Any, Final, Self

import msgspec
from msgspec import Struct

from referee import export
from referee.entries import Entry, SeatId
from tests.forms import forms_of
from tests.sight import sight
from tests.table import Evening, bearer

MARK: Final = "~"
SIGNS: Final = (",", ".", "\u202f", "\u00a0", " ")
"""What stands between thousands, in one language or another."""
AMOUNT: Final = re.compile(
    rb"(?=(?<!\d)(\d{3})(%s|)(\d{3})\2(\d{3})(?!\d))" % "|".join(map(re.escape, SIGNS)).encode()
)
"""An amount of nine digits; coordinates side by side are none, since one sign parts it or none."""


class Canary(Struct, frozen=True):
    """A secret's own sign, and who may hear it; None is the display, with its host."""

    sign: str
    keepers: frozenset[int | None]

    @property
    def bare(self) -> bytes:
        """Give the sign as it is looked for: an amount without anything between its thousands."""
        return self.sign.replace(",", "").encode()


class Cage:
    """Makes secrets into canaries, each unlike any other, and lists them."""

    def __init__(self) -> None:
        self.canaries: list[Canary] = []

    def word(self, secret: str, keepers: Iterable[int]) -> Any:
        """Give a word that equals a secret one, and can be told by its bytes."""
        sign = f"{MARK}{len(self.canaries)}{MARK}"
        self.canaries.append(Canary(sign, frozenset(keepers)))
        return Marked(secret, sign)

    def money(self, keepers: Iterable[int], *, note: int = 1000) -> int:
        """Give an amount that no purse, price or tile of the game comes near to."""
        amount = (710_301 + 113 * len(self.canaries)) * 1000
        amount += 0 if note > 1 else 337 + len(self.canaries)
        self.canaries.append(Canary(f"{amount:,}", frozenset(keepers)))
        return amount


class Marked(str):  # noqa: SLOT000  # it has a word beside its own letters
    """A word that equals another one, so that the rules take it for that, and bears a sign."""

    def __new__(cls, word: str, sign: str) -> Self:
        """Write the word and its sign."""
        made = super().__new__(cls, word + sign)
        made.word = word
        return made

    word: str

    def __eq__(self, other: object) -> bool:
        """Compare without the sign."""
        return self.word == (other.word if isinstance(other, Marked) else other)

    def __ne__(self, other: object) -> bool:
        """Compare without the sign."""
        return not self == other

    def __hash__(self) -> int:
        """Give the word's own."""
        return hash(self.word)


def written(value: Any) -> str:
    """Write a marked word as JSON has it; see `msgspec.json.encode`."""
    return str.__str__(value)


def heard(canaries: Sequence[Canary], seen: bytes) -> list[Canary]:
    """Give the canaries among what somebody was sent, however amounts are written there."""
    amounts = {b"".join(found[::2] + found[3:]) for found in AMOUNT.findall(seen)}
    return [
        canary
        for canary in canaries
        if (canary.bare in seen if canary.sign.startswith(MARK) else canary.bare in amounts)
    ]


def all_seen(evening: Evening, viewer: int | None) -> bytes:
    """Give every byte that a viewer gets: pages, streams, interface, exports, refusals."""
    return b"\n".join([*sight(evening, viewer).values(), *refusals(evening, viewer)])


def refusals(evening: Evening, viewer: int | None) -> list[bytes]:
    """Give what a viewer is answered who asks for what cannot be, or too late."""
    who = evening.laptop if viewer is None else evening.phones[viewer]
    code = evening.code
    base = f"/t/{code}" if viewer is None else f"/s/{code}/{viewer}"
    found = [who.get(f"{base}/told/1/0").data, who.get(f"/s/{code}/9").data]
    html = who.get(base if viewer is None else f"{base}?open=1").text
    for form in forms_of(html):
        if code in form.action and form.action.endswith(("/act", "/act-for", "/correct")):
            stale = dict(form.fixed) | {"version": "1"}
            found.append(who.post(form.action, stale).data)
    key = bearer(who.key(code, "host" if viewer is None else viewer))
    api = f"/api/v1/tables/{code}"
    ledger = evening.table.ledger
    # To pass is refused but for whoever may: that one would play on, and turn up a canary for all.
    may = [] if viewer is None else msgspec.to_builtins(ledger.legal_for(SeatId(viewer)))
    for body in ({"type": "pass"}, {"type": "nothing"}, {"type": "submit_bid", "amount": 10**9}):
        if body in may:
            continue
        wanted = {"version": 0, "id": "canary", "action": body}
        for version in (0, ledger.version(viewer)):
            told = wanted | {"version": version}
            answer = who.client.post(f"{api}/actions", json=told, headers=key)
            assert answer.status_code >= HTTPStatus.BAD_REQUEST, answer.text
            found.append(answer.data)
    purse = {"transfers": [{"source": 0, "target": "saloon", "amount": 1_000_000_000}]}
    for correction in (purse, {"pawns": [{"seat": 9, "city": "Globe"}]}, {}):
        sent = {"correction": correction, "reason": "", "id": ""}
        if viewer is None:
            found.append(who.client.post(f"{api}/corrections", json=sent, headers=key).data)
    return found


def marked_entries(
    entries: Sequence[Entry], secret: frozenset[str], cage: Cage
) -> tuple[Entry, ...]:
    """Put a canary into what was done in secret, by the names of such actions."""
    marked = []
    for entry in entries:
        action = entry.payload.get("action", {})
        if entry.kind == "action" and action.get("type") in secret and entry.seat is not None:
            said = cage.word("said", (entry.seat,))
            payload = entry.payload | {"action": action | {"canary": said}}
            entry = msgspec.structs.replace(entry, payload=payload)  # noqa: PLW2901  # marked
        marked.append(entry)
    return tuple(marked)


def exported(evening: Evening, entries: Sequence[Entry], viewer: int | None) -> bytes:
    """Give the journal as a viewer takes it home."""
    return "".join(export.journal(evening.table, entries, viewer)).encode()

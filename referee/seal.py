"""The chain: each entry is hashed onto the one before, and four words say how far it goes."""

from __future__ import annotations

import hashlib
from typing import Final

import msgspec

from referee.entries import Draft, Entry

ROOT: Final = "0" * 64
"""What the first entry is hashed onto."""


def link(previous: str, entry: Entry) -> str:
    """Hash an entry onto the chain. The salt keeps anyone from trying all that may be in it."""
    # Sorted: however a payload was put together, the same one is hashed as the same bytes.
    body = msgspec.json.encode(
        [entry.seq, entry.at, entry.seat, entry.kind, entry.payload], order="sorted"
    )
    return hashlib.sha256(b"\0".join((previous.encode(), entry.salt.encode(), body))).hexdigest()


def seal(draft: Draft, *, seq: int, at: str, salt: str, previous: str) -> Entry:
    """Make a draft the next link of the chain; its payload is what will be read from the disk."""
    payload = msgspec.json.decode(msgspec.json.encode(draft.payload))
    entry = Entry(seq, at, draft.seat, draft.kind, payload, salt, "")
    return msgspec.structs.replace(entry, chain=link(previous, entry))


def words(head: str) -> str:
    """Say the chain's head as four words: each is 16 bits as consonant, vowel, consonant ..."""
    return " ".join(_word(int(head[4 * i : 4 * i + 4], 16)) for i in range(4))


def _word(bits: int) -> str:
    # Proquints (D. S. Wilkerson, 2009): people read these aloud to each other across a table.
    consonants, vowels = "bdfghjklmnprstvz", "aiou"
    return (
        consonants[bits >> 12]
        + vowels[bits >> 10 & 3]
        + consonants[bits >> 6 & 15]
        + vowels[bits >> 4 & 3]
        + consonants[bits & 15]
    )

"""A table's journal without its table: pure, in memory, for what follows from entries alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee import chance, deciding
from referee.entries import Draft, Entry, SeatId
from referee.games.base import Need, Outcome
from referee.games.protocol import Game
from referee.journal import Ledger
from referee.seal import seal
from referee.seating import COLOURS


class Journal:
    """A ledger and its entries in memory: what is decided is sealed and taken at once."""

    def __init__(
        self,
        game: Game,
        *,
        seats: int,
        seed: str = "seed",
        options: Mapping[str, str] | None = None,
        board: Mapping[str, Any] | None = None,
    ) -> None:
        self.seed = seed
        self.ledger = Ledger(game)
        self.entries: list[Entry] = []
        opened = {"what": "opened", "game": game.META.key, "options": dict(options or {})}
        opened |= {"commitment": chance.commitment(seed), "seeded": True}
        self.add(Draft("note", None, opened))
        for seat in range(seats):
            mark = {"seat": seat, "name": "ABCDEF"[seat], "letter": "ABCDEF"[seat], "mix": ""}
            self.add(Draft("join", SeatId(seat), mark | {"colour": COLOURS[seat]}))
        self.add(*deciding.start(self.ledger, board or {}, draw=self.draw))

    def draw(self, need: Need) -> Outcome:
        """Draw from the seed."""
        return chance.draw(self.seed, need)

    def add(self, *drafts: Draft) -> int:
        """Seal and take; give the number of the first."""
        first = self.ledger.length + 1
        for draft in drafts:
            seq = self.ledger.length + 1
            entry = seal(draft, seq=seq, at="now", salt=f"salt {seq}", previous=self.ledger.head)
            self.entries.append(entry)
            self.ledger.take(entry, draft.step)
        return first

    def act(self, seat: int, action: Any) -> int:
        """Play an action; give its entry's number."""
        action_id = f"a{self.ledger.length}"
        return self.add(
            *deciding.action(self.ledger, SeatId(seat), action, action_id=action_id, draw=self.draw)
        )

"""Whole games as they are sent to a server: who does what, and which screens show it.

Played beforehand on a ledger in memory, with the draws that a table opened with the same seed
makes, so a load client only sends, and knows what it waits for.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import msgspec
from msgspec import Struct

from referee import chance, deciding, profiles
from referee.desk import sealed
from referee.entries import Draft, SeatId
from referee.games import GAMES
from referee.journal import Ledger
from referee.seating import COLOURS, SeatInfo
from referee.web.frame import tag_of

APP: Final = {"preset": "app", "board": "practice"}
"""What is measured: a game without a box, in which nothing is asked."""
SEATS: Final = {"winchester": 5, "desperados": 5, "moon_river": 4}
STINGY: Final = 0.8
LONGEST: Final = 400


PICKED: Final = {
    "activate": ("stop", "{vehicle}:{space}"),
    "form_domino": ("pick", "first:{first},second:{second}"),
    "lay_domino": ("pick", "at:{at},turn:{turn}"),
    "discard": ("pick", "first:{first},second:{second}"),
    "hire": ("pick", "partner:{partner},side:{side}"),
    "drive_cattle": ("pick", "source:{source},target:{target}"),
    "swap_tiles": ("pick", "seat:{seat},theirs:{theirs}"),
    "rustle": ("pick", "seat:{seat},at:{at}"),
    "lay_bonus": ("pick", "tile:{tile},landscape:{landscape},at:{at}"),
}
"""What one button or choice of a page says of an action: its name, and how it is written."""
ADDED: Final[Mapping[str, Mapping[str, str]]] = {"place_discs": {"plan": "plan_mark"}}
"""Fields that a page adds to an action, and which of the seat's own view each shows."""
FOR_OTHERS: Final = frozenset({"lay_any"})
"""What is legal, but no seat's page offers: programs and the host do it."""


class Move(Struct, frozen=True):
    """One action: whose, what, as which form, and the version of each page then.

    `before` is the version at which its seat decided; the last of `shown` is the display's.
    """

    seat: int
    action: dict[str, Any]
    form: dict[str, str]
    before: int
    shown: tuple[int, ...]


class Script(Struct, frozen=True):
    """A game's moves after the start, and the version of every page at the start."""

    start: tuple[int, ...]
    moves: tuple[Move, ...]


@cache
def script(game: str, seed: str) -> Script:
    """Give a whole game for a seeded table, or the first 400 actions of one.

    In an auction bids are small steps, so that a game is long and most actions are bids, as at a
    table; elsewhere people do any of what they may.
    """
    rng = random.Random(seed)
    ledger = Ledger(GAMES[game])
    count = SEATS[game]

    def draw(need: Any) -> Any:
        return chance.draw(seed, need)

    def take(*drafts: Draft) -> None:
        for draft, entry in zip(drafts, sealed(ledger, drafts), strict=True):
            ledger.take(entry, draft.step)

    opened = {"what": "opened", "game": game, "options": APP, "commitment": "", "seeded": True}
    take(Draft("note", None, opened))
    for seat in range(count):
        info = SeatInfo(SeatId(seat), f"P{seat}", COLOURS[seat], str(seat), "")
        take(Draft("join", info.seat, msgspec.to_builtins(info)))
    take(*deciding.start(ledger, _board(game, ledger.chosen()), draw=draw))
    everybody = (*ledger.seating.order, None)
    start = tuple(ledger.version(viewer) for viewer in everybody)
    moves: list[Move] = []
    while ledger.status == "playing" and len(moves) < LONGEST:
        seat = _next(ledger)
        action = _choose(ledger.legal_for(seat), rng)
        before, index = ledger.version(seat), ledger.seating.index(seat)
        done = msgspec.to_builtins(action)
        form = _form(done, ledger.game.own(ledger.state, index))
        take(*deciding.action(ledger, seat, action, action_id=str(len(moves)), draw=draw))
        shown = tuple(ledger.version(viewer) for viewer in everybody)
        moves.append(Move(index, done, form, before, shown))
    return Script(start, tuple(moves))


def _board(game: str, options: Mapping[str, str]) -> dict[str, Any]:
    return profiles.board(game, options, {})


def _next(ledger: Ledger) -> SeatId:
    """Give whoever holds the table up and can do something; else whoever can."""
    held_up = (ledger.seating.at(index) for index in ledger.game.public(ledger.state).waiting_for)
    return next(seat for seat in (*held_up, *ledger.to_act()) if ledger.legal_for(seat))


def _choose(legal: tuple[Any, ...], rng: random.Random) -> Any:
    """Choose as people at an auction do: the smallest step, or to let it be; else anything."""
    legal = tuple([one for one in legal if tag_of(one) not in FOR_OTHERS])
    kinds = {type(action).__name__ for action in legal}
    if "Pass" not in kinds:
        return rng.choice(legal)
    if rng.random() < 1 - STINGY:
        return next(action for action in legal if type(action).__name__ == "Pass")
    return legal[0] if rng.random() < STINGY else legal[int(rng.random() * min(len(legal), 3))]


def _form(action: Mapping[str, Any], own: Any) -> dict[str, str]:
    """Write an action down as its page posts it; `own` is what the seat alone sees."""
    # A box that is not ticked is not sent, nor is what stands for nothing.
    form = {k: str(v) for k, v in action.items() if v is not None and v is not False}
    if action["type"] in PICKED:
        name, written = PICKED[action["type"]]
        form = {k: v for k, v in form.items() if f"{{{k}}}" not in written}
        form[name] = written.format_map(action)
    added = ADDED.get(action["type"], {})
    return form | {name: getattr(own, shown) for name, shown in added.items()}

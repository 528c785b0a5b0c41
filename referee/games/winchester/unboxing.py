"""What hands lay out of the box before play: the set-up of the rulebook, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from msgspec import Struct, convert

from .model import (
    MINE_PLOTS,
    NOTE,
    NOTES,
    PILES,
    PLOTS,
    SECRET_OBJECTIVES,
    SECRETS_EACH,
    SHARED_OBJECTIVES,
    STARTING_CASH,
    STARTING_TIPS,
    Rules,
)

MINE_CARDS: Final = 5
RANCH_CARDS: Final = 3
HATS: Final = 10


class Board(Struct, frozen=True, tag="board"):
    """The board with boat and locomotive."""


class BonusTokens(Struct, frozen=True, tag="bonus_tokens"):
    """A bonus token for each of so many plots."""

    plots: int


class MineCards(Struct, frozen=True, tag="mine_cards"):
    """So many mine cards lie on the board, of so many."""

    used: int
    of: int


class RanchCard(Struct, frozen=True, tag="ranch_card"):
    """One ranch card lies on the board, of so many."""

    of: int


class SaloonNote(Struct, frozen=True, tag="saloon_note"):
    """The first tip."""


class PlotTokens(Struct, frozen=True, tag="plot_tokens"):
    """The numbered tokens."""

    plots: int


class Piles(Struct, frozen=True, tag="piles"):
    """Piles of so many notes each."""

    notes: tuple[int, ...]


class SharedObjectives(Struct, frozen=True, tag="shared_objectives"):
    """Open objectives, one for each pile of so many notes.

    `are_notes_real`: they lie on piles of notes; else the referee keeps the notes.
    """

    used: int
    of: int
    notes: tuple[int, ...]
    are_notes_real: bool


class DuelCards(Struct, frozen=True, tag="duel_cards"):
    """The two duel cards."""


class Notes(Struct, frozen=True, tag="notes"):
    """Everybody's notes, and how many are left for the bank."""

    each: int
    bank: int


class Pieces(Struct, frozen=True, tag="pieces"):
    """Everybody's hats and duel token."""

    hats: int


class SecretObjectives(Struct, frozen=True, tag="secret_objectives"):
    """Everybody's secret objectives; so many are left over."""

    each: int
    left: int


class FirstPlayer(Struct, frozen=True, tag="first_player"):
    """Who begins."""


Unboxing: TypeAlias = (
    Board
    | BonusTokens
    | MineCards
    | RanchCard
    | SaloonNote
    | PlotTokens
    | Piles
    | SharedObjectives
    | DuelCards
    | Notes
    | Pieces
    | SecretObjectives
    | FirstPlayer
)


def unboxing(options: Mapping[str, str], seats: int) -> tuple[Unboxing, ...]:
    """Give the set-up's steps for so many players, without what the app deals or keeps.

    With a practice board there is none on the table, nor are there hats to lay on it.
    """
    chosen = {key: value for key, value in options.items() if key in Rules.__struct_fields__}
    from_box = convert(chosen, Rules).from_box
    is_on_table = options.get("board") != "practice"
    piles = tuple(amount // NOTE for amount in PILES)
    bank = NOTES - (sum(PILES) + STARTING_TIPS + seats * STARTING_CASH) // NOTE
    shared = SharedObjectives(len(PILES), len(SHARED_OBJECTIVES), piles, from_box("money"))
    left = len(SECRET_OBJECTIVES) - SECRETS_EACH * seats
    steps: tuple[tuple[bool, Unboxing], ...] = (
        (is_on_table, Board()),
        (from_box("bonus_tokens"), BonusTokens(PLOTS)),
        (from_box("land_cards"), MineCards(MINE_PLOTS, MINE_CARDS)),
        (from_box("land_cards"), RanchCard(RANCH_CARDS)),
        (from_box("money"), SaloonNote()),
        (from_box("plot_tokens"), PlotTokens(PLOTS)),
        (from_box("money"), Piles(piles)),
        (from_box("shared_objectives"), shared),
        (from_box("duel_cards"), DuelCards()),
        (from_box("money"), Notes(STARTING_CASH // NOTE, bank)),
        (is_on_table, Pieces(HATS)),
        (from_box("secret_objectives"), SecretObjectives(SECRETS_EACH, left)),
        (is_on_table, FirstPlayer()),
    )
    return tuple(step for is_there, step in steps if is_there)
